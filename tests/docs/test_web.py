"""The manual of the web table says what the page and the server do."""

from __future__ import annotations

import re

import pytest

from tapete.server.app import ROUTES
from tapete.server.counting import Counted
from tapete.server.pace import PACES
from tapete.server.settings import Rate, Settings
from tests.docs.pages import rows, text_of
from tests.laws.source import SOURCE

SCRIPTS = SOURCE / "server" / "static" / "js"
WEB = ("docs/web.md", "docs/es/web.md")


def keys_of_the_page() -> set[str]:
    """Every key that the page's own help tells."""
    told = re.search(r"const HELP = .*?\];", (SCRIPTS / "dialogs.js").read_text("utf-8"), re.DOTALL)
    assert told is not None
    found = re.findall(r'^  \["([^"]+)"', told[0], re.MULTILINE)
    return {key for keys in found for key in ([keys.replace(" ", "")] if "–" in keys else keys.split())}


@pytest.mark.parametrize("page", WEB)
def test_every_key_of_the_page_is_told(page: str) -> None:
    told = {key for row in rows(text_of(page)) for one in re.findall(r"`([^`]+)`", row[0]) for key in one.split()}
    used = keys_of_the_page()
    assert len(used) > 20
    assert used - told == set()


@pytest.mark.parametrize("page", WEB)
def test_the_clocks_are_those_of_the_tables(page: str) -> None:
    found = [row[1:] for row in rows(text_of(page)) if len(row) == 3 and re.fullmatch(r"\d+ s", row[1])]
    due = [PACES[name] for name in ("relaxed", "normal", "fast")]
    assert found == [[f"{one.bets} s", f"{one.question} s"] for one in due]


def test_the_waiting_times_of_the_manual_are_those_of_the_server() -> None:
    usual = Settings()
    for page in ("docs/web.md", "docs/es/web.md", "docs/serving.md"):
        text = text_of(page)
        assert f"{usual.absent_minutes} min" in text
        assert re.search(rf"\b{usual.empty_minutes}\b", text)
    assert f"| {usual.keep_days} |" in text_of("docs/serving.md")
    assert f"| {usual.port} |" in text_of("docs/serving.md")


def test_the_limits_of_the_manual_are_those_of_the_server() -> None:
    limits = Settings().limits
    told = [row for row in rows(text_of("docs/serving.md")) if len(row) == 4 and row[0] != "What"]
    rates = [limits.messages, limits.requests, limits.guests, limits.tables, limits.phrases]
    due = [[str(one.burst), often(one)] for one in rates] + [[str(limits.sockets), ""], [str(limits.open_tables), ""]]
    assert [row[2:] for row in told] == due


def often(rate: Rate) -> str:
    return f"{rate.a_second} a second" if rate.a_second >= 1 else f"one in {round(1 / rate.a_second)} seconds"


def test_every_metric_is_told() -> None:
    source = (SOURCE / "server" / "counting.py").read_text("utf-8")
    named = set(re.findall(r'"(tapete_\w+)"', source))
    assert Counted.__module__.endswith("counting")
    assert named
    assert {name for name in named if not re.search(rf"`{name}(_total)?\b", text_of("docs/serving.md"))} == set()


def test_every_address_that_the_manual_names_is_there() -> None:
    there = {getattr(one, "path", "") for one in ROUTES}
    assert set(re.findall(r"`GET (/\w+)`", text_of("docs/serving.md"))) == {"/health", "/metrics"}
    assert {"/health", "/metrics"} <= there


def test_every_module_of_the_server_has_its_place_in_the_architecture() -> None:
    modules = {path.stem for path in (SOURCE / "server").glob("*.py")} - {"__init__"}
    assert {name for name in modules if f"`{name}`" not in text_of("docs/architecture.md")} == set()
