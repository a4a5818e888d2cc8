"""What nobody gets through the doors: foreign forms, floods, scripts in pages, secrets in logs."""

from __future__ import annotations

import io
import json
import logging
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import httpx
import pytest
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tapete.errors import BadInput
from tapete.server import messages as wire
from tapete.server import ops, sockets
from tapete.server.security import Origins
from tapete.server.settings import Limits, Rate, public_origin
from tapete.server.sockets import Line
from tests.server.web import Browser, House, Seat, house

ONCE = Rate(1, 0.0001)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("doors")) as one:
        yield one


# --- origins --------------------------------------------------------------------------------------------------------

FORMS = ("/tables", "/lang", "/theme", "/you/name", "/you/chips", "/you/phrase", "/you/return", "/t/x/leave")
FOREIGN = ("", "null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1")


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("origin", FOREIGN)
def test_a_form_of_another_site_does_nothing(home: House, path: str, origin: str) -> None:
    headers = {"Origin": origin} if origin else {}
    answer = httpx.post(home.url + path, data={"preset": "casino"}, headers=headers)
    assert answer.status_code == 403
    assert "request.origin" in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("origin", ["null", "http://evil.example", None])
def test_a_page_of_another_site_does_not_reach_a_table(home: House, origin: str | None) -> None:
    with Browser(home) as ana:
        address = f"{home.url.replace('http', 'ws', 1)}/ws/{ana.opens()}"
        with (
            pytest.raises(InvalidStatus) as refused,
            connect(
                address,
                origin=None if origin is None else Origin(origin),
                additional_headers={"Cookie": ana.cookie},
            ),
        ):
            pass
    assert refused.value.response.status_code == 403


def connection(**headers: str) -> HTTPConnection:
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": "http", "headers": raw, "path": "/", "query_string": b""})


@pytest.mark.parametrize("host", ["127.0.0.1:8021", "localhost:8021", "[::1]:8021", "192.168.1.7:8021"])
def test_a_page_of_this_machine_or_its_network_number_is_ours(host: str) -> None:
    assert Origins("").allows(connection(Host=host, Origin=f"http://{host}"))


def test_a_name_that_somebody_pointed_at_us_is_not_ours() -> None:
    assert not Origins("").allows(connection(Host="evil.example", Origin="http://evil.example"))


def test_a_public_house_takes_forms_of_its_public_pages() -> None:
    house_ = Origins("https://tapete.example")
    assert house_.allows(connection(Host="inner:8021", Origin="https://tapete.example"))
    assert not house_.allows(connection(Host="inner:8021", Origin="https://tapete.example.evil.example"))
    assert house_.base(connection(Host="inner:8021")) == "https://tapete.example"


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("", ""),
        ("https://Tapete.example/", "https://tapete.example"),
        ("https://tapete.example:443", "https://tapete.example"),
        ("http://10.0.0.1:8021", "http://10.0.0.1:8021"),
        ("http://[::1]:8021", "http://[::1]:8021"),
    ],
)
def test_a_public_url_is_an_origin(url: str, origin: str) -> None:
    assert public_origin(url) == origin


@pytest.mark.parametrize(
    "url",
    [
        "tapete",
        "ftp://x",
        "https://",
        "https://x/y",
        "https://a:b@x",
        "https://x:y",
        "https://x?y",
        "https://[",
        "javascript:x",
    ],
)
def test_what_is_no_public_url_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match=r"serve\.public_url"):
        public_origin(url)


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x", "", "/\n"]
)
def test_the_way_back_never_leads_to_another_site(home: House, back: str) -> None:
    with Browser(home) as ana:
        assert ana.form("/lang", lang="es", back=back).headers["location"] == "/"
        assert ana.form("/lang", lang="es", back="/you").headers["location"] == "/you"


# --- what pages may do ----------------------------------------------------------------------------------------------


