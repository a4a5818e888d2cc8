"""Faults of other programs that show in what a server says: cases.json, named by their number."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.protocol.house import House, Json, Player, begin, finish, guest, open_table, run

MOMENTS = (None, 0.0, 0.004, 0.012)
"""Seconds from the sending of the double to the end of the server; None waits for the answer first."""


async def to_a_double(player: Player) -> Json:
    """Plays until a hand may be doubled; tells the question."""
    while True:
        await begin([player])
        for question in player.questions():
            if "double" in question["legal"]:
                return question
        await finish([player])


async def doubled(player: Player, question: Json, moment: float | None) -> None:
    """Doubles, and waits for the answer or for so many seconds."""
    deed = {"do": "decide", "box": question["box"], "hand": question["hand"], "action": "double"}
    future = await player.send(player.command(deed, id="the-double"))
    await (asyncio.sleep(moment) if moment is not None else future)


@pytest.mark.parametrize("moment", MOMENTS)
def test_CP_05_a_server_that_dies_at_a_double_loses_neither_the_cards_nor_a_chip(
    tmp_path: Path, moment: float | None
) -> None:
    house = House(tmp_path)
    try:
        run(die_at_a_double(house, moment))
        house.check()
        house.stop()
    finally:
        house.kill()


async def die_at_a_double(house: House, moment: float | None) -> None:
    player = await guest(house)
    await player.connect(await open_table(player, "american-6d"))
    await player.do("sit", box=1)
    question = await to_a_double(player)
    chips, seen, cards = player.chips, player.seq, player.view["boxes"][0]["hands"][0]["cards"]
    await doubled(player, question, moment)
    house.kill()
    await player.until(lambda: player.closed is not None)
    told = player.seq
    house.start()
    await player.connect(player.code)
    assert player.seq >= told  # what was told is kept
    hand = player.view["boxes"][0]["hands"][0]
    assert hand["cards"][:2] == cards
    if not hand["doubled"]:
        assert (player.seq, player.chips, hand["cards"]) == (seen, chips, cards)
        assert player.questions() == [question]
        await player.decide(question, "double")
    await finish([player])
    net = sum(one["net"] for one in player.view["statements"])
    assert [one["stake"] for one in player.view["statements"]] == [2000]
    assert player.chips == chips + 1000 + net
    assert sum(house.money().values()) == 0
