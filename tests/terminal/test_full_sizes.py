"""The full-screen table on large and small terminals: nothing overlaps, nothing of the hand in turn is cut off."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
from textual.color import Color
from textual.geometry import Region
from textual.theme import Theme
from textual.widget import Widget

from tapete.cards import PACK
from tapete.table import Placed, Sat
from tapete.terminal.full import faces
from tapete.terminal.full.choices import Bar, Choice
from tapete.terminal.full.look import CHIP_COLOURS, CHIP_EDGES, TEXT_PAIRS, THEMES
from tapete.terminal.full.panels import BoxPanel, Dealer
from tests.terminal.fullscreen import Seat, sit

SIZES = [(120, 40), (80, 24), (79, 24), (40, 24), (40, 20), (200, 60)]
PARTS = ("#head", "#felt", "#results", "#status", "#desk", "#said")
# Box 1 is split to four hands; the dealer has a small card, so that every hand plays.
CARDS = "8 9 7 9 5 10 K 6 8 9 6 9 6 10 K 10 8 2 8 3 2 3"


async def seven(seat: Seat) -> None:
    """Seven boxes of two people and three bots, all with a bet, and the first one split to four hands."""
    beatriz = seat.game.join("Beatriz-Alejandra de la Torre")
    for name, box in ((beatriz, 2), ("Ana", 3), (beatriz, 4)):
        seat.game.do(Sat(name, box))
    for box in (5, 6, 7):
        seat.game.seat_bot(box)
    for one in seat.game.table.seats:
        seat.game.do(Placed(one.name, one.box, 1000))
    seat.stack(CARDS)
    await seat.press("enter")
    while seat.asked.kind == "retire":
        await seat.press("0")
    for _ in range(3):
        await seat.press("4")


def shown(seat: Seat, kind: type[Widget] | str) -> list[Widget]:
    found = seat.app.screen.query(kind)
    return [one for one in found if one.display and one.region.area]


def check(seat: Seat) -> None:
    """No part lies over another, every button's label and the status are whole, and so is the hand in turn."""
    parts = [one for name in PARTS for one in shown(seat, name)]
    apart(parts)
    apart(shown(seat, BoxPanel))
    buttons = [one for bar in shown(seat, Bar) for one in bar.query(Choice) if one.display]
    apart(buttons)
    desk = seat.app.screen.query_one("#desk")
    for button in buttons:
        assert isinstance(button, Choice)
        assert desk.region.contains_region(button.region), f"{button.offer.label} lies outside"
        assert button.render().cell_length <= button.region.width, f"{button.offer.label} is cut off"
    status = seat.app.screen.query_one("#status")
    assert seat.status.split()[-1] in seat.text, "the status is cut off"
    assert status.region.height * status.region.width >= len(seat.status)
    for panel in (*shown(seat, BoxPanel), *shown(seat, Dealer)):
        assert isinstance(panel, BoxPanel | Dealer)
        width = panel.content_size.width
        assert all(line.cell_length <= width for line in panel.lines(width))


def apart(widgets: Sequence[Widget]) -> None:
    for one, other in combinations(widgets, 2):
        assert not one.region.overlaps(other.region), f"{one} lies over {other}"


def hand_in_turn(seat: Seat) -> Region:
    """Where the hand whose turn it is lies on the screen."""
    [panel] = [one for one in shown(seat, BoxPanel) if isinstance(one, BoxPanel) and one.view.active]
    assert isinstance(panel, BoxPanel)
    first, count = panel.active_lines
    return Region(panel.region.x, panel.region.y + first, panel.region.width, count)


@pytest.mark.parametrize("size", SIZES)
def test_seven_boxes_and_four_split_hands(tmp_path: Path, size: tuple[int, int]) -> None:
    async def scenario(seat: Seat) -> None:
        await seven(seat)
        assert seat.game.table.round is not None
        assert len(seat.game.table.round.boxes[0].hands) == 4
        while seat.sitting.phase == "asks":
            check(seat)
            boxes = seat.app.screen.query_one("#boxes")
            assert boxes.region.contains_region(hand_in_turn(seat)), "the hand in turn is not to be seen"
            await seat.press("0" if seat.asked.kind != "turn" else "2", gap=1)
        assert seat.sitting.phase == "over"
        check(seat)

    sit(tmp_path, scenario, "home", size=size, language="es" if size[0] == 40 else "en")


