"""The commands that say what a table costs; what counts and draws is loaded only when one of them runs."""

from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from tapete.cli.options import Deed, command, help_option, lang_option, set_option, table_argument, text_option
from tapete.pricing.opening import ready
from tapete.words import Words


def _commands() -> Any:
    """What the commands do."""
    ready()
    from tapete.pricing import commands  # noqa: PLC0415  (an extra, and only these commands need it)

    return commands


def _strategy(say: Words) -> Any:
    told = say.say("td, two-card, cdz, cdp1, cdp, mimic, never-bust, simple, or a chart file; cdz if none is given.")
    return typer.Option("--strategy", "--level", metavar=say.say("STRATEGY"), show_default=False, help=told)


def _level(say: Words) -> Any:
    told = say.say("How the player plays: td, two-card, cdz, cdp1 or cdp; cdz if none is given.")
    return typer.Option("--strategy", "--level", metavar=say.say("STRATEGY"), show_default=False, help=told)


def _shoe(say: Words) -> Any:
    told = say.say("The cards in the shoe: 6 packs, 24,24,…,96 from the ace on, or full-8,8,10 without some cards.")
    return text_option("--shoe", say.say("SHOE"), told)


def _json(say: Words) -> Any:
    return text_option("--json", say.say("FILE"), say.say("Write the answer as JSON; - writes it out."))


def _tables_argument(say: Words) -> Any:
    told = say.say("Two tables or more: names, or rule files.")
    return typer.Argument(metavar=say.say("TABLE …"), show_default=False, help=told)


def _add_edge(made: typer.Typer, say: Words) -> None:
    removal = typer.Option("--removal", help=say.say("What one card less of each rank does."))
    results = typer.Option("--results", help=say.say("How likely each net result of a round is."))
    insurance = typer.Option("--insurance", help=say.say("With which hands insurance is worth buying."))

    @command(made, "edge", say.say("Tell what a table costs: the edge of the house."), say)
    def edge(  # noqa: PLR0913  (a command has the options that it has)
        table: Annotated[str, table_argument(say)] = "",
        *,
        strategy: Annotated[str, _strategy(say)] = "",
        shoe: Annotated[str, _shoe(say)] = "",
        results: Annotated[bool, results] = False,
        removal: Annotated[bool, removal] = False,
        insurance: Annotated[bool, insurance] = False,
        json: Annotated[str, _json(say)] = "",
        settings: Annotated[list[str] | None, set_option(say)] = None,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        asked = {"settings": settings or (), "strategy": strategy, "shoe": shoe, "json": json}
        wish = {"results": results, "removal": removal, "insurance": insurance}
        return lambda: (found := _commands()).edge(say, table, **asked, wish=found.Wish(**wish))


def _add_ev(made: typer.Typer, say: Words) -> None:
    told = say.say("A hand against the dealer, like “8,8 v 10”; “8*,3 v 10” grew from a split 8.")

    @command(made, "ev", say.say("Tell what every move of a hand is worth."), say)
    def ev(
        table: Annotated[str, table_argument(say)] = "",
        hand: Annotated[str, typer.Argument(metavar=say.say("HAND"), show_default=False, help=told)] = "",
        *,
        strategy: Annotated[str, _strategy(say)] = "",
        shoe: Annotated[str, _shoe(say)] = "",
        json: Annotated[str, _json(say)] = "",
        settings: Annotated[list[str] | None, set_option(say)] = None,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        asked = {"settings": settings or (), "strategy": strategy, "shoe": shoe, "json": json}
        return lambda: _commands().ev(say, table, hand, **asked)


def _add_compare(made: typer.Typer, say: Words) -> None:
    @command(made, "compare", say.say("Lay the edges of several tables side by side."), say)
    def compare(
        tables: Annotated[list[str] | None, _tables_argument(say)] = None,
        *,
        json: Annotated[str, _json(say)] = "",
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: _commands().compare(say, tables or (), json=json)


def _add_cost(made: typer.Typer, say: Words) -> None:
    only = typer.Option(
        "--only",
        metavar=say.say("KEY"),
        show_default=False,
        help=say.say("This rule alone, like dealer_soft17 or split; can be repeated."),
    )
    picture = text_option("--picture", say.say("FILE"), say.say("Draw it: a file ending in .png, .svg or .pdf."))

    @command(made, "cost", say.say("Tell what each rule of a table is worth to the player."), say)
    def cost(
        table: Annotated[str, table_argument(say)] = "",
        *,
        only: Annotated[list[str] | None, only] = None,
        strategy: Annotated[str, _level(say)] = "",
        picture: Annotated[str, picture] = "",
        json: Annotated[str, _json(say)] = "",
        settings: Annotated[list[str] | None, set_option(say)] = None,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        asked = {"settings": settings or (), "strategy": strategy, "json": json}
        return lambda: _commands().cost(say, table, **asked, only=only or (), picture=picture)


def _add_simulate(made: typer.Typer, say: Words) -> None:
    rounds = text_option("--rounds", say.say("NUMBER"), say.say("How many rounds to play, like 1e8; else ten million."))
    until = text_option(
        "--until-se", say.say("ERROR"), say.say("Play until the edge’s standard error is so small: 0.01%.")
    )
    boxes = text_option("--boxes", say.say("NUMBER"), say.say("How many boxes are played in each round, 1 to 7."))
    seed = text_option(
        "--seed", say.say("NUMBER"), say.say("Where chance begins; the same seed gives the same rounds.")
    )
    workers = text_option("--workers", say.say("NUMBER"), say.say("How many rounds are played at the same time."))
    begun = text_option("--continue", say.say("FILE"), say.say("Go on from what --json wrote of an earlier run."))
    told = say.say("td, two-card, cdz, cdp1, mimic, never-bust, simple, or a chart file; td if none is given.")
    plays = typer.Option("--strategy", "--level", metavar=say.say("STRATEGY"), show_default=False, help=told)

    @command(made, "simulate", say.say("Play a table millions of times, and tell what came of it."), say)
    def simulate(  # noqa: PLR0913  (a command has the options that it has)
        table: Annotated[str, table_argument(say)] = "",
        *,
        rounds: Annotated[str, rounds] = "",
        until: Annotated[str, until] = "",
        boxes: Annotated[str, boxes] = "",
        strategy: Annotated[str, plays] = "",
        seed: Annotated[str, seed] = "",
        workers: Annotated[str, workers] = "",
        json: Annotated[str, _json(say)] = "",
        begun: Annotated[str, begun] = "",
        settings: Annotated[list[str] | None, set_option(say)] = None,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        played = {"strategy": strategy, "seed": seed, "boxes": boxes}
        options = {**played, "rounds": rounds, "until": until, "workers": workers}
        asked = {"settings": settings or (), "json": json, "begun": begun, "options": options}
        return lambda: _commands().simulate(say, table, **asked)


COMMANDS: Final[dict[str, Callable[[typer.Typer, Words], None]]] = {
    "edge": _add_edge,
    "ev": _add_ev,
    "compare": _add_compare,
    "cost": _add_cost,
    "simulate": _add_simulate,
}
