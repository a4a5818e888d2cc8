"""A table and a way of playing as one machine: states of a hand, what each card does to it, what it does next.

The states are hands that neither the rules nor the way of playing tell apart: every hand that the way can bring about
is followed from the deal, from the largest back, and those with the same future are one state. So the few states of a
chart by totals and the hundreds of a play by every card are the same kind of table, and the kernel knows no rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tapete import lookup
from tapete.errors import BadInput
from tapete.exact import counting
from tapete.exact.boxes import BUST, RAISED
from tapete.exact.counting import Counted
from tapete.exact.play import draws_on
from tapete.exact.playing import RETIRE as RETIRES
from tapete.exact.playing import SPLIT as SPLITS
from tapete.exact.playing import Way, deals
from tapete.exact.tables import FRESH, resplits
from tapete.exact.tree import Ints
from tapete.sim.count import LEVELS

REST: Final = 0
HIT: Final = 1
DOUBLE: Final = 2
SPLIT: Final = 3
RETIRE: Final = 4
PLANNED: Final = 5
"""What a hand does next; from PLANNED on what a plan says, which hangs on the true count."""
Bytes = npt.NDArray[np.uint8]
Shorts = npt.NDArray[np.uint16]


class Machine(NamedTuple):
    """The states of a player's hand.

    ``next_[state, kind]`` with one more card, ``raised[state, kind]`` where that card follows a double;
    ``act[start, state]``, and ``full[start, state]`` where the box may hold no more hands; ``end[state]`` is the
    hand's place in the money tables; ``insures[start, state]``. A hand of a box begins as state ``begin[box]``, one of
    a split with its card as ``split[box, kind]``; ``pair[state]`` is the kind of a pair that may be split, else -1.
    ``plans[plan, level + LEVELS]`` is what ``act``, ``full`` and ``insures`` mean from :data:`PLANNED` on.
    """

    next_: Shorts
    raised: Shorts
    act: Bytes
    full: Bytes
    end: Bytes
    insures: Bytes
    begin: Ints
    split: Shorts
    pair: Ints
    plans: Bytes


class _State(NamedTuple):
    """All that tells a state from others."""

    end: int
    act: bytes
    full: bytes
    insures: bytes
    next_: tuple[int, ...]
    raised: tuple[int, ...]
    pair: int


class _Moves(NamedTuple):
    """What hands do, by hand and start, and whether some of them take a card, or double."""

    plain: Bytes
    hits: list[bool]
    doubles: list[bool]


class _Maker:
    """Finds the states of a way of playing, or of several by the true count, each once."""

    def __init__(self, counted: Counted, ways: Sequence[tuple[int, Way]]) -> None:
        self._ready = counted.tables
        self._tree = self._ready.plan.tree
        self._child, self._size, self._row = (
            self._tree.child.tolist(),
            self._tree.size.tolist(),
            self._ready.row.tolist(),
        )
        self._kinds = len(counted.shoe)
        self._starts = counted.starts.shape[1]
        self._known: dict[tuple[int, int, bool], int] = {}
        self._number: dict[_State, int] = {}
        self._plain: dict[tuple[int, bool], _Moves] = {}
        self._single: dict[int, Bytes] = {}
        self._dealt = {deal.hand: at for at, deal in enumerate(deals(counted))}
        self._ways = [way for _, way in ways]
        self._from = [least for least, _ in ways]
        self._plans: dict[tuple[int, ...], int] = {}
        self._wish = [[way.wish, *(_after_split(counted, way, kind) for kind in range(self._kinds))] for _, way in ways]
        self._moves_are = np.dtype(np.uint8 if len(ways) == 1 else np.uint16)
        self._none = bytes(self._starts * self._moves_are.itemsize)
        self._again = [self._pairs(counted, kind) for kind in range(self._kinds)]
        self._bust = [self._numbered(_State(BUST + RAISED * twice, *(self._none,) * 3, (), (), -1)) for twice in (0, 1)]

    def _pairs(self, counted: Counted, kind: int) -> frozenset[int]:
        """The hands that a split card of this kind makes with another card to be split again."""
        if not resplits(counted.rules, kind):
            return frozenset()
        return frozenset(self._tree.hand(kind, other) for other in lookup.alike(counted.rules, kind))

    def _numbered(self, state: _State) -> int:
        return self._number.setdefault(state, len(self._number))

    def state(self, context: int, hand: int, *, doubled: bool) -> int:
        """The state of a hand in a context; a hand that is no more is bust."""
        if hand < 0:
            return self._bust[doubled]
        key = context, hand, doubled
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._numbered(self._found(context, hand, doubled=doubled))
        return found

    def _found(self, context: int, hand: int, *, doubled: bool) -> _State:
        size = self._size[hand]
        if size < 2:
            return _State(0, *(self._none,) * 3, self._after(context, hand, doubled=False), (), -1)
        moves = self._moves(context, doubled=doubled)
        plain = act = moves.plain[hand]
        insures = self._none
        if not doubled and size == 2:
            act, insures = self._at_first(context, hand, plain)
        end = self._row[context][hand] + RAISED * doubled
        pair = self._last_kind(hand) if self._may_split(act) else -1
        return _State(
            end, act.tobytes(), plain.tobytes(), insures,
            self._after(context, hand, doubled=doubled) if moves.hits[hand] else (),
            self._after(context, hand, doubled=True) if moves.doubles[hand] else (),
            pair,
        )  # fmt: skip

    def _after(self, context: int, hand: int, *, doubled: bool) -> tuple[int, ...]:
        return tuple([self.state(context, more, doubled=doubled) for more in self._child[hand]])

    def _last_kind(self, hand: int) -> int:
        return int(np.flatnonzero(self._tree.counts[hand])[-1])

    def _may_split(self, act: Bytes) -> bool:
        splitting = [SPLIT, *(PLANNED + number for plan, number in self._plans.items() if SPLIT in plan)]
        return bool(np.isin(act, splitting).any())

    def _moves(self, context: int, *, doubled: bool) -> _Moves:
        """Standing, hitting or doubling, of every hand of a context."""
        if (context, doubled) not in self._plain:
            each = [self._plainly(context, wish[context], doubled=doubled) for wish in self._wish]
            hits, doubles = (np.any([(one == move).any(1) for one in each], 0).tolist() for move in (HIT, DOUBLE))
            self._plain[context, doubled] = _Moves(self._planned(each), hits, doubles)
        return self._plain[context, doubled]

    def _plainly(self, context: int, wish: Ints, *, doubled: bool) -> Bytes:
        ready = self._ready
        bits = (ready.doubled if doubled else ready.legal)[context][ready.code][:, ready.standing]
        wanted = draws_on(wish) if doubled else wish & 1 == 1
        found = np.where((bits & lookup.HIT > 0) & ((bits & lookup.STAND == 0) | wanted), HIT, REST)
        if not doubled:
            found = np.where((wish & 2 > 0) & (bits & lookup.DOUBLE > 0), DOUBLE, found)
        return np.where(bits & (lookup.STAND | lookup.HIT) == 0, REST, found).astype(np.uint8)

    def _planned(self, each: Sequence[Bytes]) -> Bytes:
        """Moves of several ways as one: the move where they agree, else a plan."""
        found = each[0].astype(self._moves_are)
        if len(each) == 1:
            return found
        differs = np.any([one != found for one in each[1:]], 0)
        for at in zip(*np.nonzero(differs), strict=True):
            plan = tuple(int(one[at]) for one in each)
            found[at] = PLANNED + self._plans.setdefault(plan, len(self._plans))
        return found

    def _at_first(self, context: int, hand: int, plain: Bytes) -> tuple[Bytes, bytes]:
        """What a hand of two cards does before it is played: splitting, retiring, insuring."""
        if context:
            return (np.full_like(plain, SPLIT) if hand in self._again[context - 1] else plain), self._none
        at = self._dealt.get(hand)
        if at is None:
            return plain, self._none
        acts, insures = [], []
        for way, wish in zip(self._ways, self._wish, strict=True):
            own = plain if len(self._ways) == 1 else self._own(hand, wish[FRESH])
            choice = way.choice[at]
            act = np.where(choice == SPLITS, SPLIT, np.where(choice == RETIRES, RETIRE, own)).astype(np.uint8)
            acts.append(act)
            insures.append((way.insures[at] > 0).astype(np.uint8))
        return self._planned(acts), self._planned(insures).tobytes()

    def _own(self, hand: int, wish: Ints) -> Bytes:
        """What a dealt hand does in one of several ways."""
        key = id(wish)
        if key not in self._single:
            self._single[key] = self._plainly(FRESH, wish, doubled=False)
        found: Bytes = self._single[key][hand]
        return found

    def _levels(self) -> Bytes:
        """The plans by level."""
        which = np.searchsorted(self._from, np.arange(-LEVELS, LEVELS + 1), side="right") - 1
        found = np.array([*self._plans], dtype=np.uint8).reshape(len(self._plans), len(self._ways))
        return np.ascontiguousarray(found[:, which])

    def made(self) -> Machine:
        """The whole machine."""
        self.state(FRESH, 0, doubled=False)
        split = [self.state(kind + 1, self._tree.hand(kind), doubled=False) for kind in range(self._kinds)]
        states = list(self._number)
        first = self._known[FRESH, 0, False]
        order = [first, *(at for at in range(len(states)) if at != first)]
        place = np.argsort(order).astype(np.min_scalar_type(max(len(order), 256)))
        nothing = (0,) * self._kinds
        tables = [[getattr(states[at], name) or nothing for at in order] for name in ("next_", "raised")]
        next_, raised = (place[np.array(table)] for table in tables)
        by_start = (np.array([np.frombuffer(getattr(states[at], name), dtype=self._moves_are) for at in order]).T.copy()
                    for name in ("act", "full", "insures"))  # fmt: skip
        act, full, insures = by_start
        end = np.array([states[at].end for at in order], dtype=np.uint8)
        pair = np.array([states[at].pair for at in order], dtype=np.int64)
        begin, starts = np.zeros(1, dtype=np.int64), place[np.array([split])]
        return Machine(next_, raised, act, full, end, insures, begin, starts, pair, self._levels())


def _after_split(counted: Counted, way: Way, kind: int) -> Ints:
    """What hands from a split card of this kind do. Raises BadInput where that hangs on what else is gone."""
    found: Ints | None = None
    for kinds, wishes in way.after.items():
        for place, wish in zip(counting.places(counted, kinds), wishes, strict=True):
            if place.kind != kind:
                continue
            if found is not None and (found != wish).any():
                raise BadInput("sim.remembers")
            found = wish
    return way.wish if found is None else found


def machine(counted: Counted, ways: Sequence[tuple[int, Way]]) -> Machine:
    """The machine of a way of playing, or of several, each from a true count on, the first from -LEVELS.

    Raises BadInput ``sim.remembers`` where split hands look at each other.
    """
    return _Maker(counted, ways).made()


def joined(each: Sequence[Machine]) -> Machine:
    """One machine for boxes that have these, one each; the same one has its states only once."""
    different = list({id(one): one for one in each}.values())
    where = [next(at for at, one in enumerate(different) if one is mine) for mine in each]
    first = np.cumsum([0, *(len(one.end) for one in different)])
    plans = np.cumsum([0, *(len(one.plans) for one in different)])
    wide = np.min_scalar_type(max(int(first[-1]), 256))

    def states(name: str) -> list[Any]:
        return [(getattr(one, name) + first[at]).astype(wide) for at, one in enumerate(different)]

    def moves(name: str) -> Any:
        told = [getattr(one, name).astype(np.int64) for one in different]
        moved = [np.where(one < PLANNED, one, one + plans[at]) for at, one in enumerate(told)]
        return np.concatenate(moved, 1).astype(np.uint8 if plans[-1] + PLANNED < 256 else np.uint16)

    split = states("split")
    return Machine(
        np.concatenate(states("next_")),
        np.concatenate(states("raised")),
        moves("act"),
        moves("full"),
        np.concatenate([one.end for one in different]),
        moves("insures"),
        np.array([int(different[at].begin[0] + first[at]) for at in where]),
        np.concatenate([split[at] for at in where]),
        np.concatenate([one.pair for one in different]),
        np.concatenate([one.plans for one in different]),
    )
