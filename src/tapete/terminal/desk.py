"""Desk: what every question of the plain mode has in common: help, the state of things, and leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tapete.errors import TapeteError
from tapete.terminal.complaints import sentences
from tapete.terminal.game import Game
from tapete.terminal.keys import HELP, LEAVE, ME, plain
from tapete.terminal.talk import Talk
from tapete.terminal.voice import Voice
from tapete.words import N_

YES: Final[dict[str, tuple[str, ...]]] = {"en": ("y", "yes", "1"), "es": ("s", "si", "1")}
NO: Final = ("n", "no", "0")


class Left(Exception):
    """Somebody asked to leave."""


class Desk:
    """A table and the conversation about it."""

    def __init__(self, talk: Talk, game: Game) -> None:
        self.talk = talk
        self.game = game
        self.voice = Voice(talk, game)
        self.words = talk.words
        self.asked = 0
        """How many questions have been asked here."""

    def ask(self, question: str, explain: Callable[[], None]) -> str:
        """What was answered, as typed. Raises Left for ``q`` and talk.Gone at the input's end.

        ``?`` lets ``explain`` speak, ``m`` tells the state of the table; then the question is asked again.
        """
        while True:
            self.asked += 1
            answer = self.talk.ask(question)
            command = plain(answer)
            if command == LEAVE:
                raise Left
            if command == HELP:
                explain()
                self.talk.tell(N_("Everywhere: m tells how things stand, q leaves, ? explains."))
            elif command == ME:
                self.voice.standing()
            else:
                return answer

    def choose(self, question: str, explain: Callable[[], None]) -> str:
        """What was answered, without case and accents. Raises as :meth:`ask`."""
        return plain(self.ask(question, explain))

    def agrees(self, question: str) -> bool:
        """Whether the answer to a question is yes; anything but a clear yes or no is asked again."""
        offered = self.words.say(N_("y yes, n no."))
        asked = f"{question} {offered}"
        while True:
            answer = self.choose(asked, lambda: None)
            if answer in YES[self.words.language] or answer in NO:
                return answer not in NO
            self.not_understood(answer)

    def not_understood(self, answer: str) -> None:
        """Says that an answer did not read, and that nothing has been decided."""
        self.talk.tell(N_("“{answer}” is not an answer here. Nothing is decided; ? explains."), answer=answer[:40])

    def refuse(self, error: TapeteError) -> None:
        """Says why something cannot be done."""
        for sentence in sentences(error, self.words):
            self.talk.line(sentence)
