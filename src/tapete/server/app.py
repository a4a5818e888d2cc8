"""The application: every address of the web table and who answers there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount, Route, WebSocketRoute

from tapete.errors import TapeteError
from tapete.server import choices, lobby, play, tablepage
from tapete.server.assets import Static
from tapete.server.faults import Gate, failure, http_error, tapete_error
from tapete.server.security import Guard
from tapete.server.settings import Settings
from tapete.server.site import Site
from tapete.store import Store

ROUTES: Final = [
    Route("/", lobby.lobby),
    Route("/tables", lobby.open_table, methods=["POST"]),
    Route("/t/{code}", tablepage.table_page),
    Route("/lang", choices.language, methods=["POST"]),
    Route("/theme", choices.theme, methods=["POST"]),
    Route("/words/{lang}.json", tablepage.words_file),
    WebSocketRoute("/ws/{code}", play.table_socket),
    Mount("/static", Static()),
]


def application(store: Store, settings: Settings) -> Starlette:
    """The web table of one data folder."""
    site = Site(store, settings)

    @asynccontextmanager
    async def living(_: Starlette) -> AsyncIterator[None]:
        await site.start()
        try:
            yield
        finally:
            await site.close()

    made = Starlette(
        routes=ROUTES,
        middleware=[Middleware(Guard, secure=settings.secure), Middleware(Gate)],
        exception_handlers={TapeteError: tapete_error, HTTPException: http_error, Exception: failure},
        lifespan=living,
    )
    made.state.site = site
    return made
