"""Words: what a person reads, in their language.

English is the msgid. ``words("es").say("Box {box} wins.", box=3)`` translates, then fills in the facts. A
:class:`Words` never changes after it is made, so any number of them serve any number of threads at once.

How new text gets in: write it in the call of ``say``, ``plural`` or ``term``, or in ``N_("...")`` where it is only
stored; run ``make messages``; fill in the Spanish. The tests insist on the last step. Without its compiled catalogue (a
checkout that was never installed) a language reads as English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from typing import Final

from tapete.errors import BadInput, TapeteError
from tapete.messages import MESSAGES, N_
from tapete.money import chips

__all__ = ["LANGUAGES", "N_", "PLACEHOLDER", "Words", "choose", "words"]

LANGUAGES: Final = ("en", "es")
PLACEHOLDER: Final = re.compile(r"\{([a-z_][a-z0-9_]*)(?::(chips|word|reason))?\}")
"""What may stand in a sentence: a fact's name, and how it is written when not as it is."""

_VARIABLES: Final = ("TAPETE_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
_DECIMAL: Final = {"en": ".", "es": ","}
# A fact may come from a file or from another person: it must not steer the terminal that shows it.
_CONTROLS: Final = dict.fromkeys({*range(32), *range(127, 160)} - {ord("\n"), ord("\t")}, "\ufffd")


class Words:
    """One language. Get it from :func:`words`.

    ``language`` is one of :data:`LANGUAGES`.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogue = _catalogue(language)

    def say(self, text: str, /, **facts: object) -> str:
        """The sentence ``text`` in this language with its facts filled in, as ``tapete.messages`` describes."""
        return self._fill(self._catalogue.gettext(text) if text else "", facts)

    def plural(self, one: str, many: str, n: int, /, **facts: object) -> str:
        """``one`` or ``many`` as the language's grammar has it for ``n``, which is also the fact ``{n}``.

        >>> words("en").plural("{n} card", "{n} cards", 1), words("en").plural("{n} card", "{n} cards", 2)
        ('1 card', '2 cards')
        """
        return self._fill(self._catalogue.ngettext(one, many, n), {"n": n, **facts})

    def term(self, context: str, text: str, /) -> str:
        """A single word whose translation depends on where it stands: ``term("dealer", "Stand")``."""
        return self._catalogue.pgettext(context, text)

    def reason(self, code: str, /, **facts: object) -> str:
        """The sentence for a code of ``tapete.messages``; the code itself if there is none."""
        return self.say(MESSAGES.get(code, code), **facts)

    def explain(self, error: TapeteError) -> str:
        """What went wrong, as a sentence."""
        return self._fill(self._catalogue.gettext(MESSAGES.get(error.code, str(error))), error.facts)

    def amount(self, units: int, *, signed: bool = False) -> str:
        """An amount of units in chips, with the language's decimal sign.

        >>> words("es").amount(1250), words("en").amount(1250, signed=True)
        ('12,5', '+12.5')
        """
        return chips(units, decimal=_DECIMAL[self.language], signed=signed)

    def _fill(self, sentence: str, facts: Mapping[str, object]) -> str:
        plain, places = _taken_apart(sentence)
        if not places:
            return sentence
        parts = list(plain)
        for at, (name, how, whole) in places:
            parts[at] = self._write(facts[name], how) if name in facts else whole
        return "".join(parts)

    def _write(self, fact: object, how: str | None) -> str:
        if isinstance(fact, tuple | list | set | frozenset):
            return ", ".join(self._write(one, how) for one in fact)
        if isinstance(fact, float):
            return f"{fact:g}".replace(".", _DECIMAL[self.language])
        if how == "chips" and isinstance(fact, int):
            return self.amount(fact)
        if how == "reason":
            return self.reason(str(fact))
        text = self.say(str(fact)) if how == "word" else str(fact)
        return text if text.isprintable() else text.translate(_CONTROLS)


@lru_cache(maxsize=4096)
def _taken_apart(sentence: str) -> tuple[tuple[str, ...], tuple[tuple[int, tuple[str, str | None, str]], ...]]:
    """A sentence in parts, and which of them are to be filled in: a fact's name, how it is written, and as it stood.

    A server says the same sentences a thousand times a second.
    """
    parts: list[str] = []
    places: list[tuple[int, tuple[str, str | None, str]]] = []
    end = 0
    for found in PLACEHOLDER.finditer(sentence):
        parts += [sentence[end : found.start()], ""]
        places.append((len(parts) - 1, (found[1], found[2], found[0])))
        end = found.end()
    return (*parts, sentence[end:]), tuple(places)


@cache
def words(language: str) -> Words:
    """The words of a language, ``en`` or ``es``. Raises BadInput ``lang.unknown``."""
    if language not in LANGUAGES:
        raise _unknown(language)
    return Words(language)


def choose(option: str | None, environ: Mapping[str, str]) -> str:
    """The language to speak: ``--lang``, then the first of TAPETE_LANG, LC_ALL, LC_MESSAGES, LANG that is not empty.

    >>> choose(None, {"LANG": "es_ES.UTF-8"}), choose("en_US", {"LANG": "es"})
    ('es', 'en')

    An option that is no language of Tapete's raises BadInput ``lang.unknown``; an environment that speaks something
    else gets English.
    """
    if option is not None:
        if (asked := _language(option)) is None:
            raise _unknown(option)
        return asked
    set_to = next((environ[name] for name in _VARIABLES if environ.get(name)), "")
    return _language(set_to) or "en"


def _language(locale: str) -> str | None:
    """The language of ``es``, ``es_ES.UTF-8``, ``es-MX``, ``es@euro``; None for any that Tapete does not speak."""
    spoken = re.split(r"[-_.@]", locale.strip(), maxsplit=1)[0].lower()
    return spoken if spoken in LANGUAGES else None


def _unknown(language: str) -> BadInput:
    return BadInput("lang.unknown", lang=language[:40], allowed=LANGUAGES)


def _catalogue(language: str) -> NullTranslations:
    compiled = files("tapete") / "locale" / language / "LC_MESSAGES" / "tapete.mo"
    if not compiled.is_file():
        return NullTranslations()
    with compiled.open("rb") as opened:
        return GNUTranslations(opened)
