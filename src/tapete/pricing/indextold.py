"""``tapete indices``: the index plays of a table in words, and as files that ``tapete simulate --plays`` reads."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tapete import chart as charts
from tapete.chart import NO, NOTHING, YES
from tapete.pricing import apart, charted, figures, indices, playfile, priced, simcount, simcounttold
from tapete.pricing.indices import Found, Indices
from tapete.pricing.priced import Table
from tapete.pricing.simkept import Keeper
from tapete.rules import RuleSet, digest
from tapete.sim.count import PACK, IndexPlay
from tapete.sim.plays import HEAD
from tapete.terminal.keys import spoken, word_of
from tapete.terminal.talk import Talk
from tapete.words import N_, Words
from tapete.words import words as words_of

TOLD: Final = 30
"""How many plays are told where not all are asked for."""
USUAL: Final = "hi-lo"
"""The counting system where none is asked for."""


_EXPLAINED: Final = (
    N_(
        "Below the count under “From” the first move is the better one, from it on the second. “Equal at” is the "
        "count, before it is made whole, at which both are worth the same with so many packs unseen."
    ),
    N_(
        "The gain is in millionths of the initial bet per round: what the play brings more than the better of its two "
        "moves at every count, with one box and always the same bet."
    ),
)


class Wish(NamedTuple):
    """How plays are to be told: ``everything``, or the most valuable; and into which files."""

    everything: bool = False
    csv: str = ""
    json: str = ""
    picture: str = ""


def show(table: Table, options: Mapping[str, str], wish: Wish, words: Words) -> int:
    """Derives the plays, tells them, and writes the files that are asked for."""
    if wish.picture:
        from tapete.pricing import indexdrawing  # noqa: PLC0415  (heavy, and only pictures need it)

        indexdrawing.check(wish.picture)
    priced.apart({"--csv": wish.csv, "--json": wish.json, "--picture": wish.picture})
    for file in (wish.csv, wish.json):
        Keeper(file)
    counter = simcount.counter(table.rules, {**options, "count": options["count"] or USUAL})
    assert counter is not None
    asked = indices.Asked(table, counter, indices.packs(options["packs"], table.rules))
    found = _derived(asked, words, progress=sys.stderr.isatty())
    told = found.plays if wish.everything else found.plays[:TOLD]
    # The files first: who reads what is told may have enough before its end.
    if wish.csv:
        remark = playfile.remark(counter.system.id, simcount.way(counter.conversion))
        priced.write(as_csv(told, [*headlines(found, words), remark]), wish.csv)
    if wish.json:
        priced.write_json(as_json(found), wish.json)
    if wish.picture:
        indexdrawing.draw(found, words, wish.picture)
    if "-" not in (wish.csv, wish.json):
        tell(found, told, Talk(words))
        priced.tell_written((wish.csv, wish.json, wish.picture), Talk(words))
    return 0


def _derived(asked: indices.Asked, words: Words, *, progress: bool) -> Indices:
    """The plays; Ctrl-C is answered on the error output."""
    try:
        return _shown(asked, words, progress=progress)
    except KeyboardInterrupt:
        sys.stderr.write(words.say(N_("Stopped before its end: no plays were found, and no file was written.")) + "\n")
        raise


def _shown(asked: indices.Asked, words: Words, *, progress: bool) -> Indices:
    if not progress:
        return indices.derived(asked)

    wide = 0

    def shown(done: int, many: int) -> None:
        nonlocal wide
        line = words.say(N_("{done} of {many} shoes counted"), done=done, many=many)
        wide = max(wide, len(line))
        sys.stderr.write(f"\r{line}")
        sys.stderr.flush()

    try:
        return indices.derived(asked, shown)
    finally:
        sys.stderr.write("\r" + " " * wide + "\r")


# --- in words -------------------------------------------------------------------------------------------------------


def headlines(found: Indices, words: Words) -> list[str]:
    """Table, counter, depth of the shoe and rules: what stands above the plays."""
    table = found.asked.table
    return [
        f"{table.title(words)} ({table.preset.id})",
        words.say(N_("Index plays, derived from the rules of this table")),
        simcounttold.counted(found.asked.counter, table.rules, words),
        _depth(found, words),
        words.say(N_("Rules: {digest}"), digest=digest(table.rules)),
    ]


def _depth(found: Indices, words: Words) -> str:
    unseen = figures.number(found.unseen / PACK, words, digits=2, signed=False)
    if found.asked.packs:
        return words.say(N_("Packs unseen: {packs}."), packs=unseen)
    if found.dealt:
        told = N_("Every depth of the shoe weighs alike, down to the cut card: {packs} packs unseen on average.")
    else:
        told = N_(
            "This table shuffles before every round, so there is hardly anything to count. Told is what plays would be "
            "worth if the shoe were dealt to its half: {packs} packs unseen on average."
        )
    return words.say(told, packs=unseen)


def tell(found: Indices, told: Sequence[Found], talk: Talk) -> None:
    """Says the plays, the most valuable first."""
    words = talk.words
    for line in headlines(found, words):
        talk.line(line)
    talk.line("")
    if not told:
        talk.tell(N_("No play hangs on this count here."))
        _tell_beyond(found, talk)
        return
    for line in figures.columns(_rows(found, told, words), left=4, room=talk.room):
        talk.line(line)
    talk.line("")
    if rest := found.plays[len(told) :]:
        gain = figures.number(1e6 * sum(one.gain for one in rest), words, digits=2, signed=False)
        talk.tell(N_("And {n} more that gain {gain} together; --all tells them, and --json has them."),
                  n=len(rest), gain=gain)  # fmt: skip
    _tell_beyond(found, talk)
    for text in _EXPLAINED:
        talk.tell(text)


def _tell_beyond(found: Indices, talk: Talk) -> None:
    if found.beyond:
        talk.line(talk.words.plural(
            "{n} play is left out: it changes at {most} or more, up or down, where counts are not told apart.",
            "{n} plays are left out: they change at {most} or more, up or down, where counts are not told apart.",
            found.beyond, most=indices.FURTHEST))  # fmt: skip


def _rows(found: Indices, told: Sequence[Found], words: Words) -> list[list[str]]:
    head = (N_("Hand"), N_("Dealer"), N_("Below"), N_("From it on"), N_("From"), N_("Equal at"), N_("Gain"))
    rows = [[words.say(one) for one in head]]
    rules = found.asked.table.rules
    for one in told:
        play = one.play
        exact = "-" if one.exact is None else figures.number(one.exact, words, digits=2)
        gain = figures.number(1e6 * one.gain, words, digits=2, signed=False)
        moves = [move(letter, rules, words) for letter in (play.below, play.above)]
        rows.append([*_where(rules, play, words), *moves, count(play.least), exact, gain])
    return rows


def _where(rules: RuleSet, play: IndexPlay, words: Words) -> tuple[str, str]:
    column = next(one for one in charts.columns(rules) if one.name == play.column)
    return row(rules, play.row, words), apart.column_told(column, words)


def row(rules: RuleSet, name: str, words: Words) -> str:
    """The hands of a row of a plays file."""
    if name == charts.INSURANCE:
        return words.say(N_("any but a blackjack")) if rules.insurance.who == "any" else words.say(N_("any"))
    if name == charts.INSURANCE_BLACKJACK:
        return words.say(N_("a blackjack"))
    return apart.row_told(next(one for one in charts.rows(rules) if one.name == name), rules, words)


def count(level: int) -> str:
    """A count as it is shown, with its sign."""
    return f"{level:+d}" if level else "0"


def move(letter: str, rules: RuleSet, words: Words) -> str:
    """The move that a letter of a play means."""
    spoke = words_of(spoken(rules, words.language))
    if letter in (YES, NO):
        return word_of("insure", spoke) if letter == YES else words.say(N_("no insurance"))
    if letter == NOTHING:
        return words.say(N_("stay in"))
    return word_of(charted.MOVES[letter[0]], spoke)


# --- as files -------------------------------------------------------------------------------------------------------


def as_csv(told: Sequence[Found], remarks: Iterable[str]) -> str:
    """Plays as ``tapete simulate --plays`` reads them, remarks before them behind ``#``."""
    out = io.StringIO()
    out.writelines(f"# {' '.join(remark.split())}\n" for remark in remarks)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows(one.play for one in told)
    return out.getvalue()


def as_json(found: Indices) -> dict[str, Any]:
    """All plays with all digits; the keys are documented in docs/indices.md."""
    asked = found.asked
    return {
        "table": asked.table.preset.id,
        "rules": digest(asked.table.rules),
        "count": asked.counter.system.id,
        "true_count": asked.counter.told["true_count"],
        "source": "tapete indices",
        "unseen": found.unseen,
        "lowest": found.lowest,
        "highest": found.highest,
        "beyond": found.beyond,
        "plays": [_as_json(one) for one in found.plays],
    }


def _as_json(one: Found) -> dict[str, Any]:
    play = dict(zip(HEAD, one.play, strict=True))
    return {**play, "usual": one.usual, "gain": one.gain, "exact": one.exact}
