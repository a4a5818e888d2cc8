"""The events of a round as short lines of text, and back.

The grammar stands in docs/history-format.md. :func:`read_event` undoes :func:`write_event`: every event that a round
can accept survives. A line written by hand may quote a name that needs no quotes; nothing else is loose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from tapete.cards import HIDDEN_TEXT, Card, card, write
from tapete.errors import BadInput
from tapete.events import DEALER, Checked, Dealt, Decided, Event, Turned, Voided
from tapete.history.faults import HistoryError
from tapete.messages import N_
from tapete.money import LARGEST
from tapete.rules import RuleSet
from tapete.state import Round

NAME: Final = N_("a name of 1 to 40 characters, in double quotes if it is not a single word")
CARD: Final = N_("a card like Ah, 10s or Kd")
DEED: Final = N_("card, hit, stand, double, split, retires, keeps, insures, no insurance, matches or stays")
CAUSE: Final = N_("a cause of 1 to 200 characters, in double quotes if it is not a single word")
MAX_NAME: Final = 40
MAX_CAUSE: Final = 200
MAX_LINE: Final = 500

VERBS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hit": "hit",
        "stand": "stand",
        "double": "double",
        "split": "split",
        "retire": "retires",
        "keep": "keeps",
        "insure": "insures",
        "no_insurance": "no insurance",
        "match": "matches",
        "stay": "stays",
    }
)
"""How each action is written."""
_ACTIONS: Final = MappingProxyType({verb: action for action, verb in VERBS.items()})
_BY: Final = ("clock", "bot")
_CHECKS: Final = MappingProxyType({True: "dealer checks blackjack", False: "dealer checks no blackjack"})
_PLACE: Final = re.compile(r"b([1-9][0-9]?)(?:\.([1-9][0-9]?))?", re.ASCII)
_RESERVED: Final = re.compile(r"dealer|void|b[0-9]+(\.[0-9]+)?", re.ASCII)


# --- names ----------------------------------------------------------------------------------------------------------


def is_name(name: object) -> bool:
    """Whether a value can be the name of a bettor: 1 to 40 characters that can be shown."""
    return isinstance(name, str) and 1 <= len(name) <= MAX_NAME and name.isprintable()


def _is_cause(cause: str) -> bool:
    return 1 <= len(cause) <= MAX_CAUSE and cause.isprintable()


def write_name(name: str) -> str:
    """A name as an event line has it: bare where nothing in it could be misread, else between double quotes.

    >>> write_name("eva"), write_name("María José"), write_name("b3")
    ('eva', '"María José"', '"b3"')
    """
    return name if _is_bare(name) and not _RESERVED.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _is_bare(word: str) -> bool:
    """Whether a word is letters and digits of any script, ``-`` and ``_``."""
    return word != "" and all(one.isalnum() or one in "-_" for one in word)


_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')


def _first_word(text: str) -> tuple[str, str, bool]:
    """The first word of a line, what follows it, and whether the word was quoted."""
    quoted = _QUOTED.match(text)
    if quoted is None:
        word, _, rest = text.partition(" ")
        return word, rest, False
    rest = text[quoted.end() :]
    if rest and not rest.startswith(" "):
        raise _unreadable(text, N_("a blank behind the name"))
    return _unquoted(quoted[0], text), rest[1:], True


def _unquoted(quoted: str, line: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        raise _unreadable(line, NAME) from None


# --- writing --------------------------------------------------------------------------------------------------------


def write_event(event: Event, before: Round | None = None) -> str:
    """The line of an event (any but the lock, which has fields of its own).

    ``before`` is the round that waits for it; it only decides between the words "dealer up" and "dealer draws", which
    read alike. Raises HistoryError ``history.event_unwritable`` for what no round would accept.
    """
    return line(event, up=before is not None and len(before.dealer) < open_cards(before.rules))


def line(event: Event, *, up: bool) -> str:
    """The line of an event; ``up`` says whether the dealer's next card belongs to the deal and lies open."""
    writer = _WRITERS.get(type(event))
    text = writer(event, up) if writer else ""
    if not text or len(text) > MAX_LINE:
        raise HistoryError("history.event_unwritable", event=str(event)[:200])
    return text


def _write_dealt(event: Dealt, up: bool) -> str:  # noqa: FBT001  (all writers are called alike)
    if event.box != DEALER:
        return f"{_place(event.box, event.hand)} card {write(event.card)}"
    if event.card is None:
        return f"dealer hole {HIDDEN_TEXT}"
    return f"dealer {'up' if up else 'draws'} {event.card}"


def open_cards(rules: RuleSet) -> int:
    """How many of the dealer's cards lie open in the deal."""
    return 2 if rules.dealer_deal == "both_up" else 1


