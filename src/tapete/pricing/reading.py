"""What a person types about cards: the shoe that is left, and a hand against what the dealer shows.

A **card** is its rank: ``A``, ``2`` to ``10``, ``J``, ``Q``, ``K``; ``T`` is 10. A suit behind it is forgotten.

A **shoe** is one of these::

    6                            so many packs
    24,24,24,24,24,24,24,24,24,96   the cards left: ace to 9, then all that count ten
    24,24, ... ,24,24,24,24      the same with 10, J, Q and K apart, 13 counts
    full-8,8,10                  the table's shoe (or so many packs: 6-8,8,10) without these cards
    endless                      so many packs that no card is missed

Where a table tells the tens apart, ten counts are spread evenly over 10, J, Q and K.

A **hand** is ``8,8 v 10``: its cards, ``v``, and the dealer's card, or both where both lie open (``10,6 v 9,7``). A
star behind the first card, ``8*,3 v 10``, says that the hand grew from one half of a split pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tapete import lookup, rulebook
from tapete.errors import BadInput
from tapete.exact.counting import endless
from tapete.lookup import Kind
from tapete.rules import RuleSet

FULL: Final = "full"
ENDLESS: Final = "endless"
SHOWN: Final = 60
"""Characters of what was typed that a sentence repeats."""
_LOW: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9")
_TENS: Final = ("10", "J", "Q", "K")
_CARD: Final = re.compile(r"(A|[2-9]|10|T|J|Q|K)([shdc♠♥♦♣]?)(\*?)", re.IGNORECASE)
_AGAINST: Final = re.compile(r"\s+(?:v|vs|vs\.|contra|against)\s+", re.IGNORECASE)
_PIECE: Final = re.compile(r"[^\s,]+")
_COUNTS: Final = re.compile(r"\s*-?\d{1,6}\s*(?:,\s*-?\d{1,6}\s*)+", re.ASCII)
_TAKEN: Final = re.compile(r"\s*(full|\d{1,3})\s*(?:-(.*))?", re.IGNORECASE | re.ASCII | re.DOTALL)


class Asked(NamedTuple):
    """A hand against the dealer: kinds of ``lookup.kinds``, a start of ``lookup.starts``; whether a split made it."""

    cards: tuple[int, ...]
    start: tuple[int, ...]
    split: bool


# --- cards ----------------------------------------------------------------------------------------------------------


def _kind(kinds: Sequence[Kind], rank: str) -> int:
    """The place of a rank among kinds of which some may stand for several ranks."""
    if rank in _LOW:
        return _LOW.index(rank)
    names = {rank, "T", "F"} if rank in "JQK" else {rank, "T"}
    return next(place for place, kind in enumerate(kinds) if kind.name in names)


def _ranks(text: str, *, whole: str, before: int, stars: bool = False) -> Iterator[tuple[str, bool]]:
    """The ranks typed, and whether a star stands behind; ``before``: characters of ``whole`` that come earlier."""
    for place, piece in enumerate(_PIECE.finditer(text)):
        found = _CARD.fullmatch(piece[0])
        at = before + piece.start() + 1
        if not found:
            raise BadInput("price.card", card=piece[0][:20], at=at, text=whole[:SHOWN])
        if found[3] and (place or not stars):
            raise BadInput("price.star", at=at, text=whole[:SHOWN])
        rank = found[1].upper()
        yield "10" if rank == "T" else rank, bool(found[3])


# --- the shoe -------------------------------------------------------------------------------------------------------


def shoe(rules: RuleSet, text: str) -> tuple[int, ...]:
    """The cards of a shoe, by kind of the table; the table's whole shoe for no text.

    >>> shoe(RuleSet(), "1"), shoe(RuleSet(decks=1, cut_card_left=9), "full-8,8,K")
    ((4, 4, 4, 4, 4, 4, 4, 4, 4, 16), (4, 4, 4, 4, 4, 4, 4, 2, 4, 15))

    Raises BadInput for what is no shoe; whether a round can be dealt from it is for ``analysis.check_shoe`` to say.
    """
    kinds = lookup.kinds(rules)
    if not text:
        return _packs(kinds, rules.decks)
    if text.strip().lower() == ENDLESS:
        return endless(rules)
    if _COUNTS.fullmatch(text):
        return _counted(kinds, [int(one) for one in text.split(",")], text)
    if found := _TAKEN.fullmatch(text):
        packs = rules.decks if found[1].lower() == FULL else int(found[1])
        return _without(kinds, _packs(kinds, packs), text, found.start(2) if found[2] is not None else None)
    raise _no_shoe(text)


def _no_shoe(text: str) -> BadInput:
    return BadInput("price.shoe", text=text[:SHOWN])


def _packs(kinds: Sequence[Kind], packs: int) -> tuple[int, ...]:
    return tuple(kind.many * packs for kind in kinds)


def _counted(kinds: Sequence[Kind], counts: Sequence[int], text: str) -> tuple[int, ...]:
    if len(counts) == len(kinds):
        return tuple(counts)
    tens = kinds[len(_LOW) :]
    if len(counts) == len(_LOW) + 1:
        each, rest = divmod(counts[-1], len(_TENS))
        if rest:
            raise BadInput("price.shoe_tens", many=counts[-1], text=text[:SHOWN])
        return (*counts[:-1], *(kind.many // 4 * each for kind in tens))
    if len(counts) != len(_LOW) + len(_TENS):
        raise _no_shoe(text)
    found = [*counts[: len(_LOW)], *(0 for _ in tens)]
    for rank, many in zip(_TENS, counts[len(_LOW) :], strict=True):
        found[_kind(kinds, rank)] += many
    return tuple(found)


def _without(kinds: Sequence[Kind], whole: tuple[int, ...], text: str, behind: int | None) -> tuple[int, ...]:
    """A shoe without the cards that stand in the text from ``behind`` on; None: nothing is taken out."""
    if behind is None:
        return whole
    left = list(whole)
    taken = [rank for rank, _ in _ranks(text[behind:], whole=text, before=behind)]
    if not taken:
        raise _no_shoe(text)
    for rank in taken:
        kind = _kind(kinds, rank)
        left[kind] -= 1
        if left[kind] < 0:
            raise BadInput("price.shoe_taken", card=rank, there=whole[kind], text=text[:SHOWN])
    return tuple(left)


# --- a hand ---------------------------------------------------------------------------------------------------------


def hand(rules: RuleSet, text: str) -> Asked:
    """The hand and what the dealer shows.

    >>> hand(RuleSet(), "8,8 v 10")
    Asked(cards=(7, 7), start=(9,), split=False)

    Raises BadInput for what does not read and for hands that no table could deal.
    """
    parts = [*_AGAINST.finditer(text)]
    if len(parts) != 1:
        raise BadInput("price.hand", text=text[:SHOWN])
    mine = [*_ranks(text[: parts[0].start()], whole=text, before=0, stars=True)]
    shown = [*_ranks(text[parts[0].end() :], whole=text, before=parts[0].end())]
    kinds = lookup.kinds(rules)
    asked = Asked(
        tuple(_kind(kinds, rank) for rank, _ in mine),
        _start(rules, [rank for rank, _ in shown], text),
        any(star for _, star in mine),
    )
    _could_be(rules, asked, text)
    return asked


def _start(rules: RuleSet, ranks: Sequence[str], text: str) -> tuple[int, ...]:
    open_ = rules.dealer_deal == "both_up"
    if len(ranks) != (2 if open_ else 1):
        raise BadInput("price.dealer_two" if open_ else "price.dealer_one", text=text[:SHOWN])
    kinds = lookup.dealer_kinds(rules)
    return tuple(sorted(_kind(kinds, rank) for rank in ranks))


def _could_be(rules: RuleSet, asked: Asked, text: str) -> None:
    kinds = lookup.kinds(rules)
    if len(asked.cards) < 2:
        raise BadInput("price.hand_short", text=text[:SHOWN])
    if rulebook.is_bust(sum(kinds[card].points for card in asked.cards)):
        raise BadInput("price.hand_bust", text=text[:SHOWN])
    if asked.split and not can_split(rules, asked.cards[0]):
        raise BadInput("price.hand_unsplit", card=kinds[asked.cards[0]].name, text=text[:SHOWN])


def can_split(rules: RuleSet, kind: int) -> bool:
    """Whether two cards of this kind may be split at this table."""
    one = lookup.kinds(rules)[kind]
    pair = rulebook.Hand(
        hard=2 * one.points,
        ace=one.points == 1,
        cards=2,
        first=one.points,
        second=one.points,
        same_rank=True,
        figure=one.figure,
        split=False,
        doubled=False,
        hands=1,
        standing=0,
    )
    return bool(lookup.moves(rules, pair) & lookup.SPLIT)
