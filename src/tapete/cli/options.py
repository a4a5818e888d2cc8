"""What the commands share of the parser: their options and arguments, in one language."""

import re
from collections.abc import Callable
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperOption

from tapete.errors import BadInput
from tapete.words import Words

Deed = Callable[[], int]
"""What a command does once its options are read: gives the exit code."""
NAME: Final = "tapete"


def help_option(say: Words) -> Any:
    """The option ``--help``, whose headings are in the reader's language, too."""

    def show(context: typer.Context, value: bool) -> None:  # noqa: FBT001  (so the parser calls it)
        if value:
            print(in_words(context.get_help(), say))
            raise typer.Exit

    return typer.Option("--help", "-h", is_eager=True, callback=show, help=say.say("Show this and end."))


def in_words(text: str, say: Words) -> str:
    """A help text with its headings in the reader's language and without the types of Python."""
    heads = {"Usage:": say.say("Usage:"), "Options:": say.say("Options:")}
    heads |= {"Arguments:": say.say("Arguments:"), "Commands:": say.say("Commands:")}
    text = re.sub(r" <(str|list\[str\])>", lambda found: " " * len(found[0]), text)  # a type is no help to anybody
    return re.sub(r"^(Usage|Options|Arguments|Commands):", lambda found: heads[found[0]], text, flags=re.MULTILINE)


def lang_option(say: Words) -> Any:
    """The option ``--lang``, which is read before anything is parsed."""
    return typer.Option("--lang", metavar="en|es", show_default=False, help=say.say("The language: en or es."))


def set_option(say: Words) -> Any:
    """The option ``--set``."""
    told = say.say("Change a rule, like split.max_hands=4; can be repeated.")
    return typer.Option("--set", metavar=say.say("KEY=VALUE"), show_default=False, help=told)


class _Command(TyperCommand):
    """A command each of whose options is given once, with something in it; those that can be repeated judge for
    themselves, and of languages the last one wins.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Raises BadInput ``cli.option_empty``, ``cli.option_twice``."""
        given = list(args)
        rest = super().parse_args(ctx, args)
        values, _, order = self.make_parser(ctx).parse_args(given)
        for option in self.params:
            if isinstance(option, TyperOption) and not (option.is_flag or option.multiple or option.name == "lang"):
                if order.count(option) > 1:
                    raise BadInput("cli.option_twice", option=" / ".join(option.opts))
                if values.get(option.name or "") == "":
                    raise BadInput("cli.option_empty", option=" / ".join(option.opts))
        return rest


def command(made: typer.Typer, name: str, told: str, say: Words) -> Callable[[Callable[..., Deed]], object]:
    """Adds a command that says of itself what is ``told``."""
    return made.command(name, cls=_Command, help=told, options_metavar=say.say("[OPTIONS]"), add_help_option=False)


def table_argument(say: Words) -> Any:
    """The argument that names a table."""
    told = say.say("The name of a table, or a rule file.")
    return typer.Argument(metavar=say.say("TABLE"), show_default=False, help=told)


def text_option(flag: str, metavar: str, told: str) -> Any:
    """An option that takes a text."""
    return typer.Option(flag, metavar=metavar, show_default=False, help=told)


def file_argument(say: Words, told: str) -> Any:
    """An argument that names a file."""
    return typer.Argument(metavar=say.say("FILE"), show_default=False, help=told)
