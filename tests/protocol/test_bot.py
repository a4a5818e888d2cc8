"""The example bot plays as its page says: it opens a table, or joins one, gives seeds, bets, decides and leaves."""

from __future__ import annotations

import ast
import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tapete.rulefile import FOUNDING
from tests.protocol.house import PATIENCE, House, Player, company, run

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


def play(house: House, *options: str) -> str:
    """What the bot prints, playing as its own program."""
    command = [sys.executable, str(BOT), "--url", house.url, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=4 * PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("preset", FOUNDING)
def test_the_bot_opens_a_table_plays_rounds_and_leaves_with_its_chips(house: House, preset: str) -> None:
    told = play(house, "--preset", preset, "--pace", "unhurried", "--rounds", "3")
    name = told.split("-- ")[2].split(" at the table")[0]
    assert told.count(": bets ") == 3
    for said in (
        "the shoe is committed to",
        "gives a seed for the shoe",
        "opens the seed",
        f"{name} leaves the table.",
    ):
        assert said in told
    assert "refused" not in told
    with house.store() as store:
        person = next(one for one in store.people() if one.name == name)
        assert store.balance(person.id) > 0
        assert all(person.id not in store.racks(table.id) for table in store.open_tables())


async def play_along(player: Player) -> None:
    """Bets and answers as long as somebody else is at the table."""
    while len(player.view["people"]) == 2:
        before = player.view["round"]
        await player.ask("bet", box=1, amount=1000)
        await player.ask("ready")
        await player.until(lambda: player.view["round"] > before or len(player.view["people"]) == 1)  # noqa: B023
        while player.playing:
            for one in player.questions():
                await player.ask("decide", box=one["box"], hand=one["hand"], action=player.wish(one))
            await player.until(lambda: not player.playing or bool(player.questions()))


def test_the_bot_joins_friends_at_their_table_in_their_language(house: House) -> None:
    async def scenario() -> str:
        async with company(house, 1, pace="brisk") as (player,):
            options = ("--url", house.url, "--table", player.code, "--rounds", "2", "--lang", "es")
            bot = await asyncio.create_subprocess_exec(sys.executable, str(BOT), *options, stdout=subprocess.PIPE)
            await player.until(lambda: len(player.view["people"]) == 2)
            await play_along(player)
            told, _ = await bot.communicate()
            return told.decode()

    told: str = run(scenario())
    assert "apuesta" in told
    assert "deja la mesa" in told


def test_the_bot_tells_when_nobody_answers() -> None:
    command = [sys.executable, str(BOT), "--url", "http://127.0.0.1:9"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("No table to be had at http://127.0.0.1:9")


def test_the_bot_knows_nothing_of_tapetes_own_code() -> None:
    tree = ast.parse(BOT.read_text("utf-8"))
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in named} & {"tapete", "tests", "scripts"} == set()
