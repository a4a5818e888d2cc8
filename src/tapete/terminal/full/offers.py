"""Offers: what may be done now, as buttons with their words, their keys and their reasons."""

from __future__ import annotations

from collections.abc import Iterator

from tapete import table as tables
from tapete.events import Question
from tapete.rulefile import Preset
from tapete.telling import reason_text
from tapete.terminal.full.bets import Bets, chip_values
from tapete.terminal.full.choices import Offer
from tapete.terminal.keys import Key, keys_for, label, spoken
from tapete.words import Words
from tapete.words import words as words_of

NEVER = "surrender.mode"
"""The reason of a move that this table does not know at all: no button is kept for it."""


# --- a question -----------------------------------------------------------------------------------------------------


def for_question(preset: Preset, question: Question, words: Words) -> tuple[Offer, ...]:
    """The answers to a question, in their places; an amount of insurance has a button of its own."""
    keys = [key for key in keys_for(question, preset.rules, words.language) if key.reason != NEVER]
    offers = [_answer(preset, question, key, words) for key in keys]
    if question.kind == "insure" and question.least < question.most:
        offers.insert(1, Offer("amount", ("t",), words.say("t Other amount")))
    return tuple(offers)


def _answer(preset: Preset, question: Question, key: Key, words: Words) -> Offer:
    reason = reason_text(key.reason, preset.clauses, words) if key.reason else ""
    price = question.most if key.action in ("insure", "match") and not key.reason else 0
    text = f"{label(key)} {words.amount(price)}" if price else label(key)
    return Offer(key.action, (key.digit, key.letter), text, reason)


# --- bets -----------------------------------------------------------------------------------------------------------


def for_chips(bets: Bets, words: Words) -> tuple[Offer, ...]:
    """The chips, in order of value, with the digits that lay them."""
    place, table = bets.place, bets.game.table
    if place is None:
        return ()
    return tuple(
        Offer(
            f"chip {value}",
            (str(at + 1),),
            f"{at + 1} {words.amount(value)}",
            _why_not_chip(bets, value, words),
            chip=at,
        )
        for at, value in enumerate(chip_values(table.rules))
    )


def _why_not_chip(bets: Bets, value: int, words: Words) -> str:
    place, table = bets.place, bets.game.table
    if place is None:
        return ""
    if value > tables.spare(table, place.name):
        return words.reason("funds")
    top = table.rules.bet_max
    return words.reason("bet_max") if top is not None and bets.amount + value > top else ""


def for_bets(bets: Bets, words: Words) -> tuple[Offer, ...]:
    """What else may be done with bets; dealing first."""
    table, place = bets.game.table, bets.place
    if place is None:
        return (_deal(bets, words), Offer("people", ("w",), words.say("w People"), main=True))
    mine = [one for one in table.bets if one.name == place.name]
    last = [one for one in table.last if one.name == place.name]
    no_last = "" if last else words.reason("full.no_last")
    none_laid = "" if bets.amount else words.reason("full.nothing_laid")
    offers = [
        _deal(bets, words),
        Offer("rebet", ("r",), _spoken(bets, words).say("r Rebet"), no_last),
        Offer("double", ("x",), words.say("x Bet ×2"), "" if mine else no_last),
        Offer("undo", ("u",), words.say("u Undo"), "" if bets.can_undo else words.reason("full.nothing_to_undo")),
        Offer("clear", ("c",), words.say("c Clear"), none_laid),
        Offer("amount", ("t",), words.say("t Amount")),
    ]
    return (*offers, *_more(bets, words))


def _deal(bets: Bets, words: Words) -> Offer:
    reason = "" if bets.game.table.bets else words.reason("full.nothing_laid")
    return Offer("deal", ("enter", "n"), _spoken(bets, words).say("n Deal"), reason, main=not reason)


def _spoken(bets: Bets, words: Words) -> Words:
    """The words of the table's own page: a page in English calls it Deal and Rebet in every language."""
    return words_of(spoken(bets.game.table.rules, words.language))


def _more(bets: Bets, words: Words) -> Iterator[Offer]:
    table, place = bets.game.table, bets.place
    if place is None:
        return
    yield Offer("sit out", ("o",), words.say("o Sit out"))
    if bets.backers:
        yield Offer("back", ("b",), words.say("b Back"))
    if tables.person(table, place.name).chips < table.rules.bet_min:
        yield Offer("refill", ("f",), words.say("f New chips"), main=True)
    yield Offer("people", ("w",), words.say("w People"))


def after_round(bets: Bets, words: Words) -> tuple[Offer, ...]:
    """What may be done while the results are read."""
    place = bets.place
    last = place is not None and any(one.name == place.name for one in bets.game.table.last)
    offers = [Offer("go on", ("enter", "space", "n"), words.say("Enter Go on"), main=True)]
    if last:
        offers.append(Offer("rebet", ("r",), _spoken(bets, words).say("r Rebet")))
        offers.append(Offer("double", ("x",), words.say("x Bet ×2")))
    return tuple(offers)
