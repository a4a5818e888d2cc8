"""Fair shuffles: commit, gather seeds, shuffle, reveal, verify.

docs/fairness.md defines every byte, so that another program can check a shoe without reading this one; the published
vectors (tests/data/fairness_vectors.json) hold both to it. In short, for every shoe:

1. :func:`begin`: the table publishes a hash over its secret, the digest of its rule set and the shoe's id;
2. :func:`promise`: players publish hashes of seeds of their own;
3. :func:`close`, then :func:`open_seed`: the list closes, the seeds are opened (an unopened one counts as its hash);
4. :func:`order`: a stream of numbers keyed by the secret, over the id and the list, drives a Fisher-Yates shuffle,
5. :func:`cut`: and a person at the table cuts;
6. the shoe is dealt; should it run out within a round, :func:`reshuffle` shuffles its discards under their own label;
7. :func:`reveal`: the secret is published once the shoe is retired and its last round is settled, and :func:`verify`
   tells whether every card that was seen lay where it had to.

A :class:`ShoeRecord` holds what may be published and nothing else; the secret is not in it before step 7. Every step
returns a new record, or raises Refused and leaves the old one as it was.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from struct import unpack
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec.structs import replace

from tapete import shoe as shoes
from tapete.cards import MAX_BACKS, Card
from tapete.errors import BadInput, Refused
from tapete.rules import RuleSet

COMMIT_LABEL: Final = b"tapete/commit/1"
SHUFFLE_LABEL: Final = b"tapete/shuffle/1"
RESHUFFLE_LABEL: Final = b"tapete/reshuffle/1"
SEED_LABEL: Final = "tapete/seed/1|"
SECRET_BYTES: Final = 32
MAX_SEED_BYTES: Final = 64
WORD: Final = 2**32

Hash = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""32 bytes as 64 lower-case hexadecimal digits."""
SeedText = Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{2}){0,64}\Z")]
"""A seed of 1 to 64 bytes in hexadecimal digits; empty while it is not opened."""
Count = Annotated[int, msgspec.Meta(ge=0, le=10**6)]


class Secret:
    """The 32 bytes that decide a shoe. Printing it shows nothing; only :func:`reveal` writes it out.

    Raises BadInput ``fairness.secret_length`` for any other number of bytes.
    """

    __slots__ = ("raw",)

    def __init__(self, raw: bytes) -> None:
        if len(raw) != SECRET_BYTES:
            raise BadInput("fairness.secret_length", length=len(raw))
        self.raw = raw

    def __repr__(self) -> str:
        return "Secret(hidden)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self.raw, other.raw)

    def __hash__(self) -> int:
        return hash(self.raw)


def new_secret() -> Secret:
    """A secret from the operating system, for one shoe and no other."""
    return Secret(secrets.token_bytes(SECRET_BYTES))


def seeded_secret(number: int) -> Secret:
    """The secret of ``--seed N``: the same on every machine, and no secret at all to whoever knows N."""
    return Secret(hashlib.sha256(f"{SEED_LABEL}{number}".encode()).digest())


class ShoeRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is public about one shoe; it can be shown to anyone at any time."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    """Names the shoe; no two shoes with one secret may share it."""
    rules: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    """Digest of the rule set, as text."""
    packs: Annotated[tuple[Annotated[int, msgspec.Meta(ge=0, le=64)], ...], msgspec.Meta(max_length=MAX_BACKS)]
    """Packs of each back colour: [6], or [3, 3]."""
    commitment: Hash
    seed_commitments: Annotated[tuple[Hash, ...], msgspec.Meta(max_length=1000)] = ()
    """SHA-256 of each player's seed, in the order in which they came."""
    closed: bool = False
    """Whether the list is closed, so that seeds may be opened."""
    opened: Annotated[tuple[SeedText, ...], msgspec.Meta(max_length=1000)] = ()
    """Each player's seed, an empty text for one not opened; as long as the list once that is closed."""
    cut: Count | None = None
    """Cards lifted off by the person who cut; 0 when nobody did. Absent until then."""
    reshuffles: Annotated[tuple[Count, ...], msgspec.Meta(max_length=100)] = ()
    """For each reshuffle within a round, the place of the first card of that round."""
    secret: Hash | None = None
    """The secret, when the shoe is retired."""


