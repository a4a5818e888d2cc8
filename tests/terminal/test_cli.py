"""The command line: what each command says, and that everything wrong becomes a clear sentence and exit code 2."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tapete import __version__
from tapete.cli import COMMANDS, main
from tapete.rulecard import card
from tapete.rulefile import FOUNDING, preset, presets
from tapete.words import LANGUAGES, words
from tests.terminal.people import command, environment, pipe, said


def spoken(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """What ``tapete …`` says: on the standard output if it goes well, else on the error output and nothing else."""
    assert main(arguments) == code
    out, error = capsys.readouterr()
    assert (error if code == 0 else out) == ""
    return error if code else out


# --- help -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flag", ["--help", "-h"])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_is_in_the_readers_language(name: str, flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [name] if name else []
    english, spanish = (spoken(capsys, *asked, flag, "--lang", language) for language in LANGUAGES)
    assert re.match(r"Usage: tapete .*\[OPTIONS\]", english)
    assert re.match(r"Uso: tapete .*\[OPCIONES\]", spanish)
    shared = prose(english) & prose(spanish)
    names = {*COMMANDS, "tapete", "Tapete", "Blackjack", "split", "max_hands", "PostgreSQL", "TAPETE_DATABASE"}
    names |= {"Dask", "JSON", "error", "Markdown", "full", "mimic", "never", "bust", "simple"}
    names |= {"control", "endless"}  # a variable de control; the name of a shoe
    names |= {"exact", "half", "floor", "nearest", "none"}  # ways to find a true count; no plays
    assert shared <= names, "an English word is left in the Spanish help, or the other way round"


def prose(told: str) -> set[str]:
    """The longer words of a help text that are not typed: no options, values to choose from, addresses or examples."""
    return set(
        re.findall(r"(?<![\w./|-])[^\W\d]{4,}(?![\w/|]|://)", re.sub(r"--[\w-]+|\S+\|\S+|https?:\S*", " ", told))
    )


@pytest.mark.parametrize(
    ("environ", "begins"), [({"LANG": "es_ES.UTF-8"}, "Uso:"), ({"TAPETE_LANG": "en", "LANG": "es"}, "Usage:")]
)
def test_the_machines_language_is_spoken(
    environ: dict[str, str], begins: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert spoken(capsys, "--help").startswith(begins)


def test_the_last_language_wins_wherever_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    assert spoken(capsys, "--lang", "en", "tables", "--lang=es").startswith("casino: La mesa")


def test_without_a_command_the_commands_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert all(f"  {name}  " in spoken(capsys, "--lang", "en") for name in ("tables", "replay"))


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert spoken(capsys, "--version") == f"tapete {__version__}\n"


# --- tables and rules -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_table_is_listed_with_its_name(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = spoken(capsys, "tables", "--lang", language)
    assert [line.split(":")[0] for line in told.splitlines() if re.match(r"[a-z0-9-]+: ", line)] == list(presets())
    assert all(preset(name).title.in_(language) in told for name in presets())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", presets())
def test_UI_16_the_rules_told_are_those_of_the_table(
    name: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = spoken(capsys, "rules", name, "--lang", language)
    shown = card(preset(name), words(language))
    assert told.startswith(f"{shown.title}\n")
    assert [line.text for section in shown.sections for line in section.lines if line.text not in told] == []
    assert len(told.splitlines()) > 30


@pytest.mark.parametrize("name", FOUNDING)
def test_each_rule_of_a_page_is_told_with_its_clause(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = spoken(capsys, "rules", name, "--lang", "en")
    rules = [line for line in told.splitlines() if line.startswith("  ")]
    assert [line for line in rules if not re.search(r"\((?:[DQ]\d-\w+(?:, )?)+\)$", line)] == []


def test_a_changed_switch_changes_the_rules_told(capsys: pytest.CaptureFixture[str]) -> None:
    told = spoken(capsys, "rules", "casino", "--set", "decks=2", "--set", "cut_card_left=20", "--lang", "en")
    assert "2 packs of 52 cards.\n" in told
    assert "20 cards stay behind the cut card." in told


def test_only_what_differs_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    told = spoken(capsys, "rules", "casino", "--compare", "home", "--lang", "en")
    assert "decks\n  The Casino Table: 6 packs of 52 cards.\n  The Home Table: 2 packs of 52 cards.\n" in told
    assert "bj_pays\n" not in told
    same = spoken(capsys, "rules", "casino", "--compare", "casino", "--lang", "en")
    assert same == "The Casino Table and The Casino Table play by the same rules.\n"


# --- what is wrong --------------------------------------------------------------------------------------------------

WRONG = {
    ("nonsense",): f"Tapete has no command “nonsense”. It has {', '.join(COMMANDS)}.",
    ("--nonsense",): "There is no option --nonsense here; --help lists what there is.",
    ("play", "--nonsense"): "There is no option --nonsense here; --help lists what there is.",
    ("play", "casino", "home"): "“home” is more than this command takes. See: tapete play --help",
    ("bank", "Ana"): "“Ana” is more than this command takes. See: tapete bank --help",
    ("play", "--seed"): "The option --seed lacks its value, or takes none.",
    ("play", "--plain=yes"): "The option --plain lacks its value, or takes none.",
    ("play", "casino", "--seed", ""): "The option --seed has nothing in it: give it a value, or leave it out.",
    ("rules", "casino", "--compare="): "The option --compare has nothing in it: give it a value, or leave it out.",
    ("edge", "casino", "--level", ""): "The option --strategy / --level has nothing in it: give it a value, or",
    ("serve", "--host", ""): "The option --host has nothing in it: give it a value, or leave it out.",
    ("bank", "--reset", ""): "The option --reset has nothing in it: give it a value, or leave it out.",
    ("play", "casino", "--seed", "1", "--seed", "2"): "The option --seed stands there twice: give it once.",
    ("cost", "casino", "--strategy", "td", "--level", "td"): "The option --strategy / --level stands there twice",
    ("edge", "casino", "--shoe", " "): "“ ” is no shoe. Write",
    ("play", "casino", "--name", ""): "A name needs at least one letter.",
    ("play", "casino", "--set", ""): "“” is not a setting.",
    ("--lang",): "Tapete does not speak “”. It speaks en, es.",
    ("play", "--lang", "fr"): "Tapete does not speak “fr”. It speaks en, es.",
    ("rules",): "Which table? Name one; tapete tables lists them.",
    ("rules", ""): "Which table? Name one; tapete tables lists them.",
    ("rules", "casin"): "There is no table “casin”. Did you mean casino?",
    ("rules", "casino", "--compare", "x"): "There is no table “x”. Tables: ",
    ("play", "casino", "--seed", "one"): "“one” is not a seed: a whole number from 0 to ",
    ("play", "casino", "--seed", "-1"): "“-1” is not a seed: a whole number from 0 to ",
    ("play", "casino", "--seed", "1.5"): "“1.5” is not a seed: a whole number from 0 to ",
    ("play", "casino", "--seed", "٣"): "“٣” is not a seed: a whole number from 0 to ",
    ("play", "casino", "--seed", "9" * 5000): "is not a seed: a whole number from 0 to ",
    ("play", "casino", "--bots", "8"): "“8” is not a number of house bots: 0 to 7.",
    ("play", "casino", "--bots", "some"): "“some” is not a number of house bots: 0 to 7.",
    ("play", "casino", "--speed", "warp"): "“warp” is no speed. There are none, fast, normal, slow.",
    ("play", "casino", "--name", " "): "A name needs at least one letter.",
    ("play", "casino", "--name", "x" * 50): "A name may have up to 40 letters; this one has 50.",
    ("play", "casino", "--name", "\x1b[2J"): "holds something that cannot be shown.",
    ("play", "--set", "decks=2"): "--set needs a table before it: tapete play TABLE --set KEY=VALUE.",
    ("play", "casino", "--set", "decks"): "“decks” is not a setting.",
    ("play", "casino", "--set", "dekcs=2"): "“dekcs” is nothing that a table knows. Did you mean decks?",
    ("play", "/dev/null"): "/dev/null is not an ordinary file.",
    ("play", "nowhere.toml"): "There is no file nowhere.toml.",
    ("replay",): "Which file? Name at least one.",
    ("replay", "nowhere.bjh"): "There is no file nowhere.bjh.",
    ("check",): "Which file? Name at least one.",
    ("bank", "--reset", "Nobody"): "There is no person Nobody.",
}


@pytest.mark.parametrize(("arguments", "sentence"), WRONG.items(), ids=[" ".join(one)[:40] for one in WRONG])
def test_what_is_wrong_is_one_clear_sentence(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = spoken(capsys, *arguments, code=2)
    assert sentence in told
    assert told.count("\n") == 1
    assert not set(told) & {"\x1b", "{", "}"}


def test_all_faults_of_the_settings_are_told_together(capsys: pytest.CaptureFixture[str]) -> None:
    told = spoken(capsys, "play", "casino", "--set", "decks=0", "--set", "split.max_hand=4", code=2)
    assert sorted(told.splitlines()) == [
        "decks = 0: this takes a whole number from 1 to 100.",
        "“split.max_hand” is nothing that a table knows. Did you mean split.max_hands?",
    ]


def test_each_fault_of_a_rule_file_comes_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "own.toml"
    own.write_text('from = "casino"\n[rules]\ndecks = 0\nnonsense = 1\n', encoding="utf-8")
    told = spoken(capsys, "rules", str(own), "--lang", "es", code=2)
    assert [line.removeprefix(str(own))[:3] for line in told.splitlines()] == [":3:", ":4:"]
    assert main(["check", str(own)]) == 2
    assert str(own) in capsys.readouterr().out


def test_a_sound_rule_file_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "own.toml"
    own.write_text('from = "casino"\n[title]\nen = "Fridays"\n[rules]\ndecks = 4\n', encoding="utf-8")
    assert "Fridays" in spoken(capsys, "check", str(own), "--lang", "en")


# --- the world around -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [("rules", "casino"), ("tables",), ("play", "--help")])
def test_a_reader_who_leaves_early_is_no_fault(arguments: tuple[str, ...], tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command(*arguments), check=False, stdout=writing, stderr=subprocess.PIPE, env=environment(tmp_path), timeout=60
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_listener_who_leaves_in_a_round_loses_nothing(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    with subprocess.Popen(
        command("play", "casino", "--seed", "3", "--lang", "en", "--name", "Ana", "--bots", "0"),
        stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE, env=environment(tmp_path),
    ) as game:  # fmt: skip
        os.close(writing)
        assert game.stdin is not None
        assert game.stderr is not None
        game.stdin.write(b"1\n10\n")
        game.stdin.flush()
        heard = b""
        while b"What now?" not in heard:
            heard += os.read(reading, 65536)
        os.close(reading)
        game.stdin.write(b"m\n" * 200)
        game.stdin.close()
        assert (game.wait(60), game.stderr.read()) == (0, b"")
    assert "Here a round was broken off." in said(tmp_path, "play", "--lang", "en", lines=["2", "q"])


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_UI_06_no_encoding_breaks_a_round(encoding: str, tmp_path: Path) -> None:
    done = subprocess.run(
        command("play", "casino", "--seed", "3", "--lang", "es", "--name", "Ana", "--bots", "0"),
        check=False,
        input="1\n¡ñ!♠\n10\n2\n?\nq\n".encode(),
        capture_output=True,
        env=environment(tmp_path, PYTHONIOENCODING=encoding),
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    told = done.stdout.decode(encoding)
    if encoding == "ascii":
        assert "Ana, casilla 1: tu apuesta? Tienes 1000 fichas." in told
        assert "no es una cantidad de fichas. Escribe un numero como 10 o 12,5." in told
    else:
        assert "Ana, casilla 1: ¿tu apuesta? Tienes 1000 fichas." in told


def test_bytes_that_are_no_text_are_only_a_wrong_answer(tmp_path: Path) -> None:
    done = subprocess.run(
        command("play", "casino", "--lang", "en", "--name", "Ana", "--bots", "0"),
        check=False,
        input=b"\xff\xfe\x00\n1\n\x80\x81\nq\n",
        capture_output=True,
        env=environment(tmp_path),
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Ana leaves with 1000 chips." in done.stdout


@pytest.mark.parametrize("arguments", [("play", "casino", "--plain"), ("bank",)])
def test_a_data_folder_that_cannot_be_is_told(arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = pipe(tmp_path / "file", *arguments, "--lang", "en")
    assert done.returncode == 2
    assert "cannot be the data folder" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_output_that_is_full_is_told(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            command("rules", "casino", "--lang", "en"),
            check=False, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", env=environment(tmp_path), timeout=60,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("This cannot be written out: ")
    assert done.stderr.count("\n") == 1


def test_a_closed_input_is_an_end_and_no_fault(tmp_path: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *command("play", "casino", "--lang", "en", "--name", "Ana")],
        check=False, capture_output=True, encoding="utf-8", env=environment(tmp_path), timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Ana leaves with 1000 chips.\n")


def test_the_module_runs_as_the_program_does(tmp_path: Path) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("tapete"), "--version"],
        check=False, capture_output=True, encoding="utf-8", env=environment(tmp_path), timeout=60,
    )  # fmt: skip
    assert done.stdout == said(tmp_path, "--version") == f"tapete {__version__}\n"
