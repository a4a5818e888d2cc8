"""What players are promised: nothing to be seen too early, nothing to be changed afterwards."""

from __future__ import annotations

import copy
import io
import itertools
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.console import Console
from rich.pretty import Pretty

from tapete import fairness, shoe
from tapete.cards import PACK, Card
from tapete.errors import BadInput, Refused, TapeteError
from tapete.fairness import Dealt, Secret, ShoeRecord, Verdict, verify
from tapete.rules import RuleSet

SECRET = Secret(bytes(range(32)))
DIGEST = "d" * 64
RULES = RuleSet(decks=1, shuffle="cut_card", cut_card_left=0)
ANA, EVA = b"ana's own seed", b"eva's own seed"


def committed(secret: Secret = SECRET) -> ShoeRecord:
    return fairness.begin(secret, shoe_id="shoe-1", rules_digest=DIGEST, rules=RULES)


def listed() -> ShoeRecord:
    """Two promises, the list closed."""
    record = fairness.promise(committed(), fairness.seed_commitment(ANA))
    return fairness.close(fairness.promise(record, fairness.seed_commitment(EVA)))


def ready() -> ShoeRecord:
    """Cut at 20, Ana's seed opened and Eva's not."""
    return fairness.cut(fairness.open_seed(listed(), index=0, seed=ANA), at=20)


def take(from_shoe: shoe.Shoe, count: int) -> tuple[Dealt, shoe.Shoe]:
    """One round of so many cards."""
    first, cards = from_shoe.place, list[Card]()
    for _ in range(count):
        one, from_shoe = from_shoe.deal()
        cards.append(one)
    return Dealt(first=first, cards=tuple(cards)), from_shoe


def played() -> tuple[ShoeRecord, tuple[Dealt, ...]]:
    """A whole shoe in three rounds of 22 cards; it runs out within the third. Revealed."""
    record, rounds = ready(), []
    lying = shoe.load(fairness.order(record, SECRET), rules=RULES)
    for _ in range(2):
        one, lying = take(lying, 22)
        lying = lying.discard(lying.in_play)
        rounds.append(one)
    before, lying = take(lying, 8)
    record, lying = fairness.reshuffle(record, SECRET, lying)
    after, lying = take(lying, 14)
    rounds.append(Dealt(first=before.first, cards=before.cards + after.cards))
    return fairness.reveal(record, SECRET), tuple(rounds)


RECORD, ROUNDS = played()


def failure(deed: Callable[[], object]) -> str:
    with pytest.raises(TapeteError) as failed:
        deed()
    return failed.value.code


# ---- before the reveal


@pytest.mark.parametrize("show", [repr, str, "{}".format, lambda one: f"{[one]!r}", lambda one: f"{one!s:>40}"])
def test_a_secret_that_is_printed_shows_nothing(show: Callable[[object], str]) -> None:
    assert SECRET.raw.hex()[:8] not in show(SECRET)
    assert "hidden" in show(SECRET)
    assert str(SECRET.raw)[2:10] not in show(SECRET)


def test_a_secret_shows_nothing_on_a_rich_console_or_in_json() -> None:
    console = Console(file=io.StringIO(), width=200)
    console.print(Pretty({"secret": SECRET}))
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == "{'secret': Secret(hidden)}\n"
    with pytest.raises(TypeError):
        msgspec.json.encode(SECRET)
    with pytest.raises(TypeError):
        json.dumps(SECRET)


def test_secrets_are_new_each_time_and_compare_by_content() -> None:
    assert fairness.new_secret() != fairness.new_secret()
    assert copy.deepcopy(SECRET) == SECRET
    assert len({Secret(SECRET.raw), SECRET}) == 1
    assert SECRET.raw != SECRET


@pytest.mark.parametrize("raw", [b"", b"x" * 31, b"x" * 33])
def test_a_secret_has_32_bytes(raw: bytes) -> None:
    assert failure(lambda: Secret(raw)) == "fairness.secret_length"


