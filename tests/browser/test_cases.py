"""Faults that other programs showed on their screens, looked for in the browser; every change of the page is seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.people import Guest
from tests.cases.book import CASES

Come = Callable[..., Guest]
LABEL = "document.querySelector('.dealer .cards')?.getAttribute('aria-label') ?? ''"


def dealt(one: Guest, kind: str, *, chip: int = 1) -> None:
    """Bets, deals, and waits for the first question."""
    one.go_to_new(kind)
    one.chip(chip)
    expect(one.see(".spot.target .sum")).to_have_count(1)
    one.deal()
    one.wait_for_move()


def names(label: str | None) -> list[str]:
    """The cards that a hand's label names, in its order."""
    return re.findall(r"(?:\w+ of \w+)", label or "")


def hand(one: Guest) -> list[str]:
    return names(one.see(".box.mine .cards").get_attribute("aria-label"))


def test_UI_01_no_frame_and_no_message_holds_the_hole_card_before_it_is_turned(guest: Come) -> None:
    ana = guest(prefs={"speed": "fast"})
    said: list[str] = []
    ana.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: said.append(str(frame))))
    ana.go_to_new("retire")
    ana.chip(1, laid="5")
    ana.watch("[Boolean(document.querySelector('.dealer .back')), document.body.innerHTML]")
    ana.deal()
    ana.wait_for_move()
    before = list(said)
    ana.play(["no", "stand"])
    up, hole, *_ = names(ana.see(".dealer .cards").get_attribute("aria-label"))
    hidden = [frame for back, frame in ana.frames if back]
    assert any(up in frame for frame in hidden)
    assert [frame for frame in hidden if hole in frame] == []
    rank, suit = (
        {"ace": "A", "jack": "J", "queen": "Q", "king": "K"}.get(hole.split()[0], hole.split()[0]),
        hole.split()[2][0],
    )
    assert any("??" in message for message in before)
    assert [message for message in before if re.search(rf'"{rank}{suit}\b', message)] == []
    assert any(re.search(rf'"{rank}{suit}\b', message) for message in said)


def test_UI_03_insurance_is_asked_when_the_ace_lies_there(guest: Come) -> None:
    ana = guest(prefs={"speed": "fast"})
    ana.go_to_new("insure")
    ana.chip(1, laid="5")
    asked = (
        "document.querySelector('.move.live') || document.querySelector('.status').textContent.includes('Insurance')"
    )
    clock = "document.querySelector('.clock .what')?.textContent === 'Answer'"
    ana.watch(f"[Boolean({asked}), {clock}, document.querySelector('#table').dataset.phase, {LABEL}]")
    ana.deal()
    ana.wait_for_move()
    frames = ana.frames
    assert [frame for frame in frames if frame[0] and "ace of" not in frame[3]] == []
    assert [frame for frame in frames if frame[1] and frame[2] == "bets"] == []
    assert any(not frame[0] and "ace of" in frame[3] for frame in frames)
    assert frames[-1][0]
    ana.play(["no", "stand"])


def test_UI_05_the_chips_beside_a_result_are_those_after_it(guest: Come) -> None:
    case = CASES["UI-05"]
    ana = guest()
    dealt(ana, "wins", chip=2)
    assert ana.chips() == 100_000 - int(case["bet"]) * 100
    ana.watch("['.results .sum-line', '.spare'].map(one => document.querySelector(one)?.textContent ?? '')")
    ana.play(["stand"])
    won = int(case["after"]) - int(case["chips"])
    shown = [(told.rpartition(" ")[2], spare.rpartition(" ")[2]) for told, spare in ana.frames if told]
    assert set(shown) == {(f"+{won}", str(1000 + won))}


def test_UI_08_a_round_is_played_by_ear_and_keys(guest: Come) -> None:
    ana = guest()
    keys = ana.page.keyboard
    ana.go_to_new("dull")
    keys.press("2")
    expect(ana.see(".spot.target .sum")).to_have_text("5")
    ana.watch("[document.getElementById('spoken').textContent, document.activeElement.tagName]")
    ana.see("[data-do=deal]").focus()
    keys.press("Enter")
    ana.wait_for_move()
    spoken = ana.see("#spoken")
    own, dealer = ana.see(".box.mine .cards"), ana.see(".dealer .cards")
    for place, count in ((own, 2), (dealer, 1)):
        label = str(place.get_attribute("aria-label"))
        assert place.get_attribute("role") == "img"
        assert len(names(label)) == count
        assert re.search(r"; hard \d+$", label)
        for card in names(label):
            expect(spoken).to_contain_text(card)
    expect(spoken).to_contain_text("What now?")
    for button in ana.see(".move").all():
        assert button.inner_text().strip()
    for _ in range(60):
        keys.press("Tab")
        if ana.page.evaluate("document.activeElement.matches('.move.live[data-slot=stand]')"):
            break
    keys.press("Enter")
    ana.wait_for_results()
    expect(spoken).to_contain_text(re.compile(r"(wins|loses) 5"))
    assert "BODY" not in {focus for _, focus in ana.frames[1:]}


