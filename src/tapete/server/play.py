"""Play: what comes in on the WebSocket of a table, and who may do it."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from tapete.errors import BadInput, Refused, TapeteError
from tapete.server import messages as wire
from tapete.server import sockets
from tapete.server.limits import Bucket
from tapete.server.live import LiveTable, Who
from tapete.server.site import Site, address_of, site_of
from tapete.server.sockets import Line
from tapete.server.told import explained

PATIENCE: Final = 50
"""So many messages in a row that are too many or make no sense, and the connection is closed."""


async def table_socket(socket: WebSocket) -> None:
    """The endpoint /ws/{code}: watches the table, and plays at it with the cookie of a person."""
    site = site_of(socket)
    if not site.origins.allows(socket):
        await socket.close(sockets.POLICY)
        return
    await socket.accept()
    line = Line(socket)
    live = site.registry.find(socket.path_params["code"])
    with site.lines.counted(line, address_of(socket)) as allowed:
        if not allowed:
            line.end("limit.connections", sockets.POLICY)
        elif live is None:
            line.end(*_missing(site, socket.path_params["code"]))
        else:
            who = await site.people.of(socket)
            await _connected(Session(site, live, who, line, socket))
            return
        await line.send_all()


def _missing(site: Site, code: str) -> tuple[str, int]:
    if site.registry.is_waiting(code):
        return "table.waiting", sockets.TRY_AGAIN
    return "table.unknown", sockets.NOT_FOUND


class Session:
    """One connection to one table."""

    def __init__(self, site: Site, live: LiveTable, who: Who | None, line: Line, socket: WebSocket) -> None:
        self.site = site
        self.live = live
        self.who = who
        self.line = line
        self.socket = socket
        self._bucket = Bucket(site.settings.limits.messages)
        self._strikes = 0

    async def listen(self) -> None:
        """Answers messages until the other side goes away or has to."""
        while not self.line.ended:
            raw = await sockets.next_message(self.socket)
            if len(raw) > wire.MAX_MESSAGE:
                self.line.end("message.too_large", sockets.TOO_BIG)
            elif not sockets.is_text(raw):
                self.line.end("message.unreadable", sockets.NO_TEXT)
            elif not self._bucket.take():
                self._refuse(raw, Refused("limit.messages"))
            else:
                await self._hear(raw)

    async def _hear(self, raw: bytes) -> None:
        try:
            command = wire.COMMAND.decode(raw)
        except (msgspec.MsgspecError, RecursionError) as error:
            self._refuse(raw, BadInput("message.unreadable", why=str(error)[:200]))
            return
        self._strikes = 0
        if self.who is None:
            self.line.tell(_rejected(command.id, Refused("identity.none")))
        else:
            self.line.tell(await self.site.perform(self.who, self.live, command))

    def _refuse(self, raw: bytes, error: TapeteError) -> None:
        self._strikes += 1
        self.line.tell(_rejected(sockets.name_in(raw), error))
        if self._strikes >= PATIENCE:
            self.line.end(error.code, sockets.POLICY)


def _rejected(name: str, error: TapeteError) -> bytes:
    return wire.ENCODER.encode(wire.Rejected(name, error.code, explained(error)))


async def _connected(session: Session) -> None:
    """Lets a connection live: what the table says goes out, what comes in is done."""
    key, live, line = object(), session.live, session.line
    name = session.who.name if session.who is not None else ""
    line.tell_first(await live.arrive(key, name, line.tell))
    sender = asyncio.create_task(line.send_all())
    listener = asyncio.create_task(session.listen())
    try:
        await asyncio.wait({sender, listener}, return_when=asyncio.FIRST_COMPLETED)
        if line.ended:
            await asyncio.wait({sender}, timeout=sockets.LAST_WORDS)
    finally:
        await _ended(sender, listener)
        await live.depart(key)


async def _ended(*tasks: asyncio.Task[None]) -> None:
    """Ends both halves of a connection; that the other side has gone is no fault."""
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception) and not isinstance(outcome, WebSocketDisconnect):
            raise outcome
