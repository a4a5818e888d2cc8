"""A bot that plays at a table of Tapete, written from docs/protocol.md alone: it knows nothing of Tapete's own code.

    pip install httpx websockets
    tapete serve
    python examples/bot.py --rounds 5                       opens a table and plays five rounds
    python examples/bot.py --table q7Ty-Wb1 --lang es       joins a table that is open, and tells it in Spanish

The bot asks itself one question whenever it hears something: what, if anything, do I do now? (:meth:`Bot.next_deed`).
It never works out which moves are allowed; a question says that.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import secrets
from decimal import Decimal
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

Json = dict[str, Any]


class Bot:
    """One player: what it has been told of the table, and what it does about it."""

    def __init__(self, *, rounds: int, lang: str) -> None:
        self.rounds = rounds
        self.lang = lang
        self.you = ""
        self.seq = 0
        self.view: Json = {}
        self.room: Json = {}
        self.rules: Json = {}
        self.opening: Json | None = None  # the shoe that is promised and not shuffled yet
        self.seed = b""
        self.last_round = 0
        self.left = False
        self.pending: Json | None = None  # the command that is not answered yet
        self.refused: tuple[Json, int] | None = None
        self.count = 0
        self.tag = secrets.token_hex(4)

    # --- what it hears

    def hear(self, message: Json) -> None:
        """Takes in one message of the server."""
        match message["type"]:
            case "snapshot":
                self.start(message)
            case "update":
                self.follow(message)
            case "room":
                self.room = message
            case "accepted":
                self.answered(message)
            case "rejected":
                print(f"   refused ({message['code']}): {message['text'][self.lang]}")
                self.answered(message, refused=True)
            case "bye":
                print(f"-- the server says goodbye: {message['code']}")

    def start(self, snapshot: Json) -> None:
        """The whole table: forget what was known, and begin here."""
        first = not self.you
        self.you, self.seq = snapshot["you"], snapshot["seq"]
        self.view, self.rules = snapshot["view"], snapshot["about"]["rules"]
        for told in snapshot["log"]:
            self.learn(told["event"])
        if first:
            self.last_round = self.view["round"] + self.rounds
            print(f"-- {self.you} at the table “{snapshot['about']['title'][self.lang]}”")

    def follow(self, update: Json) -> None:
        """What has changed: new events, and new values for parts of the view."""
        if update["seq"] <= self.seq:
            return  # older than what is known already
        self.seq = update["seq"]
        changes = dict(update["changes"])
        for number, box in changes.pop("boxes", {}).items():
            self.view["boxes"][int(number) - 1] = box
        self.view.update(changes)
        for told in update["events"]:
            self.learn(told["event"])
            if told["text"][self.lang]:
                print(told["text"][self.lang])

    def learn(self, event: Json) -> None:
        """Follows the making of a new shoe, to give a seed for it; it is in the events alone."""
        match event["type"]:
            case "ShoeOpened":
                self.opening, self.seed = {"promised": False, "closed": False, "opened": False}, secrets.token_bytes(16)
                print(f"   the shoe is committed to {event['record']['commitment']}")
            case "SeedPromised" if self.opening and event["name"] == self.you:
                self.opening["promised"] = True
            case "SeedsClosed" if self.opening:
                self.opening["closed"] = True
            case "SeedOpened" if self.opening and event["name"] == self.you:
                self.opening["opened"] = True
            case "ShoeReady":
                self.opening = None

    def answered(self, answer: Json, *, refused: bool = False) -> None:
        """The answer to the command under way; what was refused is not tried again until something happens."""
        if self.pending is None or answer["id"] != self.pending["id"]:
            return
        deed, self.pending = self.pending["deed"], None
        self.refused = (deed, self.seq) if refused else None
        if deed["do"] == "leave":
            self.left = True

    # --- what it does

    def next_command(self) -> Json | None:
        """The command to send now; None to wait for more news."""
        if self.pending is not None or not self.room or not self.you:
            return None
        deed = self.next_deed()
        if deed is None or (deed, self.seq) == self.refused:
            return None
        self.count += 1
        self.pending = {"id": f"{self.tag}-{self.count}", "round": self.view["round"], "seq": self.seq, "deed": deed}
        return self.pending

    def next_deed(self) -> Json | None:
        """What to do now, if anything."""
        mine = [one for one in self.view["questions"] if one["bettor"] == self.you]
        if mine:
            return self.answer(mine[0])
        if self.room["cutter"] == self.you:
            return {"do": "cut", "at": secrets.randbelow(52 * int(self.rules["decks"]))}
        if self.opening and self.opening["closed"]:
            may_open = self.opening["promised"] and not self.opening["opened"]
            return {"do": "open_seed", "seed": self.seed.hex()} if may_open else None
        return self.between_rounds() if self.view["phase"] == "bets" else None

    def between_rounds(self) -> Json | None:
        """Sit, give a seed for a new shoe, bet, be ready; leave when all rounds are played."""
        boxes = self.view["boxes"]
        mine = next((box for box in boxes if box["holder"] == self.you), None)
        if self.view["round"] >= self.last_round or self.left:
            return None if self.left else {"do": "leave"}
        if mine is None:
            free = next((box["box"] for box in boxes if not box["holder"]), None)
            return {"do": "sit", "box": free} if free else None
        if self.opening and not self.opening["promised"]:
            return {"do": "promise_seed", "hash": hashlib.sha256(self.seed).hexdigest()}
        if not any(bet["name"] == self.you for bet in mine["bets"]):
            return self.bet(mine["box"])
        return None if self.you in self.room["ready"] else {"do": "ready"}

    def bet(self, box: int) -> Json:
        """The smallest bet, or new chips when there are none left for it. Amounts are hundredths of a chip."""
        least = int(Decimal(self.rules["bet_min"]) * 100)
        chips = next(one["chips"] for one in self.view["people"] if one["name"] == self.you)
        return {"do": "bet", "box": box, "amount": least} if chips >= least else {"do": "refill"}

    def answer(self, question: Json) -> Json:
        """The answer to a question, from the moves that are legal."""
        wishes = {"turn": self.moves(question), "insure": ["no_insurance"], "retire": ["keep"], "follow": ["stay"]}
        action = next((wish for wish in wishes[question["kind"]] if wish in question["legal"]), question["legal"][0])
        return {"do": "decide", "box": question["box"], "hand": question["hand"], "action": action}

    def moves(self, question: Json) -> list[str]:
        """What a careful player would like to do with a hand, best first."""
        hand = self.view["boxes"][question["box"] - 1]["hands"][question["hand"] - 1]
        dealer, total = self.view["dealer"]["total"], hand["total"]
        weak = 2 <= dealer <= 6
        if [card.partition("/")[0][:-1] for card in hand["cards"]] in (["A", "A"], ["8", "8"]):
            return ["split", "hit"]
        if hand["soft"]:
            return ["stand"] if total >= 18 else ["hit"]
        if total in (10, 11) and dealer < 10:
            return ["double", "hit"]
        return ["stand", "hit"] if total >= 17 or (weak and total >= 12) else ["hit", "stand"]


def enter(url: str, *, table: str, preset: str, pace: str) -> tuple[str, str]:
    """The code of the table, and the cookie that says who we are: the first page that one asks for gives it."""
    with httpx.Client(base_url=url, headers={"Origin": url}) as web:
        web.get("/").raise_for_status()
        if not table:
            opened = web.post("/tables", data={"preset": preset, "pace": pace})
            if opened.is_error:
                opened.raise_for_status()
            table = opened.headers["Location"].rpartition("/")[2]
        return table, "; ".join(f"{name}={value}" for name, value in web.cookies.items())


async def play(bot: Bot, url: str, table: str, cookie: str) -> None:
    """Plays until the bot has left. A connection that breaks is made again, and what was not answered sent again."""
    address = url.replace("http", "ws", 1) + f"/ws/{table}"
    async for socket in connect(address, origin=url, additional_headers={"Cookie": cookie}):  # type: ignore[arg-type]
        try:
            await talk(bot, socket)
        except ConnectionClosed:
            if bot.room and not bot.left:
                continue
        return


async def talk(bot: Bot, socket: ClientConnection) -> None:
    """One connection: hear a message, then say what there is to say."""
    bot.hear(json.loads(await socket.recv()))
    if bot.pending is not None:
        await socket.send(json.dumps(bot.pending))
    async for raw in socket:
        bot.hear(json.loads(raw))
        if bot.left:
            return
        command = bot.next_command()
        if command is not None:
            await socket.send(json.dumps(command))


def main() -> None:
    """Reads the options and plays."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--url", default="http://127.0.0.1:8021")
    options.add_argument("--table", default="", help="the code of an open table; without it, a new one is opened")
    options.add_argument("--preset", default="casino")
    options.add_argument("--pace", default="fast")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--lang", choices=("en", "es"), default="en")
    chosen = options.parse_args()
    try:
        table, cookie = enter(chosen.url, table=chosen.table, preset=chosen.preset, pace=chosen.pace)
    except httpx.HTTPError as error:
        raise SystemExit(f"No table to be had at {chosen.url}: {error}") from None
    print(f"-- the table is {chosen.url}/t/{table}")
    asyncio.run(play(Bot(rounds=chosen.rounds, lang=chosen.lang), chosen.url, table, cookie))


if __name__ == "__main__":
    main()
