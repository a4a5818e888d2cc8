"""RuleSet: every switch of a blackjack table, as one frozen value.

A table is data. Each field's docstring gives the casino's name for it, its values and whom a value favours; the names
are those of the reading of the five pages, so that a clause, a file key and a field are one word. Amounts are units
(100 to the chip). Values that mean a card are its points, with the ace written 11.

Each switch has a dotted key, ``split.max_hands``, under which files, the command line and the rule card speak of it:
:data:`KEYS`, :func:`get`, :func:`with_`. What may stand together is decided by ``tapete.rulecheck``; files are read by
``tapete.rulefile``.
"""

from __future__ import annotations

import ast
import difflib
import functools
import hashlib
import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal, cast

import msgspec

from tapete.errors import BadInput
from tapete.money import CHIP

Ratio = tuple[int, int]
"""A payout or loss as (paid, staked): 3 to 2 is (3, 2)."""


class BetBehind(msgspec.Struct, frozen=True, kw_only=True):
    """Bets of other people on a box ("bet behind")."""

    mode: Literal["off", "consent", "open"] = "off"
    """Whether others may bet on a box: not at all, with its holder's consent, or freely. No edge."""
    cap: Literal["box_total", "per_bettor"] = "box_total"
    """What the table maximum limits: all bets on a box together, or each bettor's own. No edge."""
    follow: Literal["choice", "mirror", "original_only"] = "choice"
    """What a backer's money does at a double or split: he chooses, it always follows, or never. Choice favours him."""
    insure: bool = False
    """Whether a backer may insure his own bet. True favours him only if he counts: insurance costs money."""


class Insurance(msgspec.Struct, frozen=True, kw_only=True):
    """The side bet that the dealer's ace becomes a blackjack."""

    who: Literal["none", "any", "bj_holder"] = "any"
    """Who may insure against an ace: nobody, every box, or only a box holding blackjack (even money). More choice
    favours the player who counts; others insure at a loss."""
    amount: Literal["up_to_half", "exactly_half"] = "up_to_half"
    """How much: any part up to half the original stake, or exactly half. No edge."""
    pays: Ratio = (2, 1)
    """What a won insurance pays. Higher favours the player."""


class Surrender(msgspec.Struct, frozen=True, kw_only=True):
    """Giving a hand up for part of its stake ("retire", "late/early surrender")."""

    mode: Literal["none", "early", "late"] = "none"
    """LS/ES. Early saves the rest even from a dealer blackjack (favours the player); late comes after the check."""
    window: Literal["on_second_card", "first_action"] = "on_second_card"
    """When: all boxes at once when the second cards are out, or as the first action of the hand's own turn, which
    favours the player a little: he has seen more cards."""
    loss: Ratio = (1, 2)
    """The part of the stake that is lost. Less favours the player."""


class Double(msgspec.Struct, frozen=True, kw_only=True):
    """Doubling down."""

    totals: Literal["any"] | tuple[int, ...] = "any"
    """DA2, D9, D10: the totals that may be doubled, or ``any``. More totals favour the player."""
    soft_as_low: bool = False
    """Whether A+8 may also count as 9 for this list. True favours the player."""
    cards: Literal["two", "any"] = "two"
    """Whether only two-card hands may double, or hands of any length, which favours the player."""
    after_split: bool = True
    """DAS. True favours the player."""
    after_split_aces: bool = False
    """Whether a split ace may double; needs ``split.aces_cards = "many"``. True favours the player."""
    draw: Literal["one_card", "no_limit"] = "one_card"
    """Whether a doubled hand takes exactly one card, or goes on as it likes (which favours the player hugely)."""


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """Splitting pairs."""

    match: Literal["value", "rank"] = "value"
    """Whether 10 and K are a pair. ``value`` favours the player."""
    exclude: tuple[int, ...] = ()
    """Card values that may not be split (ace 11). Fewer favour the player, except 4, 5 and 10, which he rarely
    splits."""
    max_hands: int = 4
    """SP1 to SP4: the most hands a box may have in a round, bust ones counted; 1 means no splitting. More favour the
    player."""
    stake: Literal["equal", "one_chip"] = "equal"
    """The stake of the new hand: equal to the first, or one ``unit``. Equal favours the player, who splits when it
    pays."""
    second_cards: Literal["both_at_once", "when_played"] = "both_at_once"
    """When the new hand gets its second card: both at once, or when its turn comes. No edge to speak of."""
    aces_cards: Literal["one", "many"] = "one"
    """HSA: whether split aces take one card each or play on. ``many`` favours the player."""
    aces_resplit: bool = False
    """RSA: whether a split ace that meets an ace may be split again. True favours the player."""


