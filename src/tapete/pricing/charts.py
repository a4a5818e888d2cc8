"""``tapete chart``: the strategy chart of a table, in the terminal, as a picture, and as a file for use.

What plays by every card is told as the chart by totals and the list of hands at which it departs from it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tapete import chart as charts
from tapete import lookup
from tapete.chart import HARD, NAMED, NOTHING, PAIR, SOFT, Chart, Column, Row
from tapete.errors import BadInput
from tapete.exact import given
from tapete.exact.analysis import LEVELS, Price, price_of
from tapete.exact.departures import Departure, departures
from tapete.pricing import chartfile, edges, figures, priced
from tapete.pricing.priced import CHART, Table
from tapete.rules import RuleSet, digest
from tapete.terminal.keys import LETTERS, spoken, word_of
from tapete.terminal.talk import Talk
from tapete.words import N_, Words
from tapete.words import words as words_of

TOLD: Final = 20
"""How many departures the terminal tells."""
OF_NOTE: Final = 1e-9
"""Departures that cost less per round and bet are not listed in files."""
MOVES: Final[Mapping[str, str]] = MappingProxyType(
    {"S": "stand", "H": "hit", "D": "double", "P": "split", "R": "retire"}
)
"""The move that each letter begins with."""
PAINT: Final[Mapping[str, str]] = MappingProxyType(
    {"S": "30;47", "H": "30;107", "D": "30;43", "P": "97;42", "R": "97;41", NOTHING: "2"}
)
"""The colours of each letter in a terminal: always dark on light or light on dark, the letter telling the same."""
_ABOUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "mimic": N_("playing as the dealer has to, who never doubles, splits or retires"),
        "never-bust": N_("hitting only what cannot go bust, and soft hands to 17; no doubling, no splitting"),
        "simple": N_("what the house’s bots play"),
    }
)


class Charted(NamedTuple):
    """A chart with its price. ``other`` is a better strategy: the one asked for, where that looks at more than a chart
    tells, or the best chart beside one from outside; ``departures`` is where it departs from the chart.
    """

    table: Table
    chart: Chart
    price: Price
    other: Price | None
    departures: tuple[Departure, ...]


class Files(NamedTuple):
    """Where a chart is to be written, beside the terminal; ``-`` is out, empty is nowhere."""

    csv: str = ""
    json: str = ""
    markdown: str = ""
    picture: str = ""


def charted(table: Table, strategy: str) -> Charted:
    """The chart of a level, of a strategy that has a name, or of a chart file, with its price."""
    asked = strategy or CHART
    best = priced.price(table.rules, table.shoe, CHART)
    if asked == CHART:
        return Charted(table, given.chart_of(best.round), best, None, ())
    if asked in LEVELS:
        chart, price = given.chart_of(best.round), best
        other = priced.price(table.rules, table.shoe, asked)
    else:
        chart = _outside(table.rules, asked)
        price, other = price_of(table.rules, chart, shoe=table.shoe), best
    return Charted(table, chart, price, other, departures(other.round, chart))


def _outside(rules: RuleSet, name: str) -> Chart:
    """A chart that is not counted. Raises BadInput ``chart.…``."""
    if name in NAMED:
        return NAMED[name](rules)
    if chartfile.is_file(name):
        return chartfile.read(rules, name)
    raise BadInput("chart.no_strategy", strategy=name[:40], allowed=(*LEVELS, *NAMED))


def show(table: Table, strategy: str, files: Files, words: Words) -> int:
    """Tells the chart, and writes the files that are asked for."""
    if files.picture:
        from tapete.pricing import drawing  # noqa: PLC0415  (heavy, and only pictures need it)

        drawing.check(files.picture)
    found = charted(table, strategy)
    if "-" not in files:
        tell(found, Talk(words), colour=_colours())
    if files.csv:
        chartfile.write(chartfile.as_csv(table.rules, found.chart, headlines(found, words)), files.csv)
    if files.markdown:
        chartfile.write(_markdown(found, words), files.markdown)
    if files.json:
        priced.write_json(as_json(found), files.json)
    if files.picture:
        drawing.draw(found, words, files.picture)
    for file in files if "-" not in files else ():
        if file:
            Talk(words).tell(N_("Written: {file}"), file=file)
    return 0


def _colours() -> bool:
    usable = sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")
    return usable and not os.environ.get("NO_COLOR")


# --- words ----------------------------------------------------------------------------------------------------------


def letter(code: str, rules: RuleSet, words: Words) -> str:
    """A letter of a chart as the table's players know it: the letters of the keys.

    >>> from tapete.words import words
    >>> [letter(code, RuleSet(), words("es")) for code in ("H", "Ds", "Rp", "-")]
    ['P', 'DL', 'Rs', '-']
    """
    keys = LETTERS[spoken(rules, words.language)]
    told = "".join(keys[MOVES[part.upper()]] for part in code if part != NOTHING)
    return told[:1].upper() + told[1:].replace("l", "L") or NOTHING  # a small l is no letter to be read alone


def legend(found: Charted, words: Words) -> list[tuple[str, str]]:
    """The letters that the chart has, each with what it means in the table's words, plain ones first."""
    used = {code for cells in found.chart.cells.values() for code in cells}
    return [(code, meaning(code, found.table.rules, words)) for code in charts.LETTERS if code in used]


