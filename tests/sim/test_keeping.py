"""What is kept of a long run whatever happens: signals, full disks, folders that vanish, files that were touched."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tapete.cli import main
from tapete.exact.analysis import analyse
from tapete.pricing import simkept, simtally, stopping
from tapete.rulefile import preset
from tapete.sim import running
from tapete.sim.results import nothing
from tapete.sim.setting import setting
from tests.disks import fill, small_disk

__all__ = ["small_disk"]
PATIENCE = 60
OFTEN = (
    "from tapete.pricing import simkept; simkept.EVERY = 0.2; from tapete.cli import main; sys.exit(main(sys.argv[1:]))"
)
HOME = ["simulate", "home", "--lang", "en"]


def begun(*arguments: str, limit: int | None = None) -> subprocess.Popen[str]:
    """A run that keeps its file five times a second; its files may have so many bytes."""
    command = [sys.executable, "-c", f"import sys; {OFTEN}", *HOME, *arguments]
    limited = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, preexec_fn=limited)  # noqa: PLW1509


def waited(done: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < until
        time.sleep(0.02)


def blocks(file: Path) -> int:
    """The blocks that a file tells of; none while it is not there."""
    return int(json.loads(file.read_text("utf-8"))["blocks"]) if file.exists() else 0


def continued(file: Path) -> bool:
    """Whether the run of a file goes on to what a run would be that was never stopped."""
    rounds, straight = str(json.loads(file.read_text("utf-8"))["rounds"] + 1), file.with_name("straight.json")
    assert main([*HOME, "--rounds", rounds, "--continue", str(file), "--json", str(file)]) == 0
    assert main([*HOME, "--rounds", rounds, "--json", str(straight)]) == 0
    return file.read_bytes() == straight.read_bytes()


# --- signals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_run_with_what_there_is(name: str, tmp_path: Path) -> None:
    file, number = tmp_path / "run.json", getattr(signal, name)
    run = begun("--rounds", "1e12", "--json", str(file))
    waited(lambda: blocks(file) > 0)
    for _ in range(3):  # an impatient hand
        run.send_signal(number)
    out, error = run.communicate(timeout=PATIENCE)
    assert (run.returncode, error) == (128 + number, "")
    assert out.count("Stopped before its end") == 1
    assert f"Rounds: {json.loads(file.read_text('utf-8'))['rounds']};" in out
    assert [one.name for one in tmp_path.iterdir()] == [file.name]
    assert continued(file)


def test_a_run_that_is_killed_has_kept_a_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    run = begun("--rounds", "1e12", "--json", str(file))
    waited(lambda: blocks(file) > 0)
    first = blocks(file)
    waited(lambda: blocks(file) > first)  # and every reading between found a whole one
    run.kill()
    run.communicate()
    assert continued(file)


def test_a_second_signal_after_some_seconds_ends_even_what_waits_for_a_compiler() -> None:
    """A block that never ends stands for the compiler."""
    code = (
        "import sys, threading; from tapete.pricing import stopping; from tapete.sim import running; "
        "from tapete.cli import main; stopping.IMPATIENT = 0.2; "
        "running.block = lambda *_: (print('playing', flush=True), threading.Event().wait()); "
        "sys.exit(main(sys.argv[1:]))"
    )
    run = subprocess.Popen([sys.executable, "-c", code, *HOME, "--rounds", "1"], stdout=subprocess.PIPE, text=True)
    assert run.stdout
    assert run.stdout.readline() == "playing\n"
    time.sleep(0.5)
    run.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert run.poll() is None
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=PATIENCE)
    assert run.returncode == 130


def test_an_ignored_signal_stays_ignored(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    run = subprocess.Popen(
        ["nohup", sys.executable, "-c", f"import sys; {OFTEN}", *HOME, "--rounds", "1e12", "--json", str(file)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    waited(lambda: blocks(file) > 0)
    run.send_signal(signal.SIGHUP)
    first = blocks(file)
    waited(lambda: blocks(file) > first)
    run.terminate()
    assert run.wait(PATIENCE) == 143


def test_a_signal_that_comes_again_after_some_seconds_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    with stopping.stop() as found:
        found.listen()
        for _ in range(3):
            signal.raise_signal(signal.SIGTERM)
        assert found.code == 143
        monkeypatch.setattr(stopping, "IMPATIENT", -1.0)
        monkeypatch.setattr(stopping, "GRACE", 1e6)  # the tests go on
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)


def test_after_a_run_signals_are_what_they_were() -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    assert main([*HOME, "--rounds", "10"]) == 0
    assert [signal.getsignal(number) for number in numbers] == before


def test_a_run_in_a_thread_leaves_signals_alone() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(main, [*HOME, "--rounds", "10"]).result() == 0


# --- files that cannot be written -----------------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["no/such/folder/run.json", ".", "run.json/under.json", "a\0b"])
def test_a_file_that_could_not_be_written_is_told_before_anything_is_played(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.json").write_text("mine", "utf-8")
    assert main([*HOME, "--rounds", "1e12", "--json", file]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert "cannot be written" in error
    assert Path("run.json").read_text("utf-8") == "mine"
    assert [one.name for one in tmp_path.iterdir()] == ["run.json"]


def test_a_disk_that_is_full_at_the_start_is_told(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text("mine", "utf-8")
    run = begun("--rounds", "1e12", "--json", str(file), limit=1000)
    out, error = run.communicate(timeout=PATIENCE)
    assert (run.returncode, out) == (2, "")
    assert "cannot be written: File too large" in error
    assert file.read_text("utf-8") == "mine"
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


def test_a_disk_that_is_full_at_the_end_leaves_the_result_on_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*HOME, "--rounds", "10", "--json", "/dev/full"]) == 2
    out, error = capsys.readouterr()
    assert "House edge" in out
    assert error == "/dev/full cannot be written: No space left on device\n"


def test_a_disk_that_fills_up_leaves_the_file_before_whole(small_disk: Path | None, tmp_path: Path) -> None:
    folder = small_disk or tmp_path
    file = folder / "run.json"
    run = begun("--rounds", "1e12", "--json", str(file))
    waited(lambda: blocks(file) > 0)
    if small_disk:
        filler = fill(small_disk)
    else:  # where nobody may mount a disk, none of its files may grow any more
        resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (10, 10))
    assert run.stderr
    first = "".join(run.stderr.readline() for _ in range(3))
    last = file.read_bytes()
    time.sleep(1)
    assert file.read_bytes() == last
    run.send_signal(signal.SIGINT)
    out, error = run.communicate(timeout=PATIENCE)
    assert run.returncode == 2
    assert "House edge" in out
    assert first.count("The run goes on") == 1
    assert first.count("cannot be written") == error.count("\n") == error.count("cannot be written") == 1
    if small_disk:
        filler.unlink()
    assert list(folder.glob(".*")) == []
    assert continued(file)


def test_a_disk_with_room_again_gets_the_file_after_all(tmp_path: Path) -> None:
    folder, aside = tmp_path / "folder", tmp_path / "aside"
    folder.mkdir()
    file = folder / "run.json"
    run = begun("--rounds", "1e12", "--json", str(file))
    waited(lambda: blocks(file) > 0)
    folder.rename(aside)
    time.sleep(1)
    aside.rename(folder)
    first = blocks(file)
    waited(lambda: blocks(file) > first)
    run.send_signal(signal.SIGINT)
    _, error = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130
    assert error.count("cannot be written") == error.count("The run goes on") == 1
    assert continued(file)


def test_a_file_is_replaced_as_it_was_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, link, before = (tmp_path / name for name in ("run.json", "link.json", "before.json"))
    file.write_text("mine", "utf-8")
    before.hardlink_to(file)
    file.chmod(0o640)
    link.symlink_to(file)
    assert main([*HOME, "--rounds", "10", "--json", str(link)]) == 0
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert blocks(file) == 1
    assert before.read_text("utf-8") == "mine"  # it was not written over
    monkeypatch.setattr(simkept, "EVERY", 0.0)
    assert main([*HOME, "--rounds", "1e6", "--json", os.devnull]) == 0
    assert not Path(os.devnull).is_file()


# --- files that are read --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a short run has written."""
    file = tmp_path_factory.mktemp("kept") / "run.json"
    assert main([*HOME, "--rounds", "10", "--json", str(file)]) == 0
    return file


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (["--set", "shuffle=every_round"], "rules"),
        (["--set", "dealer_soft17=hit"], "rules"),
        (["--strategy", "simple"], "strategy"),
        (["--boxes", "2"], "boxes"),
        (["--seed", "2"], "seed"),
        (["--count", "hi-lo"], "count"),
        (["--plain"], "plain"),
        (["--shoe", "endless"], "endless"),
    ],
)
def test_another_run_is_not_taken_up(
    change: list[str], key: str, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*HOME, "--rounds", "1e6", "--continue", str(kept), *change]) == 2
    assert f"is of another run. “{key}” there: " in capsys.readouterr().err


