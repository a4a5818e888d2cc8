"""Asking: the questions of a round in words, and what is answered to them."""

from __future__ import annotations

from tapete.errors import BadInput, Refused
from tapete.events import Decided, Question
from tapete.telling import reason_text
from tapete.terminal.desk import Desk
from tapete.terminal.game import Step
from tapete.terminal.keys import Key, Typed, keys_for, label, read
from tapete.words import N_


def answer(desk: Desk, question: Question) -> Step:
    """What somebody at the keyboard decides, done and kept; never a move that was not typed or is not allowed."""
    keys = keys_for(question, desk.game.table.rules, desk.words.language)
    asked = f"{desk.voice.question(question)}\n{_offer(desk, question, keys)}"
    while True:
        text = desk.choose(asked, lambda: _explain(desk, question, keys))
        try:
            typed = read(text, keys)
            if typed is None:
                desk.not_understood(text)
            elif typed.key.reason:
                _refuse(desk, typed.key)
            elif typed.amount is not None and typed.key.action != "insure":
                desk.talk.tell(N_("No amount belongs to this answer. Nothing is decided."))
            else:
                return desk.game.do(_decided(question, typed))
        except (BadInput, Refused) as error:
            desk.refuse(error)


def _decided(question: Question, typed: Typed) -> Decided:
    """The decision; an insurance without an amount is for all that is allowed."""
    amount = typed.amount if typed.amount is not None else question.most if typed.key.action == "insure" else 0
    return Decided(question.box, question.hand, typed.key.action, amount, bettor=question.bettor)


def _offer(desk: Desk, question: Question, keys: tuple[Key, ...]) -> str:
    offered = ", ".join(label(key) for key in keys if not key.reason)
    if question.kind == "insure" and question.least < question.most:
        letter = next(key.letter for key in keys if key.action == "insure")
        less = desk.words.say(
            N_("Less than {most:chips} is possible: {letter} {least:chips}."),
            most=question.most, least=question.least, letter=letter,
        )  # fmt: skip
        return f"{offered}. {less}"
    return offered + "."


def _explain(desk: Desk, question: Question, keys: tuple[Key, ...]) -> None:
    for key in keys:
        if key.reason:
            _refuse(desk, key)
        else:
            desk.talk.line(f"{label(key)}: {_meaning(desk, question, key.action)}")
    desk.talk.tell(N_("Type the digit, the letter or the word, then Enter."))


def _refuse(desk: Desk, key: Key) -> None:
    """Says why an answer is not allowed now, with the clause of the page that says so."""
    why = reason_text(key.reason, desk.game.preset.clauses, desk.words)
    desk.talk.tell(N_("Not now: {move}. {why}"), move=label(key), why=why)


def _meaning(desk: Desk, question: Question, action: str) -> str:
    say = desk.words.say
    return {
        "hit": lambda: say(N_("another card.")),
        "stand": lambda: say(N_("no more cards for this hand.")),
        "double": lambda: say(N_("the same stake again on this hand.")),
        "split": lambda: say(N_("two hands out of the pair, with a stake on the second.")),
        "retire": lambda: say(N_("the hand is given up for a part of its stake.")),
        "keep": lambda: say(N_("the hand plays on.")),
        "insure": lambda: say(N_("a bet that the dealer gets blackjack, up to {most:chips}."), most=question.most),
        "no_insurance": lambda: say(N_("no insurance.")),
        "match": lambda: say(N_("{amount:chips} more go with the holder’s move."), amount=question.most),
        "stay": lambda: say(N_("the bet stays as it is.")),
    }[action]()
