"""The command line: ``tapete …``.

The language is chosen before anything is parsed, so that help and complaints come in it. A command only reads its
options and gives back the deed to be done; it is done outside of the parser, where every error becomes a sentence.
"""

import os
import re
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from tapete import __version__
from tapete.errors import BadInput, TapeteError
from tapete.terminal import deeds, verifying
from tapete.terminal.complaints import sentences
from tapete.terminal.letters import make_readable
from tapete.words import Words, choose, words

Deed = Callable[[], int]
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
NAME: Final = "tapete"


def main(arguments: Sequence[str] | None = None) -> int:
    """Does what the command line asks for and tells the exit code: 0, 1 for a shoe that was not as promised, 2 for bad
    input, 130 for Ctrl-C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    _open_streams()
    make_readable(sys.stdin, sys.stdout, sys.stderr)
    try:
        say = words(choose(_asked_language(given), os.environ))
    except BadInput as error:
        return _complain(error, words(choose(None, os.environ)))
    return _guarded(given, say)


def _open_streams() -> None:
    """Gives a program that was started without them an empty input and outputs that nobody reads."""
    sys.stdin = sys.stdin or Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115  (lives as long as the program)
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or sys.stdout


def _forget_output() -> None:
    """Lets what could not be written go nowhere, so that the interpreter does not try again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _asked_language(arguments: Sequence[str]) -> str | None:
    """What stands behind the last ``--lang``, wherever it stands."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    asked = None
    for one, after in pairwise((*own, "")):
        if one == "--lang":
            asked = after
        elif one.startswith("--lang="):
            asked = one.partition("=")[2]
    return asked


def _guarded(arguments: Sequence[str], say: Words) -> int:
    try:
        code = _parsed(arguments, say)()
        sys.stdout.flush()
    except TapeteError as error:
        return _complain(error, say)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read this has enough
        _forget_output()
        return 0
    except OSError as error:
        _forget_output()
        return _complain(BadInput("cli.output", why=error.strerror or str(error)), say)
    return code


def _complain(error: TapeteError, say: Words) -> int:
    for sentence in sentences(error, say):
        print(sentence, file=sys.stderr)
    return BAD_INPUT


# --- parsing --------------------------------------------------------------------------------------------------------


def _parsed(arguments: Sequence[str], say: Words) -> Deed:
    """The deed that the arguments ask for. Raises BadInput for what does not read."""
    try:
        deed: Any = app(say)(list(arguments), prog_name=NAME, standalone_mode=False)
    except typer.TyperException as error:
        raise _usage(error, arguments) from None
    return deed if callable(deed) else lambda: 0


def _usage(error: typer.TyperException, arguments: Sequence[str]) -> BadInput:
    """What the parser did not understand, in words of ours: its own are English only."""
    option = getattr(error, "option_name", None)
    command = next((one for one in arguments if one in COMMANDS), "")
    if hasattr(error, "possibilities"):
        return BadInput("cli.no_such_option", option=str(option)[:40])
    if option:
        return BadInput("cli.option_value", option=option)
    extra = str(error).partition(" (")[2].removesuffix(")")
    if command:
        return BadInput("cli.too_much", extra=extra[:60], command=command)
    unknown = next((one for one in arguments if not one.startswith("-")), "")
    return BadInput("cli.no_such_command", command=unknown[:40], allowed=tuple(COMMANDS))


def app(say: Words) -> typer.Typer:
    """The commands with their help in one language."""
    made = typer.Typer(
        add_completion=False, rich_markup_mode=None, add_help_option=False, subcommand_metavar=say.say("COMMAND …")
    )
    _add_root(made, say)
    for add in COMMANDS.values():
        add(made, say)
    return made


def _help(say: Words) -> Any:
    """The option ``--help``, whose headings are in the reader's language, too."""

    def show(context: typer.Context, value: bool) -> None:  # noqa: FBT001  (so the parser calls it)
        if value:
            print(_in_words(context.get_help(), say))
            raise typer.Exit

    return typer.Option("--help", "-h", is_eager=True, callback=show, help=say.say("Show this and end."))


