"""The life of a house: opened again with every table as it was, stopped gracefully, tidied, backed up."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import time
import webbrowser
from pathlib import Path

import httpx
import pytest

from tapete.cli import main
from tapete.server import serve
from tapete.server.janitor import DAY, MINUTE
from tapete.store import STARTING, Store
from tests.server.web import PATIENCE, Browser, House, Seat, house

LATER = 1e9
"""A moment that is far behind any other of the janitor's clock."""


@pytest.mark.parametrize("preset", ["casino", "british", "leaflet", "faceup", "home"])
def test_a_house_that_opens_again_goes_on_where_it_stopped(tmp_path: Path, preset: str) -> None:
    with Browser("http://127.0.0.1") as ana:
        with house(tmp_path) as one:
            ana.moves_to(one)
            name, code = ana.name, ana.plays_alone(preset, bots="yes", pace="none")
            with Seat(ana, code) as seat:
                seat.plays_to_a_question()
                before = seat.view
        with house(tmp_path) as again:
            ana.moves_to(again)
            assert ana.name == name
            with Seat(ana, code) as seat:
                assert seat.first["you"] == name
                assert seat.view == before
                while seat.view["phase"] != "bets":
                    if not seat.answers(name):
                        seat.hear()
                assert seat.view["round"] == before["round"]
            assert again.store.audit().faults == ()


def test_a_table_that_was_closed_is_forgotten_but_not_its_rounds(tmp_path: Path) -> None:
    with Browser("http://127.0.0.1") as ana:
        with house(tmp_path) as one:
            ana.moves_to(one)
            code = ana.plays_alone("casino")
            with Seat(ana, code) as seat:
                seat.plays(ana.name)
                seat.line.send(json.dumps({"id": "x", "round": 1, "seq": seat.seq, "deed": {"do": "close"}}))
                assert seat.waits_for("bye") == {"type": "bye", "code": "table.closed"}
            assert ana.get(f"/t/{code}").status_code == 404
            assert one.store.racks(1) == {}
        with house(tmp_path) as again:
            ana.moves_to(again)
            assert len(again.site.registry) == 0
            assert ana.get(f"/t/{code}").status_code == 404
            assert ana.get(f"/t/{code}/rounds/1.json").status_code == 200