def pages(home: House, ana: Browser) -> dict[str, httpx.Response]:
    code = ana.plays_alone("casino")
    with Seat(ana, code) as seat:
        seat.plays(ana.name)
    paths = ["/", "/open", "/you", "/rules/casino", f"/t/{code}", f"/t/{code}/rules", f"/t/{code}/rounds", "/nope"]
    paths += [f"/t/{code}/rounds/1{suffix}" for suffix in ("", ".json", ".bjh")]
    paths += ["/verify", "/words/es.json", "/health", "/metrics", "/static/css/site.css", "/t/nope", "/r/nope"]
    found = {path: ana.get(path) for path in paths}
    found["a form"] = ana.form("/tables", preset="nope")
    found["a foreign form"] = httpx.post(home.url + "/lang")
    return found


def test_every_answer_tells_the_browser_what_it_may_do(home: House) -> None:
    with Browser(home) as ana:
        for path, answer in pages(home, ana).items():
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy, path
            assert "unsafe" not in policy, path
            assert "frame-ancestors 'none'" in policy, path
            assert answer.headers["x-content-type-options"] == "nosniff", path
            assert answer.headers["referrer-policy"] == "same-origin", path


def test_no_page_holds_code_or_asks_another_place(home: House) -> None:
    inline = re.compile(
        r"<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc=)|(?:src|href|action)=\"(?:https?:)?//"
    )
    with Browser(home) as ana:
        for path, answer in pages(home, ana).items():
            if answer.headers["content-type"].startswith("text/html"):
                assert inline.search(answer.text) is None, path


@pytest.mark.parametrize("language", ["en", "es"])
def test_pages_speak_one_language(home: House, language: str) -> None:
    lobby, fault = {"en": ("Play now", "There is nothing here"), "es": ("Jugar ya", "Aquí no hay nada")}[language]
    with Browser(home, **{"Accept-Language": f"{language}-XX, de;q=0.9"}) as ana:
        assert lobby in ana.get("/").text
        answer = ana.get("/nope")
        assert f'lang="{language}"' in answer.text
        assert fault in answer.text
        assert "page.missing" in answer.text


@pytest.mark.parametrize("header", ["", "de", "es;q=x", ",;,", "x" * 3000, "*"])
def test_a_browser_that_asks_for_no_language_of_ours_gets_english(home: House, header: str) -> None:
    with Browser(home, **{"Accept-Language": header}) as ana:
        assert '<html lang="en"' in ana.get("/").text


def test_a_chosen_language_and_colours_are_kept(home: House) -> None:
    with Browser(home) as ana:
        ana.form("/lang", lang="es")
        ana.form("/theme", theme="dark")
        assert '<html lang="es" data-theme="dark">' in ana.get("/").text
        assert ana.form("/theme", theme="<x>").status_code == 400
        assert ana.form("/lang", lang="xx").status_code == 400


# --- floods ---------------------------------------------------------------------------------------------------------


def test_a_form_that_is_too_large_is_not_read(home: House) -> None:
    with Browser(home) as ana:
        answer = ana.form("/you/name", name="x" * 200_000)
        assert (answer.status_code, "form.too_large" in answer.text) == (413, True)
        unsaid = ana.post("/you/name", content=iter([b"name=x"]))
        assert unsaid.status_code == 413


