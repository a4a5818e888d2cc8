"""The page's own hashes, shuffle and check say what Python says."""

from __future__ import annotations

import hashlib
import hmac
import random
import re
import subprocess
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from tapete import fairness, shoe
from tapete.cards import Card
from tapete.fairness import Dealt, Secret, ShoeRecord, Verdict, changed, verify
from tapete.history import Table
from tapete.history.writing import table_block
from tapete.rulefile import preset, presets
from tapete.rules import RuleSet, digest, with_
from tests.fair.scripts import SCRIPTS, answers, node, workshop

DIGEST = "d" * 64


def test_the_scripts_pass_the_published_vectors(tmp_path: Path) -> None:
    folder = workshop(tmp_path)
    ran = subprocess.run(
        [node(), "--test", "--test-reporter=tap", "vectors.test.mjs"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    passed = re.search(r"^# pass (\d+)$", ran.stdout, re.MULTILINE)
    assert passed
    assert int(passed[1]) >= 15


def test_no_script_asks_the_browser_for_its_cryptography() -> None:
    """It is missing on a plain http address; random bytes alone are there everywhere."""
    code = "\n".join(path.read_text("utf-8") for path in SCRIPTS.glob("*.js"))
    assert re.findall(r"\bcrypto\.(\w+)", code) == ["getRandomValues"]
    assert "subtle" not in code


def test_the_scripts_use_nothing_but_each_other() -> None:
    for path in SCRIPTS.glob("*.js"):
        for name in re.findall(r'(?:from|import)\s*\(?"([^"]+)"', path.read_text("utf-8")):
            assert (SCRIPTS / name).resolve().parent == SCRIPTS
            assert (SCRIPTS / name).is_file()


def test_hashes_of_every_length_are_those_of_the_library(tmp_path: Path) -> None:
    chance = random.Random(1)
    texts = [chance.randbytes(length) for length in range(201)]
    found = answers(tmp_path, [{"do": "sha256", "bytes": text.hex()} for text in texts])
    assert found == [hashlib.sha256(text).hexdigest() for text in texts]


def test_hmacs_of_every_length_are_those_of_the_library(tmp_path: Path) -> None:
    chance = random.Random(2)
    pairs = [(chance.randbytes(length), chance.randbytes(chance.randrange(201))) for length in range(201)]
    found = answers(tmp_path, [{"do": "hmac", "key": key.hex(), "bytes": text.hex()} for key, text in pairs])
    assert found == [hmac.digest(key, text, "sha256").hex() for key, text in pairs]


def test_the_scripts_work_out_the_digest_of_every_table(tmp_path: Path) -> None:
    tables = [preset(name).rules for name in presets()]
    tables += [
        with_(RuleSet(), {"bet_min": 250, "bet_max": None, "version": "ñ 3:2 \U0001f0a1 \x7f"}),
        with_(RuleSet(), {"back_colours": (3, 3), "cut_card_left": None, "split.exclude": (2, 11)}),
    ]
    found = answers(tmp_path, [{"do": "rules", "text": table_block(Table(rules=one))} for one in tables])
    assert found == [digest(one) for one in tables]


# --- the same verdicts ----------------------------------------------------------------------------------------------


def deal(
    from_shoe: shoe.Shoe, record: ShoeRecord, secret: Secret, *, count: int
) -> tuple[Dealt, shoe.Shoe, ShoeRecord]:
    """A round of so many cards; where the shoe runs out, its discards go on."""
    first, cards = from_shoe.place, list[Card]()
    for _ in range(count):
        if from_shoe.exhausted:
            break
        if from_shoe.must_reshuffle:
            record, from_shoe = fairness.reshuffle(record, secret, from_shoe)
        card, from_shoe = from_shoe.deal()
        cards.append(card)
    return Dealt(first=first, cards=tuple(cards)), from_shoe.discard(from_shoe.in_play), record


def a_record(chance: random.Random) -> tuple[ShoeRecord, Secret, RuleSet]:
    """A shoe with any number of seeds, some of them opened, cut anywhere."""
    packs = chance.choice([(1,), (2,), (1, 1), (1, 2), (6,)])
    rules = RuleSet(decks=sum(packs), back_colours=packs if len(packs) > 1 else None, cut_card_left=0)
    secret = Secret(chance.randbytes(32))
    record = fairness.begin(secret, shoe_id=f"ñ-{chance.random()}", rules_digest=DIGEST, rules=rules)
    seeds = [chance.randbytes(chance.randint(1, 64)) for _ in range(chance.choice([0, 1, 2, 5]))]
    for seed in seeds:
        record = fairness.promise(record, fairness.seed_commitment(seed))
    record = fairness.close(record)
    for index, seed in enumerate(seeds):
        if chance.random() < 0.7:
            record = fairness.open_seed(record, index=index, seed=seed)
    return fairness.cut(record, at=chance.randrange(52 * sum(packs))), secret, rules


def dealt_from(
    record: ShoeRecord, secret: Secret, rules: RuleSet, chance: random.Random
) -> tuple[ShoeRecord, list[Dealt]]:
    lying, rounds = shoe.load(fairness.order(record, secret), rules=rules), list[Dealt]()
    while lying.cards_left and not record.reshuffles and len(rounds) < 30:
        one, lying, record = deal(lying, record, secret, count=chance.randint(4, 40))
        rounds.append(one)
    return record, rounds


def hidden(one: Dealt, chance: random.Random) -> Dealt:
    return Dealt(first=one.first, cards=tuple(None if chance.random() < 0.05 else card for card in one.cards))


def another(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + chance.choice("0123456789abcdef") + text[at + 1 :]


def tampered(record: ShoeRecord, rounds: list[Dealt], chance: random.Random) -> tuple[ShoeRecord, list[Dealt]]:
    """The record or a round with one thing changed; now and then it is a change to the same."""
    kind = chance.randrange(14)
    one = chance.randrange(len(rounds))
    cards = list(rounds[one].cards)
    seeds = len(record.opened)
    which = chance.randrange(seeds) if seeds else 0
    changes: dict[int, dict[str, Any]] = {
        0: {"commitment": another(record.commitment, chance)},
        1: {"secret": another(record.secret or DIGEST, chance)},
        2: {"id": record.id + "x"},
        3: {"rules": another(record.rules, chance)},
        4: {"cut": chance.choice([None, 0, 51, 52, 10**6])},
        5: {"packs": chance.choice([(), (0,), (1,), (2, 1), (0, 1), (1, 1, 1, 1)])},
        6: {"reshuffles": chance.choice([(), (0,), (5,), (*record.reshuffles, 60), (record.reshuffles * 2)])},
        7: {"opened": record.opened[1:]},
        8: {"closed": False, "opened": ()},
        9: {"opened": tuple("" if at == which else seed for at, seed in enumerate(record.opened))},
        10: {"opened": tuple("00" if at == which else seed for at, seed in enumerate(record.opened))},
    }
    if kind in changes:
        return replace(record, **changes[kind]), rounds
    if kind == 11:
        cards[chance.randrange(len(cards))] = chance.choice(cards)
    if kind == 12:
        del cards[chance.randrange(len(cards))]
    moved = chance.choice([-1, 1, -rounds[one].first, 10**9]) if kind == 13 else 0
    first = max(0, rounds[one].first + moved)
    return record, [*rounds[:one], Dealt(first=first, cards=tuple(cards)), *rounds[one + 1 :]]


Case = tuple[ShoeRecord, list[Dealt], RuleSet | None, str | None]


def a_case(number: int) -> Case:
    chance = random.Random(number)
    record, secret, rules = a_record(chance)
    record, rounds = dealt_from(record, secret, rules, chance)
    if chance.random() < 0.85:
        record = fairness.reveal(record, secret)
    rounds = [hidden(one, chance) for one in chance.sample(rounds, chance.randint(1, len(rounds)))]
    if chance.random() < 0.7:
        record, rounds = tampered(record, rounds, chance)
    if chance.random() < 0.1:
        rounds = []
    return record, rounds, rules if chance.random() < 0.5 else None, DIGEST if chance.random() < 0.5 else None


def question(case: Case) -> dict[str, Any]:
    record, rounds, rules, told = case
    return {
        "do": "verify",
        "record": fairness.to_plain(record),
        "rounds": [{"first": one.first, "cards": [card and str(card) for card in one.cards]} for one in rounds],
        "table": {"digest": told, "packs": rules and list(shoe.packs(rules))},
    }


def plainly(verdict: Verdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    return {"outcome": verdict.outcome, "code": verdict.code, "facts": to_builtins(verdict.facts)}


def test_the_page_gives_the_verdict_that_python_gives(tmp_path: Path) -> None:
    """Several hundred shoes with seeds, cuts, reshuffles and hidden cards, two in three of them tampered with."""
    cases = [a_case(number) for number in range(600)]
    due = [plainly(verify(record, rounds, rules=rules, digest=told)) for record, rounds, rules, told in cases]
    found = answers(tmp_path, [question(one) for one in cases])
    assert [pair for pair in zip(due, found, strict=True) if pair[0] != pair[1]] == []
    codes = [one["code"] for one in due if one]
    assert min(codes.count(code) for code in ("verdict.ok", "verdict.pending", "verdict.card")) >= 30
    assert {one for one in get_args(fairness.Finding) if one not in codes} <= {"verdict.changed"}
    sound = [record for (record, *_), one in zip(cases, due, strict=True) if one and one["code"] == "verdict.ok"]
    assert any(record.reshuffles for record in sound)


RECORD, SECRET, RULES = a_record(random.Random(5))


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ([{}, {}], None),
        ([{}, {"reshuffles": (40,)}, {"reshuffles": (40,), "secret": SECRET.raw.hex()}], None),
        ([{"cut": None, "closed": False, "opened": (), "seed_commitments": ()}, {}], None),
        ([{}, {"cut": (RECORD.cut or 0) + 1}], 2),
        ([{}, {}, {"commitment": "0" * 64}], 3),
        ([{}, {"rules": "e" * 64}], 2),
        ([{}, {"packs": (4,)}], 2),
        ([{}, {"seed_commitments": (*RECORD.seed_commitments, "0" * 64)}], 2),
        ([{}, {"opened": ("00",)}], 2),
        ([{"reshuffles": (40,)}, {"reshuffles": (41, 60)}], 1),
        ([{"cut": None, "commitment": "0" * 64}, {}], 1),
    ],
)
def test_a_shoe_that_is_told_in_two_ways_is_found(
    tmp_path: Path, told: list[dict[str, Any]], where: int | None
) -> None:
    records = [replace(RECORD, **one) for one in told]
    verdict = changed(records)
    assert (verdict and verdict.index) == where
    [found] = answers(tmp_path, [{"do": "changed", "records": [fairness.to_plain(one) for one in records]}])
    assert found == plainly(verdict)


# --- what the browser kept ------------------------------------------------------------------------------------------


def test_a_commitment_that_is_not_the_one_kept_is_a_mismatch(tmp_path: Path) -> None:
    plain = fairness.to_plain(RECORD)
    finding = {"shoe": plain, "verdict": {"outcome": "ok"}}
    mine = {RECORD.id: [RECORD.commitment]}
    asked = [
        {"do": "outcome", "finding": finding, "commitments": {}},
        {"do": "outcome", "finding": finding, "commitments": mine},
        {"do": "outcome", "finding": finding, "commitments": {RECORD.id: ["0" * 64]}},
        {"do": "kept", "shoe": plain, "kept": [RECORD.commitment]},
        {"do": "kept", "shoe": plain, "kept": ["0" * 64, RECORD.commitment]},
        {"do": "kept", "shoe": plain, "kept": ["0" * 64]},
        {"do": "kept", "shoe": plain},
    ]
    due = ["ok", "ok", "mismatch", "same", "both", "other", "none"]
    assert answers(tmp_path, asked) == due


def test_ones_own_seed_is_looked_for_in_the_list(tmp_path: Path) -> None:
    seeds = [b"mine", b"shut"]
    shoe = {"seed_commitments": [fairness.seed_commitment(one) for one in seeds], "opened": [b"mine".hex(), ""]}
    mine, shut, gone = (one.hex() for one in (b"mine", b"shut", b"gone"))
    given = [[mine], [shut], [gone], [gone, mine], ["x", ""], []]
    asked = [{"do": "own", "shoe": shoe, "seeds": one} for one in given]
    assert answers(tmp_path, asked) == ["opened", "closed", "absent", "opened", "none", "none"]


def test_a_shoe_that_was_promised_and_never_dealt_is_named(tmp_path: Path) -> None:
    kept = {"t5-1": ["a"], "t5-2": ["b"], "t6-1": ["c"]}
    assert answers(tmp_path, [{"do": "unheard", "ids": ["t5-1"], "commitments": kept}]) == [["t5-2"]]