def meaning(code: str, rules: RuleSet, words: Words) -> str:
    """What a letter means, in the table's words."""
    spoke = words_of(spoken(rules, words.language))

    def word(part: str) -> str:
        return word_of(MOVES[part], spoke)

    if code == NOTHING:
        return words.say(N_("nothing to decide: the hand is over by itself"))
    if code == "P":
        return words.say(N_("{move}; where that is not open, as the total"), move=word("P"))
    if code in ("D", "Ds"):
        return words.say(N_("{move}; where that is not open: {other}"), move=word("D"), other=word("SH"[code == "D"]))
    if code.startswith("R") and len(code) > 1:
        return words.say(N_("{move}; where that is not open: {other}"), move=word("R"), other=word(code[1].upper()))
    return word(code[0])


def insurance(found: Charted, words: Words) -> str:
    """What the chart says of insurance; empty where none is offered."""
    rows, chart = charts.insurance_rows(found.table.rules), found.chart
    if not rows:
        return ""
    if chart.insure:
        return words.say(N_("Insurance: always."))
    if chart.insure_blackjack:
        return words.say(N_("Insurance: with a blackjack."))
    return words.say(N_("Insurance: never."))


def row_name(row: Row, rules: RuleSet) -> str:
    """A row's name below the heading of its kind."""
    if row.kind != PAIR:
        return str(row.value)
    card = figures.name(lookup.kinds(rules)[row.value])
    return f"{card}-{card}"


def heading(kind: str, words: Words) -> str:
    """The heading of the rows of a kind."""
    return words.say({HARD: N_("Hard totals"), SOFT: N_("Soft totals"), PAIR: N_("Pairs")}[kind])


def headlines(found: Charted, words: Words) -> list[str]:
    """Name, strategy, edge, shoe and rules: what stands above every chart."""
    table, other = found.table, found.other
    told = [f"{table.title(words)} ({table.preset.id})", strategy_line(found, words)]
    edge = figures.percent(found.price.house_edge, words, digits=6)
    told.append(words.say(N_("House edge under this chart: {edge}"), edge=edge))
    if other:
        edge = figures.percent(other.house_edge, words, digits=6)
        told.append(words.say(N_("House edge by {strategy}: {edge}"), strategy=other.level, edge=edge))
    return [*told, edges.cards(table, words), words.say(N_("Rules: {digest}"), digest=digest(table.rules))]


def strategy_line(found: Charted, words: Words) -> str:
    """Which chart this is."""
    name = found.chart.name
    if found.price.level == CHART and name == CHART:
        return words.say(N_("The best chart by totals (td)"))
    if name in _ABOUT:
        return words.say(N_("Strategy {name}: {meaning}"), name=name, meaning=words.say(_ABOUT[name]))
    return words.say(N_("Strategy {name}"), name=name)


# --- in the terminal ------------------------------------------------------------------------------------------------


def tell(found: Charted, talk: Talk, *, colour: bool = False) -> None:
    """Says the chart, its legend, and where the strategy asked for departs from it."""
    words, rules = talk.words, found.table.rules
    for line in headlines(found, words):
        talk.line(line)
    for dealer, group in _blocks(rules, words):
        for kind in (HARD, SOFT, PAIR):
            talk.line("")
            talk.line(f"{heading(kind, words)} {dealer}")
            for line in _grid(found, kind, group, words, colour=colour):
                print(line)
    talk.line("")
    for code, told in legend(found, words):
        talk.line(f"{letter(code, rules, words):>3}  {told}")
    if said := insurance(found, words):
        talk.line(said)
    _tell_departures(found, talk)


def _blocks(rules: RuleSet, words: Words) -> list[tuple[str, list[Column]]]:
    """The columns side by side that fit a screen, with what the dealer shows there."""
    known = list(charts.columns(rules))
    if rules.dealer_deal != "both_up":
        return [(words.say(N_("against the dealer’s card")), known)]
    hard = [one for one in known if one.name.startswith(HARD)]
    soft = [one for one in known if one.name.startswith(SOFT)]
    return [
        (words.say(N_("against the dealer’s hard total")), hard),
        (words.say(N_("against the dealer’s soft total")), soft),
    ]


