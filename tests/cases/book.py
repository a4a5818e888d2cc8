"""The faults that other programs were reported to have, as data, and how a case of them is played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from tapete.money import chips
from tapete.rules import RuleSet, with_
from tests.driving import Played, play

_DATA = json.loads((Path(__file__).parent.parent / "data" / "cases.json").read_text(encoding="utf-8"))
Case = dict[str, Any]
CASES: Final[dict[str, Case]] = {one["id"]: one for one in _DATA["cases"]}
AMERICAN: Final = with_(RuleSet(), _DATA["rules"])
"""The table that the cases speak of where they say nothing else: a hole card that is checked, blackjacks paid early."""


def table(case: Case) -> RuleSet:
    """The rule set of a case."""
    return with_(AMERICAN, case.get("switch", {}))


def driven(name: str, **switch: object) -> Played:
    """A case that is only played; what must come of it the test says."""
    case = CASES[name]
    return play(with_(table(case), switch), case.get("bets", "10"), case["cards"], case["script"])


def worked(name: str) -> Played:
    """A worked case: played, and money, cards and insurance are as they were worked out.

    Where the case knows both ways of dealing to split hands, both are played, and both must give the same round.
    """
    case = CASES[name]
    rules, cards = table(case), case["cards"]
    if "at_once" in case:
        _as_worked_out(
            case, play(with_(rules, {"split.second_cards": "when_played"}), case["bets"], cards, case["script"])
        )
        cards = case["at_once"]
    played = play(rules, case["bets"], cards, case["script"])
    _as_worked_out(case, played)
    return played


def _as_worked_out(case: Case, played: Played) -> None:
    assert chips(played.net) == case["net"]
    assert " ".join(played.dealer) == case["dealer"]
    assert [[" ".join(one.rank for one in hand.cards) for hand in box.hands] for box in played.round.boxes] == case[
        "hands"
    ]
    boxes = range(1, len(case["hands"]) + 1)
    insured = [sum(one.net for one in played.statements if (one.box, one.hand) == (box, 0)) for box in boxes]
    assert [chips(one) for one in insured] == case["insured"]
    if case["nets"] is not None:
        nets = [[chips(played.of(box, hand).net) for hand, _ in enumerate(case["hands"][box - 1], 1)] for box in boxes]
        assert nets == case["nets"]
