"""Serve: the program that keeps the web table open until it is told to stop."""

from __future__ import annotations

import gc
import json
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any, Final
from urllib.request import ProxyHandler, build_opener

import uvicorn

from tapete.errors import BadInput
from tapete.server import ops
from tapete.server.app import application
from tapete.server.frames import Protocol
from tapete.server.settings import Settings
from tapete.server.site import Site
from tapete.store import Store
from tapete.words import Words

WORST_MESSAGE = 1 << 16
"""Bytes of a message at which the connection itself breaks; ``messages.MAX_MESSAGE`` is refused in words before."""


ANYWHERE: Final = ("0.0.0.0", "::", "")
"""Hosts that mean all addresses of this machine."""
ANSWERS: Final = 3.0
"""Seconds for a house that is open already to say so."""
SWITCH = 0.0005
"""Seconds after which a thread lets the other have its turn: the books wait for it after each look at the disk."""


class Server(uvicorn.Server):
    """Uvicorn, with a goodbye to everyone before it stops and a word when it is open."""

    def __init__(self, config: uvicorn.Config, site: Site, opened: Any) -> None:
        super().__init__(config)
        self._site = site
        self._opened = opened

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stops at Ctrl-C and SIGTERM, and that is the end of them: a wanted stop is no fault."""
        heard = (signal.SIGINT, signal.SIGTERM) if threading.current_thread() is threading.main_thread() else ()
        before = {one: signal.signal(one, self.handle_exit) for one in heard}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Opens, then says so."""
        await super().startup(sockets)
        if self.started:
            seldom_collect()
            sys.setswitchinterval(SWITCH)
            self._opened()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Lets the tables finish what they are doing, then closes all connections."""
        for server in self.servers:
            server.close()
        await self._site.stop()
        await super().shutdown(sockets)


def seldom_collect() -> None:
    """Spares everyone the pauses of the garbage collector: next to nothing here goes in circles.

    What is loaded by now stays for good. Without this a server of a thousand players stands still for a tenth of a
    second now and then.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def serve(words: Words, settings: Settings, *, database: str = "", browser: bool) -> int:
    """Keeps the web table open until Ctrl-C or SIGTERM. Raises BadInput ``serve.address``, or what a store raises."""
    try:
        bound = _bound(settings)
    except BadInput:
        if browser and _is_open(url := _url(settings.host, settings.port)):
            print(words.say("Tapete is open already at {url}.", url=url), flush=True)
            webbrowser.open(url)
            return 0
        raise
    port = bound.getsockname()[1]
    url = settings.public_url or _url(settings.host, port)

    def opened() -> None:
        print(words.say("Tapete is open at {url} (Ctrl-C closes it).", url=url), flush=True)
        if not settings.public_url and settings.host in ANYWHERE and (here := _in_the_network()):
            print(words.say("In your network it is at {url}.", url=_url(here, port)), flush=True)
        if browser:
            webbrowser.open(url)

    ops.set_up_log()
    with bound, Store(url=database or None) as store:
        app = application(store, settings)
        server = Server(_config(app, settings), app.state.site, opened)
        server.run(sockets=[bound])
    return 0


def _config(app: Any, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http="h11",
        ws=Protocol,
        loop="asyncio",
        log_config=None,
        access_log=False,
        ws_max_size=WORST_MESSAGE,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.public_url),
        server_header=False,
        timeout_graceful_shutdown=10,
    )


def _bound(settings: Settings) -> socket.socket:
    try:
        family = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except (OSError, OverflowError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadInput("serve.address", host=settings.host[:80], port=settings.port, why=why) from error


def _is_open(url: str) -> bool:
    """Whether a house of Tapete answers there."""
    try:
        with build_opener(ProxyHandler({})).open(f"{url}/health", timeout=ANSWERS) as answer:
            told = json.loads(answer.read(1000))
    except (OSError, ValueError, HTTPException):
        return False
    return isinstance(told, dict) and told.get("ready") is True


def _in_the_network() -> str:
    """This machine's address in its network, as the way out has it; "" if there is none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            one.connect(("192.0.2.1", 9))  # an address that is kept for examples
        except OSError:
            return ""
        host = str(one.getsockname()[0])
    return "" if host.startswith("127.") else host


def _url(host: str, port: int) -> str:
    shown = "localhost" if host in ANYWHERE else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"
