"""A table as a fold over events: who sits where, with how many chips, what is bet, which shoe, which round.

A round is the smaller fold (``tapete.round``); its events pass through here from its lock to its end. Between rounds
people join with chips, sit on boxes, agree to backers and bet. The house's part (the secret of the shoe, the cards) is
not here: ``tapete.house`` makes those events. What :func:`apply` refuses leaves the table as it was.

Chips are whole units on the table's racks; a person's stakes leave the rack at the lock and what remains or comes back
is there again when the round is over.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from tapete import fairness, rulebook
from tapete import round as rounds
from tapete.errors import BadInput, Refused
from tapete.events import Checked, Dealt, Decided, Event, Over, Turned, Voided
from tapete.fairness import ShoeRecord
from tapete.rules import RuleSet
from tapete.stakes import Backing, BoxStake, Lock
from tapete.state import Round

# --- events ---------------------------------------------------------------------------------------------------------


class Joined(msgspec.Struct, frozen=True, tag=True):
    """A person brings chips to the table (again: more chips). A bot plays with the house's own."""

    name: str
    chips: int
    bot: bool = False


class Left(msgspec.Struct, frozen=True, tag=True):
    """A person leaves the table with all chips."""

    name: str


class Leaving(msgspec.Struct, frozen=True, tag=True):
    """A person goes when the round in play is over; what they are asked until then is answered by default."""

    name: str


class Sat(msgspec.Struct, frozen=True, tag=True):
    """A person takes a box."""

    name: str
    box: int


class StoodUp(msgspec.Struct, frozen=True, tag=True):
    """A box becomes free; bets on it that are not locked go back."""

    box: int


class Consented(msgspec.Struct, frozen=True, tag=True):
    """The holder of a box lets a person bet on it, or no longer (D2-09); holds until it is taken back."""

    box: int
    name: str
    agrees: bool = True


class Placed(msgspec.Struct, frozen=True, tag=True):
    """A person's bet on a box for the coming round is now this amount; 0 takes it back."""

    name: str
    box: int
    amount: int


class ShoeOpened(msgspec.Struct, frozen=True, tag=True):
    """A new shoe is promised: ``record`` holds its commitment, and seeds may be given."""

    record: ShoeRecord


class SeedPromised(msgspec.Struct, frozen=True, tag=True):
    """A person gives the hash of a seed of their own."""

    name: str
    hash: str


class SeedsClosed(msgspec.Struct, frozen=True, tag=True):
    """No more seeds: those given may now be opened."""


class SeedOpened(msgspec.Struct, frozen=True, tag=True):
    """A person opens the seed, in hexadecimal digits."""

    name: str
    seed: str


class ShoeReady(msgspec.Struct, frozen=True, tag=True):
    """A new shoe stands on the table, shuffled and cut; ``record`` is what is public of it."""

    record: ShoeRecord


class Reshuffled(msgspec.Struct, frozen=True, tag=True):
    """The shoe ran out within the round: its discards were shuffled and play goes on."""

    record: ShoeRecord


class Hosted(msgspec.Struct, frozen=True, tag=True):
    """A person is the table's host from now on; nobody if the name is empty."""

    name: str


class Paused(msgspec.Struct, frozen=True, tag=True):
    """The host stops the table between rounds, or lets it go on."""

    on: bool


class Closing(msgspec.Struct, frozen=True, tag=True):
    """The table closes when the round in play is over."""


class ShoeRetired(msgspec.Struct, frozen=True, tag=True):
    """The shoe is done with; ``record`` now shows its secret."""

    record: ShoeRecord


TableEvent = (
    Joined
    | Left
    | Leaving
    | Sat
    | StoodUp
    | Consented
    | Placed
    | ShoeOpened
    | SeedPromised
    | SeedsClosed
    | SeedOpened
    | ShoeReady
    | Reshuffled
    | ShoeRetired
    | Hosted
    | Paused
    | Closing
    | Event
)

# --- state ----------------------------------------------------------------------------------------------------------


class Person(msgspec.Struct, frozen=True):
    """Somebody at the table, with the chips of the rack as they were when the round began."""

    name: str
    chips: int
    bot: bool = False


