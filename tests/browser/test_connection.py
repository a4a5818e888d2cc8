"""The line to the table breaks, the server stops and starts again, and nobody loses a card or a chip."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.house import House
from tests.browser.people import Guest

Come = Callable[..., Guest]


class Wire:
    """The line between a page and its server, which can be cut and mended."""

    def __init__(self, one: Guest) -> None:
        self.one = one
        self.lines: list[WebSocketRoute] = []
        self.down = False
        self.deaf = False
        self.missed: list[str] = []
        self.heard: list[str] = []
        """What the server said while the page was deaf, and what it said since the last cut."""
        one.page.route_web_socket("**/ws/**", self._through)

    def _through(self, socket: WebSocketRoute) -> None:
        if self.down:
            socket.close(code=1012, reason="down")
            return
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda message: self._said(socket, str(message)))
        self.lines.append(socket)

    def _said(self, socket: WebSocketRoute, message: str) -> None:
        (self.missed if self.deaf else self.heard).append(message)
        if not self.deaf:
            socket.send(message)

    def cut(self) -> None:
        """Cuts the line, which stays down until it is mended; the page says so."""
        self.down = True
        self.lines[-1].close(code=1012, reason="cut")
        expect(self.one.see(".offline")).to_be_visible()
        self.deaf = False
        self.heard.clear()

    def mend(self) -> None:
        """Lets the page come back, and waits until it has."""
        self.down = False
        expect(self.one.see(".offline")).to_have_count(0)

    def wait_for(self, said: list[str], word: str) -> None:
        """Waits until one of these messages has the word in it."""
        end = time.monotonic() + 20
        while not any(word in one for one in said):
            assert time.monotonic() < end, said
            self.one.page.wait_for_timeout(50)


def seconds(one: Guest) -> int:
    """What is left on the clock."""
    return int(one.see(".clock .seconds").inner_text().removesuffix(" s"))


def facts(one: Guest) -> tuple[str, list[str], int, list[str]]:
    """What is asked, what may be answered, my chips, and all money and cards on the cloth."""
    return one.status, one.live, one.chips(), one.see(".hand, .insurance").all_inner_texts()


def breaks_and_goes_on(one: Guest, wire: Wire) -> None:
    """The line breaks in the middle of a question: the same question, the same money, and the clock runs on."""
    expect(one.see(".clock .seconds")).not_to_have_text("600 s")
    before, left = facts(one), seconds(one)
    wire.cut()
    wire.mend()
    expect(one.see(".status")).to_have_text(before[0])
    assert facts(one) == before
    assert 0 < seconds(one) <= left


QUESTIONS = {
    "clock": ("What now?", ["hit", "stand"]),
    "insure": ("Insurance for up to", ["insure", "no"]),
    "retire": ("Retire?", ["retire", "no"]),
}


@pytest.mark.parametrize("table", list(QUESTIONS))
def test_a_question_stands_where_it_stood_after_a_break(guest: Come, table: str) -> None:
    ana = guest()
    wire = Wire(ana)
    ana.go_to_new(table)
    ana.chip(1, laid="5")
    ana.deal()
    ana.wait_for_move()
    question, moves = QUESTIONS[table]
    assert question in ana.status
    assert set(moves) <= set(ana.live)
    breaks_and_goes_on(ana, wire)
    ana.play(["no", "stand"])


def test_a_backer_is_asked_the_same_after_a_break(guest: Come) -> None:
    ana, bea = guest("Abel"), guest("Berta")
    wire = Wire(bea)
    code = ana.go_to_new("follow")
    ana.see("[data-do=sit][data-box='4']").click()
    expect(ana.see(".box.mine")).to_have_count(1)
    ana.chip(2, laid="10")
    bea.go(code)
    bea.see("[data-do=ask][data-box='4']").click()
    ana.see(".requests [data-yes='1']").click()
    bea.see(".box[data-box='4'] .spot").click()
    bea.chip(1, laid="5")
    expect(ana.see(".box.mine .money.ready")).to_contain_text("Berta")
    ana.deal()
    ana.move("double")
    expect(bea.see(".status")).to_contain_text("follow the double with 5?")
    breaks_and_goes_on(bea, wire)
    bea.move("no")
    for one in (ana, bea):
        one.wait_for_results()


def test_bets_lie_where_they_lay_after_a_break(guest: Come) -> None:
    ana, bea = guest("Saul"), guest("Tere")
    wire = Wire(ana)
    code = ana.go_to_new("clock")
    bea.go(code)
    for one, box in ((ana, 2), (bea, 5)):
        one.see(f"[data-do=sit][data-box='{box}']").click()
        expect(one.see(".box.mine")).to_have_count(1)
    ana.chip(2, laid="10")
    expect(ana.see(".clock .seconds")).not_to_have_text("600 s")
    before, left = (ana.status, ana.chips()), seconds(ana)
    wire.cut()
    bea.chip(1, laid="5")  # while Saul is away, the others go on
    wire.mend()
    expect(ana.see(".spot.target .sum")).to_have_text("10")
    expect(ana.see(".box[data-box='5'] .sum")).to_have_text("5")
    assert (ana.status, ana.chips()) == before
    assert 0 < seconds(ana) <= left


def test_what_was_sent_and_never_answered_is_done_once(guest: Come) -> None:
    ana = guest()
    wire = Wire(ana)
    ana.go_to_new("hits")
    ana.chip(1, laid="5")
    ana.deal()
    ana.wait_for_move()
    wire.deaf = True  # the server does it, and the page never hears so
    ana.see(".move[data-slot=hit]").click()
    wire.wait_for(wire.missed, '"accepted"')
    wire.cut()
    wire.mend()
    wire.wait_for(wire.heard, '"accepted"')  # sent again, answered again, and done once
    expect(ana.see(".box.mine .place")).to_have_count(3)
    assert not any('"Dealt"' in one for one in wire.heard if '"update"' in one)
    ana.play(["stand", "hit"])


def test_what_is_done_while_the_line_is_down_is_sent_when_it_is_back(guest: Come) -> None:
    ana = guest()
    wire = Wire(ana)
    ana.open_table("casino")
    wire.cut()
    ana.see("[data-do=chip]").nth(1).click()
    wire.mend()
    expect(ana.see(".spot.target .sum")).to_have_text("5")


def test_the_server_stops_in_the_middle_of_a_question_and_goes_on_with_it(guest: Come, house: House) -> None:
    ana = guest()
    ana.go_to_new("retire")
    ana.chip(1, laid="5")
    ana.deal()
    ana.wait_for_move()
    asked = ana.status
    house.close()
    expect(ana.see(".offline")).to_be_visible()
    house.open()
    expect(ana.see(".offline")).to_have_count(0, timeout=60_000)
    expect(ana.see(".status")).to_have_text(asked)
    ana.play(["no", "stand"])
    ana.faults[:] = [fault for fault in ana.faults if "WebSocket connection" not in fault]


def test_nothing_is_done_when_the_page_comes_late(guest: Come) -> None:
    ana = guest()
    ana.open_table("casino")
    ana.round()
    ana.page.reload()
    expect(ana.see(".results")).to_be_visible()
    expect(ana.see(".log")).to_contain_text("Round 1")
