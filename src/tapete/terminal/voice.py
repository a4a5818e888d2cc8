"""Voice: what happens at the table, said in short lines, one fact in each."""

from __future__ import annotations

from tapete import table as tables
from tapete import telling
from tapete.events import Dealt, Decided, Event, Question
from tapete.rulecard import felt_line
from tapete.rules import RuleSet
from tapete.stakes import Lock
from tapete.state import Round
from tapete.table import Reshuffled, ShoeReady, Table
from tapete.terminal.game import Game, Step
from tapete.terminal.talk import Talk
from tapete.words import N_


class Voice:
    """Says the steps of a game, and how things stand."""

    def __init__(self, talk: Talk, game: Game) -> None:
        self.talk = talk
        self.game = game
        self.words = talk.words

    # --- steps

    def step(self, step: Step) -> None:
        """Says one step with the bets that it settled, and everybody's balance when it ended the round."""
        round_ = step.after.round
        if isinstance(step.event, ShoeReady):
            self.talk.tell(N_("The shoe is shuffled."))
        elif isinstance(step.event, Reshuffled):
            self.talk.tell(N_("The shoe is empty. The discards are shuffled, and play goes on."))
        elif isinstance(step.event, Event) and round_ is not None:
            self._in_round(step.before.round if step.before.playing else None, step.event, round_)
            if not step.after.playing:
                self._balances(round_)

    def _in_round(self, before: Round | None, event: Event, round_: Round) -> None:
        if isinstance(event, Lock):
            self.talk.tell(N_("Round {number}."), number=self.game.table.number)
        if isinstance(event, Dealt) and round_.dealt <= _first_cards(round_):
            if round_.dealt == _first_cards(round_):
                self.table(round_)
        elif not (isinstance(event, Decided) and event.action == "hit"):  # the card says it
            self.talk.line(telling.event_text(before, event, round_, self.words))
        for told in telling.new_results(before, round_):
            self.talk.line(telling.statement_text(round_, told, self.words))

    def _balances(self, round_: Round) -> None:
        """Each person's sum of the round, and the chips as they are kept."""
        bots = self.game.bots()
        for sums in telling.sum_texts((one for one in round_.statements if one.bettor not in bots), self.words):
            self.talk.line(f"{sums}.")
        for name in round_.bettors:
            if name not in bots:
                self.talk.tell(N_("{name} now has {chips:chips} chips."), name=name, chips=self.kept(name))

    def kept(self, name: str) -> int:
        """A person's chips at this table as they are kept, in units."""
        return self.game.store.racks(self.game.id)[self.game.person_id(name)]

    # --- how things stand

    def welcome(self) -> None:
        """The table's name, its rules in one line, and what can always be typed."""
        self.talk.line(f"{self.game.preset.title.in_(self.words.language)}.")
        self.talk.line(felt_line(self.game.table.rules, self.words).replace(" · ", ". ") + ".")
        self.limits()
        self.talk.tell(N_("Everywhere: m tells how things stand, q leaves, ? explains."))

    def limits(self) -> None:
        """The smallest and the largest bet."""
        rules = self.game.table.rules
        if rules.bet_max is None:
            self.talk.tell(N_("A bet is at least {least:chips}."), least=least_bet(rules))
        else:
            self.talk.tell(N_("A bet is {least:chips} to {most:chips}."), least=least_bet(rules), most=rules.bet_max)

    def goodbye(self) -> None:
        """What everybody takes away."""
        for one in self.game.table.people:
            if not one.bot:
                self.talk.tell(N_("{name} leaves with {chips:chips} chips."), name=one.name, chips=self.kept(one.name))

    def table(self, round_: Round) -> None:
        """All hands with their totals, then the dealer."""
        for box in round_.boxes:
            for at, hand in enumerate(box.hands, 1):
                if hand.cards:
                    place = telling.place_text(round_, box.number, at, self.words)
                    self.talk.line(f"{place}: {telling.hand_text(hand, self.words)}.")
        if round_.dealer:
            cards, count = telling.cards_text(round_.dealer, self.words), telling.dealer_text(round_, self.words)
            self.talk.tell(N_("Dealer: {cards}; {total}."), cards=cards, total=count)

    def standing(self) -> None:
        """Everybody's chips, the bets, the hands in play and whose turn it is."""
        table = self.game.table
        for one in table.people:
            if not one.bot:
                chips = tables.spare(table, one.name)
                self.talk.tell(N_("{name} has {chips:chips} chips that are not bet."), name=one.name, chips=chips)
        if table.playing and table.round is not None:
            self._stakes(table.round)
            self.table(table.round)
        else:
            self._bets(table)

    def _bets(self, table: Table) -> None:
        for seat in table.seats:
            amount = tables.bet_on(table, seat.box, seat.name)
            self.talk.tell(N_("Box {box}: {name}, bet {amount:chips}."), box=seat.box, name=seat.name, amount=amount)

    def _stakes(self, round_: Round) -> None:
        for box in round_.boxes:
            for at, hand in enumerate(box.hands, 1):
                place = telling.place_text(round_, box.number, at, self.words)
                for bet in hand.bets:
                    facts = {"bettor": round_.bettors[bet.bettor], "amount": bet.base + bet.added, "place": place}
                    self.talk.tell(N_("{place}: {bettor} has {amount:chips} on it."), **facts)

    def question(self, question: Question) -> str:
        """What is asked, and whom."""
        round_ = self.game.table.round
        return "" if round_ is None else telling.question_text(round_, question, self.words)


def least_bet(rules: RuleSet) -> int:
    """The smallest bet that can be laid: the minimum, or the next step above it, in units."""
    return -(-rules.bet_min // rules.unit) * rules.unit


def _first_cards(round_: Round) -> int:
    """How many cards are dealt before anybody is asked; they are said hand by hand when all are there."""
    return 2 * len(round_.boxes) + (1 if round_.rules.dealer_deal == "no_hole" else 2)
