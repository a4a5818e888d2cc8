"""History files: a round trip loses nothing, and every kind of bad file is refused with its line."""

from __future__ import annotations

import os
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete import fairness, history, rulefile
from tapete.errors import TapeteError
from tapete.history import History, HistoryError, Record, anonymous, dumps, loads, read, replay, shoes_of, validate
from tapete.history.reading import MAX_BYTES, load
from tapete.history.records import Notes
from tapete.rulecheck import faults
from tapete.rules import KEYS, Value, digest, with_
from tapete.rulevalues import KINDS
from tapete.stakes import REASONS
from tapete.state import Round
from tapete.words import words
from tests.history import sample as samples
from tests.history.playing import NAMES, a_history, a_round

SAMPLE = samples.SAMPLE.read_text("utf-8")
LINES = SAMPLE.splitlines()
SEEDS = st.integers(0, 2**32)


def line_of(text: str, *, nth: int = 1) -> int:
    """The line of the sample that holds ``text``, from 1."""
    return [number for number, line in enumerate(LINES, 1) if text in line][nth - 1]


def refused(text: str | bytes) -> HistoryError:
    """How a text is refused, be it when it is read or when it is replayed."""
    with pytest.raises(HistoryError) as caught:
        validate(read(text if isinstance(text, bytes) else text.encode()))
    for language in ("en", "es"):
        assert "{" not in words(language).explain(caught.value).replace("{…}", "")
    return caught.value


def edited(old: str, new: str, *, nth: int = 1) -> tuple[str, int]:
    """The sample with one text changed, and the line where that is."""
    line = line_of(old, nth=nth)
    return "\n".join([*LINES[: line - 1], LINES[line - 1].replace(old, new, 1), *LINES[line:]]) + "\n", line


# --- the round trip -------------------------------------------------------------------------------------------------


@given(SEEDS)
def test_a_history_survives_the_file(seed: int) -> None:
    told = a_history(random.Random(seed))
    text = dumps(told)
    assert loads(text) == told
    assert dumps(loads(text)) == text
    validate(loads(text))


@given(SEEDS)
def test_an_export_names_nobody_and_replays_to_the_same_money(seed: int) -> None:
    told = a_history(random.Random(seed), rounds=1)
    text = dumps(anonymous(told))
    lock = loads(text).records[0].lock
    assert {name for name, _ in lock.spare}.isdisjoint(NAMES)
    assert {box.holder for box in lock.boxes} <= {f"box{box.box}" for box in lock.boxes}
    validate(loads(text))
    assert [one.net for one in loads(text).records[0].statements] == [one.net for one in told.records[0].statements]


def test_an_export_keeps_the_names_it_is_told_to_keep() -> None:
    told = anonymous(loads(SAMPLE), keep={"Ana"})
    assert [name for name, _ in told.records[0].lock.spare] == ["Ana", "box3", "box3-backer1"]
    assert "Luis" not in dumps(told)
    assert "Eva" not in dumps(told)


def test_somebody_really_called_box3_is_not_mistaken_for_the_holder_of_box_3() -> None:
    text = SAMPLE.replace('"Ana"', '"box3"')
    told = anonymous(loads(text), keep={"box3"})
    names = [name for name, _ in told.records[0].lock.spare]
    assert len(set(names)) == 3
    validate(loads(dumps(told)))


@given(SEEDS)
def test_a_log_without_the_hole_card_replays_to_the_same_state(seed: int) -> None:
    """The hole card is ``??`` in every log; what it was comes out only if it was turned."""
    chance = random.Random(seed)
    record = a_round(rulefile.preset("home"), chance)
    ends = [list(replay(one))[-1].round_ for one in (record, loads(dumps(History.of([record]))).records[0])]
    assert ends[0] == ends[1]
    assert isinstance(ends[0], Round)
    assert "hole ??" in dumps(History.of([record])) or record.statements[0].reason == "void"


def test_the_sample_is_as_it_would_be_written() -> None:
    assert dumps(loads(SAMPLE)) == SAMPLE == dumps(samples.sample()), "run: python -m tests.history.sample"


