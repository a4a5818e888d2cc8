"""What may not stand together in a rule set, and which switches have nothing to do in it.

:func:`faults` refuses what no table could mean; each refusal is a small predicate beside its code, and the code's
sentence in ``tapete.messages`` gives the reason. Numbers in the comments are sections of the reading of the five pages.
:func:`idle` is milder: it names the switches that make no difference while another one stands as it does. A whole table
may state those; a line in a file of differences may not (``tapete.rulefile``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from tapete.money import chips
from tapete.rules import KEYS, RuleSet, Value, get, switches, with_
from tapete.rulevalues import Fault, fits, misfit, to_text

__all__ = ["REFUSALS", "Fault", "faults", "idle", "loses_to_late_blackjack", "splits", "taking_along"]

Told = tuple[tuple[str, object], ...]
Test = Callable[[RuleSet], bool]


def faults(rules: RuleSet) -> tuple[Fault, ...]:
    """Everything that is wrong with a rule set, none if it can be played; in a stable order.

    Values of the wrong kind come first; collisions that involve such a value are not looked for.
    """
    wrong = tuple(misfit(key, value) for key, value in switches(rules).items() if not fits(key, value))
    bad = {fault.key for fault in wrong}
    sound = with_(rules, {key: get(RuleSet(), key) for key in bad})
    return wrong + tuple(fault for fault in _collisions(sound) if bad.isdisjoint((fault.key, *fault.others)))


# --- numbers that must agree ---------------------------------------------------------------------------------------


def _shoe(rules: RuleSet) -> Iterator[Fault]:
    cards, left = 52 * rules.decks, rules.cut_card_left
    if rules.shuffle == "every_round" and left is not None:
        yield _fault(rules, "cut_card_left", "rules.cut_without_shoe", "shuffle")
    if rules.shuffle == "cut_card" and left is None:
        yield _fault(rules, "cut_card_left", "rules.cut_missing", "shuffle", ("high", cards - 1))
    if left is not None and left >= cards:
        yield _fault(rules, "cut_card_left", "rules.cut_beyond_shoe", "decks", ("high", cards - 1))
    if rules.back_colours is not None and sum(rules.back_colours) != rules.decks:
        yield _fault(rules, "back_colours", "rules.backs", "decks", ("decks", rules.decks))


def _limits(rules: RuleSet) -> Iterator[Fault]:
    unit = ("unit", chips(rules.unit))
    if rules.min_players > rules.seats_max:
        yield _fault(rules, "min_players", "rules.too_few_boxes", "seats_max", ("high", rules.seats_max))
    if rules.bet_min % rules.unit:
        yield _fault(rules, "bet_min", "rules.limit_off_unit", "unit", unit)
    if rules.bet_max is not None and rules.bet_max % rules.unit:
        yield _fault(rules, "bet_max", "rules.limit_off_unit", "unit", unit)
    if rules.bet_max is not None and rules.bet_min > rules.bet_max:
        yield _fault(rules, "bet_min", "rules.limits_crossed", "bet_max", ("high", chips(rules.bet_max)))


def _payable(amount: int, ratio: tuple[int, int]) -> bool:
    return amount * ratio[0] % ratio[1] == 0


def _payouts(rules: RuleSet) -> Iterator[Fault]:
    """8b.13: stakes are multiples of ``unit``, insurance of half a unit; whatever they win or lose is whole units."""
    insured, retired = rules.insurance.who != "none", rules.surrender.mode != "none"
    if not _payable(rules.unit, rules.bj_pays):
        yield _unpayable(rules, "bj_pays")
    if insured and rules.unit % 2:
        yield _fault(rules, "unit", "rules.unit_not_halved", "insurance.who")
    elif insured and not _payable(rules.unit // 2, rules.insurance.pays):
        yield _unpayable(rules, "insurance.pays")
    if retired and not _payable(rules.unit, rules.surrender.loss):
        yield _unpayable(rules, "surrender.loss")
    if rules.surrender.loss[0] >= rules.surrender.loss[1]:
        yield _fault(rules, "surrender.loss", "rules.retires_with_nothing")


def _unpayable(rules: RuleSet, ratio: str) -> Fault:
    return _fault(rules, "unit", "rules.unit_not_payable", ratio, ("ratio", to_text(ratio, get(rules, ratio))))


# --- words that must agree -----------------------------------------------------------------------------------------


def loses_to_late_blackjack(rules: RuleSet) -> bool:
    """Whether a dealer blackjack can come to light after the turns (8b.10): no hole card, or one not always checked."""
    return rules.dealer_deal == "no_hole" or (rules.dealer_deal == "hole" and rules.peek != "ace_or_ten")


def splits(rules: RuleSet) -> bool:
    """Whether any pair at all may be split."""
    return rules.split.max_hands > 1 and len(rules.split.exclude) < 10


def _early_in_turn_after_check(rules: RuleSet) -> bool:
    surrender = rules.surrender
    return surrender.mode == "early" and surrender.window == "first_action" and rules.peek != "none"


def _paid_before_end_but_beatable(rules: RuleSet) -> bool:
    return rules.bj_pay_time != "end" and not rules.bj_beats_21


def _bust_money_claimed_twice(rules: RuleSet) -> bool:
    return rules.bust_scope == "all_player_bets" and rules.no_hole_bj_takes == "one_bet"


_REFUSED: tuple[tuple[str, str, str, Test], ...] = (
    # (code, the switch to change, the switch it collides with, when)
    # 8, observations: a check needs a card that lies face down.
    ("rules.peek_needs_hole", "peek", "dealer_deal", lambda r: r.peek != "none" and r.dealer_deal != "hole"),
    # 8, observations: only an open dealer hand can force the player.
    ("rules.forced_needs_open", "forced_play", "dealer_deal", lambda r: r.forced_play != "off" and not _open(r)),
    # 8b.1: nobody insures against a card he can see.
    ("rules.insurance_open", "insurance.who", "dealer_deal", lambda r: r.insurance.who != "none" and _open(r)),
    # 8b.2: the check comes before the turns, so a retirement within the turn cannot be early.
    ("rules.early_after_check", "surrender.window", "peek", _early_in_turn_after_check),
    # 8b.3
    (
        "rules.ace_double_needs_cards",
        "double.after_split_aces",
        "split.aces_cards",
        lambda r: r.double.after_split_aces and r.split.aces_cards == "one",
    ),
    # 8b.5: with both cards up nothing is left to wait for; otherwise the deal does not tell that a blackjack is safe.
    ("rules.interim_open", "bj_pay_time", "dealer_deal", lambda r: r.bj_pay_time == "interim" and _open(r)),
    ("rules.on_deal_closed", "bj_pay_time", "dealer_deal", lambda r: r.bj_pay_time == "on_deal" and not _open(r)),
    ("rules.paid_too_soon", "bj_pay_time", "bj_beats_21", _paid_before_end_but_beatable),
    # 8b.10
    (
        "rules.no_late_blackjack",
        "no_hole_bj_takes",
        "dealer_deal",
        lambda r: r.no_hole_bj_takes != "all" and not loses_to_late_blackjack(r),
    ),
    # A bust that costs every bet at once, and a dealer blackjack that hands bust bets back, claim the same money.
    ("rules.bust_claimed_twice", "bust_scope", "no_hole_bj_takes", _bust_money_claimed_twice),
)


REFUSALS = tuple(code for code, _, _, _ in _REFUSED)
"""The codes of the words that may not stand together."""


def _open(rules: RuleSet) -> bool:
    return rules.dealer_deal == "both_up"


def _words(rules: RuleSet) -> Iterator[Fault]:
    return (_fault(rules, key, code, other) for code, key, other, when in _REFUSED if when(rules))


def _collisions(rules: RuleSet) -> Iterator[Fault]:
    for look in (_shoe, _limits, _payouts, _words):
        yield from look(rules)


def _fault(rules: RuleSet, key: str, code: str, other: str = "", *told: tuple[str, object]) -> Fault:
    """A collision of ``key`` with ``other``; its sentence may speak of {key}, {value}, {other} and {other_value}."""
    against: Told = (("other", other), ("other_value", to_text(other, get(rules, other)))) if other else ()
    others = (other,) if other else ()
    return Fault(code=code, key=key, value=to_text(key, get(rules, key)), others=others, told=(*against, *told))


ONLY_VALUE: Mapping[str, Value] = MappingProxyType(
    {
        "rules.cut_without_shoe": None,
        "rules.peek_needs_hole": "none",
        "rules.forced_needs_open": "off",
        "rules.insurance_open": "none",
        "rules.ace_double_needs_cards": False,
        "rules.no_late_blackjack": "all",
    }
)
"""Collisions after which the first switch has one value left; none where a choice remains."""


def taking_along(rules: RuleSet, stated: Iterable[str]) -> RuleSet:
    """The table after a change of the ``stated`` switches, with those brought along that now have one value left.

    Whoever says only ``shuffle = "every_round"`` means that the cut card goes too. A switch that is stated itself is
    never touched: if it collides, :func:`faults` says so.
    """
    kept = set(stated)
    forced = (fault for fault in faults(rules) if fault.code in ONLY_VALUE and fault.key not in kept)
    return with_(rules, {fault.key: ONLY_VALUE[fault.code] for fault in forced})


# --- switches with nothing to do -----------------------------------------------------------------------------------


def _never_doubles(rules: RuleSet) -> bool:
    return rules.double.totals == ()


_IDLE: tuple[tuple[str, Test, tuple[str, ...]], ...] = (
    # (the switch because of which, when, the switches that then have nothing to do)
    (
        "bet_behind.mode",
        lambda r: r.bet_behind.mode == "off",
        ("bet_behind.cap", "bet_behind.follow", "bet_behind.insure"),
    ),
    ("bet_max", lambda r: r.bet_max is None, ("bet_behind.cap",)),
    (
        "insurance.who",
        lambda r: r.insurance.who == "none",
        ("insurance.amount", "insurance.pays", "bet_behind.insure"),
    ),
    ("surrender.mode", lambda r: r.surrender.mode == "none", ("surrender.window", "surrender.loss")),
    (
        "double.totals",
        _never_doubles,
        (
            "double.soft_as_low",
            "double.cards",
            "double.after_split",
            "double.after_split_aces",
            "double.draw",
        ),
    ),
    ("double.totals", lambda r: r.double.totals == "any", ("double.soft_as_low",)),
    ("double.after_split", lambda r: not r.double.after_split, ("double.after_split_aces",)),
    (
        "split.max_hands",
        lambda r: not splits(r),
        (
            "split.match",
            "split.stake",
            "split.second_cards",
            "split.aces_cards",
            "split.aces_resplit",
            "double.after_split",
            "double.after_split_aces",
            "split_21_is_bj",
        ),
    ),
    ("split.max_hands", lambda r: r.split.max_hands == 1, ("split.exclude",)),
    ("split.max_hands", lambda r: r.split.max_hands == 2, ("split.aces_resplit",)),
    ("split.exclude", lambda r: 10 in r.split.exclude, ("split.match",)),
    (
        "split.exclude",
        lambda r: 11 in r.split.exclude,
        ("split.aces_cards", "split.aces_resplit", "double.after_split_aces"),
    ),
    ("dealer_deal", lambda r: not loses_to_late_blackjack(r), ("no_hole_bj_takes",)),
    ("dealer_deal", lambda r: r.dealer_deal != "hole", ("peek",)),
    ("dealer_deal", lambda r: not _open(r), ("forced_play",)),
    ("shuffle", lambda r: r.shuffle == "every_round", ("cut_card_left",)),
    ("seats_max", lambda r: r.seats_max == 1, ("boxes_per_player", "min_players", "settle_order")),
)


def idle(rules: RuleSet) -> Mapping[str, str]:
    """The switches that make no difference in this table, each with the switch because of which."""
    found: dict[str, str] = {}
    for because, when, keys in _IDLE:
        if when(rules):
            for key in keys:
                found.setdefault(key, because)
    return {key: found[key] for key in KEYS if key in found}
