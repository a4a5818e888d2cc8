"""``tapete chart``: the strategy chart of a table, in the terminal, as a picture, and as a file for use.

What plays by every card is told as the chart by totals and the list of hands at which it departs from it.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tapete import chart as charts
from tapete.chart import HARD, NOTHING, PAIR, SOFT, Column
from tapete.pricing import apart, chartfile, figures, priced
from tapete.pricing.charted import Charted, charted, heading, headlines, insurance, legend, letter, row_name, shown
from tapete.pricing.priced import CHART, Table
from tapete.rules import RuleSet
from tapete.terminal.talk import Talk
from tapete.words import N_, Words

TOLD: Final = 20
"""How many departures the terminal tells."""
WIDE: Final = 3
"""Characters of a cell; twenty of them and the rows' names fit a screen."""
NAMES: Final = 8
"""Characters that those take."""
PAINT: Final[Mapping[str, str]] = MappingProxyType(
    {"S": "30;47", "H": "30;107", "D": "30;43", "P": "97;42", "R": "97;41", NOTHING: "2"}
)
"""The colours of each letter in a terminal: always dark on light or light on dark, the letter telling the same."""


class Files(NamedTuple):
    """Where a chart is to be written, beside the terminal; ``-`` is out, empty is nowhere."""

    csv: str = ""
    json: str = ""
    markdown: str = ""
    picture: str = ""


def show(table: Table, strategy: str, files: Files, words: Words) -> int:
    """Tells the chart, and writes the files that are asked for."""
    priced.apart({f"--{name}": file for name, file in files._asdict().items()})
    if files.picture:
        from tapete.pricing import drawing  # noqa: PLC0415  (heavy, and only pictures need it)

        drawing.check(files.picture)
    found = charted(table, strategy)
    if "-" not in files:
        tell(found, Talk(words), colour=_colours())
    if files.csv:
        priced.write(chartfile.as_csv(table.rules, found.chart, headlines(found, words)), files.csv)
    if files.markdown:
        priced.write(_markdown(found, words), files.markdown)
    if files.json:
        priced.write_json(as_json(found), files.json)
    if files.picture:
        drawing.draw(found, words, files.picture)
    if "-" not in files:
        priced.tell_written(files, Talk(words))
    return 0


def _colours() -> bool:
    usable = sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")
    return usable and not os.environ.get("NO_COLOR")


# --- in the terminal ------------------------------------------------------------------------------------------------


def tell(found: Charted, talk: Talk, *, colour: bool = False) -> None:
    """Says the chart, its legend, and where the strategy asked for departs from it."""
    words, rules = talk.words, found.table.rules
    for line in headlines(found, words):
        talk.line(line)
    for dealer, group in _blocks(rules, words):
        for kind, part in itertools.product((HARD, SOFT, PAIR), _parts(group, talk.room)):
            talk.line("")
            talk.line(f"{heading(kind, words)} {dealer}")
            for line in _grid(found, kind, part, words, colour=colour):
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


def _parts(group: Sequence[Column], room: int | None) -> list[Sequence[Column]]:
    """Columns that stand side by side where a line has room for so many letters."""
    many = len(group) if room is None else max(1, (room - NAMES) // (WIDE + 1))
    return [group[at : at + many] for at in range(0, len(group), many)]


def _grid(found: Charted, kind: str, group: Sequence[Column], words: Words, *, colour: bool) -> Iterator[str]:
    rules = found.table.rules
    yield (" " * NAMES + "".join(f" {shown(column):^{WIDE}}" for column in group)).rstrip()
    for row in charts.rows(rules):
        if row.kind == kind:
            codes = [found.chart.letter(row.name, column.name) for column in group]
            cells = "".join(_cell(code, rules, words, colour=colour) for code in codes)
            yield f"{row_name(row, rules):>{NAMES - 1}} {cells}".rstrip()


def _cell(code: str, rules: RuleSet, words: Words, *, colour: bool) -> str:
    told = f"{letter(code, rules, words):^{WIDE}}"
    return f" \x1b[{PAINT[code[0]]}m{told}\x1b[0m" if colour else f" {told}"


def _tell_departures(found: Charted, talk: Talk) -> None:
    if found.other is None:
        return
    talk.line("")
    known = apart.exceptions(found)
    if not known:
        talk.tell(N_("{strategy} departs from the chart nowhere."), strategy=found.other.level)
        return
    text = N_("Where {strategy} departs from the chart; the cost is in millionths of the bet per round:")
    talk.tell(text, strategy=found.other.level)
    for line in figures.columns(apart.exception_rows(found, known[:TOLD], talk.words), left=4, room=talk.room):
        print(line)
    if len(known) > TOLD:
        text = N_("And {n} more that cost {cost} together; --json and --markdown have them all.")
        rest = figures.number(1e6 * sum(one.cost for one in known[TOLD:]), talk.words, digits=2, signed=False)
        talk.line(talk.words.say(text, n=len(known) - TOLD, cost=rest))


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
        told["exceptions"] = [apart.as_json(found.table.rules, one) for one in apart.exceptions(found)]
    return told


def asked_for(found: Charted) -> str:
    """The name of the strategy that was asked for."""
    return found.other.level if found.other and found.other.level != CHART else found.chart.name


def _markdown(found: Charted, words: Words) -> str:
    lines = headlines(found, words)
    before = [f"# {lines[0]}", "", *(f"- {line}" for line in lines[1:])]
    after = [f"- **{code}** {told}" for code, told in legend(found, words)]
    if said := insurance(found, words):
        after += ["", said]
    known = apart.exceptions(found)
    if found.other and known:
        head, *rows = apart.exception_rows(found, known, words)
        text = N_("Where {strategy} departs from the chart; the cost is in millionths of the bet per round:")
        after += ["", words.say(text, strategy=found.other.level), ""]
        after += [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
    return chartfile.as_markdown(found.table.rules, found.chart, before, after)
