"""Shoes and hands as they are typed."""

from __future__ import annotations

import pytest

from tapete import lookup
from tapete.errors import BadInput
from tapete.pricing.reading import Asked, hand, shoe
from tapete.rulefile import preset, set_
from tapete.rules import RuleSet
from tapete.words import LANGUAGES, words

HOME = preset("home").rules
CASINO = preset("casino").rules
OPEN = preset("faceup").rules
RANKS = set_(preset("casino"), ["split.match=rank"]).rules
FIGURES = set_(preset("casino"), ["bj_definition=ace_with_figure"]).rules
TEN = "24,24,24,24,24,24,24,24,24,"


@pytest.mark.parametrize(
    ("rules", "text", "cards"),
    [
        (HOME, "", (8,) * 9 + (32,)),
        (HOME, "full", (8,) * 9 + (32,)),
        (HOME, "6", (24,) * 9 + (96,)),
        (HOME, TEN + "96", (24,) * 9 + (96,)),
        (HOME, " 1,2,3,4,5,6,7,8,9 , 10 ", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
        (HOME, TEN + "23,24,25,26", (24,) * 9 + (98,)),
        (HOME, "full-A,T,K", (7, *(8,) * 8, 30)),
        (HOME, "1-8h, 8♠", (4,) * 7 + (2, 4, 16)),
        (HOME, "Endless", (4 * 10**12,) * 9 + (16 * 10**12,)),
        (RANKS, TEN + "96", (24,) * 13),
        (RANKS, "full-T,k", (24,) * 9 + (23, 24, 24, 23)),
        (FIGURES, TEN + "96", (24,) * 10 + (72,)),
        (FIGURES, "full-10,q", (24,) * 9 + (23, 71)),
        (FIGURES, TEN + "1,2,3,4", (24,) * 9 + (1, 9)),
        (FIGURES, TEN + "20,70", (24,) * 9 + (20, 70)),
    ],
)
def test_a_shoe_is_read_as_packs_counts_or_cards_taken_out(rules: RuleSet, text: str, cards: tuple[int, ...]) -> None:
    assert shoe(rules, text) == cards


@pytest.mark.parametrize(
    ("rules", "text", "code"),
    [
        (HOME, "many", "price.shoe"),
        (HOME, " ", "price.shoe"),
        (HOME, "1,2,3", "price.shoe"),
        (HOME, "full-", "price.shoe"),
        (HOME, "full-8,x", "price.card"),
        (HOME, "full-8*", "price.star"),
        (HOME, "1-8,8,8,8,8", "price.shoe_taken"),
        (RANKS, TEN + "95", "price.shoe_tens"),
        (HOME, "9" * 400, "price.shoe"),
        (HOME, "²", "price.shoe"),
    ],
)
def test_what_is_no_shoe_is_refused(rules: RuleSet, text: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        shoe(rules, text)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("rules", "text", "asked"),
    [
        (CASINO, "8,8 v 10", Asked((7, 7), (9,), split=False)),
        (CASINO, "8 8 vs T", Asked((7, 7), (9,), split=False)),
        (CASINO, "7c,2d, 3h contra kS", Asked((6, 1, 2), (9,), split=False)),
        (CASINO, "a,j V a", Asked((0, 9), (0,), split=False)),
        (CASINO, "8*,3 v 10", Asked((7, 2), (9,), split=True)),
        (OPEN, "10,6 v 9,7", Asked((9, 5), (6, 8), split=False)),
        (RANKS, "J,K v Q", Asked((10, 12), (9,), split=False)),
        (FIGURES, "10,K v Q", Asked((9, 10), (10,), split=False)),
    ],
)
def test_a_hand_is_read_with_what_the_dealer_shows(rules: RuleSet, text: str, asked: Asked) -> None:
    assert hand(rules, text) == asked


@pytest.mark.parametrize(
    ("rules", "text", "code", "place"),
    [
        (CASINO, "", "price.hand", None),
        (CASINO, "8,8", "price.hand", None),
        (CASINO, "8,8 v 10 v 9", "price.hand", None),
        (CASINO, "8,X v 10", "price.card", 3),
        (CASINO, "8,8 v 11", "price.card", 7),
        (CASINO, "88 v 10", "price.card", 1),
        (CASINO, "8,8* v 10", "price.star", 3),
        (CASINO, "8,8 v 10*", "price.star", 7),
        (CASINO, "8 v 10", "price.hand_short", None),
        (CASINO, " v 10", "price.hand_short", None),
        (CASINO, "9,9,9 v 10", "price.hand_bust", None),
        (CASINO, "8,8 v 9,7", "price.dealer_one", None),
        (OPEN, "8,8 v 9", "price.dealer_two", None),
        (preset("british").rules, "4*,3 v 10", "price.hand_unsplit", None),
    ],
)
def test_a_hand_that_cannot_be_is_refused_with_its_place(
    rules: RuleSet, text: str, code: str, place: int | None
) -> None:
    with pytest.raises(BadInput) as refused:
        hand(rules, text)
    assert (refused.value.code, refused.value.facts.get("at")) == (code, place)
    for language in LANGUAGES:
        assert "{" not in words(language).explain(refused.value)


def test_every_kind_of_card_has_a_rank_that_means_it() -> None:
    for rules in (HOME, RANKS, FIGURES):
        names = [kind.name for kind in lookup.kinds(rules)]
        typed = [{"T": "10", "F": "Q"}.get(name, name) for name in names]
        assert [hand(rules, f"A,{rank} v 2").cards[1] for rank in typed] == list(range(len(names)))