class RuleSet(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """All switches of one table. Hashable; :func:`digest` names it in files and commitments."""

    decks: int = 6
    """1D ... 8D: packs of 52 in the shoe. Fewer favour the player."""
    shuffle: Literal["every_round", "cut_card"] = "cut_card"
    """Whether the shoe is shuffled before every round or once the cut card has come out. The cut card favours who
    counts."""
    cut_card_left: int | None = 78
    """Penetration: cards left behind the cut card; absent with ``every_round``. Fewer favour the player who counts."""
    back_colours: tuple[int, ...] | None = None
    """Packs of each back colour, adding up to ``decks``; absent when all backs are alike. No edge."""
    seats_max: int = 7
    """Boxes on the cloth, one to seven. No edge."""
    min_players: int = 1
    """Boxes with a bet that a round needs. No edge."""
    boxes_per_player: int = 7
    """How many boxes one person may hold. No edge."""
    bet_min: int = CHIP
    """Smallest stake on a box, in units. No edge."""
    bet_max: int | None = 1000 * CHIP
    """Largest stake on a box, in units; absent for no maximum. No edge."""
    unit: int = CHIP
    """The step of stakes, in units; insurance and halves may be multiples of half of it. No edge."""
    bet_behind: BetBehind = BetBehind()
    deal_order: Literal["interleaved", "players_first"] = "interleaved"
    """Whether the dealer's first card comes with everyone's first, or only after the players' second cards. The first
    favours the player where he may retire on his second card: later he would have to do it blind."""
    dealer_deal: Literal["no_hole", "hole", "both_up"] = "hole"
    """ENHC / hole card / double exposure: one dealer card, one up and one down, or both up. The more is seen, the more
    it favours the player."""
    peek: Literal["none", "ace", "ace_or_ten"] = "none"
    """Peek: under which up cards a hole card is checked for blackjack before the turns. Checking favours the player,
    who then loses no double or split to it."""
    no_hole_bj_takes: Literal["all", "original_only", "busted_and_one", "one_bet"] = "all"
    """ENHC / OBBO / BB+1 / OBO: what a dealer blackjack found after the turns takes: everything; the stake on the first
    position (bust hands stay lost); bust hands and one base stake more; or one base stake only, bust hands returned.
    The less it takes, the more it favours the player."""
    dealer_soft17: Literal["stand", "hit"] = "stand"
    """S17 / H17. Standing favours the player."""
    dealer_draws: Literal["if_any_bet_live", "until_decided", "always"] = "if_any_bet_live"
    """Whether the dealer draws while a bet is on the cloth, only until all are decided, or in any case. No edge."""
    bj_definition: Literal["ace_with_any_ten", "ace_with_figure"] = "ace_with_any_ten"
    """Whether an ace with a plain 10 is a blackjack. Any ten favours the player, who is paid more for his."""
    bj_pays: Ratio = (3, 2)
    """3:2, 6:5, 1:1: what a blackjack pays. Higher favours the player; 6:5 costs him about 1.4 per cent."""
    bj_beats_21: bool = True
    """Whether a blackjack outranks any other 21, on either side. True favours the player by about half a per cent."""
    bj_tie: Literal["push", "player", "dealer"] = "push"
    """Blackjack against blackjack: void, paid as a blackjack (favours the player), or lost (favours the house)."""
    bj_pay_time: Literal["end", "interim", "on_deal"] = "end"
    """When a safe blackjack is paid: at settlement, before the turns, or on the deal (both cards up). No edge."""
    split_21_is_bj: Literal["none", "tens", "all"] = "none"
    """Whether 21 in two cards after a split counts as blackjack: never, on split tens, or always, which favours the
    player."""
    tie: Literal["push", "dealer"] = "push"
    """Other equal hands: void, or lost. Push favours the player by about nine per cent."""
    bust_scope: Literal["hand", "all_player_bets"] = "hand"
    """What a bust takes: the hand's bets, or all bets that its bettors still have in the round (favours the house)."""
    insurance: Insurance = Insurance()
    surrender: Surrender = Surrender()
    double: Double = Double()
    split: Split = Split()
    hit_21: Literal["forbidden", "allowed"] = "forbidden"
    """Whether a hand of 21 may take a card, or closes by itself. No edge for a player in his senses."""
    forced_play: Literal["off", "stand_withheld", "auto_all"] = "off"
    """Both cards up, the dealer standing: whether Stand is withheld until the hand beats him, or all is automatic,
    which favours the house: nothing may be doubled or split then."""
    settle_order: Literal["left_to_right", "right_to_left"] = "left_to_right"
    """The order in which boxes are settled, from the dealer's left or from his right. No edge."""
    ui_verbs: Literal["es", "en"] = "es"
    """The page's own words for the moves: those of the reader's language, or English ones in every language. No
    edge."""
    version: str = "1"
    """The version of the page; a round keeps the one it began with. No edge."""


Value = int | str | tuple[int, ...] | None
"""What a switch can hold (bool among the int)."""

GROUPS: Final = MappingProxyType(
    {"bet_behind": BetBehind, "insurance": Insurance, "surrender": Surrender, "double": Double, "split": Split}
)
"""The switches that come in a table of their own."""


def _dotted() -> Iterator[str]:
    for name in RuleSet.__struct_fields__:
        inner = GROUPS[name].__struct_fields__ if name in GROUPS else ()
        yield from (f"{name}.{part}" for part in inner) if inner else (name,)


KEYS: Final = tuple(_dotted())
"""The dotted keys of all switches, in the order of the fields."""
_KNOWN: Final = frozenset(KEYS)


def nearest(key: str, among: Iterable[str] = KEYS) -> str:
    """The key that ``key`` was probably meant to be, or "" if none is near.

    >>> nearest("split.max_hand"), nearest("max_hands"), nearest("deck"), nearest("jokers")
    ('split.max_hands', 'split.max_hands', 'decks', '')
    """
    word, pool = key[:60].lower(), tuple(among)
    tails = {one.rpartition(".")[2]: one for one in pool}
    tail = difflib.get_close_matches(word.rpartition(".")[2], tails, n=1, cutoff=0.75)
    whole = difflib.get_close_matches(word, pool, n=1, cutoff=0.85 if tail else 0.6)
    return whole[0] if whole else tails[tail[0]] if tail else ""


def _split_key(key: str) -> tuple[str, str]:
    if key not in _KNOWN:
        near = nearest(key)
        raise BadInput("rules.unknown_key_near" if near else "rules.unknown_key", key=key[:60], nearest=near)
    group, _, name = key.rpartition(".")
    return group, name


def get(rules: RuleSet, key: str) -> Value:
    """The value of the switch with the dotted ``key``.

    >>> get(RuleSet(), "split.max_hands")
    4

    Raises BadInput ``rules.unknown_key`` (or ``..._near`` with the ``nearest`` key).
    """
    group, name = _split_key(key)
    return cast(Value, getattr(getattr(rules, group) if group else rules, name))


def with_(rules: RuleSet, changes: Mapping[str, object]) -> RuleSet:
    """The same table with some switches changed, by dotted key; whether they may stand together is not asked here.

    >>> with_(RuleSet(), {"split.max_hands": 2, "decks": 8}).split.max_hands
    2

    Lists become tuples. Raises BadInput as :func:`get` does.
    """
    told: dict[str, dict[str, object]] = {}
    for key, value in changes.items():
        group, name = _split_key(key)
        told.setdefault(group, {})[name] = tuple(value) if isinstance(value, list) else value
    top = told.pop("", {})
    for group, inner in told.items():
        top[group] = msgspec.structs.replace(getattr(rules, group), **inner)
    return msgspec.structs.replace(rules, **top)


def switches(rules: RuleSet) -> dict[str, Value]:
    """All switches by dotted key, in the order of :data:`KEYS`."""
    return {key: get(rules, key) for key in KEYS}


def differences(a: RuleSet, b: RuleSet) -> tuple[tuple[str, Value, Value], ...]:
    """Which switches differ: (key, value in ``a``, value in ``b``), in the order of :data:`KEYS`."""
    pairs = ((key, get(a, key), get(b, key)) for key in KEYS)
    return tuple((key, one, other) for key, one, other in pairs if one != other)


@functools.lru_cache(maxsize=256)
def digest(rules: RuleSet) -> str:
    """The name of a rule set in histories and commitments: 64 hex digits.

    SHA-256 over one JSON object in ASCII: every dotted key, sorted by code point, no blanks, amounts in units, sets as
    ascending arrays, ratios as ``[paid,staked]``, an absent value as ``null``. Titles and clauses have no part in it.
    """
    text = json.dumps(switches(rules), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _documented(struct: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, after in zip(struct.body, struct.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            said = after.value if isinstance(after, ast.Expr) else None
            text = str(said.value) if isinstance(said, ast.Constant) else ""
            yield field.target.id, " ".join(text.split())


@functools.cache
def docs() -> Mapping[str, str]:
    """The docstring of every switch by dotted key, and of every group by its name. Read from the source when asked."""
    tree = ast.parse(inspect.getsource(inspect.getmodule(RuleSet) or RuleSet))
    classes = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}
    found = dict(_documented(classes["RuleSet"]))
    for group, struct in GROUPS.items():
        found[group] = " ".join((ast.get_docstring(classes[struct.__name__]) or "").split())
        found |= {f"{group}.{name}": text for name, text in _documented(classes[struct.__name__])}
    return found