def test_the_sample_can_be_checked_against_its_shoe() -> None:
    validate(loads(SAMPLE))
    told = {name: fairness.verify(shoe, dealt).code for name, (shoe, dealt) in shoes_of(loads(SAMPLE)).items()}
    assert told == {"sample-1": "verdict.ok", "sample-2": "verdict.pending"}


def test_a_card_exchanged_together_with_its_results_is_found_once_the_secret_is_out() -> None:
    text, _ = edited("dealer draws 4d/1", "dealer draws 4c/1")
    validate(loads(text))
    shoe, dealt = shoes_of(loads(text))["sample-1"]
    assert fairness.verify(shoe, dealt).code == "verdict.card"


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm() -> None:
    assert read(b"\xef\xbb\xbf" + SAMPLE.replace("\n", "\r\n").encode()) == loads(SAMPLE)


def test_sub_tables_and_other_spellings_of_the_same_toml_are_read() -> None:
    digest = loads(SAMPLE).records[1].table.digest
    loose = re.sub(r"split\.(\w+) = ", r"\1 = ", SAMPLE[SAMPLE.index(f"[rules.{digest}]") :])
    at = loose.index("match = ")
    end = loose.index("hit_21")
    tail = loose.index("\n\n", end)
    moved = loose[:at] + loose[end:tail] + f"\n[rules.{digest}.split]\n" + loose[at:end] + loose[tail:]
    assert loads(SAMPLE[: SAMPLE.index(f"[rules.{digest}]")] + moved) == loads(SAMPLE)


# --- annotations ----------------------------------------------------------------------------------------------------

ANNOTATED = [
    ("version = 1", '_by = "me"'),
    ('id = "leaflet"', "_why = { a = [1, 2.50, 2024-05-03], b = { c = true } }"),
    ("bet_max = 1000", 'insurance._note = "x"'),
    ("number = 2", "_played = 2024-05-03T21:14:00Z\n_odd = [nan, -inf, 1.0, 07:32:00, '''it's \"so\"''']"),
    ("shoe.first", "shoe._seen = 3"),
]


@pytest.mark.parametrize(("below", "note"), ANNOTATED)
def test_an_annotation_survives_a_round_trip(below: str, note: str) -> None:
    line = line_of(below)
    noted = "\n".join([*LINES[:line], note, *LINES[line:]]) + "\n"
    told = loads(noted)
    validate(told)
    assert str(loads(dumps(told))) == str(told)
    assert dumps(loads(dumps(told))) == dumps(told) != SAMPLE
    assert dumps(told).count("_") == SAMPLE.count("_") + note.replace("'''", "").count("_")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('holder = "Luis"', 'holder = "Luis", _colour = "red"'),
        ("consent = true", "consent = true, _odd = 1.50"),
        ('name = "Ana"', '_x = 1, name = "Ana"'),
        ("net = 700", "net = 700, _ev = -0.0050"),
        ('reason = "win"', 'reason = "win", _clock = 12.5'),
        ("number = 2", "number = 2\n_big = 0xffffffffffffffffffff"),
        ('secret = "', '_when = 2024-05-03\nsecret = "'),
    ],
)
def test_an_annotation_within_a_line_survives_too(old: str, new: str) -> None:
    told = loads(edited(old, new)[0])
    validate(told)
    assert loads(dumps(told)) == told
    assert dumps(told) != SAMPLE
    assert dumps(loads(dumps(told))) == dumps(told)


def test_annotations_do_not_leave_with_an_export_that_names_nobody() -> None:
    told = loads(edited("number = 1", 'number = 1\n_comment = "Luis was late"')[0])
    assert "late" in dumps(told)
    assert "late" not in dumps(anonymous(told))


def test_notes_of_a_record_can_be_given_when_it_is_made() -> None:
    notes: Notes = {("_at",): "noon", ("boxes", 0, "_hat"): True}
    told = replace(loads(SAMPLE).records[0], notes=notes)
    assert loads(dumps(History.of([told]))).records[0].notes == notes


