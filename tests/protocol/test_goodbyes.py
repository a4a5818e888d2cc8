"""How connections end: each goodbye has a code, and what comes after it is refused or not there."""

from __future__ import annotations

from pathlib import Path

from tests.protocol.house import House, Player, company, guest, run


def test_a_table_that_closes_tells_everyone_and_gives_the_chips_back(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 2) as (host, other):
            assert await other.refused("close") == "command.not_the_host"
            await host.send(host.command({"do": "close"}))
            for player in (host, other):
                await player.until(lambda player=player: {"type": "bye", "code": "table.closed"} in player.heard)  # type: ignore[misc]
                await player.until(lambda player=player: player.closed is not None)  # type: ignore[misc]
                assert player.closed == (1000, "table.closed")
                assert player.heard[-1]["type"] == "bye"
            late = await Player(house, other.cookie).connect(other.code)
            assert late.heard == [{"type": "bye", "code": "table.unknown"}]
            assert late.closed == (4404, "table.unknown")
            with house.store() as store:
                assert [store.balance(player.number) for player in (host, other)] == [100_000, 100_000]

    run(scenario())


def test_a_table_that_never_was_is_unknown(house: House) -> None:
    async def scenario() -> None:
        player = await (await guest(house)).connect("nothing")
        assert player.heard == [{"type": "bye", "code": "table.unknown"}]

    run(scenario())


def test_a_house_that_stops_says_so_and_has_the_table_again_afterwards(tmp_path: Path) -> None:
    house = House(tmp_path)

    async def scenario() -> None:
        async with company(house, 1) as (player,):
            await player.do("bet", box=1, amount=1000)
            house.stop()
            await player.until(lambda: player.closed is not None)
            assert player.heard[-1] == {"type": "bye", "code": "server.stopping"}
            assert player.closed == (1012, "server.stopping")
            before = (player.seq, player.view)
            house.start()
            await player.connect(player.code)
            assert (player.seq, player.view) == before

    try:
        run(scenario())
        house.check()
        house.stop()
    finally:
        house.kill()