@pytest.mark.parametrize("record", [committed(), listed(), ready()], ids=["committed", "listed", "cut"])
def test_SH_08_before_the_reveal_the_record_tells_nothing_of_the_secret(record: ShoeRecord) -> None:
    public = json.dumps(fairness.to_plain(record))
    assert "secret" not in fairness.to_plain(record)
    assert not any(SECRET.raw.hex()[at : at + 8] in public for at in range(0, 64, 8))
    assert verify(record, ROUNDS).outcome == "pending"


def test_SH_08_no_published_text_is_the_key_of_the_shuffle() -> None:
    public = [RECORD.commitment, *RECORD.seed_commitments, DIGEST]
    cards = shoe.canonical(RULES)
    for text in public:
        for prefix in (fairness.SHUFFLE_LABEL, fairness.COMMIT_LABEL):
            key = Secret(bytes.fromhex(text))
            told = fairness.packed(prefix, RECORD.id.encode(), *fairness._contributions(ready()))
            guess = shoe.cut(fairness.shuffled(cards, fairness.words(key, told)), at=20)
            assert guess != fairness.order(ready(), SECRET)


def test_SH_08_two_secrets_with_the_same_public_list_give_different_shoes() -> None:
    """So the order cannot be a function of what is public."""
    orders = set()
    for number in range(20):
        record = fairness.cut(fairness.close(committed(fairness.seeded_secret(number))), at=0)
        orders.add(fairness.order(record, fairness.seeded_secret(number)))
    assert len(orders) == 20


def test_SH_08_after_the_reveal_the_whole_shoe_can_be_rebuilt() -> None:
    assert RECORD.secret is not None
    told = Secret(bytes.fromhex(RECORD.secret))
    assert fairness.commitment(told, rules_digest=RECORD.rules, shoe_id=RECORD.id) == RECORD.commitment
    assert fairness.order(RECORD, told) == ROUNDS[0].cards + ROUNDS[1].cards + ROUNDS[2].cards[:8]


# ---- what decides the order


def test_every_player_has_a_say() -> None:
    closed = listed()
    openings = [(), (0,), (1,), (0, 1)]
    orders = set()
    for opened in openings:
        record = closed
        for index in opened:
            record = fairness.open_seed(record, index=index, seed=(ANA, EVA)[index])
        orders.add(fairness.order(fairness.cut(record, at=0), SECRET))
    assert len(orders) == len(openings)


def test_opening_a_seed_that_is_anothers_hash_is_not_the_same_as_silence() -> None:
    promised = fairness.seed_commitment(ANA)
    silent = fairness.close(fairness.promise(committed(), promised))
    sly = fairness.close(fairness.promise(committed(), fairness.seed_commitment(bytes.fromhex(promised))))
    sly = fairness.open_seed(sly, index=0, seed=bytes.fromhex(promised))
    orders = [fairness.order(fairness.cut(one, at=0), SECRET) for one in (silent, sly)]
    assert orders[0] != orders[1]


def test_the_next_shoe_of_the_same_seed_number_is_another() -> None:
    secret = fairness.seeded_secret(7)
    records = [fairness.begin(secret, shoe_id=name, rules_digest=DIGEST, rules=RULES) for name in "12"]
    orders = [fairness.order(fairness.cut(fairness.close(one), at=0), secret) for one in records]
    assert orders[0] != orders[1]


def test_a_reshuffle_does_not_repeat_the_shuffle() -> None:
    words = fairness._shuffle_words(ready(), SECRET)
    again = [fairness._reshuffle_words(ready(), SECRET, number=number) for number in (1, 2)]
    assert len({next(one) for one in (words, *again)}) == 3


@given(st.lists(st.binary(max_size=6), max_size=4), st.lists(st.binary(max_size=6), max_size=4))
def test_packed_fields_cannot_be_mistaken_for_others(one: list[bytes], other: list[bytes]) -> None:
    assert (fairness.packed(*one) == fairness.packed(*other)) == (one == other)


# ---- the steps and their refusals