def _in_words(text: str, say: Words) -> str:
    heads = {"Usage:": say.say("Usage:"), "Options:": say.say("Options:")}
    heads |= {"Arguments:": say.say("Arguments:"), "Commands:": say.say("Commands:")}
    text = re.sub(r" <(str|list\[str\])>", lambda found: " " * len(found[0]), text)  # a type is no help to anybody
    return re.sub(r"^(Usage|Options|Arguments|Commands):", lambda found: heads[found[0]], text, flags=re.MULTILINE)


def _lang(say: Words) -> Any:
    return typer.Option("--lang", metavar="en|es", show_default=False, help=say.say("The language: en or es."))


def _set(say: Words) -> Any:
    told = say.say("Change a rule, like split.max_hands=4; can be repeated.")
    return typer.Option("--set", metavar=say.say("KEY=VALUE"), show_default=False, help=told)


def _command(made: typer.Typer, name: str, told: str, say: Words) -> Callable[[Callable[..., Deed]], object]:
    return made.command(name, help=told, options_metavar=say.say("[OPTIONS]"), add_help_option=False)


def _add_root(made: typer.Typer, say: Words) -> None:
    told = say.say("Blackjack by the book: five tables with written rules, played exactly.")

    @made.callback(help=told, invoke_without_command=True, options_metavar=say.say("[OPTIONS]"), add_help_option=False)
    def root(
        context: typer.Context,
        *,
        version: Annotated[bool, typer.Option("--version", help=say.say("Tell the version and end."))] = False,
        lang: Annotated[str, _lang(say)] = "",  # noqa: ARG001  (read before parsing)
        help_: Annotated[bool, _help(say)] = False,  # noqa: ARG001  (shown while parsing)
    ) -> Deed:
        if version:
            print(f"{NAME} {__version__}")
            raise typer.Exit
        if context.invoked_subcommand is None:
            print(_in_words(context.get_help(), say))
        return lambda: 0


