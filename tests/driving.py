"""Drive one round with a scripted shoe and scripted answers.

    played = play("casino", "10", "A 7 K 7 7")
    played = play("home", "10 20", "10 9 A 6 7 K", "retire")
    played = play("british", "20 20", "A 10 A Q 9 K", "insure=10 !2:insure=10 stand", switch={"decks": 8})

**Bets**, one box each, from the dealer's left: ``10``; ``3:10`` on box 3; ``3:Ana=10`` for a person with a name, else
the holder of box 3 is P3. Backers behind it: ``10+Eva=5+Leo=5``, with consent; ``10+Eva=5?`` without. Amounts are
chips.

**Cards** in the order in which they leave the shoe: ``A``, ``10``, ``Kh``; without a suit they are spades.

**Answers** in order: ``hit``, ``1.2:stand`` (box 1, hand 2), ``2:insure=5`` (2 for short of 2.1), ``Eva@match``,
``1:Eva@insure=5``. Unaddressed, an answer goes to the first open question of its kind. ``!double`` has to be refused,
with the round left equal. Retiring, insurance and backers' follow have an answer by default (keep, no insurance, stay);
a turn has none. Each answer and each card must be used, and nothing may be missing; every round is replayed from its
log and its money counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tapete import round as rounds
from tapete.cards import Card, card
from tapete.croupier import Croupier
from tapete.errors import Refused
from tapete.events import Asks, Decided, Event, Over, Question
from tapete.money import units
from tapete.questions import OF_KIND
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.stakes import Backing, BoxStake, Lock, Statement, bank_net, laid, nets
from tapete.state import BoxHand, Round

UNASKED = {"retire": "keep", "insure": "no_insurance", "follow": "stay"}
"""What is answered where the script says nothing."""
CHIPS = 10_000
"""What each bettor has beside the cloth unless told otherwise."""

Rules = str | RuleSet


@dataclass
class Played:
    """One driven round, with everything that happened in it."""

    round: Round
    events: list[Event]
    asked: list[Question] = field(default_factory=list)
    """Each question that the script answered, as it stood then."""
    refusals: list[Refused] = field(default_factory=list)
    """What was refused, in the order of the script."""
    used: list[Card] = field(default_factory=list)

    @property
    def statements(self) -> tuple[Statement, ...]:
        return self.round.statements

    @property
    def nets(self) -> dict[str, int]:
        """Net by bettor, in units."""
        return nets(self.round.statements)

    @property
    def net(self) -> int:
        """All bettors' net together, in units."""
        return -bank_net(self.round.statements)

    @property
    def legal(self) -> list[tuple[str, ...]]:
        """The legal answers of each question that the script answered."""
        return [question.legal for question in self.asked]

    @property
    def open(self) -> tuple[Question, ...]:
        """The questions that are open now."""
        waits = self.round.waits
        return waits.questions if isinstance(waits, Asks) else ()

    @property
    def reasons(self) -> list[object]:
        """Why each refused answer was refused: the rulebook's reason, else the code."""
        return [one.facts.get("reason") or one.code for one in self.refusals]

    @property
    def dealer(self) -> list[str]:
        """The dealer's cards as text, ranks only."""
        return ["??" if one is None else one.rank for one in self.round.dealer]

    def hand(self, box: int = 1, hand: int = 1) -> BoxHand:
        return next(one for one in self.round.boxes if one.number == box).hands[hand - 1]

    def cards(self, box: int = 1, hand: int = 1) -> list[str]:
        """The ranks of a hand's cards."""
        return [one.rank for one in self.hand(box, hand).cards]

    def of(self, box: int = 1, hand: int = 1, bettor: str = "") -> Statement:
        """The one statement about this bet; ``hand`` 0 is the insurance. The bettor is the box's holder unless told."""
        who = bettor or next(one.holder for one in self.round.lock.boxes if one.box == box)
        found = [one for one in self.statements if (one.box, one.hand, one.bettor) == (box, hand, who)]
        assert len(found) == 1, f"{len(found)} statements about hand {hand} of box {box} for {who}"
        return found[0]


def table(rules: Rules, switch: Mapping[str, object] | None = None) -> RuleSet:
    """The rule set of a preset's name, or a given one, with some switches changed."""
    return with_(preset(rules).rules if isinstance(rules, str) else rules, switch or {})


def shoe(cards: str | Iterable[str]) -> list[Card]:
    """The cards written in the script."""
    words = cards.split() if isinstance(cards, str) else cards
    return [card(word if word[-1] in "shdc" or "/" in word else f"{word}s") for word in words]


def lock(bets: str | Lock, spare: Mapping[str, str] | None = None) -> Lock:
    """The lock that the text says; ``spare`` gives a bettor's chips beside the cloth where it matters."""
    if isinstance(bets, Lock):
        return bets
    boxes = tuple(_box(word, number) for number, word in enumerate(bets.split(), 1))
    draft = Lock(boxes, ())
    have = {name: units(amount) for name, amount in (spare or {}).items()}
    return Lock(boxes, tuple((name, have.get(name, units(str(CHIPS)))) for name in laid(draft)))


def _box(word: str, number: int) -> BoxStake:
    own, *behind = word.split("+")
    place, _, stake = own.rpartition(":")
    name, _, amount = stake.rpartition("=")
    box = int(place or number)
    return BoxStake(box, name or f"P{box}", units(amount), tuple(_backing(one) for one in behind))


def _backing(word: str) -> Backing:
    name, _, amount = word.rstrip("?").partition("=")
    return Backing(name, units(amount), consent=not word.endswith("?"))


