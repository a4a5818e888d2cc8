"""Strategies: what to do in each situation, as a table with a name.

A strategy answers a question with one of its legal answers. Its table says, by the hand and the dealer's card, what it
would like best, and each wish has its fallbacks: D doubles, else hits; S2 doubles, else stands; P splits; R retires,
else hits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from tapete.events import Decided, Question
from tapete.state import Box, BoxHand, Round, box_index, dealer_count, total_of

WISHES: Final[Mapping[str, tuple[str, ...]]] = {
    "H": ("hit", "stand"),
    "S": ("stand", "hit"),
    "D": ("double", "hit", "stand"),
    "T": ("double", "stand", "hit"),
    "P": ("split",),
    "R": ("retire", "hit", "stand"),
}
"""What each letter of a table wishes, best first."""
COLUMNS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
"""The dealer's card, by points, of each letter of a row."""


class Strategy(msgspec.Struct, frozen=True):
    """A named table of wishes: rows of ten letters by total or by the pair's value; ``retire`` lists hard totals."""

    name: str
    hard: Mapping[int, str]
    soft: Mapping[int, str]
    pairs: Mapping[int, str]

    def wish(self, hand: BoxHand, *, column: int, may_split: bool) -> str:
        """The letter of the table for a hand."""
        if may_split and self.pairs.get(hand.cards[0].points, "N" * 10)[column] == "P":
            return "P"
        best = total_of(hand)
        rows = self.soft if best != hand.hard else self.hard
        return rows[best][column]

    def answer(self, round_: Round, question: Question) -> Decided:
        """The answer to a question: insurance is never taken, a backer stays, nobody retires but as the table says."""
        return Decided(question.box, question.hand, self._action(round_, question), bettor=question.bettor, by="bot")

    def _action(self, round_: Round, question: Question) -> str:
        if question.kind == "insure":
            return "no_insurance"
        if question.kind == "follow":
            return "stay"
        box = round_.boxes[box_index(round_, question.box)]
        if question.kind == "retire":
            return "retire" if self._letter(round_, box, question) == "R" else "keep"
        letter = self._letter(round_, box, question)
        return next(move for move in WISHES[letter] if move in question.legal)

    def _letter(self, round_: Round, box: Box, question: Question) -> str:
        hand = box.hands[question.hand - 1]
        return self.wish(hand, column=_column(round_), may_split="split" in question.legal)


def _column(round_: Round) -> int:
    """The column of the dealer's card; with both cards seen, of a card as strong as his total."""
    up = round_.dealer[0]
    if len(round_.dealer) > 1 and round_.dealer[1] is not None:
        hard, _ = dealer_count(round_)
        return COLUMNS.index(6 if 12 <= hard <= 16 else 10)
    return COLUMNS.index(up.points) if up is not None else COLUMNS.index(10)


_BELOW: Final = dict.fromkeys(range(2, 9), "HHHHHHHHHH")
SIMPLE: Final = Strategy(
    name="simple",
    hard={
        **_BELOW,
        9: "HDDDDHHHHH",
        10: "DDDDDDDDHH",
        11: "DDDDDDDDDH",
        12: "HHSSSHHHHH",
        **dict.fromkeys(range(13, 16), "SSSSSHHHHH"),
        16: "SSSSSHHHRR",
        **dict.fromkeys(range(17, 22), "SSSSSSSSSS"),
    },
    soft={
        12: "HHHHHHHHHH",
        **dict.fromkeys((13, 14), "HHHDDHHHHH"),
        **dict.fromkeys((15, 16), "HHDDDHHHHH"),
        17: "HDDDDHHHHH",
        18: "STTTTSSHHH",
        **dict.fromkeys(range(19, 22), "SSSSSSSSSS"),
    },
    pairs={
        1: "PPPPPPPPPN",
        2: "PPPPPPNNNN",
        3: "PPPPPPNNNN",
        6: "PPPPPNNNNN",
        7: "PPPPPPNNNN",
        8: "PPPPPPPPNN",
        9: "PPPPPNPPNN",
    },
)
"""The house bots' strategy: a common chart for several packs, cautious against ten and ace. No claim to be the best."""
