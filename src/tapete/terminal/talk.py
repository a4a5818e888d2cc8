"""Talk: lines out, answers in. Everything that the plain mode says or hears passes here.

Through a pipe one line answers one question, and none is dropped. At a keyboard the same line again within
:data:`HELD` seconds is a key that was held, and answers nothing; so does one that was typed ahead of the question. A
blank line never answers anything.
"""

from __future__ import annotations

import select
import shutil
import signal
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType, MappingProxyType
from typing import Final, TextIO

from tapete.words import N_, Words

HELD: Final = 0.7
"""Seconds within which the same line again counts as a held key."""
PAUSES: Final[Mapping[str, float]] = MappingProxyType({"none": 0.0, "fast": 0.2, "normal": 0.5, "slow": 1.2})
"""Seconds between two things that the house does, by the name of the speed."""
LONGEST: Final = 200
"""Characters of an answer that are looked at."""


class Gone(Exception):
    """Nobody answers any more: the input has ended."""


class Talk:
    """A conversation in one language over two streams."""

    def __init__(self, say: Words, *, speed: str = "none", source: TextIO | None = None, to: TextIO | None = None):
        self.words = say
        self._in = source or sys.stdin
        self._out = to or sys.stdout
        self._typed_here = self._in.isatty()
        self._wide = self._out.isatty()
        self._pause = PAUSES[speed]
        self._last, self._last_at = "", 0.0
        self._told_held = False
        self._waiting = self._stopped = False

    # --- out

    def line(self, text: str) -> None:
        """Says a line, wrapped to a terminal's width and whole through a pipe."""
        text = text.replace(" · ", ", ")  # a dot that separates is for the eye
        if self._wide:
            text = "\n".join(self._wrapped(part) for part in text.split("\n"))
        self._out.write(text + "\n")

    @property
    def room(self) -> int | None:
        """The letters of a line on a terminal; None through a pipe."""
        return max(12, shutil.get_terminal_size().columns - 1) if self._wide else None

    def _wrapped(self, text: str) -> str:
        width = self.room or len(text)
        indent = " " * (len(text) - len(text.lstrip()))
        return textwrap.fill(text, width, subsequent_indent=indent, break_on_hyphens=False) if text else ""

    def tell(self, text: str, /, **facts: object) -> None:
        """Says a sentence in the conversation's language."""
        self.line(self.words.say(text, **facts))

    def flush(self) -> None:
        """Sends what was said on its way."""
        self._out.flush()

    def rest(self) -> None:
        """Waits as long as the speed asks between two things that happen."""
        self.flush()
        if self._pause:
            with self._interruptible():
                time.sleep(self._pause)

    # --- in

    def ask(self, question: str) -> str:
        """Says the question last and gives what was answered: never blank, never a held key. Raises Gone at the end."""
        self.line(question)
        while True:
            answer, ahead = self._read()
            if self._is_held(answer, ahead=ahead):
                self._tell_held(answer)
            elif answer:
                return answer
            else:
                self.line(question)

    def next_line(self, question: str) -> str:
        """The next line as it comes, blank or not. Raises EOFError at the input's end."""
        self.line(question)
        try:
            return self._read()[0]
        except Gone as ended:
            raise EOFError from ended

    def _read(self) -> tuple[str, bool]:
        """A line without its end, and whether it was there before it was asked for."""
        self._out.write("> ")
        self._out.flush()
        ahead = self._typed_here and bool(select.select([self._in], [], [], 0)[0])
        try:
            with self._interruptible():
                read = self._in.readline()
        except KeyboardInterrupt:
            self._out.write("\n")
            raise
        if not read:
            self._out.write("\n")
            raise Gone
        answer = read.strip()[:LONGEST]
        if not self._typed_here:
            self._out.write("".join(one if one.isprintable() else "?" for one in answer) + "\n")
        return answer, ahead

    def _is_held(self, answer: str, *, ahead: bool) -> bool:
        now = time.monotonic()
        again = answer == self._last and (ahead or now - self._last_at < HELD)
        self._last, self._last_at = answer, now
        self._told_held = self._told_held and again
        return self._typed_here and again

    def _tell_held(self, answer: str) -> None:
        if answer and not self._told_held:
            self.tell(N_("The same again at once counts as a held key and is ignored."))
            self._told_held = True

    # --- Ctrl-C

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        self._waiting = True
        try:
            if self._stopped:
                raise KeyboardInterrupt
            yield
        finally:
            self._waiting = False

    @contextmanager
    def attentive(self) -> Iterator[None]:
        """Within this block Ctrl-C takes effect only while waiting, so that whatever is being kept is kept whole."""
        before = signal.signal(signal.SIGINT, self._interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self._stopped = True
        if self._waiting:
            raise KeyboardInterrupt
