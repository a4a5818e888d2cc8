"""Write the generated parts of docs/protocol.md, and docs/protocol.schema.json, from the code.

    python scripts/protocol.py

The prose of the page is written by hand. What stands between ``<!-- made: name -->`` and ``<!-- end -->`` is made here
from ``tapete.server.messages`` and its kin: the fields of every message, the codes of refusals, the paces, and an
exchange that is played for the page. A test fails while page or schema are not what this script would write.
"""

from __future__ import annotations

import ast
import asyncio
import functools
import inspect
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, get_args

from msgspec import inspect as shapes

from tapete import cards, events, fairness, stakes, table
from tapete import view as views
from tapete.messages import MESSAGES
from tapete.server import messages as wire
from tapete.server.pace import PACES, Pace
from tapete.words import PLACEHOLDER

sys.path.insert(0, str(Path(__file__).parent.parent))
from scripts.protocol_exchange import play

DOCS: Final = Path(__file__).parent.parent / "docs"
PAGE: Final = DOCS / "protocol.md"
SCHEMA: Final = DOCS / "protocol.schema.json"
_MADE: Final = re.compile(r"(?<=<!-- made: )(\w+) -->\n.*?(?=<!-- end -->)", re.DOTALL)

ANSWERS: Final = ("accepted", "rejected")
PARTS: Final = (
    views.View, views.BoxSeen, views.HandSeen, views.BetSeen, views.DealerSeen, views.PersonSeen, views.ShoeSeen,
    fairness.ShoeRecord, events.Question, stakes.Statement,
)  # fmt: skip
"""What a view is made of, from the whole to the parts."""
INNER: Final = (stakes.BoxStake, stakes.Backing, cards.Card)
"""What only events are made of."""

