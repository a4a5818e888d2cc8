"""A sitting: what the people at this keyboard see and may do at one table, without any screen.

It is in one of four phases. *Bets*: everybody here lays bets. *Busy*: the house and the bots act, one thing at a time.
*Asks*: somebody here is to answer. *Over*: the results are read. Every deed goes through the game, which keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from tapete import table as tables
from tapete.errors import Refused
from tapete.events import Decided, Question
from tapete.telling import question_text
from tapete.terminal.full import offers, reading, views
from tapete.terminal.full.bets import Bets, Place
from tapete.terminal.full.choices import Offer
from tapete.terminal.game import Game, Step
from tapete.words import LANGUAGES, N_, Words
from tapete.words import words as words_of

SPEEDS: Final[Mapping[str, str]] = MappingProxyType(
    {"none": N_("at once"), "fast": N_("fast"), "normal": N_("medium"), "slow": N_("slow")}
)
"""The speeds by name, with the word for each."""
BEATS: Final[Mapping[str, float]] = MappingProxyType({"none": 0.0, "fast": 0.09, "normal": 0.2, "slow": 0.5})
"""Seconds between two things that the house does."""
REMEMBERED: Final = 400
"""Steps that the log shows."""


class Sitting:
    """One table as the people at this keyboard have it before them."""

    def __init__(self, game: Game, words: Words, *, speed: str) -> None:
        self.game = game
        self.words = words
        self.speed = speed
        self.bets = Bets(game)
        self.steps: list[Step] = []
        self.phase = "busy" if game.table.playing else "bets"
        self.four_colours = False

    # --- what there is to see

    @property
    def asked(self) -> Question | None:
        """The question that somebody at this keyboard is to answer now."""
        if self.phase != "asks":
            return None
        bots = self.game.bots()
        return next((one for one in self.game.questions() if one.bettor not in bots), None)

    @property
    def boxes(self) -> tuple[views.BoxView, ...]:
        """Every held box as it is to be drawn."""
        if self.phase == "bets":
            return views.bet_views(self.game.table, self.bets.place)
        return views.play_views(self.game.table, self.words, self.asked)

    @property
    def dealer(self) -> views.DealerView:
        """The dealer's cards; they are swept away before bets are laid."""
        return views.DealerView() if self.phase == "bets" else views.dealer_view(self.game.table, self.words)

    def title(self, *, short: bool) -> str:
        """The table's name, the round and, unless it has to be ``short``, the speed."""
        say, number = self.words.say, self.game.table.number
        told = [self.game.preset.title.in_(self.words.language)]
        told += [say("round {number}", number=number)] if number else []
        told += [] if short else [say("speed: {speed:word}", speed=SPEEDS[self.speed])]
        return " · ".join(told)

    def status(self) -> str:
        """Whose turn it is, and what may be done."""
        round_, asked, place = self.game.table.round, self.asked, self.bets.place
        if asked is not None and round_ is not None:
            return question_text(round_, asked, self.words)
        if self.phase == "over":
            return self._over_status()
        if self.phase == "busy":
            return self.words.say("The cards come. Any key hurries them.")
        if place is None:
            return self.words.say("Nobody here holds a box. Press w to sit down.")
        return self._bet_status(place)

    def _over_status(self) -> str:
        """Everybody's sum, where it can always be seen."""
        round_ = self.game.table.round
        sums = [] if round_ is None else views.balances(self.game.table, round_.statements, self.words)
        return " · ".join(sums) or self.words.say("The round is over.")

    def _bet_status(self, place: Place) -> str:
        table, say, holder = self.game.table, self.words.say, tables.holder(self.game.table, place.box)
        who = say("{name}, box {box}", name=place.name, box=place.box)
        if holder != place.name:
            who = say("{name}, behind {holder} on box {box}", name=place.name, holder=holder, box=place.box)
        spare = tables.spare(table, place.name)
        if not self.bets.amount:
            return say("{who}: lay a bet with the chips. You have {spare:chips}.", who=who, spare=spare)
        facts = {"who": who, "bet": self.bets.amount, "spare": spare}
        return say("{who}: your bet is {bet:chips}, {spare:chips} left. Enter deals.", **facts)

    def last_words(self) -> str:
        """What happened last, in one line."""
        lines = reading.log_text(self.steps[-1:], self.words).plain.splitlines()
        return lines[0] if lines else ""

    def offers(self) -> tuple[Sequence[Offer], Sequence[Offer]]:
        """The chips, and what else may be done."""
        if self.phase == "bets":
            return offers.for_chips(self.bets, self.words), offers.for_bets(self.bets, self.words)
        if self.phase == "over":
            return (), offers.after_round(self.bets, self.words)
        if self.asked is not None:
            return (), offers.for_question(self.game.preset, self.asked, self.words)
        return (), ()

    # --- the house

    def advance(self) -> Step | None:
        """The next thing that the house or a bot does, done; None when people must act. Raises StoreError."""
        step = self.game.serve() or self.game.answer_for_bots()
        if step is None:
            self._settle()
        else:
            self._saw(step)
        return step

    def _settle(self) -> None:
        """Nobody but the people here can go on now."""
        if self.game.table.playing:
            self.phase = "asks"
        elif self.phase == "busy":
            self.phase = "over"

    def _saw(self, *steps: Step) -> None:
        self.steps = [*self.steps, *steps][-REMEMBERED:]

    # --- deeds; each raises Refused or StoreError with nothing changed

    def decide(self, action: str, amount: int = 0) -> None:
        """Answers the question in hand; an insurance without an amount is for all that is allowed."""
        asked = self.asked
        if asked is None:
            return
        if action == "insure" and not amount:
            amount = asked.most
        self._saw(self.game.do(Decided(asked.box, asked.hand, action, amount, bettor=asked.bettor)))
        self.phase = "busy"

    def sweep(self, deed: str = "") -> None:
        """The results have been read: the cards go, and new bets are laid; ``deed`` is the first thing done."""
        self.phase = "bets"
        self.bets.begin()
        self.game.bet_for_bots()
        if deed:
            self.bet(deed)

    def deal(self) -> None:
        """The bets are laid: the round begins."""
        self.game.bet_for_bots()
        self._saw(*self.game.deal())
        self.phase = "busy"

    def bet(self, deed: str) -> None:
        """One of the deeds with bets that need nothing more to be said."""
        word, _, amount = deed.partition(" ")
        if word == "chip":
            self.bets.add(int(amount))
        else:
            self._simple()[deed]()

    def _simple(self) -> Mapping[str, Callable[[], None]]:
        return {
            "rebet": self.bets.rebet,
            "double": self.bets.double,
            "undo": self.bets.undo,
            "clear": self.bets.clear,
            "sit out": self._sit_out,
            "deal": self.deal,
        }

    def _sit_out(self) -> None:
        self.bets.clear()
        self.bets.go(1)

    def refill(self) -> None:
        """New chips for the person in hand. Raises Refused ``full.still_chips`` for who can still bet."""
        place = self.bets.place
        if place is None:
            return
        if tables.person(self.game.table, place.name).chips >= self.game.table.rules.bet_min:
            raise Refused("full.still_chips")
        self.game.refill(place.name)


def other_language(words: Words) -> Words:
    """The words of the next language."""
    at = LANGUAGES.index(words.language)
    return words_of(LANGUAGES[(at + 1) % len(LANGUAGES)])
