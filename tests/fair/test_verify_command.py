"""``tapete verify FILE``: every shoe of a real game, honest or tampered with, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tapete import history
from tapete.cli import main
from tapete.history.writing import HEADER
from tapete.store import Store
from tapete.words import words
from tests.fair.games import SHORT, a_file
from tests.history.sample import SAMPLE

FOUNDING = ("casino", "british", "leaflet", "faceup", "home")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store") as opened:
        yield opened


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> str:
    with Store(tmp_path_factory.mktemp("played")) as opened:
        return a_file(opened, "casino", rounds=12, settings=SHORT).read_text("utf-8")


@pytest.fixture
def file(played: str, tmp_path: Path) -> Path:
    """Short shoes, all of them revealed, some reshuffled within a round."""
    path = tmp_path / "played.bjh"
    path.write_text(played, "utf-8")
    return path


Captured = pytest.CaptureFixture[str]


def said(capsys: Captured, path: Path, *, language: str = "en") -> tuple[int, str, str]:
    code = main(["verify", str(path), "--lang", language])
    told = capsys.readouterr()
    return code, told.out, told.err


# --- honest games ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", FOUNDING)
def test_every_shoe_of_an_honest_game_is_in_order(store: Store, capsys: Captured, table: str) -> None:
    code, out, _ = said(capsys, a_file(store, table, rounds=6))
    assert code == 0
    assert "OK, as promised" in out
    assert "PENDING" not in out
    assert "MISMATCH" not in out


def test_a_shoe_that_ran_out_within_a_round_is_in_order(file: Path, capsys: Captured) -> None:
    told = history.load(file)
    assert any(shoe.reshuffles for shoe in told.reveals)
    assert any(shoe.cut for shoe in told.reveals)
    code, out, _ = said(capsys, file)
    assert (code, out.count("OK, as promised")) == (0, len(told.reveals))
    assert "Seeds promised: 2; opened: 1." in out
    for shoe in told.reveals:
        assert shoe.commitment in out


def test_a_shoe_is_pending_until_its_secret_is_out(store: Store, capsys: Captured) -> None:
    path = a_file(store, "casino", rounds=2, close=False)
    code, out, _ = said(capsys, path)
    assert (code, out.count("PENDING"), out.count("OK,")) == (0, 1, 0)
    code, out, _ = said(capsys, path, language="es")
    assert (code, out.count("PENDIENTE")) == (0, 1)


def test_a_file_tells_both_languages_alike(file: Path, capsys: Captured) -> None:
    _, english, _ = said(capsys, file)
    _, spanish, _ = said(capsys, file, language="es")
    assert len(english.splitlines()) == len(spanish.splitlines())
    assert "CORRECTO, como se prometió" in spanish
    assert set(english.splitlines()) & set(spanish.splitlines()) == set()


def test_a_shoe_that_nobody_gave_a_seed_for_is_said_to_prove_less(capsys: Captured) -> None:
    _, out, _ = said(capsys, SAMPLE)
    assert out.count("Nobody gave a seed") == 1
    assert out.count("Seeds promised: 1; opened: 1.") == 1


def test_rounds_without_a_shoe_are_counted_and_not_called_verified(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "silent.bjh"
    path.write_text(re.sub(r"(?m)^shoe\..*\n", "", SAMPLE.read_text("utf-8").partition("[[reveal]]")[0]), "utf-8")
    code, out, _ = said(capsys, path)
    assert code == 0
    assert "0 shoes." in out
    assert "2 rounds do not say from which shoe" in out
    assert "OK" not in out


# --- tampered files -------------------------------------------------------------------------------------------------


def tampered(path: Path, pattern: str, new: str, *, nth: int = 0) -> Path:
    """The file with the nth place that matches changed."""
    text = path.read_text("utf-8")
    found = list(re.finditer(pattern, text, re.MULTILINE))[nth]
    changed = text[: found.start()] + found.expand(new) + text[found.end() :]
    assert changed != text
    other = path.with_name("tampered.bjh")
    other.write_text(changed, "utf-8")
    return other


def revealed(field: str) -> str:
    """A pattern for the first reveal up to a field's value."""
    return rf"(\[\[reveal\]\]\n(?:.+\n)*?{field})"