_ANSWER = re.compile(
    r"(?P<refused>!)?(?:(?P<box>\d+)(?:\.(?P<hand>\d+))?:)?(?:(?P<who>[^@]+)@)?(?P<action>[a-z_]+)(?:=(?P<amount>[\d.]+))?"
)


@dataclass(frozen=True)
class Answer:
    """One word of the script."""

    action: str
    box: int = 0
    hand: int = 1
    who: str = ""
    amount: int = 0
    refused: bool = False

    def fits(self, question: Question) -> bool:
        """Whether it is an answer to this question."""
        if self.action not in OF_KIND[question.kind] or self.who not in ("", question.bettor):
            return False
        return self.box == 0 or (self.box, self.hand) == (question.box, question.hand)


def answers(script: str) -> list[Answer]:
    """The words of the script."""
    return [_answer(word) for word in script.replace(",", " ").split()]


def _answer(word: str) -> Answer:
    found = _ANSWER.fullmatch(word)
    assert found, f"not an answer: {word}"
    told = found.groupdict()
    return Answer(
        told["action"],
        int(told["box"] or 0),
        int(told["hand"] or 1),
        told["who"] or "",
        units(told["amount"] or "0"),
        refused=bool(told["refused"]),
    )


class _Driver:
    def __init__(self, rules: RuleSet, locked: Lock, cards: list[Card], script: list[Answer]) -> None:
        self.played = Played(rounds.begin(rules, locked), [locked])
        self.cards = cards
        self.script = script
        self.croupier = Croupier(self.draw)

    def draw(self) -> Card:
        place = len(self.played.used)
        assert place < len(self.cards), f"no card in the script for {self.played.round.waits}"
        self.played.used.append(self.cards[place])
        return self.cards[place]

    def apply(self, event: Event) -> None:
        self.played.round = rounds.apply(self.played.round, event)
        self.played.events.append(event)

    def step(self, *, pause: bool) -> bool:
        """One event further; False when the round is over, or when ``pause`` and the script has run out."""
        if isinstance(self.played.round.waits, Over):
            return False
        event = self.croupier.serve(self.played.round)
        if event is None:
            self.refuse()
            if pause and not self.script:
                return False
            event = self.answer()
        self.apply(event)
        return True

    def refuse(self) -> None:
        """Tries the answers that have to be refused now."""
        while self.script and self.script[0].refused:
            self.refused(self.script.pop(0))

    def refused(self, word: Answer) -> None:
        before = self.played.round
        kept = rounds.replay(before.rules, self.played.events)
        try:
            rounds.apply(before, self.decision(word))
        except Refused as reason:
            self.played.refusals.append(reason)
        else:
            raise AssertionError(f"was not refused: {word}")
        assert before == kept, "a refused answer changed the round"

    def decision(self, word: Answer) -> Decided:
        fitting = next((one for one in self.played.open if word.fits(one)), None)
        if fitting is not None:
            return Decided(fitting.box, fitting.hand, word.action, word.amount, fitting.bettor)
        first = self.played.open[0].box if self.played.open else 1
        return Decided(word.box or first, word.hand, word.action, word.amount, word.who)

    def answer(self) -> Decided:
        word = self.script[0] if self.script else None
        question = next((one for one in self.played.open if word is not None and word.fits(one)), None)
        if word is not None and question is not None:
            self.script.pop(0)
            self.played.asked.append(question)
            return Decided(question.box, question.hand, word.action, word.amount, question.bettor)
        first = self.played.open[0]
        assert first.kind in UNASKED, f"no answer in the script for {first}; next there: {word}"
        return Decided(first.box, first.hand, UNASKED[first.kind], 0, first.bettor)


def play(
    rules: Rules,
    bets: str | Lock,
    cards: str | Iterable[str],
    script: str = "",
    *,
    switch: Mapping[str, object] | None = None,
    spare: Mapping[str, str] | None = None,
) -> Played:
    """The whole round, its cards and answers used up exactly."""
    driver = _Driver(table(rules, switch), lock(bets, spare), shoe(cards), answers(script))
    while driver.step(pause=False):
        pass
    driver.refuse()
    played = driver.played
    assert not driver.script, f"answers never asked for: {driver.script}"
    assert len(played.used) == len(driver.cards), f"cards never dealt: {driver.cards[len(played.used) :]}"
    _check(played)
    return played


def upto(
    rules: Rules,
    bets: str | Lock,
    cards: str | Iterable[str],
    script: str = "",
    *,
    switch: Mapping[str, object] | None = None,
    spare: Mapping[str, str] | None = None,
) -> Played:
    """The round up to the first question after the script's last answer; cards may be left over."""
    driver = _Driver(table(rules, switch), lock(bets, spare), shoe(cards), answers(script))
    while driver.step(pause=True):
        pass
    assert not driver.script, f"answers never asked for: {driver.script}"
    assert rounds.replay(driver.played.round.rules, driver.played.events) == driver.played.round
    return driver.played


def _check(played: Played) -> None:
    """What holds for every round: its log gives it again, and each bettor has what he brought and won."""
    over = played.round
    assert rounds.replay(over.rules, played.events) == over
    brought = Counter(dict(over.lock.spare)) + Counter(laid(over.lock))
    for bettor, has in zip(over.bettors, over.spare, strict=True):
        assert has == brought[bettor] + played.nets.get(bettor, 0), bettor


def steps(played: Played) -> Iterator[tuple[Round, Event, Round]]:
    """Each event after the lock, between the round as it stood before and after it."""
    before = rounds.replay(played.round.rules, played.events[:1])
    for event in played.events[1:]:
        after = rounds.apply(before, event)
        yield before, event, after
        before = after
