"""What can happen in a round, and what a round can wait for.

Events come from outside: cards, the result of the check, decisions, a void. A wait is the round's answer to "what
next?". Boxes are numbered from the dealer's left, hands of a box from 1 in the order in which they lie; box 0 is the
dealer.
"""

from __future__ import annotations

import msgspec

from tapete.cards import Card
from tapete.stakes import Lock

DEALER = 0


class Dealt(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A card came to a place; ``card`` is None when it lies face down."""

    box: int
    hand: int
    card: Card | None


class Checked(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The dealer looked at his hole card: is it a blackjack?"""

    blackjack: bool


class Turned(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The hole card was turned up."""

    card: Card


class Decided(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Somebody answered a question.

    ``bettor`` empty means the box's holder. ``by`` tells who spoke: player, clock or bot; it changes nothing.
    """

    box: int
    hand: int
    action: str
    amount: int = 0
    bettor: str = ""
    by: str = "player"


class Voided(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The round is void (D3-37): every stake returns, payments made are reversed."""

    cause: str


Event = Lock | Dealt | Checked | Turned | Decided | Voided


class DealTo(msgspec.Struct, frozen=True, gc=False):
    """A card is due at this place."""

    box: int
    hand: int
    face_down: bool = False


class Check(msgspec.Struct, frozen=True, gc=False):
    """The dealer must look at his hole card."""


class TurnHole(msgspec.Struct, frozen=True, gc=False):
    """The dealer must turn his hole card."""


class Question(msgspec.Struct, frozen=True, gc=False):
    """One question to one bettor.

    ``kind``: turn (hit, stand, double, split, retire), retire (retire, keep), insure (insure, no_insurance), follow
    (match, stay). ``refused`` pairs each other answer of that kind with its reason. For insure the amount lies between
    ``least`` and ``most`` in steps of ``step``; for follow ``most`` is what matching costs and ``move`` what it
    follows.
    """

    kind: str
    box: int
    hand: int
    bettor: str
    legal: tuple[str, ...]
    refused: tuple[tuple[str, str], ...] = ()
    least: int = 0
    most: int = 0
    step: int = 0
    move: str = ""


class Asks(msgspec.Struct, frozen=True, gc=False):
    """These questions are open, in seat order; they may be answered in any order."""

    questions: tuple[Question, ...]


class Over(msgspec.Struct, frozen=True, gc=False):
    """The round is settled."""


Wait = DealTo | Check | TurnHole | Asks | Over
CHECK, TURN_HOLE, OVER = Check(), TurnHole(), Over()
