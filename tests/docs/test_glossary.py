"""The glossary has both languages, and the Spanish that people read keeps to it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest
from babel.messages.pofile import read_po

from tapete.words import PLACEHOLDER, words
from tests.docs.pages import rows, text_of
from tests.laws.source import SOURCE

TERMS = [row for row in rows(text_of("docs/glossary.md")) if len(row) == 4 and row[0] != "English"]
PAGE_WORDS = [row for row in rows(text_of("docs/glossary.md")) if len(row) == 3 and row[1] != "English"]
SPANISH = {english: spanish for english, spanish, _, _ in TERMS}
ANSWERS = {"Hit": "hit", "Stand": "stand", "Double": "double", "Split": "split", "Retire": "retire", "Follow": "follow"}

KEY_TERMS = {
    "dealer": r"crupier", "box": r"casilla", "pack": r"baraja", "card": r"carta", "shoe": r"sabot", "chip": r"ficha",
    "cut card": r"carta de corte", "discards": r"descartes", "hole card": r"carta tapada", "insurance": r"seguro",
    "round": r"ronda", "hand": r"mano", "pair": r"pareja", "seed": r"semilla", "secret": r"secreto",
    "commitment": r"compromiso", "data folder": r"carpeta de datos", "event": r"suceso",
    "bet behind": r"mano de otro|detrás", "soft": r"blando", "hard": r"duro", "table": r"mesa",
}  # fmt: skip
"""The words that are met most, with the Spanish word by which the catalogue has to speak of them."""
RIVALS = [
    "repartidor", "mazo", "zapato", "naipe", "puesto de juego", "dividir", "rendirse", "rendición", "partir la pareja",
    "tallador", "monedas", "cajón", "hoyo",
]  # fmt: skip
"""Words for the same things that the glossary has decided against."""


@cache
def catalogue() -> list[tuple[str, str]]:
    """Every sentence with its Spanish, without what is filled in; several forms are joined."""
    with (SOURCE / "locale" / "es" / "LC_MESSAGES" / "tapete.po").open("rb") as opened:
        told = [one for one in read_po(opened, locale="es") if one.id]
    return [(_joined(one.id), _joined(one.string)) for one in told]


def _joined(text: str | Sequence[str] | None) -> str:
    parts = [text] if isinstance(text, str) else text or []
    return PLACEHOLDER.sub("…", " / ".join(parts))


def test_every_term_has_both_languages_and_both_meanings() -> None:
    assert len(TERMS) >= 60
    assert [row for row in TERMS if not all(row)] == []


def test_every_term_is_told_once() -> None:
    assert [term for term, times in Counter(row[0] for row in TERMS).items() if times > 1] == []


def test_every_word_of_the_pages_leads_to_a_term() -> None:
    assert PAGE_WORDS
    assert [row for row in PAGE_WORDS if SPANISH.get(row[1]) != row[2]] == []


@pytest.mark.parametrize(("button", "term"), ANSWERS.items())
def test_buttons_use_the_words_of_the_glossary(button: str, term: str) -> None:
    assert words("es").term("answer", button).lower() == SPANISH[term]


@pytest.mark.parametrize(("term", "spanish"), KEY_TERMS.items())
def test_spanish_sentences_use_the_words_of_the_glossary(term: str, spanish: str) -> None:
    assert re.search(spanish, SPANISH[term])
    named = re.compile(rf"\b{term}(s|es)?\b", re.IGNORECASE)
    used = [told for said, told in catalogue() if told and named.search(said.replace("’s", ""))]
    kept = [told for told in used if re.search(spanish, told, re.IGNORECASE)]
    assert used
    # A sentence may name the thing with a pronoun; most name it.
    assert len(kept) >= 0.6 * len(used), sorted(set(used) - set(kept))


@pytest.mark.parametrize("rival", RIVALS)
def test_spanish_sentences_use_no_second_word(rival: str) -> None:
    assert [told for _, told in catalogue() if re.search(rf"\b{rival}", told, re.IGNORECASE)] == []
