"""Faults that other tables had with several people, several clicks and broken connections; each by its case."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tapete.errors import Refused
from tapete.events import Checked, Dealt, Decided, Turned
from tapete.server import messages as wire
from tapete.server.workings import default
from tapete.store import STARTING, Store, purse
from tapete.table import Left, TableEvent
from tests.server.felts import AT_ONCE, WITH_CLOCK, Felt, Guest, again, felt, run, until

Test = Callable[[Store], Coroutine[Any, Any, None]]
NO_TURN = {"command.late", "command.not_your_turn"}


def cards(events: list[TableEvent]) -> list[TableEvent]:
    return [event for event in events if isinstance(event, Dealt | Checked | Turned)]


def stand(box: int, hand: int = 1) -> wire.Decide:
    return wire.Decide(box, hand, "stand")


async def at_turn(table: Felt, *guests: Guest) -> bool:
    """Answer what is asked before the turns by default; whether a turn is open now."""
    while table.questions and table.questions[0].kind != "turn":
        question = table.questions[0]
        one = next(one for one in guests if one.who.name == question.bettor)
        await one.do(wire.Decide(question.box, question.hand, default(question).action))
    return bool(table.questions)


def test_CP_01_chips_that_lie_in_a_bet_cannot_be_taken_elsewhere(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        other = store.open_table(kind="casino", name="other", config=b"")
        lost = False
        for seed in range(40):
            async with felt(store, "casino", seed=seed) as table:
                (one,) = await table.seated(**{f"Ana {seed}": 1})
                await table.deal(one, bet=STARTING)
                if table.live.table.playing and await at_turn(table, one):
                    with pytest.raises(Refused, match=r"ledger\.overdrawn"):
                        store.sit(one.who.id, table=other, amount=100)
                    with pytest.raises(Refused, match=r"ledger\.chips_at_table"):
                        store.reset(one.who.id)
                    assert await one.refused(wire.Refill()) == "table.in_play"
                    await table.finish(one)
                assert table.live.table.round is not None
                net = sum(statement.net for statement in table.live.table.round.statements)
                assert one.money == (0, STARTING + net)
                table.whole()
                lost = lost or one.money == (0, 0)
        assert lost

    run(test, tmp_path)


def test_CP_03_a_page_loaded_again_shows_the_same_hand(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            ana, eva = await table.seated(Ana=1, Eva=2)
            await table.deal(ana, eva)
            assert await at_turn(table, ana, eva)
            before = (await ana.come("first"))["view"]
            await ana.go("first")
            await ana.go()
            after = await ana.come()
            assert after["view"] == before
            assert after["view"]["questions"]
            assert ana.money == (0, STARTING)
            after_crash = await again(table)
            assert (await after_crash.guest("Ana").come())["view"] == before

    run(test, tmp_path)


def test_CP_06_five_clicks_on_stand_are_one(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            (ana,) = await table.seated(Ana=1)
            await table.deal(ana)
            assert await at_turn(table, ana)
            commands = [ana.command(stand(1)) for _ in range(5)]
            answers = await asyncio.gather(*map(ana.send, commands))
            assert Counter(answer["type"] for answer in answers) == {"accepted": 1, "rejected": 4}
            assert {answer["code"] for answer in answers if answer["type"] == "rejected"} <= NO_TURN
            assert sum(isinstance(event, Decided) and event.action == "stand" for event in table.log()) == 1
            assert ana.entries() <= 1
            table.whole()

    run(test, tmp_path)


def test_CP_08_a_bet_during_a_round_or_just_after_it_began_takes_no_chips(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            ana, eva = await table.seated(Ana=1, Eva=2)
            number, seq = table.live.table.number, table.live.seq
            await table.rested()
            await ana.do(wire.Bet(1, 1000), wire.Ready())
            await eva.do(wire.Ready())  # without a bet: she looks on
            assert table.live.table.playing
            late = await eva.send(eva.command(wire.Bet(2, 1000), round=number, seq=seq))
            assert (late["type"], late["code"]) == ("rejected", "command.late")
            assert await eva.refused(wire.Bet(2, 1000)) == "table.in_play"
            assert table.live.table.bets == ()
            await table.finish(ana)
            assert eva.money == (0, STARTING)
            table.whole()
            await table.deal(ana, eva)
            assert {box.number for box in table.live.table.round.boxes} == {1, 2}  # type: ignore[union-attr]

    run(test, tmp_path)


def test_CP_10_the_page_opened_again_shows_the_question_and_ending_the_round_frees_the_table(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            (ana,) = await table.seated(Ana=1)
            await table.deal(ana)
            assert await at_turn(table, ana)
            await ana.go()
            snapshot = await ana.come()
            assert snapshot["view"]["phase"] == "questions"
            assert {"hit", "stand"} <= set(snapshot["view"]["questions"][0]["legal"])
            await table.finish(ana)
            await table.rested()
            await ana.do(wire.Leave())
            account, rack = ana.money
            assert rack == 0
            assert account == STARTING - table.bank

    run(test, tmp_path)


def test_CP_11_what_a_connection_is_told_never_goes_back_in_time(tmp_path: Path) -> None:
    """The page drops what is older than what it has; the server never sends it such a thing on one connection."""

    async def test(store: Store) -> None:
        async with felt(store, "home") as table:
            ana, eva = await table.seated(Ana=1, Eva=2)
            for _ in range(6):
                await table.deal(ana, eva)
                before = len(eva.heard)
                snapshot, _ = await asyncio.gather(eva.come("second page"), table.finish(ana, eva))
                assert snapshot["seq"] <= table.live.seq
                assert len(eva.heard) > before
                await eva.go("second page")
            told = [one["seq"] for message in ana.heard if message["type"] == "update" for one in message["events"]]
            assert told == list(range(told[0], told[0] + len(told)))

    run(test, tmp_path)


def test_CP_13_who_is_silent_stands_and_is_paid_and_the_others_play_on(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british", pace=WITH_CLOCK) as table:
            silent, eva = await table.seated(Silent=1, Eva=2)
            await table.deal(silent, eva)
            await until(lambda: not table.live.table.playing)
            decided = [event for event in table.log() if isinstance(event, Decided)]
            assert decided
            assert {event.by for event in decided} == {"clock"}
            assert not {"hit", "double", "split"} & {event.action for event in decided}
            assert silent.money[1] + eva.money[1] + table.bank == 2 * STARTING
            table.whole()

    run(test, tmp_path)


@pytest.mark.parametrize("phase", ["bets", "before the turns", "own turn", "other's turn", "after"])
def test_CP_15_whoever_leaves_at_any_moment_changes_nothing_for_the_others(tmp_path: Path, phase: str) -> None:
    """Held against the same round in which the one who leaves stays and does what the page states as default."""

    async def played(store: Store, *, leaves: bool) -> tuple[list[TableEvent], list[tuple[int, int]]]:
        async with felt(store, "casino", seed=SEED_WITH_INSURANCE) as table:
            guests = await table.seated(Ana=1, Eva=2, Leo=3)
            leo, others = guests[2], guests[:2]
            if phase == "bets":
                await others[0].do(wire.Bet(1, 1000))
                await leo.do(wire.Bet(3, 1000))
                await leo.do(wire.Leave() if leaves else wire.Bet(3, 0))
                await table.deal(*others)
                if not leaves and not table.live.table.playing:
                    await leo.do(wire.Ready())
            else:
                await table.deal(*guests)
            asked = set()
            while table.live.table.playing:
                question = table.questions[0]
                kind = ("own turn" if question.bettor == "Leo" else "other's turn") if question.kind == "turn" else ""
                if leaves and phase in (kind, "" if kind else "before the turns") and "Leo" not in asked:
                    asked.add("Leo")
                    await leo.do(wire.Leave())
                    continue
                one = next(one for one in guests if one.who.name == question.bettor)
                await one.do(wire.Decide(question.box, question.hand, default(question).action))
            await table.rested()
            if leaves and phase == "after":
                await leo.do(wire.Leave())
            assert not leaves or "Leo" not in {one.name for one in table.live.table.people}
            table.whole()
            return cards(table.log()), [one.money for one in others]

    async def test(store: Store) -> None:
        with Store(tmp_path / "stays") as other:
            stayed = await played(other, leaves=False)
        assert await played(store, leaves=True) == stayed
        assert isinstance(store, Store)

    run(test, tmp_path / "leaves")


SEED_WITH_INSURANCE = 2


def test_CP_16_leaving_in_mid_hand_plays_the_stated_default_and_books_the_result_once(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            ana, eva = await table.seated(Ana=1, Eva=2)
            await table.deal(ana, eva)
            assert await at_turn(table, ana, eva)
            await ana.do(wire.Leave())
            await table.finish(ana, eva)
            await table.rested()
            mine = [event for event in table.log() if isinstance(event, Decided) and event.bettor == "Ana"]
            assert [(event.action, event.by) for event in mine][-1] == ("stand", "clock")
            assert table.live.table.round is not None
            net = sum(one.net for one in table.live.table.round.statements if one.bettor == "Ana")
            assert ana.money == (STARTING + net, 0)
            assert ana.entries() == (1 if net else 0)
            assert Left("Ana") in table.log()

    run(test, tmp_path)


def test_CP_18_saying_hello_twice_on_one_connection_throws_nobody_out(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            (ana,) = await table.seated(Ana=1)
            first, second = await ana.come(), await ana.come()
            assert first == second
            assert table.live.present() == {"Ana"}
            await table.deal(ana)
            assert table.live.table.number == 1
            assert not [message for message in ana.heard if message["type"] == "bye"]

    run(test, tmp_path)


def test_CP_20_nobody_plays_for_another_whatever_the_message_says(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            ana, bea = await table.seated(Ana=1, Bea=2)
            await table.deal(ana, bea)
            assert await at_turn(table, ana, bea)
            assert table.questions[0].bettor == "Ana"
            before, heard = table.live.table, len(ana.heard)
            for deed in (wire.Decide(2, 1, "hit"), wire.Decide(1, 1, "hit"), wire.StandUp(1)):
                assert await bea.refused(deed) in {*NO_TURN, "command.not_your_box"}
            with pytest.raises(ValueError, match="name"):
                wire.COMMAND.decode(
                    json.dumps({"id": "1", "round": 1, "seq": 1, "name": "Ana", "deed": {"do": "ready"}}).encode()
                )
            assert table.live.table is before
            assert ana.heard[heard:] == []

    run(test, tmp_path)


def test_CP_21_a_round_after_a_dealer_bust_begins_with_empty_hands(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            (ana,) = await table.seated(Ana=1)
            busts = 0
            for number in range(1, 40):
                await table.deal(ana, bet=100)
                view = (await ana.come())["view"]
                assert len(view["dealer"]["cards"]) <= 2 or not table.live.table.playing
                assert view["round"] == number
                if table.live.table.playing:
                    assert [len(hand["cards"]) for hand in view["boxes"][0]["hands"]] == [2]
                    await table.finish(ana)
                busts += (await ana.come())["view"]["dealer"]["total"] > 21
            assert busts > 3
            table.whole()

    run(test, tmp_path)


def test_CP_23_taking_back_a_bet_that_was_refused_gives_nothing(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            (ana,) = await table.seated(Ana=1)
            assert await ana.refused(wire.Bet(1, STARTING + 100)) == "table.bet"
            await ana.do(wire.Bet(1, 0), wire.Bet(1, 0))
            assert ana.money == (0, STARTING)
            assert store.holds(purse(ana.who.id)) == 0
            await ana.do(wire.Bet(1, 1000), wire.Bet(1, 0), wire.Leave())
            assert ana.money == (STARTING, 0)
            table.whole()

    run(test, tmp_path)


def test_CP_25_the_house_pays_even_what_it_does_not_have(tmp_path: Path) -> None:
    """The bank's account may go below zero: no win is ever cut short, and the sum of all accounts stays zero."""

    async def test(store: Store) -> None:
        lowest = 0
        for seed in range(12):
            async with felt(store, "casino", seed=seed) as table:
                (ana,) = await table.seated(**{f"Ana {seed}": 1})
                await table.deal(ana, bet=50_000)
                await table.finish(ana)
                assert table.live.table.round is not None
                assert ana.money[1] == STARTING + sum(one.net for one in table.live.table.round.statements)
                table.whole()
                lowest = min(lowest, table.bank)
        assert lowest < 0

    run(test, tmp_path)