def test_a_run_of_another_table_is_not_taken_up(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "casino", "--lang", "en", "--continue", str(kept)]) == 2
    assert "“rules” there: " in capsys.readouterr().err


@pytest.mark.parametrize(("key", "part"), [("version", "“version” there: 9.9; here: "), ("game", "is not what it was")])
def test_a_run_of_another_program_is_not_taken_up(
    key: str, part: str, kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.json"
    file.write_text(json.dumps(json.loads(kept.read_text("utf-8")) | {key: "9.9"}), "utf-8")
    assert main([*HOME, "--continue", str(file)]) == 2
    assert part in capsys.readouterr().err


def test_a_chart_that_changed_is_another_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chart, file = tmp_path / "chart.csv", tmp_path / "run.json"
    assert main(["chart", "home", "--lang", "en", "--strategy", "td", "--csv", str(chart)]) == 0
    asked = [*HOME, "--strategy", str(chart), "--rounds", "10"]
    assert main([*asked, "--json", str(file)]) == 0
    lines = chart.read_text("utf-8").splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("hard 12,"))
    lines[at] = lines[at].replace(",S", ",H", 1)
    chart.write_text("\n".join(lines) + "\n", "utf-8")
    assert main([*asked, "--continue", str(file)]) == 2
    assert "its chart" in capsys.readouterr().err


