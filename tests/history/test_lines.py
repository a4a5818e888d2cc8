"""Event lines: what is written reads back as the same event, and what is no event is refused with what was expected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete.cards import PACKS
from tapete.events import Checked, Dealt, Decided, Event, Turned, Voided
from tapete.history import HistoryError, read_event, write_event
from tapete.history.lines import VERBS
from tapete.round import begin
from tapete.rules import RuleSet
from tapete.stakes import BoxStake, Lock
from tapete.words import words

CARDS = st.sampled_from([card for pack in PACKS for card in pack])
NAMES = st.one_of(
    st.text(min_size=1, max_size=40).filter(str.isprintable),
    st.sampled_from(
        ["dealer", "void", "b1", "b1.2", "b10", "by", "card", "hit", '"', '"a"', "\\", " ", "a b", "李雷", "²", "é"]
    ),
)
PLACES = st.tuples(st.integers(1, 99), st.integers(1, 99))
BY = st.sampled_from(["player", "clock", "bot"])


def decided(place: tuple[int, int], action: str, amount: int, bettor: str, by: str) -> Decided:
    return Decided(*place, action, amount if action == "insure" else 0, bettor, by)


EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(lambda place, card: Dealt(place[0], place[1], card), PLACES, CARDS),
    st.builds(lambda card: Dealt(0, 0, card), st.none() | CARDS),
    st.builds(Checked, st.booleans()),
    st.builds(Turned, CARDS),
    st.builds(decided, PLACES, st.sampled_from(list(VERBS)), st.integers(1, 10**15), NAMES | st.just(""), BY),
    st.builds(Voided, NAMES),
)


@given(EVENTS)
def test_a_line_reads_back_as_the_event_it_was_written_from(event: Event) -> None:
    line = write_event(event)
    assert read_event(line) == event
    assert write_event(read_event(line)) == line


@given(st.text(max_size=60) | st.from_regex(r"(b1|eva|dealer|void|\"a b\")( [a-zA-Z0-9?\"]+){0,4}"))
def test_any_text_is_an_event_or_refused_and_nothing_else(line: str) -> None:
    try:
        event = read_event(line)
    except HistoryError:
        return
    assert read_event(write_event(event)) == event


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("dealer hole ??", Dealt(0, 0, None)),
        ("dealer checks no blackjack", Checked(False)),
        ("b1 split", Decided(1, 1, "split")),
        ("b1.2 double", Decided(1, 2, "double")),
        ("b1 insures 500", Decided(1, 1, "insure", 500)),
        ("eva b3 insures 500", Decided(3, 1, "insure", 500, "eva")),
        ("b2 no insurance", Decided(2, 1, "no_insurance")),
        ("b1 retires", Decided(1, 1, "retire")),
        ("b1 keeps by clock", Decided(1, 1, "keep", by="clock")),
        ("eva b3 stays", Decided(3, 1, "stay", bettor="eva")),
        ('"María José" b3.2 matches by bot', Decided(3, 2, "match", bettor="María José", by="bot")),
        ('"b3" b3 stays', Decided(3, 1, "stay", bettor="b3")),
        ("void operator", Voided("operator")),
    ],
)
def test_lines_of_the_specification(line: str, event: Event) -> None:
    assert read_event(line) == event
    assert write_event(event) == line


def test_a_quoted_name_is_read_where_none_is_needed() -> None:
    assert read_event('"eva" b3 stays') == read_event("eva b3 stays")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", "dealer, void"),
        ("b0 hit", "dealer, void"),
        ("b1", "card, hit"),
        ("b1  hit", "card, hit"),
        (" b1 hit", "dealer, void"),
        ("b1 hits", "card, hit"),
        ("b1 Hit", "card, hit"),
        ("b1 hit ", "card, hit"),
        ("b1 hit by eva", "by clock"),
        ("b1 hit by player", "by clock"),
        ("b1 hit 100", "an amount"),
        ("b1 insures", "an amount"),
        ("b1 insures 0", "card, hit"),
        ("b1 insures -5", "card, hit"),
        ("b1 insures 1.5", "card, hit"),
        ("b1 insures ٥", "card, hit"),
        ("b1 insures 9999999999999999", "an amount"),
        ("b1 card Zx", "a card"),
        ("b1 card ah", "a card"),
        ("b1 card Th", "a card"),
        ("b1 card Ah/0", "a card"),
        ("dealer up ??", "a card"),
        ("dealer hole Kd", "dealer up"),
        ("dealer turns ??", "a card"),
        ("dealer checks", "dealer up"),
        ("dealer", "dealer up"),
        ("void", "a cause"),
        ("void two words", "a cause"),
        ('void ""', "a cause"),
        ("eva", "dealer, void"),
        ("María José b3 stays", "dealer, void"),
        ('"eva b3 stays', "dealer, void"),
        ('"eva"b3 stays', "a blank"),
        ('"\\x" b3 stays', "a name"),
        ('"' + "a" * 41 + '" b3 stays', "dealer, void"),
        ('"a\\u0007" b3 stays', "dealer, void"),
        ("b1 hit" * 200, "a line of at most"),
    ],
)
def test_what_is_no_event_is_refused_with_what_was_expected(line: str, expected: str) -> None:
    with pytest.raises(HistoryError) as refused:
        read_event(line)
    assert str(refused.value.facts["expected"]).startswith(expected)
    assert words("es").explain(refused.value) != words("en").explain(refused.value)


@pytest.mark.parametrize(
    "event",
    [
        Decided(1, 1, "wave"),
        Decided(1, 1, "hit", 100),
        Decided(1, 1, "insure", 0),
        Decided(1, 1, "hit", by="dog"),
        Voided(""),
        Voided("\a"),
        Voided("x" * 201),
        Lock((), ()),
    ],
)
def test_what_no_round_accepts_is_not_written(event: Event) -> None:
    with pytest.raises(HistoryError, match=r"history\.event_unwritable"):
        write_event(event)


def test_the_first_card_of_the_dealer_is_his_up_card() -> None:
    before = begin(RuleSet(dealer_deal="no_hole"), Lock((BoxStake(1, "Ana", 100),), (("Ana", 0),)))
    assert write_event(Dealt(0, 0, PACKS[0][0]), before) == "dealer up As"
    assert write_event(Dealt(0, 0, PACKS[0][0])) == "dealer draws As"
