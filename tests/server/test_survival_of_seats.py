"""Connections come and go, disks fill up, databases go away: a seat, a bet and a turn stay what they were."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from tapete.events import Checked, Dealt, Decided, Turned
from tapete.server import live
from tapete.server import messages as wire
from tapete.server.workings import default
from tapete.stakes import Lock
from tapete.store import STARTING, Store
from tapete.table import TableEvent
from tests.databases import Place
from tests.disks import fill
from tests.postgres import Server, running
from tests.server.felts import WITH_CLOCK, Felt, Guest, again, felt, run, until


def rounds_of(table: Felt) -> list[TableEvent]:
    return [one for one in table.log() if isinstance(one, Lock | Dealt | Checked | Turned)]


def playing(table: Felt) -> bool:
    return table.live.table.playing


async def step(table: Felt, guests: list[Guest]) -> list[str]:
    """What the table waits for is done, or refused: then the codes."""
    if playing(table):
        question = table.questions[0]
        one = next(one for one in guests if one.who.name == question.bettor)
        action = "hit" if "hit" in question.legal and table.live.table.number % 2 else default(question).action
        return await refusals(one, wire.Decide(question.box, question.hand, action))
    await until(lambda: playing(table) or (table.live.rested and not table.live._lock.locked()))
    if playing(table):  # what was refused with the connection has been done after all
        return []
    codes = []
    for box, one in enumerate(guests, start=1):
        codes += await refusals(one, wire.Bet(box, 1000))
    for one in guests:
        if not playing(table) and not codes:
            codes += await refusals(one, wire.Ready())
    return codes


async def over(table: Felt) -> None:
    await until(lambda: not table.live.table.playing)


async def refusals(one: Guest, deed: Any) -> list[str]:
    answer = await one.send(one.command(deed))
    return [answer["code"]] if answer["type"] == "rejected" else []


async def play(table: Felt, guests: list[Guest], *, rounds: int) -> set[str]:
    """So many rounds to their end, whatever is refused on the way; tells the codes."""
    codes: set[str] = set()
    while table.live.table.number < rounds or table.live.table.playing:
        codes |= set(await step(table, guests))
    return codes


# --- connections ----------------------------------------------------------------------------------------------------


def test_two_browsers_of_one_person_hear_the_same_and_play_the_same_hand(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            (ana,) = await table.seated(Ana=1)
            twin = Guest(table, "Ana")
            await twin.come()
            ana.heard.clear()
            await twin.do(wire.Bet(1, 1000))
            await ana.do(wire.Ready())
            assert table.live.table.playing
            question = table.questions[0]
            same = [wire.Decide(question.box, question.hand, "stand")] * 2
            answers = await asyncio.gather(ana.send(ana.command(same[0])), twin.send(twin.command(same[1], id="t")))
            assert sorted(answer["type"] for answer in answers) == ["accepted", "rejected"]
            updates = [[one for one in guest.heard if one["type"] == "update"] for guest in (ana, twin)]
            assert updates[0]
            assert updates[0] == updates[1][-len(updates[0]) :]
            table.whole()

    run(test, tmp_path)


def test_a_connection_that_closes_late_takes_nobodys_seat(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            ana, eva = await table.seated(Ana=1, Eva=2)
            await ana.come("new")
            await ana.go()
            await ana.go()  # and once more
            await table.deal(ana, eva)
            assert table.live.present() == {"Ana", "Eva"}
            assert [seat.name for seat in table.live.table.seats] == ["Ana", "Eva"]
            await table.finish(ana, eva)
            await ana.go("new")
            await table.deal(eva)  # waits for nobody who is away
            assert [seat.name for seat in table.live.table.seats] == ["Ana", "Eva"]

    run(test, tmp_path)


def test_a_bet_whose_owner_is_away_is_played_by_the_clock_and_paid(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british", pace=WITH_CLOCK) as table:
            ana, eva = await table.seated(Ana=1, Eva=2)
            await table.deal(ana, eva)
            await ana.go()
            await eva.go()
            await over(table)
            await table.rested()
            assert ana.money[1] + eva.money[1] + table.bank == 2 * STARTING
            assert [seat.name for seat in table.live.table.seats] == ["Ana", "Eva"]
            table.whole()

    run(test, tmp_path)


def test_a_command_that_comes_twice_is_done_once_and_answered_twice_the_same(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            (ana,) = await table.seated(Ana=1)
            await table.deal(ana)
            question = table.questions[0]
            hit = ana.command(wire.Decide(question.box, question.hand, "hit"))
            answers = await asyncio.gather(*(ana.send(hit) for _ in range(3)))
            assert answers[0]["type"] == "accepted"
            assert answers[0] == answers[1] == answers[2] == await ana.send(hit)
            assert sum(isinstance(one, Decided) for one in table.log()) == 1

    run(test, tmp_path)


def test_of_a_double_click_on_hit_the_second_draws_no_card(tmp_path: Path) -> None:
    """Two commands of one moment: the second was meant for a hand that has another card now."""

    async def test(store: Store) -> None:
        for seed in range(1, 12):
            async with felt(store, "british", seed=seed) as table:
                (ana,) = await table.seated(**{f"Ana {seed}": 1})
                await table.deal(ana)
                if not table.questions:
                    continue
                clicks = [ana.command(wire.Decide(1, 1, "hit")) for _ in range(2)]
                first, second = await asyncio.gather(*map(ana.send, clicks))
                assert (first["type"], second["type"]) == ("accepted", "rejected")
                assert second["code"] == ("command.late" if table.live.table.playing else "command.not_your_turn")
                assert sum(isinstance(one, Decided) for one in table.log()) == 1

    run(test, tmp_path)


def test_whoever_goes_away_in_the_middle_of_a_command_leaves_it_done_or_undone(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        dice = random.Random(4)
        async with felt(store, "british") as table:
            ana, eva = await table.seated(Ana=1, Eva=2)
            for number in range(150):
                task = asyncio.create_task(ana.send(ana.command(wire.Bet(1, 100 + 100 * (number % 9)))))
                for _ in range(dice.randrange(4)):
                    await asyncio.sleep(0)
                task.cancel()
                await eva.do(wire.Bet(2, 100 + 100 * (number % 7)))
            told = [one["seq"] for heard in eva.heard if heard["type"] == "update" for one in heard["events"]]
            assert told == list(range(told[0], table.live.seq + 1))
            assert len(table.log()) == table.live.seq

    run(test, tmp_path)


# --- after a crash --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["casino", "british", "leaflet", "faceup", "home"])
def test_a_round_that_a_crash_interrupted_is_ended_by_the_clock_when_somebody_is_back(
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
                back = after.guest(ana.who.name)
                await back.come()
                await over(after)
                assert [one.by for one in after.log() if isinstance(one, Decided)][-1] == "clock"
                assert back.money[1] == STARTING - after.bank
                after.whole()
                return

    run(test, tmp_path)


def test_a_double_click_that_a_crash_came_between_draws_one_card(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as before:
            (ana,) = await before.seated(Ana=1)
            await before.deal(ana)
            hit = ana.command(wire.Decide(1, 1, "hit"))
            assert (await ana.send(hit))["type"] == "accepted"
            after = await again(before)
            same = after.guest("Ana")
            await same.come()
            assert (await same.send(hit))["type"] == "rejected"
            assert sum(isinstance(one, Decided) for one in after.log()) == 1

    run(test, tmp_path)


# --- no room --------------------------------------------------------------------------------------------------------


def full(store: Store, disk: Path | None) -> Callable[[], None]:
    """From now on the database cannot grow; tells how to make room again."""
    if disk is not None:
        return fill(disk).unlink
    limit = [1]  # pages: SQLite takes the number that it has if that is more

    def starve(connection: Any, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {limit[0]}")

    event.listen(store._database.writer, "checkout", starve)

    def make_room() -> None:
        limit[0] = 10**6

    return make_room


def test_a_full_disk_refuses_what_it_cannot_keep_and_the_table_goes_on_when_there_is_room(
    small_disk: Path | None, tmp_path: Path
) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            guests = await table.seated(Ana=1, Eva=2)
            await play(table, guests, rounds=3)
            looker = table.guest("Leo")
            make_room = full(store, small_disk)
            for number in count():
                assert number < 5000
                codes = await step(table, guests)
                if codes:
                    break
            assert set(codes) == {"data.full"}
            before = table.log()
            assert set(await step(table, guests)) == {"data.full"}
            assert table.log() == before
            assert (await looker.come())["seq"] == len(before)
            make_room()
            await play(table, guests, rounds=table.live.table.number + 3)
            table.whole()
            starved = rounds_of(table)
        with Store(tmp_path / "other") as other:
            async with felt(other, "british") as table:
                guests = await table.seated(Ana=1, Eva=2)
                await play(table, guests, rounds=sum(isinstance(one, Lock) for one in starved))
                assert rounds_of(table) == starved

    run(test, (small_disk or tmp_path) / "data")


# --- the database goes away -----------------------------------------------------------------------------------------


def undisturbed(folder: Path, *, rounds: int) -> list[TableEvent]:
    """The same rounds when nothing happens."""
    found: list[TableEvent] = []

    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            await play(table, await table.seated(Ana=1, Eva=2), rounds=rounds)
            found.extend(rounds_of(table))

    run(test, folder)
    return found


def test_a_database_server_that_stops_in_mid_round_costs_nobody_a_card(postgres: Server, tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            guests = await table.seated(Ana=1, Eva=2)
            await play(table, guests, rounds=2)
            await table.deal(*guests)
            await asyncio.to_thread(server.stop)
            assert set(await step(table, guests)) == {"store.unreachable"}
            assert set(await step(table, guests)) == {"store.unreachable"}
            await asyncio.to_thread(server.start)
            assert await play(table, guests, rounds=5) == set()
            table.whole()
            assert rounds_of(table) == undisturbed_rounds

    undisturbed_rounds = undisturbed(tmp_path / "undisturbed", rounds=5)
    with running() as server, Place(tmp_path / "data", server).store(patience=2) as store:
        asyncio.run(test(store))


_CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'tapete'"
)


def test_connections_cut_at_any_moment_lose_no_event_and_do_none_twice(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in the middle of a commit, when nobody can tell at once whether it was kept."""
    monkeypatch.setattr(live, "TROUBLE", 0.05)
    place = Place(tmp_path / "data", postgres)
    stop, cuts = threading.Event(), [0]

    def cut() -> None:
        dice = random.Random(6)
        with closing(postgres.connect(place.name)) as connection:
            while not stop.wait(dice.uniform(0.02, 0.2)):
                cuts[0] += len(connection.execute(_CUT).fetchall())

    async def test(store: Store) -> int:
        """The rounds it took: how many cuts fit into one is a matter of the machine."""
        async with felt(store, "british") as table:
            guests = await table.seated(Ana=1, Eva=2)
            cutter = threading.Thread(target=cut)
            cutter.start()
            codes, rounds = set[str](), 0
            try:
                while rounds < 25 or (cuts[0] <= 10 and cutter.is_alive()):
                    rounds += 5
                    codes |= await play(table, guests, rounds=rounds)
            finally:
                stop.set()
                cutter.join()
            assert cuts[0] > 10
            assert codes <= {"store.unreachable", "command.late", "command.not_your_turn", "table.in_play"}
            assert [one.seq for one in store.events(table.live.id)] == list(range(1, table.live.seq + 1))
            table.whole()
            dealt.extend(rounds_of(table))
            return rounds

    dealt: list[TableEvent] = []
    with place.store() as store:
        rounds = asyncio.run(test(store))
    assert dealt == undisturbed(tmp_path / "undisturbed", rounds=rounds)