@pytest.mark.parametrize("table", ["casino", "leaflet", "faceup"])
@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 20)])
def test_bets_and_questions_fit(tmp_path: Path, size: tuple[int, int], table: str) -> None:
    async def scenario(seat: Seat) -> None:
        check(seat)
        await seat.press("3")
        check(seat)
        await seat.press("e")
        check(seat)
        await seat.press("enter")
        check(seat)

    sit(tmp_path, scenario, table, size=size, names=("Ana", "Eva"), cards="8 6 8")


def test_the_terminal_may_change_its_size_at_any_moment(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seven(seat)
        asked = seat.asked
        for size in ((40, 20), (120, 40), (79, 24), (20, 8), (80, 24), (200, 60), (40, 24)):
            await seat.size(*size)
            if size != (20, 8):  # too small for everything: it only has to stay alive
                check(seat)
                assert seat.app.screen.query_one("#boxes").region.contains_region(hand_in_turn(seat))
        assert seat.asked == asked

    sit(tmp_path, scenario, "home")


def test_boxes_are_stacked_below_80_columns(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seven(seat)
        assert len({one.region.x for one in shown(seat, BoxPanel)}) > 1
        await seat.size(79, 24)
        assert len({one.region.x for one in shown(seat, BoxPanel)}) == 1

    sit(tmp_path, scenario, "home", size=(80, 24))


def test_the_log_is_a_sheet_where_there_is_no_room_beside_the_table(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        assert not shown(seat, "#log")
        await seat.press("j")
        assert "Round 1" in seat.text
        await seat.press("escape")
        await seat.size(120, 40)
        assert shown(seat, "#log")

    sit(tmp_path, scenario, size=(80, 24), cards="10 9 8")


# --- how things look ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [faces.LARGE, faces.MIDDLE, faces.SMALL])
def test_every_card_shows_its_index_and_its_suit_in_its_own_cells(size: faces.Size) -> None:
    for one in (*PACK, None):
        lines = faces.card_lines(one, size, faces.Deck())
        assert len(lines) == size.height
        assert {line.cell_length for line in lines} == {size.width}
        text = "".join(line.plain for line in lines)
        if one is not None:
            assert one.rank in text
            assert {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}[one.suit] in text


def test_cards_of_a_hand_never_cover_each_other() -> None:
    hand = tuple(PACK[at] for at in (0, 9, 12, 25, 40, 51, 3, 4))
    for size in (faces.LARGE, faces.MIDDLE, faces.SMALL):
        for within in (8, 20, 36, 80):
            lines = list(faces.rows(hand, size, faces.Deck(), within=within))
            assert all(line.cell_length <= max(within, size.width) for line in lines)
            assert sum(line.plain.count("♠") + line.plain.count("♥") for line in lines) > 0
            assert len(lines) == size.height * -(-len(hand) // faces.per_row(size, within))


def luminance(colour: Color) -> float:
    parts = [one / 255 for one in (colour.r, colour.g, colour.b)]
    r, g, b = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    """As WCAG 2 has it."""
    light, dark = sorted((luminance(Color.parse(one)), luminance(Color.parse(other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_every_text_has_enough_contrast(theme: Theme) -> None:
    thin = {pair: contrast(*(theme.variables[name] for name in pair)) for pair in TEXT_PAIRS}
    assert {pair: round(value, 2) for pair, value in thin.items() if value < 4.5} == {}


def test_every_chip_has_its_own_colour_and_edge_and_a_number_to_read() -> None:
    assert len(set(CHIP_EDGES)) == len(CHIP_EDGES) >= 6
    assert len({ground for _, ground in CHIP_COLOURS}) == len(CHIP_COLOURS) == len(CHIP_EDGES)
    assert {pair: contrast(*pair) for pair in CHIP_COLOURS if contrast(*pair) < 4.5} == {}


def test_no_color_shows_greys_and_the_same_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        assert "hard 18" in seat.text
        strips = seat.app.screen._compositor.render_strips()
        filtered = [one.apply_filter(seat.app._filters[0], Color.parse("black")) for one in strips]
        colours = {
            colour.triplet
            for strip in filtered
            for segment in strip
            if segment.style is not None
            for colour in (segment.style.color, segment.style.bgcolor)
            if colour is not None and colour.triplet is not None
        }
        assert colours
        assert {one for one in colours if len(set(one)) > 1} == set()

    sit(tmp_path, scenario, cards="10 9 8")
