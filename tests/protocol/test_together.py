"""Many people at several tables at once: each sees the same, nobody is told too much, and the money stays right."""

from __future__ import annotations

import asyncio
import json

import pytest

from tapete.rulefile import FOUNDING, preset
from tests.protocol.house import House, Player, begin, company, finish, guest, level, open_table, run

ROUNDS = 4


async def an_evening(house: House, name: str, people: int) -> list[Player]:
    async with company(house, people, name) as players:
        for _ in range(ROUNDS):
            await begin(players)
            await finish(players)
        fresh = await guest(house)
        await fresh.connect(players[0].code)
        await level([*players, fresh])
        assert [player.view for player in players] == [fresh.view] * people
        await fresh.close()
        return players


def test_people_at_many_tables_at_once_all_see_the_same_table_and_keep_their_chips(house: House) -> None:
    async def scenario() -> list[list[Player]]:
        tables = [an_evening(house, name, min(3, preset(name).rules.seats_max)) for name in FOUNDING * 2]
        return await asyncio.gather(*tables)

    told = run(scenario())
    money = house.money()
    assert sum(money.values()) == 0
    for players in told:
        for player in players:
            assert money.get(f"person:{player.number}", 0) + rack_of(money, player.number) == player.chips
    house.check()


def rack_of(money: dict[str, int], person: int) -> int:
    return sum(units for name, units in money.items() if name.startswith(f"rack:{person}:"))


@pytest.mark.parametrize("name", FOUNDING)
def test_a_newcomer_sees_in_the_snapshot_what_the_others_saw_happen(house: House, name: str) -> None:
    async def scenario() -> None:
        async with company(house, min(2, preset(name).rules.seats_max), name) as players:
            watcher = Player(house, "")
            await watcher.connect(players[0].code)
            await begin(players)
            while players[0].playing:
                await level([*players, watcher])
                await watcher.again()
                assert [player.view for player in players] == [watcher.view] * len(players)
                asked = next(player for player in players if player.questions())
                await asked.decide(asked.questions()[0], asked.wish(asked.questions()[0]))
                await level(players)
            await watcher.close()

    run(scenario())


def test_two_windows_of_one_person_hear_the_same(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 1) as (first,):
            second = await Player(house, first.cookie).connect(first.code)
            assert second.you == first.you
            assert second.view == first.view
            await begin([first])
            await finish([second])
            await level([first, second])
            assert first.view == second.view
            assert first.room["present"] == [first.you]
            await second.close()
            second.validate()

    run(scenario())


def test_a_watcher_is_told_everything_and_may_do_nothing(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 1) as (player,):
            watcher = await Player(house, "").connect(player.code)
            assert watcher.you == ""
            assert await watcher.refused("sit", box=2) == "identity.none"
            await begin([player])
            await finish([player])
            await level([player, watcher])
            assert watcher.view == player.view
            await watcher.close()
            watcher.validate()

    run(scenario())


def test_the_chips_of_a_person_are_in_one_place_at_a_time(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 1) as (player,):
            there = await Player(house, player.cookie).connect(await open_table(await guest(house)))
            await begin([player])
            if player.playing:
                assert await there.refused("sit", box=1) == "command.chips_elsewhere"
            await finish([player])
            chips = player.chips
            await there.do("sit", box=1)
            assert there.chips == chips
            await player.until(lambda: not player.boxes)
            await there.close()

    run(scenario())


def test_names_are_data_whatever_they_look_like(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 1) as (player,):
            strange = ("<script>alert(1)</script>", "Bot 3", "'); DROP TABLE people;--", "\u202eevil", "{amount:chips}")
            for name in strange:
                assert await player.refused("remove", name=name) in ("table.nobody", "message.unreadable")
            await player.do("seat_bot", box=3)
            bot = next(one["name"] for one in player.view["people"] if one["bot"])
            assert json.dumps(player.view).count(json.dumps(bot)) == 2
            await player.do("remove", name=bot)

    run(scenario())
