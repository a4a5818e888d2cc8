"""The protocol: what a client may send and what the server says, as typed JSON messages.

A client sends :class:`Command` envelopes over the WebSocket of one table. Each names the round and the sequence number
that the client had seen, so that a late command is refused instead of answering another question, and an id, so that
one sent twice is done once. Who speaks is the session's business: no message names its sender.

The server says a :class:`Snapshot` first, then :class:`Update` after :class:`Update`, each with the number of its last
event; :class:`Accepted` or :class:`Rejected` answers a command; :class:`Room` tells what is not in the log (who is
there, whose clock runs). docs/protocol.md is made from this module.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from tapete.table import TableEvent
from tapete.view import View

VERSION: Final = 1
MAX_MESSAGE: Final = 4096
"""Bytes of the longest message that a client may send."""

Text = Annotated[str, Meta(max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=60)]
BoxNumber = Annotated[int, Meta(ge=1, le=7)]
HandNumber = Annotated[int, Meta(ge=1, le=16)]
Amount = Annotated[int, Meta(ge=0, le=10**12)]
Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Seed = Annotated[str, Meta(pattern=r"\A([0-9a-f]{2}){1,64}\Z")]


class _Deed(Struct, frozen=True, tag=True, tag_field="do", forbid_unknown_fields=True):
    """What every deed has in common: its name in the field ``do``."""


class Sit(_Deed, frozen=True, tag="sit"):
    """Takes a free box."""

    box: BoxNumber


class StandUp(_Deed, frozen=True, tag="stand_up"):
    """Leaves a box of one's own."""

    box: BoxNumber


class Leave(_Deed, frozen=True, tag="leave"):
    """Leaves the table with all chips, at once or, with bets in play, when the round is over."""


class Bet(_Deed, frozen=True, tag="bet"):
    """One's bet on a box for the coming round is now this amount; 0 takes it back.

    With ``trim`` an amount that is too much for the table, the box or the purse becomes the most that is not.
    """

    box: BoxNumber
    amount: Amount
    trim: bool = False


class Ready(_Deed, frozen=True, tag="ready"):
    """One's bets are made: the round may begin."""


class AskConsent(_Deed, frozen=True, tag="ask_consent"):
    """Asks the holder of a box to be allowed to bet on it."""

    box: BoxNumber


class Consent(_Deed, frozen=True, tag="consent"):
    """The holder of a box agrees to a person's bets on it, or no longer."""

    box: BoxNumber
    name: Name
    agrees: bool = True


class Decide(_Deed, frozen=True, tag="decide"):
    """Answers an open question: hit, stand, double, split, retire, keep, insure, no_insurance, match, stay."""

    box: BoxNumber
    hand: HandNumber
    action: Text
    amount: Amount = 0


class Refill(_Deed, frozen=True, tag="refill"):
    """Starts again with the starting bankroll when the chips are gone."""


class PromiseSeed(_Deed, frozen=True, tag="promise_seed"):
    """The SHA-256 of a seed of one's own for the next shoe."""

    hash: Hash


class OpenSeed(_Deed, frozen=True, tag="open_seed"):
    """The seed itself, once the list is closed."""

    seed: Seed


class Cut(_Deed, frozen=True, tag="cut"):
    """Cuts the shoe at so many cards."""

    at: Annotated[int, Meta(ge=0, le=5200)]


class Pause(_Deed, frozen=True, tag="pause"):
    """The host stops the table between rounds, or lets it go on."""

    on: bool


class Remove(_Deed, frozen=True, tag="remove"):
    """The host removes a person; bets in play are answered by default."""

    name: Name


class HandOver(_Deed, frozen=True, tag="hand_over"):
    """The host makes another person host."""

    name: Name


class SeatBot(_Deed, frozen=True, tag="seat_bot"):
    """The host puts a house bot on a free box."""

    box: BoxNumber


class Close(_Deed, frozen=True, tag="close"):
    """The host closes the table after this round."""


Deed = (
    Sit
    | StandUp
    | Leave
    | Bet
    | Ready
    | AskConsent
    | Consent
    | Decide
    | Refill
    | PromiseSeed
    | OpenSeed
    | Cut
    | Pause
    | Remove
    | HandOver
    | SeatBot
    | Close
)


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """One deed that a client wants done."""

    id: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"\A[A-Za-z0-9_.:-]+\Z")]
    round: Annotated[int, Meta(ge=0, le=10**9)]
    seq: Annotated[int, Meta(ge=0, le=10**12)]
    deed: Deed


class Clock(Struct, frozen=True):
    """Whose time runs: ``what`` is bets, question, seeds, cut or result; ``ends_in`` seconds from now of ``total``."""

    what: str
    ends_in: float
    total: float


class Request(Struct, frozen=True):
    """A person asks to bet on a box."""

    box: int
    name: str


class Room(Struct, frozen=True, tag="room", tag_field="type"):
    """What is true of the table now and not in its log."""

    present: tuple[str, ...]
    watching: int
    ready: tuple[str, ...]
    sitting_out: tuple[str, ...]
    requests: tuple[Request, ...]
    cutter: str
    clock: Clock | None
    closing: bool
    paused: bool
    host: str
    short: int
    """How many more boxes with a bet the next round needs; 0 when there are enough, or none is needed yet."""


class About(Struct, frozen=True):
    """What does not change about a table: its id, its rules by digest, its titles and its pace."""

    code: str
    title: dict[str, str]
    preset: str
    digest: str
    rules: dict[str, Any]
    clauses: dict[str, Any]
    felt: dict[str, str]
    pace: str
    private: bool
    verbs: str


class Snapshot(Struct, frozen=True, tag="snapshot", tag_field="type"):
    """The whole table after event ``seq``, and who the receiver is."""

    version: int
    seq: int
    you: str
    about: About
    view: View
    log: tuple[Told, ...]
    """The events of the round in play, or of the last one."""
    history: tuple[int, ...]
    """The numbers of the last finished rounds."""


class Told(Struct, frozen=True):
    """One event of the log with its sentence in each language."""

    seq: int
    event: TableEvent
    text: dict[str, str]


class Update(Struct, frozen=True, tag="update", tag_field="type"):
    """What happened up to event ``seq``, and the parts of the view that changed."""

    seq: int
    events: tuple[Told, ...]
    changes: dict[str, Any]


class Accepted(Struct, frozen=True, tag="accepted", tag_field="type"):
    """The command was done; what it did is in the update up to ``seq``."""

    id: str
    seq: int


class Rejected(Struct, frozen=True, tag="rejected", tag_field="type"):
    """The command was not done and nothing changed: the stable code, and the sentence in each language."""

    id: str
    code: str
    text: dict[str, str]


class Bye(Struct, frozen=True, tag="bye", tag_field="type"):
    """The connection ends: why, as a stable code."""

    code: str


ServerMessage = Snapshot | Update | Room | Accepted | Rejected | Bye
COMMAND: Final = msgspec.json.Decoder(Command)
ENCODER: Final = msgspec.json.Encoder()


def schema() -> dict[str, Any]:
    """The JSON Schema of everything that goes over the wire, for docs/protocol and for programs."""
    (client, server), parts = msgspec.json.schema_components([Command, ServerMessage], ref_template="#/$defs/{name}")
    return {"$defs": parts, "client": client, "server": server, "version": VERSION}
