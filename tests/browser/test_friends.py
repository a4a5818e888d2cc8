"""Several people at one table: boxes, backers with leave and without, the host, and what everybody sees."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.people import Guest

Come = Callable[..., Guest]


def people_dialog(one: Guest) -> None:
    one.see("[data-do=people]").first.click()
    expect(one.see("dialog[open]")).to_be_visible()


def close(one: Guest) -> None:
    one.see("[data-do=close-dialog]").click()
    expect(one.see("dialog[open]")).to_have_count(0)


def test_a_friend_asks_is_let_and_follows_the_double(guest: Come) -> None:
    ana, bea = guest("Ana"), guest("Bea", language="es")
    code = ana.go_to_new("follow")
    ana.see("[data-do=sit][data-box='4']").click()
    expect(ana.see(".box.mine")).to_have_count(1)
    ana.chip(2, laid="10")
    bea.go(code)
    bea.see("[data-do=ask][data-box='4']").click()
    expect(bea.see(".box-buttons")).to_contain_text(["pedido"])
    expect(ana.see(".requests")).to_contain_text("Bea asks to bet on your box 4.")
    ana.see(".requests [data-yes='1']").click()
    expect(ana.see(".requests")).to_have_count(0)
    bea.see(".box[data-box='4'] .spot").click()
    bea.chip(1, laid="5")
    expect(ana.see(".box.mine .money.ready")).to_contain_text("Bea")
    ana.deal()
    ana.wait_for_move()
    expect(bea.see(".status")).to_have_text("La mesa espera a Casilla 4, Ana.")
    assert bea.live == []
    ana.move("double")
    expect(bea.see(".status")).to_contain_text("¿iguala el doble con 5?")
    assert bea.live == ["double", "no"]
    bea.move("double")
    for one in (ana, bea):
        one.wait_for_results()
        one.see("[data-do=statement]").click()
        sums = one.see("dialog .sum-line")
        expect(sums).to_have_count(2)
        won = [re.search(r"= ([-+]?[\d.,]+)$|: ([-+]?[\d.,]+)$", text) for text in sums.all_inner_texts()]
        values = [float((found[1] or found[2]).replace(",", ".")) for found in won if found]
        assert len(values) == 2
        assert values[0] == 2 * values[1]
        close(one)


def answer_all(people: list[Guest]) -> None:
    """All of them answer modestly whatever they are asked, until the round is over."""
    end = time.monotonic() + 60
    while not people[0].see(".results").count():
        assert time.monotonic() < end, [one.status for one in people]
        asked = [one for one in people if one.live]
        for one in asked:
            one.move(next(slot for slot in ("no", "stand", "hit") if slot in one.live))
        if not asked:
            people[0].page.wait_for_timeout(50)


def test_four_people_at_one_table_see_the_same_and_every_chip_is_somebodys(guest: Come) -> None:
    names = ("Nora", "Omar", "Pilar", "Raul")
    nora, omar, pilar, raul = here = [guest(name) for name in names]
    code = nora.open_table("leaflet")
    for one in here[1:]:
        one.go(code)
    for one, box in ((nora, 2), (omar, 5)):
        one.see(f"[data-do=sit][data-box='{box}']").click()
        expect(one.see(".box.mine")).to_have_count(1)
        one.chip(2, laid="10")
    for one, box, holder in ((pilar, 2, nora), (raul, 5, omar)):
        one.see(f"[data-do=ask][data-box='{box}']").click()
        holder.see(f".requests [data-name={one.name}][data-yes='1']").click()
        one.see(f".box[data-box='{box}'] .spot").click()
        one.chip(1, laid="5")
        expect(holder.see(".box.mine .money.ready")).to_contain_text(one.name)
    for one in (nora, omar):
        one.deal()
    answer_all(here)
    told = []
    for one in here:
        one.wait_for_results()
        one.see("[data-do=statement]").click()
        told.append(one.see("dialog .results-all, dialog .sum-line").all_inner_texts())
        won = next(text.rpartition(" ")[2] for text in told[-1] if text.startswith(f"{one.name}:"))
        assert one.chips() == 100_000 + round(float(won) * 100)
    assert told == [told[0]] * 4


def test_leave_may_be_given_in_advance_and_taken_back(guest: Come) -> None:
    ana, bea = guest("Carmen"), guest("Diego")
    code = ana.open_table("leaflet")
    ana.chip(2, laid="10")
    bea.go(code)
    bea.see("[data-do=sit][data-box='6']").click()
    expect(bea.see(".box.mine")).to_have_count(1)
    people_dialog(ana)
    ana.see("dialog [data-do=consent][data-name=Diego]").click()
    expect(ana.see("dialog [data-do=consent][data-name=Diego]")).to_have_attribute("aria-pressed", "true")
    spot = bea.see(".box[data-box='4'] .spot")
    expect(spot).to_be_visible()
    ana.see("dialog [data-do=consent][data-name=Diego]").click()
    expect(spot).to_have_count(0)
    close(ana)


def test_where_nobody_needs_leave_a_friend_just_bets(guest: Come) -> None:
    ana, bea = guest("Eva"), guest("Fede")
    code = ana.open_table("british")
    ana.chip(2, laid="10")
    bea.go(code)
    box = ana.see(".box.mine").get_attribute("data-box")
    bea.see(f".box[data-box='{box}'] .spot").click()
    bea.see("[data-do=chip]").nth(5).click()
    expect(bea.see(f".box[data-box='{box}'] .spot .sum")).to_have_text("100")
    for _ in range(3):
        bea.page.keyboard.press("x")
    expect(bea.see(f".box[data-box='{box}'] .spot .sum")).to_have_text("800")
    bea.page.keyboard.press("x")
    expect(bea.see(f".box[data-box='{box}'] .spot .sum")).to_have_text(re.compile("^(990|900)$"))
    expect(bea.see(".said .word")).to_contain_text("Trimmed to")


def test_several_boxes_are_played_one_after_the_other(guest: Come) -> None:
    ana = guest()
    ana.open_table("casino")
    for box in (2, 4, 6):
        ana.see(f"[data-do=sit][data-box='{box}']").click()
        expect(ana.see(f".box[data-box='{box}'].mine")).to_have_count(1)
    for box in (2, 4, 6):
        ana.see(f".box[data-box='{box}'] .spot").click()
        ana.chip(1, laid="5")
    ana.deal()
    ana.play()
    told = ana.see(".results li").all_inner_texts()
    assert {text.split(",")[0] for text in told if "nsurance" not in text} == {"Box 2", "Box 4", "Box 6"}
    ana.page.keyboard.press("r")
    expect(ana.see(".box.mine .spot .sum")).to_have_text(["5", "5", "5"])


def test_the_host_pauses_seats_a_bot_hands_over_and_removes(guest: Come) -> None:
    ana, bea = guest("Gala"), guest("Hugo")
    code = ana.open_table("home")
    ana.chip(1, laid="5")
    bea.go(code)
    bea.see("[data-do=sit][data-box='2']").click()
    expect(bea.see(".box.mine")).to_have_count(1)
    people_dialog(ana)
    ana.see("[data-do=bot][data-box='7']").click()
    expect(bea.see(".box[data-box='7'] .name")).to_have_text("Bot 7")
    ana.see("[data-do=pause]").click()
    expect(bea.see(".status")).to_have_text("The host has paused the table.")
    ana.see("[data-do=pause]").click()
    expect(bea.see(".status")).not_to_have_text("The host has paused the table.")
    ana.see("[data-do=hand-over][data-name=Hugo]").click()
    close(ana)
    people_dialog(bea)
    bea.see("[data-do=remove][data-name=Gala]").click()
    expect(ana.see(".box.mine")).to_have_count(0)
    bea.see("[data-do=close-table]").click()
    expect(bea.see(".offline").first).to_have_text("This table is closed.")


def test_a_watcher_sees_and_may_do_nothing(guest: Come) -> None:
    ana, bea = guest("Ines"), guest("Juan")
    code = ana.open_table("casino")
    ana.round()
    bea.go(code)
    expect(bea.see(".results")).to_be_visible()
    assert bea.live == []


def test_two_windows_of_one_person_agree(guest: Come) -> None:
    ana = guest()
    code = ana.open_table("casino")
    other = ana.another_page()
    other.goto(f"{ana.url}/t/{code}")
    ana.chip(1, laid="5")
    expect(other.locator(".spot.target .sum")).to_have_text("5")
    other.locator("[data-do=clear]").click()
    expect(ana.see(".spot .sum")).to_have_count(0)


def test_what_one_window_answers_the_other_window_shows(guest: Come) -> None:
    ana = guest()
    code = ana.go_to_new("insure")
    other = ana.another_page()
    other.goto(f"{ana.url}/t/{code}")
    ana.chip(1, laid="5")
    ana.deal()
    ana.wait_for_move()
    expect(other.locator(".status")).to_have_text(ana.status)
    ana.move("no")
    for page in (ana.page, other):
        expect(page.locator(".move.live[data-slot=stand]")).to_be_visible()
    expect(other.locator(".status")).to_have_text(ana.status)
    other.locator(".move.live[data-slot=stand]").click()
    for page in (ana.page, other):
        expect(page.locator(".results")).to_be_visible()
        expect(page.locator(".status")).to_have_text("Lay your bet.")
    for place in (".results", ".spare", ".dealer"):
        expect(other.locator(place)).to_have_text(str(ana.see(place).text_content()))


def test_the_bets_are_repeated_until_stopped(guest: Come) -> None:
    ana = guest()
    ana.open_table("faceup")
    ana.chip(1, laid="5")
    ana.see("[data-do=repeat]").click()
    ana.play_until(ana.see(".log h3", has_text="Round 3"), ["stand", "hit", "split", "double", "no"])
    ana.see("[data-do=repeat]").first.dispatch_event("click")
    expect(ana.see("[data-do=repeat]")).to_have_attribute("aria-pressed", "false")