class Table(msgspec.Struct, frozen=True):
    """The table up to now."""

    rules: RuleSet
    people: tuple[Person, ...] = ()
    seats: tuple[Sat, ...] = ()
    """Who holds which box, by box number."""
    consents: tuple[Consented, ...] = ()
    bets: tuple[Placed, ...] = ()
    """The bets for the coming round, in the order in which they were first placed."""
    last: tuple[Placed, ...] = ()
    """The bets that the last round began with, for betting the same again."""
    opening: ShoeRecord | None = None
    """The next shoe while it is promised and not yet shuffled."""
    seeds: tuple[str, ...] = ()
    """Who gave a seed for it, in the order of its list."""
    host: str = ""
    paused: bool = False
    leaving: tuple[str, ...] = ()
    """Who goes when the round is over."""
    closing: bool = False
    """Whether the table closes when the round is over."""
    shoe: ShoeRecord | None = None
    spent: tuple[int, ...] = ()
    """How many cards each finished round took from this shoe."""
    round: Round | None = None
    """The round in play, or the last one."""
    events: tuple[Event, ...] = ()
    """Its events, the lock first."""
    number: int = 0
    """The number of that round at this table, from 1."""

    @property
    def playing(self) -> bool:
        """Whether a round is in play."""
        return self.round is not None and type(self.round.waits) is not Over


def person(table: Table, name: str) -> Person:
    """The person of that name. Raises Refused ``table.nobody``."""
    for one in table.people:
        if one.name == name:
            return one
    raise Refused("table.nobody", name=name)


def holder(table: Table, box: int) -> str:
    """Who holds the box; empty when it is free."""
    return next((seat.name for seat in table.seats if seat.box == box), "")


def boxes_of(table: Table, name: str) -> tuple[int, ...]:
    """The boxes that the person holds."""
    return tuple(seat.box for seat in table.seats if seat.name == name)


def spare(table: Table, name: str) -> int:
    """The person's chips that lie on no box, in units."""
    if table.playing and table.round is not None and name in table.round.bettors:
        return table.round.spare[table.round.bettors.index(name)]
    return person(table, name).chips - sum(bet.amount for bet in table.bets if bet.name == name)


def bet_on(table: Table, box: int, name: str) -> int:
    """What the person has placed on the box for the coming round."""
    return next((bet.amount for bet in table.bets if bet.box == box and bet.name == name), 0)


def may_back(table: Table, box: int, name: str) -> str:
    """The reason why the person may not bet on somebody else's box; empty when he may."""
    agreed = any(one.agrees and one.box == box and one.name == name for one in table.consents)
    return rulebook.why_not_back(table.rules, consent=agreed)


def lock_due(table: Table) -> Lock:
    """The lock that begins a round with the bets as they lie."""
    boxes = tuple(_box_stake(table, seat) for seat in table.seats if bet_on(table, seat.box, seat.name))
    names = dict.fromkeys(name for box in boxes for name in (box.holder, *(one.bettor for one in box.backers)))
    return Lock(boxes, tuple((name, spare(table, name)) for name in names))


def _box_stake(table: Table, seat: Sat) -> BoxStake:
    backers = tuple(
        Backing(bet.name, bet.amount, consent=_agreed(table, bet), standing=not boxes_of(table, bet.name))
        for bet in table.bets
        if bet.box == seat.box and bet.name != seat.name
    )
    return BoxStake(seat.box, seat.name, bet_on(table, seat.box, seat.name), backers)


def _agreed(table: Table, bet: Placed) -> bool:
    return any(one.agrees and one.box == bet.box and one.name == bet.name for one in table.consents)


# --- the fold -------------------------------------------------------------------------------------------------------


def apply(table: Table, event: TableEvent) -> Table:
    """The table after this event. Raises Refused, with the old table untouched, for what it does not allow."""
    return _ACCEPT[type(event)](table, event)


def _idle(table: Table) -> None:
    if table.playing:
        raise Refused("table.in_play")


def _joined(table: Table, event: Joined) -> Table:
    if event.chips < 0 or not event.name:
        raise Refused("table.chips", name=event.name, amount=event.chips)
    _idle(table)
    before = next((one for one in table.people if one.name == event.name), None)
    if before is None:
        return replace(table, people=(*table.people, Person(event.name, event.chips, event.bot)))
    return _with_person(table, replace(before, chips=before.chips + event.chips))


def _with_person(table: Table, new: Person) -> Table:
    return replace(table, people=tuple(new if one.name == new.name else one for one in table.people))


def _left(table: Table, event: Left) -> Table:
    _idle(table)
    person(table, event.name)
    for box in boxes_of(table, event.name):
        table = _free(table, box)
    stay = tuple(one for one in table.people if one.name != event.name)
    host = table.host if table.host != event.name else next((one.name for one in stay if not one.bot), "")
    return replace(
        table,
        host=host,
        people=stay,
        bets=tuple(bet for bet in table.bets if bet.name != event.name),
        last=tuple(bet for bet in table.last if bet.name != event.name),
        consents=tuple(one for one in table.consents if one.name != event.name),
        leaving=tuple(name for name in table.leaving if name != event.name),
    )