# --- files that cannot be ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("version = 1", "version = 2", "history.version"),
        ("version = 1", "version = true", "history.value"),
        ("version = 1", 'version = "1"', "history.value"),
        ('id = "leaflet"', "id = 5", "history.value"),
        ("decks = 6", "decks = 0", "history.rules_faulty"),
        ('tie = "push"', 'tie = "maybe"', "history.rules_faulty"),
        ("split.max_hands", "split.max_hand", "history.unknown_field_near"),
        ("hit_21 = ", "xyzzy = ", "history.unknown_field"),
        ("version = 1", "verson = 1", "history.unknown_field_near"),
        ("number = 1", "number = -1", "history.value"),
        ("number = 1", "number = 1.0", "history.value"),
        ("number = 1", "nummer = 1", "history.unknown_field_near"),
        ('rules = "1b73', 'rules = "0b73', "history.rules_unknown"),
        ("shoe.packs = [3, 3]", "shoe.packs = 6", "history.shoe_unreadable"),
        ("shoe.commitment", "shoe.comitment", "history.unknown_field_near"),
        ('shoe.commitment = "f', 'shoe.commitment = "x', "history.shoe_unreadable"),
        ("shoe.first = 0", "shoe.first = -1", "history.value"),
        ('name = "Ana"', 'name = ""', "history.value"),
        ('name = "Ana"', 'name = "\\u0007"', "history.value"),
        ('name = "Ana"', f'name = "{"a" * 41}"', "history.value"),
        ("spare = 50000", "spare = -1", "history.value"),
        ("spare = 50000", "spare = 1e5", "history.value"),
        ("spare = 50000", "spare = nan", "history.value"),
        ("spare = 50000", "spare = 1000000000000000000000", "history.value"),
        ("stake = 1000", "stake = 1050", "history.lock_refused"),
        ("stake = 1000", "stake = 0", "history.lock_refused"),
        ("stake = 1000", "steak = 1000", "history.unknown_field_near"),
        ("stake = 500, consent = true", "stake = 500, consent = false", "history.lock_refused"),
        ("consent = true", "consent = 1", "history.value"),
        ("b1 card 9s/1", "b1 card 9x/1", "history.event_unreadable"),
        ("b1 card 9s/1", "b2 card 9s/1", "history.event_refused"),
        ("b1 hit", "b1 double", "history.event_refused"),
        ("b3 split", "b3 retires", "history.event_refused"),
        ("b1 insures 300", "b1 insures 550", "history.event_refused"),
        ("Eva María\" b3 matches", "Ana\" b3 matches", "history.event_refused"),
        ("net = 700", "net = 800", "history.totals"),
        ("bank = 6300", "bank = 6200", "history.totals"),
        ('reason = "win"', 'reason = "luck"', "history.value"),
        ('reason = "win"', 'reason = "push"', "history.result_differs"),
        ("total = 19", "total = 20", "history.result_differs"),
        ("total = 19, dealer = 18", "dealer = 18", "history.result_differs"),
    ],
)  # fmt: skip
def test_an_edited_file_is_refused_at_the_line_that_was_edited(old: str, new: str, code: str) -> None:
    text, line = edited(old, new)
    error = refused(text)
    assert (error.code, error.line) == (code, line)


@pytest.mark.parametrize(
    ("old", "new", "code", "where"),
    [
        ("version = 1", "_ersion = 1", "history.missing", "format"),
        ("decks = 6", "decks = 7", "history.rules_faulty", "back_colours"),
        ("cut_card_left = 78", "cut_card_left = 77", "history.digest_differs", "[rules.1b73"),
        ("net = -300, reason", "net = 300, reason", "history.totals", "net = 700"),
        ("dealer draws 3s/1", "void operator", "history.event_refused", "dealer draws 4d/1"),
        ("b3 card 8h/1", "b3 card 7h/1", "history.event_refused", "b3 split"),
    ],
)
def test_an_edit_that_shows_elsewhere_is_refused_where_it_shows(old: str, new: str, code: str, where: str) -> None:
    error = refused(edited(old, new)[0])
    assert (error.code, error.line) == (code, line_of(where))


def test_a_removed_result_is_noticed() -> None:
    """And the totals with it, so that the file agrees with itself."""
    text = edited("net = 700", "net = -300")[0].replace("bank = 6300", "bank = 7300")
    lines = [line for line in text.splitlines() if 'reason = "win"' not in line]
    error = refused("\n".join(lines) + "\n")
    assert (error.code, error.line) == ("history.result_differs", line_of("results"))


