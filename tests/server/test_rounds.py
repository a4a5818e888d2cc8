"""After a round: told again, kept as a file, shared by a link, and nobody named who did not ask for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from tapete import history
from tapete.rulefile import FOUNDING
from tests.server.web import Browser, House, Json, Seat, house

ANA, BEA = "Ana Uno", "Bea Dos"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("rounds")) as one:
        yield one


@pytest.fixture(scope="module")
def ana(home: House) -> Iterator[Browser]:
    with Browser(home) as one:
        one.form("/you/name", name=ANA)
        yield one


@pytest.fixture(scope="module")
def bea(home: House) -> Iterator[Browser]:
    with Browser(home) as one:
        one.form("/you/name", name=BEA)
        yield one


def a_round(ana: Browser, bea: Browser, preset: str) -> tuple[str, Json]:
    """A round of both where the table has room; tells the code and the last view."""
    code = ana.opens(preset, pace="instant")
    with Seat(ana, code) as one, Seat(bea, code) as two:
        assert one.does("sit", box=1)["type"] == "accepted"
        if preset != "faceup":
            assert two.does("sit", box=2)["type"] == "accepted"
            two.does("bet", box=2, amount=2000)
            two.does("ready")
        one.does("bet", box=1, amount=1000)
        one.does("ready")
        while not (one.view["round"] and one.view["phase"] == "bets"):
            if not one.answers(ANA) and not (one.view["questions"] and _both(two, one.seq).answers(BEA)):
                one.hear()
        last = dict(one.view)
    for browser in (ana, bea):
        browser.form(f"/t/{code}/leave")
    return code, last


def _both(seat: Seat, seq: int) -> Seat:
    while seat.seq < seq:
        seat.hear()
    return seat


@pytest.mark.parametrize("preset", FOUNDING)
def test_a_round_can_be_told_again_kept_and_shared(ana: Browser, bea: Browser, home: House, preset: str) -> None:
    code, last = a_round(ana, bea, preset)
    told = ana.get(f"/t/{code}/rounds/1.json").json()
    end = told["steps"][-1]["view"]
    assert end["dealer"] == last["dealer"]
    assert [hand["cards"] for hand in end["boxes"][0]["hands"]] == [hand["cards"] for hand in last["boxes"][0]["hands"]]
    mine = [one for one in last["statements"] if one["bettor"] == ANA]
    assert [one for one in told["results"] if one["bettor"] == ANA] == mine
    assert [one for one in end["people"] if one["name"] == ANA] == [one for one in last["people"] if one["name"] == ANA]
    assert {step["view"]["phase"] for step in told["steps"]} >= {"dealing", "bets"}

    page = ana.get(f"/t/{code}/rounds/1")
    assert page.status_code == 200
    assert f'href="/t/{code}/rounds/1.bjh"' in page.text
    kept = history.loads(ana.get(f"/t/{code}/rounds/1.bjh").text)
    history.validate(kept)
    assert f"/t/{code}/rounds/1" in ana.get(f"/t/{code}/rounds").text


@pytest.mark.parametrize("preset", FOUNDING)
def test_a_round_is_told_step_by_step_without_scripts(ana: Browser, bea: Browser, home: House, preset: str) -> None:
    code, last = a_round(ana, bea, preset)
    at = f"/t/{code}/rounds/1"
    count = len(ana.get(f"{at}.json").json()["steps"])
    for step in (1, 2, count):
        page = ana.get(f"{at}?step={step}").text
        assert f"Step {step} of {count}" in page
        assert (f'?step={step + 1}"' in page) == (step < count)
    shown = ana.get(at).text
    assert shown.count('class="face') == len(last["dealer"]["cards"]) + sum(
        len(hand["cards"]) for box in last["boxes"] for hand in box["hands"]
    )
    for odd in ("0", "-1", "x", "9" * 30, "٣", "1e3", str(count + 1)):
        assert ana.get(f"{at}?step={odd}").status_code == 200


@pytest.mark.parametrize("suffix", ["", ".json", ".bjh"])
def test_others_are_named_by_their_box(ana: Browser, bea: Browser, home: House, suffix: str) -> None:
    code, _ = a_round(ana, bea, "casino")
    mine, hers = ana.get(f"/t/{code}/rounds/1{suffix}").text, bea.get(f"/t/{code}/rounds/1{suffix}").text
    assert (ANA in mine, BEA in mine) == (True, False)
    assert (ANA in hers, BEA in hers) == (False, True)
    assert "box2" in mine
    with Browser(home) as eve:
        assert not {name for name in (ANA, BEA) if name in eve.get(f"/t/{code}/rounds/1{suffix}").text}


def test_a_shared_link_names_nobody_and_not_the_table(ana: Browser, bea: Browser, home: House) -> None:
    code, _ = a_round(ana, bea, "home")
    found = re.search(rf'value="{home.url}(/r/[^"]+)"', ana.get(f"/t/{code}/rounds/1").text)
    assert found is not None
    with Browser(home) as eve:
        for suffix in ("", ".json", ".bjh"):
            answer = eve.get(found[1] + suffix)
            assert answer.status_code == 200
            assert [word for word in (ANA, BEA, code) if word in answer.text] == []
        cut = found[1][:-1]
        forged = ["/r/x", "/r/WzEsMV0", "/r/WzEsMV0.x", cut, f"{cut}AA"]
        assert {eve.get(path + suffix).status_code for path in forged for suffix in ("", ".json", ".bjh")} == {404}


def test_a_round_that_is_not_over_or_not_there_cannot_be_had(ana: Browser, home: House) -> None:
    code = ana.plays_alone("casino")
    with Seat(ana, code) as seat:
        seat.plays_to_a_question()
        number = seat.view["round"]
        for path in (str(number), f"{number}.json", f"{number}.bjh", "0", "-1", "x", "9" * 30, f"{number}.txt"):
            assert ana.get(f"/t/{code}/rounds/{path}").status_code == 404, path
        while seat.view["phase"] != "bets":
            if not seat.answers(ANA):
                seat.hear()
        assert ana.get(f"/t/{code}/rounds/{number}.json").status_code == 200


@pytest.mark.parametrize("preset", FOUNDING)
def test_nothing_that_lies_in_a_shoe_ever_leaves_before_its_time(home: House, preset: str) -> None:
    with Browser(home) as ana:
        name, code = ana.name, ana.plays_alone(preset, bots="yes")
        with Seat(ana, code) as seat:
            for _ in range(4):
                seat.plays(name)
            paths = ["/", "/open", f"/t/{code}", f"/t/{code}/rounds", "/metrics"]
            paths += [f"/t/{code}/rounds/{n}{suffix}" for n in (1, 2, 3, 4) for suffix in ("", ".json", ".bjh")]
            told = "\n".join([*seat.heard, *(ana.get(path).text for path in paths)])
        which = next(live.id for live in home.site.registry if live.config.code == code)
        log = [one.payload.decode() for one in home.store.events(which)]
        kept = [one.secret.hex() for one in home.store.shoes(which)]
    revealed = "".join(payload for payload in log if '"ShoeRetired"' in payload)
    assert kept
    assert [secret for secret in kept if secret in told and secret not in revealed] == []
    assert [secret for secret in kept if secret not in revealed]


def test_a_card_that_lies_face_down_is_told_to_nobody(home: House) -> None:
    with Browser(home) as ana, Browser(home) as bea:
        name, code = ana.name, ana.plays_alone("home", bots="yes")
        with Seat(ana, code) as seat, Seat(bea, code) as watcher:
            for _ in range(3):
                seat.plays(name)
            watcher.does("leave")
            for heard in (seat.heard, watcher.heard):
                assert hole_cards(heard) == ["??"] * 3
                assert second_cards(heard) == [None] * 3


def hole_cards(heard: list[str]) -> list[str]:
    """The dealer's second card in each round, as the first view that had it showed it."""
    found: dict[int, str] = {}
    number = 0
    for message in map(json.loads, heard):
        view = message.get("view") or message.get("changes", {})
        number = view.get("round", number)
        cards = view.get("dealer", {}).get("cards", ())
        kinds = {one["event"]["type"] for one in message.get("events", ())}
        if len(cards) > 1:
            found.setdefault(number, "??" if "Turned" in kinds else cards[1])
    return list(found.values())


def second_cards(heard: list[str]) -> list[object]:
    """The dealer's second card in each round, as its event told it."""
    rounds: list[list[object]] = []
    for message in map(json.loads, heard):
        for event in (one["event"] for one in message.get("events", ())):
            if event["type"] == "Lock":
                rounds.append([])
            elif event["type"] == "Dealt" and event["box"] == 0:
                rounds[-1].append(event["card"])
    return [cards[1] for cards in rounds]
