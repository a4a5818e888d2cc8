"""``tapete cost``: what each switch of a table is worth to the player, one changed at a time."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tapete import rulecard
from tapete.errors import BadInput
from tapete.exact.analysis import analyse
from tapete.exact.counting import full
from tapete.pricing import figures, priced
from tapete.pricing.priced import Table
from tapete.rulecheck import faults, idle, taking_along
from tapete.rules import GROUPS, KEYS, RuleSet, Value, differences, digest, get, nearest, with_
from tapete.rulevalues import KINDS, to_text
from tapete.terminal.talk import Talk
from tapete.words import N_, Words

NO_PRICE: Final = frozenset({
    "shuffle", "cut_card_left", "back_colours", "seats_max", "min_players", "boxes_per_player", "bet_min", "bet_max",
    "unit", "bet_behind.mode", "bet_behind.cap", "bet_behind.follow", "bet_behind.insure", "dealer_draws",
    "bj_pay_time", "insurance.amount", "split.second_cards", "settle_order", "ui_verbs", "version",
})  # fmt: skip
"""The switches that change nothing for one box that bets the same in a fresh shoe."""
USUAL: Final[Mapping[str, tuple[Value, ...]]] = MappingProxyType(
    {
        "decks": (1, 2, 4, 6, 8),
        "bj_pays": ((1, 1), (6, 5), (7, 5), (3, 2), (2, 1)),
        "insurance.pays": ((2, 1), (3, 1)),
        "surrender.loss": ((1, 4), (1, 2), (3, 4)),
        "double.totals": ("any", (9, 10, 11), (10, 11), (11,), ()),
        "split.exclude": ((), (4, 5, 10), (10,), (11,)),
        "split.max_hands": (1, 2, 3, 4),
    }
)
"""The values that are tried of switches which have too many."""
NOTHING: Final = 1e-12
"""A change of less than this is none: the counting is that exact."""


class Change(NamedTuple):
    """One switch with another value, and what it is worth to the player; ``problem`` where it has no price."""

    key: str
    value: Value
    rules: RuleSet
    along: tuple[str, ...]
    gain: float
    problem: BadInput | None = None


class Costs(NamedTuple):
    """The changes that were priced, of so many, from a table at this value; ``only``: of these switches alone."""

    table: Table
    strategy: str
    ev: float
    changes: tuple[Change, ...]
    many: int
    only: tuple[str, ...] = ()


def values(key: str) -> tuple[Value, ...]:
    """The values of a switch that are tried."""
    kind = KINDS[key]
    if kind.shape == "flag":
        return (False, True)
    return USUAL.get(key, tuple(kind.words))


def possible(rules: RuleSet, only: Sequence[str] = ()) -> list[Change]:
    """Every change of one switch that could matter and that makes a table which can be played, not priced yet.

    ``only``: these switches alone, or groups of them. Raises BadInput for what is no switch with a price here.
    """
    resting = {*idle(rules), *NO_PRICE}
    _known(only, resting)
    found = []
    for key in (one for one in KEYS if one not in resting and _wanted(one, only)):
        for value in values(key):
            changed = taking_along(with_(rules, {key: value}), {key}) if value != get(rules, key) else rules
            if changed != rules and not faults(changed):
                along = tuple(one for one, _, _ in differences(rules, changed) if one != key and one not in NO_PRICE)
                found.append(Change(key, value, changed, along, 0.0))
    return found


def _wanted(key: str, only: Sequence[str]) -> bool:
    return not only or key in only or key.partition(".")[0] in only


def _known(only: Sequence[str], resting: Collection[str]) -> None:
    for asked in only:
        if asked not in KEYS and asked not in GROUPS:
            near = nearest(asked, (*KEYS, *GROUPS))
            raise BadInput("rules.unknown_key_near" if near else "rules.unknown_key", key=asked[:40], nearest=near)
        if all(key in resting for key in KEYS if _wanted(key, (asked,))):
            raise BadInput("price.no_price", key=asked)


def priced_change(change: Change, strategy: str, ev: float) -> Change:
    """The change with its price, which is the difference to ``ev``."""
    try:
        price = analyse(change.rules, level=strategy)
    except BadInput as problem:
        return change._replace(problem=problem)
    return change._replace(gain=float(price.ev) - ev)


def costs(table: Table, strategy: str, only: Sequence[str] = ()) -> Iterator[Costs]:
    """The changes of a table's switches, one more at a time; whoever stops in between has those so far."""
    waiting = possible(table.rules, only)
    whole = table._replace(shoe=full(table.rules), fresh=True)
    ev = float(priced.price(whole.rules, whole.shoe, strategy).ev)
    found: tuple[Change, ...] = ()
    yield Costs(whole, strategy, ev, found, len(waiting), tuple(only))
    for change in waiting:
        found = (*found, priced_change(change, strategy, ev))
        yield Costs(whole, strategy, ev, found, len(waiting), tuple(only))


