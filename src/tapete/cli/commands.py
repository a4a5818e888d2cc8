"""The commands that play, keep and check; each reads its options and gives back the deed to be done."""

import os
from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from tapete.cli.options import (
    Deed,
    command,
    file_argument,
    help_option,
    lang_option,
    set_option,
    table_argument,
    text_option,
)  # fmt: skip
from tapete.words import Words


def _deeds() -> Any:
    """What most commands do: with the store and the terminal, which take their time to load."""
    from tapete.terminal import deeds  # noqa: PLC0415  (not every command needs them)

    return deeds


def _add_tables(made: typer.Typer, say: Words) -> None:
    @command(made, "tables", say.say("List the tables."), say)
    def tables(
        *,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: _deeds().tables(say)


def _add_rules(made: typer.Typer, say: Words) -> None:
    other = say.say("Show only what differs from this table.")

    @command(made, "rules", say.say("Show a table’s rules."), say)
    def rules(
        table: Annotated[str, table_argument(say)] = "",
        *,
        compare: Annotated[str, typer.Option(metavar=say.say("TABLE"), show_default=False, help=other)] = "",
        settings: Annotated[list[str] | None, set_option(say)] = None,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: _deeds().rules(say, table, other=compare, settings=settings or ())


def _add_play(made: typer.Typer, say: Words) -> None:
    names = text_option("--name", say.say("NAME"), say.say("Who plays; repeated for several people at this keyboard."))
    bots = text_option("--bots", "N", say.say("House bots on free boxes."))
    seed = text_option("--seed", "N", say.say("The same shoe for the same number."))
    speed = text_option("--speed", "none|slow|normal|fast", say.say("How fast the cards come."))
    lines = typer.Option("--plain", help=say.say("Told in lines: for screen readers and pipes."))

    @command(made, "play", say.say("Sit down at a table and play."), say)
    def play(  # noqa: PLR0913  (a command has the options that it has)
        table: Annotated[str, table_argument(say)] = "",
        *,
        plain: Annotated[bool, lines] = False,
        name: Annotated[list[str] | None, names] = None,
        bots: Annotated[str, bots] = "",
        seed: Annotated[str, seed] = "",
        speed: Annotated[str, speed] = "",
        settings: Annotated[list[str] | None, set_option(say)] = None,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        wish = _deeds().wish(table, settings=settings or (), names=name or (), bots=bots, seed=seed, speed=speed)
        return lambda: _deeds().play(say, wish, lines=plain)


def _add_replay(made: typer.Typer, say: Words) -> None:
    at_once = typer.Option("--all", help=say.say("All at once, without waiting."))

    @command(made, "replay", say.say("Show the rounds of a history file step by step."), say)
    def replay(
        file: Annotated[str, file_argument(say, say.say("A history file, ending in .bjh."))] = "",
        *,
        everything: Annotated[bool, at_once] = False,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: _deeds().replay(say, file, at_once=everything)


def _add_check(made: typer.Typer, say: Words) -> None:
    @command(made, "check", say.say("Check rule files and history files."), say)
    def check(
        files: Annotated[list[str] | None, file_argument(say, say.say("Rule files and history files."))] = None,
        *,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: _deeds().check(say, files or ())


def _add_verify(made: typer.Typer, say: Words) -> None:
    @command(made, "verify", say.say("Check that the shoes of a history file were as promised."), say)
    def verify(
        file: Annotated[str, file_argument(say, say.say("A history file, ending in .bjh."))] = "",
        *,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        from tapete.terminal import verifying  # noqa: PLC0415  (heavy, and only this command needs it)

        return lambda: verifying.verify(say, file)


def _add_bank(made: typer.Typer, say: Words) -> None:
    told = say.say("Give this person the starting chips again.")

    @command(made, "bank", say.say("Tell everybody’s chips."), say)
    def bank(
        *,
        reset: Annotated[str, text_option("--reset", say.say("NAME"), told)] = "",
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: _deeds().bank(say, reset=reset)


def _add_serve(made: typer.Typer, say: Words) -> None:
    host = text_option(
        "--host", say.say("ADDRESS"), say.say("The address to listen at; 127.0.0.1 is this machine alone.")
    )
    port = text_option("--port", "N", say.say("The port to listen at; 8021 if none is given."))
    public = text_option("--public-url", "URL", say.say("Where people find this house, like https://tapete.example."))
    told = say.say("A PostgreSQL database instead of the data folder’s own; TAPETE_DATABASE says it, too.")
    database = text_option("--database", "URL", told)
    keep = text_option(
        "--keep-days", "N", say.say("Days for which the rounds of a closed table are kept; 365 if none is given.")
    )
    browser = typer.Option("--open", help=say.say("Open the lobby in the browser."))

    @command(made, "serve", say.say("Open the tables in the browser, for you or for friends."), say)
    def serve(
        *,
        host: Annotated[str, host] = "127.0.0.1",
        port: Annotated[str, port] = "",
        public_url: Annotated[str, public] = "",
        database: Annotated[str, database] = "",
        keep_days: Annotated[str, keep] = "",
        browser: Annotated[bool, browser] = False,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        from tapete.server import opening  # noqa: PLC0415  (an extra, and only this command needs it)

        wish = opening.Wish(host, port, public_url, database or os.environ.get("TAPETE_DATABASE", ""), keep_days)
        return lambda: opening.serve(say, wish, browser=browser)


def _add_backup(made: typer.Typer, say: Words) -> None:
    told = say.say("The file to write; it must not be there yet.")

    @command(
        made, "backup", say.say("Write everything that is kept into one file, even while the tables are open."), say
    )
    def backup(
        file: Annotated[str, file_argument(say, told)] = "",
        *,
        lang: Annotated[str, lang_option(say)] = "",  # noqa: ARG001
        help_: Annotated[bool, help_option(say)] = False,  # noqa: ARG001
    ) -> Deed:
        return lambda: _deeds().backup(say, file)


COMMANDS: Final[dict[str, Callable[[typer.Typer, Words], None]]] = {
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
