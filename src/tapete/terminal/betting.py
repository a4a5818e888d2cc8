"""Betting: everybody at the keyboard bets on their boxes, then behind others where the table allows it.

An amount or a rebet is a bet at once and the next box is asked. ``+5`` lays a chip and asks again, so a bet can be
built, doubled, cleared and taken back chip by chip before it is dealt.
"""

from __future__ import annotations

from collections.abc import Callable

from tapete import money
from tapete import table as tables
from tapete.errors import BadInput, Refused
from tapete.table import Consented, Placed, bet_on, boxes_of, holder, person, spare
from tapete.terminal.desk import Desk
from tapete.terminal.keys import plain, spoken
from tapete.terminal.voice import least_bet
from tapete.words import N_, words


class Bets:
    """The bets of one round. ``options`` opens the menu of people and boxes."""

    def __init__(self, desk: Desk, options: Callable[[], None]) -> None:
        self.desk = desk
        self.game = desk.game
        self.options = options
        self.settled: set[tuple[str, int]] = set()
        self.behind: set[str] = set()
        self.chips: list[int] = []

    def take(self) -> None:
        """Asks everybody until every bet is laid or passed over."""
        while (due := self._next()) is not None:
            if self._can_bet(*due):
                self._own(*due)
            self.settled.add(due)
            self.chips = []
        self.game.bet_for_bots()
        for name in self._backers():
            self._back(name)

    def humans(self) -> list[str]:
        """The people at the keyboard."""
        return [one.name for one in self.game.table.people if not one.bot]

    def _next(self) -> tuple[str, int] | None:
        """Who is to bet on which box next: box by box."""
        seats = ((seat.name, seat.box) for seat in self.game.table.seats if seat.name in self.humans())
        return next((due for due in seats if due not in self.settled), None)

    # --- having chips

    def _can_bet(self, name: str, box: int) -> bool:
        """Whether the person can pay the smallest bet; who has nothing left at all may start again."""
        if spare(self.game.table, name) >= least_bet(self.game.table.rules):
            return True
        if person(self.game.table, name).chips >= least_bet(self.game.table.rules):
            self.desk.talk.tell(N_("{name} has no chips left for box {box}."), name=name, box=box)
            return False
        return self._refilled(name)

    def _refilled(self, name: str) -> bool:
        say = self.desk.words.say
        chips = person(self.game.table, name).chips
        self.desk.talk.tell(
            N_("{name} has {chips:chips} chips left, fewer than the smallest bet."), name=name, chips=chips
        )
        if not self.desk.agrees(say(N_("{name}, start again with new chips?"), name=name)):
            return False
        try:
            self.game.refill(name)
        except Refused as error:
            self.desk.refuse(error)
            return False
        chips = person(self.game.table, name).chips
        self.desk.talk.tell(N_("{name} has {chips:chips} chips."), name=name, chips=chips)
        return chips >= least_bet(self.game.table.rules)

    # --- one's own box

    def _own(self, name: str, box: int) -> None:
        while name == holder(self.game.table, box):
            answer = self.desk.choose(self._question(name, box), self._explain)
            if self._command(answer, name, box):
                return

    def _question(self, name: str, box: int) -> str:
        say, table = self.desk.words.say, self.game.table
        facts = {"name": name, "box": box, "chips": spare(table, name)}
        if table.rules.seats_max == 1:
            asked = say(N_("{name}: your bet? You have {chips:chips} chips."), **facts)
        else:
            asked = say(N_("{name}, box {box}: your bet? You have {chips:chips} chips."), **facts)
        laid, last = bet_on(table, box, name), self._last(name, box)
        if laid:
            lying = say(N_("{amount:chips} lie on the box."), amount=laid)
            return f"{asked} {lying} d {self._page_words()[1]}."
        return f"{asked} r {self._page_words()[0]} {self.desk.words.amount(last)}." if last else asked

    def _page_words(self) -> tuple[str, str]:
        """What this table calls to bet the same again, and to have the cards dealt (D3-10)."""
        own = words(spoken(self.game.table.rules, self.desk.words.language))
        return own.term("bet", "Rebet"), own.term("bet", "Deal")

    def _last(self, name: str, box: int) -> int:
        """What the person had on the box at the last lock: the bet as chosen, never what doubles or splits added."""
        return next((bet.amount for bet in self.game.table.last if (bet.name, bet.box) == (name, box)), 0)

    def _command(self, answer: str, name: str, box: int) -> bool:
        """Does what was typed; whether the box is done with."""
        laid, last = bet_on(self.game.table, box, name), self._last(name, box)
        rebet, deal = (plain(word) for word in self._page_words())
        if answer == "o":
            return self._place(name, box, 0)
        if answer in ("d", deal):
            return self._deal(laid)
        if answer in ("r", rebet):
            return self._repeat(name, box, last)
        if answer == "w":
            self.options()
        elif answer == "b":
            self._wants_behind(name)
        elif answer == "c":
            self._place(name, box, 0)
            self.chips = []
        elif answer == "u":
            self._build(name, box, -self.chips.pop() if self.chips else -laid)
        elif answer == "x":
            self._double(name, box, laid or last)
        else:
            return self._amount(answer, name, box)
        return False

    def _deal(self, laid: int) -> bool:
        if not laid:
            self.desk.talk.tell(N_("There is no bet on this box yet. o sits this round out."))
        return bool(laid)

    def _repeat(self, name: str, box: int, last: int) -> bool:
        if not last:
            self.desk.talk.tell(N_("There is no earlier bet to repeat on this box."))
            return False
        return self._place(name, box, last)

    def _double(self, name: str, box: int, base: int) -> None:
        if not base:
            self.desk.talk.tell(N_("There is no bet to double."))
        else:
            self._build(name, box, 2 * base - bet_on(self.game.table, box, name))

    def _build(self, name: str, box: int, change: int) -> None:
        """Adds chips to the bet, or takes some back, and stays at the box."""
        laid = bet_on(self.game.table, box, name)
        if self._place(name, box, laid + change) and change > 0:
            self.chips.append(change)

    def _amount(self, answer: str, name: str, box: int) -> bool:
        try:
            units = money.units(answer.removeprefix("+"))
        except BadInput as error:
            self.desk.refuse(error)
            return False
        if units == 0:
            self.desk.refuse(Refused("table.bet", name=name, box=box, amount=0, reason="not_positive"))
            return False
        if answer.startswith("+"):
            self._build(name, box, units)
            return False
        return self._place(name, box, units)

    def _place(self, name: str, box: int, amount: int) -> bool:
        try:
            self.game.do(Placed(name, box, amount))
        except Refused as error:
            self.desk.refuse(error)
            return False
        return True

    # --- behind another's box

    def _wants_behind(self, name: str) -> None:
        mode = self.game.table.rules.bet_behind.mode
        if mode == "off":
            self.desk.talk.line(self.desk.words.reason("bet_behind.mode"))
            return
        self.behind.add(name)
        self.desk.talk.tell(N_("{name} will be asked when the boxes have their bets."), name=name)

    def _backers(self) -> list[str]:
        """Who is asked for a bet behind: who wished it, and who holds no box."""
        if self.game.table.rules.bet_behind.mode == "off":
            return []
        return [name for name in self.humans() if name in self.behind or not boxes_of(self.game.table, name)]

    def _back(self, name: str) -> None:
        while open_to := self._others(name):
            if not self._can_bet(name, open_to[0]):
                return
            answer = self.desk.choose(self._behind_question(name, open_to), self._explain_behind)
            if answer in ("0", "n", "no", "o", "d"):
                return
            self._behind(name, answer, open_to)

    def _others(self, name: str) -> list[int]:
        """The boxes with a bet of somebody else, on which the person has none yet."""
        table = self.game.table
        boxes = [seat.box for seat in table.seats if seat.name != name and bet_on(table, seat.box, seat.name)]
        return [box for box in boxes if not bet_on(table, box, name)]

    def _behind_question(self, name: str, boxes: list[int]) -> str:
        table, say = self.game.table, self.desk.words.say
        laid = [(box, holder(table, box), bet_on(table, box, holder(table, box))) for box in boxes]
        lying = ", ".join(f"{box} ({owner}, {self.desk.words.amount(amount)})" for box, owner, amount in laid)
        asked = say(
            N_("{name}: a bet behind? Box and amount, like {box} 10; 0 for none. You have {chips:chips} chips."),
            name=name,
            box=boxes[0],
            chips=spare(table, name),
        )
        return say(N_("Boxes with a bet: {boxes}."), boxes=lying) + "\n" + asked

    def _behind(self, name: str, answer: str, open_to: list[int]) -> None:
        number, _, amount = answer.partition(" ")
        box = int(number) if number.isascii() and number.isdecimal() and len(number) < 3 else 0
        if box not in open_to:
            self.desk.talk.tell(N_("A bet behind goes on one of these boxes: {boxes}."), boxes=open_to)
            return
        if not amount:
            self.desk.not_understood(answer)
            return
        try:
            units = self._last(name, box) if amount == "r" else money.units(amount)
            if self._welcome(Placed(name, box, units)):
                self.game.do(Placed(name, box, units))
        except (BadInput, Refused) as error:
            self.desk.refuse(error)

    def _welcome(self, bet: Placed) -> bool:
        """Whether the holder of the box lets the bet come; he is not troubled with one that is refused anyhow."""
        if tables.may_back(self.game.table, bet.box, bet.name) != "no_consent":
            return True
        tables.apply(tables.apply(self.game.table, Consented(bet.box, bet.name)), bet)
        return self._consents(bet.name, bet.box, bet.amount)

    def _consents(self, name: str, box: int, units: int) -> bool:
        """Whether the holder of the box, who is asked, agrees (D2-09); a house bot always does."""
        owner = holder(self.game.table, box)
        facts = {"holder": owner, "name": name, "amount": units, "box": box}
        asked = self.desk.words.say(N_("{holder}: may {name} bet {amount:chips} on your box {box}?"), **facts)
        if owner in self.game.bots():
            self.desk.talk.tell(N_("{holder} agrees."), **facts)
        elif self.desk.agrees(asked):
            self.desk.talk.tell(N_("{holder} agrees, until it is taken back (w)."), **facts)
        else:
            self.desk.talk.tell(N_("{holder} does not agree."), **facts)
            return False
        self.game.do(Consented(box, name))
        return True

    # --- help

    def _explain(self) -> None:
        rules, say = self.game.table.rules, self.desk.words.say
        self.desk.voice.limits()
        for text in (
            N_("A number bets that many chips and goes on."),
            N_("r bets the same as last time and goes on."),
            N_("+5 lays a chip of 5 and asks again; u takes the last chip back."),
            N_("x doubles the bet; c clears it; d deals with what lies on the box."),
            N_("o sits this round out."),
            N_("w is for people, boxes and house bots."),
        ):
            self.desk.talk.line(say(text))
        if rules.bet_behind.mode != "off":
            self.desk.talk.tell(N_("b bets behind another’s box."))

    def _explain_behind(self) -> None:
        self.desk.talk.tell(N_("A bet behind wins and loses with the hand of the box’s holder, who plays it."))
        self.desk.talk.tell(
            N_("Type the number of a box and an amount, like 3 20. 3 r is the same as last time. 0 goes on without.")
        )
