"""Every rule of blackjack, once.

Whatever the game says (may this hand split? does the dealer draw? what does it pay?) is one small pure function here:
scalars in, a scalar out. The round calls them; the analyser and the simulator run on tables filled by calling them.
They never raise and build nothing, so that a plain loop can walk them over their whole domain.

A function named ``why_not_...`` returns the reason as a short word, empty when the move is legal; where a switch
decides, the word is the switch's key, so that a table can cite its clause. Totals are points; money is whole units;
card values are points with the ace 1 (in ``split.exclude`` it is 11).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tapete.rules import RuleSet

TARGET: Final = 21
DEALER_STANDS: Final = 17
SOFT_BONUS: Final = 10

LOSS: Final = -1
PUSH: Final = 0
WIN: Final = 1
BLACKJACK: Final = 2
"""Outcomes of a hand: BLACKJACK is a win at ``bj_pays``."""


class Hand(NamedTuple):
    """Everything a rule may ask about one hand of a box.

    ``hard`` counts every ace 1; ``first`` and ``second`` are the points of its first two cards (0 while missing);
    ``standing`` is the total of a dealer known to stand that forced play asks the hand to beat, else 0.
    """

    hard: int
    ace: bool
    cards: int
    first: int
    second: int
    same_rank: bool
    figure: bool
    split: bool
    doubled: bool
    hands: int
    standing: int


# --- counting a hand ------------------------------------------------------------------------------------------------


def total(hard: int, *, ace: bool) -> int:
    """The best total of a hand: one ace counts 11 if that does not pass 21 (D0-02, D1-03, D3-07)."""
    return hard + SOFT_BONUS if ace and hard <= TARGET - SOFT_BONUS else hard


def is_bust(hard: int) -> bool:
    """Whether a hand has passed 21, every ace counted 1 (D0-01, D0-06)."""
    return hard > TARGET


def is_soft(hard: int, *, ace: bool) -> bool:
    """Whether an ace of the hand counts 11."""
    return ace and hard <= TARGET - SOFT_BONUS


def is_blackjack(rules: RuleSet, *, cards: int, hard: int, ace: bool, figure: bool) -> bool:
    """Whether two cards as dealt are a blackjack (D0-13, D1-07, D2-03)."""
    if cards != 2 or not ace or hard != TARGET - SOFT_BONUS:
        return False
    return figure or rules.bj_definition == "ace_with_any_ten"


def counts_as_blackjack(rules: RuleSet, hand: Hand) -> bool:
    """Whether a player's hand is a blackjack; after a split only as ``split_21_is_bj`` says (D1-08, D2-38)."""
    if hand.split and rules.split_21_is_bj != "all" and not (rules.split_21_is_bj == "tens" and hand.first == 10):
        return False
    return is_blackjack(rules, cards=hand.cards, hard=hand.hard, ace=hand.ace, figure=hand.figure)


# --- the dealer -----------------------------------------------------------------------------------------------------


def must_draw(rules: RuleSet, hard: int, *, ace: bool) -> bool:
    """Whether the dealer's total draws: to 16 always, at soft 17 as the table says (D0-07..09, D3-26..29)."""
    best = total(hard, ace=ace)
    if best != DEALER_STANDS:
        return best < DEALER_STANDS
    return rules.dealer_soft17 == "hit" and is_soft(hard, ace=ace)


def can_become_blackjack(rules: RuleSet, up: int, *, figure: bool) -> bool:
    """Whether a dealer whose first card is worth ``up`` may have, or still draw, a blackjack."""
    if up == 10:
        return figure or rules.bj_definition == "ace_with_any_ten"
    return up == 1


def checks(rules: RuleSet, up: int, *, figure: bool) -> bool:
    """Whether a hole card is looked at before the turns (Q4-11)."""
    if rules.dealer_deal != "hole" or not can_become_blackjack(rules, up, figure=figure):
        return False
    return rules.peek == "ace_or_ten" or (rules.peek == "ace" and up == 1)


