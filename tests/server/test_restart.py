"""What a server takes up that starts again: tables not yet free, rounds, wishes to leave, people one by one."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tapete.events import Decided
from tapete.rulefile import preset
from tapete.server import clock, registry, site, steering
from tapete.server import messages as wire
from tapete.server.books import Books
from tapete.server.live import Config
from tapete.server.pace import PACES, Pace
from tapete.server.registry import KIND, Registry
from tapete.store import STARTING, Store
from tapete.table import Closing, Leaving, Left
from tests.databases import Place
from tests.server.felts import AT_ONCE, WITH_CLOCK, Felt, Guest, again, felt, run, until
from tests.server.web import PATIENCE, Browser, Seat, house

LONG_REST = Pace(None, None, 600, 0, 0)
"""A round that is over stays on the cloth."""
LONG_SEEDS = Pace(None, None, 0, 600, 0)
"""Seeds that are not opened are waited for."""


def lay(store: Store, code: str) -> int:
    """A table of the web that this store holds."""
    config = msgspec.json.encode(Config(preset("casino"), code))
    return store.open_table(kind=KIND, name=code, config=config)


# --- tables that are not free yet


def test_a_table_that_another_program_still_holds_is_taken_up_when_it_is_free(place: Place) -> None:
    """As after the loss of a machine, whose claims a database takes back a while later."""

    async def test(store: Store) -> None:
        books = Books(store)
        tables = Registry(books, most=9)
        assert await tables.resume() == 1
        assert (len(tables), tables.is_waiting("held"), tables.is_waiting("free")) == (1, True, False)
        other.close()
        while await tables.resume():
            await asyncio.sleep(0.02)
        assert {live.config.code for live in tables} == {"free", "held"}
        assert not tables.is_waiting("held")
        await books.aclose()

    with place.store() as other:
        lay(other, "held")
        other.release(lay(other, "free"))
        with place.store() as store:
            asyncio.run(asyncio.wait_for(test(store), 60))


class Ear(logging.Handler):
    """What a logger says."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record)


def test_a_server_that_waits_for_a_table_says_so_and_has_it_as_soon_as_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "AGAIN", 0.05)
    ear, logger = Ear(), logging.getLogger(registry.LOG.name)
    before = logger.level
    logger.addHandler(ear)
    logger.setLevel(logging.INFO)
    try:
        with Store(tmp_path) as other:
            lay(other, "held")
            with house(tmp_path) as one, Browser(one) as ana:
                assert ana.get("/t/held").status_code == 503
                assert "moment" in ana.get("/t/held", headers={"Accept-Language": "en"}).text
                with Seat(ana, "held") as seat:
                    assert seat.farewell() == ({"type": "bye", "code": "table.waiting"}, 1013)
                other.close()
                wait(lambda: len(one.site.registry) == 1)
                assert ana.get("/t/held").status_code == 200
                wait(lambda: "resumed" in [record.getMessage() for record in ear.heard])
    finally:
        logger.removeHandler(ear)
        logger.setLevel(before)
    told = [
        (record.getMessage(), record.__dict__.get("tables"), record.__dict__.get("waiting")) for record in ear.heard
    ]
    assert told[:2] == [("opened", 0, 1), ("resumed", 1, 0)]