def gather(stages: Iterator[Costs], *, progress: bool) -> Costs:
    """The last stage that was reached; Ctrl-C ends it there. ``progress``: how far it is, on the error output."""
    found = next(stages)
    try:
        for found in stages:
            if progress:
                sys.stderr.write(f"\r{len(found.changes)}/{found.many}")
                sys.stderr.flush()
    except KeyboardInterrupt:
        pass
    if progress:
        sys.stderr.write("\r" + " " * 9 + "\r")
    return found


# --- in words -------------------------------------------------------------------------------------------------------


def ordered(found: Costs) -> list[Change]:
    """The changes that are worth something, the best for the player first."""
    told = [one for one in found.changes if one.problem is None and abs(one.gain) > NOTHING]
    return sorted(told, key=lambda one: -one.gain)


def tell(found: Costs, talk: Talk) -> None:
    """Says what each change is worth."""
    words, table = talk.words, found.table
    talk.line(f"{table.title(words)} ({table.preset.id})")
    edge = figures.percent(-found.ev, words, digits=6)
    talk.tell(N_("House edge as the table is, by {strategy}: {edge}"), edge=edge, strategy=found.strategy)
    talk.tell(N_("With one rule changed, the player has so much more of the initial bet:"))
    talk.line("")
    gains = [figures.percent(one.gain, words, digits=4, signed=True) for one in ordered(found)]
    wide = max(map(len, gains), default=0)
    for gain, one in zip(gains, ordered(found), strict=True):
        talk.line(f"{gain:>{wide}}  {sentence(one, words)} [{setting(one)}]")
    _tell_rest(found, talk)


def setting(change: Change) -> str:
    """A change as ``--set`` reads it."""
    return f"{change.key}={to_text(change.key, change.value)}"


def sentence(change: Change, words: Words) -> str:
    """What the changed rule says, and which others go with it."""
    told = rulecard.sentence(change.rules, change.key, words)
    if not change.along:
        return told
    others = ", ".join(f"{key}={to_text(key, get(change.rules, key))}" for key in change.along)
    return words.say(N_("{sentence} (with {others})"), sentence=told, others=others)


def _tell_rest(found: Costs, talk: Talk) -> None:
    same = [setting(one) for one in found.changes if one.problem is None and abs(one.gain) <= NOTHING]
    if same or not found.only:
        talk.line("")
    if same:
        talk.tell(N_("These change nothing: {settings}."), settings=same)
    for one in found.changes:
        if one.problem is not None:
            talk.line(f"{setting(one)}: {talk.words.explain(one.problem)}")
    if not found.only:
        talk.tell(N_("These have no price for one box in a fresh shoe: {keys}."), keys=sorted(NO_PRICE))
    if len(found.changes) < found.many:
        talk.tell(N_("Stopped after {done} of {all} changes."), done=len(found.changes), all=found.many)


# --- as JSON --------------------------------------------------------------------------------------------------------


def as_json(found: Costs) -> dict[str, Any]:
    """The same with all digits; the keys are documented in docs/pricing.md."""
    return {
        **priced.stated(found.table, found.strategy),
        "ev": found.ev,
        "changes": [_as_json(one) for one in found.changes],
        "no_price": sorted(NO_PRICE),
        "complete": len(found.changes) == found.many,
    }


def _as_json(one: Change) -> dict[str, Any]:
    told = {"key": one.key, "value": to_text(one.key, one.value), "rules": digest(one.rules), "along": list(one.along)}
    return {**told, "problem": one.problem.code} if one.problem else {**told, "gain": one.gain}
