"""The line to the table breaks, the server stops and starts again, and nobody loses a card or a chip."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.house import House
from tests.browser.people import Guest

Come = Callable[..., Guest]


class Wire:
    """The line between a page and its server, which can be cut."""

    def __init__(self, one: Guest) -> None:
        self.lines: list[WebSocketRoute] = []
        self.deaf = False
        one.page.route_web_socket("**/ws/**", self._through)

    def _through(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda message: None if self.deaf else socket.send(message))
        self.lines.append(socket)

    def cut(self) -> None:
        """Cuts the line that is open."""
        self.deaf = False
        self.lines[-1].close(code=1012, reason="cut")


QUESTIONS = {"dull": ["hit", "stand"], "insure": ["insure", "no"], "retire": ["retire", "no"]}


@pytest.mark.parametrize("table", list(QUESTIONS))
def test_a_question_stands_where_it_stood_after_a_break(guest: Come, table: str) -> None:
    ana = guest()
    wire = Wire(ana)
    ana.go_to_new(table)
    ana.chip(1, laid="5")
    ana.deal()
    ana.wait_for_move()
    asked, live = ana.status, ana.live
    assert set(QUESTIONS[table]) <= set(live)
    wire.cut()
    expect(ana.see(".offline")).to_be_visible()
    expect(ana.see(".offline")).to_have_count(0)
    assert (ana.status, ana.live) == (asked, live)
    ana.play(["no", "stand"])


def test_what_was_sent_and_never_answered_is_done_once(guest: Come) -> None:
    ana = guest()
    wire = Wire(ana)
    ana.go_to_new("hits")
    ana.chip(1, laid="5")
    ana.deal()
    ana.wait_for_move()
    wire.deaf = True  # the server does it, and the page never hears so
    ana.see(".move[data-slot=hit]").click()
    ana.page.wait_for_timeout(300)
    wire.cut()
    expect(ana.see(".box.mine .place")).to_have_count(3)
    ana.page.wait_for_timeout(300)
    expect(ana.see(".box.mine .place")).to_have_count(3)
    ana.play(["stand", "hit"])


def test_what_is_done_while_the_line_is_down_is_sent_when_it_is_back(guest: Come) -> None:
    ana = guest()
    wire = Wire(ana)
    ana.open_table("casino")
    wire.cut()
    expect(ana.see(".offline")).to_be_visible()
    ana.see("[data-do=chip]").nth(1).click()
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
    expect(ana.see(".offline")).to_have_count(0, timeout=20_000)
    assert ana.status == asked
    ana.play(["no", "stand"])
    ana.faults[:] = [fault for fault in ana.faults if "WebSocket connection" not in fault]


def test_nothing_is_done_when_the_page_comes_late(guest: Come) -> None:
    ana = guest()
    ana.open_table("casino")
    ana.round()
    ana.page.reload()
    expect(ana.see(".results")).to_be_visible()
    expect(ana.see(".log")).to_contain_text("Round 1")
