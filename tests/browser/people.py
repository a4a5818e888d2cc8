"""People in front of a browser."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect
from playwright.sync_api import TimeoutError as Late

from tests.browser.house import House

ASKED = """() => document.querySelector('.status').innerText
  + ` with ${document.querySelectorAll('.card').length} cards`"""
ANSWERED = f"before => !document.querySelector('.move.live') || ({ASKED})() !== before"
"""A pair split again into the same total asks in the same words: the cards tell the questions apart."""
ROUND = "() => document.querySelector('.facts span')?.textContent"
DEALT = f"""before => Boolean(document.querySelector('[data-do=deal][aria-pressed=true]'))
  || document.querySelector('#table').dataset.phase !== 'bets' || ({ROUND})() !== before"""
LIVE = "all => all.map(one => one.dataset.slot)"
STILL = """() => document.querySelectorAll('.box.mine .place').length
  + ` cards, ${document.querySelectorAll('.move.live').length} moves`"""
"""My cards and my live moves: an answer on its way leaves no move live, and one that is taken changes the cards."""
FRAMES = """wanted => {
  const look = new Function('return ' + wanted);
  window.frames_ = [];
  const note = () => {
    const now = JSON.stringify(look());
    if (window.frames_.at(-1) !== now) window.frames_.push(now);
  };
  note();
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(note).observe(document.body, everything);
}"""
PATIENCE = 20_000
"""Milliseconds for what should come at once."""
SOON = 900
"""Milliseconds after which a press that changed nothing is made again; within 700 it counts as the same one."""
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

    def another_page(self) -> Page:
        """A second window of the same person."""
        return self._page()

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

    def see(self, selector: str, *, has_text: str | None = None) -> Locator:
        return self.page.locator(selector, has_text=has_text)

    @property
    def live(self) -> list[str]:
        """The places of the moves that may be made now, all seen at the same moment."""
        return [str(one) for one in self.page.eval_on_selector_all(".move.live", LIVE)]

    @property
    def still(self) -> str:
        """My cards and my live moves, counted at the same moment."""
        return str(self.page.evaluate(STILL))

    def watch(self, look: str) -> None:
        """From now on, notes down what this expression gives, each time that the page has changed it."""
        self.page.evaluate(FRAMES, look)

    @property
    def frames(self) -> list[Any]:
        """What was noted down, in its order."""
        return [json.loads(one) for one in self.page.evaluate("window.frames_")]

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

    def press(self, button: Locator, *, until: str, arg: object = None) -> None:
        """Clicks until that is so: a click that came too soon after the last question's counts for nothing."""
        end = time.monotonic() + 3 * PATIENCE / 1000
        while not self.page.evaluate(until, arg):
            assert time.monotonic() < end, f"the click does nothing; still: {self.status}"
            with suppress(Late):
                button.click(timeout=3_000)
                self.page.wait_for_function(until, arg=arg, timeout=SOON)

    def deal(self) -> None:
        """Deals what is laid."""
        self.press(self.see("[data-do=deal]"), until=DEALT, arg=self.page.evaluate(ROUND))

    def move(self, slot: str) -> None:
        """Makes a move once it may be made."""
        button = self.see(f".move.live[data-slot={slot}]")
        expect(button).to_be_visible()
        self.press(button, until=ANSWERED, arg=self.page.evaluate(ASKED))

    def play(self, wishes: Iterable[str] = ("split", "double", "stand", "hit", "no")) -> None:
        """Answers everything that is asked, the first wish that is possible, until the round is over."""
        self.play_until(self.see(".results"), wishes)

    def play_until(self, sight: Locator, wishes: Iterable[str] = ("split", "double", "stand", "hit", "no")) -> None:
        """Answers everything that is asked, the first wish that is possible, until this is to be seen."""
        wanted = tuple(wishes)
        for _ in range(60):
            expect(self.see(".move.live").or_(sight).first).to_be_visible()
            if sight.count():
                return
            live = self.live
            slot = next((one for one in wanted if one in live), None)
            assert slot is not None or not live, f"none of {wanted} is among {live}: {self.status}"
            if slot is not None:
                self.move(slot)
        raise AssertionError("the round does not end")

    def round(self) -> None:
        """A bet, the deal, and whatever is asked."""
        self.chip(1)
        expect(self.see("[data-do=deal]:not([aria-disabled])")).to_be_visible()
        self.deal()
        self.play()