def takes_second(rules: RuleSet, *, any_bet_open: bool) -> bool:
    """Whether the dealer takes his second card: while any bet or insurance is open (D0-S16, Q2-9; 8b.7)."""
    return any_bet_open or rules.dealer_draws == "always"


def draws_on(rules: RuleSet, *, hard: int, ace: bool, hands_open: bool, blackjacks_open: bool) -> bool:
    """Whether the dealer, past his second card, takes another one.

    Only hands still open need it; open blackjacks do under ``if_any_bet_live``, and under ``until_decided`` where
    they could still be tied (D1-38, 8b.5).
    """
    if not must_draw(rules, hard, ace=ace):
        return False
    if hands_open or rules.dealer_draws == "always":
        return True
    return blackjacks_open and (rules.dealer_draws == "if_any_bet_live" or not rules.bj_beats_21)


def standing_to_beat(rules: RuleSet, hard: int, *, ace: bool) -> int:
    """The dealer's total that forced play asks a hand to beat, 0 where play is free (D3-18, Q3-3)."""
    if rules.forced_play == "off" or rules.dealer_deal != "both_up" or must_draw(rules, hard, ace=ace):
        return 0
    return total(hard, ace=ace)


# --- a hand's turn --------------------------------------------------------------------------------------------------


def is_split_ace(hand: Hand) -> bool:
    """Whether the hand grew from one ace of a split pair."""
    return hand.split and hand.first == 1


def takes_one_card(rules: RuleSet, hand: Hand) -> bool:
    """Whether the hand is a split ace held to one card (D0-25, D2-37, D3-16)."""
    return is_split_ace(hand) and rules.split.aces_cards == "one"


def is_closed(rules: RuleSet, hand: Hand) -> bool:
    """Whether the hand's turn is over by itself, without a question."""
    best = total(hand.hard, ace=hand.ace)
    if best > TARGET or counts_as_blackjack(rules, hand) or (hand.doubled and rules.double.draw == "one_card"):
        return True
    if best == TARGET and (rules.hit_21 == "forbidden" or hand.standing > 0):
        return True
    if hand.standing and best > hand.standing:
        return True
    return takes_one_card(rules, hand) and hand.cards > 1 and why_not_split(rules, hand) != ""


def why_not_hit(rules: RuleSet, hand: Hand) -> str:
    """The reason why an open hand may not take a card."""
    return "split.aces_cards" if takes_one_card(rules, hand) else ""


def why_not_stand(rules: RuleSet, hand: Hand) -> str:
    """The reason why an open hand may not stand: it does not beat a standing dealer (D3-18)."""
    if hand.standing and not takes_one_card(rules, hand) and total(hand.hard, ace=hand.ace) <= hand.standing:
        return "forced_play"
    return ""


def _is_automatic(rules: RuleSet, hand: Hand) -> bool:
    return hand.standing > 0 and rules.forced_play == "auto_all"


def why_not_double(rules: RuleSet, hand: Hand) -> str:
    """The reason why an open hand may not double, funds aside (D0-21, D1-34, D3-12, D4-11)."""
    if _is_automatic(rules, hand):
        return "forced_play"
    if hand.doubled:
        return "double.draw"
    if hand.cards != 2 and rules.double.cards == "two":
        return "double.cards"
    if hand.split and not rules.double.after_split:
        return "double.after_split"
    if is_split_ace(hand) and (rules.split.aces_cards == "one" or not rules.double.after_split_aces):
        return "double.after_split_aces"
    return _why_not_double_total(rules, hand)


def _why_not_double_total(rules: RuleSet, hand: Hand) -> str:
    totals = rules.double.totals
    if totals == "any" or total(hand.hard, ace=hand.ace) in totals:
        return ""
    return "" if rules.double.soft_as_low and hand.hard in totals else "double.totals"


def why_not_split(rules: RuleSet, hand: Hand) -> str:
    """The reason why an open hand may not be split, funds aside (D0-23, D1-28, D1-33, D3-17, D4-14)."""
    if _is_automatic(rules, hand):
        return "forced_play"
    if hand.cards != 2 or hand.first != hand.second or hand.doubled:
        return "not_a_pair"
    if rules.split.match == "rank" and not hand.same_rank:
        return "split.match"
    if (11 if hand.first == 1 else hand.first) in rules.split.exclude:
        return "split.exclude"
    if hand.hands >= rules.split.max_hands:
        return "split.max_hands"
    return "split.aces_resplit" if is_split_ace(hand) and not rules.split.aces_resplit else ""