# ---- hashes and numbers


def packed(*fields: bytes) -> bytes:
    """Fields in one text that can be taken apart in one way only: each behind its length in 4 bytes, big end first."""
    return b"".join(len(one).to_bytes(4, "big") + one for one in fields)


def commitment(secret: Secret, *, rules_digest: str, shoe_id: str) -> str:
    """What is published before anything else: 64 hexadecimal digits."""
    told = packed(COMMIT_LABEL, secret.raw, rules_digest.encode(), shoe_id.encode())
    return hashlib.sha256(told).hexdigest()


def seed_commitment(seed: bytes) -> str:
    """What a player publishes for a seed of 1 to 64 bytes. Raises BadInput ``fairness.seed_length``."""
    if not 1 <= len(seed) <= MAX_SEED_BYTES:
        raise BadInput("fairness.seed_length", length=len(seed))
    return hashlib.sha256(seed).hexdigest()


def words(secret: Secret, prefix: bytes) -> Iterator[int]:
    """The endless stream of numbers from 0 to 2**32 - 1: eight from each HMAC over the prefix and a counter."""
    for counter in count():
        yield from unpack(">8I", hmac.digest(secret.raw, prefix + counter.to_bytes(8, "big"), "sha256"))


def below(bound: int, stream: Iterator[int]) -> int:
    """A number from 0 to bound - 1, each as likely as any other; takes one word, or more when words are rejected.

    ``bound`` is from 1 to 2**32. Words from the largest multiple of ``bound`` on are passed over: they would favour the
    small numbers.
    """
    limit = WORD - WORD % bound
    while (word := next(stream)) >= limit:
        pass
    return word % bound


def shuffled(cards: Sequence[Card], stream: Iterator[int]) -> tuple[Card, ...]:
    """The cards in an order in which each permutation is as likely as any other (Fisher-Yates, from the last down)."""
    mixed = list(cards)
    for last in range(len(mixed) - 1, 0, -1):
        other = below(last + 1, stream)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return tuple(mixed)


def _contributions(record: ShoeRecord) -> tuple[bytes, ...]:
    return tuple(
        b"\x01" + bytes.fromhex(seed) if seed else b"\x00" + bytes.fromhex(promised)
        for seed, promised in zip(record.opened, record.seed_commitments, strict=True)
    )


def _shuffle_words(record: ShoeRecord, secret: Secret) -> Iterator[int]:
    return words(secret, packed(SHUFFLE_LABEL, record.id.encode(), *_contributions(record)))


def _reshuffle_words(record: ShoeRecord, secret: Secret, *, number: int) -> Iterator[int]:
    told = (RESHUFFLE_LABEL, record.id.encode(), number.to_bytes(4, "big"))
    return words(secret, packed(*told, *_contributions(record)))


# ---- the steps


def begin(secret: Secret, *, shoe_id: str, rules_digest: str, rules: RuleSet) -> ShoeRecord:
    """The record of a new shoe, committed to its secret and open for seeds."""
    promised = commitment(secret, rules_digest=rules_digest, shoe_id=shoe_id)
    return ShoeRecord(id=shoe_id, rules=rules_digest, packs=shoes.packs(rules), commitment=promised)


def promise(record: ShoeRecord, seed_hash: str) -> ShoeRecord:
    """The record with one more player's hash (from :func:`seed_commitment`).

    Raises Refused ``fairness.list_closed``, BadInput ``fairness.hash_unreadable``.
    """
    if record.closed:
        raise Refused("fairness.list_closed", shoe=record.id)
    try:
        fine = msgspec.convert(seed_hash, Hash)
    except msgspec.ValidationError:
        raise BadInput("fairness.hash_unreadable", given=str(seed_hash)[:80]) from None
    return replace(record, seed_commitments=(*record.seed_commitments, fine))


