"""History files of real games, with seeds, cuts and reshuffles in them."""

from __future__ import annotations

import random
from pathlib import Path

from tapete import fairness
from tapete.rulefile import resolve
from tapete.store import Store
from tapete.strategy import SIMPLE
from tapete.table import Placed, Sat, SeedOpened, SeedPromised, SeedsClosed
from tapete.terminal.game import Game

SHORT = ("decks=1", "cut_card_left=0")
"""A shoe of one pack dealt to its end, which a round of several boxes outlives."""


def new_shoe(game: Game, chance: random.Random, *, seeds: dict[str, bytes]) -> None:
    """What the web table does before the bets when a shoe is due: promises, seeds, cut. An empty seed stays shut."""
    opened = game.house.open_shoe(game.table)
    for event in opened:
        game.do(event)
    if not opened:
        return
    for name, seed in seeds.items():
        game.do(SeedPromised(name, fairness.seed_commitment(seed or b"never opened")))
    game.do(SeedsClosed())
    for name, seed in seeds.items():
        if seed:
            game.do(SeedOpened(name, seed.hex()))
    ready = game.house.ready_shoe(game.table, at=chance.randrange(52))
    assert ready is not None
    game.do(ready)


def play_round(game: Game) -> None:
    for seat in game.table.seats:
        game.do(Placed(seat.name, seat.box, 1000))
    game.deal()
    while game.table.playing:
        if game.serve() is None:
            assert game.table.round is not None
            game.do(SIMPLE.answer(game.table.round, game.questions()[0]))


def a_file(
    store: Store, table: str, *, rounds: int, settings: tuple[str, ...] = (), close: bool = True, number: int = 1
) -> Path:
    """The file of a game of Ana and Eva on up to three boxes; its last shoe is revealed only if the game is closed."""
    chance = random.Random(number)
    game = Game.open(store, resolve(table, settings))
    names = [game.join(name) for name in ("Ana", "Eva")]
    for box, name in ((1, names[0]), (2, names[1]), (3, names[0]))[: game.preset.rules.seats_max]:
        game.do(Sat(name, box))
    for _ in range(rounds):
        new_shoe(game, chance, seeds={"Ana": chance.randbytes(16), "Eva": b""})
        play_round(game)
    if close:
        game.close()
    return game.chronicle.path
