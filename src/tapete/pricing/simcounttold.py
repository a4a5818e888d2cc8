"""How a table is counted, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Final

from tapete.chart import INSURANCE, INSURANCE_BLACKJACK, NO, PAIR, YES
from tapete.errors import BadInput
from tapete.pricing import apart, charted, simcount
from tapete.pricing.playfile import Origin
from tapete.pricing.simcount import Counter
from tapete.rules import RuleSet, digest
from tapete.sim.count import FLOOR, LEVELS, NEAREST, PACK, TRUNCATE, IndexPlay
from tapete.sim.systems import PER
from tapete.words import N_, Words

_GRAINS: Final[Mapping[int, str]] = MappingProxyType(
    {
        1: N_("to the card"),
        PACK // 4: N_("to the nearest quarter of a pack"),
        PACK // 2: N_("to the nearest half pack"),
        PACK: N_("to the nearest pack"),
    }
)
_ROUNDINGS: Final[Mapping[int, str]] = MappingProxyType(
    {FLOOR: N_("rounded down"), TRUNCATE: N_("its fraction cut off"), NEAREST: N_("rounded to the nearest")}
)
_PER: Final[Mapping[int, str]] = MappingProxyType(
    {
        PER["pack"]: N_("the running count by the packs unseen"),
        PER["half-pack"]: N_("the running count by the half packs unseen"),
        PER["quarter-pack"]: N_("the running count by the quarters of a pack unseen"),
    }
)
_INSURED: Final[Mapping[str, str]] = MappingProxyType(
    {INSURANCE: N_("insurance"), INSURANCE_BLACKJACK: N_("insurance with a blackjack")}
)


def lines(counter: Counter | None, rules: RuleSet, words: Words) -> Iterator[str]:
    """What is said of a counter; nothing if nobody counts."""
    if counter is None:
        return
    yield from way(counter, rules, words)
    if counter.dropped:
        yield words.say(N_("Published plays that do not fit this table: {plays}."),
                        plays=[_play(one, rules, words) for one in counter.dropped])  # fmt: skip
    yield from _foreign(counter, rules, words)
    if rules.shuffle != "cut_card" or rules.cut_card_left is None:
        yield words.say(N_("With a shuffle before every round, every bet is made at the same count."))


def _foreign(counter: Counter, rules: RuleSet, words: Words) -> Iterator[str]:
    """What a file of plays says it is for, where that is something else."""
    origin, file = counter.origin, counter.told["plays"][-80:]
    if origin.rules and origin.rules != digest(rules):
        yield words.say(N_("The plays of {file} were derived for other rules than this table’s."), file=file)
    ours = f"{counter.system.id}, {simcount.way(counter.conversion)}"
    theirs = f"{origin.system}, {_way(origin, counter)}"
    if origin.system and theirs != ours:
        yield words.say(N_("The plays of {file} were derived for another count: {theirs}; here it is {ours}."),
                        file=file, theirs=theirs[:80], ours=ours)  # fmt: skip


def _way(origin: Origin, counter: Counter) -> str:
    """The whole way to the true count, of which a file may say a part."""
    try:
        return simcount.way(simcount.conversion(origin.way, counter.system))
    except BadInput:
        return origin.way


def way(counter: Counter, rules: RuleSet, words: Words) -> Iterator[str]:
    """How a counter counts, bets and plays."""
    yield counted(counter, rules, words)
    if counter.told["spread"]:
        yield words.say(N_("Units on each box by the count: {steps}."), steps=_steps(counter, words))
    else:
        yield words.say(N_("One unit on each box, whatever the count."))
    if counter.ramp.enter > -LEVELS:
        yield words.say(N_("Plays from a count of {enter} on, and stops before a round that begins below {leave}."),
                        enter=counter.ramp.enter, leave=counter.ramp.leave)  # fmt: skip
    if counter.plays:
        yield words.plural("{n} index play changes the chart.", "{n} index plays change the chart.", len(counter.plays))


def counted(counter: Counter, rules: RuleSet, words: Words) -> str:
    """How a counter counts."""
    system, conversion = counter.system, counter.conversion
    if not conversion.grain:
        begin = counter.counting(rules).begin // counter.scale
        return words.say(N_("Counted by {system}: a running count that begins at {begin}."),
                         system=system.name, begin=begin)  # fmt: skip
    return words.say(
        N_("Counted by {system}; the true count is {divided}, {grain}, {rounding}."),
        system=system.name,
        divided=words.say(_PER[system.per or PACK]),
        grain=words.say(_GRAINS[conversion.grain]),
        rounding=words.say(_ROUNDINGS[conversion.rounding]),
    )


def _steps(counter: Counter, words: Words) -> str:
    """The units, each from the count on at which it begins."""
    found = []
    for units, of in groupby(enumerate(counter.ramp.bets, -LEVELS), lambda one: one[1]):
        first = next(of)[0]
        if first > -LEVELS:
            found.append(words.say(N_("{units} from {level} on"), units=units, level=first))
        else:
            found.append(words.say(N_("{units} below that"), units=units))
    if len(found) == 1:
        return str(counter.ramp.bets[0])
    return ", ".join([*found[1:], found[0]])


def _play(play: IndexPlay, rules: RuleSet, words: Words) -> str:
    """A published play; the table need not have its row."""
    letters = "/".join(letter(one, rules, words) for one in (play.below, play.above))
    return words.say(N_("{hand} v {card} ({letters})"), hand=_hand(play.row, words), card=play.column, letters=letters)


def _hand(row: str, words: Words) -> str:
    if row in _INSURED:
        return words.say(_INSURED[row])
    kind, _, value = row.rpartition(" ")
    return f"{value}-{value}" if kind == PAIR else apart.total_told(kind, value, words)


def letter(code: str, rules: RuleSet, words: Words) -> str:
    """The letter of a play, of insurance too, as the table's players know it."""
    if code in (YES, NO):
        return words.say(N_("Y")) if code == YES else NO
    return charted.letter(code, rules, words)