def wait(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# --- rounds that were in play


@pytest.mark.parametrize("game", ["casino", "british", "leaflet", "faceup", "home"])
def test_a_round_that_a_crash_interrupted_ends_by_its_defaults_though_nobody_comes_back(
    tmp_path: Path, game: str
) -> None:
    async def test(store: Store) -> None:
        for seed in range(1, 30):
            async with felt(store, game, seed=seed) as before:
                (ana,) = await before.seated(**{f"Ana {seed}": 1})
                await before.deal(ana)
                if not before.live.table.playing:
                    continue
                after = await again(before, pace=WITH_CLOCK, seed=seed)
                after.live.go_on()
                await over(after)
                assert [one.by for one in after.log() if isinstance(one, Decided)][-1] == "clock"
                assert ana.money[1] == STARTING - after.bank
                await after.rested()
                assert after.rounds() == before.live.table.number
                after.whole()
                return

    run(test, tmp_path)


async def over(table: Felt) -> None:
    await until(lambda: not table.live.table.playing)


async def to_a_turn_of(table: Felt, one: Guest, *guests: Guest) -> None:
    """Plays until that person is asked."""
    while not any(question.bettor == one.who.name for question in table.questions):
        await table.finish(*guests)
        await table.deal(*guests)


def test_whoever_asked_to_leave_in_mid_round_still_leaves_when_the_server_died_meanwhile(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as before:
            ana, eva = await before.seated(Ana=1, Eva=2)
            await before.deal(ana, eva)
            await to_a_turn_of(before, ana, ana, eva)
            await ana.do(wire.Leave(), wire.Leave())
            assert before.live.table.leaving == ("Ana",)
            assert before.live.table.playing
            assert before.log().count(Leaving("Ana")) == 1
            after = await again(before)
            after.live.go_on()
            back = after.guest("Eva")
            await back.come()
            await after.finish(back)
            await until(lambda: after.live.table.leaving == ())
            assert Left("Ana") in after.log()
            assert [seat.name for seat in after.live.table.seats] == ["Eva"]
            assert ana.money[1] == 0
            assert ana.money[0] + back.money[1] + after.bank == 2 * STARTING
            after.whole()

    run(test, tmp_path)


def test_whoever_asked_to_leave_goes_though_the_server_died_just_after_the_round(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british", pace=LONG_REST) as before:
            ana, eva = await before.seated(Ana=1, Eva=2)
            await before.deal(ana, eva)
            assert before.live.table.playing
            await eva.do(wire.Leave())
            await before.finish(ana)
            assert Left("Eva") not in before.log()
            after = await again(before)
            after.live.go_on()
            await until(lambda: after.live.table.leaving == ())
            assert Left("Eva") in after.log()
            assert eva.money[1] == 0
            after.whole()

    run(test, tmp_path)


def test_a_table_that_was_to_close_after_its_round_closes_though_the_server_died_meanwhile(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as before:
            ana, eva = await before.seated(Ana=1, Eva=2)
            await before.deal(ana, eva)
            assert before.live.table.playing
            await ana.do(wire.Close(), wire.Close())
            assert before.log().count(Closing()) == 1
            after = await again(before)
            after.live.go_on()
            guests = [after.guest("Ana"), after.guest("Eva")]
            for one in guests:
                await one.come()
            assert [one["closing"] for one in guests[1].heard if one["type"] == "room"][-1]
            await after.finish(*guests)
            await until(lambda: guests[0].heard[-1] == {"type": "bye", "code": "table.closed"})
            assert store.open_tables() == []
            assert ana.money[0] + eva.money[0] + after.bank == 2 * STARTING

    run(test, tmp_path)


# --- people come back one by one


async def taken_up(before: Felt, *, pace: Pace = AT_ONCE) -> tuple[Felt, Guest, Guest]:
    """The table after a restart, and Ana and Eva, who are not back yet."""
    after = await again(before, pace=pace)
    after.live.go_on()
    return after, after.guest("Ana"), after.guest("Eva")


def test_the_first_who_is_back_does_not_begin_without_the_others(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as before:
            await before.seated(Ana=1, Eva=2)
            after, ana, eva = await taken_up(before)
            await ana.come()
            await ana.do(wire.Bet(1, 1000), wire.Ready())
            await eva.come()
            await eva.do(wire.Bet(2, 1000))
            assert after.live.table.number == 0
            await eva.do(wire.Ready())
            assert after.live.table.number == 1

    run(test, tmp_path)


def test_whoever_does_not_come_back_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "GRACE", 0.3)

    async def test(store: Store) -> None:
        async with felt(store, "british") as before:
            await before.seated(Ana=1, Eva=2)
            after, ana, _ = await taken_up(before)
            await ana.come()
            await ana.do(wire.Bet(1, 1000), wire.Ready())
            await until(lambda: after.live.table.number == 1)

    run(test, tmp_path)


@pytest.mark.parametrize("all_come", [True, False])
def test_a_shoe_that_waited_for_its_seeds_is_dealt_when_all_are_back_or_have_had_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, all_come: bool
) -> None:
    monkeypatch.setattr(clock, "GRACE", 600 if all_come else 0.3)

    async def test(store: Store) -> None:
        async with felt(store, "british", pace=LONG_SEEDS) as before:
            one, other = await before.seated(Ana=1, Eva=2)
            await one.do(wire.PromiseSeed("00" * 32), wire.Bet(1, 1000), wire.Ready())
            await other.do(wire.Bet(2, 1000), wire.Ready())
            assert before.live.table.opening is not None
            assert before.live.table.opening.closed
            after, ana, eva = await taken_up(before)
            assert after.live.clock.told() is None
            await ana.come()
            assert after.live.table.number == 0
            if all_come:
                await eva.come()
            await until(lambda: after.live.table.number == 1)

    run(test, tmp_path)


# --- the books are in trouble


def test_a_table_can_be_stopped_while_its_database_is_away(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            (ana,) = await table.seated(Ana=1)
            store.close()
            assert await ana.refused(wire.Bet(1, 1000)) == "store.closed"
            await steering.stop(table.live)
            assert table.live.closed

    run(test, tmp_path)


def test_a_command_that_found_the_books_shut_can_be_sent_again_as_it_was(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            (ana,) = await table.seated(Ana=1)
            bet = ana.command(wire.Bet(1, 1000))
            store._closed = True
            assert (await ana.send(bet))["code"] == "store.closed"
            store._closed = False
            assert (await ana.send(bet))["type"] == "accepted"
            assert (await ana.send(bet))["type"] == "accepted"
            assert len(table.live.table.bets) == 1

    run(test, tmp_path)


def test_a_table_that_cannot_be_written_says_goodbye_and_closes_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PACES, "brisk", Pace(3.0, 3.0, 3.0, 0, 0))
    with house(tmp_path) as one, Browser(one) as ana:
        code = ana.opens("british", pace="brisk")
        with Seat(ana, code) as seat:
            seat.does("sit", box=1)
            seat.does("bet", box=1, amount=1000)
            one.store.close()
            assert seat.farewell() == ({"type": "bye", "code": "store.closed"}, 1013)


# --- a round needs company


TWO = ["min_players=2"]


def test_a_table_with_too_few_boxes_waits_and_says_how_many_are_missing(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british", rules=TWO, pace=Pace(0.02, None, 0, 0, 0)) as table:
            ana, eva = await table.seated(Ana=1, Eva=2)
            assert short(ana) == 2
            await ana.do(wire.Bet(1, 1000), wire.Ready())
            assert short(ana) == 1
            assert table.live.clock.told() is None
            assert "Ana" in table.live.ready
            await eva.do(wire.Bet(2, 1000))
            await until(lambda: table.live.table.number == 1)
            assert short(eva) == 0
            assert not [message for message in ana.heard + eva.heard if message["type"] == "bye"]

    run(test, tmp_path)


def test_a_bot_of_the_house_is_company_enough(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british", rules=TWO) as table:
            (ana,) = await table.seated(Ana=1)
            await ana.do(wire.Bet(1, 1000), wire.Ready())
            assert table.live.table.number == 0
            await ana.do(wire.SeatBot(3), wire.Ready())
            assert table.live.table.number == 1

    run(test, tmp_path)


def short(one: Guest) -> int:
    told = [message for message in one.heard if message["type"] == "room"]
    return int(told[-1]["short"])


# --- a seat that is refused costs none elsewhere


def test_a_seat_or_bet_that_is_refused_leaves_the_boxes_at_another_table(tmp_path: Path) -> None:
    with house(tmp_path) as one, Browser(one) as ana, Browser(one) as bea:
        name = ana.name
        here, there = ana.opens("british", pace="none"), bea.opens("british", pace="none")
        with Seat(ana, here) as seat, Seat(bea, there) as hers, Seat(ana, there) as other:
            assert seat.does("sit", box=1)["type"] == "accepted"
            assert hers.does("sit", box=1)["type"] == "accepted"
            for deed, facts, code in (
                ("sit", {"box": 1}, "table.box_taken"),
                ("bet", {"box": 1, "amount": 1000}, "table.bet"),
                ("bet", {"box": 2, "amount": 1000}, "table.box_free"),
                ("ask_consent", {"box": 2}, "command.no_need_to_ask"),
            ):
                answer = other.does(deed, **facts)
                assert (answer["type"], answer.get("code")) == ("rejected", code)
            live = one.site.registry.find(here)
            assert live is not None
            assert [sat.name for sat in live.table.seats] == [name]
            assert other.does("sit", box=2)["type"] == "accepted"
            wait(lambda: not live.table.seats)
        assert one.store.audit().faults == ()
