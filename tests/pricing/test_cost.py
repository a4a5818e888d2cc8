"""``tapete cost`` and ``tapete compare``: what rules are worth, in words, as JSON and as a picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from tapete.exact.analysis import analyse
from tapete.pricing import bars, comparing, costs, priced
from tapete.pricing.costs import NO_PRICE, Costs
from tapete.rulecheck import faults, idle
from tapete.rulefile import preset, resolve
from tapete.rules import KEYS, RuleSet, digest, docs, get, with_
from tapete.rulevalues import KINDS
from tapete.terminal.talk import Talk
from tapete.words import LANGUAGES, words
from tests.laws.worlds import values
from tests.pricing.saying import spoken, told

FIVE = ("casino", "british", "leaflet", "faceup", "home")


# --- cost -----------------------------------------------------------------------------------------------------------


def test_a_rule_costs_the_difference_of_two_tables(capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(capsys, "cost", "casino", "--only", "dealer_soft17", "--only", "double.after_split")
    hit = analyse(resolve("casino", ["dealer_soft17=hit"]).rules)
    now = analyse(preset("casino").rules)
    assert answer["ev"] == float(now.ev)
    found = {one["key"]: one for one in answer["changes"]}
    assert set(found) == {"dealer_soft17", "double.after_split"}
    assert found["dealer_soft17"]["gain"] == pytest.approx(float(hit.ev - now.ev), abs=1e-15)
    assert found["dealer_soft17"]["rules"] == digest(hit.rules)
    assert answer["complete"] is True


@pytest.mark.parametrize("language", LANGUAGES)
def test_costs_are_told_from_the_best_for_the_player_to_the_worst(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = spoken(capsys, "cost", "casino", "--only", "bj_pays", "--only", "dealer_soft17", "--lang", language)
    gains = [float(one.replace(",", ".")) for one in re.findall(r"^ *([+-]\d+[.,]\d{4}) %", said, re.MULTILINE)]
    assert gains == sorted(gains, reverse=True)
    assert len(gains) == 5
    assert "[bj_pays=6:5]" in said
    expected = {"en": "Blackjack pays 6 to 5", "es": "El blackjack se paga 6 a 5"}[language]
    assert expected.split()[0] in said


@pytest.mark.parametrize("name", FIVE)
def test_every_change_that_is_priced_makes_a_table_that_can_be_played(name: str) -> None:
    rules = preset(name).rules
    found = costs.possible(rules)
    assert found
    for one in found:
        assert not faults(one.rules)
        assert get(one.rules, one.key) == one.value != get(rules, one.key)
        assert all(get(one.rules, key) != get(rules, key) for key in one.along)
    keys = {one.key for one in found}
    silent = {key for key in KEYS if key not in NO_PRICE and key not in keys}
    stuck = {key for key in silent - set(idle(rules)) if any(_plays(rules, key, value) for value in costs.values(key))}
    assert stuck == set(), "a rule that could be changed has no price"


def _plays(rules: RuleSet, key: str, value: object) -> bool:
    return value != get(rules, key) and not faults(with_(rules, {key: value}))


def test_what_has_no_price_changes_nothing() -> None:
    rules = with_(preset("american-h17").rules, {"split.max_hands": 2})
    due = analyse(rules).ev
    tried = 0
    for key in sorted(NO_PRICE):
        for value in values(key) if KINDS[key].shape not in ("text", "colours") else ():
            if _plays(rules, key, value):
                tried += 1
                assert analyse(with_(rules, {key: value})).ev == due, key
                break
    assert tried >= 10


def test_what_has_no_price_says_so_in_its_docs() -> None:
    for key in NO_PRICE - {"shuffle", "cut_card_left", "bet_behind.follow", "bet_behind.insure"}:
        assert "No edge" in docs()[key], key
    # Of the others the docs say that they favour who counts the shoe, or a backer.
    assert {key for key in KEYS if "No edge" in docs()[key]} - NO_PRICE == {"hit_21"}


def test_ctrl_c_tells_what_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    table = priced.table("casino")

    def interrupted() -> Iterator[Costs]:
        for done in costs.costs(table, "cdz", ["dealer_soft17", "bj_tie"]):
            if len(done.changes) == 2:
                raise KeyboardInterrupt
            yield done

    found = costs.gather(interrupted(), progress=True)
    assert (len(found.changes), found.many) == (1, 3)
    costs.tell(found, Talk(words("en")))
    out, error = capsys.readouterr()
    assert "Stopped after 1 of 3 changes." in out
    assert "1/3" in error
    assert costs.as_json(found)["complete"] is False


# --- the picture ----------------------------------------------------------------------------------------------------


def _guessed(name: str) -> Costs:
    """All changes of a table, with gains as far apart as they really are, without counting them."""
    table = priced.table(name)
    changes = costs.possible(table.rules)
    gains = [(-1) ** at * 0.12 / 1.25**at for at in range(len(changes))]
    told_ = tuple(one._replace(gain=gain) for one, gain in zip(changes, gains, strict=True))
    return Costs(table, "cdz", -0.01, told_, len(told_))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["faceup", "home"])
def test_every_word_of_the_picture_is_on_the_page_and_on_no_other(name: str, language: str) -> None:
    found = _guessed(name)
    figure = bars.page(found, words(language))
    canvas = FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    wide, tall = canvas.get_width_height()
    axes = figure.axes[0]
    labels = [one.get_window_extent() for one in axes.get_yticklabels()]
    assert len(labels) == len(costs.ordered(found))
    for box in (*labels, *(one.get_window_extent() for one in (*figure.texts, *axes.texts))):
        assert box.x0 >= 0
        assert box.x1 <= wide
        assert box.y0 >= 0
        assert box.y1 <= tall
    for above, below in pairwise(labels):
        assert below.y1 <= above.y0 + 1.5
    assert all(float(one.get_fontsize()) >= 5 for one in (*axes.get_yticklabels(), *axes.texts)), "too small to read"


def test_pictures_are_drawn_by_their_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bars.PNG"
    spoken(capsys, "cost", "casino", "--only", "bj_tie", "--picture", str(file))
    assert file.read_bytes().startswith(b"\x89PNG")
    found = _guessed("casino")
    for ending, begins in ((".svg", b"<?xml"), (".pdf", b"%PDF")):
        bars.draw(found, words("es"), str(tmp_path / f"bars{ending}"))
        once = (tmp_path / f"bars{ending}").read_bytes()
        assert once.startswith(begins)
        bars.draw(found, words("es"), str(tmp_path / f"bars{ending}"))
        assert (tmp_path / f"bars{ending}").read_bytes() == once, "the same picture is another file"


# --- compare --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_stand_side_by_side_with_what_differs(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = spoken(capsys, "compare", "casino", "british", "--lang", language)
    for name in ("casino", "british"):
        edge = f"{100 * priced.price(preset(name).rules, priced.table(name).shoe, 'td').house_edge:.6f} %"
        assert edge.replace(".", "," if language == "es" else ".") in said
    assert re.search(r"^split\.aces_cards$", said, re.MULTILINE)
    assert "dealer_soft17" not in said


def test_the_comparison_in_json_has_every_digit(capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(capsys, "compare", "casino", "british")
    assert [one["table"] for one in answer["tables"]] == ["casino", "british"]
    assert answer["tables"][0]["ev"]["cdz"] == float(analyse(preset("casino").rules).ev)
    assert answer["tables"][0]["sd"] == pytest.approx(1.1052, abs=1e-4)
    assert "split.aces_cards" in answer["differing"]


def test_a_table_is_like_itself(capsys: pytest.CaptureFixture[str]) -> None:
    same = msgspec.structs.replace(preset("casino"), id="ours")
    tables = [priced.table("casino"), priced.table("casino")._replace(preset=same)]
    comparing.tell(tables, Talk(words("en")))
    assert "All these tables play by the same rules." in capsys.readouterr().out
