"""A game loses nothing: every step is kept before it is shown, and it goes on wherever it broke off."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tapete.errors import Refused
from tapete.history import load, validate
from tapete.rulefile import preset, resolve
from tapete.store import BANK, STARTING, Store, rack
from tapete.strategy import SIMPLE
from tapete.table import Left, Placed, Sat, ShoeRetired, spare
from tapete.terminal.game import Game

FIVE = ("casino", "british", "leaflet", "faceup", "home")


@pytest.fixture
def store() -> Iterator[Store]:
    with Store() as opened:
        yield opened


def sit(store: Store, name: str, *, seed: int | None = None, boxes: int = 1) -> Game:
    game = Game.open(store, preset(name) if isinstance(name, str) else name, seed=seed)
    ana = game.join("Ana")
    for box in range(1, boxes + 1):
        game.do(Sat(ana, box))
    return game


def advance(game: Game) -> bool:
    """One event of the round in play: the house's, a bot's, or Ana's by the simple strategy."""
    if game.serve() or game.answer_for_bots():
        return True
    if not game.questions():
        return False
    assert game.table.round is not None
    game.do(SIMPLE.answer(game.table.round, game.questions()[0]))
    return True


def play_round(game: Game, between: Callable[[Game], Game] = lambda game: game) -> Game:
    for box in [seat.box for seat in game.table.seats if seat.name == "Ana"]:
        if spare(game.table, "Ana") >= 1000:
            game.do(Placed("Ana", box, 1000))
    game.bet_for_bots()
    game.deal()
    while True:
        game = between(game)
        if not advance(game):
            return game


def reopened(game: Game) -> Game:
    """The same table as another program finds it after this one was killed."""
    game.store.release(game.id)
    return Game.resume(game.store, game.id)


@pytest.mark.parametrize("name", FIVE)
def test_a_game_broken_off_at_every_moment_goes_on_with_the_same_cards_and_money(store: Store, name: str) -> None:
    whole, broken = sit(store, name, seed=7), None
    ends = [play_round(whole).table for _ in range(4)]
    whole.do(Left("Ana"))
    store.reset(store.person("Ana").id)
    broken = sit(store, name, seed=7)
    for end in ends:
        broken = play_round(broken, reopened)
        assert broken.table.round == end.round
        assert broken.table.events == end.events
    assert store.audit().faults == ()


@pytest.mark.parametrize("name", FIVE)
def test_a_resumed_table_is_equal_to_the_one_that_was_left(store: Store, name: str) -> None:
    game = sit(store, name)

    def compare(game: Game) -> Game:
        again = reopened(game)
        assert again.table == game.table
        assert again.house.shoe == game.house.shoe
        assert again.house.owes(again.table) == game.house.owes(game.table)
        return again

    for _ in range(3):
        game = play_round(game, compare)


def test_a_shoe_that_runs_out_within_a_round_is_dealt_on_after_resuming(store: Store) -> None:
    game = Game.open(store, resolve("casino", ["decks=1", "cut_card_left=0"]), seed=3)
    ana = game.join("Ana")
    game.do(Sat(ana, 1))
    for box in range(2, 8):
        game.seat_bot(box)
    shoes = set()
    for _ in range(6):
        game = play_round(game, reopened)
        assert game.table.shoe is not None
        shoes.add(bool(game.table.shoe.reshuffles))
    assert shoes == {True, False}


def test_money_moves_between_rack_and_bank_and_nothing_is_lost(store: Store) -> None:
    game = sit(store, "leaflet", boxes=3)
    for _ in range(10):
        game = play_round(game)
    ana = store.person("Ana").id
    chips = spare(game.table, "Ana")
    assert store.holds(rack(ana, table=game.id)) == chips
    assert store.holds(BANK) == STARTING - chips
    game.close()
    assert store.balance(ana) == chips
    assert store.audit().faults == ()


def test_a_bots_money_is_the_houses_and_never_in_the_ledger(store: Store) -> None:
    game = sit(store, "casino")
    game.seat_bot(4)
    game = play_round(game)
    assert [one.name for one in store.people()] == ["Ana"]


def test_every_round_is_in_the_history_file_and_replays(store: Store) -> None:
    game = sit(store, "home", boxes=2)
    for _ in range(12):
        game = play_round(game)
    game.close()
    history = load(game.chronicle.path)
    validate(history)
    assert [one.number for one in history.records] == list(range(1, 13))
    assert {one.id for one in history.reveals} == {one.shoe.id for one in history.records if one.shoe is not None}


def test_a_history_file_that_could_not_be_written_is_made_whole_later(store: Store) -> None:
    game = sit(store, "faceup")
    game = play_round(game)
    path = game.chronicle.path
    path.unlink()
    path.mkdir()
    game = play_round(game)
    path.rmdir()
    game = play_round(game)
    history = load(path)
    validate(history)
    assert [one.number for one in history.records] == [1, 2, 3]
    assert len(history.reveals) == 2


def test_a_history_file_that_lost_its_end_in_a_crash_is_made_whole_on_resuming(store: Store) -> None:
    game = play_round(play_round(sit(store, "casino")))
    path = game.chronicle.path
    text = path.read_text()
    path.write_text(text[: len(text) - 300])
    game = reopened(game)
    assert [one.number for one in load(path).records] == [1, 2]
    assert path.read_text() == text


def test_the_same_seed_gives_the_same_rounds(store: Store) -> None:
    logs = []
    for _ in range(2):
        game = sit(store, "british", seed=2026)
        game = play_round(play_round(game))
        logs.append(game.table.events)
        game.close()
        store.reset(store.person("Ana").id)
    assert logs[0] == logs[1]


def test_without_a_seed_two_shoes_differ(store: Store) -> None:
    games = [play_round(sit(store, "british")) for _ in range(1)]
    games[0].close()
    other = play_round(sit(store, "british"))
    assert games[0].table.events != other.table.events


def test_the_shoe_is_revealed_only_when_it_is_retired(store: Store) -> None:
    game = play_round(sit(store, "casino"))
    assert game.table.shoe is not None
    assert game.table.shoe.secret is None
    assert all(b'"secret":"' not in event.payload for event in store.events(game.id))
    steps: list[object] = []
    while not steps:
        for box in (1,):
            game.do(Placed("Ana", box, 100))
        steps = [step.event for step in game.deal() if isinstance(step.event, ShoeRetired)]
        while advance(game):
            pass
    retired = steps[0]
    assert isinstance(retired, ShoeRetired)
    assert retired.record.secret is not None


def test_somebody_without_chips_starts_again_and_keeps_the_boxes(store: Store) -> None:
    game = sit(store, "casino", boxes=2)
    with pytest.raises(Refused):
        game.do(Placed("Ana", 1, 100_100))
    game.refill("Ana")
    assert spare(game.table, "Ana") == STARTING
    assert [seat.box for seat in game.table.seats] == [1, 2]


def test_a_refused_bet_leaves_the_log_as_it_was(store: Store) -> None:
    game = sit(store, "casino")
    before = store.last_seq(game.id)
    for amount in (-100, 50, 10**12, 150):
        with pytest.raises(Refused):
            game.do(Placed("Ana", 1, amount))
    with pytest.raises(Refused):
        game.deal()
    assert store.last_seq(game.id) == before
