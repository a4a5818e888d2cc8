"""History files as the page reads them: the same cards and the same verdicts as Python, or a clear refusal."""

from __future__ import annotations

import base64
import random
import re
from pathlib import Path
from typing import Any

import pytest

from tapete import history
from tapete.history import History, HistoryError, dumps
from tapete.history.checking import cards
from tapete.history.writing import HEADER
from tapete.store import Store
from tapete.terminal.verifying import findings
from tests.fair.games import SHORT, a_file
from tests.fair.scripts import answers
from tests.fair.test_scripts import plainly
from tests.history.playing import a_history
from tests.history.sample import SAMPLE

TEXT = SAMPLE.read_text("utf-8")
ODD = """_noted = 1979-05-27T07:32:00
"_a b" = "ñ \\u0001 \\" \\\\"
_lists = [[1, 2.5, inf], ['a"b'], [], {}, { _x = true, "y z" = { w = -1 } }]
_big = 0x8000000000000000
_time = 07:32:00.5
__proto__ = { polluted = true }
"""


def asked(raw: bytes | str) -> dict[str, Any]:
    whole = raw.encode() if isinstance(raw, str) else raw
    return {"do": "read", "file": base64.b64encode(whole).decode()}


def due(told: History) -> dict[str, Any]:
    """What the page should read from a history."""
    return {
        "rounds": [
            {"number": one.number, "first": one.first, "cards": [card and str(card) for card in cards(one.events)]}
            for one in told.records
        ],
        "found": [
            {"id": one.shoe.id, "rounds": len(one.rounds), **(plainly(one.verdict) or {})} for one in findings(told)
        ],
        "unnamed": sum(one.shoe is None or one.first is None for one in told.records),
    }


def test_every_history_that_tapete_writes_is_read_alike(tmp_path: Path) -> None:
    told = [a_history(random.Random(number), rounds=4) for number in range(60)]
    assert answers(tmp_path, [asked(dumps(one)) for one in told]) == [due(one) for one in told]


@pytest.mark.parametrize("table", ["casino", "british", "leaflet", "faceup", "home"])
def test_the_shoes_of_a_real_game_get_the_same_verdicts(tmp_path: Path, table: str) -> None:
    settings = SHORT if table == "casino" else ()
    with Store(tmp_path / "store") as store:
        files = [a_file(store, table, rounds=8, settings=settings, close=close) for close in (True, False)]
    found = answers(tmp_path, [asked(one.read_bytes()) for one in files])
    assert found == [due(history.load(one)) for one in files]
    assert {one["code"] for one in found[0]["found"]} == {"verdict.ok"}
    assert found[1]["found"][-1]["code"] == "verdict.pending"


def test_annotations_of_any_kind_are_passed_over(tmp_path: Path) -> None:
    text = TEXT.replace("version = 1\n", "version = 1\n" + ODD, 1).replace("[[round]]\n", "[[round]]\n" + ODD, 1)
    text = text.replace("[[reveal]]\n", "[[reveal]]\n" + ODD).replace('{ name = "Ana",', '{ _a = [{}], name = "Ana",')
    text = text.replace("shoe.cut = 150", 'shoe.cut = 150\nshoe._by = "Ana"')
    assert text.count("_noted") == 3
    plain, noted, windows = answers(tmp_path, [asked(TEXT), asked(text), asked("\ufeff" + text.replace("\n", "\r\n"))])
    assert plain == noted == windows == due(history.loads(TEXT))