def shown(column: Column) -> str:
    """The head of a column where its kind is told elsewhere."""
    name = column.name.rpartition(" ")[2]
    return figures.FIGURES if name == "F" else name


def _grid(found: Charted, kind: str, group: Sequence[Column], words: Words, *, colour: bool) -> Iterator[str]:
    rules = found.table.rules
    wide = max(len(shown(column)) for column in group) + 1 if any(len(shown(one)) > 3 for one in group) else 3
    yield (" " * 8 + "".join(f" {shown(column):^{wide}}" for column in group)).rstrip()
    for row in charts.rows(rules):
        if row.kind == kind:
            codes = [found.chart.letter(row.name, column.name) for column in group]
            cells = "".join(_cell(code, rules, words, wide, colour=colour) for code in codes)
            yield f"{row_name(row, rules):>7} {cells}".rstrip()


def _cell(code: str, rules: RuleSet, words: Words, wide: int, *, colour: bool) -> str:
    told = f"{letter(code, rules, words):^{wide}}"
    return f" \x1b[{PAINT[code[0]]}m{told}\x1b[0m" if colour else f" {told}"


def _tell_departures(found: Charted, talk: Talk) -> None:
    if found.other is None:
        return
    talk.line("")
    known = [one for one in found.departures if one.cost >= OF_NOTE]
    if not known:
        talk.tell(N_("{strategy} departs from the chart nowhere."), strategy=found.other.level)
        return
    text = N_("Where {strategy} departs from the chart; the cost is in millionths of the bet per round:")
    talk.tell(text, strategy=found.other.level)
    for line in figures.columns(departure_rows(found, known[:TOLD], talk.words), left=4):
        print(line)
    if len(known) > TOLD:
        text = N_("And {n} more that cost {cost} together; --json and --markdown have them all.")
        rest = figures.number(1e6 * sum(one.cost for one in known[TOLD:]), talk.words, digits=2, signed=False)
        talk.line(talk.words.say(text, n=len(known) - TOLD, cost=rest))


def departure_rows(found: Charted, known: Sequence[Departure], words: Words) -> list[list[str]]:
    """Departures as rows of cells below a head."""
    rules = found.table.rules
    kinds, spoke = lookup.kinds(rules), words_of(spoken(rules, words.language))
    head = [N_("Hand"), N_("Dealer"), N_("Chart"), N_("Better"), N_("Cost")]
    rows = [[words.say(one) for one in head]]
    for one in known:
        cost = figures.number(1e6 * one.cost, words, digits=3, signed=False)
        moves = (word_of(one.chart, spoke), word_of(one.played, spoke))
        rows.append([figures.cards(kinds, one.cards), figures.start(rules, one.start), *moves, cost])
    return rows


# --- as files -------------------------------------------------------------------------------------------------------


def as_json(found: Charted) -> dict[str, Any]:
    """The chart with all digits; the keys are documented in docs/charts.md."""
    table, price = found.table, found.price
    told = {
        **priced.stated(table, asked_for(found)),
        "ev": float(price.ev),
        "house_edge": float(price.house_edge),
        **chartfile.as_json(table.rules, found.chart),
    }
    if found.other:
        told["compared"] = {"strategy": found.other.level, "ev": float(found.other.ev)}
        told["exceptions"] = [_exception(found.table.rules, one) for one in found.departures if one.cost >= OF_NOTE]
    return told


def asked_for(found: Charted) -> str:
    """The name of the strategy that was asked for."""
    return found.other.level if found.other and found.other.level != CHART else found.chart.name


def _exception(rules: RuleSet, one: Departure) -> dict[str, Any]:
    kinds = lookup.kinds(rules)
    return {
        "hand": ",".join(kinds[card].name for card in one.cards),
        "dealer": priced.start_name(rules, one.start),
        "chart": one.chart,
        "played": one.played,
        "cost": float(one.cost),
        "chance": float(one.chance),
    }


def _markdown(found: Charted, words: Words) -> str:
    lines = headlines(found, words)
    before = [f"# {lines[0]}", "", *(f"- {line}" for line in lines[1:])]
    after = [f"- **{code}** {told}" for code, told in legend(found, words)]
    if said := insurance(found, words):
        after += ["", said]
    known = [one for one in found.departures if one.cost >= OF_NOTE]
    if found.other and known:
        head, *rows = departure_rows(found, known, words)
        text = N_("Where {strategy} departs from the chart; the cost is in millionths of the bet per round:")
        after += ["", words.say(text, strategy=found.other.level), ""]
        after += [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
    return chartfile.as_markdown(found.table.rules, found.chart, before, after)


def ending(file: str) -> str:
    """The ending of a file's name, in small letters."""
    return Path(file).suffix.lower()