@pytest.mark.parametrize(
    ("what", "pattern", "new"),
    [
        ("id", revealed('id = "t'), r"\g<1>x"),
        ("rules", revealed('rules = "') + r"......", r"\g<1>ffffff"),
        ("packs", revealed(r"packs = \[") + r"1", r"\g<1>2"),
        ("commitment", revealed('commitment = "') + r"......", r"\g<1>ffffff"),
        ("seed_commitments", revealed(r'seed_commitments = \["') + r"......", r"\g<1>ffffff"),
        ("closed", revealed(r"") + r"closed = true\n", r"\g<1>"),
        ("opened", revealed(r'opened = \["') + r"......", r"\g<1>ffffff"),
        ("cut", revealed(r"cut = ") + r"\d+", r"\g<1>51"),
        ("cut outside", revealed(r"cut = ") + r"\d+", r"\g<1>52"),
        ("reshuffles", revealed(r"reshuffles = \["), r"\g<1>1, "),
        ("secret", revealed('secret = "') + r"......", r"\g<1>ffffff"),
        ("shoe.cut of a round", r"^shoe\.cut = \d+", "shoe.cut = 51"),
        ("shoe.commitment of a round", r'^shoe\.commitment = "......', 'shoe.commitment = "ffffff'),
        ("shoe.opened of a round", r"^shoe\.opened = .*", 'shoe.opened = ["", ""]'),
        ("shoe.first of a round", r"^shoe\.first = (\d+)", r"shoe.first = 1\g<1>"),
        ("a suit", r'"b1 card (10|.)[sh]"', r'"b1 card \g<1>d"'),
        ("the dealer's card", r'"dealer up (10|.)[shd]"', r'"dealer up \g<1>c"'),
    ],
)
def test_one_changed_field_is_found(file: Path, capsys: Captured, what: str, pattern: str, new: str) -> None:
    code, out, _ = said(capsys, tampered(file, pattern, new))
    assert code == 1, what
    assert "MISMATCH" in out
    assert "NO COINCIDE" in said(capsys, file.with_name("tampered.bjh"), language="es")[1]


def test_every_changed_card_is_named_with_its_line(file: Path, capsys: Captured) -> None:
    lines = file.read_text("utf-8").splitlines()
    dealt = [at for at, line in enumerate(lines) if re.match(r'  "b[123] card ', line)]
    other = file.with_name("tampered.bjh")
    for at in dealt[::9]:
        old = re.findall(r"card (\S+)\"", lines[at])[0]
        new = old[:-1] + ("c" if old[-1] != "c" else "d")
        changed = [*lines[:at], lines[at].replace(old, new), *lines[at + 1 :]]
        other.write_text("\n".join(changed) + "\n", "utf-8")
        code, out, _ = said(capsys, other)
        assert code == 1
        assert f"{other}:{at + 1}: " in out
        assert f"should be {old}, but it was {new}." in out


def test_a_round_that_does_not_come_to_its_results_is_no_proof(file: Path, capsys: Captured) -> None:
    """All cards may lie where they should, and yet the file does not tell what happened."""
    other = tampered(file, r'"b1 (hit|stand)( by bot)?"', '"b1 split"')
    code, out, _ = said(capsys, other)
    assert code == 1
    assert "MISMATCH" not in out
    assert "cannot happen here" in out


def test_a_round_left_out_is_counted_as_not_seen(file: Path, capsys: Captured) -> None:
    text = file.read_text("utf-8")
    blocks = text.split("\n[[round]]\n")
    other = file.with_name("tampered.bjh")
    other.write_text("\n[[round]]\n".join([blocks[0], *blocks[2:]]), "utf-8")
    code, out, _ = said(capsys, other)
    assert code == 0
    assert re.search(r" compared, [1-9]\d* not seen\.", out)


# --- bad files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "history.not_a_history"),
        (b"\xff\xfe", "history.not_a_history"),
        (HEADER.encode() + b"# \xff", "history.not_utf8"),
        (HEADER.encode() + b"\n[[round]]\nnumber = 1\n", "history.torn"),
        (HEADER.encode() + b"\n[[reveal]]\nid = 3\n", ""),
        (HEADER.encode() + b"\n[[round]\n", ""),
    ],
)
def test_a_file_that_does_not_read_is_refused_in_words(
    tmp_path: Path, capsys: Captured, content: bytes, told: str, language: str
) -> None:
    path = tmp_path / "bad.bjh"
    path.write_bytes(content)
    code, out, err = said(capsys, path, language=language)
    assert (code, out) == (2, "")
    assert str(path) in err
    assert "Traceback" not in err
    if told:
        assert words(language).reason(told).split("{")[0] in err


def test_no_file_and_a_folder_are_refused(tmp_path: Path, capsys: Captured) -> None:
    assert main(["verify"]) == 2
    assert "Which file?" in capsys.readouterr().err
    assert said(capsys, tmp_path / "none.bjh")[0] == 2
    assert "is a folder" in said(capsys, tmp_path)[2]
