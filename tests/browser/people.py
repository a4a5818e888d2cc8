"""People in front of a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect
from playwright.sync_api import TimeoutError as Late

from tests.browser.house import House

ASKED = """() => document.querySelector('.status').innerText
  + ` with ${document.querySelectorAll('.card').length} cards`"""
ANSWERED = f"before => !document.querySelector('.move.live') || ({ASKED})() !== before"
"""A pair split again into the same total asks in the same words: the cards tell the questions apart."""
DEALT = "[data-do=deal][aria-pressed=true], #table:not([data-phase=bets]), .results"
PATIENCE = 15_000
"""Milliseconds for what should come at once."""
expect.set_options(timeout=PATIENCE)


class Guest:
    """One person with a browser profile of their own."""

    def __init__(
        self,
        browser: Browser,
        house: House,
        name: str = "",
        *,
        size: tuple[int, int] = (1280, 800),
        language: str = "en",
        prefs: dict[str, Any] | None = None,
        **context: Any,
    ) -> None:
        self.house = house
        self.url = house.url
        self.name = name
        self.faults: list[str] = []
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale=language, **context)
        self.context.set_default_timeout(PATIENCE)
        liked = json.dumps({"speed": "none", "seeds": False, **(prefs or {})})
        self.context.add_init_script(
            f"localStorage.getItem('tapete.prefs') ?? localStorage.setItem('tapete.prefs', {liked!r})"
        )
        self.page = self._page()
        if name:
            self._call(name)

    def _page(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._request)
        return page

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        target = urlsplit(request.url)
        if target.scheme in ("http", "https", "ws", "wss") and target.netloc != urlsplit(self.url).netloc:
            self.faults.append(f"request to {request.url}")

    def _call(self, name: str) -> None:
        self.page.goto(self.url)
        self._post("/you/name", name=name)

    def _post(self, path: str, **fields: str | float | bool) -> str:
        answer = self.context.request.post(f"{self.url}{path}", form=fields, headers={"Origin": self.url})
        assert answer.ok, answer.text()
        return answer.url

    # --- coming and going

    def open_table(self, game: str, *, pace: str = "instant") -> str:
        """Opens a table for friends and goes there; tells its code."""
        self.page.goto(self.url)
        address = self._post("/tables", preset=game, pace=pace, who="public")
        code = address.rpartition("/")[2]
        self.go(code)
        return code

    def go_to_new(self, kind: str) -> str:
        """Goes to a table of that kind at which nobody has played yet; tells its code."""
        code = self.house.table(kind)
        self.go(code)
        return code

    def go(self, code: str) -> None:
        """Goes to a table and waits until it is laid."""
        if self.page.url == "about:blank":
            self.page.goto(self.url)
        self.page.goto(f"{self.url}/t/{code}")
        expect(self.page.locator(".desk")).to_be_visible()

    # --- looking

    def see(self, selector: str) -> Locator:
        return self.page.locator(selector)

    @property
    def live(self) -> list[str]:
        """The places of the moves that may be made now."""
        return [str(one.get_attribute("data-slot")) for one in self.see(".move.live").all()]

    @property
    def status(self) -> str:
        return self.see(".status").inner_text()

    def wait_for_move(self) -> None:
        expect(self.see(".move.live").first).to_be_visible()

    def wait_for_results(self) -> None:
        expect(self.see(".results")).to_be_visible()

    def chips(self) -> int:
        """My chips beside the cloth, in units."""
        told = re.search(r"-?\d+(?:[.,]\d+)?", self.see(".spare").inner_text())
        assert told is not None
        return round(float(told[0].replace(",", ".")) * 100)

    # --- doing

    def chip(self, at: int = 1, *, laid: str = "") -> None:
        """Lays the chip at that place of the rail."""
        self.see("[data-do=chip]").nth(at).click()
        if laid:
            expect(self.see(".spot.target .sum")).to_have_text(laid)

    def deal(self) -> None:
        """Deals; a click that came too soon after the last deal is made again."""
        button = self.see("[data-do=deal]")
        for _ in range(8):
            button.click()
            try:
                expect(self.see(DEALT)).not_to_have_count(0, timeout=900)
            except AssertionError:
                continue
            return
        raise AssertionError("nothing is dealt")

    def move(self, slot: str) -> None:
        """Makes a move once it may be made; a click that came too soon after the last one is made again."""
        button = self.see(f".move.live[data-slot={slot}]")
        expect(button).to_be_visible()
        before = self.page.evaluate(ASKED)
        for _ in range(12):
            try:
                button.click(timeout=3_000)
                self.page.wait_for_function(ANSWERED, arg=before, timeout=900)
            except Late:  # not taken yet: the same click within 0.7 s of the last question's
                if self.page.evaluate(ANSWERED, before):
                    return
                continue
            return
        raise AssertionError(f"{slot} was not taken; still: {self.status}")

    def play(self, wishes: Iterable[str] = ("split", "double", "stand", "hit", "no")) -> None:
        """Answers everything that is asked, the first wish that is possible, until the round is over."""
        wanted = tuple(wishes)
        either = self.see(".move.live, .results")
        for _ in range(60):
            expect(either.first).to_be_visible()
            if self.see(".results").count():
                return
            live = self.live
            slot = next((one for one in wanted if one in live), None)
            if slot is not None:
                self.move(slot)
        raise AssertionError("the round does not end")

    def round(self) -> None:
        """A bet, the deal, and whatever is asked."""
        self.chip(1)
        expect(self.see("[data-do=deal]:not([aria-disabled])")).to_be_visible()
        self.deal()
        self.play()
