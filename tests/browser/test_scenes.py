"""How the table looks at its fullest moments, at every width: nothing overlaps, nothing is cut off, axe is content."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.people import Guest
from tests.browser.scenes import SCENES, Scene

Come = Callable[..., Guest]
SIZES = [(360, 740), (768, 1024), (1280, 800), (1920, 1080)]

OVERLAPS = (Path(__file__).parent / "layout.js").read_text("utf-8").partition("\n")[2]


def show(one: Guest, scene: Scene, **room: Any) -> None:
    """Goes to a table whose server tells this scene."""

    def told(socket: WebSocketRoute) -> None:
        socket.send(scene.snapshot(code="scene").decode())
        socket.send(scene.room(**room).decode())

    one.page.unroute_all()
    one.page.route_web_socket("**/ws/**", told)
    one.go("dull-0")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
@pytest.mark.parametrize("language", ["en", "es"])
def test_nothing_overlaps_and_nothing_is_cut_off(guest: Come, size: tuple[int, int], language: str) -> None:
    ana = guest(size=size, language=language, reduced_motion="reduce")
    for name, scene in SCENES.items():
        show(ana, scene())
        assert ana.page.evaluate(OVERLAPS) == [], name
        assert ana.page.evaluate("document.documentElement.scrollWidth") <= size[0], name


def test_a_hand_of_many_cards_still_shows_each_index(guest: Come) -> None:
    ana = guest(size=(360, 740))
    show(ana, Scene("casino", {4: "Ana"}, [("Ana", 4, 10)], "A 10h A 2 2 A 3 2 2 A", ["hit"] * 7))
    assert ana.see(".front .place").count() >= 8
    assert ana.page.evaluate(OVERLAPS) == []


def test_a_dealer_who_is_bust_is_said_to_be(guest: Come) -> None:
    ana = guest(size=(1280, 800))
    show(ana, Scene("casino", {4: "Ana"}, [("Ana", 4, 10)], "10h 6 10 10 9", ["stand"]))
    expect(ana.see(".dealer")).to_contain_text("bust (25)")
    show(ana, Scene("casino", {4: "Ana"}, [("Ana", 4, 10)], "10h 6 9 10 5", ["stand"]))
    expect(ana.see(".dealer")).to_contain_text("hard 21")


def violations(one: Guest) -> list[tuple[str, list[Any]]]:
    found = Axe().run(one.page).response["violations"]
    return [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found]


@pytest.mark.parametrize(
    ("size", "scheme", "names"),
    [((1280, 800), "light", tuple(SCENES)), ((360, 740), "dark", ("four-hands", "insurance", "results", "betting"))],
    ids=["wide", "phone"],
)
def test_axe_finds_nothing(guest: Come, size: tuple[int, int], scheme: str, names: tuple[str, ...]) -> None:
    ana = guest(size=size, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    for name in names:
        show(ana, SCENES[name]())
        assert violations(ana) == [], name


def test_axe_finds_nothing_in_the_dialogs(guest: Come) -> None:
    ana = guest(bypass_csp=True, reduced_motion="reduce")
    show(ana, SCENES["results"]())
    for dialog in ("people", "settings", "help", "fair", "leave", "statement"):
        ana.see(f"[data-do={dialog}]").first.dispatch_event("click")
        expect(ana.see("dialog[open]")).to_be_visible()
        assert violations(ana) == [], dialog
        ana.page.keyboard.press("Escape")
        expect(ana.see("dialog[open]")).to_have_count(0)


def test_an_offer_to_bet_behind_is_shown_to_the_holder(guest: Come) -> None:
    from tapete.server.messages import Request  # noqa: PLC0415  (only this scene has one)

    ana = guest()
    scene = Scene("leaflet", {3: "Ana", 5: "Bea"}, [("Ana", 3, 20)])
    show(ana, scene, requests=(Request(3, "Bea"),))
    expect(ana.see(".requests")).to_contain_text("Bea asks to bet on your box 3.")


def test_forced_play_says_why_stand_is_withheld(guest: Come) -> None:
    ana = guest()
    show(ana, SCENES["forced"]())
    ana.see(".move[data-slot=stand]").hover()
    expect(ana.see("#tip")).to_contain_text("it has to go on")


def test_backs_of_two_colours_can_be_told_apart_without_colour(guest: Come) -> None:
    ana = guest()
    scene = Scene("leaflet", {3: "Ana"}, [("Ana", 3, 20)], "6h 9 5s/1")
    show(ana, scene)
    expect(ana.see(".box.mine .edge-0")).to_have_count(1)
    expect(ana.see(".box.mine .edge-1")).to_have_count(1)
    dash = "getComputedStyle(document.querySelector('.edge-1')).strokeDasharray"
    assert ana.page.evaluate(dash) != "none"