@pytest.mark.parametrize(
    ("code", "record", "deed"),
    [
        ("fairness.list_closed", listed(), lambda one: fairness.promise(one, "0" * 64)),
        ("fairness.list_closed", listed(), fairness.close),
        ("fairness.hash_unreadable", committed(), lambda one: fairness.promise(one, "0" * 63)),
        ("fairness.hash_unreadable", committed(), lambda one: fairness.promise(one, "0" * 64 + "\n")),
        ("fairness.hash_unreadable", committed(), lambda one: fairness.promise(one, "A" * 64)),
        ("fairness.list_open", committed(), lambda one: fairness.open_seed(one, index=0, seed=ANA)),
        ("fairness.list_open", committed(), lambda one: fairness.cut(one, at=0)),
        ("fairness.no_such_seed", listed(), lambda one: fairness.open_seed(one, index=2, seed=ANA)),
        ("fairness.no_such_seed", listed(), lambda one: fairness.open_seed(one, index=-1, seed=EVA)),
        ("fairness.seed_differs", listed(), lambda one: fairness.open_seed(one, index=1, seed=ANA)),
        ("fairness.seed_length", listed(), lambda one: fairness.open_seed(one, index=1, seed=b"")),
        ("fairness.seed_length", listed(), lambda one: fairness.open_seed(one, index=1, seed=b"x" * 65)),
        ("fairness.already_cut", ready(), lambda one: fairness.open_seed(one, index=1, seed=EVA)),
        ("fairness.already_cut", ready(), lambda one: fairness.cut(one, at=3)),
        ("fairness.seed_open", replace(ready(), cut=None), lambda one: fairness.open_seed(one, index=0, seed=ANA)),
        ("shoe.cut_outside", listed(), lambda one: fairness.cut(one, at=52)),
        ("shoe.cut_outside", listed(), lambda one: fairness.cut(one, at=-1)),
        ("fairness.not_cut", listed(), lambda one: fairness.order(one, SECRET)),
        ("fairness.secret_differs", ready(), lambda one: fairness.order(one, Secret(b"x" * 32))),
        ("fairness.secret_differs", ready(), lambda one: fairness.reveal(one, Secret(b"x" * 32))),
        ("shoe.not_empty", ready(), lambda one: fairness.reshuffle(one, SECRET, shoe.load(PACK, rules=RULES))),
    ],
)
def test_a_step_out_of_turn_is_refused_and_changes_nothing(
    code: str, record: ShoeRecord, deed: Callable[[ShoeRecord], object]
) -> None:
    before = copy.deepcopy(record)
    assert failure(lambda: deed(record)) == code
    assert record == before


# ---- verification


def test_an_honest_shoe_is_in_order_and_says_how_much_was_seen() -> None:
    assert verify(RECORD, ROUNDS, rules=RULES, digest=DIGEST) == Verdict(code="verdict.ok", compared=66)


def test_hidden_cards_and_missed_rounds_are_counted() -> None:
    hole = replace(ROUNDS[2], cards=(None, *ROUNDS[2].cards[1:]))
    assert verify(RECORD, [hole, ROUNDS[0]]) == Verdict(code="verdict.ok", compared=43, unseen=23)


def test_a_shoe_given_up_before_the_cut_is_in_order() -> None:
    for record in (committed(), listed()):
        assert verify(fairness.reveal(record, SECRET)).outcome == "ok"
        assert verify(fairness.reveal(record, SECRET), ROUNDS).outcome == "mismatch"


