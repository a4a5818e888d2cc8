"""The command that shows strategy charts; what counts and draws is loaded only when it runs."""

from collections.abc import Callable
from typing import Annotated, Final

import typer

from tapete.cli.options import Deed, command, help_option, lang_option, set_option, table_argument, text_option
from tapete.pricing.opening import ready
from tapete.words import Words


def _add_chart(made: typer.Typer, say: Words) -> None:
    told = say.say(
        "td, two-card, cdz, cdp1, cdp, mimic, never-bust, simple, or a chart file; td, the best chart, if none is "
        "given."
    )
    strategy = typer.Option("--strategy", "--level", metavar=say.say("STRATEGY"), show_default=False, help=told)
    told = say.say("The cards in the shoe: 6 packs, 24,24,…,96 from the ace on, or full-8,8,10 without some cards.")
    shoe = text_option("--shoe", say.say("SHOE"), told)
    csv = text_option("--csv", say.say("FILE"), say.say("Write the chart as CSV; - writes it out."))
    json = text_option("--json", say.say("FILE"), say.say("Write the answer as JSON; - writes it out."))
    markdown = text_option("--markdown", say.say("FILE"), say.say("Write the chart as Markdown; - writes it out."))
    drawn = text_option("--picture", say.say("FILE"), say.say("Draw it: a file ending in .png, .svg or .pdf."))

    @command(made, "chart", say.say("Show what to do with each hand: the strategy chart of a table."), say)
    def chart(  # noqa: PLR0913  (a command has the options that it has)
        table: Annotated[str, table_argument(say)] = "",
        *,
        strategy: Annotated[str, strategy] = "",
        shoe: Annotated[str, shoe] = "",
        csv: Annotated[str, csv] = "",
        json: Annotated[str, json] = "",
        markdown: Annotated[str, markdown] = "",
        picture: Annotated[str, drawn] = "",
        settings: Annotated[list[str] | None, set_option(say)] = None,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        def deed() -> int:
            ready(pictures=bool(picture))
            from tapete.pricing import charts, priced  # noqa: PLC0415  (an extra, and only this command needs it)

            files = charts.Files(csv, json, markdown, picture)
            return charts.show(priced.table(table, settings or (), shoe=shoe), strategy, files, say)

        return deed


COMMANDS: Final[dict[str, Callable[[typer.Typer, Words], None]]] = {"chart": _add_chart}
