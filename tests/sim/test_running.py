"""Runs: the same bits however they are cut up, and chance that is what it says."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tapete.cli import main
from tapete.exact.analysis import analyse
from tapete.pricing import priced, simasked
from tapete.pricing.simasked import Asked
from tapete.rulefile import preset
from tapete.sim import cards, running, streams, world
from tapete.sim.results import Tally, nothing
from tapete.sim.setting import Setting, setting
from tapete.sim.streams import stream


@pytest.fixture(scope="module")
def casino() -> Setting:
    """The casino table by totals, two boxes."""
    return setting(analyse(preset("casino").rules, level="td").round, boxes_=2)


def tally(set_: Setting, blocks: int, **options: Any) -> Tally:
    """The tally of so many blocks."""
    *_, last = running.run(set_, 7, enough=lambda found: found.rounds > (blocks - 0.5) * running.BLOCK, **options)
    assert last.blocks == blocks
    return last.tally


def same(one: Tally, other: Tally) -> bool:
    """Whether two tallies are the same to the last bit."""
    return bool((one.nets == other.nets).all() and (one.counts == other.counts).all())


def test_the_same_seed_gives_the_same_bits_on_any_number_of_workers(casino: Setting) -> None:
    alone = tally(casino, 5)
    assert all(same(alone, tally(casino, 5, workers=many)) for many in (2, 3))
    *_, other = running.run(casino, 8, enough=lambda found: found.rounds > 4.5 * running.BLOCK)
    assert not same(alone, other.tally)


def test_a_run_that_was_interrupted_goes_on_as_if_it_had_not_been(casino: Setting) -> None:
    *_, begun = running.run(casino, 7, workers=2, enough=lambda found: found.rounds > 1.5 * running.BLOCK)
    assert begun.blocks == 2
    assert same(tally(casino, 5), tally(casino, 5, begun=begun))


def test_each_block_has_rounds_of_its_own(casino: Setting) -> None:
    found = [running.block(casino, seed, number) for seed, number in ((7, 0), (7, 1), (7, 2), (8, 0), (7, 1 << 40))]
    assert len({one.nets.tobytes() for one in found}) == len(found)
    assert same(found[0], running.block(casino, 7, 0))


def test_nobody_plays_where_it_is_enough_already(casino: Setting) -> None:
    *_, begun = running.run(casino, 7, enough=lambda found: found.rounds > 0)
    assert list(running.run(casino, 7, begun=begun, enough=lambda found: found.rounds > 0)) == []


def test_blocks_add_up_in_any_order(casino: Setting) -> None:
    parts = [running.block(casino, 7, number) for number in (4, 1, 3, 0, 2)]
    total = parts[0]
    for part in parts[1:]:
        total += part
    assert same(total, tally(casino, 5))


def test_what_is_counted_hangs_together(casino: Setting) -> None:
    found = tally(casino, 2)
    assert found.nets.sum() == found.rounds == found.counts[world.ROUNDS]
    assert found.share(1) + found.share(0) + found.share(-1) == pytest.approx(1)
    assert found.mean == pytest.approx(sum(net * many for net, many in found.results) / found.rounds)
    assert found.laid == pytest.approx(2 * 1.094, abs=0.005)  # as ``tapete edge casino`` says of one box
    nets, many = np.array(found.results).T
    assert found.sd**2 == pytest.approx(np.average(nets**2, weights=many) - found.mean**2)


PUBLISHED = (0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E)
"""The first numbers of PCG32's own demonstration, seed 42 and stream 54 (pcg-random.org)."""


def test_the_generator_is_pcg32() -> None:
    step, mask = (54 << 1) | 1, (1 << 64) - 1
    state = ((step + 42) * 6364136223846793005 + step) & mask
    pack, marks = np.arange(64, dtype=np.uint8), np.zeros(world.MARKS, dtype=np.int64)
    at = world.At(0, len(pack), np.uint64(state), 0, 0, 0.0)
    order = list(range(64))
    with np.errstate(over="ignore"):
        for place, number in enumerate(PUBLISHED):
            card, at = cards.draw(world.Shoe(pack, marks, np.uint64(step), True, 1), at)
            other = place + (number * (64 - place) >> 32)
            order[place], order[other] = order[other], order[place]
            assert card == order[place]


def test_streams_of_blocks_are_all_different() -> None:
    found = {stream(seed, number) for seed in range(30) for number in range(300)}
    assert len({state for state, _ in found}) == len({step for _, step in found}) == 30 * 300
    assert all(step % 2 == 1 for _, step in found)
    assert all(step != state | 1 for state, step in found)


MIXED = {
    1234567: (6457827717110365317, 3203168211198807973, 9817491932198370423),
    0x0123456789ABCDEF: (0x157A3807A48FAA9D, 0xD573529B34A1D093),
}
"""The first numbers of SplitMix64 from these states, as others have them."""