def test_an_address_that_asks_too_often_is_told_so(tmp_path: Path) -> None:
    with house(tmp_path, limits=Limits(requests=Rate(3, 0.0001))) as one, Browser(one) as eve:
        answers = [eve.get("/") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert "limit.requests" in answers[-1].text
        assert eve.get("/health").status_code == 200
        assert eve.get("/static/css/site.css").status_code == 200


def test_guests_and_tables_of_one_address_have_an_end(tmp_path: Path) -> None:
    with house(tmp_path, limits=Limits(guests=ONCE, tables=ONCE, phrases=ONCE)) as one, Browser(one) as ana:
        ana.opens()
        assert "limit.tables" in ana.form("/tables", preset="casino").text
        ana.form("/you/return", phrase="x")
        assert "limit.phrases" in ana.form("/you/return", phrase="x").text
        with Browser(one) as eve:
            answer = eve.get("/")
            assert (answer.status_code, "limit.guests" in answer.text) == (429, True)


def test_a_full_house_says_so(tmp_path: Path) -> None:
    with house(tmp_path, limits=Limits(open_tables=1)) as one, Browser(one) as ana:
        ana.opens()
        answer = ana.form("/tables", preset="casino")
        assert (answer.status_code, "house.full" in answer.text) == (409, True)


def test_too_many_messages_are_refused_and_then_ended(tmp_path: Path) -> None:
    few = Limits(messages=Rate(5, 0.0001))
    with house(tmp_path, limits=few) as one, Browser(one) as eve, Seat(eve, eve.opens()) as seat:
        with suppress(ConnectionClosed):  # the house may have had enough before the last one
            for _ in range(200):
                seat.line.send("{}")
        last, status = seat.farewell()
    codes = [json.loads(text).get("code") for text in seat.heard]
    assert codes.count("message.unreadable") == 5
    assert (last, status) == ({"type": "bye", "code": "limit.messages"}, sockets.POLICY)


def test_too_many_connections_of_one_address_are_refused(tmp_path: Path) -> None:
    with house(tmp_path, limits=Limits(sockets=2)) as one, Browser(one) as eve:
        code = eve.opens()
        with Seat(eve, code), Seat(eve, code), Seat(eve, code) as third:
            assert third.first == {"type": "bye", "code": "limit.connections"}
        for _ in range(500):  # the house may notice a moment later that they have hung up
            with Seat(eve, code) as again:
                if again.first["type"] == "snapshot":
                    return
        pytest.fail("the places of closed connections are not free again")


def test_a_message_that_is_too_large_ends_the_connection_with_a_code(home: House) -> None:
    with Browser(home) as eve, Seat(eve, eve.opens()) as seat:
        seat.line.send("x" * (wire.MAX_MESSAGE + 1))
        assert seat.farewell() == ({"type": "bye", "code": "message.too_large"}, sockets.TOO_BIG)


def test_a_table_that_is_not_there_says_goodbye(home: House) -> None:
    with Browser(home) as eve, Seat(eve, "nope") as seat:
        assert seat.farewell() == ({"type": "bye", "code": "table.unknown"}, sockets.NOT_FOUND)


def test_who_reads_too_slowly_is_let_go_and_holds_nothing_up(home: House) -> None:
    with Browser(home) as ana:
        code = ana.plays_alone("faceup")
        host, port = home.url.removeprefix("http://").split(":")
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            deaf.connect((host, int(port)))
            deaf.sendall(
                f"GET /ws/{code} HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {home.url}\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                "Sec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            with Seat(ana, code) as seat:
                seat.plays(ana.name)


async def unused(*_: object) -> NoReturn:
    raise AssertionError("nothing is sent or received in this test")


def test_a_line_that_nobody_empties_says_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_WAITING", 1000)
    line = Line(WebSocket({"type": "websocket"}, unused, unused))
    for _ in range(1000):
        line.tell(b"x" * 100)
    assert line.ended
    assert len(line._waiting) == 1
    assert json.loads(line._waiting[0]) == {"type": "bye", "code": "connection.slow"}


# --- what the log and the figures say -------------------------------------------------------------------------------


def test_neither_log_nor_figures_name_anybody_or_any_private_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("tapete.web"), "disabled", False)  # the linter of imports silences all others
    log = io.StringIO()
    ops.set_up_log(log)
    with house(tmp_path) as one, Browser(one) as ana:
        ana.form("/you/name", name="Ana Secreta")
        code = ana.plays_alone("home")
        with Seat(ana, code) as seat:
            seat.plays("Ana Secreta")
        ana.get(f"/t/{code}/nope")
        figures = ana.get("/metrics").text
        secrets = [shoe.secret.hex() for table in one.store.open_tables() for shoe in one.store.shoes(table.id)]
        cookie = ana.cookie.partition("=")[2]
    assert secrets
    assert 'tapete_commands_total{code="accepted"}' in figures
    assert "tapete_tables 1.0" in figures
    told = log.getvalue() + figures
    assert [word for word in ("Secreta", code, cookie, *secrets) if word in told] == []
    assert [json.loads(line)["event"] for line in log.getvalue().splitlines()] == ["opened", "closed"]


def test_figures_are_for_this_machine_alone(tmp_path: Path) -> None:
    with house(tmp_path, public_url="https://tapete.example") as one:
        assert httpx.get(f"{one.url}/metrics").status_code == 200
        assert httpx.get(f"{one.url}/metrics", headers={"X-Forwarded-For": "203.0.113.7"}).status_code == 404