MEANINGS: Final = {
    "action": "hit, stand, double or split; retire or keep; insure or no_insurance; match or stay",
    "added": "units added by doubling",
    "agrees": "false takes the consent back",
    "amount": "units",
    "backers": "the bets behind the box, in the order in which they were accepted",
    "bettor": "whose money it is",
    "bot": "whether the house plays for it",
    "box": "number of the box, from 1 at the dealer's left",
    "card": "the card; `null` when it lies face down",
    "cause": "why",
    "chips": "units",
    "code": "stable; see below",
    "deed": "what is to be done, one of the deeds below",
    "dealer": "the dealer's total, 0 if it was not known yet",
    "hand": "number of the hand on its box, from 1 in the order in which they lie",
    "holder": "who holds the box; empty when it is free",
    "name": "a person at the table",
    "net": "units won (+) or lost (-), without the stake that comes back; 0 is a push or void",
    "record": "what is public of the shoe",
    "seq": "number of the table's last event",
    "settled": "whether it is paid or taken already",
    "stake": "units",
    "step": "units between one amount and the next",
    "text": "a sentence in each language, `en` and `es`",
    "total": "what the hand comes to",
    "soft": "whether an ace in it counts 11",
    "About.code": "the table's code, as in its address",
    "About.title": "the table's name in each language",
    "About.preset": "the rule set it was opened with",
    "About.digest": "names the rules exactly (switches.md)",
    "About.rules": "every switch by its dotted key, as text (switches.md)",
    "About.clauses": "for each switch, where the house's text has it",
    "About.felt": "the line on the cloth in each language",
    "About.pace": "relaxed, normal, fast, none or instant",
    "About.private": "whether it is missing from the lobby",
    "About.verbs": "the rule set's words for its moves",
    "Accepted.id": "the command's",
    "Accepted.seq": "what the command did is told in updates up to this number",
    "BetSeen.amount": "units as laid",
    "BoxSeen.holder": "who holds the box; empty when it is free",
    "BoxSeen.consents": "who else may bet on it, by the holder's leave",
    "BoxSeen.hands": "the hands of the round in play, or of the last one",
    "BoxSeen.insurances": "the insurances taken",
    "Backing.consent": "whether the box's holder agreed",
    "Bye.code": "why; see below",
    "Card.back": "which colour of back, from 0",
    "Card.figure": "whether it is a jack, a queen or a king",
    "Card.points": "1 for an ace, 10 for tens and figures",
    "Card.rank": "A, 2 to 10, J, Q, K",
    "Card.suit": "c, d, h, s",
    "Checked.blackjack": "whether the hole card makes a blackjack",
    "Clock.ends_in": "seconds from now",
    "Clock.total": "seconds that it ran from",
    "Clock.what": "bets, question, seeds, cut or result",
    "Command.id": "your own name for the command: letters, digits and `_.:-`",
    "Command.round": "the `round` of the view that you saw",
    "Command.seq": "the `seq` that you saw last",
    "Consent.name": "the person who may bet on it",
    "Consented.name": "the person who may bet on the box",
    "Cut.at": "cards lifted off; 0 leaves the shoe as it is",
    "Dealt.box": "0 is the dealer",
    "DealerSeen.cards": "as `Kd`; `??` lies face down",
    "DealerSeen.total": "of the open cards",
    "DealerSeen.blackjack": "whether a blackjack lies open",
    "DealerSeen.bust": "whether they are over 21",
    "Decide.amount": "units, for `insure` alone",
    "Decided.by": "player, clock or bot",
    "HandSeen.cards": "as `Kd`, `10h`, `As/1`: rank, suit, and behind a slash the colour of its back if not the first",
    "HandSeen.bets": "the holder's first",
    "HandSeen.doubled": "whether it was doubled",
    "HandSeen.split": "whether it comes from a split",
    "Joined.chips": "units brought along",
    "Lock.boxes": "the stakes, by box",
    "Lock.spare": "each bettor's other chips: pairs of name and units",
    "OpenSeed.seed": "1 to 64 bytes in hexadecimal digits",
    "Paused.on": "whether it stops or goes on",
    "Pause.on": "true stops the table, false lets it go on",
    "PersonSeen.chips": "units that lie on no box",
    "Placed.amount": "units; 0 takes it back",
    "Bet.trim": "whether an amount that is too much becomes the most that is possible",
    "Bet.amount": "units, a multiple of the table's `unit`; 0 takes it back",
    "PromiseSeed.hash": "64 hexadecimal digits",
    "Question.kind": "turn, retire, insure or follow; see below",
    "Question.bettor": "who is asked",
    "Question.least": "units, for insure",
    "Question.legal": "the answers that will be accepted",
    "Question.most": "units: for insure the largest amount, for follow what matching costs",
    "Question.move": "for follow: the move to be matched, double or split",
    "Question.refused": "the other answers, each with the code of its reason",
    "Rejected.id": "the command's, empty if not even that could be read",
    "Request.name": "who asks",
    "Room.clock": "whose time runs; `null` when nobody's does",
    "Room.closing": "whether the table closes after this round",
    "Room.cutter": "who is to cut the shoe; empty when nobody is",
    "Room.host": "who is the host; empty when nobody is",
    "Room.paused": "whether the host has stopped the table",
    "Room.present": "who is connected",
    "Room.ready": "whose bets are made",
    "Room.requests": "who asks to bet on which box",
    "Room.sitting_out": "who let the clock answer too often and is not waited for",
    "Room.watching": "connections that belong to nobody at the table",
    "SeedOpened.seed": "in hexadecimal digits",
    "SeedPromised.hash": "its SHA-256 in hexadecimal digits",
    "Statement.hand": "0 is the insurance",
    "Statement.reason": ", ".join(stakes.REASONS),
    "ShoeRecord.commitment": "the hash that promises the shoe, published before anything else",
    "ShoeSeen.cards": "cards when it was full",
    "ShoeSeen.left": "cards not dealt yet",
    "ShoeSeen.tray": "cards of this shoe's finished rounds",
    "Snapshot.about": "what does not change about the table",
    "Snapshot.version": f"of the protocol, {wire.VERSION} now",
    "Snapshot.view": "the table as anyone may see it",
    "Snapshot.you": "your name; empty for a watcher",
    "Told.event": "the event itself",
    "Told.seq": "its number",
    "Update.changes": "fields of the view with their new values; of `boxes` only those that changed, by number as text",
    "Update.events": "in order",
    "View.dealer": "the dealer's cards",
    "View.boxes": "all boxes, from 1",
    "View.people": "everyone with chips at the table",
    "View.questions": "what is asked now, in seat order; they may be answered in any order",
    "View.round": "number of the round in play, or of the last one; 0 before the first",
    "View.shoe": "the shoe in use; `null` while there is none",
    "View.statements": "the results of the round so far, in the order of settlement",
    "View.void": "why the round is void; empty if it is not",
}  # fmt: skip
"""What a field means where its docstring does not tell: by ``Message.field``, else by the field's name."""

