"""Deeds: what each command of the command line does. Each gives an exit code, or raises what went wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tapete import rulecard
from tapete.errors import BadInput
from tapete.history import HistoryError
from tapete.rulefile import FOUNDING, Preset, preset, presets, resolve
from tapete.store import Store
from tapete.store.backup import backup as write_backup
from tapete.store.people import Person, tidy_name
from tapete.terminal import letters, plain, replaying
from tapete.terminal.opening import Wish
from tapete.terminal.talk import PAUSES, Talk
from tapete.words import N_, Words

MOST_BOTS: Final = 7
_NO_SCREEN: Final = ("", "dumb", "unknown")


# --- tables and their rules -----------------------------------------------------------------------------------------


def tables(words: Words) -> int:
    """Lists the tables: the five of the written pages, then the others of the world."""
    talk = Talk(words)
    for name in FOUNDING:
        _list(talk, preset(name))
    talk.line("")
    talk.tell(N_("Other tables of the world:"))
    for name in presets()[len(FOUNDING) :]:
        _list(talk, preset(name))
    talk.line("")
    talk.tell(N_("Their rules: tapete rules TABLE. To play: tapete play TABLE."))
    return 0


def _list(talk: Talk, table: Preset) -> None:
    talk.line(f"{table.id}: {table.title.in_(talk.words.language)}")
    felt = rulecard.felt_line(table.rules, talk.words).replace(" · ", ". ")
    talk.line(f"    {felt}.")


def rules(words: Words, table: str, *, other: str, settings: Sequence[str]) -> int:
    """Shows the rule card of a table, or what differs from another one."""
    shown = resolve(_needed(table, "cli.needs_table"), settings)
    talk = Talk(words)
    if other:
        _compare(talk, shown, resolve(other))
    else:
        _card(talk, rulecard.card(shown, words))
    return 0


def _needed(value: str, code: str) -> str:
    if not value:
        raise BadInput(code)
    return value


def _card(talk: Talk, card: rulecard.RuleCard) -> None:
    talk.line(card.title)
    if card.description:
        talk.line(card.description)
    for section in card.sections:
        talk.line(f"\n{section.title}")
        for line in section.lines:
            cited = f" ({', '.join(line.clauses)})" if line.clauses else ""
            talk.line(f"  {line.text}{cited}")


def _compare(talk: Talk, shown: Preset, other: Preset) -> None:
    say = talk.words
    here, there = (one.title.in_(say.language) or one.id for one in (shown, other))
    found = rulecard.compare(shown.rules, other.rules, say)
    if not found:
        talk.tell(N_("{here} and {there} play by the same rules."), here=here, there=there)
    silent = say.say(N_("nothing to say"))
    for one in found:
        talk.line(f"{one.key}")
        talk.line(f"  {here}: {one.here or silent}")
        talk.line(f"  {there}: {one.there or silent}")


# --- playing --------------------------------------------------------------------------------------------------------


def wish(table: str, *, settings: Sequence[str], names: Sequence[str], bots: str, seed: str, speed: str) -> Wish:
    """What the options of a command line ask for. Raises BadInput for what does not read."""
    if settings and not table:
        raise BadInput("cli.set_needs_table")
    if speed and speed not in PAUSES:
        raise BadInput("cli.speed", value=speed[:40], allowed=tuple(PAUSES))
    return Wish(
        preset=resolve(table, settings) if table else None,
        names=tuple(tidy_name(name) for name in names),
        bots=_whole(bots, "cli.bots", most=MOST_BOTS),
        seed=_whole(seed, "cli.seed", most=2**64 - 1),
        speed=speed or None,
    )


def _whole(text: str, code: str, *, most: int) -> int | None:
    """A whole number from 0 to ``most``; None for none."""
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 20 or int(text) > most:
        raise BadInput(code, value=text[:40], most=most)
    return int(text)


def play(words: Words, asked: Wish, *, lines: bool) -> int:
    """Sits down at a table: on the full screen, or in lines where that is asked for or nothing else is possible."""
    with Store() as store:
        if not lines and _screen(words):
            from tapete.terminal import full  # noqa: PLC0415  (heavy, and not needed for lines)

            full.play(store, asked, words)
        else:
            plain.play(store, asked, words)
    return 0


def _screen(words: Words) -> bool:
    """Whether the full screen can be shown; says why not where somebody sits at a terminal that cannot."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    if os.environ.get("TERM", "") not in _NO_SCREEN and letters.shows(sys.stdout):
        return True
    Talk(words).tell(N_("This terminal cannot show the full table, so it is told in lines."))
    return False


# --- files and chips ------------------------------------------------------------------------------------------------


def replay(words: Words, file: str, *, at_once: bool) -> int:
    """Tells the rounds of a history file."""
    talk = Talk(words)
    path = Path(_needed(file, "cli.needs_file"))
    try:
        replaying.replay_file(path, words, all_at_once=at_once, read=talk.next_line, write=talk.line)
    except HistoryError as fault:
        print(replaying.told(path, fault, words), file=sys.stderr)
        return 2
    return 0


def check(words: Words, files: Sequence[str]) -> int:
    """Checks rule files and history files; 2 if one of them does not hold."""
    _needed(" ".join(files), "cli.needs_file")
    talk, sound = Talk(words), True
    for file in files:
        lines, fine = replaying.check_file(Path(file), words)
        sound = sound and fine
        for line in lines:
            talk.line(line)
    return 0 if sound else 2


def backup(words: Words, file: str) -> int:
    """Writes everything that the data folder has into one file; a house that keeps its books elsewhere is told so."""
    if os.environ.get("TAPETE_DATABASE"):
        raise BadInput("backup.elsewhere")
    target = Path(_needed(file, "cli.needs_file"))
    with Store() as store:
        size = write_backup(store, target)
    text = N_("{path}: {size} KiB. Unpacked into an empty folder (tar -xf), it is a data folder again.")
    Talk(words).tell(text, path=target, size=-(-size // 1024))
    return 0


def bank(words: Words, *, reset: str) -> int:
    """Tells everybody's chips, or gives one person the starting chips again."""
    with Store() as store:
        if reset:
            _reset(store, tidy_name(reset))
        people = store.people()
        for one in people:
            _tell_chips(Talk(words), store, one)
    if not people:
        Talk(words).tell(N_("Nobody has played here yet."))
    return 0


def _reset(store: Store, name: str) -> None:
    person = next((one for one in store.people() if one.name.casefold() == name.casefold()), None)
    if person is None:
        raise BadInput("person.unknown", person=name)
    store.reset(person.id)


def _tell_chips(talk: Talk, store: Store, one: Person) -> None:
    talk.tell(N_("{name}: {chips:chips} chips."), name=one.name, chips=store.balance(one.id))
    lying = sum(store.racks(table.id).get(one.id, 0) for table in store.open_tables())
    if lying:
        talk.tell(N_("{name}: {chips:chips} more at a table that is still open."), name=one.name, chips=lying)
