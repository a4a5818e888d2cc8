"""The shoe as people at a table see it: what comes out, what stays out, when it is shuffled."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete.cards import PACKS, Card, card
from tapete.errors import Refused
from tapete.rules import RuleSet
from tapete.shoe import Composition, Shoe, canonical, cut, in_order, load

Mix = Callable[[Sequence[Card]], tuple[Card, ...]]
ONE_PACK = RuleSet(decks=1, shuffle="cut_card", cut_card_left=0)


def mixer(seed: int) -> Mix:
    chance = random.Random(seed)
    return lambda cards: tuple(chance.sample(cards, len(cards)))


def all_cards(shoe: Shoe) -> Counter[Card]:
    """Cards left, on the table and in the tray."""
    return Counter(shoe.order[shoe.position :]) + Counter(shoe.in_play) + Counter(shoe.discards)


def deal(shoe: Shoe, count: int, mix: Mix) -> tuple[tuple[Card, ...], Shoe]:
    """So many cards of one round, the discards shuffled in when the shoe runs out."""
    dealt: list[Card] = []
    for _ in range(count):
        if shoe.must_reshuffle:
            shoe = shoe.reshuffled(mix(in_order(shoe.discards)))
        one, shoe = shoe.deal()
        dealt.append(one)
    return tuple(dealt), shoe


def refusal(deed: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        deed()
    return refused.value.code


@st.composite
def tables(draw: st.DrawFn) -> RuleSet:
    decks = draw(st.integers(1, 8))
    first = draw(st.integers(0, decks))
    return RuleSet(
        decks=decks,
        back_colours=draw(st.sampled_from([None, (first, decks - first)])),
        shuffle=draw(st.sampled_from(["cut_card", "every_round"])),
        cut_card_left=draw(st.integers(0, 52 * decks)),
    )


# ---- what is loaded


def test_D2_04_six_packs_of_52_are_loaded() -> None:
    counts = Counter(canonical(RuleSet(decks=6)))
    assert set(counts) == set(PACKS[0])
    assert set(counts.values()) == {6}


def test_D2_05_three_packs_have_one_back_and_three_the_other() -> None:
    backs = Counter(one.back for one in canonical(RuleSet(decks=6, back_colours=(3, 3))))
    assert backs == {0: 156, 1: 156}


def test_both_colours_come_out_of_one_shoe() -> None:
    rules = RuleSet(decks=6, back_colours=(3, 3))
    dealt, _ = deal(load(mixer(1)(canonical(rules)), rules=rules), 40, mixer(2))
    assert {one.back for one in dealt} == {0, 1}


@given(tables())
def test_the_canonical_order_is_the_sorted_one(rules: RuleSet) -> None:
    assert in_order(mixer(3)(canonical(rules))) == canonical(rules)


def test_a_shoe_with_a_wrong_card_is_not_loaded() -> None:
    cards = list(canonical(ONE_PACK))
    cards[7] = cards[8]
    with pytest.raises(Refused) as refused:
        load(cards, rules=ONE_PACK)
    assert refused.value.code == "shoe.order_differs"
    assert refused.value.facts == {"missing": "8s", "foreign": "9s"}


def test_a_shoe_of_cards_with_the_wrong_back_is_not_loaded() -> None:
    assert refusal(lambda: load(PACKS[1], rules=ONE_PACK)) == "shoe.order_differs"


def test_cards_read_from_elsewhere_are_the_same_cards() -> None:
    copies = [Card(one.rank, one.suit, one.back, one.points, one.figure) for one in canonical(ONE_PACK)]
    assert load(copies, rules=ONE_PACK) == load(canonical(ONE_PACK), rules=ONE_PACK)


# ---- dealing and the cut card


def test_no_card_is_burnt() -> None:
    order = mixer(4)(canonical(ONE_PACK))
    assert deal(load(order, rules=ONE_PACK), 52, mixer(5))[0] == order


def test_a_person_lifts_cards_off_and_the_rest_goes_on_top() -> None:
    order = canonical(ONE_PACK)
    assert cut(order, at=50) == (*order[50:], *order[:50])
    assert cut(order, at=0) == order
    assert [refusal(lambda at=at: cut(order, at=at)) for at in (-1, 52)] == ["shoe.cut_outside"] * 2  # type: ignore[misc]


def test_A28_the_cut_card_comes_out_with_78_cards_behind_it() -> None:
    rules = RuleSet(decks=6, shuffle="cut_card", cut_card_left=78)
    _, shoe = deal(load(canonical(rules), rules=rules), 233, mixer(6))
    assert (shoe.needs_shuffle, shoe.to_cut_card, shoe.cards_left) == (False, 1, 79)
    _, shoe = deal(shoe, 1, mixer(6))
    assert (shoe.needs_shuffle, shoe.to_cut_card, shoe.cards_left) == (True, 0, 78)
    assert shoe.penetration == 0.75


def test_the_round_goes_on_behind_the_cut_card() -> None:
    rules = RuleSet(decks=1, shuffle="cut_card", cut_card_left=26)
    _, shoe = deal(load(canonical(rules), rules=rules), 30, mixer(7))
    assert shoe.needs_shuffle
    assert shoe.deal()[0] == canonical(rules)[30]


def test_D1_02_A2_the_cards_are_shuffled_after_every_round() -> None:
    rules = RuleSet(decks=6, shuffle="every_round", cut_card_left=None)
    shoe = load(canonical(rules), rules=rules)
    assert not shoe.needs_shuffle
    dealt, shoe = deal(shoe, 4, mixer(8))
    assert shoe.discard(dealt).needs_shuffle


@given(tables())
def test_a_fresh_shoe_never_asks_for_another_shuffle(rules: RuleSet) -> None:
    assert not load(canonical(rules), rules=rules).needs_shuffle


# ---- discards


def test_D2_23_the_dealers_cards_lie_on_top_of_the_tray_and_stay_there() -> None:
    (b1, b2, house), shoe = deal(load(canonical(ONE_PACK), rules=ONE_PACK), 3, mixer(9))
    shoe = shoe.discard((b2, b1, house))
    assert shoe.discards == (b2, b1, house)
    assert deal(shoe, 3, mixer(9))[1].discards == (b2, b1, house)


def test_a_card_cannot_be_discarded_twice() -> None:
    dealt, shoe = deal(load(canonical(ONE_PACK), rules=ONE_PACK), 3, mixer(10))
    shoe = shoe.discard(dealt)
    assert refusal(lambda: shoe.discard(dealt)) == "shoe.discards_differ"


def test_a_card_of_the_round_cannot_be_left_out_of_the_discards() -> None:
    dealt, shoe = deal(load(canonical(ONE_PACK), rules=ONE_PACK), 3, mixer(11))
    with pytest.raises(Refused) as refused:
        shoe.discard((*dealt[:2], card("Kd")))
    assert refused.value.facts == {"missing": "3s", "foreign": "Kd"}
    assert shoe.discards == ()


# ---- running out


def test_8b16_only_discards_of_earlier_rounds_are_shuffled_in() -> None:
    first, shoe = deal(load(canonical(ONE_PACK), rules=ONE_PACK), 20, mixer(12))
    on_table, shoe = deal(shoe.discard(first), 32, mixer(12))
    assert (shoe.must_reshuffle, shoe.exhausted) == (True, False)
    assert refusal(shoe.deal) == "shoe.empty"
    more, shoe = deal(shoe, 20, mixer(12))
    assert Counter(more) == Counter(first)
    assert shoe.in_play == on_table + more
    assert (shoe.began, shoe.place) == (20, 72)


def test_8b16_the_round_that_ran_out_is_followed_by_a_full_shuffle() -> None:
    first, shoe = deal(load(canonical(ONE_PACK), rules=ONE_PACK), 20, mixer(13))
    on_table, shoe = deal(shoe.discard(first), 33, mixer(13))
    assert shoe.needs_shuffle
    assert Counter(shoe.discard(on_table).discards) == Counter(on_table)


def test_8b16_with_all_cards_on_the_table_there_is_no_card_anywhere() -> None:
    dealt, shoe = deal(load(canonical(ONE_PACK), rules=ONE_PACK), 52, mixer(14))
    assert (shoe.must_reshuffle, shoe.exhausted) == (False, True)
    assert refusal(shoe.deal) == "shoe.no_card"
    assert refusal(lambda: shoe.reshuffled(())) == "shoe.no_card"
    assert shoe.discard(dealt).needs_shuffle


def test_a_shoe_with_cards_left_is_not_shuffled_within_a_round() -> None:
    first, shoe = deal(load(canonical(ONE_PACK), rules=ONE_PACK), 20, mixer(15))
    shoe = shoe.discard(first)
    assert refusal(lambda: shoe.reshuffled(first)) == "shoe.not_empty"


def test_a_reshuffle_cannot_bring_in_a_card_that_is_on_the_table() -> None:
    first, shoe = deal(load(canonical(ONE_PACK), rules=ONE_PACK), 20, mixer(16))
    on_table, spent = deal(shoe.discard(first), 32, mixer(16))
    assert refusal(lambda: spent.reshuffled((*first[:19], on_table[0]))) == "shoe.order_differs"


@pytest.mark.parametrize("left", [0, 1, 13, 26, 51, 52])
def test_SH_01_seven_boxes_that_hit_to_the_end_never_hang_the_shoe(left: int) -> None:
    rules = RuleSet(decks=1, shuffle="cut_card", cut_card_left=left)
    mix, chance = mixer(17), random.Random(left)
    shoe, reshuffles = load(canonical(rules), rules=rules), 0
    for _ in range(400):
        dealt, shoe = deal(shoe, chance.randint(16, 52), mix)
        assert len(set(dealt)) == len(dealt)
        reshuffles += bool(shoe.carried)
        shoe = shoe.discard(dealt)
        if shoe.needs_shuffle:
            shoe = load(mix(canonical(rules)), rules=rules)
    assert reshuffles or left > 26


@pytest.mark.parametrize("decks", [1, 5])
def test_SH_06_no_card_is_seen_more_often_than_there_are_packs(decks: int) -> None:
    rules = RuleSet(decks=decks, shuffle="every_round", cut_card_left=None)
    for seed in range(200):
        dealt, _ = deal(load(mixer(seed)(canonical(rules)), rules=rules), 40, mixer(seed))
        assert max(Counter(dealt).values()) <= decks


def test_SH_10_no_copies_after_three_reshuffles_of_two_packs() -> None:
    rules = RuleSet(decks=2, shuffle="cut_card", cut_card_left=0)
    mix, chance, reshuffles, shoe = mixer(18), random.Random(18), 0, load(canonical(ONE_PACK) * 2, rules=rules)
    whole = Counter(dict.fromkeys(PACKS[0], 2))
    while reshuffles < 3:
        for _ in range(chance.randint(5, 40)):
            reshuffles += shoe.must_reshuffle
            _, shoe = deal(shoe, 1, mix)
            assert all_cards(shoe) == whole
        shoe = shoe.discard(shoe.in_play)
        assert all_cards(shoe) == whole


def test_SH_11_one_hand_never_holds_the_same_card_twice() -> None:
    """Even where the shoe is empty before each of its cards but the first, the round's own cards stay out."""
    for seed in range(200):
        first, shoe = deal(load(mixer(seed)(canonical(ONE_PACK)), rules=ONE_PACK), 51, mixer(seed))
        hand, _ = deal(shoe.discard(first), 5, mixer(seed))
        assert len(set(hand)) == 5


