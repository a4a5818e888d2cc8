"""The server dies at any moment of any round, again and again: nobody loses a card, a chip, a turn or a word."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest

from tapete.store import Store
from tests.databases import Place
from tests.server.players import GUEST, HOST, Json, Player
from tests.server.servers import GAMES, lay_tables, nursery
from tests.server.witness import Witness

ROUNDS = 8
SESSIONS = 3
KILLS = 35
"""Of each session, on each database; all five tables are in play at each."""
ALONE = ("faceup",)
BACKED = ("british", "leaflet")


def crew() -> list[Player]:
    return [
        Player(code, role, rounds=ROUNDS, alone=code in ALONE, backs=code in BACKED)
        for code in GAMES
        for role in (HOST, GUEST)
        if not (role == GUEST and code in ALONE)
    ]


class Life(Protocol):
    """A server that can be started and killed again and again."""

    def start(self) -> int:
        """A new life; tells its port."""

    def kill(self) -> None:
        """Its end."""


class Session:
    """Eight rounds at each of the five tables, with as many deaths of the server as wanted while they last."""

    def __init__(
        self,
        server: Life,
        witness: Witness,
        dice: random.Random,
        *,
        kills: int,
        players: Sequence[Player] = (),
    ) -> None:
        self.server = server
        self.witness = witness
        self.dice = dice
        self.kills = kills
        self.players = list(players) or crew()
        self.seen = 0
        """How often a new life of the server showed a table exactly as the old one had left it."""
        self.resent = 0
        for player in self.players:
            player.on_snapshot = self._compare

    async def play(self) -> int:
        """Play to the end; tells how often the server died before."""
        died = 0
        while not await self._live(last=died >= self.kills):
            died += 1
            self.witness.look(self.players)
            self._what_was_done()
        self.witness.look(self.players)
        self.witness.look_back()
        return died

    async def _live(self, *, last: bool) -> bool:
        """One life of the server; whether all rounds are over."""
        port, heard = self.server.start(), asyncio.Queue[str]()
        lives = [asyncio.create_task(player.live(port, heard)) for player in self.players]
        for _ in range(10**6 if last else self.dice.randrange(5, 90)):
            await asyncio.wait_for(heard.get(), 60)
            if self._over():
                break
        time.sleep(self.dice.uniform(0, 0.006))  # not asyncio's: the clients must not read on meanwhile
        self.server.kill()
        await asyncio.gather(*lives)
        return self._over()

    def _over(self) -> bool:
        return all(player.done for player in self.players)

    def _what_was_done(self) -> None:
        """For each command that had no answer: whether it is on the disk. It will be sent again all the same."""
        for player in self.players:
            asked = player.asked
            self.resent += asked is not None
            if asked is not None and asked["deed"]["do"] == "decide":
                player.was_done = self.witness.was_done(player.code, player.name, asked)

    def _compare(self, player: Player, snapshot: Json) -> None:
        """The first who comes back finds the table as it was; nobody finds less."""
        assert snapshot["seq"] >= self.witness.seq(player.code)
        if snapshot["seq"] == self.witness.seq(player.code):
            self.seen += 1
            assert self.witness.shows(player.code, snapshot["view"])


def play(folder: Path, url: str | None, *, seed: int, kills: int) -> tuple[Session, int]:
    """A whole session in an empty store, and how often the server died."""
    with Store(folder, url=url) as store, nursery(folder, url) as server:
        lay_tables(store, seed=seed, pace="instant")
        session = Session(server, Witness(store), random.Random(seed), kills=kills)
        return session, asyncio.run(session.play())


@cache
def quiet(seed: int) -> Witness:
    """The same session when nobody dies."""
    with tempfile.TemporaryDirectory() as folder:
        return play(Path(folder), None, seed=seed, kills=0)[0].witness


@pytest.mark.parametrize("seed", range(SESSIONS))
def test_a_server_killed_at_any_moment_goes_on_with_the_same_cards_turns_and_chips(place: Place, seed: int) -> None:
    session, died = play(place.folder, place.url, seed=seed, kills=KILLS)
    undisturbed = quiet(seed)
    for code in GAMES:
        assert session.witness.rounds(code) == undisturbed.rounds(code)
        assert session.witness.decisions(code) == undisturbed.decisions(code)
    assert died >= KILLS // 2
    assert session.seen >= died * len(GAMES)
    assert session.resent
    assert sum(player.done_twice for player in session.players) == 0
