"""Replaying and checking files: every step of a round in words, and whether a file holds what it says.

Nothing is drawn and nothing is asked of a terminal: lines go to ``write``, answers come from ``read``. The command line
brings both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tapete import fairness, history, rulefile, telling
from tapete.errors import TapeteError
from tapete.events import Asks, Question
from tapete.history import History, HistoryError, Record
from tapete.rulecheck import Fault
from tapete.stakes import bank_net
from tapete.state import Round
from tapete.terminal.keys import spoken, word_of
from tapete.words import N_, Words
from tapete.words import words as words_of

RULES_HOLD: Final = N_("{path}: the rules of a table, “{title}”; they can be played.")
Read = Callable[[str], str]
Write = Callable[[str], None]


class _Quit(Exception):
    """The reader has seen enough."""


# --- replay ---------------------------------------------------------------------------------------------------------


def replay_file(path: Path, words: Words, *, all_at_once: bool, read: Read, write: Write) -> None:
    """Tells the rounds of a history step by step: Enter goes on, a tells all, n the next round, q quits.

    ``read`` gets the prompt and gives a line; its EOFError quits. Raises HistoryError for a file that cannot be read,
    and, behind the last step that holds, for one that does not replay to its own results.
    """
    told = history.load(path)
    pace = _Pace(words, read, all_at_once=all_at_once)
    try:
        write(_opening(told, words))
        for record in told.records:
            _tell_round(record, words, pace, write)
    except _Quit:
        return
    write(words.say(N_("That was all.")))


class _Pace:
    """How fast the reader wants to go."""

    def __init__(self, words: Words, read: Read, *, all_at_once: bool) -> None:
        self.words = words
        self.read = read
        self.to_the_end = all_at_once
        self.round_out = False

    def wait(self) -> None:
        """Waits for the reader, unless he wants the rest of the round or of the file at once."""
        while not (self.to_the_end or self.round_out):
            try:
                answer = self.read(self.words.say(N_("Enter: next, n: next round, a: all, q: quit"))).strip().lower()
            except EOFError:
                raise _Quit from None
            if answer == "q":
                raise _Quit
            self.to_the_end, self.round_out = answer == "a", answer == "n"
            if not answer:
                return


def _opening(told: History, words: Words) -> str:
    return words.plural("A history of {n} round.", "A history of {n} rounds.", len(told.records))


def _tell_round(record: Record, words: Words, pace: _Pace, write: Write) -> None:
    title = " ".join(record.table.title.in_(words.language).split()) or record.table.id
    write(words.say(N_("Round {number}. Table: {table}."), number=record.number, table=title))
    pace.round_out = False
    before: Round | None = None
    for step in history.replay(record):
        for line in step_texts(before, step, words):
            write(line)
        before = step.round_
        pace.wait()
    history.validate_round(record)
    if before is not None:
        for line in outcome_texts(before, words):
            write(line)
    pace.wait()


def step_texts(before: Round | None, step: history.Step, words: Words) -> Iterator[str]:
    """One step in words: what happened, what it settled, and who is to decide what now."""
    yield from telling.event_text(before, step.event, step.round_, words).split("\n")
    for told in telling.new_results(before, step.round_):
        yield "  " + telling.statement_text(step.round_, told, words)
    for question in _questions(step.round_):
        if before is None or question not in _questions(before):
            yield "  " + _asked(step.round_, question, words)


def _questions(round_: Round) -> tuple[Question, ...]:
    return round_.waits.questions if isinstance(round_.waits, Asks) else ()


def _asked(round_: Round, question: Question, words: Words) -> str:
    verbs = words_of(spoken(round_.rules, words.language))
    offered = ", ".join(word_of(action, verbs) for action in question.legal)
    return f"{telling.question_text(round_, question, words)} {offered}."


def outcome_texts(round_: Round, words: Words) -> Iterator[str]:
    """How a round ended: every hand and bettor, each bettor's sum, the bank."""
    dealer = telling.cards_text(round_.dealer, words)
    if dealer:
        yield words.say(N_("Dealer: {cards}; {total}."), cards=dealer, total=telling.dealer_text(round_, words))
    for told in round_.statements:
        net = words.amount(told.net, signed=True)
        text = telling.statement_text(round_, told, words)
        yield "  " + words.say(N_("{result} Stake {stake:chips}, {net}."), result=text, stake=told.stake, net=net)
    yield from telling.sum_texts(round_.statements, words)
    yield words.say(N_("The bank: {net}"), net=words.amount(bank_net(round_.statements), signed=True))


# --- check ----------------------------------------------------------------------------------------------------------


def check_file(path: Path, words: Words) -> tuple[list[str], bool]:
    """What there is to say about a rule file or a history file, and whether it holds.

    What kind of file it is tells its content, and its name only where the content tells nothing.
    """
    try:
        raw = history.content(path)
        if history.is_history(raw) or path.suffix == ".bjh":
            return _check_history(path, raw, words)
    except HistoryError as fault:
        return [told(path, fault, words)], False
    return _check_rules(path, words)


def told(path: Path, fault: HistoryError, words: Words) -> str:
    """A fault with its file and line, and why."""
    why = fault.__cause__
    text = words.explain(fault) + (f" {words.explain(why)}" if isinstance(why, TapeteError) else "")
    if fault.line:
        text = f"{path}:{fault.line}: {text}"
    return _shown(text if fault.line or "file" in fault.facts else f"{path}: {text}")


def _shown(text: str) -> str:
    """A line about a file, without anything from the file that would command the terminal."""
    return "".join(one if one.isprintable() else "?" for one in text)


def _check_history(path: Path, raw: bytes, words: Words) -> tuple[list[str], bool]:
    found = history.read(raw)
    history.validate(found)
    count = words.plural(
        "A history of {n} round; it replays to its own results.",
        "A history of {n} rounds; they replay to their own results.",
        len(found.records),
    )
    shoes = [_verdict(shoe, words, dealt) for shoe, dealt in history.shoes_of(found).values()]
    return [f"{path}: {count}", *(line for line, _ in shoes)], all(fine for _, fine in shoes)


def _verdict(shoe: fairness.ShoeRecord, words: Words, dealt: tuple[fairness.Dealt, ...]) -> tuple[str, bool]:
    verdict = fairness.verify(shoe, dealt)
    text = words.reason(verdict.code, **verdict.facts)
    return words.say(N_("Shoe {shoe}: {text}"), shoe=shoe.id, text=text), verdict.outcome != "mismatch"


def _check_rules(path: Path, words: Words) -> tuple[list[str], bool]:
    try:
        found = rulefile.load(path)
    except rulefile.RuleFileError as refused:
        return [_fault(fault, words) for fault in refused.faults], False
    title = found.title.in_(words.language) or found.id
    return [_shown(words.say(RULES_HOLD, path=path, title=title))], True


def _fault(fault: Fault, words: Words) -> str:
    where = f"{fault.file}:{fault.line}" if fault.line else fault.file
    return _shown(f"{where}: {words.reason(fault.code, **fault.facts)}")
