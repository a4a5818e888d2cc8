"""A web table in a thread of the test: a real uvicorn on the loopback, asked by HTTP and WebSocket like any other."""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tapete.server import serve
from tapete.server.app import application
from tapete.server.settings import NO_LIMITS, Settings
from tapete.server.site import Site
from tapete.store import Store

Json = dict[str, Any]
Answer = TypeVar("Answer")
PATIENCE: Final = 20.0
"""Seconds until a test gives up waiting; nothing is measured with it."""


class House:
    """A running web table; ``url`` is where, ``site`` is its inside."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        bound = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        self.store = Store(folder)
        app = application(self.store, settings)
        self.site: Site = app.state.site
        self._opened = threading.Event()
        self._server = serve.Server(serve._config(app, settings), self.site, self._note)
        self._thread = threading.Thread(target=self._server.run, args=([bound],))
        self._thread.start()
        assert self._opened.wait(PATIENCE)

    def _note(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._opened.set()

    def close(self) -> None:
        """Stops in an orderly way."""
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def do(self, deed: Coroutine[Any, Any, Answer]) -> Answer:
        """Does something inside."""
        return asyncio.run_coroutine_threadsafe(deed, self._loop).result(PATIENCE)


@contextmanager
def house(folder: Path, **settings: Any) -> Iterator[House]:
    """A web table on a data folder."""
    one = House(folder, Settings(**{"limits": NO_LIMITS, **settings}))
    try:
        yield one
    finally:
        one.close()


class Browser(httpx.Client):
    """A browser without scripts: keeps cookies, sends the Origin of the page with every form."""

    def __init__(self, at: House | str, **headers: str) -> None:
        url = at if isinstance(at, str) else at.url
        super().__init__(base_url=url, headers={"Origin": url, **headers}, timeout=PATIENCE)

    def moves_to(self, at: House) -> None:
        """Goes to another house with the same cookies, as when a house opens again at its address."""
        kept = dict(self.cookies)
        self.base_url = httpx.URL(at.url)
        self.headers["Origin"] = at.url
        self.cookies = httpx.Cookies(kept)

    @property
    def cookie(self) -> str:
        """What it sends along with a WebSocket."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    @property
    def name(self) -> str:
        """Who the house takes it for."""
        page = self.get("/you").text
        return page.split("<h1>")[1].split("</h1>")[0]

    def form(self, path: str, **fields: str) -> httpx.Response:
        """Sends a form."""
        return self.post(path, data=fields)

    def opens(self, preset: str = "casino", **fields: str) -> str:
        """Opens a table and tells its code."""
        answer = self.form("/tables", preset=preset, **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/t/")

    def plays_alone(self, preset: str, *, bots: str = "no", pace: str = "instant") -> str:
        """Plays now, and tells the code of the table."""
        return self.opens(preset, alone="yes", bots=bots, pace=pace)


class Seat:
    """A connection to a table, with the view as the messages have told it."""

    def __init__(self, browser: Browser, code: str, *, cookie: str | None = None) -> None:
        self._ids = itertools.count(1)
        self.heard: list[str] = []
        self.view: Json = {}
        self.room: Json = {}
        self.seq = 0
        url = str(browser.base_url).rstrip("/")
        given = browser.cookie if cookie is None else cookie
        self._call = connect(
            f"{url.replace('http', 'ws', 1)}/ws/{code}",
            origin=Origin(url),
            additional_headers={"Cookie": given} if given else {},
            open_timeout=PATIENCE,
        )
        self.line: ClientConnection = self._call.__enter__()
        self.first = self.hear()

    def __enter__(self) -> Seat:
        return self

    def __exit__(self, *_: object) -> None:
        self._call.__exit__(None, None, None)

    def hear(self) -> Json:
        """The next message."""
        text = self.line.recv(PATIENCE)
        assert isinstance(text, str)
        self.heard.append(text)
        message: Json = json.loads(text)
        self._take(message)
        return message

    def _take(self, message: Json) -> None:
        if message["type"] == "snapshot":
            self.view, self.seq = message["view"], message["seq"]
        elif message["type"] == "update":
            self.seq = message["seq"]
            changes = dict(message["changes"])
            for number, box in changes.pop("boxes", {}).items():
                self.view["boxes"][int(number) - 1] = box
            self.view |= changes
        elif message["type"] == "room":
            self.room = message

    def waits_for(self, kind: str) -> Json:
        """The next message of that kind."""
        while (message := self.hear())["type"] != kind:
            pass
        return message

    def does(self, deed: str, **facts: Any) -> Json:
        """Does something at the table; tells the answer."""
        name = f"c{next(self._ids)}"
        told = {"id": name, "round": self.view["round"], "seq": self.seq, "deed": {"do": deed, **facts}}
        self.line.send(json.dumps(told))
        while (message := self.hear()).get("id") != name:
            pass
        return message

    @property
    def box(self) -> int:
        """The first box that this person holds; the first of the table for somebody who holds none."""
        you = self.first["you"]
        return next((one["box"] for one in self.view["boxes"] if you and one["holder"] == you), 1)

    def bets(self, box: int = 0, amount: int = 1000) -> None:
        """Bets, on one's own box if none is named, and says that this is all; the shoe may still take its time."""
        for deed, facts in (("bet", {"box": box or self.box, "amount": amount}), ("ready", {})):
            answer = self.does(deed, **facts)
            assert answer["type"] == "accepted", answer

    def until(self, phase: str) -> None:
        """Listens until the table is in a phase."""
        while self.view["phase"] != phase:
            self.hear()

    def answers(self, you: str) -> bool:
        """Answers the first question that is this person's: stays if possible. Tells whether there was one."""
        mine = next((one for one in self.view["questions"] if one["bettor"] == you), None)
        if mine is None:
            return False
        action = next(one for one in ("no_insurance", "keep", "stand", "hit") if one in mine["legal"])
        self.does("decide", box=mine["box"], hand=mine["hand"], action=action)
        return True

    def plays(self, you: str, *, box: int = 0, amount: int = 1000) -> None:
        """Plays one round to its end."""
        before = self.view["round"]
        self.bets(box, amount)
        while self.view["round"] == before:
            self.hear()
        while self.view["phase"] != "bets":
            if not self.answers(you):
                self.hear()

    def plays_to_a_question(self, box: int = 0) -> None:
        """Plays until the table asks something."""
        while not self.view["questions"]:
            before = self.view["round"]
            self.bets(box)
            while self.view["round"] == before or (self.view["phase"] != "bets" and not self.view["questions"]):
                self.hear()

    def farewell(self) -> tuple[Json, int]:
        """The last message before the line is closed, and the status with which it is."""
        try:
            while True:
                self.hear()
        except ConnectionClosed as end:
            return json.loads(self.heard[-1]), end.rcvd.code if end.rcvd else 0
