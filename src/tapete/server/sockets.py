"""Sockets: one WebSocket between a browser, or a program, and a live table.

What the table tells is queued for each connection and sent by a task of its own, so that a client that reads slowly
holds up nobody; one that reads too slowly is let go, and comes back to a fresh snapshot.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from tapete.server import messages as wire
from tapete.server.frames import at_once

MOST_WAITING: Final = 1 << 20
"""Bytes that may wait for one connection."""
NORMAL: Final = 1000
TOO_BIG: Final = 1009
POLICY: Final = 1008
RESTART: Final = 1012
GONE: Final = 1006
TRY_AGAIN: Final = 1013
NO_TEXT: Final = 1007
NOT_FOUND: Final = 4404
LAST_WORDS: Final = 2.0
"""Seconds for a goodbye to be sent."""
_GOODBYE: Final = b'{"type":"bye"'


class Line:
    """What waits to be sent on one connection."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._news = asyncio.Event()
        self._end: tuple[int, str] | None = None
        self._at_once = at_once(socket)
        self._idle = False
        """Whether all that was told has been handed on, the snapshot first."""

    @property
    def ended(self) -> bool:
        """Whether goodbye has been said."""
        return self._end is not None

    def tell(self, raw: bytes) -> None:
        """Queues a message of the table; its goodbye is the last one."""
        if self._end is not None:
            return
        if raw.startswith(_GOODBYE):
            code = msgspec.json.decode(raw, type=wire.Bye).code
            self.end(code, NORMAL if code == "table.closed" else TRY_AGAIN)
            return
        if self._idle and self._at_once is not None and self._at_once(raw):
            return
        self._idle = False
        self._waiting.append(raw)
        self._bytes += len(raw)
        self._news.set()
        if self._bytes > MOST_WAITING:
            self._waiting.clear()
            self.end("connection.slow", POLICY)

    def tell_first(self, raw: bytes) -> None:
        """Queues a message before all that waits already."""
        self._waiting.appendleft(raw)
        self._bytes += len(raw)
        self._news.set()

    def end(self, code: str, status: int) -> None:
        """Says goodbye, and why; nothing is sent after that."""
        if self._end is None:
            self._idle = False
            self._waiting.append(wire.ENCODER.encode(wire.Bye(code)))
            self._end = (status, code)
            self._news.set()

    async def send_all(self) -> None:
        """Sends what waits until the connection ends."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                raw = self._waiting.popleft()
                self._bytes -= len(raw)
                try:
                    await self._socket.send({"type": "websocket.send", "text": raw.decode()})
                except RuntimeError as gone:  # the other side closed while this was on its way
                    raise WebSocketDisconnect(GONE) from gone
            if self._end is not None:
                await self._socket.close(*self._end)
                return
            self._idle = True


class _Named(msgspec.Struct):
    """As much of a message as an answer needs to be recognised."""

    id: str = ""


_NAMED: Final = msgspec.json.Decoder(_Named)


def is_text(raw: bytes) -> bool:
    """Whether a message is UTF-8."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def name_in(raw: bytes) -> str:
    """The id of a message that cannot be read otherwise; "" if not even that can."""
    try:
        return _NAMED.decode(raw).id[:64]
    except (msgspec.MsgspecError, RecursionError):
        return ""


async def next_message(socket: WebSocket) -> bytes:
    """The next message. Raises WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    text = message.get("text")
    return text.encode("utf-8", "replace") if text is not None else (message.get("bytes") or b"")


class Lines:
    """All connections of a server, counted for each address."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lines: set[Line] = set()
        self._by_address: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._lines)

    @contextmanager
    def counted(self, line: Line, address: str) -> Iterator[bool]:
        """Counts a connection while it lives; tells whether the address may have one more."""
        self._by_address[address] += 1
        self._lines.add(line)
        try:
            yield self._by_address[address] <= self._most
        finally:
            self._lines.discard(line)
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

    async def end_all(self, code: str) -> None:
        """Says goodbye on every connection, and waits a moment for it to be heard."""
        for line in self._lines:
            line.end(code, RESTART)
        deadline = time.monotonic() + LAST_WORDS
        while self._lines and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
