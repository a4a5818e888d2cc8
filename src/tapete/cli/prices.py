"""The commands that say what a table costs; what counts and draws is loaded only when one of them runs."""

import gc
import sys
from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from tapete.cli.counting import counting_options
from tapete.cli.options import Deed, command, help_option, lang_option, set_option, table_argument, text_option
from tapete.pricing.opening import ready
from tapete.words import Words


def _commands() -> Any:
    """What the commands do, imported once with no search for garbage: a fifth of a short run's time."""
    ready()
    first = "tapete.pricing.commands" not in sys.modules
    if first:
        gc.disable()
    from tapete.pricing import commands  # noqa: PLC0415  (an extra, and only these commands need it)

    if first:
        gc.freeze()
        gc.enable()
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


def _risk_options(say: Words) -> dict[str, Any]:
    """What is asked about a bankroll, and the picture."""
    bankroll = say.say("How much money there is to lose, in initial bets: tells its risk.")
    trip = say.say("How many rounds are to be played: tells the risk within them.")
    goal = say.say("How much is to be won before play ends, in initial bets.")
    risk = say.say("The risk that is borne, like 5%: tells the bankroll that it takes.")
    picture = say.say("Draw what came of it: a file ending in .png, .svg or .pdf.")
    return {
        "bankroll": text_option("--bankroll", say.say("UNITS"), bankroll),
        "trip": text_option("--trip", say.say("NUMBER"), trip),
        "goal": text_option("--goal", say.say("UNITS"), goal),
        "risk": text_option("--risk", say.say("SHARE"), risk),
        "picture": text_option("--picture", say.say("FILE"), picture),
    }


def _add_simulate(made: typer.Typer, say: Words) -> None:
    money, counted = _risk_options(say), counting_options(say)
    rounds = text_option(
        "--rounds",
        say.say("NUMBER"),
        say.say("How many rounds to play, like 1e8; else ten million. Blocks of 262144 are played to their end."),
    )
    until = text_option(
        "--until-se", say.say("ERROR"), say.say("Play until the edge’s standard error is so small: 0.01%.")
    )
    boxes = text_option("--boxes", say.say("NUMBER"), say.say("How many boxes are played in each round, 1 to 7."))
    seed = text_option(
        "--seed", say.say("NUMBER"), say.say("Where chance begins; the same seed gives the same rounds.")
    )
    workers = text_option("--workers", say.say("NUMBER"), say.say("How many threads play; else one for each core."))
    cluster = text_option("--cluster", say.say("ADDRESS"), say.say("Play on a Dask cluster: its scheduler, host:8786."))
    plain = typer.Option("--plain", help=say.say("Without the control variate: faster, and far less sure."))
    shoe = text_option("--shoe", say.say("SHOE"), say.say("endless: a shoe from which no card is ever missed."))
    begun = text_option("--continue", say.say("FILE"), say.say("Go on from what --json wrote of an earlier run."))
    told = say.say("td, two-card, cdz, cdp1, cdp, mimic, never-bust, simple, or a chart file; td if none is given. "
                   "One for each box, with commas between, or one for all.")  # fmt: skip
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
        cluster: Annotated[str, cluster] = "",
        count: Annotated[str, counted["count"]] = "",
        true_count: Annotated[str, counted["true_count"]] = "",
        spread: Annotated[str, counted["spread"]] = "",
        wong_in: Annotated[str, counted["wong_in"]] = "",
        wong_out: Annotated[str, counted["wong_out"]] = "",
        index_plays: Annotated[str, counted["plays"]] = "",
        json: Annotated[str, _json(say)] = "",
        begun: Annotated[str, begun] = "",
        bankroll: Annotated[str, money["bankroll"]] = "",
        trip: Annotated[str, money["trip"]] = "",
        goal: Annotated[str, money["goal"]] = "",
        risk: Annotated[str, money["risk"]] = "",
        picture: Annotated[str, money["picture"]] = "",
        plain: Annotated[bool, plain] = False,
        shoe: Annotated[str, shoe] = "",
        settings: Annotated[list[str] | None, set_option(say)] = None,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        played = {"strategy": strategy, "seed": seed, "boxes": boxes, "plain": "yes" if plain else ""}
        asked_risk = {"bankroll": bankroll, "trip": trip, "goal": goal, "risk": risk}
        asked_count = {"count": count, "true_count": true_count, "spread": spread, "wong_in": wong_in,
                       "wong_out": wong_out, "plays": index_plays}  # fmt: skip
        options = {**played, **asked_risk, **asked_count, "rounds": rounds, "until": until}
        options |= {"workers": workers, "cluster": cluster}
        asked = {"settings": settings or (), "shoe": shoe, "json": json, "begun": begun, "options": options}
        return lambda: _commands().simulate(say, table, **asked, picture=picture)


COMMANDS: Final[dict[str, Callable[[typer.Typer, Words], None]]] = {
    "edge": _add_edge,
    "ev": _add_ev,
    "compare": _add_compare,
    "cost": _add_cost,
    "simulate": _add_simulate,
}
