"""The command that derives index plays; what counts and draws is loaded only when it runs."""

from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from tapete.cli.options import Deed, command, help_option, lang_option, set_option, table_argument, text_option
from tapete.pricing.opening import ready
from tapete.words import Words


def _options(say: Words) -> dict[str, Any]:
    count = say.say("What is counted: hi-lo, ko, zen, … or a file with a system of your own; hi-lo if none is given.")
    way = say.say("How the count is divided and rounded, like exact,floor or half,nearest.")
    packs = say.say("How many packs are unseen; every depth of the shoe weighs alike if none is given.")
    csv = say.say("Write the plays that are told as CSV, for simulate --plays; - writes them out.")
    json = say.say("Write all plays as JSON, also for simulate --plays; - writes them out.")
    return {
        "count": text_option("--count", say.say("SYSTEM"), count),
        "true_count": text_option("--true-count", say.say("WAY"), way),
        "packs": text_option("--packs-left", say.say("NUMBER"), packs),
        "csv": text_option("--csv", say.say("FILE"), csv),
        "json": text_option("--json", say.say("FILE"), json),
        "picture": text_option("--picture", say.say("FILE"), say.say("Draw it: a file ending in .png, .svg or .pdf.")),
        "all": typer.Option("--all", help=say.say("Tell all plays, not only the thirty that are worth most.")),
    }


def _add_indices(made: typer.Typer, say: Words) -> None:
    known = _options(say)

    @command(made, "indices", say.say("Derive the plays that a card counter changes with the count."), say)
    def indices(  # noqa: PLR0913  (a command has the options that it has)
        table: Annotated[str, table_argument(say)] = "",
        *,
        count: Annotated[str, known["count"]] = "",
        true_count: Annotated[str, known["true_count"]] = "",
        packs: Annotated[str, known["packs"]] = "",
        everything: Annotated[bool, known["all"]] = False,
        csv: Annotated[str, known["csv"]] = "",
        json: Annotated[str, known["json"]] = "",
        picture: Annotated[str, known["picture"]] = "",
        settings: Annotated[list[str] | None, set_option(say)] = None,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        def deed() -> int:
            ready(pictures=bool(picture))
            from tapete.pricing import indextold, priced  # noqa: PLC0415  (an extra, and only this command needs it)

            options = {"count": count, "true_count": true_count, "packs": packs}
            wish = indextold.Wish(everything, csv, json, picture)
            return indextold.show(priced.table(table, settings or ()), options, wish, say)

        return deed


COMMANDS: Final[dict[str, Callable[[typer.Typer, Words], None]]] = {"indices": _add_indices}
