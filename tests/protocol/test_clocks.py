"""What the table waits for is told to everyone, and nobody who comes or goes holds it up."""

from __future__ import annotations

import asyncio
from itertools import pairwise

from tests.protocol.house import House, Player, company, finish, level, run


def test_whoever_comes_while_a_clock_runs_is_told_the_room_at_once(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 2, pace="fast") as players:
            await players[0].do("bet", box=1, amount=1000)
            await players[0].until(lambda: bool(players[0].room["clock"]))
            watcher = await Player(house, "").connect(players[0].code)
            assert watcher.room["clock"]["what"] == "bets"
            assert watcher.room["present"] == sorted(player.you for player in players)
            window = await Player(house, players[0].cookie).connect(players[0].code)
            assert window.room == watcher.room | {"clock": window.room["clock"]}

    run(scenario())


async def to_a_question(player: Player) -> None:
    """Plays until something is asked."""
    while not player.questions():
        number = player.view["round"]
        await player.do("bet", box=1, amount=1000)
        await player.ask("ready")
        await player.until(lambda number=number: player.view["round"] > number)  # type: ignore[misc]


def test_people_who_come_and_go_do_not_give_a_silent_player_more_time(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 1, pace="brisk") as (player,):
            await to_a_question(player)
            watcher = Player(house, "")
            while player.playing:
                await watcher.connect(player.code)
                await asyncio.sleep(0.05)
                await watcher.close()
            assert any(
                told["event"].get("by") == "clock"
                for message in player.heard
                for told in message.get("events", ())
            )  # fmt: skip

    run(scenario())


def test_the_room_is_told_when_it_changes_and_not_again(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 2, pace="unhurried") as players:
            for _ in range(3):
                await begin_with_seeds(players)
                await finish(players)
            await level(players)
            rooms = [message for message in players[1].heard if message["type"] == "room"]
            assert [one for one, other in pairwise(rooms) if one == other] == []
            assert len(rooms) < sum(message["type"] == "update" for message in players[1].heard)

    run(scenario())


async def begin_with_seeds(players: list[Player]) -> None:
    """A round; where a new shoe is cut by somebody, that one cuts it."""
    before = players[0].view["round"]
    for player in players:
        await player.do("bet", box=player.boxes[0], amount=1000)
    for player in players:
        await player.do("ready")
    for player in players:
        if player.room["cutter"] == player.you:
            await player.do("cut", at=10)
    await players[0].until(lambda: players[0].view["round"] == before + 1)


def test_a_silent_player_does_not_stop_the_others(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 2, pace="brisk") as (player, silent):
            for _ in range(3):
                number = player.view["round"]
                await player.do("bet", box=1, amount=1000)
                await player.do("ready")
                await player.until(lambda number=number: player.view["round"] > number)  # type: ignore[misc]
                while player.playing:
                    for question in player.questions():
                        await player.ask("decide", box=1, hand=question["hand"], action=player.wish(question))
                    await player.until(lambda: not player.playing or bool(player.questions()))
            assert silent.boxes == [2]

    run(scenario())