# --- what is refused ------------------------------------------------------------------------------------------------


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("verify.not_ours", "number = 1\n", "number = +1\n"),
        ("verify.not_ours", "number = 1\n", "number = 1_0\n"),
        ("verify.not_ours", "number = 1\n", "number = 1 # one\n"),
        ("verify.not_ours", "number = 1\n", 'number = 1\n_note = """\nlong\n"""\n'),
        ("verify.not_ours", "number = 1\n", "number = 1\n[round.shoe]\n"),
        ("verify.not_ours", '  "b1 card 9s/1",\n', '  "b1 card 9s/1" "",\n'),
        ("verify.not_ours", '"b1 card 9s/1"', '"b1 card 9s\\/1"'),
        ("verify.not_ours", '"b1 card 9s/1"', '"b1 card \\ud800"'),
        ("history.twice", "number = 1\n", "number = 1\nnumber = 1\n"),
        ("history.twice", "shoe.first = 0\n", "shoe.first = 0\nshoe.first.x = 0\n"),
        ("toml.too_deep", "number = 1\n", "number = 1\n_n = " + "[" * 40 + "]" * 40 + "\n"),
    ],
)
def test_what_tapete_does_not_write_is_refused_with_its_line(tmp_path: Path, code: str, old: str, new: str) -> None:
    text = TEXT.replace(old, new, 1)
    [found] = answers(tmp_path, [asked(text)])
    assert found["code"] == code
    assert 0 <= found["facts"]["line"] - line_of(TEXT, old) <= 2


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("history.not_a_history", 'format = "tapete-history"', 'format = "other"'),
        ("history.version", "version = 1\n", "version = 2\n"),
        ("history.missing", "version = 1\n", "", ),
        ("history.unknown_field", "version = 1\n", "version = 1\nname = 3\n"),
        ("history.unknown_field", "number = 1\n", "number = 1\nnamber = 1\n"),
        ("history.unknown_field", "shoe.cut = 150", "shoe.cat = 150"),
        ("history.unknown_field", "shoe.cut = 150", "shoe.cut = 150\nshoe.toString = 150"),
        ("history.digest_differs", "bet_max = 1000", "bet_max = 1001"),
        ("history.digest_differs", "decks = 6\n", ""),
        ("history.rules_unknown", "[rules.1b73", "[rules.1b74"),
        ("history.missing", "bank = 6300\n", ""),
        ("history.shoe_unreadable", "shoe.cut = 150", "shoe.cut = -1"),
        ("history.shoe_unreadable", "shoe.cut = 150", "shoe.cut = 150.0"),
        ("history.shoe_unreadable", "shoe.cut = 150", "shoe.cut = true"),
        ("history.shoe_unreadable", "shoe.packs = [3, 3]", "shoe.packs = [3, 65]"),
        ("history.shoe_unreadable", "shoe.closed = true", "shoe.closed = 1"),
        ("history.shoe_unreadable", 'shoe.id = "sample-1"', 'shoe.id = "a\u202eb"'),
        ("history.shoe_unreadable", 'shoe.id = "sample-1"', f'shoe.id = "{"x" * 201}"'),
        ("history.missing", 'shoe.id = "sample-1"\n', ""),
        ("verify.value", "shoe.first = 0", "shoe.first = -1"),
        ("verify.value", "number = 1\n", 'number = "1"\n'),
        ("verify.event", '"b1 card 9s/1"', '"b1 card 1s"'),
        ("verify.event", '"b1 card 9s/1"', '"b1 cards 9s"'),
        ("verify.event", '"dealer up As"', '"dealer peeks As"'),
        ("verify.event", '"b1 hit"', '"dealer b1 hit"'),
        ("verify.event", '"b1 hit"', '"b1 hit by hand"'),
        ("verify.event", '"b1 hit"', '"b7 b1 hit"'),
        ("verify.event", '"b1 insures 300"', '"b1 insures 0300"'),
    ],
)  # fmt: skip
def test_what_is_no_history_is_refused_by_both(tmp_path: Path, code: str, old: str, new: str) -> None:
    text = TEXT.replace(old, new, 1)
    if code == "history.rules_unknown":
        text = re.sub(r"(?s)\[rules\.1b74.*?(?=\[\[round)", "", text)
    assert text != TEXT
    with pytest.raises(HistoryError):
        history.loads(text)
    [found] = answers(tmp_path, [asked(text)])
    assert found["code"] == code


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    found = answers(tmp_path, [asked(one) for one in (b"", b"\x00" * 9, b"\xff\xfe", HEADER.encode() + b"\xff")])
    assert [one["code"] for one in found] == ["history.not_a_history"] * 2 + ["history.not_utf8"] * 2


def test_a_file_that_was_cut_short_anywhere_is_never_half_read_as_whole(tmp_path: Path) -> None:
    """A round or a table of rules that lacks its end is called torn, as Python calls it; nothing is guessed."""
    begun = len(TEXT.partition("\n[[reveal]]")[0].encode())
    ends = range(len(HEADER) + 2, begun, 37)
    found = answers(tmp_path, [asked(TEXT.encode()[:end]) for end in ends])
    due_codes = [code_of(TEXT.encode()[:end]) for end in ends]
    assert set(due_codes) <= {"history.torn", "history.not_utf8", None}
    for end, due_code, one in zip(ends, due_codes, found, strict=True):
        assert one.get("code") == due_code, end
        if due_code is None:
            assert one == due(history.read(TEXT.encode()[:end]))


def code_of(raw: bytes) -> str | None:
    """Why Python refuses some bytes; None if it does not."""
    try:
        history.read(raw)
    except HistoryError as error:
        return error.code
    return None


def test_no_changed_byte_makes_the_page_see_what_python_does_not(tmp_path: Path) -> None:
    chance = random.Random(11)
    raws = [spoilt(TEXT.encode(), chance) for _ in range(600)]
    sound = 0
    for raw, one in zip(raws, answers(tmp_path, [asked(raw) for raw in raws]), strict=True):
        if code_of(raw) is None:
            sound += 1
            assert one == due(history.read(raw)) or one["code"] == "verify.not_ours", raw
    assert sound > 20


def spoilt(raw: bytes, chance: random.Random) -> bytes:
    other = bytearray(raw)
    for _ in range(chance.choice([1, 1, 2])):
        other[chance.randrange(len(other))] = chance.choice(b'0123456789abcdef"[]{}=,.\n _shx/\\')
    return bytes(other)
