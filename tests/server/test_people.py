"""Who somebody is: guests, names, phrases, and two browsers of one person."""

from __future__ import annotations

import html
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tapete.server import identity
from tapete.store import BANK, STARTING, Transaction, purse
from tests.server.web import Browser, House, Seat, house


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("people")) as one:
        yield one


def test_a_guest_has_a_name_at_once_and_keeps_it(home: House) -> None:
    with Browser(home) as ana:
        assert re.fullmatch(r"\w+ \d\d( \d+)?", ana.name)
        assert ana.name == ana.name


def test_the_cookie_is_kept_from_scripts_and_other_sites(home: House) -> None:
    with Browser(home) as ana:
        cookie = ana.get("/").headers["set-cookie"]
    assert cookie.startswith(f"{identity.COOKIE}=")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie


def test_a_house_with_https_insists_on_it(tmp_path: Path) -> None:
    with house(tmp_path, public_url="https://tapete.example") as one, Browser(one) as ana:
        answer = ana.get("/")
    assert "Secure" in answer.headers["set-cookie"]
    assert "max-age" in answer.headers["strict-transport-security"]


@pytest.mark.parametrize("forged", ["1", "MQ", "MQ.", "MQ.AAAA", "MQ." + "A" * 43, "." * 400, "x" * 3000, "null", '"'])
def test_a_forged_cookie_makes_nobody_of_this_house(home: House, forged: str) -> None:
    with Browser(home) as ana, Browser(home, Cookie=f"{identity.COOKIE}={forged}") as eve:
        assert ana.get("/").status_code == 200
        answer = eve.get("/")
        assert answer.status_code == 200
        assert identity.COOKIE in answer.headers["set-cookie"]


def test_a_cookie_of_another_house_is_not_believed(home: House, tmp_path: Path) -> None:
    with house(tmp_path) as other, Browser(other) as ana:
        ana.get("/")
        with Browser(home, Cookie=ana.cookie) as here:
            assert "set-cookie" in here.get("/").headers


def test_the_key_is_for_its_owner_alone(home: House) -> None:
    assert (home.folder / identity.KEY_FILE).stat().st_mode & 0o777 == 0o600


# --- names ----------------------------------------------------------------------------------------------------------


def test_a_name_with_html_stays_text_everywhere(home: House) -> None:
    name = "<b onload=x>&\"Ana'"
    with Browser(home) as ana, Browser(home) as bea:
        assert ana.form("/you/name", name=name).status_code == 303
        code = ana.opens("leaflet", who="public")
        with Seat(ana, code) as seat:
            assert seat.first["you"] == name
            seat.does("sit", box=1)
            pages = [ana.get(path).text for path in ("/", "/you", f"/t/{code}", f"/t/{code}/rules")]
            pages += [bea.get("/").text, bea.get("/open").text]
    assert not [page for page in pages if "<b onload" in page]
    assert html.escape(name, quote=False)[:10] in pages[-1]


def test_a_taken_name_comes_with_a_free_one(home: House) -> None:
    with Browser(home) as ana, Browser(home) as bea:
        assert ana.form("/you/name", name="Marta").status_code == 303
        answer = bea.form("/you/name", name=" MARTA ")
        assert answer.status_code == 409
        assert "person.name_taken" in answer.text
        assert "MARTA 2" in answer.text
        assert bea.form("/you/name", name="MARTA 2").status_code == 303
        assert bea.name == "MARTA 2"


