"""The plain mode: a table in lines, for a screen reader, a pipe, or whoever likes it quiet.

Nothing is drawn and everything is said. Each prompt is the last thing said before the answer is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tapete.errors import Refused, TapeteError
from tapete.rulefile import FOUNDING, Preset, preset, resolve
from tapete.store import Store, StoreError
from tapete.table import lock_due
from tapete.terminal import asking, keys
from tapete.terminal.betting import Bets
from tapete.terminal.complaints import sentences
from tapete.terminal.desk import Desk, Left
from tapete.terminal.game import Game
from tapete.terminal.opening import Wish, unfinished
from tapete.terminal.seating import Seating
from tapete.terminal.talk import Gone, Talk
from tapete.words import N_, Words


def play(store: Store, wish: Wish, words: Words) -> None:
    """Plays until somebody leaves or the input ends. Raises KeyboardInterrupt or StoreError; a round is kept then."""
    talk = Talk(words, speed=wish.speed or "none")
    with talk.attentive(), suppress(Gone, Left):
        _finish(store, talk, wish)
        game = Game.open(store, wish.preset or _choose(talk), seed=wish.seed)
        desk = Desk(talk, game)
        with _leaving(desk):
            desk.voice.welcome()
            Seating(desk).settle(wish.names, wish.bots)
            _rounds(desk)


def _finish(store: Store, talk: Talk, wish: Wish) -> None:
    """Plays a round that was broken off to its end, and stays at its table unless another one is wished for."""
    game = unfinished(
        store,
        voided=lambda: talk.tell(N_("A round that was broken off cannot go on. It is void: every stake returns.")),
    )
    if game is None:
        return
    desk = Desk(talk, game)
    with _leaving(desk):
        desk.voice.welcome()
        talk.tell(N_("Here a round was broken off. It goes on now."))
        desk.voice.standing()
        _round(desk)
        if wish.preset is None or wish.preset.rules == game.preset.rules:
            _rounds(desk)
    desk.voice.goodbye()
    game.close()


@contextmanager
def _leaving(desk: Desk) -> Iterator[None]:
    """Whoever leaves, in whatever way: a round is kept, and between rounds all chips go back to their owners."""
    try:
        yield
    except (Gone, Left, KeyboardInterrupt):
        if desk.game.table.playing:
            desk.talk.tell(N_("The round is kept. It goes on at the next start."))
        else:
            desk.voice.goodbye()
            desk.game.close()
        raise
    except StoreError:
        if desk.game.table.playing:
            desk.talk.tell(N_("The round is kept as it is told here. It goes on at the next start."))
        raise
    finally:
        desk.talk.flush()


def _choose(talk: Talk) -> Preset:
    """Asks for a table: one of the five, or any other by its name or file."""
    say = talk.words
    for number, name in enumerate(FOUNDING, 1):
        talk.line(f"{number} {preset(name).title.in_(say.language)} ({name})")
    question = say.say(N_("Which table? A number, a name or a file; q leaves."))
    while True:
        answer = talk.ask(question)
        if keys.plain(answer) == keys.LEAVE:
            raise Left
        if answer in ("1", "2", "3", "4", "5"):
            return preset(FOUNDING[int(answer) - 1])
        if answer == keys.HELP:
            for name in FOUNDING:
                talk.line(f"{preset(name).title.in_(say.language)}: {preset(name).description.in_(say.language)}")
            continue
        try:
            return resolve(answer)
        except TapeteError as error:
            for sentence in sentences(error, say):
                talk.line(sentence)


def _rounds(desk: Desk) -> None:
    """Round after round, until somebody leaves."""
    options = Seating(desk).options
    while True:
        asked = desk.asked
        Bets(desk, options).take()
        if desk.asked == asked:
            _wait(desk)
        if _deal(desk):
            _round(desk)


def _deal(desk: Desk) -> bool:
    """Whether a round began; says why if none did."""
    if not lock_due(desk.game.table).boxes:
        desk.talk.tell(N_("Nobody has bet, so no round begins."))
        return False
    try:
        steps = desk.game.deal()
    except Refused as error:
        desk.refuse(error)
        return False
    for step in steps:
        desk.voice.step(step)
    return True


def _wait(desk: Desk) -> None:
    """A prompt for a table at which nobody had to be asked: without it bots would play on by themselves."""
    question = desk.words.say(
        N_("Nobody at this keyboard has a bet to make. d deals, w is for people and boxes, q leaves.")
    )
    while (answer := desk.choose(question, lambda: None)) != "d":
        if answer == "w":
            Seating(desk).options()
            return
        desk.not_understood(answer)


def _round(desk: Desk) -> None:
    """The round in play, to its end."""
    game = desk.game
    while game.table.playing:
        step = game.serve() or game.answer_for_bots()
        if step is None:
            step = asking.answer(desk, game.questions()[0])
        desk.voice.step(step)
        desk.talk.rest()