BROKEN: dict[str, Callable[[dict[str, Any]], object]] = {
    "a key less": lambda told: told.pop("tally"),
    "no blocks": lambda told: told.pop("blocks"),
    "half a block": lambda told: told.update(blocks=0.5),
    "a block that is a word": lambda told: told.update(blocks="1"),
    "too few blocks": lambda told: told.update(blocks=0),
    "too many blocks": lambda told: told.update(blocks=2),
    "negative blocks": lambda told: told.update(blocks=-1),
    "a field less": lambda told: told["tally"].pop("counts"),
    "a field more": lambda told: told["tally"].update(more=1),
    "a number for a field": lambda told: told["tally"].update(nets=3),
    "another bet": lambda told: told["tally"].update(bet=told["tally"]["bet"] + 1),
    "a bet that is true": lambda told: told["tally"].update(boxes=True),
    "another shape": lambda told: told["tally"]["nets"].update(shape=[5]),
    "a value less": lambda told: told["tally"]["nets"]["values"].pop(),
    "a negative count": lambda told: told["tally"]["counts"]["values"].__setitem__(1, -1),
    "a count with a point": lambda told: told["tally"]["counts"]["values"].__setitem__(1, 5.0),
    "a count that is a word": lambda told: told["tally"]["counts"]["values"].__setitem__(1, "5"),
    "a huge count": lambda told: told["tally"]["counts"]["values"].__setitem__(1, 1 << 63),
    "a place outside": lambda told: told["tally"]["nets"]["at"].__setitem__(-1, 10**6),
    "a place below": lambda told: told["tally"]["nets"]["at"].__setitem__(0, -1),
    "a place twice": lambda told: told["tally"]["nets"]["at"].__setitem__(1, told["tally"]["nets"]["at"][0]),
    "a round more": lambda told: told["tally"]["nets"]["values"].__setitem__(0, told["tally"]["nets"]["values"][0] + 1),
    "a list": lambda told: told.update(tally=[1, 2]),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_file_that_was_touched_is_refused(
    how: str, kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(kept.read_text("utf-8"))
    BROKEN[how](told)
    file = tmp_path / "run.json"
    file.write_text(json.dumps(told), "utf-8")
    assert main([*HOME, "--rounds", "1e6", "--continue", str(file)]) == 2
    assert capsys.readouterr().err == f"{str(file)[-80:]} is not what tapete simulate --json wrote.\n"


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", "NaN", "{" * 9999, "[" * 99999, '{"rules": NaN}', "\x00", "ÿ"]
)
def test_a_file_that_is_something_else_is_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.json"
    file.write_text(text, "latin-1")
    assert main([*HOME, "--continue", str(file)]) == 2
    assert "is not what tapete simulate --json wrote" in capsys.readouterr().err


def test_a_tally_goes_into_json_and_back_bit_for_bit() -> None:
    set_ = setting(analyse(preset("home").rules, level="td").round)
    found, empty = running.block(set_, 1, 0), nothing(set_.game, set_.bet)
    again = simtally.filled(empty, json.loads(json.dumps(simtally.plain(found))), 1)
    assert np.array_equal(found.nets, again.nets)
    assert np.array_equal(found.counts, again.counts)
    assert not np.array_equal(again.nets, empty.nets)
    floats = np.array([[0.1, -0.0, 0.0], [1e-320, 1 / 3, -1e300]])
    told = json.loads(json.dumps(simtally._plain(floats)))
    read = simtally._filled(np.zeros_like(floats), told, counts=False)
    assert read.tobytes() == floats.tobytes()
    for wrong in ("nan", "inf", "0.1", "0x1p99999", 1, None):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            simtally._filled(np.zeros(1), {"shape": [1], "at": [0], "values": [wrong]}, counts=False)


def test_the_mark_of_a_game_is_of_all_that_is_played() -> None:
    set_ = setting(analyse(preset("home").rules, level="td").round)
    game, mark = set_.game, simtally.mark(set_)
    others = [set_._replace(bet=set_.bet + 1), set_._replace(gone=0), set_._replace(cards=set_.cards[::-1].copy())]
    for part in ("machine", "dealer", "table", "money", "open_", "settings"):
        for name, value in getattr(game, part)._asdict().items():
            if np.size(value):  # who does not count has no plans
                other = getattr(game, part)._replace(**{name: value + 1})
                others.append(set_._replace(game=game._replace(**{part: other})))
    assert len({mark, *(simtally.mark(other) for other in others)}) == len(others) + 1
