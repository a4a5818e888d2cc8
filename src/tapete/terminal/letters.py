"""Letters: what is written where a terminal cannot show a character.

A terminal without UTF-8 still gets readable Spanish: accents fall away, quotes become plain, suits become letters.
"""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Mapping
from io import TextIOWrapper
from types import MappingProxyType
from typing import Final, TextIO

HANDLER: Final = "tapete.letters"
SUITS: Final = "♠♥♦♣"
_INSTEAD: Final[Mapping[str, str]] = MappingProxyType(
    {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'"}
    | {"–": "-", "—": "-", "−": "-", "…": "...", "·": "-", "¿": "", "¡": "", "×": "x", "½": "1/2"}
)


def instead(text: str) -> str:
    """``text`` in ASCII.

    >>> instead("¿Cuántas fichas? “10” ♠")
    'Cuantas fichas? "10" S'
    """
    return "".join(_INSTEAD[one] if one in _INSTEAD else _bare(one) for one in text)


def _bare(character: str) -> str:
    bare = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode("ascii")
    return bare or "?"


def _handle(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return instead(error.object[error.start : error.end]), error.end


codecs.register_error(HANDLER, _handle)


def shows(stream: TextIO, text: str = SUITS) -> bool:
    """Whether the stream's encoding has these characters."""
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def make_readable(*streams: TextIO) -> None:
    """From now on these streams write what they can and the nearest letters for the rest; reading never fails."""
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=HANDLER if stream.writable() else "replace")
