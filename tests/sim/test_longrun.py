"""The script of the long runs finds what is off, and nothing else; the records come from it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest

from scripts import longrun
from scripts.longrun import FAR, TABLES, fresh
from scripts.records import Found
from tapete.exact.analysis import analyse
from tapete.exact.playing import Round
from tapete.exact.spread import Spread, spread

SHORT = argparse.Namespace(rounds=3e6, seed=5, workers=2)


def told(name: str) -> tuple[Round, Spread]:
    round_ = analyse(fresh(name), level="td").round
    return round_, spread(round_)


@pytest.mark.parametrize("name", ["casino", "home"])
def test_a_short_run_is_near_what_is_counted(name: str) -> None:
    found = [*longrun.plain(name, *told(name), SHORT)]
    whats = {one.what for one in found}
    assert {"mean", "variance", "laid", "blackjack"} <= whats
    assert ({"split", "win", "push", "loss", "distribution"} if name == "casino" else {"retire"}) <= whats
    assert max(abs(one.z) for one in found) < FAR


def test_another_game_is_found_by_each_figure_that_differs() -> None:
    """The casino's rounds against what the British table's would bring."""
    round_, _ = told("casino")
    _, other = told("british")
    far = {one.what for one in longrun.plain("casino", round_, other, SHORT) if abs(one.z) >= FAR}
    assert {"variance", "split", "distribution"} <= far


def test_a_mean_with_the_control_variate_is_told_from_one_near_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longrun, "ERROR", 2e-5)
    round_, exact = told("casino")
    near = [*longrun.means("casino", round_, exact, SHORT)]
    assert [one.boxes for one in near] == [1, 7]
    assert all(one.error <= 2e-5 and abs(one.z) < FAR for one in near)
    off = [*longrun.means("casino", round_, exact._replace(ev=exact.ev + 2e-4), SHORT)]
    assert all(abs(one.z) >= FAR for one in off)


@pytest.mark.parametrize("options", [["--rounds", "5"], ["--tables", "casino,nowhere"]])
def test_a_run_that_cannot_be_is_refused(options: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["longrun.py", *options])
    with pytest.raises(SystemExit) as ended:
        longrun.main()
    assert ended.value.code == 2


def test_an_interrupted_run_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    def stopped(*_: object) -> Iterator[Found]:
        raise KeyboardInterrupt

    monkeypatch.setattr(longrun, "means", stopped)
    monkeypatch.setattr("sys.argv", ["longrun.py", "--tables", "casino", "--write"])
    assert longrun.main() == 130
    assert not capsys.readouterr().out


def test_the_records_are_of_the_tables_that_the_script_plays() -> None:
    assert set(longrun.SEVERAL) == set(TABLES)
