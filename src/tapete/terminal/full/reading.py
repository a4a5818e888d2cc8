"""Reading: what there is to read beside the table: the log, the results, help, the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

from textual.content import Content

from tapete.events import Event
from tapete.rulecard import card
from tapete.rulefile import Preset
from tapete.stakes import Lock
from tapete.table import Reshuffled, ShoeReady, Table
from tapete.telling import event_text, new_results, statement_text, sum_texts
from tapete.terminal.full.bets import humans
from tapete.terminal.game import Step
from tapete.words import N_, Words

_ROUND_EVENTS = get_args(Event)


# --- the log --------------------------------------------------------------------------------------------------------


def step_lines(step: Step, words: Words) -> Iterator[Content]:
    """What one step of the game says in the log."""
    event, after = step.event, step.after.round
    if isinstance(event, ShoeReady):
        yield Content.styled(words.say("A new shoe is shuffled."), "$faded")
    elif isinstance(event, Reshuffled):
        yield Content.styled(words.say("The shoe is empty: its discards are shuffled."), "$faded")
    if not isinstance(event, _ROUND_EVENTS) or after is None:
        return
    if isinstance(event, Lock):
        yield Content.styled(words.say("Round {number}", number=step.after.number), "bold $brass")
    before = None if isinstance(event, Lock) else step.before.round
    yield Content(event_text(before, event, after, words))
    for one in new_results(before, after):
        yield Content.styled(statement_text(after, one, words), colour(one.net))


def log_text(steps: Iterable[Step], words: Words) -> Content:
    """The log of several steps."""
    return Content("\n").join([line for step in steps for line in step_lines(step, words)])


def colour(net: int) -> str:
    """The colour of a gain or a loss; the sign says it too."""
    return "$good" if net > 0 else "$bad" if net < 0 else "$paper"


# --- results --------------------------------------------------------------------------------------------------------


def results(table: Table, words: Words) -> Content:
    """What became of each bet of the people at this keyboard (of all if none is theirs), then the sums of several."""
    round_ = table.round
    if round_ is None:
        return Content("")
    mine = [one for one in round_.statements if one.bettor in humans(table)]
    shown = mine or list(round_.statements)
    lines = [Content.styled(statement_text(round_, one, words), colour(one.net)) for one in shown]
    lines += [Content.styled(text, "bold $paper") for text in sum_texts(mine, words) if "=" in text]
    return Content("\n").join(lines)


# --- help and rules -------------------------------------------------------------------------------------------------

_HELP = (
    ("1–6", N_("lay a chip; in a round, answer with the digit on the button")),
    ("← →", N_("the next or the last place to bet on")),
    ("Enter n", N_("deal the cards")),
    ("r x", N_("the same bet again; twice the bet")),
    ("u c t", N_("take a chip back; clear the bet; type an amount")),
    ("o b f", N_("sit out; bet behind another’s box; new chips when yours are gone")),
    ("w", N_("people, boxes and house bots")),
    ("Tab", N_("walk through the buttons; a faded one says why it is faded")),
    ("↑ ↓", N_("scroll the boxes or the results")),
    ("j F3", N_("the log, open or folded away")),
    ("g F2", N_("the rules of this table")),
    ("k F4", N_("two or four colours for the suits")),
    ("v F5", N_("the speed of the cards; any key hurries them")),
    ("e F6", N_("English or Spanish")),
    ("y F7", N_("green felt or slate")),
    ("q", N_("leave: between rounds the game ends; a round is kept and goes on next time")),
    ("Ctrl-C", N_("leave at once; nothing is lost")),
)


def help_text(words: Words) -> Content:
    """All keys with what they do."""
    rows = [Content.assemble((f"{keys:<9}", "bold $brass"), words.say(text)) for keys, text in _HELP]
    note = words.say("A key that is held, or that comes before its question, answers nothing.")
    return Content("\n").join([*rows, Content(""), Content.styled(note, "$faded")])


def rules_text(preset: Preset, words: Words) -> Content:
    """The rule card, with the clauses of the page."""
    told = card(preset, words)
    lines = [Content(told.description)]
    for section in told.sections:
        lines += [Content(""), Content.styled(section.title, "bold $brass")]
        for line in section.lines:
            cited = f"  ({', '.join(line.clauses)})" if line.clauses else ""
            lines.append(Content.assemble(f"{line.text}", (cited, "$faded")))
    return Content("\n").join(lines)
