"""The lobby and the pages around the table, as a browser shows them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.people import Guest

Come = Callable[..., Guest]
PLAY = {"en": "Play now", "es": "Jugar ya"}


def pages(one: Guest) -> list[str]:
    """Every page, with a table that stands in the lobby and a round that is over."""
    one.page.goto(one.url)
    code = one.open_table("faceup")
    one.see("[data-do=sit]").first.click()
    return ["/", "/you", "/rules/home", "/verify", f"/t/{code}/rules", f"/t/{code}/rounds", "/nope"]


def visit(one: Guest, path: str) -> Page:
    one.page.goto(one.url + path)
    return one.page


def violations(page: Page) -> list[tuple[str, list[str]]]:
    found = Axe().run(page).response["violations"]
    return [(fault["id"], [str(node["target"]) for node in fault["nodes"]]) for fault in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "language"), [(360, "es"), (820, "en"), (1280, "es")])
def test_axe_finds_nothing_and_nothing_is_cut_off(guest: Come, width: int, language: str, scheme: str) -> None:
    ana = guest(size=(width, 800), language=language, color_scheme=scheme, bypass_csp=True)
    for path in pages(ana):
        page = visit(ana, path)
        for fold in page.locator("details").all():
            fold.evaluate("one => one.open = true")
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    ana.faults[:] = [fault for fault in ana.faults if "404" not in fault]  # the page that is not there


def test_axe_would_find_a_fault(guest: Come) -> None:
    ana = guest(bypass_csp=True)
    page = visit(ana, "/")
    page.evaluate("document.querySelector('select').removeAttribute('id')")
    assert [fault for fault, _ in violations(page)] == ["select-name"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_newcomer_sits_down_with_one_key(guest: Come, language: str) -> None:
    ana = guest(language=language)
    page = visit(ana, "/")
    button = page.locator("#house-home").get_by_role("button", name=re.compile(PLAY[language]))
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".desk")).to_be_visible()


def test_the_list_of_tables_is_fresh_without_loading_the_page_again(guest: Come) -> None:
    ana, bea = guest("Ana Lobby"), guest("Bea Lobby")
    page = visit(bea, "/")
    code = ana.open_table("leaflet")
    link = page.locator(f'#open-tables a.button[href="/t/{code}"]')
    expect(link).to_be_visible(timeout=60_000)
    link.click()
    expect(page.locator(".desk")).to_be_visible()


def test_language_and_colours_change_at_once_and_stay(guest: Come) -> None:
    ana = guest(color_scheme="light")
    page = visit(ana, "/you")
    page.get_by_role("button", name="Español").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page).to_have_url(f"{ana.url}/you")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Colores del sistema").click()
    page.get_by_role("button", name="Colores claros").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != ground


def test_a_rule_file_with_faults_is_shown_at_its_lines(guest: Come, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('from = "casino"\n[rules]\ndeks = 4\n', "utf-8")
    ana = guest()
    page = visit(ana, "/")
    page.set_input_files("#f-rules", file)
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 3")
    expect(page.get_by_role("alert")).to_contain_text("decks")
    ana.faults[:] = [fault for fault in ana.faults if "400" not in fault]


def test_the_first_link_leads_past_the_header(guest: Come) -> None:
    page = visit(guest(), "/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))


def test_a_round_is_looked_at_step_by_step_with_the_keys(guest: Come) -> None:
    ana = guest(bypass_csp=True, size=(360, 740))
    ana.go_to_new("dull")
    ana.round()
    page = visit(ana, f"{ana.page.url.removeprefix(ana.url)}/rounds/1")
    heading = page.locator("#at")
    last = heading.inner_text().rpartition(" ")[2]
    page.keyboard.press("Home")
    expect(heading).to_have_text(f"Step 1 of {last}")
    expect(page.locator(".cloth .card")).to_have_count(0)
    expect(page.locator(".cloth .dealer")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(heading).to_have_text(f"Step 2 of {last}")
    expect(page.locator(".cloth .card")).to_have_count(1)
    page.get_by_role("link", name="Next").click()
    expect(heading).to_have_text(f"Step 3 of {last}")
    expect(page.get_by_role("link", name="Next")).to_be_focused()
    page.go_back()
    expect(heading).to_have_text(f"Step 2 of {last}")
    page.keyboard.press("End")
    expect(heading).to_have_text(f"Step {last} of {last}")
    page.locator("details").evaluate("one => one.open = true")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_lobby_works_without_scripts(guest: Come) -> None:
    ana = guest(java_script_enabled=False)
    page = visit(ana, "/")
    page.locator("#house-casino").get_by_role("button", name="Play now").click()
    expect(page).to_have_url(re.compile("/t/"))
    visit(ana, "/")
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("button", name="Leave")).to_have_count(0)
    expect(page).to_have_url(f"{ana.url}/")
