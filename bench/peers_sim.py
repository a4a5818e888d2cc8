"""How fast do public packages play? Run by ``bench/sim.py --peers`` in an environment of their own.

Each plays what it can, in its own way: cardsharp by its basic strategy, with doubles and splits; gymnasium's
Blackjack-v1 and rlcard's blackjack have nothing but hit and stand, and stand here on 17 and more, or on 12 and more
against a dealer's 2 to 6. Printed are the name and the nanoseconds of CPU time of a round, median of seven.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version

# ruff: noqa: PLC0415  (each package is loaded where it plays)
# mypy: disable-error-code="import-not-found"


def _stands(total: int, up: int) -> bool:
    return total >= 17 or (total >= 12 and 2 <= up <= 6)


def gymnasium(rounds: int) -> None:
    """The environment of gymnasium: cards from a pack without end."""
    import gymnasium as gym

    env = gym.make("Blackjack-v1").unwrapped
    for _ in range(rounds):
        (total, up, _), _ = env.reset()
        over = False
        while not over:
            (total, up, _), _, over, _, _ = env.step(0 if _stands(total, up) else 1)


def rlcard(rounds: int) -> None:
    """The environment of rlcard: one pack, shuffled for each round."""
    import rlcard as games

    env = games.make("blackjack")
    for _ in range(rounds):
        env.reset()
        while not env.game.is_over():
            total, up = (
                env.game.judger.judge_score(hand) for hand in (env.game.players[0].hand, env.game.dealer.hand[1:])
            )
            env.step(1 if _stands(total, up) else 0)


def cardsharp(rounds: int) -> None:
    """The simulation mode of cardsharp, by its basic strategy: one pack, shuffled for each round."""
    from cardsharp.blackjack.actor import Player
    from cardsharp.blackjack.blackjack import BlackjackGame
    from cardsharp.blackjack.state import PlacingBetsState
    from cardsharp.blackjack.strategy import BasicStrategy
    from cardsharp.common.io_interface import DummyIOInterface

    async def play() -> None:
        silent = DummyIOInterface()
        table = {"blackjack_payout": 1.5, "allow_insurance": True, "min_players": 1, "min_bet": 10, "max_players": 6}
        game = BlackjackGame(table, silent)
        await game.add_player(Player("one", silent, BasicStrategy()))
        for _ in range(rounds):
            game.players[0].money = 1000
            await game.set_state(PlacingBetsState())
            await game.play_round()
            game.reset()

    asyncio.run(play())


def nanoseconds(play: Callable[[int], None], rounds: int) -> float:
    """CPU time of a round, median of seven after one that does not count."""
    play(rounds)
    taken = []
    for _ in range(7):
        before = time.process_time()
        play(rounds)
        taken.append((time.process_time() - before) / rounds)
    return 1e9 * statistics.median(taken)


def main() -> None:
    """Prints a line for each package."""
    for play, rounds in ((gymnasium, 20_000), (rlcard, 5_000), (cardsharp, 2_000)):
        name = play.__name__
        sys.stdout.write(f"{name} {version(name)}\t{nanoseconds(play, rounds):.0f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
