"""``tapete edge``: what a table keeps of a bet, against each card of the dealer, and what better play is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tapete import lookup, rulebook
from tapete.exact.analysis import LEVELS, Against, Price
from tapete.exact.counting import endless
from tapete.exact.spread import Spread, spread
from tapete.pricing import figures, priced, spreading, strategies
from tapete.pricing.priced import CHART, USUAL, Table
from tapete.rules import RuleSet, digest
from tapete.terminal.talk import Talk
from tapete.words import N_, Words


class Edge(NamedTuple):
    """A table priced at the strategy asked for, and at another one to compare it with."""

    table: Table
    price: Price
    other: Price


def edge(table: Table, price: Price) -> Edge:
    """A price beside that of the chart by totals, or for that one beside the best play by every card."""
    other = USUAL if price.level in (CHART, "two-card") else CHART
    return Edge(table, price, strategies.price(table, other))


def spread_of(found: Edge) -> Spread:
    """How far the results of a round spread."""
    if found.price.level in LEVELS:
        return priced.spread_of(found.table.rules, found.table.shoe, found.price.level)
    return spread(found.price)


# --- in words -------------------------------------------------------------------------------------------------------


def tell_edge(table: Table, price: Price, talk: Talk) -> None:
    """Says the edge and what it means."""
    talk.line(f"{table.title(talk.words)} ({table.preset.id})")
    talk.tell(N_("House edge: {edge}"), edge=figures.percent(price.house_edge, talk.words, digits=8))
    talk.tell(
        N_("That is what the house keeps, on average, of the first bet of a round; below zero, the player gains.")
    )
    talk.line("")
    talk.tell(N_("Player: {ev} per initial bet"), ev=figures.number(price.ev, talk.words, digits=10))


def tell(found: Edge, talk: Talk) -> None:
    """Says what it holds for, what other play is worth, and the value against each card of the dealer."""
    words, table, price = talk.words, found.table, found.price
    talk.tell(
        N_("Played by {strategy}: {meaning}."), strategy=price.level, meaning=strategies.meaning(price.level, words)
    )
    talk.line(worth(found, words))
    talk.line(cards(table, words))
    talk.tell(N_("Rules: {digest}"), digest=digest(table.rules))
    talk.line("")
    for line in by_upcard(table.rules, price, words):
        talk.line(line)


def cards(table: Table, words: Words) -> str:
    """Which cards the price is for."""
    many = sum(table.shoe)
    if table.fresh:
        return words.plural("Shoe: the whole one, {n} card.", "Shoe: the whole one, {n} cards.", many)
    if table.shoe == endless(table.rules):
        return words.say(N_("Shoe: endless, so that no card that is drawn is missed."))
    kinds = lookup.kinds(table.rules)
    told = ", ".join(f"{figures.name(kind)}: {left}" for kind, left in zip(kinds, table.shoe, strict=True))
    return words.plural("Shoe: {n} card ({told}).", "Shoe: {n} cards ({told}).", many, told=told)


def worth(found: Edge, words: Words) -> str:
    """What the strategy is worth beside the other one."""
    gain = found.price.ev - found.other.ev
    edge_ = figures.percent(found.other.house_edge, words, digits=8)
    told = figures.percent(abs(gain), words, digits=8)
    if gain < 0:
        text = N_("By {other} the edge is {edge}; that is {told} of the bet better for the player.")
    else:
        text = N_("By {other} the edge is {edge}; that is {told} of the bet worse for the player.")
    return words.say(text, other=found.other.level, edge=edge_, told=told)


def by_upcard(rules: RuleSet, price: Price, words: Words) -> list[str]:
    """The value against what the dealer shows, as lines; where both cards lie open, by his total."""
    groups = list(_grouped(rules, price.against(), words))
    peeked = any(lookup.is_checked(rules, start) for start in lookup.starts(rules) if len(start) == 1)
    head = [N_("Dealer shows"), N_("Chance"), N_("Player’s value"), *([N_("No blackjack")] if peeked else [])]
    rows = [[words.say(one) for one in head]]
    for name, group in groups:
        row = [name, figures.percent(group.chance, words, digits=3), figures.number(group.ev, words)]
        rows.append([*row, *([figures.number(group.ev_without, words)] if peeked else [])])
    return figures.columns(rows)


def _grouped(rules: RuleSet, against: Sequence[Against], words: Words) -> Iterator[tuple[str, Against]]:
    if rules.dealer_deal != "both_up":
        yield from ((figures.start(rules, one.start), one) for one in against)
        return
    groups: dict[tuple[bool, bool, int], list[Against]] = {}
    for one in against:
        groups.setdefault(_shown(rules, one.start), []).append(one)
    for key in sorted(groups):
        yield _total_name(key, words), _together(groups[key])


def _shown(rules: RuleSet, start: tuple[int, ...]) -> tuple[bool, bool, int]:
    """What two open cards make: whether a blackjack, whether soft, the total."""
    points = [lookup.dealer_kinds(rules)[kind].points for kind in start]
    ace = 1 in points
    return lookup.is_natural(rules, start), ace, rulebook.total(sum(points), ace=ace)


def _total_name(key: tuple[bool, bool, int], words: Words) -> str:
    natural, soft, total = key
    if natural:
        return words.say(N_("a blackjack"))
    return words.say(N_("soft {total}") if soft else N_("hard {total}"), total=total)


def _together(group: Sequence[Against]) -> Against:
    chance = sum(one.chance for one in group)
    ev = sum(one.chance * one.ev for one in group) / chance
    blackjack = sum(one.chance * one.blackjack for one in group) / chance
    return Against(group[0].start, chance, ev, blackjack, ev)


# --- as JSON --------------------------------------------------------------------------------------------------------


def as_json(found: Edge, spread_: Spread) -> dict[str, Any]:
    """The same with all digits; the keys are documented in docs/pricing.md."""
    price, rules = found.price, found.table.rules
    return {
        **priced.stated(found.table, price.level),
        "ev": float(price.ev),
        "house_edge": float(price.house_edge),
        **spreading.as_json(spread_),
        "compared": {"strategy": found.other.level, "ev": float(found.other.ev)},
        "by_upcard": {priced.start_name(rules, one.start): _as_json(one) for one in price.against()},
    }


def _as_json(one: Against) -> dict[str, float]:
    return {
        "chance": float(one.chance),
        "ev": float(one.ev),
        "blackjack": float(one.blackjack),
        "ev_without_blackjack": float(one.ev_without),
    }
