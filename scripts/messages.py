"""Bring the catalogues up to date with the code: ``make messages``.

New sentences arrive untranslated (no guesses); sentences that left the code are kept as comments at the end and come
back by themselves; ``--prune`` drops them. Entries are sorted and carry no line numbers, so that a catalogue changes
only where its sentences do.
"""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "tapete"
METHODS = [("**.py", "python"), ("**/templates/*.html", "jinja2"), ("**/static/js/**.js", "javascript")]
KEYWORDS = {"N_": None, "say": None, "plural": (1, 2), "term": ((1, "c"), 2)}


def template(source: Path = SOURCE) -> Catalog:
    """Every text of the code, the pages and their scripts that a person reads."""
    found = Catalog(project="tapete", charset="utf-8")
    for _, _, text, _, context in extract_from_dir(source, METHODS, keywords=KEYWORDS):
        found.add(text, context=context)
    return found


def update(po: Path, *, prune: bool) -> int:
    """How many texts of the catalogue ``po``, now brought up to date, have no translation."""
    with po.open("rb") as opened:
        catalogue = read_po(opened, locale=po.parts[-3])
    catalogue.update(template(), no_fuzzy_matching=True, update_creation_date=False)
    fresh = po.with_suffix(".tmp")
    with fresh.open("wb") as target:
        write_po(target, catalogue, width=0, sort_output=True, no_location=True, ignore_obsolete=prune)
    fresh.replace(po)
    return sum(not all(one.string if isinstance(one.string, tuple) else [one.string]) for one in catalogue if one.id)


if __name__ == "__main__":
    for po in sorted(SOURCE.glob("locale/*/LC_MESSAGES/*.po")):
        print(f"{po.relative_to(ROOT)}: {update(po, prune='--prune' in sys.argv)} to translate")