def _place(box: int, hand: int) -> str:
    return f"b{box}" if hand == 1 else f"b{box}.{hand}"


def _write_decided(event: Decided, _: bool) -> str:  # noqa: FBT001
    verb = VERBS.get(event.action, "")
    if not verb or (event.action == "insure") != bool(event.amount) or event.by not in ("player", *_BY):
        return ""
    who = f"{write_name(event.bettor)} " if event.bettor else ""
    amount = f" {event.amount}" if event.amount else ""
    by = "" if event.by == "player" else f" by {event.by}"
    return f"{who}{_place(event.box, event.hand)} {verb}{amount}{by}"


_WRITERS: Final[dict[type, Callable[..., str]]] = {
    Dealt: _write_dealt,
    Checked: lambda event, _: _CHECKS[event.blackjack],
    Turned: lambda event, _: f"dealer turns {event.card}",
    Decided: _write_decided,
    Voided: lambda event, _: f"void {write_name(event.cause)}" if _is_cause(event.cause) else "",
}


# --- reading --------------------------------------------------------------------------------------------------------


def read_event(text: str) -> Event:
    """The event of a line.

    >>> read_event("b1.2 double by clock")
    Decided(box=1, hand=2, action='double', amount=0, bettor='', by='clock')

    Raises HistoryError ``history.event_unreadable`` with what was expected.
    """
    if len(text) > MAX_LINE:
        raise _unreadable(text, N_("a line of at most 500 characters"))
    word, rest, quoted = _first_word(text)
    if not quoted and word == "dealer":
        return _read_dealer(rest, text)
    if not quoted and word == "void":
        return _read_void(rest, text)
    place = None if quoted else _PLACE.fullmatch(word)
    if place is None:
        return _read_backer(word if quoted or _is_bare(word) else "", rest, text)
    box, hand = int(place[1]), int(place[2] or 1)
    if rest.startswith("card "):
        return Dealt(box, hand, _card(rest[5:], text))
    return _read_decision(box, hand, "", rest, text)


def _unreadable(line: str, expected: str) -> HistoryError:
    return HistoryError("history.event_unreadable", event=line[:80], expected=expected)


def _card(text: str, line: str) -> Card | None:
    if text == HIDDEN_TEXT:
        return None
    try:
        found = card(text)
    except BadInput:
        raise _unreadable(line, CARD) from None
    if str(found) != text:
        raise _unreadable(line, CARD)
    return found


def _open_card(text: str, line: str) -> Card:
    found = _card(text, line)
    if found is None:
        raise _unreadable(line, CARD)
    return found


def _read_dealer(rest: str, line: str) -> Event:
    for blackjack, told in _CHECKS.items():
        if line == told:
            return Checked(blackjack)
    verb, _, text = rest.partition(" ")
    if verb in ("up", "draws"):
        return Dealt(DEALER, 0, _open_card(text, line))
    if verb == "hole" and text == HIDDEN_TEXT:
        return Dealt(DEALER, 0, None)
    if verb == "turns":
        return Turned(_open_card(text, line))
    raise _unreadable(line, N_("dealer up, hole ??, checks blackjack, checks no blackjack, turns or draws"))


def _read_void(rest: str, line: str) -> Event:
    cause, more, quoted = _first_word(rest)
    if more or not _is_cause(cause) or not (quoted or _is_bare(cause)):
        raise _unreadable(line, CAUSE)
    return Voided(cause)


def _read_backer(name: str, rest: str, line: str) -> Event:
    word, _, deed = rest.partition(" ")
    place = _PLACE.fullmatch(word)
    if place is None or not is_name(name):
        raise _unreadable(line, N_("dealer, void, a box like b1 or b1.2, or a name and a box"))
    return _read_decision(int(place[1]), int(place[2] or 1), name, deed, line)


_DEED: Final = re.compile(
    r"(?P<verb>[a-z]+(?: insurance)?)(?: (?P<amount>[1-9][0-9]{0,15}))?(?: by (?P<by>[a-z]+))?", re.ASCII
)


def _read_decision(box: int, hand: int, bettor: str, deed: str, line: str) -> Event:
    found = _DEED.fullmatch(deed)
    action = _ACTIONS.get(found["verb"], "") if found else ""
    if found is None or not action:
        raise _unreadable(line, DEED)
    amount = int(found["amount"] or 0)
    if (action == "insure") != bool(amount) or amount > LARGEST:
        raise _unreadable(line, N_("an amount in whole units behind insures, and nowhere else"))
    if found["by"] not in (None, *_BY):
        raise _unreadable(line, N_("by clock or by bot, or nothing where the player spoke"))
    return Decided(box, hand, action, amount, bettor, found["by"] or "player")