def test_a_name_of_the_terminal_is_taken_too(home: House) -> None:
    home.store.person("Pepe")
    with Browser(home) as eve:
        assert "person.name_taken" in eve.form("/you/name", name="pepe").text


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "person.name_empty"),
        ("x" * 41, "person.name_long"),
        ("a\u200bb", "person.name_unprintable"),
        ("Bot 4", "person.name_reserved"),
        ("bot4", "person.name_reserved"),
        ("BOT 3", "person.name_reserved"),
        (" Bot\u00a03 ", "person.name_reserved"),
        ("\uff22\uff4f\uff54 \uff13", "person.name_reserved"),
        ("bOt_3", "person.name_reserved"),
        ("box3", "person.name_reserved"),
        ("casilla 3", "person.name_reserved"),
        ("CRUPIER", "person.name_reserved"),
        ("La Casa", "person.name_reserved"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_a_reason(home: House, name: str, code: str) -> None:
    with Browser(home) as eve:
        before = eve.name
        answer = eve.form("/you/name", name=name)
        assert answer.status_code == 400
        assert code in answer.text
        assert eve.name == before


def test_a_name_at_a_table_stays_until_its_owner_leaves(home: House) -> None:
    with Browser(home) as ana:
        code = ana.plays_alone("casino")
        assert "person.at_table" in ana.form("/you/name", name="Otra Ana").text
        assert ana.form(f"/t/{code}/leave").status_code == 303
        assert ana.form("/you/name", name="Otra Ana").status_code == 303


def test_a_connection_from_before_a_new_name_no_longer_plays(home: House) -> None:
    with Browser(home) as ana:
        code = ana.opens("casino")
        with Seat(ana, code) as seat:
            ana.form("/you/name", name="Ana la Nueva")
            assert seat.does("sit", box=1)["code"] == "identity.renamed"
        with Seat(ana, code) as seat:
            assert seat.does("sit", box=1)["type"] == "accepted"
            assert seat.view["boxes"][0]["holder"] == "Ana la Nueva"


# --- the phrase -----------------------------------------------------------------------------------------------------


def phrase_of(browser: Browser) -> str:
    page = browser.form("/you/phrase").text
    found = re.search(r'class="phrase"[^>]*>([^<]+)<', page)
    assert found is not None
    return html.unescape(found[1])


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_phrase_brings_name_chips_and_seat_to_another_browser(home: House, language: str) -> None:
    with Browser(home, **{"Accept-Language": language}) as ana, Browser(home) as other:
        phrase = phrase_of(ana)
        assert len(phrase.split()) == 12
        code = ana.plays_alone("home")
        assert other.name != ana.name
        assert other.form("/you/return", phrase=f"  {phrase.upper()} ").status_code == 303
        assert other.name == ana.name
        with Seat(ana, code) as one, Seat(other, code) as two:
            assert one.first["you"] == two.first["you"] == two.view["boxes"][3]["holder"]


def test_a_phrase_is_shown_once_and_its_words_are_kept_nowhere(home: House) -> None:
    with Browser(home) as ana:
        phrase = phrase_of(ana)
        assert phrase not in ana.get("/you").text
    with sqlite3.connect(f"file:{home.store.path}?mode=ro", uri=True) as database:
        kept = "\n".join(database.iterdump())
    database.close()
    assert phrase not in kept
    assert " ".join(phrase.split()[:3]) not in kept


def test_a_new_phrase_takes_the_place_of_the_old_one(home: House) -> None:
    with Browser(home) as ana, Browser(home) as other:
        old, new = phrase_of(ana), phrase_of(ana)
        answer = other.form("/you/return", phrase=old)
        assert (answer.status_code, "identity.phrase_unknown" in answer.text) == (400, True)
        assert other.form("/you/return", phrase=new).status_code == 303


@pytest.mark.parametrize("phrase", ["", "one two three", "x" * 399, "\u0000"])
def test_a_wrong_phrase_is_nobodys(home: House, phrase: str) -> None:
    with Browser(home) as eve:
        answer = eve.form("/you/return", phrase=phrase)
        assert (answer.status_code, "identity.phrase_unknown" in answer.text) == (400, True)


# --- two browsers, chips --------------------------------------------------------------------------------------------


def test_an_old_window_that_closes_late_unseats_nobody(home: House) -> None:
    with Browser(home) as ana:
        code = ana.plays_alone("casino")
        with Seat(ana, code) as old, Seat(ana, code) as new:
            old.line.close()
            new.plays(ana.name)
            assert new.view["boxes"][3]["holder"] == ana.name
            assert ana.name in new.room["present"]


def test_who_only_watches_is_told_that_a_name_is_needed(home: House) -> None:
    with Browser(home) as ana:
        code = ana.opens("casino")
        with Seat(ana, code, cookie="") as nobody:
            assert nobody.first["you"] == ""
            assert nobody.does("sit", box=1)["code"] == "identity.none"


def test_new_chips_are_for_those_who_have_none(home: House) -> None:
    with Browser(home) as ana:
        name = ana.name
        assert "command.not_broke" in ana.form("/you/chips").text
        person = home.store.person(name)

        def lose(deeds: Transaction) -> None:
            deeds.move({purse(person.id): -STARTING, BANK: STARTING}, why="test")

        home.do(home.site.books.write(lose))
        assert "/you/chips" in ana.get("/you").text
        assert ana.form("/you/chips").status_code == 303
        assert home.store.balance(person.id) == STARTING


def test_chips_come_along_to_the_next_table(home: House) -> None:
    with Browser(home) as ana:
        ana.plays_alone("casino")
        code = ana.plays_alone("british")
        with Seat(ana, code) as seat:
            assert seat.view["people"] == [{"name": ana.name, "chips": STARTING, "bot": False}]


def test_chips_in_play_elsewhere_are_not_taken_away(home: House) -> None:
    with Browser(home) as ana:
        first, second = ana.plays_alone("casino"), ""
        with Seat(ana, first) as seat:
            seat.plays_to_a_question()
            answer = ana.form("/tables", preset="british", alone="yes")
            assert (answer.status_code, "command.chips_elsewhere" in answer.text) == (409, True)
            second = ana.opens("leaflet")
            with Seat(ana, second) as other:
                assert other.does("sit", box=1)["code"] == "command.chips_elsewhere"
            assert seat.answers(ana.name)
