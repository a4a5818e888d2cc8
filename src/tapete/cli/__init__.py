"""The command line: ``tapete …``.

The language is chosen before anything is parsed, so that help and complaints come in it. A command only reads its
options and gives back the deed to be done; it is done outside of the parser, where every error becomes a sentence.
"""

import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from tapete import __version__
from tapete.cli import charts, commands, indices, prices
from tapete.cli.options import NAME, Deed, help_option, in_words, lang_option
from tapete.errors import BadInput, TapeteError
from tapete.messages import why
from tapete.terminal.complaints import sentences
from tapete.terminal.letters import make_readable
from tapete.words import Words, choose, words

__all__ = ["COMMANDS", "app", "main"]

BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
COMMANDS: Final = {**commands.COMMANDS, **prices.COMMANDS, **charts.COMMANDS, **indices.COMMANDS}


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
        return _complain(BadInput("cli.output", why=why(error)), say)
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


def _add_root(made: typer.Typer, say: Words) -> None:
    told = say.say("Blackjack by the book: five tables with written rules, played exactly.")

    @made.callback(help=told, invoke_without_command=True, options_metavar=say.say("[OPTIONS]"), add_help_option=False)
    def root(
        context: typer.Context,
        *,
        version: Annotated[bool, typer.Option("--version", help=say.say("Tell the version and end."))] = False,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001  (read before parsing)
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001  (shown while parsing)
    ) -> Deed:
        if version:
            print(f"{NAME} {__version__}")
            raise typer.Exit
        if context.invoked_subcommand is None:
            print(in_words(context.get_help(), say))
        return lambda: 0
