"""The room of a live table: what is true of it now and does not stand in its log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapete.server.messages import Room
from tapete.server.workings import boxes_short

if TYPE_CHECKING:
    from tapete.server.live import LiveTable


def room(live: LiveTable) -> Room:
    """Who is there, who is ready, whose time runs."""
    return Room(
        present=tuple(sorted(live.present())),
        watching=live.watchers(),
        ready=tuple(sorted(live.ready)),
        sitting_out=tuple(sorted(name for name in live.late if live.sits_out(name))),
        requests=tuple(live.requests),
        cutter=live.cutter,
        clock=live.clock.told(),
        closing=live.table.closing,
        paused=live.table.paused,
        host=live.table.host,
        short=boxes_short(live.table),
    )