def test_UI_10_the_insurance_question_names_the_box_that_it_acts_on(guest: Come) -> None:
    ana = guest()
    ana.go_to_new("insure-two")
    for box in (2, 5):
        ana.see(f"[data-do=sit][data-box='{box}']").click()
        expect(ana.see(f".box[data-box='{box}'].mine")).to_have_count(1)
    for box in (2, 5):
        ana.see(f".box[data-box='{box}'] .spot").click()
        ana.chip(2, laid="10")
    ana.deal()
    expect(ana.see(".status")).to_have_text(re.compile("Box 2, .*Insurance for up to 5"))
    ana.move("no")
    expect(ana.see(".status")).to_have_text(re.compile("Box 5, .*Insurance for up to 5"))
    ana.move("insure")
    expect(ana.see(".box[data-box='5'] .insurance .sum")).to_have_text("5")
    expect(ana.see(".box[data-box='2'] .insurance")).to_have_count(0)
    ana.play(["stand"])
    expect(ana.see(".results")).to_contain_text(re.compile("Box 5, .*: insurance, and no dealer blackjack: loses 5"))


def test_UI_11_an_enter_that_is_held_deals_once_and_answers_nothing(guest: Come) -> None:
    ana = guest()
    keys = ana.page.keyboard
    ana.go_to_new("clock")
    keys.press("2")
    expect(ana.see(".spot.target .sum")).to_have_text("5")
    keys.down("Enter")
    ana.wait_for_move()
    asked = ana.still
    for focused in (None, ".move.live[data-slot=stand]"):
        if focused:
            ana.see(focused).focus()
        for _ in range(8):
            keys.down("Enter")
            ana.page.wait_for_timeout(40)
            assert ana.still == asked
    keys.up("Enter")
    ana.play(["stand"])


def test_UI_13_cards_lie_in_the_order_in_which_they_came(guest: Come) -> None:
    ana = guest()
    dealt(ana, "hits")
    before = hand(ana)
    for number in (3, 4, 5):
        ana.move("hit")
        expect(ana.see(".box.mine .place")).to_have_count(number)
        now = hand(ana)
        assert now[:-1] == before
        expect(ana.see(".log")).to_contain_text(now[-1])
        before = now
    places = ana.page.eval_on_selector_all(".box.mine .place", "all => all.map(one => one.getBoundingClientRect().x)")
    assert places == sorted(places)
    ana.play(["stand", "hit"])


def test_UI_15_a_jack_is_called_a_jack_and_the_total_stands_beside_it(guest: Come) -> None:
    case = CASES["UI-15"]
    ana = guest()
    dealt(ana, "jack")
    assert [card.split()[0] for card in hand(ana)] == ["jack", "8"]
    card = ana.see(".box.mine .place").first
    assert {card.locator(one).text_content() for one in (".index", ".letter")} == {"J"}
    expect(ana.see(".box.mine .total strong")).to_have_text(f"hard {case['total']}")
    ana.play(["stand"])


def test_UI_16_the_cloth_and_the_rule_page_tell_the_rules_that_are_played(guest: Come, tmp_path: Path) -> None:
    switch = CASES["UI-16"]["switch"]
    pays = ":".join(str(one) for one in switch["bj_pays"])
    file = tmp_path / "theirs.toml"
    lines = (f'bj_pays = "{pays}"', f'dealer_soft17 = "{switch["dealer_soft17"]}"')
    surrender = f'[rules.surrender]\nmode = "{switch["surrender.mode"]}"\n'
    file.write_text(f'from = "home"\n[rules]\n{lines[0]}\n{lines[1]}\n{surrender}', "utf-8")
    ana = guest()
    ana.page.goto(ana.url)
    ana.page.set_input_files("#f-rules", file)
    ana.page.get_by_role("button", name="Open the table").click()
    expect(ana.see(".desk")).to_be_visible()
    expect(ana.see(".printed .flat-line")).to_contain_text("Blackjack pays 6 to 5")
    expect(ana.see(".printed .flat-line")).to_contain_text("soft 17")
    expect(ana.see(".move[data-slot=retire]")).to_have_count(0)
    ana.page.goto(f"{ana.page.url}/rules")
    for told in ("Blackjack pays 6 to 5", "on a soft 17", "There is no retiring."):
        expect(ana.see("main")).to_contain_text(told)
