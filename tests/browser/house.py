"""A house to play in: the real server in a process of its own, with tables whose first cards are known."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from tapete import fairness
from tapete.cards import Card
from tapete.fairness import Secret
from tapete.rulefile import Preset, preset
from tapete.rules import digest
from tapete.server.live import Config
from tapete.server.registry import KIND
from tapete.store import Store

GAMES: Final = ("casino", "british", "leaflet", "faceup", "home")
Wanted = Callable[[Sequence[Card]], bool]
PATIENCE: Final = 60.0
"""Seconds that a server may take to open or to close."""
SERVER: Final = """
import sys
from tapete.server.pace import PACES, Pace
from tapete.server.serve import serve
from tapete.server.settings import NO_LIMITS, Settings
from tapete.words import words

PACES["relaxed"] = Pace(bets=600, question=600, result=0, seeds=0, cut=0)
PACES["normal"] = Pace(bets=600, question=600, result=1, seeds=60, cut=600)
sys.exit(serve(words("en"), Settings(port=int(sys.argv[1]), limits=NO_LIMITS), browser=False))
"""
"""All tests come from one address, so the house counts nobody's requests. Clocks are seen to run and never run down."""


def _total(*cards: Card) -> int:
    """What cards come to in which no ace lies."""
    return 0 if any(one.points == 1 for one in cards) else sum(one.points for one in cards)


def _dull(cards: Sequence[Card]) -> bool:
    """Neither an ace, nor a pair, nor anything to double: hard 12 to 16 against a seven or more."""
    mine, up, other = cards[0], cards[1], cards[2]
    return 12 <= _total(mine, other) <= 16 and mine.points != other.points and 7 <= up.points <= 10


def _ace_up(cards: Sequence[Card]) -> bool:
    """The dealer shows an ace, and the box holds hard 12 to 16."""
    return cards[1].points == 1 and 12 <= _total(cards[0], cards[2]) <= 16


def _to_double(cards: Sequence[Card]) -> bool:
    """The box holds 9, 10 or 11 and no pair, against a small card."""
    mine = cards[0].points != cards[2].points and 9 <= _total(cards[0], cards[2]) <= 11
    return mine and 2 <= cards[1].points <= 9


def _two_insured(cards: Sequence[Card]) -> bool:
    """The dealer shows an ace to two boxes that hold hard 12 to 16 and no pair; no blackjack is under it."""
    hands = [(cards[0], cards[3]), (cards[1], cards[4])]
    return (
        cards[2].points == 1
        and cards[5].points < 10
        and all(12 <= _total(*one) <= 16 and one[0].points != one[1].points for one in hands)
    )


def _wins(cards: Sequence[Card]) -> bool:
    """The box wins if it stands, against two cards."""
    return 17 <= _total(cards[1], cards[3]) < _total(cards[0], cards[2]) <= 20 and cards[0].points != cards[2].points


def _jack(cards: Sequence[Card]) -> bool:
    """The box holds a jack and an eight."""
    return cards[0].rank == "J" and cards[2].rank == "8" and cards[1].points > 1


def _many_hits(cards: Sequence[Card]) -> bool:
    """The box may take three cards and go on: several questions one after the other."""
    mine = [cards[0], cards[2], *cards[3:6]]
    return 0 < _total(*mine) <= 18 and mine[0].points != mine[1].points and cards[1].points > 1


def _sixteen(cards: Sequence[Card]) -> bool:
    """The box holds hard 16, and no pair, against a seven or more; the dealer's hole card is the first of its rank."""
    return _dull(cards) and _total(cards[0], cards[2]) == 16 and cards[3].rank not in {one.rank for one in cards[:3]}


def _two_dull(cards: Sequence[Card]) -> bool:
    """Two boxes hold hard 12 to 16 each, and no pair, against a seven or more."""
    return _dull([cards[0], cards[2], cards[3]]) and _dull([cards[1], cards[2], cards[4]])


SHOES: Final[dict[str, tuple[str, Wanted, str]]] = {
    "dull": ("casino", _dull, "instant"),
    "two": ("casino", _two_dull, "instant"),
    "hits": ("casino", _many_hits, "instant"),
    "wins": ("casino", _wins, "instant"),
    "jack": ("casino", _jack, "instant"),
    "clock": ("casino", _dull, "relaxed"),
    "insure": ("casino", _ace_up, "relaxed"),
    "insure-two": ("casino", _two_insured, "instant"),
    "retire": ("home", _sixteen, "relaxed"),
    "follow": ("leaflet", _to_double, "relaxed"),
}
"""Kinds of tables: the game, what their first cards are to be like, and their pace."""
COPIES: Final = 7
"""So many tables of each kind; each test has one of its own."""


def _secret_for(game: Preset, shoe: str, wanted: Wanted) -> Secret:
    """A secret whose shoe begins as wanted, when nobody gives a seed or cuts."""
    number = 0
    while True:
        number += 1
        secret = fairness.seeded_secret(number)
        begun = fairness.begin(secret, shoe_id=shoe, rules_digest=digest(game.rules), rules=game.rules)
        record = fairness.cut(fairness.close(begun), at=0)
        if wanted(fairness.order(record, secret)[:12]):
            return secret


class House:
    """One running server. ``url`` is where it is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = ""
        self._said = folder / "said.log"
        self._process: subprocess.Popen[str] | None = None
        with Store(folder) as store:
            for kind in SHOES:
                for number in range(COPIES):
                    self._lay(store, kind, f"{kind}-{number}")
        self._used: Counter[str] = Counter()

    @staticmethod
    def _lay(store: Store, kind: str, name: str) -> None:
        game, wanted, pace = SHOES[kind]
        chosen = preset(game)
        with store.transaction() as deeds:
            which = deeds.open_table(kind=KIND, name=name, config=msgspec.json.encode(Config(chosen, name, pace)))
            shoe = f"t{which}-1"
            deeds.add_shoe(f"{which}/{shoe}", table=which, secret=_secret_for(chosen, shoe, wanted).raw)
        store.release(which)

    def table(self, kind: str) -> str:
        """The code of a table of that kind at which nobody has played yet."""
        self._used[kind] += 1
        assert self._used[kind] <= COPIES, f"more tables of the kind {kind} are needed"
        return f"{kind}-{self._used[kind] - 1}"

    def open(self) -> None:
        """Starts the server and waits until it says where it is; the same place as before, if it was open once."""
        until = time.monotonic() + PATIENCE
        while not self._opened():  # another program may hold the port for a moment
            assert time.monotonic() < until, f"the server did not open: {self._said.read_text('utf-8')[-2000:]}"
            time.sleep(0.5)

    def _opened(self) -> bool:
        command = [sys.executable, "-c", SERVER, self.url.rpartition(":")[2] or "0"]
        where = {**os.environ, "TAPETE_DATA": str(self.folder)}
        with self._said.open("ab") as said:
            self._process = subprocess.Popen(command, env=where, stdout=subprocess.PIPE, stderr=said, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                self.url = found[0]
                return True
        self.close()
        return False

    @property
    def complaints(self) -> list[str]:
        """What the server's log tells beyond that it is well."""
        lines = self._said.read_text("utf-8", errors="replace").splitlines()
        return [line for line in lines if '"level": "info"' not in line]

    def close(self) -> None:
        """Stops the server as Ctrl-C does."""
        if self._process is not None:
            self._process.terminate()
            self._process.communicate(timeout=PATIENCE)
            self._process = None
