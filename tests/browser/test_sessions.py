"""A session at each of the five tables: in English at a desk, in Spanish on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tapete.rulefile import preset
from tests.browser.house import GAMES
from tests.browser.people import Guest

Come = Callable[..., Guest]
ROUNDS = 2
FACES: Final[dict[str, dict[str, Any]]] = {
    "en": {"size": (1280, 800)},
    "es": {"size": (360, 740), "has_touch": True, "is_mobile": True, "prefs": {"log": False}},
}


@pytest.mark.parametrize("language", list(FACES))
@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_plays_rounds_and_every_chip_is_told(guest: Come, game: str, language: str) -> None:
    ana = guest(language=language, **FACES[language])
    ana.open_table(game)
    assert ana.see("html").get_attribute("lang") == language
    expect(ana.see("h1")).to_have_text(preset(game).title.in_(language))
    for number in range(1, ROUNDS + 1):
        before = 100_000 if number == 1 else ana.chips()
        ana.round()
        sums = ana.see(".results .sum-line").inner_text()
        won = sums.rpartition(" ")[2].replace(",", ".")
        assert ana.chips() == before + round(float(won) * 100)
        expect(ana.see(".facts")).to_contain_text(f"{'Round' if language == 'en' else 'Ronda'} {number}")
        assert ana.page.evaluate("document.documentElement.scrollWidth") <= FACES[language]["size"][0]


def test_moves_are_called_by_the_words_of_the_page(guest: Come) -> None:
    for game, language, hit in (("casino", "en", "Hit"), ("casino", "es", "Pedir"), ("faceup", "es", "Hit")):
        ana = guest(language=language)
        ana.open_table(game)
        expect(ana.see(".move[data-slot=hit] .word")).to_have_text(hit)
