"""Write docs/switches.md, the manual of all switches, from the code: ``python scripts/switches.py``.

Names, values and whom they favour come from the docstrings of ``tapete.rules``, sentences from the rule card, values
and clauses from the presets. A test fails while the page on disk is not the one this script would write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tapete.messages import MESSAGES
from tapete.rulecard import SECTIONS, sentence
from tapete.rulecheck import REFUSALS
from tapete.rulefile import FOUNDING, preset, presets
from tapete.rules import GROUPS, KEYS, RuleSet, docs, get, with_
from tapete.rulevalues import KINDS, misfit, to_text
from tapete.words import words

PAGE = Path(__file__).parent.parent / "docs" / "switches.md"

INTRO = """\
# Switches

Everything that one blackjack table does differently from another is a switch. This page lists all of them: what casinos
call it, what it can be, whom it favours, and what the five written pages set it to, with the clause that says so.

It is made from the code (`python scripts/switches.py`), so it cannot be out of date.

## A table of your own

A rule file is TOML. It starts from a table that Tapete brings along and says only what differs:

```toml
from = "casino"

[title]
en = "Our Friday table"
es = "La mesa de los viernes"

[rules]
decks = 4
cut_card_left = 52
bet_max = 50

[rules.split]
max_hands = 4

[clauses]
"split.max_hands" = "house rule 7"
```

Save it as `friday.toml` and name it where a table is asked for: `tapete play friday.toml`. For one evening the same can
be said on the command line, without a file: `tapete play casino --set split.max_hands=4 --set bet_max=50`.

- `from` names one of the tables of Tapete, never another file, so a file and a version of Tapete are the whole truth
  about a table. Without `from` a file has to state every switch.
- Amounts are chips (`0.5` is half a chip), ratios `"3:2"`, sets `[9, 10, 11]`. `"none"` says that there is no such
  thing (no largest bet, no cut card, all backs alike); in a `--set`, sets are `9,10,11`, or `none` for an empty one.
- `[clauses]` says where your house's text has each rule; when a move is refused, that place is cited. A switch that you
  change no longer cites the page that you started from.
- `id`, `[title]` and `[description]` are how the table is called; without an `id` the file's name serves.
- If a change leaves another switch one value only, that one comes along by itself: `shuffle = "every_round"` takes the
  cut card away. A switch that you state yourself is never changed; if it cannot stand, the file is refused.
- A file with faults is refused whole, and every fault is told at once: line, key, value, what is allowed, and the key
  that you probably meant.

A table's *digest* is its name in histories and commitments: the SHA-256 of a JSON object in ASCII with every dotted
key, sorted by code point, no blanks, amounts in units (100 to the chip), sets as ascending arrays, ratios as `[3,2]`,
and `null` where there is none. Titles, descriptions and clauses have no part in it.
"""

MARKS = """\
## All switches

`D0-15` is a clause of the first page, `D0-S01` a value supplied where the page is silent, `Q0-3` a point on which its
text can be read in two ways. The pages: `casino` is 0, `british` 1, `leaflet` 2, `faceup` 3, `home` 4.
"""

TOGETHER = """\
## What may not stand together

Limits have to agree with each other, and every stake has to be payable to the last unit: a win at `bj_pays`, a lost
half, an insurance of half a stake. A line in a file of differences, or a `--set`, has to make one: a switch that does
nothing while another stands as it does is refused there. Beyond that a table is refused for these reasons:
"""

WORLD = """\
## The tables that come along

The five written pages, and tables of the world that published figures speak of:
"""


def page() -> str:
    """The whole page."""
    parts = [INTRO, WORLD, *_tables(), "", MARKS]
    for title, keys in SECTIONS:
        parts += [f"### {title}", ""]
        for key in keys:
            parts += [*_switch(key), ""]
    return "\n".join([*parts, TOGETHER, *_refusals()]) + "\n"


def _tables() -> Iterator[str]:
    for name in presets():
        found = preset(name)
        start = f" (from `{found.base}`)" if found.base else ""
        yield f"- `{name}`{start}: {found.title.en}. {found.description.en}"


def _switch(key: str) -> Iterator[str]:
    yield from (f"#### `{key}`", "", docs()[key].replace("``", "`"), "")
    yield from _values(key)
    yield from ("", "| " + " | ".join(FOUNDING) + " |", "|" + " --- |" * len(FOUNDING))
    yield "| " + " | ".join(_cell(name, key) for name in FOUNDING) + " |"


def _cell(name: str, key: str) -> str:
    found = preset(name)
    return f"`{to_text(key, get(found.rules, key))}` ({', '.join(found.clauses[key])})"


def _values(key: str) -> Iterator[str]:
    """The words a switch takes, each with its sentence of the rule card; for numbers, the range."""
    kind, said = KINDS[key], words("en")
    if kind.shape in ("word", "flag"):
        for value in kind.words or (True, False):
            yield f"- `{to_text(key, value)}`: {sentence(with_(RuleSet(), {key: value}), key, said)}"
    else:
        allowed = said.reason(misfit(key, "").code, **misfit(key, "").facts)
        yield "- " + allowed.partition(": this takes ")[2].capitalize()


def _refusals() -> Iterator[str]:
    for code in REFUSALS:
        yield f"- {re.sub(r'{[a-z_]+}', '…', MESSAGES[code])}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    print(f"{PAGE.name}: {len(KEYS)} switches in {len(GROUPS)} groups and at the top")
