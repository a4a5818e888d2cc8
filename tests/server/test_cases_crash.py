"""Faults that other tables had when their server died; each by its case."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from tests.databases import Place
from tests.server.felts import until
from tests.server.players import HOST, Json, Player
from tests.server.servers import lay_tables, nursery
from tests.server.witness import Witness

CODE = "casino"
MOMENTS = (0, 0.001, 0.003, 0.01, 0.03, 0.1, None, 0, 0.002, 0.05, None)


class Doubler(Player):
    """Plays alone at a table and doubles whenever that is allowed."""

    def __init__(self) -> None:
        super().__init__(CODE, HOST, rounds=10**6, alone=True, backs=False)
        self.doubling = asyncio.Event()

    def _answer(self, question: Json) -> Json:
        wish = super()._answer(question)
        wish["action"] = next(one for one in ("double", "no_insurance", "keep", "stand") if one in question["legal"])
        wish["amount"] = 0
        return wish

    def _say(self, words: object) -> None:
        super()._say(words)
        if isinstance(words, dict) and words["deed"].get("action") == "double":
            self.doubling.set()


async def killed_at_a_double(player: Doubler, port: int, kill: Callable[[], None], moment: float | None) -> None:
    """Play until a double has been sent; kill the server ``moment`` seconds later, or when it has answered."""
    player.doubling = asyncio.Event()
    life = asyncio.create_task(player.live(port, asyncio.Queue()))
    await asyncio.wait_for(player.doubling.wait(), 60)
    if moment is None:
        double = player.asked
        await until(lambda: player.asked is not double)
    else:
        time.sleep(moment)  # not asyncio's: nobody hears the answer
    kill()
    await life


def test_CP_05_a_crash_around_a_double_costs_the_stake_neither_twice_nor_at_all(place: Place) -> None:
    with place.store() as store, nursery(place.folder, place.url) as server:
        lay_tables(store, seed=5, pace="instant")
        witness = Witness(store)
        player = Doubler()
        for moment in MOMENTS:
            asyncio.run(killed_at_a_double(player, server.start(), server.kill, moment))
            witness.look([player])  # every chip is accounted for, and the log is a whole number of deeds
            asked = player.asked
            decides = asked is not None and asked["deed"]["do"] == "decide"
            player.was_done = decides and witness.was_done(CODE, player.name, asked or {})
        assert player.done_twice == 0
        assert any(decided.action == "double" for _, decided in witness.decisions(CODE))
        witness.look_back()