def _leaving(table: Table, event: Leaving) -> Table:
    person(table, event.name)
    _in_play(table)
    return table if event.name in table.leaving else replace(table, leaving=(*table.leaving, event.name))


def _closing(table: Table, _: Closing) -> Table:
    _in_play(table)
    return replace(table, closing=True)


def _in_play(table: Table) -> None:
    if not table.playing:
        raise Refused("table.no_round")


def _sat(table: Table, event: Sat) -> Table:
    _idle(table)
    person(table, event.name)
    if not 1 <= event.box <= table.rules.seats_max:
        raise Refused("table.no_such_box", box=event.box, most=table.rules.seats_max)
    if holder(table, event.box):
        raise Refused("table.box_taken", box=event.box, holder=holder(table, event.box))
    if len(boxes_of(table, event.name)) >= table.rules.boxes_per_player:
        raise Refused("table.boxes_per_player", name=event.name, most=table.rules.boxes_per_player)
    return replace(table, seats=tuple(sorted((*table.seats, event), key=lambda seat: seat.box)))


def _stood_up(table: Table, event: StoodUp) -> Table:
    _idle(table)
    if not holder(table, event.box):
        raise Refused("table.box_free", box=event.box)
    return _free(table, event.box)


def _free(table: Table, box: int) -> Table:
    return replace(
        table,
        seats=tuple(seat for seat in table.seats if seat.box != box),
        bets=tuple(bet for bet in table.bets if bet.box != box),
        last=tuple(bet for bet in table.last if bet.box != box),
        consents=tuple(one for one in table.consents if one.box != box),
    )


def _consented(table: Table, event: Consented) -> Table:
    _idle(table)
    person(table, event.name)
    if not holder(table, event.box):
        raise Refused("table.box_free", box=event.box)
    others = tuple(one for one in table.consents if (one.box, one.name) != (event.box, event.name))
    bets = table.bets
    if not event.agrees:
        bets = tuple(bet for bet in bets if (bet.box, bet.name) != (event.box, event.name))
    return replace(table, consents=(*others, event) if event.agrees else others, bets=bets)


def _placed(table: Table, event: Placed) -> Table:
    _idle(table)
    person(table, event.name)
    owner = holder(table, event.box)
    if not owner:
        raise Refused("table.box_free", box=event.box)
    if event.amount == 0:
        return _taken_back(table, event, owner)
    _check_bet(table, event, owner)
    if bet_on(table, event.box, event.name):
        return replace(table, bets=tuple(event if _same(bet, event) else bet for bet in table.bets))
    return replace(table, bets=(*table.bets, event))


def _same(bet: Placed, event: Placed) -> bool:
    return bet.box == event.box and bet.name == event.name


def _taken_back(table: Table, event: Placed, owner: str) -> Table:
    """A holder who takes the bet back leaves nothing to back: the backers' bets go back too."""
    if event.name == owner:
        return replace(table, bets=tuple(bet for bet in table.bets if bet.box != event.box))
    return replace(table, bets=tuple(bet for bet in table.bets if not _same(bet, event)))


def _check_bet(table: Table, event: Placed, owner: str) -> None:
    reason = _why_not_bet(table, event, owner)
    if reason:
        raise Refused("table.bet", box=event.box, name=event.name, amount=event.amount, reason=reason)


def _why_not_bet(table: Table, event: Placed, owner: str) -> str:
    behind = event.name != owner
    reason = rulebook.why_not_bet(table.rules, event.amount, behind=behind)
    if not reason and behind:
        reason = may_back(table, event.box, event.name) or ("" if bet_on(table, event.box, owner) else "holder_first")
    if not reason and event.amount > spare(table, event.name) + bet_on(table, event.box, event.name):
        reason = "funds"
    if not reason and not _has_room(table, event):
        reason = "box_full"
    return reason


TOO_MUCH: Final = frozenset({"bet_max", "funds", "box_full"})
"""The reasons against a bet for which a smaller one may be accepted."""


