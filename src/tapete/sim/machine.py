"""A table and a way of playing as one machine: states of a hand, what each card does to it, what it does next.

The states are hands that neither the rules nor the way of playing tell apart: every hand that the way can bring about
is followed from the deal, from the largest back, and those with the same future are one state. So the few states of a
chart by totals and the hundreds of a play by every card are the same kind of table, and the kernel knows no rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

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
SPLIT: Final = 1
RETIRE: Final = 2
BEGIN: Final = 3
"""What a hand does next, beside taking a card; states are numbered from BEGIN on."""
KINDS: Final = 32
"""So many entries a row has, some of them idle."""
_HIT: Final = 3
_DOUBLE: Final = 4
_PLANNED: Final = 5
Bytes = npt.NDArray[np.uint8]
Shorts = npt.NDArray[np.uint16]


class Machine(NamedTuple):
    """The states of a player's hand, in flat tables.

    ``next_[row * KINDS + kind]`` is the state with one more card. A state is its own row; a double has another row.
    ``act[start * states + state]`` is REST, SPLIT, RETIRE, or the row where the next card is looked up; ``full`` is
    the same where the box may hold no more hands; ``insures``, 1 or 0, goes by the same place. From ``planned`` on a
    move hangs on the true count: what it is then says ``plans[(move - planned) * WIDE + level]``, the level counted
    from -LEVELS. ``end[state]`` is the hand's place in the money tables, ``pair[state]`` the kind of a pair that may be
    split, else -1. A hand of a box begins as state ``begin[box]``, one of a split with its card as
    ``split[box * KINDS + kind]``.
    """

    next_: Shorts
    act: Shorts
    full: Shorts
    insures: Shorts
    plans: Shorts
    end: Bytes
    pair: Ints
    begin: Ints
    split: Ints
    states: int
    planned: int


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

    plain: Shorts
    hits: list[bool]
    doubles: list[bool]


class _Known:
    """The states of all boxes, each once, and the moves that hang on the true count: by level, as plans."""

    def __init__(self) -> None:
        self.states: dict[_State, int] = {}
        self.plans: dict[tuple[int, ...], int] = {}


class _Maker:
    """Finds the states of a way of playing, or of several by the true count."""

    def __init__(self, counted: Counted, ways: Sequence[tuple[int, Way]], known: _Known) -> None:
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
        self._number, self._plans = known.states, known.plans
        self._plain: dict[tuple[int, bool], _Moves] = {}
        self._single: dict[int, Bytes] = {}
        self._dealt = {deal.hand: at for at, deal in enumerate(deals(counted))}
        self._ways = [way for _, way in ways]
        levels = np.arange(-LEVELS, LEVELS + 1)
        self._which = np.searchsorted([least for least, _ in ways], levels, side="right") - 1
        self._wish = [[way.wish, *(_after_split(counted, way, kind) for kind in range(self._kinds))] for _, way in ways]
        self._none = np.zeros(self._starts, dtype=np.uint16).tobytes()
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
        pair = self._last_kind(hand) if act is not plain and self._may_split(act) else -1
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

    def _may_split(self, act: Shorts) -> bool:
        splitting = [SPLIT, *(_PLANNED + number for plan, number in self._plans.items() if SPLIT in plan)]
        return bool(np.isin(act, splitting).any())

    def _moves(self, context: int, *, doubled: bool) -> _Moves:
        """Standing, hitting or doubling, of every hand of a context."""
        if (context, doubled) not in self._plain:
            each = [self._plainly(context, wish[context], doubled=doubled) for wish in self._wish]
            hits, doubles = (np.any([(one == move).any(1) for one in each], 0).tolist() for move in (_HIT, _DOUBLE))
            self._plain[context, doubled] = _Moves(self._planned(each), hits, doubles)
        return self._plain[context, doubled]

    def _plainly(self, context: int, wish: Ints, *, doubled: bool) -> Bytes:
        ready = self._ready
        bits = (ready.doubled if doubled else ready.legal)[context][ready.code][:, ready.standing]
        wanted = draws_on(wish) if doubled else wish & 1 == 1
        found = np.where((bits & lookup.HIT > 0) & ((bits & lookup.STAND == 0) | wanted), _HIT, REST)
        if not doubled:
            found = np.where((wish & 2 > 0) & (bits & lookup.DOUBLE > 0), _DOUBLE, found)
        return np.where(bits & (lookup.STAND | lookup.HIT) == 0, REST, found).astype(np.uint8)

    def _planned(self, each: Sequence[Bytes]) -> Shorts:
        """Moves of several ways as one: the move where they agree, else a plan."""
        found = each[0].astype(np.uint16)
        if len(each) == 1:
            return found
        differs = np.any([one != found for one in each[1:]], 0)
        for at in zip(*np.nonzero(differs), strict=True):
            plan = tuple(np.array([one[at] for one in each])[self._which].tolist())
            found[at] = _PLANNED + self._plans.setdefault(plan, len(self._plans))
        return found

    def _at_first(self, context: int, hand: int, plain: Shorts) -> tuple[Shorts, bytes]:
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

    def begin(self) -> tuple[int, list[int]]:
        """The states of a hand without a card, and of split hands by the kind of their card; all others are found."""
        first = self.state(FRESH, 0, doubled=False)
        return first, [self.state(kind + 1, self._tree.hand(kind), doubled=False) for kind in range(self._kinds)]


class _Tables:
    """The flat tables of the states that were found."""

    def __init__(self, known: _Known, begins: Sequence[tuple[int, list[int]]]) -> None:
        self._states, self._plans, self._begins = [*known.states], [*known.plans], begins
        doubles = [at for at, state in enumerate(self._states) if state.raised]
        self._many = len(self._states) + BEGIN
        self._raised = {at: self._many + place for place, at in enumerate(doubles)}
        self._rows = self._many + len(doubles)
        self._planned: dict[tuple[int, ...], int] = {}

    def made(self) -> Machine:
        starts = len(self._states[0].act) // 2
        next_ = np.zeros((self._rows, KINDS), dtype=np.uint16)
        act, full, insures = (np.zeros((starts, self._many), dtype=np.uint16) for _ in range(3))
        for at, state in enumerate(self._states):
            for row, states in ((at + BEGIN, state.next_), (self._raised.get(at, 0), state.raised)):
                if states:
                    next_[row, : len(states)] = np.array(states) + BEGIN
            moves = [REST, SPLIT, RETIRE, at + BEGIN, self._raised.get(at, REST)]
            act[:, at + BEGIN], full[:, at + BEGIN] = (self._coded(one, moves) for one in (state.act, state.full))
            insures[:, at + BEGIN] = self._coded(state.insures, [0, 1])
        split = np.zeros((len(self._begins), KINDS), dtype=np.int64)
        for box, (_, ones) in enumerate(self._begins):
            split[box, : len(ones)] = np.array(ones) + BEGIN
        plans = np.array([*self._planned], dtype=np.uint16).reshape(-1)
        end = np.array([0] * BEGIN + [state.end for state in self._states], dtype=np.uint8)
        pair = np.array([-1] * BEGIN + [state.pair for state in self._states], dtype=np.int64)
        begin = np.array([first + BEGIN for first, _ in self._begins], dtype=np.int64)
        return Machine(
            next_.ravel(), act.ravel(), full.ravel(), insures.ravel(),
            plans, end, pair, begin, split.ravel(), self._many, self._rows,
        )  # fmt: skip

    def _coded(self, codes: bytes, moves: list[int]) -> Shorts:
        """Moves as the kernel has them; ``moves`` are those that hang on no count."""
        found = []
        for code in np.frombuffer(codes, dtype=np.uint16).tolist():
            if code < _PLANNED:
                found.append(moves[code])
            else:
                plan = tuple(moves[one] for one in self._plans[code - _PLANNED])
                found.append(self._rows + self._planned.setdefault(plan, len(self._planned)))
        return np.array(found, dtype=np.uint16)


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


def machine(boxes: Sequence[tuple[Counted, Sequence[tuple[int, Way]]]]) -> Machine:
    """The machine of boxes with a way of playing each, or several, each from a true count on, the first from -LEVELS.

    Raises BadInput ``sim.remembers`` where split hands look at each other.
    """
    known = _Known()
    begins: dict[int, tuple[int, list[int]]] = {}
    for box in boxes:
        if id(box) not in begins:
            begins[id(box)] = _Maker(*box, known).begin()
    return _Tables(known, [begins[id(box)] for box in boxes]).made()
