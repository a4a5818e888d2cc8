"""Keys: the digit, the letter and the word of every answer, and how a typed answer is read.

Digits are the same everywhere. Letters follow the words of the language (Pedir, Plantarse and Separar collide with the
English initials); a table whose page speaks English (``ui_verbs``) keeps its words and letters in both languages. No
two answers share a letter, and none takes ``m``, ``q`` or ``?``, which every prompt understands. What does not read is
never a decision.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from tapete import money
from tapete.events import Question
from tapete.rules import RuleSet
from tapete.words import Words, words

DIGITS: Final[Mapping[str, str]] = MappingProxyType(
    {"hit": "1", "stand": "2", "double": "3", "split": "4", "retire": "5", "insure": "6"}
    | dict.fromkeys(("keep", "no_insurance", "stay"), "0")
)
"""The digit of every answer; ``match`` has that of the move which it follows."""

LETTERS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "en": {"hit": "h", "stand": "s", "double": "d", "split": "p", "retire": "r", "insure": "i", "match": "f"},
        "es": {"hit": "p", "stand": "l", "double": "d", "split": "s", "retire": "r", "insure": "a", "match": "i"},
    }
)
"""The letter of every answer by language; each stands in the answer's word. All refusals are ``n``."""

NO: Final = "n"
HELP, ME, LEAVE = "?", "m", "q"
"""What every prompt understands besides its own answers."""


class Key(msgspec.Struct, frozen=True):
    """One answer as it is offered: ``reason`` is empty, or the code why it is not allowed now."""

    action: str
    digit: str
    letter: str
    word: str
    reason: str = ""


class Typed(msgspec.Struct, frozen=True):
    """What a typed line means: the answer's key and, if one was typed behind it, an amount in units."""

    key: Key
    amount: int | None = None


def spoken(rules: RuleSet, language: str) -> str:
    """The language of the moves' words at this table: the reader's, or English where the page has English ones."""
    return "en" if rules.ui_verbs == "en" else language


def word_of(action: str, say: Words) -> str:
    """The word for an answer, as it stands on a button."""
    return {
        "hit": say.term("answer", "Hit"),
        "stand": say.term("answer", "Stand"),
        "double": say.term("answer", "Double"),
        "split": say.term("answer", "Split"),
        "retire": say.term("answer", "Retire"),
        "insure": say.term("answer", "Insure"),
        "match": say.term("answer", "Follow"),
    }.get(action) or say.term("answer", "No")


def keys_for(question: Question, rules: RuleSet, language: str) -> tuple[Key, ...]:
    """The answers to a question by digit, 0 last: those that are legal, and the others with their reason."""
    spoke = spoken(rules, language)
    answers = [(action, "") for action in question.legal] + list(question.refused)
    found = [_key(action, reason, question.move, spoke) for action, reason in answers]
    return tuple(sorted(found, key=lambda key: (key.digit == "0", key.digit)))


def _key(action: str, reason: str, move: str, language: str) -> Key:
    digit = DIGITS.get(move if action == "match" else action, "0")
    return Key(action, digit, LETTERS[language].get(action, NO), word_of(action, words(language)), reason)


def plain(text: str) -> str:
    """``text`` without case, accents and outer blanks, for comparing what was typed.

    >>> plain("  SÍ "), plain("Última")
    ('si', 'ultima')
    """
    parts = unicodedata.normalize("NFD", text.strip().casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def read(text: str, keys: Iterable[Key]) -> Typed | None:
    """What ``text`` answers: a digit, a letter or a whole word, with an amount behind it if need be; else None.

    The key may be one that is not allowed now: see its reason. Raises BadInput ``money.unreadable`` for an answer that
    is clear with an amount that is not.
    """
    known = {name: key for key in keys for name in (key.digit, key.letter, plain(key.word))}
    first, _, rest = plain(text).partition(" ")
    if first in known:
        return Typed(known[first], money.units(rest) if rest.strip() else None)
    return None


def pressed(stroke: str, keys: Iterable[Key]) -> Key | None:
    """The key that a single stroke means, for a face that needs no Enter; None if it is none."""
    return next((key for key in keys if plain(stroke) in (key.digit, key.letter)), None)


def label(key: Key) -> str:
    """A key as every prompt and button shows it: digit, word, and the letter in brackets.

    >>> label(Key("hit", "1", "h", "Hit"))
    '1 Hit (h)'
    """
    return f"{key.digit} {key.word} ({key.letter})"
