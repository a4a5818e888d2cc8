"""What each deed of a person does to a live table. The sender is the session's, never the message's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from tapete import table as tables
from tapete.errors import Refused
from tapete.events import Decided
from tapete.server import between
from tapete.server import messages as wire
from tapete.server.workings import questions
from tapete.store import STARTING, Transaction
from tapete.table import (
    Consented,
    Hosted,
    Joined,
    Leaving,
    Left,
    Paused,
    Placed,
    Sat,
    SeedOpened,
    SeedPromised,
    StoodUp,
    Table,
    TableEvent,
)

if TYPE_CHECKING:
    from tapete.server.live import LiveTable, Who

BOT_CHIPS: Final = 100_000_00
MAX_REQUESTS: Final = 50


async def perform(live: LiveTable, who: Who, command: wire.Command) -> None:
    """Does what the command wants. Raises Refused with nothing changed."""
    _in_time(live, command)
    await _PERFORM[type(command.deed)](live, who, command.deed, command.seq)


def _in_time(live: LiveTable, command: wire.Command) -> None:
    if command.round != live.table.number and not isinstance(command.deed, wire.Leave | wire.Pause | wire.Close):
        raise Refused("command.late")


def try_coming(live: LiveTable, who: Who, command: wire.Command, *, chips: int) -> None:
    """Raises Refused where somebody who is not at the table yet, with these chips, could not do what is wanted."""
    if live.closed:
        raise Refused("command.closed")
    _in_time(live, command)
    deed, there = command.deed, tables.apply(live.table, Joined(who.name, chips))
    if isinstance(deed, wire.Sit):
        tables.apply(there, Sat(who.name, deed.box))
    elif isinstance(deed, wire.Bet):
        tables.apply(there, _placed(there, who, deed))
    elif isinstance(deed, wire.AskConsent):
        _needs_consent(live, who, deed)


def _at_table(live: LiveTable, name: str) -> bool:
    return any(one.name == name for one in live.table.people)


async def _come(live: LiveTable, who: Who) -> list[TableEvent]:
    """The event that brings a person with all chips of the account, if it is not at the table yet."""
    if _at_table(live, who.name):
        return []
    chips = await live.books.read(lambda store: store.balance(who.id))
    host = [] if live.table.host else [Hosted(who.name)]
    return [Joined(who.name, chips), *host]


async def _sit(live: LiveTable, who: Who, deed: wire.Sit, _: int) -> None:
    await live.commit([*await _come(live, who), Sat(who.name, deed.box)])


async def _stand_up(live: LiveTable, who: Who, deed: wire.StandUp, _: int) -> None:
    _mine(live, who, deed.box)
    await live.commit([StoodUp(deed.box)])
    await between.begin_if_all_are_ready(live)


def _mine(live: LiveTable, who: Who, box: int) -> None:
    if tables.holder(live.table, box) != who.name:
        raise Refused("command.not_your_box", box=box)


async def _leave(live: LiveTable, who: Who, _: wire.Leave, __: int) -> None:
    await leave(live, who.name)


async def leave(live: LiveTable, name: str) -> None:
    """A person leaves: now, or at the end of a round that still has bets of theirs, answered by default."""
    if not _at_table(live, name):
        return
    if live.table.playing:
        if name not in live.table.leaving:
            await live.commit([Leaving(name)])
        return
    live.ready.discard(name)
    await live.commit([Left(name)])
    await between.begin_if_all_are_ready(live)


async def _bet(live: LiveTable, who: Who, deed: wire.Bet, _: int) -> None:
    owner = tables.holder(live.table, deed.box)
    before: list[TableEvent] = [] if owner == who.name else await _come(live, who)
    there = live.table
    for event in before:
        there = tables.apply(there, event)
    await live.commit([*before, _placed(there, who, deed)])
    live.ready.discard(who.name)


def _placed(there: Table, who: Who, deed: wire.Bet) -> Placed:
    bet = Placed(who.name, deed.box, deed.amount)
    return tables.trimmed(there, bet) if deed.trim and deed.amount else bet


async def _ready(live: LiveTable, who: Who, _: wire.Ready, __: int) -> None:
    if not tables.boxes_of(live.table, who.name):
        raise Refused("command.no_box")
    live.ready.add(who.name)
    live.late.pop(who.name, None)
    await between.begin_if_all_are_ready(live)


async def _ask_consent(live: LiveTable, who: Who, deed: wire.AskConsent, _: int) -> None:
    _needs_consent(live, who, deed)
    request = wire.Request(deed.box, who.name)
    if request not in live.requests and len(live.requests) < MAX_REQUESTS:
        await live.commit(await _come(live, who))
        live.requests.append(request)


def _needs_consent(live: LiveTable, who: Who, deed: wire.AskConsent) -> None:
    reason = tables.may_back(live.table, deed.box, who.name)
    if reason != "no_consent" or not tables.holder(live.table, deed.box):
        raise Refused("command.no_need_to_ask", box=deed.box)


async def _consent(live: LiveTable, who: Who, deed: wire.Consent, _: int) -> None:
    _mine(live, who, deed.box)
    already = any(one.box == deed.box and one.name == deed.name for one in live.table.consents)
    if deed.agrees != already:
        await live.commit([Consented(deed.box, deed.name, deed.agrees)])
    live.requests = [one for one in live.requests if (one.box, one.name) != (deed.box, deed.name)]


async def _decide(live: LiveTable, who: Who, deed: wire.Decide, seq: int) -> None:
    place = (deed.box, deed.hand)
    here = [one for one in questions(live.table) if (one.box, one.hand) == place]
    mine = [one for one in here if one.bettor == who.name]
    if not mine:
        raise Refused("command.not_your_turn" if here or not _plays(live, who) else "command.late")
    if seq < live.asked_at(mine[0]):
        raise Refused("command.late")
    await live.commit([Decided(deed.box, deed.hand, deed.action, deed.amount, who.name)])


def _plays(live: LiveTable, who: Who) -> bool:
    return live.table.round is not None and live.table.playing and who.name in live.table.round.bettors


async def _refill(live: LiveTable, who: Who, _: wire.Refill, __: int) -> None:
    """All chips that the person has anywhere are less than the smallest bet: back to the start."""
    least = live.preset.rules.bet_min
    if live.table.playing:
        raise Refused("table.in_play")
    at_table = tables.person(live.table, who.name).chips if _at_table(live, who.name) else 0
    account = await live.books.read(lambda store: store.balance(who.id))
    if at_table + account >= least:
        raise Refused("command.not_broke", least=least)
    boxes = tables.boxes_of(live.table, who.name)
    if _at_table(live, who.name):
        await live.commit([Left(who.name)])

    def top_up(deeds: Transaction) -> None:
        deeds.reset(who.id)

    await live.books.write(top_up)
    await live.commit([Joined(who.name, STARTING), *(Sat(who.name, box) for box in boxes)])


async def _promise_seed(live: LiveTable, who: Who, deed: wire.PromiseSeed, _: int) -> None:
    await live.commit([SeedPromised(who.name, deed.hash)])


async def _open_seed(live: LiveTable, who: Who, deed: wire.OpenSeed, _: int) -> None:
    await live.commit([SeedOpened(who.name, deed.seed)])
    await between.seeds_may_be_complete(live)


async def _cut(live: LiveTable, who: Who, deed: wire.Cut, _: int) -> None:
    if live.cutter != who.name:
        raise Refused("command.not_your_turn")
    await between.cut_at(live, deed.at)


# --- the host -------------------------------------------------------------------------------------------------------


def _hosts(live: LiveTable, who: Who) -> None:
    if live.table.host != who.name:
        raise Refused("command.not_the_host")


async def _pause(live: LiveTable, who: Who, deed: wire.Pause, _: int) -> None:
    _hosts(live, who)
    if deed.on != live.table.paused:
        await live.commit([Paused(deed.on)])
    await between.begin_if_all_are_ready(live)


async def _remove(live: LiveTable, who: Who, deed: wire.Remove, _: int) -> None:
    _hosts(live, who)
    tables.person(live.table, deed.name)
    await leave(live, deed.name)


async def _hand_over(live: LiveTable, who: Who, deed: wire.HandOver, _: int) -> None:
    _hosts(live, who)
    if tables.person(live.table, deed.name).bot:
        raise Refused("table.nobody", name=deed.name)
    await live.commit([Hosted(deed.name)])


async def _seat_bot(live: LiveTable, who: Who, deed: wire.SeatBot, _: int) -> None:
    _hosts(live, who)
    name = f"Bot {deed.box}"
    new = [] if _at_table(live, name) else [Joined(name, BOT_CHIPS, bot=True)]
    await live.commit([*new, Sat(name, deed.box)])


async def _close(live: LiveTable, who: Who, _: wire.Close, __: int) -> None:
    _hosts(live, who)
    await live.close()


_PERFORM: Final[dict[type, Callable[[LiveTable, Who, Any, int], Awaitable[None]]]] = {
    wire.Sit: _sit,
    wire.StandUp: _stand_up,
    wire.Leave: _leave,
    wire.Bet: _bet,
    wire.Ready: _ready,
    wire.AskConsent: _ask_consent,
    wire.Consent: _consent,
    wire.Decide: _decide,
    wire.Refill: _refill,
    wire.PromiseSeed: _promise_seed,
    wire.OpenSeed: _open_seed,
    wire.Cut: _cut,
    wire.Pause: _pause,
    wire.Remove: _remove,
    wire.HandOver: _hand_over,
    wire.SeatBot: _seat_bot,
    wire.Close: _close,
}
