"""Dialogs: one question in the middle of the screen, an amount or a name to type, a text to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tapete.errors import TapeteError
from tapete.terminal.full.choices import Bar, Choice, Offer
from tapete.terminal.full.guard import Guard, key_of
from tapete.words import Words


class Ask(ModalScreen[str]):
    """A question with a few answers; gives the deed of the one that was chosen. Escape is the last one."""

    AUTO_FOCUS = ""

    def __init__(self, text: str, offers: Sequence[Offer], guard: Guard) -> None:
        super().__init__()
        self._text = text
        self._offers = tuple(offers)
        self._guard = guard

    def compose(self) -> ComposeResult:
        """The question above its answers."""
        with Vertical(classes="dialog"):
            yield Static(Content(self._text), classes="question")
            yield Bar(most=len(self._offers), id="answers")

    def on_mount(self) -> None:
        """A new moment begins."""
        self.query_one(Bar).show(self._offers, room=1)
        self._guard.moment()

    def on_key(self, event: events.Key) -> None:
        """One of the keys answers."""
        named = {event.key, (event.character or "").casefold()}
        chosen = next((one for one in self._offers if named & set(one.keys)), None)
        if event.key == "escape":
            chosen = self._offers[-1]
        if chosen is not None:
            event.stop()
            self._answer(chosen, event)

    def on_choice_pressed(self, pressed: Choice.Pressed) -> None:
        """A button answers."""
        pressed.stop()
        self._answer(pressed.offer, pressed.cause)

    def _answer(self, offer: Offer, event: events.Event) -> None:
        if self._guard.takes(key_of(event, offer.deed), event):
            self.dismiss(offer.deed)


class Type(ModalScreen[str]):
    """Something to type: what ``check`` refuses is explained, and typed again. Escape gives an empty text."""

    def __init__(
        self, text: str, words: Words, check: Callable[[str], object], guard: Guard, *, start: str = ""
    ) -> None:
        super().__init__()
        self._text = text
        self._guard = guard
        self._words = words
        self._check = check
        self._start = start

    def compose(self) -> ComposeResult:
        """The question, the line to type in, and the place for a reason."""
        with Vertical(classes="dialog"):
            yield Static(Content(self._text), classes="question")
            yield Input(self._start, max_length=40, select_on_focus=True)
            yield Static("", id="why")
            yield Static(Content(self._words.say("Enter takes it, Escape goes back.")), classes="hint")

    def on_mount(self) -> None:
        """Typing goes into the line."""
        self.query_one(Input).focus()

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """What reads is taken, what does not is explained."""
        submitted.stop()
        self._guard.saw("enter")
        try:
            self._check(submitted.value)
        except TapeteError as error:
            self.query_one("#why", Static).update(Content(self._words.explain(error)))
        else:
            self.dismiss(submitted.value)

    def on_key(self, event: events.Key) -> None:
        """Escape goes back."""
        if event.key == "escape":
            event.stop()
            self.dismiss("")


class Read(ModalScreen[None]):
    """A text to read and to scroll; any other key closes it."""

    MOVES = ("up", "down", "pageup", "pagedown", "home", "end", "tab", "shift+tab")

    def __init__(self, title: str, text: Content, hint: str, guard: Guard) -> None:
        super().__init__()
        self._guard = guard
        self._heading = title
        self._text = text
        self._hint = hint

    def compose(self) -> ComposeResult:
        """The title, the text, and how to close it."""
        with Vertical(classes="dialog sheet"):
            yield Static(Content.styled(self._heading, "bold $brass"), classes="question")
            with VerticalScroll():
                yield Static(self._text)
            yield Static(Content(self._hint), classes="hint")

    def on_mount(self) -> None:
        """The keys scroll."""
        self.query_one(VerticalScroll).focus()

    def on_key(self, event: events.Key) -> None:
        """Anything that does not scroll closes it."""
        if event.key not in self.MOVES:
            event.stop()
            self._guard.saw(event.key)
            self.dismiss(None)
