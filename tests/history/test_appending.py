"""Rounds added to a file: whatever crash comes, the rounds in it stay, and the next one makes it whole again."""

from __future__ import annotations

import errno
import os
import random
import stat
from pathlib import Path

import pytest

from tapete import rulefile
from tapete.errors import BadInput
from tapete.history import HistoryError, append_reveal, append_round, load, loads, read, validate
from tapete.history.records import Record
from tapete.history.writing import HEADER
from tests.history import sample as samples
from tests.history.playing import a_round

SAMPLE = samples.SAMPLE.read_text("utf-8")
FIRST, SECOND = loads(SAMPLE).records


def rounds(count: int, table: str = "leaflet") -> list[Record]:
    chance = random.Random(count)
    return [a_round(rulefile.preset(table), chance, number=number) for number in range(1, count + 1)]


def test_rounds_added_one_by_one_make_a_file_that_holds(tmp_path: Path) -> None:
    path = tmp_path / "table.bjh"
    every = [*rounds(3), *rounds(2, "home"), *rounds(2)]
    assert [append_round(path, one) for one in every] == [0] * 7
    assert load(path).records == tuple(every)
    validate(load(path))
    assert path.read_text("utf-8").count("[rules.") == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_secret_of_a_shoe_is_added_when_it_is_out(tmp_path: Path) -> None:
    path = tmp_path / "table.bjh"
    append_round(path, FIRST)
    append_reveal(path, loads(SAMPLE).reveals[0])
    append_round(path, SECOND)
    assert load(path) == loads(SAMPLE)


def test_a_round_is_added_to_a_file_that_a_person_wrote(tmp_path: Path) -> None:
    """With blanks in the headers, and without a line end behind the last line."""
    path = tmp_path / "table.bjh"
    loose = (
        SAMPLE[: SAMPLE.index("\n[[reveal]]")].replace("[[round]]", " [[ round ]] ").replace("[rules.", "[ rules . ")
    )
    path.write_text(loose.rstrip(), "utf-8")
    append_round(path, SECOND)
    assert [one.number for one in load(path).records] == [1, 2, 2]
    validate(load(path))


@pytest.mark.parametrize("step", [1, 97])
def test_a_crash_at_any_byte_loses_only_the_round_being_written(tmp_path: Path, step: int) -> None:
    path = tmp_path / "table.bjh"
    append_round(path, FIRST)
    before = path.read_bytes()
    append_round(path, SECOND)
    whole = path.read_bytes()
    ends = range(len(whole) - 60, len(whole)) if step == 1 else range(len(before), len(whole), step)
    for end in ends:
        path.write_bytes(whole[:end])
        torn = append_round(path, SECOND)
        told = load(path)
        validate(told)
        assert told.records in ((FIRST, SECOND), (FIRST, SECOND, SECOND))
        assert path.read_bytes().startswith(before)
        assert (torn > 0) == (b"# torn: " in path.read_bytes())
        assert not list(tmp_path.glob("*.repair"))


def test_a_crash_while_the_file_is_begun_leaves_a_file_that_can_be_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "table.bjh"
    append_round(path, FIRST)
    whole = path.read_bytes()
    for end in [*range(len(HEADER) + 60), *range(len(HEADER) + 60, len(whole), 83)]:
        path.write_bytes(whole[:end])
        append_round(path, FIRST)
        assert load(path).records == (FIRST,), end
        validate(load(path))


def test_check_tells_where_a_file_breaks_off_and_the_next_round_keeps_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "table.bjh"
    append_round(path, FIRST)
    append_round(path, SECOND)
    text = path.read_text("utf-8")
    path.write_text(text[: text.index("dealer turns")], "utf-8")
    with pytest.raises(HistoryError) as caught:
        load(path)
    assert caught.value.code == "history.torn"
    assert caught.value.line == path.read_text("utf-8").count("\n") + 1
    assert append_round(path, SECOND) > 0
    assert '# torn:   "b2 split"' in path.read_text("utf-8")


def test_a_tail_of_zeros_after_a_power_cut_is_no_round(tmp_path: Path) -> None:
    path = tmp_path / "table.bjh"
    append_round(path, FIRST)
    with path.open("ab") as opened:
        opened.write(b"\0" * 4096)
    with pytest.raises(HistoryError, match=r"history\.has_nul"):
        load(path)
    append_round(path, SECOND)
    assert load(path).records[-1] == SECOND
    validate(load(path))


@pytest.mark.parametrize("content", [b"decks = 6\n", b"\x89PNG", b'format = "phh"\n', b"f\n"])
def test_a_file_of_another_kind_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.bjh"
    path.write_bytes(content)
    with pytest.raises(HistoryError, match=r"history\.not_a_history"):
        append_round(path, FIRST)
    assert path.read_bytes() == content


def test_what_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"data\."):
        append_round(tmp_path, FIRST)
    with pytest.raises(BadInput, match=r"data\."):
        append_round(tmp_path / "none" / "table.bjh", FIRST)


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk takes half of the round and then no more."""
    path = tmp_path / "table.bjh"
    append_round(path, FIRST)
    before, write = path.read_bytes(), os.write

    def half(handle: int, text: bytes) -> int:
        if len(text) < 700:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, text[: len(text) // 2])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(BadInput, match=r"data\.full"):
        append_round(path, SECOND)
    monkeypatch.undo()
    assert path.read_bytes() == before
    append_round(path, SECOND)
    validate(read(path.read_bytes()))