def test_streams_are_mixed_as_splitmix64_does() -> None:
    for state, numbers in MIXED.items():
        for place, number in enumerate(numbers, 1):
            assert streams._mixed(state + place * streams._GOLDEN & streams._MASK) == number


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--rounds", "0"], "“0”"),
        (["--rounds", "1.5"], "“1.5”"),
        (["--rounds", "١٠"], "“١٠”"),
        (["--until-se", "١%"], "“١%”"),
        (["--rounds", "nan"], "“nan”"),
        (["--rounds", "1e99"], "10000000000000"),
        (["--until-se", "0"], "0.01%"),
        (["--until-se", "zero"], "“zero”"),
        (["--rounds", "10", "--until-se", "1%"], "not for both"),
        (["--boxes", "8"], "from 1 to 7"),
        (["--boxes", "-1"], "from 1 to 7"),
        (["--seed", "-1"], "--seed"),
        (["--seed", "9223372036854775808"], "--seed"),
        (["--workers", "0"], "from 1 to 256"),
        (["--workers", "two"], "from 1 to 256"),
        (["--workers", "٢"], "from 1 to 256"),
        (["--boxes", "٢"], "from 1 to 7"),
        (["--seed", "٢"], "--seed"),
        (["--strategy", "nothing"], "nothing"),
        (["--continue", "/there/is/nothing.json"], "/there/is/nothing.json"),
    ],
)
def test_bad_input_is_told(options: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "casino", "--lang", "en", *options]) == 2
    told = capsys.readouterr()
    assert part in told.err
    assert "Traceback" not in told.err
    assert not told.out


def test_a_player_who_remembers_split_hands_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "home", "--strategy", "cdp", "--lang", "en"]) == 2
    assert "cdp1, cdz or td" in capsys.readouterr().err


def test_a_run_is_written_and_taken_up_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short, long, straight = (str(tmp_path / name) for name in ("short.json", "long.json", "straight.json"))
    asked = ["simulate", "home", "--lang", "en", "--boxes", "2"]
    assert main([*asked, "--rounds", "3e5", "--json", short]) == 0
    assert main([*asked, "--rounds", "8e5", "--continue", short, "--json", long]) == 0
    assert main([*asked, "--rounds", "8e5", "--workers", "2", "--json", straight]) == 0
    told = [json.loads(Path(one).read_text("utf-8")) for one in (long, straight)]
    assert told[0] == told[1]
    assert told[0]["rounds"] >= 800_000
    assert "House edge" in capsys.readouterr().out
    assert main([*asked, "--seed", "2", "--continue", short]) == 2
    assert "seed" in capsys.readouterr().err
    Path(short).write_text("{}", "utf-8")
    assert main([*asked, "--continue", short]) == 2


def test_tables_whose_hands_decide_about_each_other_are_simulated(tmp_path: Path) -> None:
    """Nobody can count them with more than two hands in a box (``exact.not_linear``)."""
    values = []
    for change in ("bust_scope=hand", "bust_scope=all_player_bets"):
        file = tmp_path / "run.json"
        options = ["--rounds", "3e6", "--set", "shuffle=every_round", "--set", change, "--json", str(file)]
        assert main(["simulate", "home", *options]) == 0
        values.append(json.loads(file.read_text("utf-8"))["ev"])
    assert -0.008 < values[1] - values[0] < -0.001  # 0.0048 by docs/readings.md


@pytest.mark.parametrize(("wanted", "more"), [("0.15%", ["--plain"]), ("0.01%", [])])
def test_a_run_ends_when_its_error_is_small_enough(wanted: str, more: list[str], tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    assert main(["simulate", "casino", "--until-se", wanted, "--json", str(file), "--workers", "2", *more]) == 0
    told = json.loads(file.read_text("utf-8"))
    assert told["standard_error"] <= float(wanted.rstrip("%")) / 100
    assert told["blocks"] == 3  # two would not do: 0.22 % and, by the control variate, 0.016 % of one, over √2


def test_a_run_of_so_many_rounds_ends_with_the_last_of_them(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    fresh = ["--set", "shuffle=every_round", "--rounds", str(running.BLOCK)]
    assert main(["simulate", "casino", *fresh, "--json", str(file)]) == 0
    told = json.loads(file.read_text("utf-8"))
    assert (told["rounds"], told["blocks"]) == (running.BLOCK, 1)


def test_a_mean_is_not_known_before_anything_was_bet(casino: Setting) -> None:
    enough = simasked.enough(Asked(priced.table("casino"), "td", 2, 1, 1, 0, 0.01))
    found = nothing(casino.game, casino.bet)
    assert not enough(found)
    found.counts[world.ROUNDS] = 100  # watched
    assert not enough(found)
    found.counts[world.STAKES] = 200
    assert enough(found)


def test_as_many_workers_play_as_there_are_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2, 5}, raising=False)
    assert simasked.workers("auto", "") == simasked.workers("", "") == 3
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(1000)))
    assert simasked.workers("auto", "") == simasked.MOST_WORKERS
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert simasked.workers("auto", "") == 6
