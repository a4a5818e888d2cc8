"""Steering: what the house itself does to a live table, in its turn like everybody else's deeds."""

from __future__ import annotations

from tapete.server.deeds import leave
from tapete.server.live import LiveTable


def at_table(live: LiveTable, name: str) -> bool:
    """Whether the person has chips at that table."""
    return any(one.name == name for one in live.table.people)


async def let_go(live: LiveTable, name: str) -> bool:
    """Lets a person leave at once, unless a round is in play; tells whether that was so."""

    async def deed() -> bool:
        if live.table.playing:
            return False
        await leave(live, name)
        return True

    return bool(await live.alone(deed))


async def send_away(live: LiveTable, name: str) -> None:
    """Makes a person leave: at once, or when the round is over, with the stated defaults until then."""
    await live.alone(lambda: leave(live, name))


async def retire(live: LiveTable) -> None:
    """Closes the table, now or after the round."""
    await live.alone(live.close)


async def stop(live: LiveTable) -> None:
    """Waits for what the table is doing; then it does no more."""

    async def deed() -> None:
        live.halt()

    await live.alone(deed, mend=False)
