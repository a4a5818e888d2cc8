"""A real server, a real browser, and the people who sit in front of it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, sync_playwright

from tests.browser.house import House
from tests.browser.people import Guest

ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def _found() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _install() -> None:
    """Debian's Chromium, where that can be had."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]):
            subprocess.run(
                command, check=False, capture_output=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            )


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where Chromium is; installed if it is missing and may be."""
    with FileLock(tmp_path_factory.getbasetemp().parent / "chromium.lock"):  # two test runs, one package manager
        if _found() is None:
            _install()
    path = _found()
    if path is None:
        told = "These tests need Chromium (apt-get install chromium), and it could not be installed here."
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
    return path


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A Chromium for each module, since its event loop runs on as long as it lives; every guest has a profile apart."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server in a process of its own, on a data folder with tables laid beforehand; it must not complain."""
    opened = House(tmp_path_factory.mktemp("house"))
    opened.open()
    yield opened
    opened.close()
    assert opened.complaints == []


@pytest.fixture
def guest(browser: Browser, house: House) -> Iterator[Callable[..., Guest]]:
    """Brings people to the house; afterwards none of their browsers may have complained or looked elsewhere."""
    here: list[Guest] = []

    def come(name: str = "", **how: object) -> Guest:
        one = Guest(browser, house, name, **how)  # type: ignore[arg-type]
        here.append(one)
        return one

    yield come
    faults = [fault for one in here for fault in one.faults]
    for one in here:
        one.context.close()
    assert faults == []
