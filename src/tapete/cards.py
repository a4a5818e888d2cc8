"""Cards: rank, suit and the colour of the back; how they are read and written.

A card is one shared frozen value, so two equal cards of a six-pack shoe are the same object. The text form is rank then
suit, ``Ah``, ``10s``, ``Kd`` (suits s, h, d, c), with ``/1`` behind it for the second back colour. ``T`` is read as 10.
A card that lies face down is ``None`` in Python and ``??`` in text.
"""

from __future__ import annotations

from typing import Final

import msgspec

from tapete.errors import BadInput

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("s", "h", "d", "c")
HIDDEN_TEXT: Final = "??"


class Card(msgspec.Struct, frozen=True):
    """One card. Get it from :func:`card` or :data:`PACK`, never by calling the class.

    ``points`` is 1 for an ace, 10 for tens and figures, else the number; ``figure`` is true for J, Q and K; ``back`` is
    the index of the back's colour.
    """

    rank: str
    suit: str
    back: int
    points: int
    figure: bool

    def __str__(self) -> str:
        """``Ah``, or ``Ah/1`` with the second back."""
        return f"{self.rank}{self.suit}" + (f"/{self.back}" if self.back else "")


def _points(rank: str) -> int:
    return 1 if rank == "A" else int(rank) if rank.isdecimal() else 10


MAX_BACKS: Final = 4
PACKS: Final = tuple(
    tuple(Card(rank, suit, back, _points(rank), rank in "JQK") for suit in SUITS for rank in RANKS)
    for back in range(MAX_BACKS)
)
"""One pack of 52 in canonical order (suits s, h, d, c; ace to king) for each back colour."""

PACK: Final = PACKS[0]
_BY_TEXT: Final = {str(one): one for pack in PACKS for one in pack}


def card(text: str) -> Card:
    """The card written ``text``.

    >>> card("10h").points, card("Ah").points, str(card("Td"))
    (10, 1, '10d')

    Raises BadInput ``card.unreadable``.
    """
    known = _BY_TEXT.get(text)
    if known is not None:
        return known
    tidy = text.strip().upper()
    rank, suit, back = tidy[:-1], tidy[-1:].lower(), ""
    if "/" in tidy:
        face, _, back = tidy.partition("/")
        rank, suit = face[:-1], face[-1:].lower()
    spelt = ("10" if rank == "T" else rank) + suit + (f"/{back}" if back not in ("", "0") else "")
    if spelt not in _BY_TEXT:
        raise BadInput("card.unreadable", card=text[:40])
    return _BY_TEXT[spelt]


def write(one: Card | None) -> str:
    """The text of a card; ``??`` for one that lies face down."""
    return HIDDEN_TEXT if one is None else str(one)