def test_an_invented_result_is_noticed() -> None:
    line = line_of('reason = "win"')
    more = LINES[line - 1].replace("net = 1000", "net = 0")
    error = refused("\n".join([*LINES[:line], more, *LINES[line:]]) + "\n")
    assert (error.code, error.line) == ("history.result_differs", line + 1)


def test_a_round_without_its_last_event_is_not_over() -> None:
    line = line_of("dealer draws 4d")
    error = refused("\n".join([*LINES[: line - 1], *LINES[line:]]) + "\n")
    assert (error.code, error.line) == ("history.unfinished", line - 1)


def test_an_event_behind_the_end_is_refused() -> None:
    line = line_of("dealer draws 4d")
    error = refused("\n".join([*LINES[:line], '  "dealer draws 2c",', *LINES[line:]]) + "\n")
    assert (error.code, error.line) == ("history.event_refused", line + 1)
    assert isinstance(error.__cause__, TapeteError)
    assert error.__cause__.code == "round.over"


def test_rules_that_come_too_late_are_not_known() -> None:
    at = SAMPLE.index("\n[[round]]")
    behind = SAMPLE.index("\n[rules.925f")
    rules = SAMPLE[SAMPLE.index("[rules.1b73") : at]
    error = refused(SAMPLE[: SAMPLE.index("[rules.1b73")] + SAMPLE[at + 1 : behind] + "\n" + rules + SAMPLE[behind:])
    assert error.code == "history.rules_unknown"


@pytest.mark.parametrize("block", ["rules.1b73", "[round]", "[reveal]"])
def test_a_block_told_twice_under_one_header_is_refused(block: str) -> None:
    line = line_of(f"[{block}")
    header = LINES[line - 1]
    error = refused(SAMPLE + (f"\n{header}\n" if "rules" in block else f"\n{header}\n_x = 1\n{header[1:-1]}\n"))
    assert error.code in (
        "history.twice",
        "history.missing",
        "history.torn",
        "toml.unreadable",
        "history.shoe_unreadable",
    )
    assert error.line is not None
    assert error.line > len(LINES)


def test_rules_told_twice_are_refused() -> None:
    start = SAMPLE.index("[rules.925f")
    end = SAMPLE.index("\n[[round]]", start)
    error = refused(SAMPLE + "\n" + SAMPLE[start:end])
    assert (error.code, error.line) == ("history.twice", len(LINES) + 2)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "history.not_a_history", 1),
        ("decks = 6\n", "history.not_a_history", 1),
        ('format = "phh"\nversion = 1\n', "history.not_a_history", 1),
        ('format = "tapete-history"\n', "history.missing", 1),
        ('format = "tapete-history"\nversion = 1\nround = 3\n', "history.unknown_field", 3),
        ('format = "tapete-history"\nversion = 1\nthis is not toml\n', "toml.unreadable", 3),
        ('format = "tapete-history"\nversion = 1\nversion = 1\n', "toml.unreadable", 3),
        ('format = "tapete-history"\nversion = 1\n_x = "' + "\\u0000" + '"\n[[round]]\n_y = 1\n', "history.torn", 5),
        ('format = "tapete-history"\nversion = 1\n_x = ' + "[" * 100 + "]" * 100 + "\n", "toml.too_deep", 3),
        ('format = "tapete-history"\nversion = 1\n' + "_a." * 100 + "b = 1\n", "toml.too_deep", 3),
        ('format = "tapete-history"\nversion = 1\n[[round]]\n[[round]]\n', "history.missing", 3),
        ('format = "tapete-history"\nversion = 1\n_x = 1\n[[reveal]]\n_x = 2\n[_x]\n', "history.twice", 6),
        ('format = "tapete-history"\nversion = 1\n[rules.x]\nid = "a"\n[[reveal]]\n', "history.missing", 3),
        ('format = "tapete-history"\nversion = 1\n[rules]\nx = 1\n', "history.value", 4),
        ('format = "tapete-history"\nversion = 1\n_x = ' + "9" * 5000 + "\n", "toml.unreadable", 3),
    ],
)
def test_what_is_no_history_is_refused_with_its_line(text: str, code: str, line: int) -> None:
    error = refused(text)
    assert (error.code, error.line) == (code, line)


