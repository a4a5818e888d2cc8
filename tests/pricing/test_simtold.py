"""``tapete simulate``: the words of a run against its JSON, and its JSON against the manual."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from tapete.cli import main
from tapete.exact.analysis import LEVELS
from tapete.pricing import figures, simcount, simfile, simtold, strategies
from tapete.pricing.simasked import Run
from tapete.pricing.simrisk import Wish
from tapete.terminal.talk import Talk
from tapete.words import LANGUAGES, words
from tests.pricing.saying import Screen, spoken
from tests.pricing.test_simrisk import a_run

NINETY_FIVE = 1.96
RUNS: dict[str, dict[str, str]] = {
    "one box": {},
    "without the control variate": {"plain": "yes"},
    "three boxes": {"boxes": "3"},
    "boxes played apart": {"strategy": "td,mimic"},
    "a counter": {"count": "hi-lo", "spread": "1-8"},
    "a counter at two boxes": {"count": "hi-lo", "spread": "1-8", "boxes": "2"},
}


def run(of: str) -> Run:
    """A run of one block."""
    return a_run(1, **RUNS[of])


def said(run_: Run, language: str) -> str:
    """What is said of it."""
    found = io.StringIO()
    simtold.tell(run_, Talk(words(language), to=found))
    return found.getvalue()


def first(text: str, pattern: str) -> tuple[float, ...]:
    """The figures where the English words match."""
    found = re.search(pattern.replace("#", r"([-+]?\d+\.?\d*)"), text)
    assert found, pattern
    return tuple(float(one) for one in found.groups())


@pytest.mark.parametrize("of", RUNS)
def test_words_tell_the_edge_of_initial_bets_and_how_sure_it_is(of: str) -> None:
    run_ = run(of)
    text, told = said(run_, "en"), simfile.as_json(run_)
    bets = told["staked"] / told["boxes"] if "count" in RUNS[of] else 1  # on each box
    edge, error = first(text, "House edge[^:]*: # %, standard error # %")
    assert edge == pytest.approx(100 * told["house_edge"], abs=6e-6)
    assert edge == pytest.approx(-100 * told["ev"] / bets, abs=6e-6)
    assert error == pytest.approx(100 * told["standard_error"] / bets, abs=6e-6)
    low, high = first(text, "here # % and # %")
    assert (low, high) == pytest.approx((edge - NINETY_FIVE * error, edge + NINETY_FIVE * error), abs=2e-4)
    if of == "without the control variate":
        assert "as dealt" not in text
        return
    dealt, off = first(text, "as dealt: # %, standard error # %")
    assert dealt == pytest.approx(-100 * told["plain_ev"] / bets, abs=6e-6)
    assert off == pytest.approx(100 * told["plain_standard_error"] / bets, abs=6e-6)
    assert off > 2 * error


@pytest.mark.parametrize("of", RUNS)
def test_words_tell_what_was_laid_and_won(of: str) -> None:
    run_ = run(of)
    text, told = said(run_, "en"), simfile.as_json(run_)
    won = told["ev"] * told["boxes"]
    rounds, sd = first(text, "Rounds: #[^;]*; standard deviation of a round: #")
    assert (rounds, sd) == pytest.approx((told["rounds"], told["sd"]), abs=6e-6)
    laid, edge = first(text, r"(?:Laid on hands in a round|on hands in all): #[^;]*; the edge on that: # %")
    assert laid == pytest.approx(told["laid"], abs=6e-6)
    assert edge == pytest.approx(-100 * won / told["laid"], abs=6e-6)
    if "count" in RUNS[of]:
        assert first(text, "Won in 100 rounds: # units") == pytest.approx((100 * won,), abs=6e-5)
    assert first(text, r"doubled hands +#") == pytest.approx((100 * told["rates"]["double"],), abs=6e-5)


def test_each_box_is_told_with_its_own_error() -> None:
    run_ = run("boxes played apart")
    text, told = said(run_, "en"), simfile.as_json(run_)
    for box, (mean, variance) in enumerate(told["each_box"], 1):
        edge, off = first(text, rf"box {box} +# % +± # %")
        assert edge == pytest.approx(-100 * mean, abs=6e-5)
        assert off == pytest.approx(100 * sqrt(variance / told["rounds"]), abs=6e-5)
    assert first(text, "box 2 +# %")[0] > 4  # like the dealer
    variance, covariance = first(said(run("three boxes"), "en"), "Variance of one box: #; covariance .*round: #")
    assert 0.2 < covariance < 0.6 < variance
    assert covariance == pytest.approx(simfile.as_json(run("three boxes"))["covariance"], abs=6e-5)


@pytest.mark.parametrize("of", RUNS)
def test_both_languages_tell_the_same_figures(of: str) -> None:
    each: list[Any] = []
    for language in LANGUAGES:
        text = said(run(of), language)
        each.append(re.findall(r"\d+\.\d{3,}", text.replace(",", ".") if language == "es" else text))
    assert each[0] == each[1]
    assert (
        figures.percent(simfile.as_json(run(of))["house_edge"], words("en"), digits=5).split()[0].lstrip("-") in each[0]
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [40, 60, 80])
def test_tables_fit_a_narrow_terminal(columns: int, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run_ = a_run(1, count="ko", spread="-20:1,0:2", bankroll="500", risk="5%")
    monkeypatch.setenv("COLUMNS", str(columns))
    screen = Screen()
    simtold.tell(run_, Talk(words(language), to=screen))
    lines = screen.getvalue().splitlines()
    assert max(map(len, lines)) < columns
    decimals = r"[-+]?\d+[.,]\d+"
    assert sorted(re.findall(decimals, screen.getvalue())) == sorted(re.findall(decimals, said(run_, language)))
    level = next(at for at, line in enumerate(lines) if re.match(r" +-20 ", line))
    assert lines[level].count("%") + (lines[level + 1].count("%") if columns == 40 else 0) == 3


def test_json_has_the_keys_that_the_manual_tells_of() -> None:
    """What a program reads there is what the manual says is there."""
    text = (Path(__file__).parents[2] / "docs" / "simulating.md").read_text("utf-8")
    table = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", text[text.index("| `boxes`") :], re.MULTILINE)
    keys = {key for row in table for key in re.findall(r"`(\w+)`", row)}
    assert len(keys) > 15
    run_ = run("a counter at two boxes")
    answer = simfile.as_json(run_._replace(asked=run_.asked._replace(wish=Wish(bankroll=100.0))))
    assert sorted(keys - set(answer)) == []
    unsaid = {key for key in answer if f"`{key}`" not in text}
    assert unsaid <= {*simcount.OPTIONS, "endless", "plain"}  # what was asked, by the names of its options


def test_rounds_without_a_bet_tell_no_edge(capsys: pytest.CaptureFixture[str]) -> None:
    told = spoken(capsys, "simulate", "casino", "--rounds", "1", "--count", "hi-lo", "--wong-in", "40", "--lang", "en")
    assert "No round had a bet" in told
    assert "edge on" not in told
    assert "standard error" not in told


def test_a_run_to_an_error_goes_on_until_something_was_bet(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    told = ["simulate", "casino", "--until-se", "1%", "--count", "hi-lo", "--spread", "0:0,16:1", "--json", str(file)]
    assert main(told) == 0
    found = json.loads(file.read_text("utf-8"))
    assert found["staked"] > 0
    assert 0 < found["standard_error"] / found["staked"] <= 0.01


def test_files_are_written_although_whoever_reads_has_enough(tmp_path: Path) -> None:
    csv, picture = tmp_path / "plays.csv", tmp_path / "run.svg"
    for command in (f"indices casino --csv {csv}", f"simulate casino --rounds 1 --picture {picture}"):
        line = f"{shlex.quote(sys.executable)} -m tapete {command} | true"
        subprocess.run(["bash", "-c", line], check=True, capture_output=True)
    assert csv.stat().st_size > 500
    assert picture.stat().st_size > 5000


def test_what_is_won_is_of_the_rounds_with_a_bet(capsys: pytest.CaptureFixture[str]) -> None:
    """Watched rounds come out even for nobody."""
    asked = ("simulate", "american-6d", "--rounds", "1e6", "--count", "hi-lo", "--wong-in", "1", "--lang", "en")
    told = spoken(capsys, *asked)
    shares = dict(re.findall(r"^(?:the round|it) (is won|comes out even|is lost) +([\d.]+) %$", told, re.MULTILINE))
    assert sum(map(float, shares.values())) == pytest.approx(100, abs=0.001)
    assert float(shares["comes out even"]) < 10
    assert re.search(r"Of the rounds with a bet, which are 2\d\.\d\d % of all:", told)
    assert "In 100 rounds, watched ones among them, there are:" in told


def test_plays_that_were_derived_for_another_system_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "plays.json"
    play = {"hand": "hard 16", "against": "10", "below": "H", "least": 0, "above": "S"}
    file.write_text(json.dumps({"count": "hi-lo", "plays": [play]}), "utf-8")
    asked = ["simulate", "casino", "--rounds", "1", "--plays", str(file), "--lang", "en"]
    assert main([*asked, "--count", "hi-lo"]) == 0
    assert main([*asked, "--count", "zen"]) == 2
    assert "derived for hi-lo, and here zen is counted" in capsys.readouterr().err


# --- how a run was asked for ----------------------------------------------------------------------------------------

SHORT = ("simulate", "casino", "--rounds", "1e4", "--lang", "en")


def test_why_there_are_more_rounds_than_were_asked_for_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert re.search(r"^Rounds: 2\d{5}, as whole blocks are played to the end", spoken(capsys, *SHORT), re.MULTILINE)


@pytest.mark.parametrize(
    ("language", "said_"), [("en", "error was at most 1 %."), ("es", "error estándar fue como mucho 1 %")]
)
def test_the_error_that_was_asked_for_is_told(language: str, said_: str, capsys: pytest.CaptureFixture[str]) -> None:
    for asked in ("0.01", "1%"):
        text = spoken(capsys, "simulate", "casino", "--until-se", asked, "--lang", language)
        assert said_ in text
        assert "whole blocks" not in text
    assert "0,25 %" in spoken(capsys, "simulate", "casino", "--until-se", "0.25%", "--lang", "es")


def test_a_file_that_has_all_that_is_asked_for_is_told_to_have_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.json"
    assert f"Written: {file}" in spoken(capsys, *SHORT, "--json", str(file))
    again = spoken(capsys, *SHORT, "--continue", str(file))
    assert f"{str(file)[-80:]} has all that is asked for already; nothing was played beside it." in again
    assert "whole blocks" not in again
    more = spoken(capsys, *SHORT[:2], "--rounds", "3e5", "--continue", str(file), "--lang", "en")
    assert "has all that is asked for" not in more
    assert "whole blocks" in more


@pytest.mark.parametrize(("language", "told"), [("en", "there: no; here: yes."), ("es", "allí: no; aquí: sí.")])
def test_what_differs_from_the_run_in_a_file_is_told_in_words(
    language: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.json"
    spoken(capsys, *SHORT, "--json", str(file))
    said_ = spoken(capsys, *SHORT, "--continue", str(file), "--plain", "--lang", language, code=2)
    assert told in said_


def test_files_that_were_written_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, picture = tmp_path / "run.json", tmp_path / "run.svg"
    text = spoken(capsys, *SHORT, "--json", str(file), "--picture", str(picture))
    assert text.endswith(f"Written: {file}\nWritten: {picture}\n")
    json.loads(spoken(capsys, *SHORT, "--json", "-"))


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("simulate casino --rounds 1", ("--json", "--picture")),
        ("cost casino", ("--json", "--picture")),
        ("indices casino", ("--json", "--picture")),
        ("indices casino", ("--csv", "--json")),
        ("chart casino", ("--csv", "--markdown")),
        ("chart casino", ("--json", "--picture")),
    ],
)
def test_one_place_for_two_outputs_is_refused(
    command: str, options: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.png").symlink_to(tmp_path / "out.png")
    one, other = options
    for file in ("out.png", "folder/../out.png", "link.png"):
        asked = (*command.split(), one, str(tmp_path / "out.png"), other, str(tmp_path / file))
        assert f"{one} and {other} would both write to " in spoken(capsys, *asked, "--lang", "en", code=2)
    assert not (tmp_path / "out.png").exists()
    if "--picture" not in options:
        assert "would both write to -" in spoken(capsys, *command.split(), one, "-", other, "-", code=2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_names_every_strategy(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = "".join(spoken(capsys, "simulate", "--help", "--lang", language).split())  # its lines break at hyphens, too
    assert not [one for one in LEVELS if f"{one}," not in text]
    assert not [one for one in strategies.KNOWN if one not in text]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--json", "{folder}/none/run.json"), "no existe ese archivo o esa carpeta"),
        (("--json", "{folder}"), "es una carpeta"),
        (("--picture", "{folder}/none/run.png"), "no existe ese archivo o esa carpeta"),
        (("--continue", "{folder}/none.json"), "no existe ese archivo o esa carpeta"),
        (("--strategy", "{folder}/none.csv"), "no existe ese archivo o esa carpeta"),
        (("--count", "{folder}"), "es una carpeta"),
        (("--risk", "2"), "5% o 0,05"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_the_readers_language(
    options: tuple[str, str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    option, file = options[0], options[1].format(folder=tmp_path)
    assert why in spoken(capsys, "simulate", "casino", "--rounds", "1", option, file, "--lang", "es", code=2)
