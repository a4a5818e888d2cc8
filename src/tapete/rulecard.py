"""The rule card: what a table's switches say, as sentences in the reader's language.

Every sentence comes from one switch, so a card cannot drift from the rules. A switch that makes no difference in its
table (``rulecheck.idle``) has nothing to say there; every other one has its line. The card is data; whoever shows it
decides how.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from tapete.money import CHIP
from tapete.rulecheck import idle
from tapete.rulefile import Preset
from tapete.rules import Ratio, RuleSet, Value, differences, get
from tapete.words import N_, Words

Teller = Callable[[RuleSet, Words], str]


class Line(msgspec.Struct, frozen=True):
    """What one switch says, and the clauses of the house's text that set it."""

    key: str
    text: str
    clauses: tuple[str, ...] = ()


class Section(msgspec.Struct, frozen=True):
    """A part of the card; never without lines."""

    title: str
    lines: tuple[Line, ...]


class RuleCard(msgspec.Struct, frozen=True, kw_only=True):
    """A table's rules in one language."""

    title: str
    description: str
    sections: tuple[Section, ...]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One switch on which two tables differ: what it says ``here`` and ``there``; "" where it has nothing to say."""

    key: str
    here: str
    there: str


def card(preset: Preset, words: Words) -> RuleCard:
    """The rule card of a table."""
    silent = idle(preset.rules)
    said = {key: sentence(preset.rules, key, words) for _, keys in SECTIONS for key in keys if key not in silent}
    sections = (
        Section(
            words.say(title),
            tuple(Line(key, said[key], tuple(preset.clauses.get(key, ()))) for key in keys if key in said),
        )
        for title, keys in SECTIONS
    )
    return RuleCard(
        title=preset.title.in_(words.language),
        description=preset.description.in_(words.language),
        sections=tuple(one for one in sections if one.lines),
    )


def compare(here: RuleSet, there: RuleSet, words: Words) -> tuple[Difference, ...]:
    """What differs between two tables, in the order of the switches, without what shows at neither of them."""
    silent = (idle(here), idle(there))
    found = []
    for key, _, _ in differences(here, there):
        texts = [
            "" if key in still else sentence(rules, key, words)
            for rules, still in zip((here, there), silent, strict=True)
        ]
        if texts[0] != texts[1]:
            found.append(Difference(key=key, here=texts[0], there=texts[1]))
    return tuple(found)


def felt_line(rules: RuleSet, words: Words) -> str:
    """The one line printed on the cloth: what a blackjack pays, how the dealer plays, ties or insurance."""
    parts = [
        _pays(rules.bj_pays, words, even=N_("Blackjack pays even money"), other=N_("Blackjack pays {paid} to {staked}"))
    ]
    soft = rules.dealer_soft17 == "hit"
    parts.append(words.say("Dealer draws on soft 17") if soft else words.say("Dealer stands on 17"))
    if rules.insurance.who != "none":
        even, other = N_("Insurance pays even money"), N_("Insurance pays {paid} to {staked}")
        parts.append(_pays(rules.insurance.pays, words, even=even, other=other))
    if rules.tie == "dealer":
        parts.append(words.say("Dealer wins ties"))
    return " · ".join(parts)


def sentence(rules: RuleSet, key: str, words: Words) -> str:
    """What the switch ``key`` says in this table."""
    if key in _TOLD:
        return _TOLD[key](rules, words)
    return words.say(_SENTENCES[key][get(rules, key)])


# --- sentences with numbers in them --------------------------------------------------------------------------------


def _pays(ratio: Ratio, words: Words, *, even: str, other: str) -> str:
    paid, staked = ratio
    return words.say(even) if paid == staked else words.say(other, paid=paid, staked=staked)


def _decks(rules: RuleSet, words: Words) -> str:
    return words.plural("One pack of 52 cards.", "{n} packs of 52 cards.", rules.decks)


def _cut(rules: RuleSet, words: Words) -> str:
    left = rules.cut_card_left or 0
    return words.plural("{n} card stays behind the cut card.", "{n} cards stay behind the cut card.", left)


def _backs(rules: RuleSet, words: Words) -> str:
    if rules.back_colours is None:
        return words.say("All backs are alike.")
    packs = " + ".join(map(str, rules.back_colours))
    return words.say("Packs by the colour of their backs: {packs}.", packs=packs)


def _boxes(rules: RuleSet, words: Words) -> str:
    return words.plural("The cloth has one box.", "The cloth has {n} boxes.", rules.seats_max)


def _players(rules: RuleSet, words: Words) -> str:
    return words.plural("A round needs a bet on one box.", "A round needs bets on {n} boxes.", rules.min_players)


def _own_boxes(rules: RuleSet, words: Words) -> str:
    if rules.boxes_per_player >= rules.seats_max:
        return words.say("One person may hold all the boxes.")
    most = rules.boxes_per_player
    return words.plural("One person may hold one box.", "One person may hold up to {n} boxes.", most)


def _chips(words: Words, one: str, many: str, amount: int) -> str:
    return words.say(one if amount == CHIP else many, amount=amount)


def _bet_min(rules: RuleSet, words: Words) -> str:
    many = N_("The smallest bet on a box is {amount:chips} chips.")
    return _chips(words, N_("The smallest bet on a box is one chip."), many, rules.bet_min)


def _bet_max(rules: RuleSet, words: Words) -> str:
    if rules.bet_max is None:
        return words.say("There is no largest bet.")
    many = N_("The largest bet on a box is {amount:chips} chips.")
    return _chips(words, N_("The largest bet on a box is one chip."), many, rules.bet_max)


def _unit(rules: RuleSet, words: Words) -> str:
    many = N_("Bets go up in steps of {amount:chips} chips.")
    return _chips(words, N_("Bets go up in steps of one chip."), many, rules.unit)


def _bj_pays(rules: RuleSet, words: Words) -> str:
    even = N_("Blackjack pays even money, like any other win.")
    other = N_("Blackjack pays {paid} to {staked}, any other win even money.")
    return _pays(rules.bj_pays, words, even=even, other=other)


def _insurance_pays(rules: RuleSet, words: Words) -> str:
    even, other = N_("A won insurance pays even money."), N_("A won insurance pays {paid} to {staked}.")
    return _pays(rules.insurance.pays, words, even=even, other=other)


def _retiring_costs(rules: RuleSet, words: Words) -> str:
    lost, parts = rules.surrender.loss
    if (lost, parts) == (1, 2):
        return words.say("Who retires loses half the bet.")
    return words.say("Who retires loses {lost}/{parts} of the bet.", lost=lost, parts=parts)


def _doubles(rules: RuleSet, words: Words) -> str:
    totals = rules.double.totals
    if isinstance(totals, str):
        return words.say("You may double on any total.")
    if not totals:
        return words.say("There is no doubling.")
    return words.say("You may double on these totals: {totals}.", totals=totals)


def _hands(rules: RuleSet, words: Words) -> str:
    most = rules.split.max_hands
    if most == 1:
        return words.say("Pairs may not be split.")
    once = N_("A pair may be split once, into two hands.")
    return words.say(once if most == 2 else N_("Pairs may be split again, up to {most} hands on a box."), most=most)


def _excluded(rules: RuleSet, words: Words) -> str:
    values = tuple("A" if value == 11 else str(value) for value in rules.split.exclude)
    if not values:
        return words.say("Any pair may be split.")
    return words.say("Pairs of these values may not be split: {values}.", values=values)


def _version(rules: RuleSet, words: Words) -> str:
    return words.say("Version {version} of these rules.", version=rules.version)


_TOLD: Final[Mapping[str, Teller]] = MappingProxyType(
    {
        "decks": _decks,
        "cut_card_left": _cut,
        "back_colours": _backs,
        "seats_max": _boxes,
        "min_players": _players,
        "boxes_per_player": _own_boxes,
        "bet_min": _bet_min,
        "bet_max": _bet_max,
        "unit": _unit,
        "bj_pays": _bj_pays,
        "insurance.pays": _insurance_pays,
        "surrender.loss": _retiring_costs,
        "double.totals": _doubles,
        "split.max_hands": _hands,
        "split.exclude": _excluded,
        "version": _version,
    }
)

# --- sentences of words and flags ----------------------------------------------------------------------------------

_SENTENCES: Final[Mapping[str, Mapping[Value, str]]] = MappingProxyType(
    {
        "shuffle": {
            "every_round": N_("The cards are shuffled before every round."),
            "cut_card": N_("The cards are shuffled after the round in which the cut card comes out."),
        },
        "bet_behind.mode": {
            "off": N_("Nobody may bet on another's box."),
            "consent": N_("Others may bet on a box if its holder agrees."),
            "open": N_("Others may bet on any box that plays."),
        },
        "bet_behind.cap": {
            "box_total": N_("All bets on a box together keep to the largest bet."),
            "per_bettor": N_("The largest bet holds for each bettor alone."),
        },
        "bet_behind.follow": {
            "choice": N_("When a hand doubles or splits, each backer chooses whether to add as much again."),
            "mirror": N_("When a hand doubles or splits, the backers' bets follow by themselves."),
            "original_only": N_("When a hand doubles or splits, the backers add nothing."),
        },
        "bet_behind.insure": {
            True: N_("Backers may insure their own bets."),
            False: N_("Backers may not insure."),
        },
        "deal_order": {
            "interleaved": N_("The dealer takes his first card after everyone's first."),
            "players_first": N_("The dealer takes his first card only after everyone's second."),
        },
        "dealer_deal": {
            "no_hole": N_("The dealer takes his second card when everyone has played."),
            "hole": N_("The dealer's second card lies face down until everyone has played."),
            "both_up": N_("Both of the dealer's cards lie face up."),
        },
        "peek": {
            "none": N_("The card that lies face down is not looked at before the turns."),
            "ace": N_("When the dealer shows an ace, he looks at once whether he has blackjack."),
            "ace_or_ten": N_("When the dealer shows an ace or a ten, he looks at once whether he has blackjack."),
        },
        "no_hole_bj_takes": {
            "all": N_("A dealer blackjack takes everything, doubled and split bets too."),
            "original_only": N_(
                "A dealer blackjack takes the original bet on the first hand of a box; other bets still open come back."
            ),
            "busted_and_one": N_(
                "A dealer blackjack takes the bust hands of a box and one original bet more; the rest comes back."
            ),
            "one_bet": N_(
                "A dealer blackjack takes one original bet of a box; all the rest comes back, bust hands too."
            ),
        },
        "dealer_soft17": {
            "stand": N_("The dealer draws to 16 and stands on every 17."),
            "hit": N_("The dealer draws to 16 and on a soft 17, and stands on hard 17 or more."),
        },
        "dealer_draws": {
            "if_any_bet_live": N_("The dealer draws only while a bet is on the cloth."),
            "until_decided": N_("The dealer draws only until every bet is decided."),
            "always": N_("The dealer plays his hand out even when no bet is left."),
        },
        "bj_definition": {
            "ace_with_any_ten": N_("Blackjack is an ace with a ten or a figure in the first two cards."),
            "ace_with_figure": N_("Blackjack is an ace with a figure in the first two cards; a plain ten makes none."),
        },
        "bj_beats_21": {
            True: N_("Blackjack beats every other 21."),
            False: N_("Blackjack against another 21 counts as equal."),
        },
        "bj_tie": {
            "push": N_("Blackjack against blackjack is void: the bet comes back."),
            "player": N_("Blackjack against blackjack is paid as a blackjack."),
            "dealer": N_("Blackjack against blackjack goes to the dealer."),
        },
        "bj_pay_time": {
            "end": N_("Blackjacks are paid when the round is settled."),
            "interim": N_("A blackjack that the dealer can no longer match is paid before the turns."),
            "on_deal": N_("Blackjacks are settled as soon as they are dealt."),
        },
        "split_21_is_bj": {
            "none": N_("21 in two cards after a split is no blackjack."),
            "tens": N_("After a split, an ace on a ten is a blackjack, a ten on an ace is not."),
            "all": N_("21 in two cards after a split is a blackjack too."),
        },
        "tie": {
            "push": N_("Equal hands are void: the bet comes back."),
            "dealer": N_("Equal hands go to the dealer."),
        },
        "bust_scope": {
            "hand": N_("A hand over 21 loses its bets at once, whatever the dealer gets."),
            "all_player_bets": N_("A hand over 21 loses at once all bets that its bettors have in the round."),
        },
        "insurance.who": {
            "none": N_("There is no insurance."),
            "any": N_("When the dealer shows an ace, every hand may be insured before the turns."),
            "bj_holder": N_("When the dealer shows an ace, only a blackjack may be insured, before the turns."),
        },
        "insurance.amount": {
            "up_to_half": N_("Insurance is any amount up to half the bet."),
            "exactly_half": N_("Insurance is exactly half the bet."),
        },
        "surrender.mode": {
            "none": N_("There is no retiring."),
            "early": N_("You may retire a hand, and not even a dealer blackjack takes what you keep."),
            "late": N_("You may retire a hand, but a dealer blackjack takes the whole bet."),
        },
        "surrender.window": {
            "on_second_card": N_("You retire when the second cards are out, before anyone plays."),
            "first_action": N_("You retire as the first action of your turn."),
        },
        "double.soft_as_low": {
            True: N_("For doubling, an ace may count 1: ace and 8 may double as 9."),
            False: N_("For doubling, an ace counts 11 as ever: ace and 8 is 19."),
        },
        "double.cards": {
            "two": N_("Only a hand of two cards may double."),
            "any": N_("A hand of any number of cards may double."),
        },
        "double.after_split": {
            True: N_("A hand that comes from a split may double."),
            False: N_("A hand that comes from a split may not double."),
        },
        "double.after_split_aces": {
            True: N_("Split aces may double as well."),
            False: N_("Split aces may not double."),
        },
        "double.draw": {
            "one_card": N_("A doubled hand gets exactly one card."),
            "no_limit": N_("A doubled hand may go on taking cards."),
        },
        "split.match": {
            "value": N_("Two cards of the same value are a pair, a ten and a king too."),
            "rank": N_("Only two cards of the same rank are a pair; a ten and a king are none."),
        },
        "split.stake": {
            "equal": N_("The new hand gets a bet equal to the first."),
            "one_chip": N_("The new hand gets the table's smallest chip as its bet."),
        },
        "split.second_cards": {
            "both_at_once": N_("Both hands get their second card at once."),
            "when_played": N_("The new hand gets its second card when its turn comes."),
        },
        "split.aces_cards": {
            "one": N_("Split aces get one card each."),
            "many": N_("Split aces play on like other hands."),
        },
        "split.aces_resplit": {
            True: N_("A split ace that meets an ace may be split again."),
            False: N_("Split aces are not split again."),
        },
        "hit_21": {
            "forbidden": N_("A hand of 21 takes no more cards."),
            "allowed": N_("You may ask for a card even on 21."),
        },
        "forced_play": {
            "off": N_("You may stand even when the dealer's total is higher."),
            "stand_withheld": N_(
                "When the dealer has to stand, you may not: you play on until you beat him or go over 21."
            ),
            "auto_all": N_(
                "When the dealer has to stand, your hand is dealt on by itself until it beats him or goes over 21."
            ),
        },
        "settle_order": {
            "left_to_right": N_("Bets are settled from the dealer's left to his right."),
            "right_to_left": N_("Bets are settled from the dealer's right to his left."),
        },
        "ui_verbs": {
            "es": N_("The moves have the names of your language."),
            "en": N_("The moves keep their English names: Hit, Stand, Double, Split."),
        },
    }
)

SECTIONS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (N_("Cards"), ("decks", "shuffle", "cut_card_left", "back_colours")),
    (
        N_("Boxes and bets"),
        (
            "seats_max",
            "min_players",
            "boxes_per_player",
            "bet_min",
            "bet_max",
            "unit",
            "bet_behind.mode",
            "bet_behind.cap",
            "bet_behind.follow",
            "bet_behind.insure",
        ),
    ),
    (N_("The deal"), ("deal_order", "dealer_deal", "peek", "bj_definition")),
    (N_("Your moves"), ("hit_21", "forced_play", "bust_scope", "ui_verbs")),
    (
        N_("Splitting"),
        (
            "split.max_hands",
            "split.match",
            "split.exclude",
            "split.stake",
            "split.second_cards",
            "split.aces_cards",
            "split.aces_resplit",
            "split_21_is_bj",
        ),
    ),
    (
        N_("Doubling"),
        (
            "double.totals",
            "double.soft_as_low",
            "double.cards",
            "double.after_split",
            "double.after_split_aces",
            "double.draw",
        ),
    ),
    (N_("Insurance"), ("insurance.who", "insurance.amount", "insurance.pays")),
    (N_("Retiring"), ("surrender.mode", "surrender.window", "surrender.loss")),
    (N_("The dealer"), ("dealer_soft17", "dealer_draws", "no_hole_bj_takes")),
    (
        N_("Settlement"),
        ("bj_pays", "bj_beats_21", "bj_tie", "bj_pay_time", "tie", "settle_order", "version"),
    ),
)
"""The sections of the card and the switches that speak in each, in order."""
