"""The lobby: a table with one click, tables for friends, rule files of one's own and what is wrong with them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import httpx
import pytest

from tapete.rulefile import FOUNDING, presets
from tapete.server.forms import MOST_IN_A_FILE
from tests.server.web import Browser, House, Seat, house


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("lobby")) as one:
        yield one


@pytest.mark.parametrize("preset", FOUNDING)
def test_one_click_and_one_sits_at_a_table_of_ones_own(home: House, preset: str) -> None:
    with Browser(home) as ana, Browser(home) as bea:
        code = ana.plays_alone(preset)
        with Seat(ana, code) as seat:
            assert seat.view["boxes"][len(seat.view["boxes"]) // 2]["holder"] == ana.name
            assert seat.room["host"] if seat.room else seat.waits_for("room")["host"] == ana.name
            seat.plays(ana.name)
            assert seat.view["statements"]
        assert f"/t/{code}" in ana.get("/").text
        assert code not in bea.get("/").text


@pytest.mark.parametrize("preset", FOUNDING)
def test_house_bots_sit_down_too_where_there_is_room(home: House, preset: str) -> None:
    with Browser(home) as ana:
        with Seat(ana, ana.plays_alone(preset, bots="yes")) as seat:
            boxes = [box["holder"] for box in seat.view["boxes"]]
        me = ana.name
    assert boxes == ([me] if preset == "faceup" else ["", "Bot 2", "", me, "", "Bot 6", ""])


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_house_shows_its_rules(home: House, language: str) -> None:
    with Browser(home, **{"Accept-Language": language}) as ana:
        for preset in presets():
            page = ana.get(f"/rules/{preset}")
            assert page.status_code == 200
            assert page.text.count("<dd>") > 20
        assert ana.get("/").text.count("<dl") == len(FOUNDING)
        assert ana.get("/rules/nope").status_code == 404


def test_a_public_table_stands_in_the_lobby_and_a_private_one_does_not(home: House) -> None:
    with Browser(home) as ana, Browser(home) as bea:
        public = ana.opens("leaflet", who="public", pace="fast", bet_min="5", bet_max="50")
        private = ana.opens("leaflet", who="link")
        with Seat(ana, public) as seat:
            seat.does("sit", box=3)
            page = bea.get("/").text
            part = bea.get("/open").text
        assert f"/t/{public}" in part
        assert all(text in page for text in (ana.name, "1 of 7 boxes taken", "10 seconds a move", "from 5 to 50"))
        assert private not in page + part
        assert bea.get(f"/t/{private}").status_code == 200


def test_a_private_link_cannot_be_guessed(home: House) -> None:
    with Browser(home) as ana:
        codes = {ana.opens("casino") for _ in range(5)}
    assert len(codes) == 5
    assert all(re.fullmatch(r"[\w-]{22}", code) for code in codes)


def test_friends_who_come_by_the_link_play_together(home: House) -> None:
    with Browser(home) as ana, Browser(home) as bea:
        code = ana.opens("leaflet", pace="instant")
        assert bea.get(f"/t/{code}").status_code == 200
        with Seat(ana, code) as one, Seat(bea, code) as two:
            one.does("sit", box=1)
            assert two.does("sit", box=2)["type"] == "accepted"
            one.does("bet", box=1, amount=1000)
            two.does("bet", box=2, amount=2000)
            one.does("ready")
            two.does("ready")
            two.until("questions")
            one.until("questions")
            assert one.view == two.view


def test_limits_pace_and_backers_are_the_tables_own(home: House) -> None:
    with Browser(home) as ana:
        code = ana.opens("casino", bet_min="5", bet_max="50", backers="open", pace="relaxed")
        with Seat(ana, code) as seat:
            rules = seat.first["about"]["rules"]
            assert (rules["bet_min"], rules["bet_max"], rules["bet_behind.mode"]) == ("5", "50", "open")
            assert seat.first["about"]["pace"] == "relaxed"
            seat.does("sit", box=1)
            assert seat.does("bet", box=1, amount=400)["type"] == "rejected"
            assert seat.does("bet", box=1, amount=500)["type"] == "accepted"
        page = ana.get(f"/t/{code}/rules").text
    assert "What differs from The Casino Table" in page
    assert "Others may bet on any box that plays." in page


def test_limits_may_be_written_with_a_decimal_comma(home: House) -> None:
    with Browser(home) as ana, Seat(ana, ana.opens("british", bet_min="5,0", bet_max="50.00")) as seat:
        rules = seat.first["about"]["rules"]
        assert (rules["bet_min"], rules["bet_max"]) == ("5", "50")


@pytest.mark.parametrize(
    "fields",
    [
        {"preset": "nope"},
        {"preset": ""},
        {"pace": "never"},
        {"bet_min": "0"},
        {"bet_min": "x"},
        {"bet_max": "-1"},
        {"bet_min": "10", "bet_max": "5"},
        {"bet_min": "1e400"},
        {"bet_min": "٣"},
        {"preset": "faceup", "bet_min": "2000"},
    ],
)
def test_a_form_that_asks_for_the_impossible_says_why_and_opens_nothing(home: House, fields: dict[str, str]) -> None:
    with Browser(home) as eve:
        before = len(home.site.registry)
        answer = eve.form("/tables", **{"preset": "casino", **fields})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
        assert len(home.site.registry) == before


# --- rule files -----------------------------------------------------------------------------------------------------


def upload(browser: Browser, content: bytes, **fields: str) -> httpx.Response:
    file = {"rules": ("Las reglas de Ana.toml", content, "text/plain")}
    return browser.post("/tables", data={"preset": "casino", **fields}, files=file)


def faults(answer: httpx.Response) -> str:
    found = re.search(r'<ul class="faults">(.*?)</ul>', answer.text, re.DOTALL)
    assert found is not None
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", found[1]).split()))


def test_a_rule_file_of_ones_own_is_played_by(home: House) -> None:
    text = 'from = "home"\n[title]\nen = "<i>Friday</i>"\n[rules]\ndecks = 3\n[rules.split]\nmax_hands = 3\n'
    with Browser(home) as ana:
        answer = upload(ana, text.encode(), bet_max="20")
        assert answer.status_code == 303
        code = answer.headers["location"].removeprefix("/t/")
        with Seat(ana, code) as seat:
            about = seat.first["about"]
        page = ana.get(f"/t/{code}/rules").text
    assert about["title"]["en"] == "<i>Friday</i>"
    assert (about["rules"]["decks"], about["rules"]["split.max_hands"], about["rules"]["bet_max"]) == ("3", "3", "20")
    assert "&lt;i&gt;Friday" in page
    assert "<i>Friday" not in page
    assert "The Home Table" in page


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'from = "casino"\n[rules]\ndeks = 4', ["Line 3", "deks = 4", "decks"]),
        (b'from = "casino"\n[rules.split]\nmax_hands = "many"', ["Line 3", "split.max_hands", "1", "8"]),
        (b'from = "casina"', ["Line 1", "casino"]),
        (b'from = "casino"\n[rules', ["Line 2"]),
        (b'from = "casino"\n# \xff', ["Line 2"]),
        (b'from = "casino"\n\n# \0', ["Line 3"]),
        (b"decks = 6", ["rules.decks"]),
        (b"[rules]\ndecks = 6", ["bj_pays"]),
        (b"x = " + b"[" * 5000, ["Line 1"]),
        (b'from = "casino"\n[rules]\nbet_min = 50\nbet_max = 5', ["bet_m"]),
        (b"<script>alert(1)</script>", ["Line 1", "<script>alert(1)</script>"]),
    ],
)
def test_each_fault_of_a_rule_file_is_told_with_its_line(home: House, content: bytes, told: list[str]) -> None:
    with Browser(home) as eve:
        answer = upload(eve, content)
    assert answer.status_code == 400
    assert [word for word in told if word not in faults(answer)] == []
    assert "<script>alert" not in answer.text
    assert "Ana.toml" not in answer.text


def test_all_faults_are_told_at_once_and_the_form_keeps_what_it_said(home: House) -> None:
    with Browser(home) as eve:
        answer = upload(eve, b'from = "casino"\n[rules]\na = 1\nb = 2\nc = 3', pace="fast", who="public", bet_min="7")
    assert faults(answer).count("Line ") == 3
    assert '<option value="fast" selected>' in answer.text
    assert 'value="public" checked' in answer.text
    assert 'value="7"' in answer.text


def test_a_rule_file_that_is_too_large_is_not_read(home: House) -> None:
    with Browser(home) as eve:
        answer = upload(eve, b"#" * (MOST_IN_A_FILE + 1))
        assert (answer.status_code, "form.too_large" in answer.text) == (413, True)
        assert upload(eve, b"#" * MOST_IN_A_FILE).status_code == 400


def test_a_form_that_is_none_is_refused(home: House) -> None:
    with Browser(home) as eve:
        for kind in ("multipart/form-data", "multipart/form-data; boundary=x", "application/json", "text/plain"):
            answer = eve.post("/tables", content=b"\xff\x00{[", headers={"Content-Type": kind})
            assert answer.status_code == 400, kind
        answer = eve.post("/you/name", data={}, files={"name": ("x", b"x")})
        assert (answer.status_code, "form.unreadable" in answer.text) == (400, True)


def test_leaving_from_the_lobby_brings_the_chips_home(home: House) -> None:
    with Browser(home) as ana:
        code = ana.plays_alone("casino")
        assert ana.form(f"/t/{code}/leave").headers["location"] == "/"
        assert "1000 chips here, 0 at tables" in ana.get("/you").text
        assert ana.form(f"/t/{code}/leave").status_code in (303, 404)