def test_a_table_of_the_terminal_is_left_alone(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.open_table(kind="terminal", name="casino", config=b"{}")
    with house(tmp_path) as one:
        assert len(one.site.registry) == 0


def test_a_table_that_cannot_be_read_keeps_no_other_shut(tmp_path: Path) -> None:
    with Browser("http://127.0.0.1") as ana:
        with house(tmp_path) as one:
            ana.moves_to(one)
            code = ana.plays_alone("casino")
        with Store(tmp_path) as store:
            for name, config in (("torn", b"{"), ("odd", b"{}")):
                store.open_table(kind="web", name=name, config=config)
        with house(tmp_path) as again:
            ana.moves_to(again)
            assert [ana.get(f"/t/{one}").status_code for one in (code, "torn", "odd")] == [200, 404, 404]


def test_a_house_that_stops_says_goodbye_and_is_no_longer_ready(tmp_path: Path) -> None:
    with house(tmp_path) as one, Browser(one) as ana:
        assert ana.get("/health").json() == {"live": True, "ready": True}
        with Seat(ana, ana.plays_alone("casino")) as seat:
            one.do(one.site.stop())
            last, status = seat.farewell()
        assert (last, status) == ({"type": "bye", "code": "server.stopping"}, 1012)
        assert ana.get("/health").status_code == 503


def test_sigterm_ends_the_program_in_peace(tmp_path: Path) -> None:
    surroundings = {**os.environ, "TAPETE_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "tapete", "serve", "--port", "0", "--lang", "en"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=surroundings, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split(" at ")[1].split()[0]
        with Browser(url) as ana, Seat(ana, ana.plays_alone("casino", pace="none")) as seat:
            seat.bets()
            process.send_signal(signal.SIGTERM)
            assert seat.farewell()[0]["code"] == "server.stopping"
        _, log = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
    assert [json.loads(line)["event"] for line in log.splitlines()] == ["opened", "closed"]
    with Store(tmp_path) as store:
        assert store.audit().faults == ()
        assert [table.kind for table in store.resumable()] == ["web"]


def test_a_port_that_is_taken_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with house(tmp_path) as one:
        port = one.url.rpartition(":")[2]
        assert main(["serve", "--port", port, "--lang", "en"]) == 2
    assert f"port {port} cannot be used" in capsys.readouterr().err


def test_a_house_that_is_open_already_is_shown_in_the_browser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(webbrowser, "open", seen.append)
    with house(tmp_path) as one:
        port = one.url.rpartition(":")[2]
        assert main(["serve", "--open", "--port", port, "--lang", "en"]) == 0
    assert seen == [one.url]
    assert capsys.readouterr().out == f"Tapete is open already at {one.url}.\n"


@pytest.mark.parametrize("answer", [b"", b"noise\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"])
def test_a_port_that_another_program_has_is_told_with_open_too(
    answer: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(webbrowser, "open", seen.append)
    with socket.create_server(("127.0.0.1", 0)) as other:

        def answers() -> None:
            with other.accept()[0] as line:
                line.recv(4096)
                line.sendall(answer)

        thread = threading.Thread(target=answers, daemon=True)
        thread.start()
        port = str(other.getsockname()[1])
        assert main(["serve", "--open", "--port", port, "--lang", "en"]) == 2
        thread.join(PATIENCE)
    assert f"port {port} cannot be used" in capsys.readouterr().err
    assert seen == []


def test_a_house_open_to_the_network_says_where_it_is_there(tmp_path: Path) -> None:
    surroundings = {**os.environ, "TAPETE_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "tapete", "serve", "--host", "0.0.0.0", "--port", "0", "--lang", "en"]
    with subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            here = process.stdout.readline().split(" at ")[1].split()[0]
            assert httpx.get(f"{here}/health").json()["ready"]
            process.send_signal(signal.SIGTERM)
            told = process.stdout.read()
        finally:
            process.kill()
    outside = serve._in_the_network()
    port = here.rpartition(":")[2]
    assert told == (f"In your network it is at http://{outside}:{port}.\n" if outside else "")


@pytest.mark.parametrize(
    "options",
    [
        ("--port", "x"),
        ("--port", "65536"),
        ("--port", "-1"),
        ("--keep-days", "x"),
        ("--public-url", "tapete"),
        ("--host", "nope.invalid"),
    ],
)
def test_options_that_do_not_read_are_told(options: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *options, "--lang", "en"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


# --- tidying --------------------------------------------------------------------------------------------------------


def test_who_stays_away_too_long_is_let_go_with_all_chips(tmp_path: Path) -> None:
    with house(tmp_path, absent_minutes=15) as one, Browser(one) as ana, Browser(one) as bea:
        bea.get("/")
        code = ana.opens("casino", pace="none")
        with Seat(bea, code) as there:
            there.does("sit", box=2)
            with Seat(ana, code) as seat:
                seat.does("sit", box=1)
            wait_until_away(one, code, ana.name)
            look(one, LATER)
            look(one, LATER + 14 * MINUTE)
            assert holders(one, code) == {1: ana.name, 2: bea.name}
            look(one, LATER + 15 * MINUTE)
            assert holders(one, code) == {2: bea.name}
        assert one.store.balance(one.store.person(ana.name).id) == STARTING


def test_who_comes_back_in_time_keeps_the_seat(tmp_path: Path) -> None:
    with house(tmp_path, absent_minutes=15) as one, Browser(one) as ana:
        code = ana.opens("casino", pace="none")
        with Seat(ana, code) as seat:
            seat.does("sit", box=1)
        wait_until_away(one, code, ana.name)
        look(one, LATER)
        with Seat(ana, code):
            look(one, LATER + 14 * MINUTE)
        wait_until_away(one, code, ana.name)
        look(one, LATER + 16 * MINUTE)
        assert holders(one, code) == {1: ana.name}


def test_bets_of_somebody_who_stays_away_are_played_by_the_defaults(tmp_path: Path) -> None:
    with house(tmp_path) as one, Browser(one) as ana:
        name, code = ana.name, ana.plays_alone("casino", pace="none")
        with Seat(ana, code) as seat:
            seat.plays_to_a_question()
            number = seat.view["round"]
        wait_until_away(one, code, name)
        look(one, LATER)
        look(one, LATER + DAY)
        answer = ana.get(f"/t/{code}/rounds/{number}.json")
        assert answer.status_code == 200
        assert '"by":"clock"' in json.dumps([payloads(one)], separators=(",", ":")).replace("\\", "")


def test_a_table_without_anybody_closes(tmp_path: Path) -> None:
    with house(tmp_path, empty_minutes=30) as one, Browser(one) as ana:
        code = ana.opens("casino")
        look(one, LATER)
        look(one, LATER + 29 * MINUTE)
        assert ana.get(f"/t/{code}").status_code == 200
        look(one, LATER + 30 * MINUTE)
        assert ana.get(f"/t/{code}").status_code == 404
        assert one.store.open_tables() == []


def test_somebody_who_watches_keeps_a_table_open(tmp_path: Path) -> None:
    with house(tmp_path) as one, Browser(one) as ana:
        code = ana.opens("casino")
        with Seat(ana, code, cookie=""):
            look(one, LATER)
            look(one, LATER + DAY)
            assert ana.get(f"/t/{code}").status_code == 200


def test_a_table_that_one_only_tried_closes_behind_one(tmp_path: Path) -> None:
    with house(tmp_path) as one, Browser(one) as ana:
        codes = [ana.plays_alone(preset) for preset in ("casino", "british", "home")]
        assert [live.config.code for live in one.site.registry] == codes[-1:]


@pytest.mark.parametrize(("days", "kept"), [(2, 200), (0, 404)])
def test_old_rounds_are_forgotten_when_their_time_is_up(tmp_path: Path, days: int, kept: int) -> None:
    with house(tmp_path, keep_days=days) as one, Browser(one) as ana:
        code = ana.plays_alone("casino")
        with Seat(ana, code) as seat:
            seat.plays(ana.name)
        assert f"for {days} days" in ana.get(f"/t/{code}/rounds").text
        wait_until_away(one, code, ana.name)
        look(one, LATER)
        for later in (1, 2, 3):
            look(one, LATER + later * DAY)
        one.do(one.site.janitor._prune(time.time() + DAY + 60))
        assert ana.get(f"/t/{code}/rounds/1").status_code == kept
        assert one.store.audit().faults == ()


def test_rounds_of_an_open_table_are_never_forgotten(tmp_path: Path) -> None:
    with house(tmp_path, keep_days=0) as one, Browser(one) as ana:
        code = ana.plays_alone("casino")
        with Seat(ana, code) as seat:
            seat.plays(ana.name)
            one.do(one.site.janitor._prune(time.time() + 9 * DAY))
            assert ana.get(f"/t/{code}/rounds/1").status_code == 200


def look(one: House, now: float) -> None:
    one.do(one.site.janitor.look(now))


def holders(one: House, code: str) -> dict[int, str]:
    live = one.site.registry.find(code)
    assert live is not None
    return {seat.box: seat.name for seat in live.table.seats}


def wait_until_away(one: House, code: str, name: str) -> None:
    live = one.site.registry.find(code)
    assert live is not None
    deadline = time.monotonic() + PATIENCE
    while name in live.present():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def payloads(one: House) -> list[str]:
    return [event.payload.decode() for event in one.store.events(1)]


# --- backup ---------------------------------------------------------------------------------------------------------


def test_a_backup_of_an_open_house_is_a_house_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "house.tar"
    with Browser("http://127.0.0.1") as ana:
        with house(tmp_path / "one") as one:
            ana.moves_to(one)
            name, code = ana.name, ana.plays_alone("home", pace="none")
            with Seat(ana, code) as seat:
                seat.plays_to_a_question()
                before = seat.view
                monkeypatch.setenv("TAPETE_DATA", str(tmp_path / "one"))
                assert main(["backup", str(saved)]) == 0
        assert saved.stat().st_mode & 0o777 == 0o600
        (tmp_path / "two").mkdir()
        with tarfile.open(saved) as archive:
            archive.extractall(tmp_path / "two", filter="data")
        with house(tmp_path / "two") as two:
            ana.moves_to(two)
            assert ana.name == name
            with Seat(ana, code) as seat:
                assert seat.view == before
            assert two.store.audit().faults == ()
    assert main(["backup", str(saved), "--lang", "en"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["house.tar", "one", "two"]


def test_a_backup_to_nowhere_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TAPETE_DATA", str(tmp_path))
    assert main(["backup", str(tmp_path / "nope" / "x.tar"), "--lang", "en"]) == 2
    assert main(["backup", "--lang", "en"]) == 2
    assert capsys.readouterr().err.count("\n") == 2