CODES: Final = {
    "The message": (
        "message.unreadable", "message.too_large", "limit.messages", "limit.connections", "connection.slow",
        "identity.none", "identity.renamed",
    ),
    "The command": tuple(code for code in MESSAGES if code.startswith("command.")),
    "The table": (
        "table.bet", "table.box_free", "table.box_taken", "table.boxes_per_player", "table.in_play", "table.nobody",
        "table.no_such_box", "table.no_seed", "table.no_shoe", "table.paused", "table.seed_twice", "table.closed",
        "lock.too_few",
    ),
    "The round": ("round.amount", "round.illegal", "round.not_asked"),
    "Shoe and seeds": (
        "fairness.hash_unreadable", "fairness.list_closed", "fairness.list_open", "fairness.seed_differs",
        "fairness.seed_open", "shoe.cut_outside",
    ),
    "The house": (
        "ledger.overdrawn", "ledger.too_large", "store.busy", "store.failed", "server.stopping", "table.waiting",
        "table.unknown",
    ),
}  # fmt: skip
"""Every code that an answer or a goodbye can carry."""


# --- fields


def name_of(kind: type) -> str:
    """How a message is called on the page: by its tag, as it is on the wire, or by its name."""
    tag = kind.__struct_config__.tag  # type: ignore[attr-defined]
    return str(tag) if tag else kind.__name__


@functools.cache
def _docs(kind: type) -> dict[str, str]:
    """The docstrings below the fields of a struct."""
    [body] = [
        one.body
        for one in ast.parse(inspect.getsource(inspect.getmodule(kind) or kind)).body
        if isinstance(one, ast.ClassDef) and one.name == kind.__name__
    ]
    return {
        field.target.id: " ".join(str(doc.value.value).split()).rstrip(".")
        for field, doc in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(doc, ast.Expr) and isinstance(doc.value, ast.Constant)
    }


def meaning(kind: type, field: str) -> str:
    """What a field means. Raises KeyError where nobody has said."""
    told = MEANINGS.get(f"{kind.__name__}.{field}") or _docs(kind).get(field) or MEANINGS[field]
    return told if told[1:2].isupper() else told[0].lower() + told[1:]


def shape(kind: shapes.Type) -> str:
    """What a field holds, in words."""
    if isinstance(kind, shapes.UnionType):
        return " or ".join(dict.fromkeys(shape(one) for one in kind.types))
    if isinstance(kind, shapes.VarTupleType | shapes.ListType):
        return f"list of {shape(kind.item_type)}"
    if isinstance(kind, shapes.TupleType):
        return "list of " + " and ".join(shape(one) for one in kind.item_types)
    if isinstance(kind, shapes.StructType):
        return (
            "event"
            if kind.cls in get_args(table.TableEvent)
            else f"[{name_of(kind.cls)}](#{name_of(kind.cls).lower()})"
        )
    return _plain(kind)


def _plain(kind: shapes.Type) -> str:
    if isinstance(kind, shapes.IntType):
        return "whole number" + (f" {kind.ge} to {kind.le:,}" if kind.ge is not None else "")
    if isinstance(kind, shapes.StrType):
        return "text" + (f", at most {kind.max_length}" if kind.max_length else "")
    names = {shapes.BoolType: "true or false", shapes.FloatType: "number", shapes.NoneType: "`null`"}
    return names.get(type(kind), "object")


def fields(kind: type) -> Iterator[str]:
    """The table of a struct's fields."""
    info = shapes.type_info(kind)
    assert isinstance(info, shapes.StructType)
    if not info.fields:
        return
    yield from ("", "| field | holds | meaning |", "| --- | --- | --- |")
    for one in info.fields:
        default = "" if one.required else f"; {json.dumps(one.default)} if absent" if one.default != () else ""
        yield f"| `{one.encode_name}` | {shape(one.type)}{default} | {meaning(kind, one.name)} |"


def _said(kind: type) -> str:
    told = " ".join((inspect.getdoc(kind) or "").split())
    return re.sub(r":data:`(\w+)`", r"`\1`", told).replace("``", "`")


