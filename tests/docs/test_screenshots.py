"""The pictures of the manual: each is there, small, shown with words, and can be taken again. No pixel is compared."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from scripts import charts, screenshots, simulated
from scripts.manual import ROOT
from tests.browser import conftest as browsers
from tests.docs.pages import PAGES, TWINS, name_of, prose, text_of

SHOWN = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
chromium = browsers.chromium


def shown(page: Path) -> list[tuple[str, Path]]:
    """The pictures of a page with the words that stand for them."""
    return [
        (words, (page.parent / target).resolve()) for words, target in SHOWN.findall(prose(page.read_text("utf-8")))
    ]


def size_of(picture: Path) -> tuple[int, int]:
    """Width and height of a PNG."""
    head = picture.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n", picture.name
    width, height = struct.unpack(">II", head[16:])
    return width, height


@pytest.mark.parametrize("name", screenshots.NAMES)
def test_every_picture_is_there_and_small(name: str) -> None:
    picture = screenshots.IMAGES / name
    assert size_of(picture) == (screenshots.PHONE if name.startswith("phone") else screenshots.WIDE)
    assert picture.stat().st_size < screenshots.LARGEST


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_picture_of_a_page_is_there_and_has_words(page: Path) -> None:
    assert [target.name for words, target in shown(page) if not target.exists() or len(words.split()) < 5] == []


def test_every_picture_is_shown_and_none_is_left_over() -> None:
    used = {target for page in PAGES for _, target in shown(page)}
    there = {*screenshots.IMAGES.iterdir(), *charts.FOLDER.iterdir()}
    taken = {screenshots.IMAGES / name for name in screenshots.NAMES}
    assert there == used == taken | {charts.FOLDER / name for name in (*charts.NAMES, *simulated.NAMES)}


@pytest.mark.parametrize("name", charts.NAMES)
def test_every_chart_is_there_and_small(name: str) -> None:
    picture = charts.FOLDER / name
    assert size_of(picture) == (827, 1169)
    assert picture.stat().st_size < charts.LARGEST


def test_a_chart_that_is_shown_is_what_the_program_draws(tmp_path: Path) -> None:
    charts.draw(tmp_path, ["casino"])
    for name in ("casino.png", "casino.es.png"):
        with Image.open(tmp_path / name) as drawn, Image.open(charts.FOLDER / name) as kept:
            apart = ImageChops.difference(drawn.convert("L"), kept.convert("L")).histogram()
        # Another version of the drawing library may draw an edge otherwise; a letter is more than that.
        assert sum(apart[64:]) < 40, name


def test_the_picture_of_a_run_is_what_the_command_draws(tmp_path: Path) -> None:
    simulated.draw(tmp_path)
    for name in simulated.NAMES:
        picture = simulated.FOLDER / name
        assert size_of(picture) == simulated.SIZE
        assert picture.stat().st_size < simulated.LARGEST
        with Image.open(tmp_path / name) as drawn, Image.open(picture) as kept:
            apart = ImageChops.difference(drawn.convert("L"), kept.convert("L")).histogram()
        assert sum(apart[64:]) < 40, name


@pytest.mark.parametrize(("english", "spanish"), TWINS.items())
def test_twins_show_the_same_pictures_each_in_its_language(english: str, spanish: str) -> None:
    there = [target.name for _, target in shown(ROOT / english)]
    assert [target.name for _, target in shown(ROOT / spanish)] == [name.replace(".png", ".es.png") for name in there]


def test_the_readme_shows_the_table_first() -> None:
    assert text_of("README.md").index("docs/img/table.png") < text_of("README.md").index("## ")


@pytest.mark.slow
def test_every_picture_can_be_taken_again(chromium: str, tmp_path: Path) -> None:
    screenshots.take(tmp_path, chromium=chromium)
    taken = {one.name: size_of(one) for one in tmp_path.iterdir()}
    assert taken == {name: size_of(screenshots.IMAGES / name) for name in screenshots.NAMES}
    assert max(one.stat().st_size for one in tmp_path.iterdir()) < screenshots.LARGEST
