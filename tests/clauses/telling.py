"""What the clause tests read off a driven round: its money as one line, its story in order, what a question offers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tapete.errors import Refused
from tapete.events import Checked, Dealt, Decided, Event, Question, Turned
from tapete.money import chips
from tapete.stakes import Lock, Statement
from tests.driving import Played, Rules, lock, play, steps, table


def money(played: Played) -> str:
    """Every statement in the order of settlement, nets in chips: ``1.1=+15 2.1=-10 1.0=+5 1.1@Eva=-5``.

    Box and hand, hand 0 for an insurance; a bettor is named unless he holds the box.
    """
    holders = {box.box: box.holder for box in played.round.lock.boxes}
    return " ".join(_statement(one, holders[one.box]) for one in played.statements)


def _statement(one: Statement, holder: str) -> str:
    who = "" if one.bettor == holder else f"@{one.bettor}"
    return f"{one.box}.{one.hand}{who}={chips(one.net, signed=True)}"


def story(played: Played) -> list[str]:
    """What happened, in order: cards ``1.1<A`` and ``D<K``, answers ``1.1 hit``, looks, settled bets ``1.1=+15``."""
    holders = {box.box: box.holder for box in played.round.lock.boxes}
    told: list[str] = []
    for before, event, after in steps(played):
        told.append(_event(event, holders))
        told += [_statement(one, holders[one.box]) for one in after.statements[len(before.statements) :]]
    return told


def _event(event: Event, holders: dict[int, str]) -> str:
    if isinstance(event, Dealt):
        place = f"{event.box}.{event.hand}" if event.box else "D"
        return f"{place}<{event.card.rank if event.card else '??'}"
    if isinstance(event, Decided):
        who = "" if event.bettor in ("", holders[event.box]) else f"@{event.bettor}"
        return f"{event.box}.{event.hand}{who} {event.action}"
    if isinstance(event, Checked):
        return f"check {'blackjack' if event.blackjack else 'nothing'}"
    return f"turned {event.card.rank}" if isinstance(event, Turned) else type(event).__name__


def cards_to(played: Played) -> list[str]:
    """Where each card went, in order: ``1.1``, ``D``."""
    return [word.partition("<")[0] for word in story(played) if "<" in word]


def asked(played: Played, box: int = 1, hand: int = 1) -> Question:
    """The one question that is open to this hand now."""
    found = [one for one in played.open if (one.box, one.hand) == (box, hand)]
    assert len(found) == 1, f"{len(found)} questions to hand {hand} of box {box}; open: {played.open}"
    return found[0]


def offered(played: Played, box: int = 1, hand: int = 1) -> set[str]:
    """What this hand may do now."""
    return set(asked(played, box, hand).legal)


def why_not(played: Played, move: str, box: int = 1, hand: int = 1) -> str:
    """The reason why this hand may not make a move; empty when it may."""
    return dict(asked(played, box, hand).refused).get(move, "")


def whom(played: Played) -> Iterator[str]:
    """The open questions: ``insure 2`` for the holder of box 2, ``follow 1@Eva`` for a backer."""
    holders = {box.box: box.holder for box in played.round.lock.boxes}
    for one in played.open:
        yield f"{one.kind} {one.box}{'' if one.bettor == holders[one.box] else f'@{one.bettor}'}"


def refused_lock(rules: Rules, bets: str | Lock, **switch: object) -> Refused:
    """Why a table does not take these bets."""
    with pytest.raises(Refused) as caught:
        play(table(rules, {key.replace("__", "."): value for key, value in switch.items()}), lock(bets), "")
    return caught.value