def flipped(text: str, bit: int) -> str:
    """Hexadecimal digits with one bit turned over."""
    raw = bytearray.fromhex(text)
    raw[bit // 8 % len(raw)] ^= 1 << bit % 8
    return raw.hex()


@given(st.integers(0, 255))
def test_one_bit_of_the_secret_is_found(bit: int) -> None:
    assert RECORD.secret is not None
    assert verify(replace(RECORD, secret=flipped(RECORD.secret, bit)), ROUNDS).code == "verdict.commitment"


@given(st.integers(0, 255))
def test_one_bit_of_the_commitment_is_found(bit: int) -> None:
    assert verify(replace(RECORD, commitment=flipped(RECORD.commitment, bit)), ROUNDS).code == "verdict.commitment"


@given(st.integers(0, 8 * len(ANA) - 1))
def test_one_bit_of_an_opened_seed_is_found_even_while_pending(bit: int) -> None:
    wrong = (flipped(RECORD.opened[0], bit), "")
    for record in (RECORD, ready()):
        verdict = verify(replace(record, opened=wrong), ROUNDS)
        assert (verdict.code, verdict.index, verdict.found) == ("verdict.seed", 1, wrong[0])


@given(st.integers(0, 255))
def test_one_bit_of_the_hash_of_an_unopened_seed_is_found(bit: int) -> None:
    wrong = (RECORD.seed_commitments[0], flipped(RECORD.seed_commitments[1], bit))
    assert verify(replace(RECORD, seed_commitments=wrong), ROUNDS).code == "verdict.card"


@given(st.integers(0, 51).filter(lambda at: at != 20))
def test_another_cut_is_found(at: int) -> None:
    verdict = verify(replace(RECORD, cut=at), ROUNDS)
    assert (verdict.code, verdict.index) == ("verdict.card", 0)


@given(st.integers(0, 65), st.sampled_from(PACK))
def test_every_changed_card_is_found_at_its_place(place: int, other: Card) -> None:
    cards = list(itertools.chain.from_iterable(one.cards for one in ROUNDS))
    if (real := cards[place]) == other:
        return
    cards[place] = other
    changed = [replace(one, cards=tuple(cards[one.first : one.first + 22])) for one in ROUNDS]
    verdict = verify(RECORD, changed)
    assert (verdict.code, verdict.index) == ("verdict.card", place)
    assert (verdict.expected, verdict.found) == (str(real), str(other))


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("verdict.commitment", {"id": "shoe-2"}),
        ("verdict.commitment", {"rules": "e" + DIGEST[1:]}),
        ("verdict.card", {"opened": ("", "")}),
        ("verdict.card", {"opened": (ANA.hex(), EVA.hex())}),
        ("verdict.card", {"opened": RECORD.opened[::-1], "seed_commitments": RECORD.seed_commitments[::-1]}),
        ("verdict.card", {"opened": RECORD.opened[:1], "seed_commitments": RECORD.seed_commitments[:1]}),
        ("verdict.list", {"opened": RECORD.opened[:1]}),
        ("verdict.list", {"opened": (), "closed": False}),
        ("verdict.list", {"opened": (), "seed_commitments": (), "closed": False}),
        ("verdict.cut", {"cut": None}),
        ("verdict.cut", {"cut": 52}),
        ("verdict.card", {"packs": (2,)}),
        ("verdict.card", {"packs": (0, 1)}),
        ("verdict.card", {"reshuffles": ()}),
        ("verdict.reshuffle", {"reshuffles": (22,)}),
        ("verdict.reshuffle", {"reshuffles": (0,)}),
        ("verdict.reshuffle", {"reshuffles": (53,)}),
        ("verdict.reshuffle", {"reshuffles": (44, 44)}),
    ],
)
def test_a_changed_record_is_found(code: str, changed: dict[str, Any]) -> None:
    assert verify(replace(RECORD, **changed), ROUNDS).code == code


def test_another_rule_set_is_found_before_the_reveal() -> None:
    assert verify(ready(), digest="e" * 64).code == "verdict.digest"
    assert verify(ready(), rules=RuleSet(decks=2)).code == "verdict.packs"


def test_a_skipped_card_and_a_card_dealt_twice_are_found() -> None:
    skipped = replace(ROUNDS[1], cards=ROUNDS[1].cards[1:])
    assert verify(RECORD, [ROUNDS[0], skipped, ROUNDS[2]]).code == "verdict.card"
    twice = Dealt(first=21, cards=(ROUNDS[0].cards[-1],))
    assert verify(RECORD, [ROUNDS[0], twice]).code == "verdict.round"
    assert verify(RECORD, [Dealt(first=-1, cards=PACK[:1])]).code == "verdict.round"


