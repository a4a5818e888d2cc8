"""Page words: every text that the table's scripts say, in one language, as the JSON of ``/words/{lang}.json``.

The scripts write English in calls of ``say("...")``, ``plural("...", "...", n)`` and ``term("...", "...")``. What
stands there is found by reading the scripts, so no list of them has to be kept. ``scripts/messages.py`` finds the
same texts for the catalogues. What a rule says (why a move is not allowed, what became of a bet, the keys of the
answers) comes from where the terminal has it.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from tapete.messages import MESSAGES
from tapete.telling import RESULTS
from tapete.terminal.keys import DIGITS, LETTERS, NO, word_of
from tapete.words import LANGUAGES, Words, words

_TEXT: Final = r'\s*"((?:[^"\\]|\\.)*)"\s*'
_SAY: Final = re.compile(rf"\bsay\({_TEXT}[,)]")
_PLURAL: Final = re.compile(rf"\bplural\({_TEXT},{_TEXT},")
_TERM: Final = re.compile(rf"\bterm\({_TEXT},{_TEXT}[,)]")
ACTIONS: Final = (*DIGITS, "match")


def scripts() -> tuple[Traversable, ...]:
    """The scripts of the page, by name."""
    folder = files("tapete") / "server" / "static" / "js"
    return tuple(sorted((one for one in folder.iterdir() if one.name.endswith(".js")), key=lambda one: one.name))


def _read(text: str) -> str:
    return str(json.loads(f'"{text}"'))


@cache
def texts() -> tuple[frozenset[str], frozenset[tuple[str, str]], frozenset[tuple[str, str]]]:
    """What the scripts say: sentences, pairs of one and many, and words with their context."""
    code = "\n".join(one.read_text("utf-8") for one in scripts())
    said = frozenset(_read(found) for found in _SAY.findall(code))
    counted = frozenset((_read(one), _read(many)) for one, many in _PLURAL.findall(code))
    terms = frozenset((_read(where), _read(text)) for where, text in _TERM.findall(code))
    return said, counted, terms


@cache
def page_words(language: str) -> bytes:
    """The JSON of a language. Raises BadInput ``lang.unknown``."""
    say = words(language)
    said, counted, terms = texts()
    return json.dumps(
        {
            "language": language,
            "decimal": say.amount(50)[1],
            "say": {text: say.say(text) for text in sorted(said)},
            "plural": {one: [say.plural(one, many, n, n="{n}") for n in (1, 2)] for one, many in sorted(counted)},
            "terms": {f"{where}|{text}": say.term(where, text) for where, text in sorted(terms)},
            "reasons": {
                code: say.say(text) for code, text in sorted(MESSAGES.items()) if "." not in code or _rule(code)
            },
            "results": {reason: say.say(text) for reason, text in RESULTS.items()},
            "answers": {one: _answers(words(one), LETTERS[one]) for one in LANGUAGES},
        },
        ensure_ascii=False,
        separators=(",", ":"),
    ).encode()


def _rule(code: str) -> bool:
    """Whether the code is that of a switch, which is why a move or a bet is not allowed."""
    return code.split(".", maxsplit=1)[0] in {"bet_behind", "double", "split", "surrender", "insurance"}


def _answers(say: Words, letters: Any) -> dict[str, dict[str, str]]:
    """Digit, letter and word of every answer; a match has the digit of the move which it follows."""
    return {
        action: {"digit": DIGITS.get(action, ""), "letter": letters.get(action, NO), "word": word_of(action, say)}
        for action in ACTIONS
    } | {
        "deal": {"digit": "", "letter": "", "word": say.term("bet", "Deal")},
        "rebet": {"digit": "", "letter": "r", "word": say.term("bet", "Rebet")},
    }
