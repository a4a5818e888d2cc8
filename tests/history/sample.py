"""The history in tests/data/sample.bjh, which docs/history-format.md shows in part.

``python -m tests.history.sample`` writes both anew, should the engine or the format ever tell a round differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tapete import fairness, rulefile
from tapete import shoe as shoes
from tapete.cards import Card
from tapete.croupier import Croupier
from tapete.events import Event, Over
from tapete.fairness import ShoeRecord
from tapete.history import History, Record, dumps, read_event, record_of
from tapete.round import apply, begin
from tapete.rules import digest
from tapete.stakes import Backing, BoxStake, Lock

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tests" / "data" / "sample.bjh"
PAGE = ROOT / "docs" / "history-format.md"

LEAFLET = Lock(
    (BoxStake(1, "Ana", 1000), BoxStake(3, "Luis", 2000, (Backing("Eva María", 500, consent=True, standing=True),))),
    (("Ana", 50000), ("Luis", 20000), ("Eva María", 4500)),
)
LEAFLET_ANSWERS = (
    "b1 insures 300",
    "b3 no insurance",
    "b1 hit",
    "b1 stand by clock",
    "b3 split",
    '"Eva María" b3 matches',
    "b3 stand",
    "b3.2 double by bot",
    '"Eva María" b3.2 stays',
)
HOME = Lock((BoxStake(2, "Ana", 1000), BoxStake(4, "Luis", 300)), (("Ana", 49000), ("Luis", 20000)))
HOME_ANSWERS = ("b2 keeps", "b4 retires", "b2 split", "b2 double", "b2.2 stand by clock")


def a_shoe(
    table: str, *, seed: int, name: str, cut: int, players: Iterable[bytes] = ()
) -> tuple[ShoeRecord, ShoeRecord]:
    """A shoe as it is known while it is dealt, and with its secret out."""
    rules, secret = rulefile.preset(table).rules, fairness.seeded_secret(seed)
    record = fairness.begin(secret, shoe_id=name, rules_digest=digest(rules), rules=rules)
    for one in players:
        record = fairness.promise(record, fairness.seed_commitment(one))
    record = fairness.close(record)
    for index, one in enumerate(players):
        record = fairness.open_seed(record, index=index, seed=one)
    record = fairness.cut(record, at=cut)
    return record, fairness.reveal(record, secret)


def play(table: str, lock: Lock, answers: Iterable[str], *, number: int, shoe: tuple[ShoeRecord, ShoeRecord]) -> Record:
    """The first round from a shoe, with these answers."""
    known, revealed = shoe
    preset = rulefile.preset(table)
    secret = fairness.Secret(bytes.fromhex(str(revealed.secret)))
    dealt = [shoes.load(fairness.order(known, secret), rules=preset.rules)]

    def draw() -> Card:
        card, dealt[0] = dealt[0].deal()
        return card

    croupier, rest = Croupier(draw), iter(answers)
    round_ = begin(preset.rules, lock)
    events: list[Event] = []
    while type(round_.waits) is not Over:
        events.append(croupier.serve(round_) or read_event(next(rest)))
        round_ = apply(round_, events[-1])
    return record_of(round_, events, number=number, table=preset, shoe=known, first=0)


def sample() -> History:
    """A round at the leaflet's table with a backer, and one at the home table; the first shoe has been revealed."""
    first = a_shoe("leaflet", seed=215, name="sample-1", cut=150, players=(b"Ana's seed",))
    second = a_shoe("home", seed=41, name="sample-2", cut=40)
    rounds = (
        play("leaflet", LEAFLET, LEAFLET_ANSWERS, number=1, shoe=first),
        play("home", HOME, HOME_ANSWERS, number=2, shoe=second),
    )
    return History.of(rounds, reveals=[first[1]])


def shown(page: str) -> str:
    """The page of the specification with the first round of the sample as its whole file."""
    told = sample()
    text = dumps(History.of(told.records[:1], reveals=told.reveals))
    return re.sub(r"```toml\n.*?```", lambda _: f"```toml\n{text}```", page, flags=re.DOTALL)


if __name__ == "__main__":
    SAMPLE.write_text(dumps(sample()), "utf-8")
    PAGE.write_text(shown(PAGE.read_text("utf-8")), "utf-8")
