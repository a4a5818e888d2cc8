"""Frames: the WebSocket of uvicorn, with a short way for what a table says a thousand times a second.

A message that finds its connection idle is framed and handed to the socket at once, without a task that has to wake up
for it and without the layers that an application can put between. The short way is an ASGI extension: where a server
does not have it, everything goes the usual way.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, Final, cast

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION: Final = "tapete.at_once"
AHEAD: Final = 8
"""Messages that may have come in before the one that is being answered; then the connection is read no more."""
TEXT: Final = 0x81
_SHORT: Final = Struct("!BB")
_MIDDLE: Final = Struct("!BBH")
_LONG: Final = Struct("!BBQ")
AtOnce = Callable[[bytes], bool]


def framed(raw: bytes) -> bytes:
    """A text message of the server as one frame (RFC 6455, 5.2)."""
    size = len(raw)
    if size < 126:
        return _SHORT.pack(TEXT, size) + raw
    return (_MIDDLE.pack(TEXT, 126, size) if size < 1 << 16 else _LONG.pack(TEXT, 127, size)) + raw


def at_once(socket: WebSocket) -> AtOnce | None:
    """What sends a text on that connection if it can be done at once, and tells whether it has; None without it."""
    return cast(AtOnce | None, socket.scope.get("extensions", {}).get(EXTENSION))


class Protocol(WebSocketsSansIOProtocol):
    """A WebSocket connection without extensions of the protocol, as the server's settings have it."""

    def handle_connect(self, event: Any) -> None:
        """Offers the short way to the application."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            cast(dict[str, object], self.scope["extensions"])[EXTENSION] = self.send_at_once

    def send_at_once(self, raw: bytes) -> bool:
        """Sends a text if nothing holds it up."""
        open_ = self.handshake_complete and not self.close_sent and not self.disconnected
        if not open_ or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(framed(raw))
        return True

    def send_receive_event_to_app(self) -> None:
        """Reads on while a few messages wait: to stop and to go on for each of them costs as much as to read it."""
        paused, full = self.read_paused, self.queue.qsize() >= AHEAD
        self.read_paused = paused or not full
        super().send_receive_event_to_app()
        self.read_paused = paused or full
