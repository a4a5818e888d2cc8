"""The example bot plays as its page says: it opens a table, or joins one, gives seeds, bets, decides and leaves."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tapete.rulefile import FOUNDING
from tests.protocol.house import PATIENCE, House, company, run

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


def play(house: House, *options: str) -> str:
    """What the bot prints, playing as its own program."""
    command = [sys.executable, str(BOT), "--url", house.url, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=4 * PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def bot_module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bot", BOT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


def test_the_bot_joins_friends_at_their_table_in_their_language(house: House) -> None:
    async def scenario() -> str:
        async with company(house, 1, pace="brisk") as (player,):
            code = player.code
            process = subprocess.Popen(
                [sys.executable, str(BOT), "--url", house.url, "--table", code, "--rounds", "2", "--lang", "es"],
                stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
            await player.until(lambda: len(player.view["people"]) == 2)
            while len(player.view["people"]) == 2 and not player.playing:
                if not any(box["holder"] == player.you and box["bets"] for box in player.view["boxes"]):
                    await player.ask("bet", box=1, amount=1000)
                await player.ask("ready")
                await player.until(
                    lambda: player.playing or len(player.view["people"]) == 1 or not player.room["ready"]
                )
                while player.playing:
                    for question in player.questions():
                        await player.ask(
                            "decide", box=question["box"], hand=question["hand"], action=player.wish(question)
                        )
                    await player.until(lambda: not player.playing or bool(player.questions()))
            told, _ = process.communicate(timeout=PATIENCE)
            return told

    told = run(scenario())
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
