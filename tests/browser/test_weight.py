"""A page is there before a slow connection grows tiresome."""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.people import Guest

Come = Callable[..., Guest]
MOST = 250_000
"""Bytes that a page may take with all that it needs, unpacked."""


def test_the_lobby_and_a_table_are_light(guest: Come) -> None:
    ana = guest()
    asked = set[str]()
    ana.page.on("request", lambda request: asked.add(request.url) if request.method == "GET" else None)
    ana.page.goto(ana.url)
    assert weight(ana, asked) < MOST
    asked.clear()
    ana.open_table("casino")
    asked.discard(f"{ana.url}/")
    assert len([url for url in asked if ".js" in url]) > 5
    assert weight(ana, asked) < MOST


def weight(ana: Guest, asked: set[str]) -> int:
    assert any(".css" in url for url in asked), sorted(asked)
    return sum(len(ana.context.request.get(url).body()) for url in sorted(asked) if url.startswith("http"))
