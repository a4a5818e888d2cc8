"""The laws of a round, on random rule sets, stakes, cards and decisions."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete import round as rounds
from tapete.cards import PACK, Card
from tapete.croupier import Croupier
from tapete.errors import Refused
from tapete.events import DEALER, Asks, Check, Checked, Dealt, DealTo, Decided, Event, Over, Turned, TurnHole, Voided
from tapete.questions import OF_KIND
from tapete.stakes import bank_net, laid, nets
from tapete.state import Round, is_bust, standing, total_of
from tests.laws.worlds import World, any_answer, any_world, shuffled_shoe

seeds = st.integers(0, 2**40)


def money_is_whole(world: World) -> None:
    """Every unit: what a bettor has at the end is what he had, what he laid, and what he won or lost."""
    end = world.end
    before, on_cloth, won = dict(world.lock.spare), laid(world.lock), nets(end.statements)
    for name, spare in zip(end.bettors, end.spare, strict=True):
        assert spare == before[name] + on_cloth[name] + won.get(name, 0), name
        assert spare >= 0
    assert sum(won.values()) + bank_net(end.statements) == 0


@given(seeds)
def test_no_unit_is_lost_or_made(seed: int) -> None:
    world = any_world(seed)
    money_is_whole(world)


@given(seeds)
def test_every_bet_has_one_statement_and_its_net_is_a_known_multiple(seed: int) -> None:
    world = any_world(seed)
    rules, told = world.rules, world.end.statements
    assert len({(one.box, one.hand, one.bettor) for one in told}) == len(told)
    bets = sum(len(hand.bets) for box in world.end.boxes for hand in box.hands)
    insured = sum(bool(bet.amount) for box in world.end.boxes for bet in box.insurances)
    assert len(told) == bets + insured
    for one in told:
        if one.hand == 0:
            won = one.stake * rules.insurance.pays[0] // rules.insurance.pays[1]
            assert one.net in (-one.stake, won)
        else:
            paid = one.stake * rules.bj_pays[0] // rules.bj_pays[1]
            lost = one.stake * rules.surrender.loss[0] // rules.surrender.loss[1]
            known = {-one.stake, -one.stake // 2, 0, one.stake, paid, -lost}
            assert one.net in known, one


@given(seeds)
def test_the_cards_on_the_table_are_those_that_left_the_shoe(seed: int) -> None:
    world = any_world(seed)
    on_table = [card for box in world.end.boxes for hand in box.hands for card in hand.cards]
    assert Counter(on_table + [card for card in world.end.dealer if card]) == Counter(world.drawn)
    assert world.end.dealt == len(world.drawn)


@given(seeds)
def test_a_log_replays_to_an_equal_round_and_equal_money(seed: int) -> None:
    world = any_world(seed)
    again = rounds.replay(world.rules, world.events)
    assert again == world.end
    assert again.statements == world.end.statements


@given(seeds)
def test_a_log_survives_being_written(seed: int) -> None:
    world = any_world(seed)
    kept = msgspec.json.decode(msgspec.json.encode(world.events), type=list[Event])
    assert rounds.replay(world.rules, kept) == world.end


def _wrong_events(round_: Round) -> list[object]:
    card = PACK[0]
    places = [DealTo(box.number, number) for box in round_.boxes for number in range(6)] + [DealTo(DEALER, 0)]
    due = round_.waits
    wrong: list[object] = [Dealt(p.box, p.hand, card) for p in places if (p.box, p.hand) != _place(due)]
    if isinstance(due, DealTo):
        wrong.append(Dealt(due.box, due.hand, card if due.face_down else None))
    if not isinstance(due, Check):
        wrong += [Checked(True), Checked(False)]
    if not isinstance(due, TurnHole):
        wrong.append(Turned(card))
    return [*wrong, round_.lock, "nonsense"]


def _place(due: object) -> tuple[int, int] | None:
    return (due.box, due.hand) if isinstance(due, DealTo) else None


@given(seeds)
def test_what_a_round_does_not_wait_for_is_refused_and_leaves_it_equal(seed: int) -> None:
    def look(round_: Round) -> None:
        before = msgspec.json.encode(round_)
        for event in _wrong_events(round_):
            with pytest.raises(Refused):
                rounds.apply(round_, event)  # type: ignore[arg-type]
        assert msgspec.json.encode(round_) == before

    any_world(seed, look)


def _accepts(round_: Round, decision: Decided) -> bool:
    try:
        rounds.apply(round_, decision)
    except Refused:
        return False
    return True


@given(seeds)
def test_what_is_offered_is_exactly_what_is_accepted(seed: int) -> None:
    def look(round_: Round) -> None:
        open_ = round_.waits.questions if isinstance(round_.waits, Asks) else ()
        offered = {(q.box, q.hand, q.bettor, action) for q in open_ for action in q.legal}
        amounts = {(q.box, q.bettor): q.most for q in open_ if q.kind == "insure"}
        every = {action for actions in OF_KIND.values() for action in actions}
        for box, bettor, action in itertools.product(round_.boxes, round_.bettors, every):
            for hand in range(1, len(box.hands) + 2):
                amount = amounts.get((box.number, bettor), 100) if action == "insure" else 0
                decision = Decided(box.number, hand, action, amount, bettor)
                assert _accepts(round_, decision) == ((box.number, hand, bettor, action) in offered), decision

    any_world(seed, look)


@given(seeds)
def test_amounts_of_insurance_are_accepted_in_their_range_only(seed: int) -> None:
    def look(round_: Round) -> None:
        for question in round_.waits.questions if isinstance(round_.waits, Asks) else ():
            if "insure" not in question.legal:
                continue
            good = {question.least, question.most}
            bad = {0, -question.step, question.least - 1, question.most + 1, question.most + question.step}
            for amount in good | bad:
                decision = Decided(question.box, question.hand, "insure", amount, question.bettor)
                assert _accepts(round_, decision) == (amount in good)

    any_world(seed, look)


@given(seeds)
def test_every_refused_move_has_a_reason_and_every_question_a_choice(seed: int) -> None:
    def look(round_: Round) -> None:
        for question in round_.waits.questions if isinstance(round_.waits, Asks) else ():
            assert question.legal
            assert set(question.legal) | {move for move, _ in question.refused} == set(OF_KIND[question.kind])
            assert all(reason for _, reason in question.refused)

    any_world(seed, look)


def _finish(round_: Round, cards: list[Card], hole: Card | None, rng: random.Random) -> Round:
    supply = iter(cards)
    croupier = Croupier(lambda: next(supply))
    croupier.hole = hole
    while not isinstance(round_.waits, Over):
        event = croupier.serve(round_)
        if event is None:
            assert isinstance(round_.waits, Asks)
            event = any_answer(round_.waits.questions[0], rng)
        round_ = rounds.apply(round_, event)
    return round_


@given(seeds, st.randoms(use_true_random=False))
def test_questions_that_are_open_together_may_be_answered_in_any_order(seed: int, order: random.Random) -> None:
    seen: list[Round] = []

    def look(round_: Round) -> None:
        if isinstance(round_.waits, Asks) and len(round_.waits.questions) > 1:
            seen.append(round_)

    world = any_world(seed, look)
    for round_ in seen:
        rng = random.Random(seed)
        answers = [any_answer(question, rng) for question in round_.waits.questions]  # type: ignore[union-attr]
        ends = []
        for _ in range(3):
            order.shuffle(answers)
            ends.append(_all_answered(round_, answers, world, seed))
        agreed = [end for end in ends if end is not None]
        assert all(nets(end.statements) == nets(agreed[0].statements) for end in agreed)
        assert all(end.spare == agreed[0].spare for end in agreed)


def _all_answered(round_: Round, answers: list[Decided], world: World, seed: int) -> Round | None:
    """The end after these answers; None where one of them used up the chips that another needs."""
    for answer in answers:
        question = rounds.question_for(round_, answer)
        if answer.action not in question.legal or answer.amount > question.most:
            return None
        round_ = rounds.apply(round_, answer)
    hole = world.drawn[len(round_.places) - 1] if None in round_.dealer else None
    return _finish(round_, shuffled_shoe(random.Random(seed)), hole, random.Random(seed))


@given(seeds, st.integers(0, 60))
def test_a_void_round_gives_every_stake_back_at_any_moment(seed: int, moment: int) -> None:
    world = any_world(seed)
    playing = [round_ for round_ in world.rounds if not isinstance(round_.waits, Over)]
    voided = rounds.apply(playing[moment % len(playing)], Voided("operator"))
    before, on_cloth = dict(world.lock.spare), laid(world.lock)
    assert voided.spare == tuple(before[name] + on_cloth[name] for name in voided.bettors)
    assert isinstance(voided.waits, Over)
    assert all(one.net == 0 for one in voided.statements)
    with pytest.raises(Refused):
        rounds.apply(voided, Voided("again"))


@given(seeds)
def test_no_box_has_more_hands_than_the_table_allows(seed: int) -> None:
    world = any_world(seed)
    assert all(len(box.hands) <= max(1, world.rules.split.max_hands) for box in world.end.boxes)


@given(seeds)
def test_no_card_leaves_the_shoe_once_no_bet_is_open(seed: int) -> None:
    world = any_world(seed)
    if world.rules.dealer_draws == "always":
        return
    for before, event in zip(world.rounds, world.events[1:], strict=False):
        if isinstance(event, Dealt) and before.dealt >= len(before.places):
            bets = [bet for box in before.boxes for hand in box.hands for bet in hand.bets]
            bets_open = any(not bet.settled for bet in bets)
            insured = any(bet.amount and not bet.settled for box in before.boxes for bet in box.insurances)
            assert bets_open or insured


@given(seeds)
def test_a_forced_hand_never_ends_by_standing_at_or_below_a_standing_dealer(seed: int) -> None:
    world = any_world(seed)
    stood = [event for event in world.events if isinstance(event, Decided) and event.action == "stand"]
    for event in stood:
        before = world.rounds[world.events.index(event) - 1]
        hand = next(box for box in before.boxes if box.number == event.box).hands[event.hand - 1]
        held_to_one = hand.split and hand.cards[0].points == 1 and world.rules.split.aces_cards == "one"
        assert held_to_one or not standing(before) or total_of(hand) > standing(before)


@given(seeds)
def test_a_bust_hand_never_wins(seed: int) -> None:
    world = any_world(seed)
    boxes = {box.number: box for box in world.end.boxes}
    for one in world.end.statements:
        if one.hand and is_bust(boxes[one.box].hands[one.hand - 1]):
            assert one.net < 0 or one.reason == "part_returned"


@given(seeds)
def test_the_hole_card_is_nowhere_in_the_round_until_it_is_turned(seed: int) -> None:
    world = any_world(seed)
    for round_, event in zip(world.rounds, world.events, strict=True):
        if len(round_.dealer) > 1 and round_.dealer[1] is None:
            assert not isinstance(event, Turned)
            assert round_.dealt == len(round_.dealer) + sum(len(h.cards) for b in round_.boxes for h in b.hands)


@given(seeds)
def test_a_finished_round_shows_the_hole_card(seed: int) -> None:
    assert None not in any_world(seed).end.dealer