@given(tables(), st.lists(st.integers(0, 60), max_size=30), st.integers())
def test_no_card_is_ever_lost_or_doubled(rules: RuleSet, rounds: list[int], seed: int) -> None:
    mix, whole = mixer(seed), Counter(canonical(rules))
    shoe = load(mix(canonical(rules)), rules=rules)
    for wanted in rounds:
        before = shoe
        count = min(wanted, shoe.cards_left + len(shoe.discards))
        dealt, shoe = deal(shoe, count, mix)
        assert shoe.in_play == dealt
        assert shoe.place == before.place + count
        assert all_cards(shoe) == whole
        shoe = shoe.discard(mix(dealt))
        assert all_cards(shoe) == whole
        assert (shoe.in_play, shoe.began) == ((), shoe.place)


@given(tables(), st.integers(1, 100), st.integers())
def test_what_is_refused_leaves_the_shoe_as_it_was(rules: RuleSet, count: int, seed: int) -> None:
    order = mixer(seed)(canonical(rules))
    shoe, twin = (deal(load(order, rules=rules), min(count, len(order)), mixer(seed))[1] for _ in range(2))
    assert refusal(lambda: shoe.discard(shoe.in_play[1:])) == "shoe.discards_differ"
    assert refusal(lambda: shoe.reshuffled(shoe.in_play)) in {"shoe.not_empty", "shoe.no_card"}
    assert shoe == twin


# ---- compositions


@given(tables(), st.integers(0, 52), st.integers())
def test_a_composition_counts_what_is_left(rules: RuleSet, count: int, seed: int) -> None:
    order = mixer(seed)(canonical(rules))
    left = Composition.of(order).minus(order[:count])
    assert left == Composition.of(order[count:])
    assert left.total == len(order) - count == sum(left.values)
    assert left.values[9] == left.plain_tens + left.figures


def test_a_composition_has_no_negative_counts() -> None:
    with pytest.raises(Refused) as refused:
        Composition.of(PACKS[0]).minus([card("Qh")] * 6)
    assert (refused.value.code, refused.value.facts) == ("composition.absent", {"rank": "Q", "short": 2})
