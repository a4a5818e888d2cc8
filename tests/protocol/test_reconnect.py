"""Connections that break in the middle of a question of every kind: whoever is back finds the same one, and answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import pytest

from tests.protocol.house import House, Json, Player, begin, company, finish, level, run

Bets = Callable[[Sequence[Player]], Awaitable[None]]
ROUNDS = 400
"""So many at most until each kind of question has been asked; a dozen or two do on average."""


async def broken(player: Player) -> None:
    """The connection is gone as when a cable is pulled: nobody says goodbye."""
    assert player.socket is not None
    player.socket.transport.abort()
    await player.until(lambda: player.closed is not None)
    await player.connect(player.code)


def bold(player: Player, question: Json) -> str:
    """An answer that leads to many kinds of questions."""
    wanted = ("split", "double", "insure", "retire", "match", "hit", "stand")
    hand = player.view["boxes"][question["box"] - 1]["hands"][question["hand"] - 1]
    if hand["total"] >= 17 and "stand" in question["legal"]:
        return "stand"
    return next(one for one in wanted if one in question["legal"])


def told(player: Player) -> tuple[int, Json, Json]:
    """What must be the same before and after."""
    return player.seq, player.view, {**player.room, "clock": None}


async def breaks_and_answers(asked: Player, players: list[Player], question: Json) -> None:
    """One who is asked loses the connection, is back, finds all as it was, and answers."""
    before = told(asked)
    await broken(asked)
    await asked.until(lambda: asked.room["present"] == sorted(player.you for player in players))
    assert told(asked) == before
    assert asked.questions()[0] == question
    await answer(asked, question)


async def answer(asked: Player, question: Json) -> Json:
    """Answers boldly; an insurance with all that it may be."""
    action = bold(asked, question)
    place = {"box": question["box"], "hand": question["hand"], "action": action}
    return await asked.do("decide", **place, amount=question["most"] if action == "insure" else 0)


async def with_a_backer(players: Sequence[Player]) -> None:
    """A round with the second person's money on the first one's box as well."""
    before = players[0].view["round"]
    for player, box in zip((*players, players[1]), (1, 2, 1), strict=True):
        await player.do("bet", box=box, amount=1000)
    for player in players:
        await player.do("ready")
    for player in players:
        await player.until(lambda player=player: player.view["round"] == before + 1)  # type: ignore[misc]


async def play(players: list[Player], kind: str, bets: Bets = begin) -> None:
    """Plays until that kind of question has been asked; from then on the connection breaks at each of the round."""
    for _ in range(ROUNDS):
        await bets(players)
        met = False
        while await level(players) and players[0].playing:
            asked = next(player for player in players if player.questions())
            question = asked.questions()[0]
            met |= question["kind"] == kind
            await (breaks_and_answers(asked, players, question) if met else answer(asked, question))
        if met:
            return
    raise AssertionError(f"{kind} was never asked")


@pytest.mark.parametrize(
    ("preset", "kind", "people", "bets"),
    [
        ("casino", "turn", 2, begin),
        ("casino", "insure", 1, begin),
        ("home", "retire", 1, begin),
        ("british", "follow", 2, with_a_backer),
    ],
)
def test_whoever_loses_the_connection_at_a_question_is_back_at_the_same_one(
    house: House, preset: str, kind: str, people: int, bets: Bets
) -> None:
    async def scenario() -> None:
        async with company(house, people, preset) as players:
            await play(players, kind, bets)

    run(scenario())
    house.check()


async def to_a_question(players: list[Player]) -> Player:
    """Plays until somebody is asked; tells who."""
    while not any(player.questions() for player in players):
        await begin(players)
        await level(players)
    return next(player for player in players if player.questions())


def test_an_old_connection_that_breaks_late_takes_nobodys_seat_or_turn(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 2) as players:
            asked = await to_a_question(players)
            other = next(player for player in players if player is not asked)
            window = await Player(house, asked.cookie).connect(asked.code)
            assert asked.socket is not None
            asked.socket.transport.abort()
            await asked.until(lambda: asked.closed is not None)
            assert window.questions() == asked.questions()
            await answer(window, window.questions()[0])
            await finish([window, other])
            assert window.boxes == asked.boxes
            assert window.room["present"] == sorted((window.you, other.you))
            await begin([window, other])
            await finish([window, other])
            await window.close()

    run(scenario())


def test_of_two_windows_that_answer_at_once_one_is_heard_and_both_see_the_same(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 1) as (first,):
            await to_a_question([first])
            second = await Player(house, first.cookie).connect(first.code)
            assert (second.seq, second.view, second.room) == (first.seq, first.view, first.room)
            question = first.questions()[0]
            deed = {"do": "decide", "box": 1, "hand": question["hand"], "action": first.wish(question)}
            sent = [await window.send(window.command(deed, id=f"w{at}")) for at, window in enumerate((first, second))]
            answers = [(await one)["type"] for one in sent]
            assert sorted(answers) == ["accepted", "rejected"]
            await level([first, second])
            assert (second.seq, second.view) == (first.seq, first.view)
            await finish([second])
            await level([first, second])
            assert second.view == first.view
            await second.close()

    run(scenario())
    house.check()