# --- retiring and insurance -----------------------------------------------------------------------------------------


def why_not_retire(rules: RuleSet, hand: Hand) -> str:
    """The reason why a hand may not be retired (D4-10): it must be the hand as dealt, and no blackjack (Q4-14)."""
    if rules.surrender.mode == "none":
        return "surrender.mode"
    if hand.cards != 2 or hand.split or hand.doubled or counts_as_blackjack(rules, hand):
        return "surrender.window"
    return "forced_play" if _is_automatic(rules, hand) else ""


def retires_before_check(rules: RuleSet) -> bool:
    """Whether all boxes are asked to retire before insurance and the check (D4-10, Q4-1)."""
    return rules.surrender.mode == "early" and rules.surrender.window == "on_second_card"


def retires_after_check(rules: RuleSet) -> bool:
    """Whether all boxes are asked to retire after the check."""
    return rules.surrender.mode == "late" and rules.surrender.window == "on_second_card"


def why_not_retire_in_turn(rules: RuleSet, hand: Hand) -> str:
    """The reason why the hand in turn may not retire: only where retiring is the first action of a turn."""
    if rules.surrender.mode != "none" and rules.surrender.window != "first_action":
        return "surrender.window"
    return why_not_retire(rules, hand)


def retiring_is_final(rules: RuleSet, *, dealer_blackjack_possible: bool) -> bool:
    """Whether a retired hand is settled at once, or a dealer blackjack may still take the rest (8b.2)."""
    return rules.surrender.mode == "early" or not dealer_blackjack_possible


def retire_loss(rules: RuleSet, stake: int) -> int:
    """The units lost of ``stake`` by retiring (D4-24)."""
    return stake * rules.surrender.loss[0] // rules.surrender.loss[1]


def offers_insurance(rules: RuleSet, up: int) -> bool:
    """Whether insurance is offered against this up card: an ace, the second card not seen (D0-16)."""
    return up == 1 and rules.insurance.who != "none" and rules.dealer_deal != "both_up"


def may_insure(rules: RuleSet, *, blackjack: bool, behind: bool) -> bool:
    """Whether a bettor on such a hand may insure (D0-17, D1-14; ``behind``: a backer)."""
    if behind and not rules.bet_behind.insure:
        return False
    return rules.insurance.who == "any" or (rules.insurance.who == "bj_holder" and blackjack)


def insurance_step(rules: RuleSet) -> int:
    """The step of insurances, in units: half a stake's step (8b.13)."""
    return rules.unit // 2


def insurance_least(rules: RuleSet, stake: int) -> int:
    """The smallest insurance on an original stake (D1-15, D0-19)."""
    return stake // 2 if rules.insurance.amount == "exactly_half" else insurance_step(rules)


def insurance_most(stake: int) -> int:
    """The largest insurance on an original stake: half of it (D0-19)."""
    return stake // 2


# --- stakes ---------------------------------------------------------------------------------------------------------


def why_not_bet(rules: RuleSet, amount: int, *, behind: bool) -> str:
    """The reason why an amount is no bet at this table: not positive, off the step, below or above the limits.

    A backer's smallest bet is one step; the page's minimum speaks of the box.
    """
    if amount <= 0:
        return "not_positive"
    if amount % rules.unit:
        return "unit"
    if amount < rules.bet_min and not behind:
        return "bet_min"
    return "bet_max" if rules.bet_max is not None and amount > rules.bet_max else ""


def box_has_room(rules: RuleSet, *, on_box: int, amount: int) -> bool:
    """Whether a backer's bet fits under the maximum beside what is on the box (D2-10, Q2-3)."""
    if rules.bet_max is None or rules.bet_behind.cap == "per_bettor":
        return True
    return on_box + amount <= rules.bet_max