def trimmed(table: Table, bet: Placed) -> Placed:
    """The bet, or the largest smaller one that is not too much; the bet as it is where none is left of it."""
    owner = holder(table, bet.box)

    def too_much(steps: int) -> bool:
        smaller = replace(bet, amount=steps * table.rules.unit)
        return _why_not_bet(table, smaller, owner) in TOO_MUCH

    if _why_not_bet(table, bet, owner) not in TOO_MUCH:
        return bet
    fit = bisect_left(range(bet.amount // table.rules.unit + 1), 1, key=too_much) - 1
    return replace(bet, amount=fit * table.rules.unit) if fit > 0 else bet


def _has_room(table: Table, event: Placed) -> bool:
    others = sum(bet.amount for bet in table.bets if bet.box == event.box and bet.name != event.name)
    return rulebook.box_has_room(table.rules, on_box=others, amount=event.amount)


def _shoe_opened(table: Table, event: ShoeOpened) -> Table:
    _idle(table)
    if table.shoe is not None or table.opening is not None or event.record.seed_commitments:
        raise Refused("table.shoe_there")
    return replace(table, opening=event.record, seeds=())


def _opening(table: Table) -> ShoeRecord:
    if table.opening is None:
        raise Refused("table.no_shoe")
    return table.opening


def _seed_promised(table: Table, event: SeedPromised) -> Table:
    person(table, event.name)
    record = _opening(table)
    if event.name in table.seeds:
        raise Refused("table.seed_twice", name=event.name)
    return replace(table, opening=fairness.promise(record, event.hash), seeds=(*table.seeds, event.name))


def _seeds_closed(table: Table, _: SeedsClosed) -> Table:
    return replace(table, opening=fairness.close(_opening(table)))


def _seed_opened(table: Table, event: SeedOpened) -> Table:
    record = _opening(table)
    if event.name not in table.seeds:
        raise Refused("table.no_seed", name=event.name)
    try:
        seed = bytes.fromhex(event.seed)
    except ValueError:
        raise BadInput("fairness.seed_length", length=0) from None
    return replace(table, opening=fairness.open_seed(record, index=table.seeds.index(event.name), seed=seed))


def _shoe_ready(table: Table, event: ShoeReady) -> Table:
    _idle(table)
    if table.opening is not None and replace(event.record, cut=None) != table.opening:
        raise Refused("table.no_shoe")
    return replace(table, shoe=event.record, spent=(), opening=None, seeds=())


def _hosted(table: Table, event: Hosted) -> Table:
    if event.name:
        person(table, event.name)
    return replace(table, host=event.name)


def _paused(table: Table, event: Paused) -> Table:
    return replace(table, paused=event.on)


def _reshuffled(table: Table, event: Reshuffled) -> Table:
    if not table.playing or table.shoe is None:
        raise Refused("table.no_shoe")
    return replace(table, shoe=event.record)


def _shoe_retired(table: Table, event: ShoeRetired) -> Table:
    _idle(table)
    if table.shoe is None or table.shoe.id != event.record.id:
        raise Refused("table.no_shoe")
    return replace(table, shoe=None, spent=())


def _locked(table: Table, event: Lock) -> Table:
    _idle(table)
    if table.shoe is None:
        raise Refused("table.no_shoe")
    if table.paused:
        raise Refused("table.paused")
    if event != lock_due(table):
        raise Refused("table.lock_differs")
    begun = rounds.begin(table.rules, event)
    return replace(table, round=begun, events=(event,), number=table.number + 1, last=table.bets, bets=())


def _in_round(table: Table, event: Event) -> Table:
    if table.round is None:
        raise Refused("table.no_round")
    went_on = rounds.apply(table.round, event)
    moved = replace(table, round=went_on, events=(*table.events, event))
    return _over(moved, went_on) if type(went_on.waits) is Over else moved


def _over(table: Table, ended: Round) -> Table:
    now = dict(zip(ended.bettors, ended.spare, strict=True))
    people = tuple(replace(one, chips=now.get(one.name, one.chips)) for one in table.people)
    return replace(table, people=people, spent=(*table.spent, ended.dealt))


_ACCEPT: Final[dict[type, Callable[[Table, Any], Table]]] = {
    Joined: _joined,
    Left: _left,
    Leaving: _leaving,
    Sat: _sat,
    StoodUp: _stood_up,
    Consented: _consented,
    Placed: _placed,
    ShoeOpened: _shoe_opened,
    SeedPromised: _seed_promised,
    SeedsClosed: _seeds_closed,
    SeedOpened: _seed_opened,
    Hosted: _hosted,
    Paused: _paused,
    Closing: _closing,
    ShoeReady: _shoe_ready,
    Reshuffled: _reshuffled,
    ShoeRetired: _shoe_retired,
    Lock: _locked,
    Dealt: _in_round,
    Checked: _in_round,
    Turned: _in_round,
    Decided: _in_round,
    Voided: _in_round,
}