def _add_tables(made: typer.Typer, say: Words) -> None:
    @_command(made, "tables", say.say("List the tables."), say)
    def tables(
        *,
        lang: Annotated[str, _lang(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, _help(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: deeds.tables(say)


def _table_argument(say: Words) -> Any:
    told = say.say("The name of a table, or a rule file.")
    return typer.Argument(metavar=say.say("TABLE"), show_default=False, help=told)


def _add_rules(made: typer.Typer, say: Words) -> None:
    other = say.say("Show only what differs from this table.")

    @_command(made, "rules", say.say("Show a table’s rules."), say)
    def rules(
        table: Annotated[str, _table_argument(say)] = "",
        *,
        compare: Annotated[str, typer.Option(metavar=say.say("TABLE"), show_default=False, help=other)] = "",
        settings: Annotated[list[str] | None, _set(say)] = None,
        lang: Annotated[str, _lang(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, _help(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: deeds.rules(say, table, other=compare, settings=settings or ())


def _text(flag: str, metavar: str, told: str) -> Any:
    return typer.Option(flag, metavar=metavar, show_default=False, help=told)


def _add_play(made: typer.Typer, say: Words) -> None:
    names = _text("--name", say.say("NAME"), say.say("Who plays; repeated for several people at this keyboard."))
    bots = _text("--bots", "N", say.say("House bots on free boxes."))
    seed = _text("--seed", "N", say.say("The same shoe for the same number."))
    speed = _text("--speed", "none|slow|normal|fast", say.say("How fast the cards come."))
    lines = typer.Option("--plain", help=say.say("Told in lines: for screen readers and pipes."))

    @_command(made, "play", say.say("Sit down at a table and play."), say)
    def play(  # noqa: PLR0913  (a command has the options that it has)
        table: Annotated[str, _table_argument(say)] = "",
        *,
        plain: Annotated[bool, lines] = False,
        name: Annotated[list[str] | None, names] = None,
        bots: Annotated[str, bots] = "",
        seed: Annotated[str, seed] = "",
        speed: Annotated[str, speed] = "",
        settings: Annotated[list[str] | None, _set(say)] = None,
        lang: Annotated[str, _lang(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, _help(say)] = False,  # noqa: ARG001
    ) -> Deed:
        wish = deeds.wish(table, settings=settings or (), names=name or (), bots=bots, seed=seed, speed=speed)
        return lambda: deeds.play(say, wish, lines=plain)


def _file_argument(say: Words, told: str) -> Any:
    return typer.Argument(metavar=say.say("FILE"), show_default=False, help=told)


def _add_replay(made: typer.Typer, say: Words) -> None:
    at_once = typer.Option("--all", help=say.say("All at once, without waiting."))

    @_command(made, "replay", say.say("Show the rounds of a history file step by step."), say)
    def replay(
        file: Annotated[str, _file_argument(say, say.say("A history file, ending in .bjh."))] = "",
        *,
        everything: Annotated[bool, at_once] = False,
        lang: Annotated[str, _lang(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, _help(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: deeds.replay(say, file, at_once=everything)


def _add_check(made: typer.Typer, say: Words) -> None:
    @_command(made, "check", say.say("Check rule files and history files."), say)
    def check(
        files: Annotated[list[str] | None, _file_argument(say, say.say("Rule files and history files."))] = None,
        *,
        lang: Annotated[str, _lang(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, _help(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: deeds.check(say, files or ())


def _add_verify(made: typer.Typer, say: Words) -> None:
    @_command(made, "verify", say.say("Check that the shoes of a history file were as promised."), say)
    def verify(
        file: Annotated[str, _file_argument(say, say.say("A history file, ending in .bjh."))] = "",
        *,
        lang: Annotated[str, _lang(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, _help(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: verifying.verify(say, file)


def _add_bank(made: typer.Typer, say: Words) -> None:
    told = say.say("Give this person the starting chips again.")

    @_command(made, "bank", say.say("Tell everybody’s chips."), say)
    def bank(
        *,
        reset: Annotated[str, _text("--reset", say.say("NAME"), told)] = "",
        lang: Annotated[str, _lang(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, _help(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: deeds.bank(say, reset=reset)


def _add_serve(made: typer.Typer, say: Words) -> None:
    host = _text("--host", say.say("ADDRESS"), say.say("The address to listen at; 127.0.0.1 is this machine alone."))
    port = _text("--port", "N", say.say("The port to listen at; 8021 if none is given."))
    public = _text("--public-url", "URL", say.say("Where people find this house, like https://tapete.example."))
    told = say.say("A PostgreSQL database instead of the data folder’s own; TAPETE_DATABASE says it, too.")
    database = _text("--database", "URL", told)
    keep = _text(
        "--keep-days", "N", say.say("Days for which the rounds of a closed table are kept; 365 if none is given.")
    )
    browser = typer.Option("--open", help=say.say("Open the lobby in the browser."))

    @_command(made, "serve", say.say("Open the tables in the browser, for you or for friends."), say)
    def serve(
        *,
        host: Annotated[str, host] = "127.0.0.1",
        port: Annotated[str, port] = "",
        public_url: Annotated[str, public] = "",
        database: Annotated[str, database] = "",
        keep_days: Annotated[str, keep] = "",
        browser: Annotated[bool, browser] = False,
        lang: Annotated[str, _lang(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, _help(say)] = False,  # noqa: ARG001
    ) -> Deed:
        from tapete.server import opening  # noqa: PLC0415  (an extra, and only this command needs it)

        wish = opening.Wish(host, port, public_url, database or os.environ.get("TAPETE_DATABASE", ""), keep_days)
        return lambda: opening.serve(say, wish, browser=browser)


def _add_backup(made: typer.Typer, say: Words) -> None:
    told = say.say("The file to write; it must not be there yet.")

    @_command(
        made, "backup", say.say("Write everything that is kept into one file, even while the tables are open."), say
    )
    def backup(
        file: Annotated[str, _file_argument(say, told)] = "",
        *,
        lang: Annotated[str, _lang(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, _help(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: deeds.backup(say, file)


COMMANDS: Final = {
    "tables": _add_tables,
    "rules": _add_rules,
    "play": _add_play,
    "replay": _add_replay,
    "check": _add_check,
    "verify": _add_verify,
    "bank": _add_bank,
    "serve": _add_serve,
    "backup": _add_backup,
}