def why_not_back(rules: RuleSet, *, consent: bool) -> str:
    """The reason why nobody may bet on another's box, or not without the holder's consent (D2-09, D2-10)."""
    if rules.bet_behind.mode == "off":
        return "bet_behind.mode"
    return "no_consent" if rules.bet_behind.mode == "consent" and not consent else ""


def backer_matches_unasked(rules: RuleSet) -> bool:
    """Whether a backer's money follows every double and split of the hand without a question (Q1-7)."""
    return rules.bet_behind.follow == "mirror"


def backer_may_match(rules: RuleSet) -> bool:
    """Whether a backer's money may follow a double or a split at all (Q1-7, Q2-11)."""
    return rules.bet_behind.follow != "original_only"


def split_stake(rules: RuleSet, stake: int) -> int:
    """The stake of the new hand of a split (D0-24, D3-15, Q4-2)."""
    return rules.unit if rules.split.stake == "one_chip" else stake


# --- settlement -----------------------------------------------------------------------------------------------------


def pays_early(rules: RuleSet, *, dealer_blackjack_possible: bool) -> bool:
    """Whether a dealt blackjack is paid before the turns (D1-19, D3-03)."""
    if rules.bj_pay_time == "on_deal":
        return True
    return rules.bj_pay_time == "interim" and not dealer_blackjack_possible


def _tie(rules: RuleSet) -> int:
    return PUSH if rules.tie == "push" else LOSS


def outcome(rules: RuleSet, *, player: int, blackjack: bool, dealer: int, dealer_blackjack: bool) -> int:
    """How a hand that has not gone bust fares against the dealer's final total.

    D0-10..14, D1-41..46, D3-25, D4-20..22; blackjacks by ``bj_tie`` and ``bj_beats_21`` (8b.6).
    """
    if blackjack and dealer_blackjack:
        return PUSH if rules.bj_tie == "push" else BLACKJACK if rules.bj_tie == "player" else LOSS
    if not rules.bj_beats_21 and player == TARGET and dealer == TARGET:
        return _tie(rules)
    if blackjack or dealer_blackjack:
        return BLACKJACK if blackjack else LOSS
    if dealer > TARGET or player > dealer:
        return WIN
    return _tie(rules) if player == dealer else LOSS


def net(rules: RuleSet, result: int, stake: int) -> int:
    """The units won (+) or lost (-) by ``stake`` with this outcome."""
    return stake * rules.bj_pays[0] // rules.bj_pays[1] if result == BLACKJACK else stake * result


def insurance_net(rules: RuleSet, stake: int, *, dealer_blackjack: bool) -> int:
    """The units won or lost by an insurance (D0-20, D1-16)."""
    return stake * rules.insurance.pays[0] // rules.insurance.pays[1] if dealer_blackjack else -stake


def bust_takes_all(rules: RuleSet) -> bool:
    """Whether a bust that is collected at once takes every bet of its bettor along (Q0-8, Q1-8, Q4-12)."""
    return rules.bust_scope == "all_player_bets"


def bust_is_final(rules: RuleSet, *, dealer_blackjack_possible: bool) -> bool:
    """Whether a bust hand is collected at once (D0-06); with ``one_bet`` a dealer blackjack may still return it."""
    return rules.no_hole_bj_takes != "one_bet" or not dealer_blackjack_possible


def takes_first_live(rules: RuleSet) -> bool:
    """Whether the one stake that a dealer blackjack takes is that of the first hand which is not bust (8b.10)."""
    return rules.no_hole_bj_takes == "busted_and_one"


def taken_by_blackjack(rules: RuleSet, *, base: int, added: int, first: bool, first_live: bool) -> int:
    """The units that a dealer blackjack takes of a losing bet of ``base`` plus its doubled part ``added``.

    ``first``: the hand has the box's first position; ``first_live``: it is the first that has not gone bust
    (D1-44, Q0-9, 8b.10).
    """
    if rules.no_hole_bj_takes == "all":
        return base + added
    counted = first_live if takes_first_live(rules) else first
    return base if counted else 0
