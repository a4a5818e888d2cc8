"""Events of a table as sentences in both languages, for the running log and for screen readers."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from tapete import telling
from tapete.errors import TapeteError
from tapete.keeping import Move
from tapete.stakes import Lock
from tapete.table import (
    Closing,
    Consented,
    Hosted,
    Joined,
    Leaving,
    Left,
    Paused,
    Placed,
    Reshuffled,
    Sat,
    SeedOpened,
    SeedPromised,
    SeedsClosed,
    ShoeOpened,
    ShoeReady,
    ShoeRetired,
    StoodUp,
    TableEvent,
    holder,
)
from tapete.words import LANGUAGES, N_, Words, words

_SENTENCES: Final = MappingProxyType(
    {
        Joined: N_("{name} comes to the table with {amount:chips} chips."),
        Left: N_("{name} leaves the table."),
        Leaving: N_("{name} leaves when the round is over."),
        Sat: N_("{name} takes box {box}."),
        StoodUp: N_("Box {box} is free; {holder} stood up."),
        Placed: N_("{name} bets {amount:chips} on box {box}."),
        ShoeOpened: N_("A new shoe is promised: whoever likes may give a seed."),
        SeedPromised: N_("{name} gives a seed for the shoe."),
        SeedsClosed: N_("The list of seeds is closed."),
        SeedOpened: N_("{name} opens the seed."),
        ShoeReady: N_("The shoe is shuffled and cut."),
        Reshuffled: N_("The shoe is empty: its discards are shuffled."),
        ShoeRetired: N_("The shoe is done with; its secret is published."),
        Hosted: N_("{name} is the host of the table."),
        Closing: N_("The table closes after this round."),
    }
)


def both(text: str, /, **facts: object) -> dict[str, str]:
    """A sentence in each language."""
    return {language: words(language).say(text, **facts) for language in LANGUAGES}


def explained(error: TapeteError) -> dict[str, str]:
    """An error in each language."""
    return {language: words(language).explain(error) for language in LANGUAGES}


def sentences(move: Move) -> dict[str, str]:
    """What happened, in each language, with the results that it brought."""
    return {language: _sentence(move, words(language)) for language in LANGUAGES}


def _sentence(move: Move, say: Words) -> str:
    if type(move.event) in _SENTENCES or isinstance(move.event, Consented | Paused):
        return _at_table(move, move.event, say)
    return _in_round(move, say)


def _in_round(move: Move, say: Words) -> str:
    after = move.after.round
    if after is None:
        return ""
    before = None if isinstance(move.event, Lock) else move.before.round
    parts = [telling.event_text(before, move.event, after, say)]  # type: ignore[arg-type]
    parts += [telling.statement_text(after, one, say) for one in telling.new_results(before, after)]
    if move.before.playing and not move.after.playing:
        parts += telling.sum_texts(after.statements, say)
    return "\n".join(part for part in parts if part)


def _at_table(move: Move, event: TableEvent, say: Words) -> str:
    if isinstance(event, Consented):
        text = N_("{name} may bet on box {box}.") if event.agrees else N_("{name} may no longer bet on box {box}.")
        return say.say(text, name=event.name, box=event.box)
    if isinstance(event, Paused):
        return say.say(N_("The host pauses the table.") if event.on else N_("The table goes on."))
    if isinstance(event, Placed) and event.amount == 0:
        return say.say(N_("{name} takes the bet on box {box} back."), name=event.name, box=event.box)
    facts = {name: getattr(event, name, "") for name in ("name", "box")}
    amount = getattr(event, "amount", getattr(event, "chips", 0))
    owner = holder(move.before, event.box) if isinstance(event, StoodUp) else ""
    return say.say(_SENTENCES[type(event)], **facts, amount=amount, holder=owner)
