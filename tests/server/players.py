"""Clients of ``servers.py`` that play by themselves, remember what they were told, and come back after a crash.

What they do depends on the cards alone, never on the clock: two runs with the same shoes play the same rounds, however
often the server dies in one of them.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

HOST: Final = "Ana"
GUEST: Final = "Bea"
BOXES: Final = {HOST: 1, GUEST: 2}
BOT_BOX: Final = 4
Json = dict[str, Any]


class Player:
    """One person at one table, over all lives of the server."""

    def __init__(self, code: str, role: str, *, rounds: int, alone: bool, backs: bool) -> None:
        self.code = code
        self.role = role
        self.name = f"{role} {code}"
        self.rounds = rounds
        self.alone = alone
        self.backs = backs
        """Whether the guest bets on the host's box too."""
        self.told: dict[int, Json] = {}
        """Each event that this person was told, by its number."""
        self.seq = 0
        self.view: Json = {}
        self.room: Json = {}
        self.asked: Json | None = None
        """The command that has no answer yet."""
        self.was_done = False
        """Whether that command is on the disk, as the server's death has shown."""
        self.done_twice = 0
        self.refusals: Counter[str] = Counter()
        self.on_snapshot: Callable[[Player, Json], None] = lambda _, __: None
        self._ids = 0
        self._unanswered = False
        self._writer: asyncio.StreamWriter | None = None

    # --- one life

    async def live(self, port: int, heard: asyncio.Queue[str]) -> None:
        """Play until the connection breaks or all rounds are over; puts a word into ``heard`` for each message."""
        reader, self._writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
        self.room, self._unanswered = {}, self.asked is not None
        self._say([self.code, self.name])
        with suppress(ConnectionError):
            while line := await reader.readline():
                self._hear(json.loads(line))
                heard.put_nowait(self.name)
                self._act()
        self._writer.close()

    def _say(self, words: object) -> None:
        assert self._writer is not None
        self._writer.write(json.dumps(words).encode() + b"\n")

    def _hear(self, message: Json) -> None:
        kind = message["type"]
        if kind == "snapshot":
            self._note(message["log"])
            self.on_snapshot(self, message)
            self.view, self.seq = message["view"], message["seq"]
        elif kind == "update":
            assert message["events"][0]["seq"] == self.seq + 1
            self._note(message["events"])
            self.seq = message["seq"]
            self._change(message["changes"])
        elif kind == "room":
            self.room = message
        elif kind in ("accepted", "rejected"):
            self._answered(message)

    def _note(self, told: list[Json]) -> None:
        for one in told:
            known = self.told.setdefault(one["seq"], one["event"])
            assert known == one["event"], f"event {one['seq']} was {known} and became {one['event']}"

    def _change(self, changes: Json) -> None:
        boxes = changes.pop("boxes", {})
        self.view.update(changes)
        for number, box in boxes.items():
            self.view["boxes"][int(number) - 1] = box

    def _answered(self, message: Json) -> None:
        if self.asked is not None and message["id"] == self.asked["id"]:
            self.done_twice += self.was_done and message["type"] == "accepted"
            self.asked, self.was_done = None, False
        if message["type"] == "rejected":
            self.refusals[message["code"]] += 1

    # --- what to do

    @property
    def done(self) -> bool:
        """Whether all rounds are over."""
        return bool(self.view) and self.view["round"] >= self.rounds and self.view["phase"] == "bets"

    def _act(self) -> None:
        if not self._all_here():
            return
        if self._unanswered:  # by the server that died: say it again, word for word
            self._unanswered = False
            self._say(self.asked)
        if self.asked is not None or self.done:
            return
        deed = next(self._wishes(), None)
        if deed is not None:
            self._ids += 1
            self.asked = {"id": f"{self.role}{self._ids}", "round": self.view["round"], "seq": self.seq, "deed": deed}
            self._say(self.asked)

    def _all_here(self) -> bool:
        """A table waits for nobody who is away: so nobody does anything before the other is back too."""
        return len(self.room.get("present", ())) == (1 if self.alone else 2)

    def _wishes(self) -> Iterator[Json]:
        if self.view["phase"] == "bets":
            yield from self._before_the_round()
        for question in self.view["questions"]:
            if question["bettor"] == self.name:
                yield self._answer(question)

    def _before_the_round(self) -> Iterator[Json]:
        mine, first = self._box(BOXES[self.role]), self._box(1)
        if self.role == GUEST and not first["holder"]:
            return
        if not mine["holder"]:
            yield {"do": "sit", "box": mine["box"]}
        if self.role == HOST and not self.alone:
            yield from self._as_host(mine)
        if not self.alone and not (self._box(2)["holder"] and self._box(BOT_BOX)["holder"]):
            return
        if not self._bet_on(mine, self.name):
            yield {"do": "bet", "box": mine["box"], "amount": self._amount()}
        if self.backs and self.role == GUEST:
            if not self._bet_on(first, first["holder"]):
                return
            if not self._bet_on(first, self.name):
                yield {"do": "bet", "box": 1, "amount": self._amount()}
        if self.name not in self.room["ready"]:
            yield {"do": "ready"}

    def _as_host(self, mine: Json) -> Iterator[Json]:
        guest = self._box(2)["holder"]
        if not self._box(BOT_BOX)["holder"]:
            yield {"do": "seat_bot", "box": BOT_BOX}
        if self.backs and guest and guest not in mine["consents"]:
            yield {"do": "consent", "box": 1, "name": guest}

    def _box(self, number: int) -> Json:
        box: Json = self.view["boxes"][number - 1]
        return box

    @staticmethod
    def _bet_on(box: Json, name: str) -> int:
        return sum(bet["amount"] for bet in box["bets"] if bet["name"] == name)

    def _amount(self) -> int:
        return 100 * (5 + (7 * int(self.view["round"]) + len(self.role)) % 15)

    def _answer(self, question: Json) -> Json:
        """Any legal answer, drawn by the place in the round."""
        cards = self._box(question["box"])["hands"][question["hand"] - 1]["cards"]
        place = [self.code, self.view["round"], question["kind"], question["box"], question["hand"], len(cards)]
        draw = zlib.crc32(json.dumps([*place, question["bettor"]]).encode())
        action = question["legal"][draw % len(question["legal"])]
        amount = question["most"] if action == "insure" else 0
        return {"do": "decide", "box": question["box"], "hand": question["hand"], "action": action, "amount": amount}
