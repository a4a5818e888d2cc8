"""Scenes: every step of a finished round as a page shows it, without a script."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tapete import history, telling
from tapete.cards import Card
from tapete.history import Record
from tapete.server import rounds
from tapete.stakes import Bet
from tapete.state import Box, BoxHand, Round
from tapete.words import N_, Words


class Face(msgspec.Struct, frozen=True):
    """One card: what stands on it, what it is called, its suit (``back`` for one that lies face down)."""

    sign: str
    name: str
    suit: str


class Place(msgspec.Struct, frozen=True):
    """The dealer's cards, or a hand with the bets on it."""

    title: str
    cards: tuple[Face, ...]
    total: str
    bets: tuple[str, ...] = ()


class Scene(msgspec.Struct, frozen=True):
    """One step: what happened, and what lay on the cloth then."""

    lines: tuple[str, ...]
    places: tuple[Place, ...]


def scenes(record: Record, say: Words) -> list[Scene]:
    """Every step of a round, its bets first."""
    found: list[Scene] = []
    before: Round | None = None
    for step in history.replay(record):
        lines = rounds.sentence(before, step, say).split("\n")
        found.append(Scene(tuple(lines), tuple(_places(step.round_, say))))
        before = step.round_
    return found


def _places(round_: Round, say: Words) -> Iterator[Place]:
    yield Place(say.say(N_("Dealer")), _faces(round_.dealer, say), telling.dealer_text(round_, say))
    for box in round_.boxes:
        for number, hand in enumerate(box.hands, start=1):
            yield _hand(round_, box, hand, number, say)


def _hand(round_: Round, box: Box, hand: BoxHand, number: int, say: Words) -> Place:
    total = telling.total_text(hand, say) if hand.cards else ""
    notes = [total, say.say(N_("doubled")) if hand.doubled else "", say.say(N_("retired")) if hand.retired else ""]
    return Place(
        telling.place_text(round_, box.number, number, say),
        _faces(hand.cards, say),
        ", ".join(note for note in notes if note),
        tuple(_bet(round_, bet, say) for bet in hand.bets),
    )


def _bet(round_: Round, bet: Bet, say: Words) -> str:
    name, amount = round_.bettors[bet.bettor], say.amount(bet.base + bet.added)
    laid = f"{name}: {amount}"
    return say.say(N_("{bet} (settled)"), bet=laid) if bet.settled else laid


def _faces(cards: tuple[Card | None, ...], say: Words) -> tuple[Face, ...]:
    return tuple(
        Face(
            "" if card is None else telling.card_sign(card),
            telling.card_name(card, say),
            "back" if card is None else card.suit,
        )
        for card in cards
    )
