"""Everything by keyboard, and no key that was held or came too early answers anything."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import expect

from tests.browser.people import STILL, Guest

Come = Callable[..., Guest]


def focused(one: Guest) -> str:
    return str(one.page.evaluate("document.activeElement?.dataset.do ?? document.activeElement?.tagName"))


def test_a_round_by_keyboard_alone(guest: Come) -> None:
    ana = guest()
    ana.open_table("casino")
    keys = ana.page.keyboard
    keys.press("2")
    expect(ana.see(".spot.target .sum")).to_have_text("5")
    keys.press("1")
    expect(ana.see(".spot.target .sum")).to_have_text("6")
    keys.press("u")
    expect(ana.see(".spot.target .sum")).to_have_text("5")
    keys.press("x")
    expect(ana.see(".spot.target .sum")).to_have_text("10")
    keys.press("t")
    expect(ana.see("#typed")).to_be_focused()
    keys.type("12,5")
    keys.press("Enter")
    expect(ana.see(".said .word")).to_contain_text("not a multiple")
    keys.press("t")
    keys.type("2000")
    keys.press("Enter")
    expect(ana.see(".said .word")).to_contain_text("Trimmed to 1000")
    keys.press("c")
    keys.press("3")
    expect(ana.see(".spot.target .sum")).to_have_text("10")
    keys.press("n")
    for _ in range(12):
        expect(ana.see(".move.live, .results").first).to_be_visible()
        if ana.see(".results").count():
            break
        before = ana.still
        ana.page.wait_for_timeout(750)  # the same key sooner would be the same press
        keys.press("s" if "stand" in ana.live else "n")
        with suppress(Late):
            ana.page.wait_for_function(f"before => ({STILL})() !== before", arg=before, timeout=900)
    ana.wait_for_results()
    keys.press("r")
    expect(ana.see(".spot.target .sum")).to_have_text("10")


def tab_to(one: Guest, selector: str) -> None:
    """Presses Tab until that has the focus."""
    for _ in range(500):
        one.page.keyboard.press("Tab")
        if one.page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"no Tab leads to {selector}")


def test_from_the_lobby_to_a_result_and_out_again_by_keyboard_alone(guest: Come) -> None:
    ana = guest()
    keys = ana.page.keyboard
    ana.page.goto(ana.url)
    tab_to(ana, "#house-faceup button")
    keys.press("Enter")
    expect(ana.see(".desk")).to_be_visible()
    tab_to(ana, "[data-do=chip]:nth-of-type(2)")
    keys.press("Enter")
    expect(ana.see(".spot.target .sum")).to_have_count(1)
    tab_to(ana, "[data-do=deal]")
    keys.press("Enter")
    for _ in range(12):
        expect(ana.see(".move.live, .results").first).to_be_visible()
        if ana.see(".results").count():
            break
        before = ana.still
        tab_to(ana, f".move.live[data-slot={'stand' if 'stand' in ana.live else ana.live[0]}]")
        ana.page.wait_for_timeout(750)  # sooner it would be the same press
        keys.press("Enter")
        with suppress(Late):
            ana.page.wait_for_function(f"before => ({STILL})() !== before", arg=before, timeout=900)
    ana.wait_for_results()
    keys.press("q")
    expect(ana.see("dialog[open]")).to_be_visible()
    tab_to(ana, "[data-do=leave-now]")
    keys.press("Enter")
    expect(ana.page).to_have_url(f"{ana.url}/")


def test_letters_follow_the_language_and_stand_on_the_buttons(guest: Come) -> None:
    ana = guest(language="es")
    ana.open_table("casino")
    shown = {one.get_attribute("data-slot"): one.locator(".letter").inner_text() for one in ana.see(".move").all()}
    assert shown == {"hit": "p", "stand": "l", "double": "d", "split": "s", "insure": "a", "no": "n"}


AGAIN = """() => { for (const repeat of [true, false])
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', repeat, bubbles: true })); }"""
"""Held, let go, and pressed again at once: still the same gesture."""


def test_a_held_key_answers_one_question_and_not_the_next(guest: Come) -> None:
    ana = guest()
    ana.go_to_new("hits")
    ana.chip(1, laid="5")
    ana.deal()
    ana.wait_for_move()
    cards = ana.see(".box.mine .place")
    ana.page.keyboard.down("1")
    expect(cards).to_have_count(3)
    asked = ana.still
    for _ in range(6):
        ana.page.keyboard.down("1")  # what a held key sends: the same press again and again
        ana.page.wait_for_timeout(60)
        assert ana.still == asked
    ana.page.keyboard.up("1")
    ana.page.evaluate(AGAIN)
    assert ana.still == asked
    ana.page.wait_for_timeout(800)
    ana.page.keyboard.press("1")
    expect(cards).to_have_count(4)
    ana.page.wait_for_timeout(800)
    button = ana.see(".move.live[data-slot=hit]")
    button.focus()
    ana.page.keyboard.down("Enter")
    expect(cards).to_have_count(5)
    asked = ana.still
    for _ in range(5):
        ana.page.keyboard.down("Enter")
        ana.page.wait_for_timeout(60)
        assert ana.still == asked
    ana.page.keyboard.up("Enter")
    ana.play(["stand", "hit"])


CLICKED = """() => { window.clicks = [];
  document.addEventListener('click', (event) => window.clicks.push(event.timeStamp), true); }"""


def test_a_double_click_answers_one_question(guest: Come) -> None:
    ana = guest()
    ana.go_to_new("hits")
    ana.chip(1, laid="5")
    ana.deal()
    ana.wait_for_move()
    ana.page.evaluate(CLICKED)
    ana.see(".move[data-slot=hit]").dblclick()
    gap = ana.page.evaluate("window.clicks[1] - window.clicks[0]")
    cards = 3 if gap < 700 else 4  # so slow a machine has clicked twice
    expect(ana.see(".box.mine .place")).to_have_count(cards)
    ana.wait_for_move()
    assert ana.see(".box.mine .place").count() == cards
    ana.play(["stand", "hit"])


def test_the_focus_is_never_lost(guest: Come) -> None:
    ana = guest()
    ana.go_to_new("dull")
    ana.chip(1, laid="5")
    ana.see("[data-do=deal]").focus()
    ana.page.keyboard.press("Enter")
    ana.wait_for_move()
    assert focused(ana) != "BODY"
    ana.see(".move[data-slot=stand]").focus()
    ana.page.keyboard.press("Enter")
    ana.wait_for_results()
    assert focused(ana) != "BODY"


def test_escape_closes_what_is_open_and_the_focus_goes_back(guest: Come) -> None:
    ana = guest()
    ana.open_table("casino")
    button = ana.see("[data-do=settings]")
    button.focus()
    ana.page.keyboard.press("Enter")
    expect(ana.see("dialog[open]")).to_be_visible()
    ana.page.keyboard.press("Escape")
    expect(ana.see("dialog[open]")).to_have_count(0)
    expect(button).to_be_focused()
    ana.page.keyboard.press("?")
    expect(ana.see("dialog[open] h2")).to_have_text("Keys")
    ana.page.keyboard.press("2")  # behind a dialog no key bets
    ana.page.keyboard.press("Escape")
    expect(ana.see("dialog[open]")).to_have_count(0)
    ana.page.keyboard.press("2")
    expect(ana.see(".spot .sum")).to_have_text("5")


def test_a_listener_hears_the_round_and_may_ask(guest: Come) -> None:
    ana = guest()
    ana.go_to_new("insure")
    heard = ana.see("#spoken")
    ana.chip(1, laid="5")
    ana.deal()
    ana.wait_for_move()
    expect(heard).to_contain_text("The dealer shows: ace of")
    expect(heard).to_contain_text("Insurance for up to 2.5?")
    for key, text in (
        ("m", "; hard 1"),
        ("Shift+M", "; hard 1"),
        ("Shift+D", "Dealer: ace of"),
        ("Shift+B", ": 5."),
        ("Shift+T", "Insurance"),
    ):
        ana.page.keyboard.press(key)
        expect(heard).to_contain_text(text)
    ana.play(["no", "stand"])
    expect(heard).to_contain_text(re.compile("(wins|loses|a tie)"))


def test_a_faded_button_says_why(guest: Come) -> None:
    ana = guest()
    ana.go_to_new("retire")
    ana.chip(1, laid="5")
    ana.deal()
    ana.wait_for_move()
    ana.see(".move[data-slot=hit]").focus()
    expect(ana.see("#tip")).to_have_text("First answer what is asked.")
    ana.page.keyboard.press("0")
    expect(ana.see(".move.live[data-slot=hit]")).to_be_visible()
    ana.page.mouse.move(2, 300)
    ana.see(".move[data-slot=retire]").hover()
    expect(ana.see("#tip")).to_contain_text("The moment to retire this hand is over. (Rule D4-")
    ana.play(["stand"])
