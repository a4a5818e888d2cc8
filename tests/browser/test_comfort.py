"""Comfort: the language switched live, four colours, light and dark, motion, sound, the phone, the clock."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.people import Guest

Come = Callable[..., Guest]


def test_the_language_changes_in_the_middle_of_a_question_and_stays(guest: Come) -> None:
    ana = guest()
    ana.go_to_new("dull")
    ana.chip(1, laid="5")
    ana.deal()
    ana.wait_for_move()
    with ana.page.expect_response("**/lang"):
        ana.page.keyboard.press("e")
    expect(ana.see(".move[data-slot=hit] .word")).to_have_text("Pedir")
    expect(ana.see(".status")).to_contain_text("¿Qué se hace?")
    expect(ana.see(".log")).to_contain_text("El crupier descubre")
    expect(ana.see("html")).to_have_attribute("lang", "es")
    ana.page.reload()
    expect(ana.see(".move[data-slot=hit] .word")).to_have_text("Pedir")
    ana.play(["stand"])


def test_likings_are_kept(guest: Come) -> None:
    ana = guest()
    ana.open_table("casino")
    ana.page.keyboard.press("k")
    expect(ana.see("#table")).to_have_attribute("data-deck", "four")
    with ana.page.expect_response("**/theme"):
        ana.page.keyboard.press("y")
    theme = ana.see("html").get_attribute("data-theme")
    ana.page.reload()
    expect(ana.see("#table")).to_have_attribute("data-deck", "four")
    assert ana.see("html").get_attribute("data-theme") == theme != "auto"


MOVED = """() => { const animate = Element.prototype.animate; window.moved = 0;
  Element.prototype.animate = function (...all) { window.moved += 1; return animate.apply(this, all); }; }"""


def test_cards_move_one_at_a_time_and_any_key_hurries_them(guest: Come) -> None:
    ana = guest(prefs={"speed": "slow"})
    ana.open_table("casino")
    ana.page.evaluate(MOVED)
    ana.chip(1, laid="5")
    ana.watch("document.querySelectorAll('.box.mine .place').length")
    ana.deal()
    expect(ana.see(".box.mine .total strong").first).not_to_have_text("")
    assert ana.frames[:3] == [0, 1, 2]
    assert ana.page.evaluate("window.moved") >= 1
    ana.page.keyboard.press("9")  # any key hurries the rest
    ana.play()


def test_nothing_moves_where_motion_is_not_wanted(guest: Come) -> None:
    ana = guest(prefs={"speed": "slow"}, reduced_motion="reduce")
    ana.open_table("casino")
    ana.page.evaluate(MOVED)
    ana.round()
    assert ana.page.evaluate("window.moved") == 0


LISTENED = """() => { const Real = AudioContext;
  window.AudioContext = class extends Real { constructor() { super(); window.heard = true; } }; }"""


def test_it_is_silent_until_sound_is_wanted(guest: Come) -> None:
    for wanted in (False, True):
        ana = guest(prefs={"sound": wanted})
        ana.open_table("casino")
        ana.page.evaluate(LISTENED)
        ana.round()
        assert bool(ana.page.evaluate("window.heard")) is wanted


def test_a_round_on_a_phone_by_touch(guest: Come) -> None:
    ana = guest(size=(360, 640), has_touch=True, is_mobile=True)
    ana.open_table("home")
    ana.see("[data-do=chip]").nth(1).tap()
    expect(ana.see(".spot.target .sum")).to_have_text("5")
    ana.see("[data-do=deal]").tap()
    expect(ana.see(".move.live, .results").first).to_be_visible()
    for one in ana.see(".move.live").all():
        box = one.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= 640
    ana.play()
    assert ana.page.evaluate("document.documentElement.scrollWidth") <= 360
    ana.see("[data-do=log]").first.tap()
    expect(ana.see(".log")).to_be_in_viewport()
    ana.page.keyboard.press("Escape")
    expect(ana.see(".log")).to_have_count(0)


def test_a_right_click_takes_a_chip_back(guest: Come) -> None:
    ana = guest()
    ana.open_table("casino")
    ana.chip(2, laid="10")
    ana.chip(1, laid="15")
    ana.see("[data-do=chip]").nth(1).click(button="right")
    expect(ana.see(".spot.target .sum")).to_have_text("10")


def test_the_clock_runs_for_all_and_its_answer_is_stated(guest: Come) -> None:
    ana, bea = guest("Kim"), guest("Luz")
    code = ana.go_to_new("clock")
    ana.see("[data-do=sit][data-box='4']").click()
    expect(ana.see(".box.mine")).to_have_count(1)
    ana.chip(1, laid="5")
    ana.deal()
    ana.page.mouse.move(2, 300)  # a faded button under the pointer would say its reason instead
    ana.wait_for_move()
    expect(ana.see("#tip")).to_have_text("When time is up: Stand.")
    bea.go(code)
    for one in (ana, bea):
        expect(one.see(".clock .seconds")).to_have_text(re.compile(r"^[45]\d\d s$"))
    ana.play(["stand"])


def test_a_move_chosen_ahead_is_made_when_its_turn_comes(guest: Come) -> None:
    ana, bea = guest("Mar"), guest("Nil")
    code = ana.go_to_new("two")
    bea.go(code)
    for one, box in ((ana, 2), (bea, 5)):
        one.see(f"[data-do=sit][data-box='{box}']").click()
        expect(one.see(".box.mine")).to_have_count(1)
        one.chip(1, laid="5")
    ana.deal()
    bea.deal()
    ana.wait_for_move()
    assert bea.live == []
    expect(bea.see("[data-do=ahead]")).to_be_visible()
    bea.page.keyboard.press("z")
    bea.page.keyboard.press("2")
    expect(bea.see(".move.ahead")).to_have_attribute("data-slot", "stand")
    ana.move("stand")
    bea.wait_for_results()
    expect(bea.see(".log")).to_contain_text("Box 5, Nil: stands.")


def test_a_key_out_of_turn_chooses_nothing_ahead(guest: Come) -> None:
    ana, bea = guest("Oto"), guest("Pia")
    code = ana.go_to_new("two")
    bea.go(code)
    for one, box in ((ana, 2), (bea, 5)):
        one.see(f"[data-do=sit][data-box='{box}']").click()
        expect(one.see(".box.mine")).to_have_count(1)
        one.chip(1, laid="5")
    ana.deal()
    bea.deal()
    ana.wait_for_move()
    expect(bea.see("[data-do=ahead]")).to_be_visible()
    bea.page.keyboard.press("1")
    expect(bea.see(".move.ahead")).to_have_count(0)
    ana.move("stand")
    bea.wait_for_move()
    expect(bea.see(".box.mine .place")).to_have_count(2)


def test_a_move_chosen_ahead_that_is_not_allowed_then_is_said_and_not_made(guest: Come) -> None:
    ana, bea = guest("Quim"), guest("Rut")
    code = ana.go_to_new("two")
    bea.go(code)
    for one, box in ((ana, 2), (bea, 5)):
        one.see(f"[data-do=sit][data-box='{box}']").click()
        expect(one.see(".box.mine")).to_have_count(1)
        one.chip(1, laid="5")
    ana.deal()
    bea.deal()
    bea.see("[data-do=ahead]").click()
    bea.see(".move[data-slot=double]").click()
    expect(bea.see(".move.ahead")).to_have_attribute("data-slot", "double")
    ana.move("stand")
    expect(bea.see(".said .word")).to_contain_text("The move that you chose ahead is not possible: This total")
    assert sorted(bea.live) == ["hit", "stand"]
    bea.play(["stand"])


def test_a_new_shoe_is_promised_seeded_and_cut_by_a_person(guest: Come) -> None:
    ana = guest(prefs={"seeds": True})
    ana.open_table("casino", pace="normal")
    ana.chip(1, laid="5")
    expect(ana.see(".log")).to_contain_text("gives a seed for the shoe")
    ana.deal()
    expect(ana.see("dialog[open] h2")).to_have_text("You cut the shoe")
    ana.see("#cut-at").fill("100")
    expect(ana.see("#cut-out")).to_have_text("100")
    ana.see("dialog [type=submit]").click()
    ana.play()
    kept = ana.page.evaluate("JSON.parse(localStorage.getItem('tapete.shoes'))")
    assert [(len(one["commitment"]), len(one["seed"]), one["cut"]) for one in kept] == [(64, 64, 100)]
    ana.see("[data-do=fair]").click()
    expect(ana.see("dialog .shoes")).to_contain_text(kept[0]["commitment"])
    expect(ana.see("dialog .shoes")).to_contain_text("pending")