def test_CP_26_a_bet_is_covered_by_the_chips_at_its_table_or_not_made(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        async with felt(store, "british") as table:
            (ana,) = await table.seated(Ana=1)
            await ana.do(wire.Bet(1, STARTING // 2))
            await ana.do(wire.Sit(2))
            assert await ana.refused(wire.Bet(2, STARTING // 2 + 100)) == "table.bet"
            elsewhere = store.open_table(kind="web", name="elsewhere", config=b"")
            with pytest.raises(Refused, match=r"ledger\.overdrawn"):
                store.sit(ana.who.id, table=elsewhere, amount=STARTING // 2)
            await ana.do(wire.Bet(2, STARTING // 2), wire.Ready())
            await table.finish(ana)
            table.whole()

    run(test, tmp_path)


def test_the_test_for_leaving_meets_every_phase(tmp_path: Path) -> None:
    """The shoe of ``SEED_WITH_INSURANCE`` asks something before the turns, and everybody at a turn."""

    async def test(store: Store) -> None:
        async with felt(store, "casino", seed=SEED_WITH_INSURANCE, pace=AT_ONCE) as table:
            guests = await table.seated(Ana=1, Eva=2, Leo=3)
            await table.deal(*guests)
            await table.finish(*guests)
            decided = [event for event in table.log() if isinstance(event, Decided)]
            assert {event.bettor for event in decided if event.action == "stand"} == {"Ana", "Eva", "Leo"}
            assert [event for event in decided if event.action in {"no_insurance", "keep"}]

    run(test, tmp_path)
