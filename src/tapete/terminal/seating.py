"""Seating: who plays, on which boxes, and the menu between rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapete.errors import BadInput, Refused
from tapete.table import Consented, Left, Sat, StoodUp, boxes_of, holder
from tapete.terminal.desk import Desk
from tapete.words import N_


class Seating:
    """The people and the boxes of one table."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.game = desk.game

    @property
    def most(self) -> int:
        """How many boxes the table has."""
        return self.game.table.rules.seats_max

    def free(self) -> list[int]:
        """The boxes that nobody holds."""
        return [box for box in range(1, self.most + 1) if not holder(self.game.table, box)]

    def people(self) -> list[str]:
        """Who sits or stands at this keyboard."""
        return [one.name for one in self.game.table.people if not one.bot]

    # --- at the start

    def settle(self, names: Sequence[str], bots: int | None) -> None:
        """Brings everybody to the table: the given names or those who are asked, their boxes, the bots."""
        if names:
            for name in names:
                self.game.join(name)
        else:
            self._ask_names()
        for name in self.people():
            self._come(name)
        if self.most > 1:
            self._seat_bots(self._ask_bots() if bots is None else bots)

    def _ask_names(self) -> None:
        known = [one.name for one in self.game.store.people()][:9]
        for number, name in enumerate(known, 1):
            self.desk.talk.line(f"{number} {name}")
        question = N_("Who plays? A name, or several with commas: Ana, Bea.")
        if known:
            question = N_("Who plays? Numbers from the list or names, several with commas: 1, Bea.")
        while not self.people():
            for part in self.desk.ask(self.desk.words.say(question), self._explain_names).split(","):
                self._join(part.strip(), known)

    def _join(self, answer: str, known: Sequence[str] = ()) -> None:
        """Brings the person who was named, by a number of the list or by name."""
        at = int(answer) if answer.isascii() and answer.isdecimal() and len(answer) < 3 else 0
        try:
            if not 0 < at <= len(known) and not any(letter.isalpha() for letter in answer):
                raise BadInput("person.name_empty")
            self.game.join(known[at - 1] if 0 < at <= len(known) else answer)
        except (BadInput, Refused) as error:
            self.desk.refuse(error)

    def _come(self, name: str) -> None:
        """Tells a person's chips and asks for the boxes where there is a choice."""
        chips = next(one.chips for one in self.game.table.people if one.name == name)
        self.desk.talk.tell(N_("{name} has {chips:chips} chips."), name=name, chips=chips)
        if boxes_of(self.game.table, name) or not self.free():
            return
        if self.most == 1:
            self.game.do(Sat(name, 1))
        else:
            self._ask_boxes(name)

    def _ask_boxes(self, name: str) -> None:
        question = N_("{name}: which box? Free: {free}. Several are possible, like 1 2; 0 for none.")
        while not boxes_of(self.game.table, name):
            asked = self.desk.words.say(question, name=name, free=_spans(self.free()))
            answer = self.desk.choose(asked, self._explain_boxes).replace(",", " ").split()
            if answer in (["0"], ["n"], ["no"]):
                return
            for part in answer:
                self._sit(name, part)

    def _sit(self, name: str, text: str) -> None:
        if not (text.isascii() and text.isdecimal()):
            self.desk.not_understood(text)
            return
        try:
            self.game.do(Sat(name, int(text[:4])))
        except (BadInput, Refused) as error:
            self.desk.refuse(error)

    def _ask_bots(self) -> int:
        free = len(self.free())
        question = self.desk.words.say(N_("How many house bots sit at the free boxes? 0 to {most}."), most=free)
        while free:
            answer = self.desk.choose(question, self._explain_bots)
            if answer in ("n", "no"):
                return 0
            if answer.isascii() and answer.isdecimal() and int(answer) <= free:
                return int(answer)
            self.desk.not_understood(answer)
        return 0

    def _seat_bots(self, count: int) -> None:
        for box in self.free()[:count]:
            self.desk.talk.tell(N_("{name} sits at box {box}."), name=self.game.seat_bot(box), box=box)

    # --- between rounds

    def options(self) -> None:
        """The menu of people and boxes; it stays open until 0."""
        question = "\n".join(self.desk.words.say(text) for text in self._entries())
        while (answer := self.desk.ask(question, self._explain_options)) not in ("0", "n", "no"):
            deed = self._deed(answer)
            if deed is None:
                self.desk.not_understood(answer)
                continue
            try:
                deed()
            except (BadInput, Refused) as error:
                self.desk.refuse(error)

    def _entries(self) -> list[str]:
        entries = [N_("1 Sit at a box: 1 Ana 3."), N_("2 Stand up from a box: 2 3.")]
        entries += [N_("3 Somebody new: 3 Bea."), N_("4 Somebody goes: 4 Bea.")]
        entries += [
            N_("5 A house bot at a box: 5 4."),
            N_("6 Take back a consent: 6 3 Bea."),
            N_("0 Back to the bets."),
        ]
        return entries

    def _deed(self, answer: str) -> Callable[[], object] | None:
        """What a line of the menu asks for; None if it does not read."""
        number, _, rest = answer.partition(" ")
        first, _, last = rest.rpartition(" ")
        box = int(last) if last.isascii() and last.isdecimal() else None
        if number == "1" and box is not None and first:
            return lambda: self.game.do(Sat(self._named(first), box))
        if number == "2" and box is not None:
            return lambda: self.game.do(StoodUp(box))
        if number == "3" and rest:
            return lambda: self._newcomer(rest)
        if number == "4" and rest:
            return lambda: self.game.do(Left(self._named(rest)))
        if number == "5" and box is not None:
            return lambda: self.game.seat_bot(box)
        head, _, name = rest.partition(" ")
        if number == "6" and head.isascii() and head.isdecimal() and name:
            return lambda: self.game.do(Consented(int(head), self._named(name), agrees=False))
        return None

    def _newcomer(self, name: str) -> None:
        before = self.people()
        self._join(name)
        for new in self.people():
            if new not in before:
                self._come(new)

    def _named(self, name: str) -> str:
        """The person at the table whose name this is, as it is spelt there."""
        return next((one for one in self.people() if one.casefold() == name.casefold()), name)

    # --- help

    def _explain_names(self) -> None:
        self.desk.talk.tell(N_("Each person has chips of their own, which are kept from one day to the next."))

    def _explain_boxes(self) -> None:
        self.desk.talk.tell(N_("A box is a place for a bet. Box 1 plays first."))

    def _explain_bots(self) -> None:
        self.desk.talk.tell(N_("House bots bet the smallest stake with the house’s chips and play a simple strategy."))

    def _explain_options(self) -> None:
        self.desk.talk.tell(N_("Type the number and what belongs behind it, as in the examples."))


def _spans(numbers: Sequence[int]) -> str:
    """Rising numbers in short.

    >>> _spans([1, 2, 3, 5, 7])
    '1-3, 5, 7'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