def _section(kind: type, level: str = "####") -> Iterator[str]:
    yield from (f"{level} {name_of(kind)}", "", _said(kind), *fields(kind), "")


def _sections(kinds: Iterable[type]) -> str:
    return "\n".join(line for kind in kinds for line in _section(kind))


# --- parts of the page


def command() -> str:
    """The fields of a command."""
    return "\n".join([*fields(wire.Command), "", ""])


def codes() -> str:
    """The codes of refusals and goodbyes, with their sentences."""
    lines: list[str] = []
    for title, listed in CODES.items():
        lines += [f"#### {title}", "", "| code | sentence |", "| --- | --- |"]
        lines += [f"| `{code}` | {PLACEHOLDER.sub('…', MESSAGES[code])} |" for code in listed]
        lines.append("")
    return "\n".join(lines)


def reasons() -> str:
    """What a question's ``refused`` and the sentence of a refusal may name as the reason."""
    plain = [code for code in MESSAGES if code in _REASONS]
    return "\n".join([*(f"- `{code}`: {MESSAGES[code]}" for code in plain), ""])


_REASONS: Final = frozenset(
    code
    for code in MESSAGES
    if "." not in code or code.partition(".")[0] in {"bet_behind", "double", "split", "surrender", "insurance"}
)


def paces() -> str:
    """The waiting times, in seconds."""
    names = Pace.__struct_fields__
    lines = ["", "| pace | " + " | ".join(names) + " |", "| --- |" + " --- |" * len(names)]
    for name, one in PACES.items():
        told = ["for ever" if (value := getattr(one, field)) is None else f"{value:g}" for field in names]
        lines.append(f"| `{name}` | " + " | ".join(told) + " |")
    return "\n".join([*lines, "", *(f"- {field}: {_docs(Pace)[field].replace('``', '`')}." for field in names), ""])


def exchange() -> str:
    """A short exchange, played for the page with a fixed secret."""
    return "\n".join(["```text", *asyncio.run(_played()), "```", ""])


async def _played() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        return await play(Path(folder))


MAKERS: Final[dict[str, Callable[[], str]]] = {
    "command": command,
    "deeds": lambda: _sections(get_args(wire.Deed)),
    "messages": lambda: _sections(get_args(wire.ServerMessage)),
    "inside": lambda: _sections((wire.Told, wire.About, wire.Clock, wire.Request)),
    "view": lambda: _sections(PARTS),
    "events": lambda: _sections((*get_args(table.TableEvent), *INNER)),
    "codes": codes,
    "reasons": reasons,
    "paces": paces,
    "exchange": exchange,
}


def page() -> str:
    """The whole page, its made parts made anew."""
    return _MADE.sub(lambda found: f"{found[1]} -->\n{MAKERS[found[1]]()}", PAGE.read_text("utf-8"))


# --- the schema


def schema() -> str:
    """The JSON Schema of every message, as a file."""
    made = wire.schema()
    parts = made["$defs"]
    parts["Update"]["properties"]["changes"] = _changes(parts["View"])
    parts |= {"ClientMessage": made["client"], "ServerMessage": made["server"]}
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The protocol of Tapete's tables, version {made['version']}",
        "description": "What goes over the WebSocket of a table. docs/protocol.md explains it.",
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": {name: _plainly(parts[name]) for name in sorted(parts)},
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _changes(view: dict[str, Any]) -> dict[str, Any]:
    boxes = {"type": "object", "additionalProperties": {"$ref": "#/$defs/BoxSeen"}}
    return {"type": "object", "properties": {**view["properties"], "boxes": boxes}, "additionalProperties": False}


def _plainly(part: Any) -> Any:
    """The patterns in the dialect of JSON Schema, which marks the ends of a text in another way than Python."""
    if isinstance(part, dict):
        return {key: _pattern(value) if key == "pattern" else _plainly(value) for key, value in part.items()}
    return [_plainly(one) for one in part] if isinstance(part, list) else part


def _pattern(text: object) -> object:
    return re.sub(r"\\Z$", "$", re.sub(r"^\\A", "^", text)) if isinstance(text, str) else text


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    SCHEMA.write_text(schema(), "utf-8")
    print(f"{PAGE.name}: {len(get_args(wire.Deed))} deeds, {sum(map(len, CODES.values()))} codes; {SCHEMA.name}")