def test_the_reshuffle_of_a_round_that_nobody_saw_still_has_to_be_possible() -> None:
    """Without the round in the file its first place is the house's word; the cards seen later must fit it."""
    late = Dealt(first=60, cards=ROUNDS[2].cards[16:])
    assert verify(RECORD, [late]).outcome == "ok"
    assert verify(replace(RECORD, reshuffles=(43,)), [late]).outcome == "mismatch"


@pytest.mark.parametrize("reshuffles", [(53,), (0,), (44, 44), (44, 40), (44, 0), (44, 97)])
def test_an_impossible_reshuffle_is_found_without_any_round(reshuffles: tuple[int, ...]) -> None:
    assert verify(replace(RECORD, reshuffles=reshuffles)).code == "verdict.reshuffle"


# ---- files

plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=70),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("record", [committed(), listed(), ready(), RECORD])
def test_a_record_survives_a_file(record: ShoeRecord) -> None:
    plain = json.loads(json.dumps(fairness.to_plain(record)))
    assert fairness.from_plain(plain) == record
    assert fairness.from_plain({**plain, "_note": {"free": 1}}) == record


def test_a_file_needs_nothing_that_toml_cannot_write() -> None:
    assert None not in fairness.to_plain(committed()).values()


@given(st.sampled_from([*ShoeRecord.__struct_fields__, "other"]), plain_values)
def test_a_record_with_a_wrong_field_is_refused_or_checked_but_never_a_crash(field: str, value: object) -> None:
    try:
        record = fairness.from_plain({**fairness.to_plain(RECORD), field: value})
    except BadInput:
        return
    assert verify(record, ROUNDS).outcome in {"ok", "pending", "mismatch"}


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("commitment", "0" * 63, "commitment"),
        ("commitment", "0" * 64 + "\n", "commitment"),
        ("opened", ["0"], "opened[0]"),
        ("opened", ["00" * 65], "opened[0]"),
        ("cut", -1, "cut"),
        ("cut", 1.5, "cut"),
        ("packs", [65], "packs[0]"),
        ("packs", [1, 1, 1, 1, 1], "packs"),
        ("colour", "red", "colour"),
    ],
)
def test_a_wrong_field_is_named(field: str, value: object, says: str) -> None:
    with pytest.raises(BadInput) as refused:
        fairness.from_plain({**fairness.to_plain(RECORD), field: value})
    assert says in str(refused.value.facts["reason"])


@pytest.mark.parametrize("junk", [None, 3, "text", [], {}, {"id": "x"}, {1: 2}])
def test_what_is_no_record_at_all_is_refused(junk: object) -> None:
    assert failure(lambda: fairness.from_plain(junk)) == "fairness.record_unreadable"


# ---- the numbers, exactly


def test_every_order_comes_from_exactly_one_row_of_numbers() -> None:
    """Fisher-Yates of five cards: all 5 x 4 x 3 x 2 rows of numbers, each order once."""
    rows = itertools.product(*(range(bound) for bound in (5, 4, 3, 2)))
    orders = Counter(fairness.shuffled(PACK[:5], iter(row)) for row in rows)
    assert len(orders) == 120
    assert set(orders.values()) == {1}


@given(st.integers(1, 2**32))
def test_words_are_thrown_away_from_the_limit_on_and_no_sooner(bound: int) -> None:
    limit = 2**32 - 2**32 % bound
    assert fairness.below(bound, iter([limit - 1])) == bound - 1
    assert fairness.below(bound, iter([*range(limit, min(limit + 3, 2**32)), bound - 1])) == bound - 1


def test_refusals_are_of_the_kind_that_interfaces_catch() -> None:
    with pytest.raises(Refused):
        fairness.order(listed(), SECRET)
