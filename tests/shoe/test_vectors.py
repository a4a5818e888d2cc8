"""The published vectors: the file is what the documentation says, and Tapete does what the file says."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tapete import fairness, shoe
from tapete.cards import Card
from tapete.rules import RuleSet
from tests.shoe import independent_vectors

ROOT = Path(__file__).parent.parent.parent
VECTORS: dict[str, Any] = json.loads(independent_vectors.FILE.read_text(encoding="utf-8"))
SHOES = VECTORS["shoes"]
names = pytest.mark.parametrize("case", SHOES, ids=lambda case: f"{case['id']}-{len(case['seeds'])}-seeds")


def secret_of(case: dict[str, Any]) -> fairness.Secret:
    return fairness.Secret(bytes.fromhex(case["secret"]))


def rules_of(case: dict[str, Any]) -> RuleSet:
    packs = tuple(case["packs"])
    return RuleSet(decks=sum(packs), back_colours=packs if len(packs) > 1 else None, cut_card_left=0)


def played(case: dict[str, Any]) -> fairness.ShoeRecord:
    """The record of a vector, up to the cut, made step by step as a table does."""
    record = fairness.begin(secret_of(case), shoe_id=case["id"], rules_digest=case["rules"], rules=rules_of(case))
    for promised in case["seed_commitments"]:
        record = fairness.promise(record, promised)
    record = fairness.close(record)
    for index, seed in enumerate(case["seeds"]):
        if seed["opened"]:
            record = fairness.open_seed(record, index=index, seed=bytes.fromhex(seed["seed"]))
    return fairness.cut(record, at=case["cut"])


def told(cards: Sequence[Card]) -> dict[str, Any]:
    texts = [str(one) for one in cards]
    return {"cards": len(texts), "first10": texts[:10], "sha256": hashlib.sha256(" ".join(texts).encode()).hexdigest()}


def test_the_published_vectors_are_what_the_independent_program_works_out() -> None:
    assert independent_vectors.FILE.read_text(encoding="utf-8") == independent_vectors.text()


def test_the_independent_program_knows_nothing_of_tapete() -> None:
    source = Path(independent_vectors.__file__).read_text(encoding="utf-8")
    assert re.findall(r"^(?:import|from) (\w+)", source, re.MULTILINE) == [
        "hashlib", "hmac", "json", "sys", "pathlib", "typing",
    ]  # fmt: skip


@pytest.mark.parametrize("number", VECTORS["seeded_secrets"])
def test_a_seed_number_gives_the_same_secret_everywhere(number: str) -> None:
    assert fairness.seeded_secret(int(number)).raw.hex() == VECTORS["seeded_secrets"][number]


@pytest.mark.parametrize("case", VECTORS["bounded"], ids=lambda case: case["below"])
def test_bounded_numbers_are_the_published_ones(case: dict[str, Any]) -> None:
    words = fairness.words(secret_of(case), bytes.fromhex(case["prefix"]))
    assert [fairness.below(case["below"], words) for _ in range(8)] == case["numbers"]
    after = 8 + case["words_rejected"]
    again = fairness.words(secret_of(case), bytes.fromhex(case["prefix"]))
    assert next(words) == next(islice(again, after, None))


def test_some_published_vector_throws_words_away() -> None:
    assert max(case["words_rejected"] for case in VECTORS["bounded"]) > 0


@names
def test_commitments_are_the_published_ones(case: dict[str, Any]) -> None:
    assert played(case).commitment == case["commitment"]
    seeds = [bytes.fromhex(one["seed"]) for one in case["seeds"]]
    assert [fairness.seed_commitment(seed) for seed in seeds] == case["seed_commitments"]


@names
def test_stream_blocks_are_the_published_ones(case: dict[str, Any]) -> None:
    words = fairness.words(secret_of(case), bytes.fromhex(case["prefix"]))
    blocks = [b"".join(word.to_bytes(4, "big") for word in islice(words, 8)).hex() for _ in case["blocks"]]
    assert blocks == case["blocks"]


@names
def test_orders_are_the_published_ones(case: dict[str, Any]) -> None:
    record = played(case)
    assert told(fairness.order(record, secret_of(case))) == case["order"]
    assert (
        told(shoe.cut(fairness.order(record, secret_of(case)), at=-case["cut"] % (52 * sum(case["packs"]))))
        == (case["uncut"])
    )


@pytest.mark.parametrize("case", [case for case in SHOES if case.get("reshuffle", {}).get("began")])
def test_reshuffles_are_the_published_ones(case: dict[str, Any]) -> None:
    record, due = played(case), case["reshuffle"]
    spent = shoe.load(fairness.order(record, secret_of(case)), rules=rules_of(case))
    for _ in range(due["began"]):
        _, spent = spent.deal()
    spent = spent.discard(spent.in_play)
    while spent.cards_left:
        _, spent = spent.deal()
    record, again = fairness.reshuffle(record, secret_of(case), spent)
    assert record.reshuffles == (due["began"],)
    assert told(again.order) == {name: due[name] for name in ("cards", "first10", "sha256")}


def test_the_shell_line_of_the_manual_says_true() -> None:
    manual = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
    found = re.search(r"```sh\npython3 -c '\n(.*?)'\n```", manual, re.DOTALL)
    assert found
    ran = subprocess.run([sys.executable, "-c", found[1]], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout == "True\n"


def test_the_manual_names_every_field_of_the_record() -> None:
    manual = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
    assert [name for name in fairness.ShoeRecord.__struct_fields__ if f"| `{name}` |" not in manual] == []