def close(record: ShoeRecord) -> ShoeRecord:
    """The record with its list closed. Raises Refused ``fairness.list_closed`` the second time."""
    if record.closed:
        raise Refused("fairness.list_closed", shoe=record.id)
    return replace(record, closed=True, opened=("",) * len(record.seed_commitments))


def open_seed(record: ShoeRecord, *, index: int, seed: bytes) -> ShoeRecord:
    """The record with one seed opened; ``index`` counts the list from 0.

    Raises Refused ``fairness.list_open`` before the list closes, ``fairness.already_cut`` after the cut,
    ``fairness.no_such_seed``, ``fairness.seed_open`` the second time, ``fairness.seed_differs`` from its hash.
    """
    if not record.closed:
        raise Refused("fairness.list_open", shoe=record.id)
    if record.cut is not None:
        raise Refused("fairness.already_cut", shoe=record.id)
    if not 0 <= index < len(record.opened):
        raise Refused("fairness.no_such_seed", number=index + 1, seeds=len(record.opened))
    if record.opened[index]:
        raise Refused("fairness.seed_open", number=index + 1)
    if seed_commitment(seed) != record.seed_commitments[index]:
        raise Refused("fairness.seed_differs", number=index + 1)
    return replace(record, opened=(*record.opened[:index], seed.hex(), *record.opened[index + 1 :]))


def cut(record: ShoeRecord, *, at: int) -> ShoeRecord:
    """The record cut at ``at`` cards, 0 to one less than the shoe holds; no seed can be opened any more.

    Raises Refused ``fairness.list_open``, ``fairness.already_cut``, ``shoe.cut_outside``.
    """
    if not record.closed:
        raise Refused("fairness.list_open", shoe=record.id)
    if record.cut is not None:
        raise Refused("fairness.already_cut", shoe=record.id)
    cards = 52 * sum(record.packs)
    if not 0 <= at < cards:
        raise Refused("shoe.cut_outside", at=at, last=cards - 1)
    return replace(record, cut=at)


def order(record: ShoeRecord, secret: Secret) -> tuple[Card, ...]:
    """The cards of the shoe as they will be dealt, the cut included; load them with ``shoe.load``.

    Raises Refused ``fairness.not_cut``, ``fairness.secret_differs``.
    """
    if record.cut is None:
        raise Refused("fairness.not_cut", shoe=record.id)
    _check_secret(record, secret)
    mixed = shuffled(shoes.canonical_packs(record.packs), _shuffle_words(record, secret))
    return shoes.cut(mixed, at=record.cut)


def reshuffle(record: ShoeRecord, secret: Secret, spent: shoes.Shoe) -> tuple[ShoeRecord, shoes.Shoe]:
    """The record and the shoe after a shoe that ran out within a round got its discards back, shuffled.

    Raises Refused as ``Shoe.reshuffled`` does, and ``fairness.secret_differs``.
    """
    _check_secret(record, secret)
    number = len(record.reshuffles) + 1
    mixed = shuffled(shoes.in_order(spent.discards), _reshuffle_words(record, secret, number=number))
    return replace(record, reshuffles=(*record.reshuffles, spent.began)), spent.reshuffled(mixed)


def reveal(record: ShoeRecord, secret: Secret) -> ShoeRecord:
    """The record with the secret in it: only when the shoe is retired and its last round is settled.

    Raises Refused ``fairness.secret_differs`` when it is not the one committed to.
    """
    _check_secret(record, secret)
    return replace(record, secret=secret.raw.hex())


def _check_secret(record: ShoeRecord, secret: Secret) -> None:
    if commitment(secret, rules_digest=record.rules, shoe_id=record.id) != record.commitment:
        raise Refused("fairness.secret_differs", shoe=record.id)


