"""Faces: cards as small sheets of paper, five to seven, with the index in the corner and the suit in the middle.

Cards of a hand lie from left to right with a gap, so that no index is ever hidden. A card face down shows its back's
pattern. Where a shoe mixes two back colours the corner of an open card shows its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec
from textual.content import Content

from tapete.cards import Card
from tapete.terminal.full.look import BACKS, FOUR_COLOURS, SIGNS, TWO_COLOURS

GAP: Final = 1


class Size(msgspec.Struct, frozen=True):
    """How large a card is drawn, in cells."""

    width: int
    height: int


LARGE: Final = Size(7, 5)
MIDDLE: Final = Size(5, 3)
SMALL: Final = Size(4, 1)


class Deck(msgspec.Struct, frozen=True):
    """How cards look: two or four colours, and whether the backs are told apart."""

    four_colours: bool = False
    backs: bool = False


def row(cards: Iterable[Card | None], size: Size, deck: Deck) -> list[Content]:
    """The lines of cards side by side."""
    drawn = [card_lines(one, size, deck) for one in cards]
    return [Content(" " * GAP).join(line) for line in zip(*drawn, strict=True)]


def width(count: int, size: Size) -> int:
    """The cells that so many cards take side by side."""
    return count * (size.width + GAP) - GAP if count else 0


def per_row(size: Size, within: int) -> int:
    """How many cards fit side by side, at least one."""
    return max(1, (within + GAP) // (size.width + GAP))


def rows(cards: tuple[Card | None, ...], size: Size, deck: Deck, *, within: int) -> Iterator[Content]:
    """The lines of a hand that may need several rows of cards."""
    step = per_row(size, within)
    for at in range(0, len(cards), step):
        yield from row(cards[at : at + step], size, deck)


def card_lines(card: Card | None, size: Size, deck: Deck) -> list[Content]:
    """One card, line by line."""
    if card is None:
        pattern, colour = BACKS[0]
        return [Content.styled(pattern * size.width, f"$paper on {colour}")] * size.height
    return [Content.assemble(*parts) for parts in _DRAW[size](card, deck)]


Parts = list[tuple[str, str]]


def _ink(card: Card, deck: Deck) -> str:
    return (FOUR_COLOURS if deck.four_colours else TWO_COLOURS)[card.suit]


def _corner(card: Card, deck: Deck) -> tuple[str, str]:
    pattern, colour = BACKS[card.back % len(BACKS)]
    return (pattern, f"{colour} on $paper") if deck.backs else (" ", "on $paper")


def _large(card: Card, deck: Deck) -> list[Parts]:
    ink, sign = f"bold {_ink(card, deck)} on $paper", SIGNS[card.suit]
    index = f"{card.rank}{sign}"
    blank = [(" " * LARGE.width, ink)]
    return [
        [(f" {index:<6}", ink)],
        blank,
        [(f"{sign:^7}", ink)],
        blank,
        [_corner(card, deck), (f"{index:>5} ", ink)],
    ]


def _middle(card: Card, deck: Deck) -> list[Parts]:
    ink, sign = f"bold {_ink(card, deck)} on $paper", SIGNS[card.suit]
    return [[(f"{card.rank:<5}", ink)], [(f"{sign:^5}", ink)], [_corner(card, deck), (f"{card.rank:>4}", ink)]]


def _small(card: Card, deck: Deck) -> list[Parts]:
    ink = f"bold {_ink(card, deck)} on $paper"
    text = f"{card.rank}{SIGNS[card.suit]}"
    lead = "" if len(text) > 2 else " "
    return [[(f"{lead}{text}", ink), _corner(card, deck)]]


_DRAW: Final[dict[Size, Callable[[Card, Deck], list[Parts]]]] = {LARGE: _large, MIDDLE: _middle, SMALL: _small}
