"""Messages that nobody should send: made from the published schema with any values, spoilt ones, and plain noise."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.protocol.schema import published

Json = dict[str, Any]
ACTIONS = (
    "hit", "stand", "double", "split", "retire", "keep", "insure", "no_insurance", "match", "stay", "", "HIT",
    "surrender", "void", "constructor", "hit\u0000", "🂡",
)  # fmt: skip
STRANGE: tuple[Any, ...] = (
    None, True, False, -1, 0, 8, 17, 2**31, 2**53 + 1, 2**63, 2**64, 10**30, -(10**30), 1.0, 0.5, 1e300, "", "1",
    "x" * 65, "x" * 3000, "\u202e", "\ud83c\udca1", "<img src=x onerror=alert(1)>", "'; DROP TABLE people;--",
    "../../etc/passwd", "{0}{name}%s", [], [1], {}, {"do": "hit"}, [[[[]]]],
)  # fmt: skip
CLIENT = ("Sit", "StandUp", "Leave", "Bet", "Ready", "AskConsent", "Consent", "Decide", "Refill", "PromiseSeed",
          "OpenSeed", "Cut", "Pause", "Remove", "HandOver", "SeatBot")  # fmt: skip
"""The deeds, but for the one that ends the table."""


class Noise:
    """A source of commands for one table; ``names`` are the people there."""

    def __init__(self, chance: random.Random, names: Sequence[str]) -> None:
        self._chance = chance
        self._names = [*names, "Nobody", "Bot 3", "a" * 60]
        self._used: list[str] = []

    def command(self, round_: int, seq: int) -> Json:
        """A command that fits the schema, as often as not about something that is not the sender's business."""
        chance = self._chance
        return {
            "id": self._id(),
            "round": round_ if chance.random() < 0.8 else chance.choice((0, 1, round_ - 1 if round_ else 5, 10**9)),
            "seq": seq if chance.random() < 0.8 else chance.choice((0, max(0, seq - 3), seq + 1, 10**12)),
            "deed": self._deed(),
        }

    def _id(self) -> str:
        self._used.append(f"n{len(self._used)}-{self._chance.randrange(10**6)}")
        return self._used[-1]

    def again(self) -> str:
        """An id that was used before."""
        return self._chance.choice(self._used)

    def _deed(self) -> Json:
        part = published()["$defs"][self._chance.choice((*CLIENT, "Decide", "Decide", "Bet", "Sit"))]
        needed = set(part["required"])
        return {
            name: self._value(name, wanted)
            for name, wanted in part["properties"].items()
            if name in needed or self._chance.random() < 0.5
        }

    def _value(self, name: str, wanted: Json) -> Any:
        chance = self._chance
        if "enum" in wanted:
            return wanted["enum"][0]
        if name == "action":
            return chance.choice(ACTIONS)
        if name == "name":
            return chance.choice(self._names)
        if name in ("hash", "seed"):
            return chance.randbytes(32).hex()
        if wanted["type"] == "boolean":
            return chance.random() < 0.5
        usual = chance.choice((100, 500, 1000, 5000, 7, 150, 10**7))
        return min(usual, wanted["maximum"]) if name == "amount" else self._number(wanted)

    def _number(self, wanted: Json) -> int:
        least, most = wanted["minimum"], wanted["maximum"]
        return self._chance.choice(
            (least, most, self._chance.randint(least, most), self._chance.randint(least, min(7, most)))
        )

    def spoilt(self, command: Json) -> Json:
        """The command with something wrong in it."""
        return self._chance.choice(_SPOILERS)(self._chance, json.loads(json.dumps(command)))


def _strange(chance: random.Random, command: Json) -> Json:
    place = chance.choice((command, command["deed"]))
    place[chance.choice(list(place))] = chance.choice(STRANGE)
    return command


def _missing(chance: random.Random, command: Json) -> Json:
    place = chance.choice((command, command["deed"]))
    del place[chance.choice(list(place))]
    return command


def _more(chance: random.Random, command: Json) -> Json:
    place = chance.choice((command, command["deed"]))
    place[chance.choice(("who", "you", "player", "bettor", "by", "__class__", "type", ""))] = chance.choice(STRANGE)
    return command


_SPOILERS: Sequence[Callable[[random.Random, Json], Json]] = (_strange, _missing, _more)


def broken(chance: random.Random, whole: str) -> Iterator[tuple[str | bytes, bool]]:
    """Frames that are no message at all, made from one that is; each with whether it claims to be text."""
    raw = whole.encode()
    for end in range(0, len(raw), 3):
        yield raw[:end], True
    for _ in range(60):
        yield bytes(chance.choice((raw, raw[::-1]))[:50]) + chance.randbytes(20), False
        yield chance.randbytes(chance.randrange(200)), False
    for place in range(0, len(raw), 5):
        yield raw[:place] + bytes([chance.choice(b'{}[]",:0\\x')]) + raw[place + 1 :], True
    yield from ((text, True) for text in _ODD)
    yield raw.replace(b'"id"', b'"id":"twice","id"', 1) + b"{}", True
    yield b"\xef\xbb\xbf" + raw[:-1], True
    yield raw.decode().encode("utf-16"), False


_ODD = (
    "", " ", "null", "true", "0", '""', "[]", "{}", "NaN", "Infinity", "-0", "1e999", "[" * 4000, '{"a":' * 800,
    '{"id":' + '"x",' * 500, '{"id":"x","round":1e400,"seq":0,"deed":{"do":"ready"}}',
    '{"id":"x","round":0,"seq":0,"deed":"ready"}', '{"id":"x","round":0,"seq":0,"deed":{"do":["ready"]}}',
    *(named % ',"deed":{"do":"ready"}}' for named in (
        '{"id":"\\ud800","round":0,"seq":0%s', '{"id":"\\u0000","round":0,"seq":0%s',
        '{"id":"x\\n","round":0,"seq":0%s',
        '{"id":"' + "y" * 65 + '","round":0,"seq":0%s', '{"id":"x","round":' + "9" * 3000 + ',"seq":0%s',
    )),
    "(" * 100, "\x00" * 50, "<xml/>", "GET / HTTP/1.1",
    '{"id":"x","round":0,"seq":0,"deed":' + "[" * 1500 + "]" * 1500 + "}",
)  # fmt: skip