# ---- files


def to_plain(record: ShoeRecord) -> dict[str, Any]:
    """The record as texts, numbers and lists for a file; what is absent is left out."""
    plain: dict[str, Any] = msgspec.to_builtins(record)
    return plain


def from_plain(plain: object) -> ShoeRecord:
    """The record that a file tells; fields that begin with ``_`` are passed over.

    Raises BadInput ``fairness.record_unreadable`` with the reason and the place of the fault.
    """
    if isinstance(plain, dict):
        plain = {key: value for key, value in plain.items() if not str(key).startswith("_")}
    try:
        return msgspec.convert(plain, ShoeRecord)
    except msgspec.ValidationError as fault:
        raise BadInput("fairness.record_unreadable", reason=str(fault)) from None


# ---- verification


class Dealt(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of one round as somebody saw them."""

    first: int
    """Place of the round's first card in the shoe's count."""
    cards: tuple[Card | None, ...]
    """All cards of the round as they left the shoe; None for one that stayed hidden."""


Finding = Literal[
    "verdict.pending",
    "verdict.ok",
    "verdict.changed",
    "verdict.digest",
    "verdict.packs",
    "verdict.list",
    "verdict.seed",
    "verdict.commitment",
    "verdict.cut",
    "verdict.reshuffle",
    "verdict.round",
    "verdict.card",
]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a check found out."""

    code: Finding
    """Names the sentence that tells it; all but the first two name the place of the first mismatch."""
    index: int | None = None
    """Which one: the record, the seed or the reshuffle, from 1; the card or a round's first, by its place from 0."""
    expected: str = ""
    """What should stand there."""
    found: str = ""
    """What stands there."""
    compared: int = 0
    """Cards that were compared."""
    unseen: int = 0
    """Cards of the rounds that stayed hidden, and places before and between the rounds that no round covers."""

    @property
    def outcome(self) -> Literal["pending", "ok", "mismatch"]:
        """Not to be told yet, as promised, or not as promised."""
        return "pending" if self.code == "verdict.pending" else "ok" if self.code == "verdict.ok" else "mismatch"

    @property
    def facts(self) -> dict[str, object]:
        """What the sentence needs."""
        return {name: getattr(self, name) for name in ("index", "expected", "found", "compared", "unseen")}


def verify(
    record: ShoeRecord, rounds: Iterable[Dealt] = (), *, rules: RuleSet | None = None, digest: str | None = None
) -> Verdict:
    """Whether a shoe was what its record promised, as far as ``rounds`` show its cards.

    ``rules`` and ``digest`` are the rule set that the rounds were played by and its digest; given, they must be those
    of the record. Seeds are held against their hashes at once; all else is *pending* until the secret is out. Raises
    nothing for a record that :func:`from_plain` has read.
    """
    found = _check_table(record, rules=rules, digest=digest) or _check_list(record)
    if found is not None:
        return found
    if record.secret is None:
        return Verdict(code="verdict.pending")
    secret = Secret(bytes.fromhex(record.secret))
    due = commitment(secret, rules_digest=record.rules, shoe_id=record.id)
    if due != record.commitment:
        return _wrong("verdict.commitment", expected=due, found=record.commitment)
    seen = sorted(rounds, key=lambda one: one.first)
    if record.cut is None and not seen:
        return Verdict(code="verdict.ok")  # a shoe that was given up before it was cut
    cards = 52 * sum(record.packs)
    if record.cut is None or not 0 <= record.cut < cards:
        return _wrong("verdict.cut", expected=f"0-{cards - 1}", found="–" if record.cut is None else record.cut)
    return _check_cards(record, secret, seen)


_FROM_THE_FIRST: Final = ("rules", "packs", "commitment")
_FROM_THE_CUT: Final = (*_FROM_THE_FIRST, "seed_commitments", "opened", "cut")


def changed(told: Sequence[ShoeRecord]) -> Verdict | None:
    """Where the records of one shoe, told at different times and in any order, contradict each other; None if nowhere.

    What is promised stays; from the cut on, the list and the cut stay as well, and reshuffles are only added. ``told``
    is not empty.
    """
    first = next((one for one in told if one.cut is not None), told[0])
    longest = max((one.reshuffles for one in told), key=len)
    for number, one in enumerate(told, 1):
        for name in _FROM_THE_FIRST if one.cut is None else _FROM_THE_CUT:
            due, found = getattr(first, name), getattr(one, name)
            if due != found:
                return _changed(name, number, due, found)
        if longest[: len(one.reshuffles)] != one.reshuffles:
            return _changed("reshuffles", number, longest, one.reshuffles)
    return None


def _changed(name: str, number: int, due: object, found: object) -> Verdict:
    return _wrong("verdict.changed", index=number, expected=f"{name} = {_told(due)}", found=f"{name} = {_told(found)}")


def _wrong(code: Finding, *, index: int | None = None, expected: object = "", found: object = "") -> Verdict:
    return Verdict(code=code, index=index, expected=_told(expected), found=_told(found))


def _told(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _check_table(record: ShoeRecord, *, rules: RuleSet | None, digest: str | None) -> Verdict | None:
    if digest is not None and digest != record.rules:
        return _wrong("verdict.digest", expected=digest, found=record.rules)
    if rules is not None and shoes.packs(rules) != record.packs:
        return _wrong("verdict.packs", expected=shoes.packs(rules), found=record.packs)
    return None


def _check_list(record: ShoeRecord) -> Verdict | None:
    due = len(record.seed_commitments) if record.closed else 0
    if len(record.opened) != due:
        return _wrong("verdict.list", expected=due, found=len(record.opened))
    for number, (seed, promised) in enumerate(zip(record.opened, record.seed_commitments, strict=False), 1):
        if seed and seed_commitment(bytes.fromhex(seed)) != promised:
            return _wrong("verdict.seed", index=number, expected=promised, found=seed)
    if not record.closed and record.cut is not None:
        return _wrong("verdict.list", expected="closed", found="open")
    return None


def _check_cards(record: ShoeRecord, secret: Secret, rounds: Sequence[Dealt]) -> Verdict:
    due = list(order(record, secret))
    for number, began in enumerate(record.reshuffles, 1):
        spans = next((one.first for one in rounds if one.first <= len(due) < one.first + len(one.cards)), began)
        back = _discards(record, due, began=began)
        if spans != began or not back:
            return _wrong("verdict.reshuffle", index=number, expected=spans if spans != began else "–", found=began)
        due += shuffled(back, _reshuffle_words(record, secret, number=number))
    return _compare(due, rounds)


def _discards(record: ShoeRecord, dealt: Sequence[Card], *, began: int) -> tuple[Card, ...]:
    """The cards that lay in the tray when all of ``dealt`` was out in a round from place ``began``; none if it lies.

    A round that is said to reach back beyond the round of an earlier reshuffle holds all cards, which leaves none.
    """
    if began > len(dealt):
        return ()
    return shoes.in_order((Counter(shoes.canonical_packs(record.packs)) - Counter(dealt[began:])).elements())


def _compare(due: Sequence[Card], rounds: Sequence[Dealt]) -> Verdict:
    end = compared = unseen = 0
    for one in rounds:
        if one.first < end:
            return _wrong("verdict.round", index=one.first, expected=end, found=one.first)
        unseen += one.first - end
        end = one.first + len(one.cards)
        for place, seen in enumerate(one.cards, one.first):
            lies = due[place] if place < len(due) else "–"
            if seen is not None and seen != lies:
                return _wrong("verdict.card", index=place, expected=lies, found=seen)
        hidden = one.cards.count(None)
        compared, unseen = compared + len(one.cards) - hidden, unseen + hidden
    return Verdict(code="verdict.ok", compared=compared, unseen=unseen)
