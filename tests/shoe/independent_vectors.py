"""The published fairness vectors, worked out from docs/fairness.md alone: standard library only, nothing of Tapete.

Run it to write tests/data/fairness_vectors.json again. A test holds the file against this script, and Tapete against
the file; neither knows the other's code.
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent.parent / "data" / "fairness_vectors.json"


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def pack(*fields: bytes) -> bytes:
    return b"".join(len(f).to_bytes(4, "big") + f for f in fields)


def contributions(seeds: list[dict[str, Any]]) -> list[bytes]:
    return [b"\1" + s if one["opened"] else b"\0" + hashlib.sha256(s).digest() for one, s in with_bytes(seeds)]


def with_bytes(seeds: list[dict[str, Any]]) -> list[tuple[dict[str, Any], bytes]]:
    return [(one, bytes.fromhex(one["seed"])) for one in seeds]


class Words:
    """The stream; ``rejected`` counts the words that were thrown away."""

    def __init__(self, secret: bytes, prefix: bytes) -> None:
        self.secret, self.prefix, self.taken, self.rejected = secret, prefix, 0, 0

    def block(self, number: int) -> bytes:
        return hmac.new(self.secret, self.prefix + number.to_bytes(8, "big"), hashlib.sha256).digest()

    def word(self) -> int:
        number, eighth = divmod(self.taken, 8)
        self.taken += 1
        return int.from_bytes(self.block(number)[4 * eighth : 4 * eighth + 4], "big")

    def below(self, n: int) -> int:
        limit = 2**32 - 2**32 % n
        word = self.word()
        while word >= limit:
            self.rejected += 1
            word = self.word()
        return word % n


def canonical(packs: list[int]) -> list[str]:
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    faces = [rank + suit for suit in "shdc" for rank in ranks]
    return [face + (f"/{back}" if back else "") for back, n in enumerate(packs) for face in faces for _ in range(n)]


def mix(cards: list[str], words: Words) -> list[str]:
    cards = list(cards)
    for i in range(len(cards) - 1, 0, -1):
        j = words.below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def told(cards: list[str]) -> dict[str, Any]:
    return {"cards": len(cards), "first10": cards[:10], "sha256": sha(" ".join(cards).encode())}


def shoe(
    *, secret: bytes, name: str, packs: list[int], seeds: list[dict[str, Any]], cut: int, began: int | None
) -> dict[str, Any]:
    rules = sha(f"rules of {name}".encode())
    list_ = contributions(seeds)
    prefix = pack(b"tapete/shuffle/1", name.encode(), *list_)
    words = Words(secret, prefix)
    mixed = mix(canonical(packs), words)
    order = mixed[cut:] + mixed[:cut]
    case: dict[str, Any] = {
        "secret": secret.hex(),
        "rules": rules,
        "id": name,
        "packs": packs,
        "seeds": seeds,
        "commitment": sha(pack(b"tapete/commit/1", secret, rules.encode(), name.encode())),
        "seed_commitments": [sha(seed) for _, seed in with_bytes(seeds)],
        "prefix": prefix.hex(),
        "blocks": [words.block(0).hex(), words.block(1).hex()],
        "uncut": told(mixed),
        "cut": cut,
        "order": told(order),
    }
    if began is not None:
        discards = canonical(packs)
        for card in order[began:]:
            discards.remove(card)
        again = pack(b"tapete/reshuffle/1", name.encode(), (1).to_bytes(4, "big"), *list_)
        case["reshuffle"] = {"number": 1, "began": began, "prefix": again.hex()}
        case["reshuffle"] |= told(mix(discards, Words(secret, again)))
    return case


def bounded(secret: bytes, prefix: bytes, n: int) -> dict[str, Any]:
    words = Words(secret, prefix)
    numbers = [words.below(n) for _ in range(8)]
    return {
        "secret": secret.hex(),
        "prefix": prefix.hex(),
        "below": n,
        "numbers": numbers,
        "words_rejected": words.rejected,
    }


def vectors() -> dict[str, Any]:
    counted, other = bytes(range(32)), hashlib.sha256(b"another secret").digest()
    seven = hashlib.sha256(b"tapete/seed/1|7").digest()
    ana = {"seed": sha(b"ana"), "opened": True}
    eva = {"seed": sha(b"eva"), "opened": False}
    ene = {"seed": "ñ".encode().hex(), "opened": True}
    return {
        "about": "Vectors of docs/fairness.md, written by tests/shoe/independent_vectors.py",
        "seeded_secrets": {n: sha(f"tapete/seed/1|{n}".encode()) for n in ("0", "7", "-3", "18446744073709551616")},
        "bounded": [bounded(counted, b"numbers", n) for n in (1, 2, 52, 312, 2**31 + 1, 3 * 2**30, 2**32 - 1, 2**32)],
        "shoes": [
            shoe(secret=counted, name="shoe-1", packs=[1], seeds=[], cut=0, began=None),
            shoe(secret=counted, name="shoe-1", packs=[1], seeds=[ana], cut=17, began=40),
            shoe(secret=other, name="mesa 2 / baraja ñ", packs=[6], seeds=[ana, eva, ene], cut=311, began=300),
            shoe(secret=other, name="3", packs=[3, 3], seeds=[eva], cut=100, began=295),
            shoe(secret=seven, name="1", packs=[2], seeds=[], cut=0, began=None),
        ],
    }


def text() -> str:
    return json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    sys.stdout.write(f"{FILE.name}: {FILE.stat().st_size} bytes\n")