@pytest.mark.parametrize(
    ("raw", "code", "line"),
    [
        (SAMPLE.encode().replace(b"Eva", b"\xff\xfe", 1), "history.not_utf8", line_of("Eva")),
        (SAMPLE.encode().replace(b"Eva", b"E\0a", 1), "history.has_nul", line_of("Eva")),
        (SAMPLE.encode("utf-16"), "history.not_a_history", 1),
        (SAMPLE.encode("latin-1"), "history.not_utf8", line_of("Eva")),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_their_line(raw: bytes, code: str, line: int) -> None:
    error = refused(raw)
    assert (error.code, error.line) == (code, line)


@pytest.mark.parametrize(
    "noise",
    [
        b"\x00\x01\xfe" * (50 << 18),
        b"[" * (50 << 20),
        b'"' * (50 << 20),
        b"a." * (25 << 20),
        b"#\n" * (25 << 20),
        b"[[round]]\n" * (5 << 20),
        b"_a = [[[[[\n" * (5 << 20),
    ],
    ids=["bytes", "brackets", "quotes", "dots", "comments", "headers", "arrays"],
)
def test_fifty_megabytes_of_noise_are_refused(noise: bytes) -> None:
    assert refused(noise).code == "history.not_a_history"
    assert refused(b'format = "tapete-history"\nversion = 1\n' + noise).line is not None


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.bjh"
    with path.open("wb") as opened:
        opened.write(b'format = "tapete-history"\n')
        opened.truncate(MAX_BYTES + 1)
    with pytest.raises(HistoryError, match=r"history\.file_too_big"):
        load(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, code in (
        (tmp_path / "none.bjh", "history.file_missing"),
        (tmp_path, "history.file_is_folder"),
        (tmp_path / "pipe", "history.file_not_regular"),
        (tmp_path / ("x" * 300), "history.file_unreadable"),
        (tmp_path / "nul\0", "history.file_unreadable"),
    ):
        with pytest.raises(HistoryError) as caught:
            load(path)
        assert caught.value.code == code


def test_a_file_cut_short_anywhere_is_refused_or_holds_only_whole_rounds() -> None:
    raw = SAMPLE.encode()
    whole = loads(SAMPLE)
    begins = [raw.index(b"[rules.1b73"), raw.index(b"[rules.925f")]
    for end in range(begins[1] + 200, len(raw), 7):
        told, code = attempt(raw[:end])
        if told is None:
            assert code in ("history.torn", "history.not_utf8", "history.shoe_unreadable"), end
        else:
            validate(told)
            assert told.records == whole.records[: len(told.records)]


def attempt(raw: bytes) -> tuple[History | None, str]:
    try:
        return read(raw), ""
    except HistoryError as error:
        return None, error.code


# --- tampering ------------------------------------------------------------------------------------------------------

HARMLESS = re.compile(r"^(title\.|id = \"(leaflet|home)\"|number = |\]|$)")
"""Lines that say nothing about cards or money."""


def outcome(text: str) -> tuple[object, ...]:
    """What a file says about cards and money; raises HistoryError if it does not hold."""
    told = loads(text)
    validate(told)
    for name, (shoe, dealt) in shoes_of(told).items():
        if fairness.verify(shoe, dealt).outcome == "mismatch":
            raise HistoryError("history.shoe_differs", shoe=name)
    return tuple((one.table.rules, one.lock, one.events, one.statements, one.shoe, one.first) for one in told.records)


@pytest.mark.parametrize("number", range(1, len(LINES) + 1))
def test_a_line_taken_out_is_noticed_or_harmless(number: int) -> None:
    try:
        told = outcome("\n".join([*LINES[: number - 1], *LINES[number:]]) + "\n")
    except HistoryError:
        return
    line = LINES[number - 1]
    assert told == outcome(SAMPLE) or HARMLESS.match(line) or line.startswith(("shoe.", "secret", "opened", "cut"))


@given(st.integers(1, len(LINES)), st.data())
def test_a_digit_changed_is_noticed_or_harmless(number: int, data: st.DataObject) -> None:
    line = LINES[number - 1]
    digits = [at for at, one in enumerate(line) if one.isdecimal()]
    if not digits:
        return
    at = data.draw(st.sampled_from(digits))
    new = data.draw(st.sampled_from([one for one in "0123456789" if one != line[at]]))
    try:
        told = outcome("\n".join([*LINES[: number - 1], line[:at] + new + line[at + 1 :], *LINES[number:]]) + "\n")
    except HistoryError:
        return
    assert told == outcome(SAMPLE) or may_differ(line)


def may_differ(line: str) -> bool:
    """Whether a file with this line changed may hold as well: what nothing in the file can contradict.

    The spare chips, as long as they suffice; the cards and the shoe of a round whose secret is not out, where another
    card gives the same results.
    """
    return "spare" in line or "shoe." in line or "card" in line or "dealer" in line or "number" in line


def test_every_result_edited_alone_is_noticed() -> None:
    for number, line in enumerate(LINES, 1):
        for found in re.finditer(r"(box|hand|stake|net|total|dealer) = (-?\d+)", line):
            if "reason" in line:
                changed = line[: found.start(2)] + str(int(found[2]) + 1) + line[found.end(2) :]
                error = refused("\n".join([*LINES[: number - 1], changed, *LINES[number:]]) + "\n")
                assert error.code in ("history.totals", "history.result_differs")


def test_shoes_that_contradict_each_other_are_noticed() -> None:
    text, line = edited('commitment = "f8d4', 'commitment = "08d4', nth=2)
    error = refused(text)
    assert (error.code, error.line) == ("history.shoe_differs", line_of("[[reveal]]"))
    assert line > line_of("[[reveal]]")


def test_a_shoe_of_other_rules_is_noticed() -> None:
    text, line = edited('shoe.rules = "925f', 'shoe.rules = "025f')
    error = refused(text)
    assert error.code == "history.shoe_rules"
    assert error.line is not None
    assert line_of("shoe.id", nth=2) <= error.line <= line


# --- what other programs see ---------------------------------------------------------------------------------------


def test_a_record_of_a_round_in_play_is_refused() -> None:
    first = next(iter(replay(loads(SAMPLE).records[0]))).round_
    with pytest.raises(TapeteError, match=r"history\.round_open"):
        history.record_of(first, (), number=1, table=rulefile.preset("leaflet"))


def test_a_replay_tells_every_line_of_the_file() -> None:
    record: Record = loads(SAMPLE).records[0]
    told = [step.text for step in replay(record)][1:]
    assert told == [
        line.strip(" ,")[1:-1] for line in LINES[LINES.index("events = [") + 1 : LINES.index("totals = [") - 1]
    ]


DOC = samples.PAGE.read_text("utf-8")


def test_the_file_of_the_specification_holds() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", DOC, re.DOTALL)
    told = loads(text)
    validate(told)
    assert dumps(told) == text


def test_the_specification_knows_every_reason_and_every_field() -> None:
    assert [reason for reason in REASONS if f"| `{reason}` |" not in DOC] == []
    names = set(
        re.findall(r"(?:^|[{ ])([a-z]+)(?: =|\.)", SAMPLE[SAMPLE.index("[[round]]") : SAMPLE.index("\n[rules.925f")])
    )
    assert [name for name in names if f"`{name}`" not in DOC] == []


def values(key: str) -> list[Value]:
    """Some values of a switch: all its words, both flags, and a few of its range."""
    kind = KINDS[key]
    numbers: dict[str, list[Value]] = {
        "whole": [kind.low, kind.low + 1, kind.high],
        "amount": [kind.low, 50, 300, 1234, kind.high],
        "flag": [True, False],
        "ratio": [(1, 2), (1, 1), (6, 5), (3, 2)],
        "set": [(), (9, 10, 11), (kind.low,)],
        "colours": [(3, 3), (6,), (1, 2, 3)],
        "text": ["2", "v 1.0 ñ"],
    }
    return [*kind.words, *numbers.get(kind.shape, []), *([None] if kind.optional else [])]


@pytest.mark.parametrize("key", KEYS)
def test_every_value_of_every_switch_survives_the_file(key: str) -> None:
    made = [with_(rulefile.preset(name).rules, {key: value}) for name in rulefile.FOUNDING for value in values(key)]
    possible = [rules for rules in made if not faults(rules)]
    assert possible
    told = History(tables={digest(rules): history.Table(rules=rules) for rules in possible})
    assert loads(dumps(told)) == told
