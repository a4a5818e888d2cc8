"""No byte from the server tells a card before it is seen, a seed before it is opened, or a secret of a shoe in use."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable
from typing import NamedTuple

import pytest

from tapete import fairness
from tapete.cards import PACK, write
from tapete.fairness import Secret, from_plain
from tapete.telling import card_name
from tapete.words import LANGUAGES, words
from tests.protocol.house import House, Json, Player, begin, company, finish, level, run

PRESETS = ("vegas-1d", "home", "casino", "british", "leaflet", "faceup")
"""The first has one pack: each card in a message is one card and no other."""
ROUNDS = 6
CARD = re.compile(r'"((?:10|[2-9AJQK])[cdhs])(?:/\d)?"')
IN_WORDS = {card_name(card, words(language)).lower(): write(card) for card in PACK for language in LANGUAGES}
SAID = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(IN_WORDS, key=len, reverse=True)))


def cards_in(raw: str) -> set[str]:
    """All cards that a text of the server tells in any way: as texts, as objects, in words of either language."""
    found = set(CARD.findall(raw)) | {IN_WORDS[name] for name in SAID.findall(raw.lower())}
    return found | {f"{rank}{suit}" for rank, suit in re.findall(r'"rank":"(\w+)","suit":"(\w)"', raw)}


def test_a_card_is_recognised_however_it_is_told() -> None:
    assert cards_in('{"cards":["10h","As/1"],"card":{"rank":"Q","suit":"d","back":0},"text":"Jack of Clubs"}') == {
        "10h", "As", "Qd", "Jc",
    }  # fmt: skip
    assert cards_in(json.dumps({"es": card_name(PACK[0], words("es"))}, ensure_ascii=False)) == {"As"}


class Eyes:
    """What somebody may know who has read all events up to now."""

    def __init__(self) -> None:
        self.cards: set[str] = set()
        self.before: set[str] = set()
        self.revealed: set[str] = set()
        self.opened: set[str] = set()
        self.dealt: dict[str, list[str]] = {}
        self.shoe = ""

    def read(self, event: Json) -> None:
        """Takes in one event."""
        kind = event["type"]
        if kind == "ShoeReady":
            self.before, self.cards, self.shoe = self.cards, set(), event["record"]["id"]
        elif kind == "Lock":
            self.before = set()
        elif kind in ("Dealt", "Turned"):
            card = event["card"]
            self.dealt.setdefault(self.shoe, []).append("??" if card is None else f"{card['rank']}{card['suit']}")
            self.cards |= set() if card is None else {f"{card['rank']}{card['suit']}"}
        elif kind == "ShoeRetired":
            self.revealed.add(event["record"]["id"])
        elif kind == "SeedOpened":
            self.opened.add(event["seed"])


def events_of(message: Json) -> list[Json]:
    return [told["event"] for told in message.get("events", ())]


def spellings(raw: bytes) -> list[str]:
    """How bytes could stand in a text."""
    return [raw.hex(), raw.hex().upper(), *(one(raw).decode().rstrip("=") for one in (b64encode, urlsafe_b64encode))]


class Said(NamedTuple):
    """One text of the server: a message, or a page; ``old`` if it is about a round that is over."""

    text: str
    old: bool = False

    @property
    def events(self) -> list[Json]:
        """The events that a message tells."""
        message = json.loads(self.text) if self.text.startswith('{"type":') else {}
        return events_of(message)


async def pages(player: Player) -> list[Said]:
    """Everything that the house tells by HTTP about a table in play."""
    base, number = f"/t/{player.code}", player.view["round"]
    now = ("/", "/open", base, f"{base}/rules", f"{base}/rounds", "/metrics", "/health", *round_pages(base, number))
    async with player.browser() as web:
        told = [Said((await web.get(path)).text) for path in now]
        old = [Said((await web.get(path)).text, old=True) for path in round_pages(base, number - 1)]
        return [*told, *old, Said((await web.get(f"{base}/history.bjh")).text, old=True)]


def round_pages(base: str, number: int) -> list[str]:
    return [f"{base}/rounds/{number}{tail}" for tail in ("", ".json", ".bjh")]


@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_is_told_before_its_time(house: House, preset: str) -> None:
    async def scenario() -> None:
        alone = preset == "faceup"
        async with company(house, 1 if alone else 2, preset) as players:
            witness = await Player(house, "").connect(players[0].code)
            by_http: list[tuple[int, Said]] = []
            for _ in range(ROUNDS):
                await begin(players)
                await level([*players, witness])
                by_http += [(len(witness.raw), page) for page in await pages(players[0])]
                await finish(players)
            await level([*players, witness])
            everything = merged(witness.raw, by_http)
            check_cards(everything)
            check_secrets(house, everything)
            check_shoes(house, everything)

    run(scenario())


def merged(raw: list[str], by_http: list[tuple[int, Said]]) -> list[Said]:
    """All that was told, in order; messages and pages."""
    told: list[Said] = []
    for place, text in enumerate(raw):
        told += [page for after, page in by_http if after == place]
        told.append(Said(text))
    return told


def check_cards(everything: Iterable[Said]) -> None:
    """Each card was dealt face up, or turned, before it was told of."""
    eyes = Eyes()
    for said in everything:
        for event in said.events:
            eyes.read(event)
        assert said.old or cards_in(said.text) <= eyes.cards | eyes.before, said.text


def check_secrets(house: House, everything: list[Said]) -> None:
    """No secret stands anywhere before its shoe is retired, and the key that signs cookies nowhere."""
    with house.store() as store:
        secrets = {shoe.id: spellings(shoe.secret) for table in store.open_tables() for shoe in store.shoes(table.id)}
    secrets["cookies"] = spellings((house.folder / "data" / "cookies.key").read_bytes())
    eyes = Eyes()
    for said in everything:
        for event in said.events:
            eyes.read(event)
        found = {name for name, ways in secrets.items() if any(way in said.text for way in ways)}
        assert {name.partition("/")[2] for name in found} <= eyes.revealed, said.text


def check_shoes(house: House, everything: Iterable[Said]) -> None:
    """The cards came in the order that the kept secret gives, so that these were the cards to keep still about."""
    eyes, records = Eyes(), {}
    for said in everything:
        for event in said.events:
            eyes.read(event)
            if event["type"] == "ShoeReady":
                records[event["record"]["id"]] = from_plain(event["record"])
    with house.store() as store:
        kept = {one.id.partition("/")[2]: one.secret for table in store.open_tables() for one in store.shoes(table.id)}
    assert records
    for name, record in records.items():
        due = [write(card).partition("/")[0] for card in fairness.order(record, Secret(kept[name]))]
        assert sorted(matched(eyes.dealt[name], due)) == sorted(due[: len(matched(eyes.dealt[name], due))])


def matched(dealt: list[str], due: list[str]) -> list[str]:
    """The cards as they left the shoe: a card that lies face down is turned later, or never."""
    left: list[str] = []
    for card in dealt:
        if card != "??" and len(left) < len(due) and due[len(left)] != card and card in left:
            continue  # the hole card, which left the shoe before
        left.append(due[len(left)] if card == "??" else card)
    return left


def test_a_seed_is_not_told_before_it_is_opened(house: House) -> None:
    async def scenario() -> None:
        seeds = [bytes(range(20)), b"another seed, of letters"]
        async with company(house, 2, pace="unhurried") as players:
            for player, seed in zip(players, seeds, strict=True):
                await player.do("promise_seed", hash=hashlib.sha256(seed).hexdigest())
            for player in players:
                await player.do("bet", box=player.boxes[0], amount=1000)
            for player in players:
                await player.do("ready")
            assert await players[0].refused("open_seed", seed=seeds[1].hex()) == "fairness.seed_differs"
            for player, seed in zip(players, seeds, strict=True):
                await level(players)
                assert not any(way in raw for one in players for raw in one.raw for way in spellings(seed))
                await player.do("open_seed", seed=seed.hex())
            cutter = next(player for player in players if player.you == player.room["cutter"])
            await cutter.do("cut", at=33)
            await level(players)
            assert players[0].view["round"] == 1
            assert players[0].view["shoe"]["record"]["opened"] == [seed.hex() for seed in seeds]

    run(scenario())


def test_each_shoe_proves_itself_to_whoever_followed_it(house: House) -> None:
    """Nothing of a commitment helps to know the cards; the secret, once it is out, gives all of them."""

    async def scenario() -> tuple[Json, Json]:
        async with company(house, 1, "vegas-1d") as (player,):
            while not any(event["type"] == "ShoeRetired" for one in player.heard for event in events_of(one)):
                await begin([player])
                await finish([player])
            told = [event for one in player.heard for event in events_of(one)]
            retired = next(event["record"] for event in told if event["type"] == "ShoeRetired")
            promised = next(
                one["record"] for one in told if one["type"] == "ShoeOpened" and one["record"]["id"] == retired["id"]
            )
            return promised, retired

    promised, retired = run(scenario())
    assert "secret" not in promised
    assert promised["commitment"] == retired["commitment"]
    secret = Secret(bytes.fromhex(retired["secret"]))
    assert fairness.commitment(secret, rules_digest=retired["rules"], shoe_id=retired["id"]) == promised["commitment"]
    assert len(fairness.order(from_plain({**retired, "secret": None}), secret)) == 52
