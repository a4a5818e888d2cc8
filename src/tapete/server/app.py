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
from tapete.server import choices, lobby, newtable, ops, play, replaypages, rulepages, tablepage, you
from tapete.server.assets import Static
from tapete.server.faults import Gate, http_error, tapete_error
from tapete.server.security import Guard
from tapete.server.settings import Settings
from tapete.server.site import Site
from tapete.store import Store

ROUTES: Final = [
    Route("/", lobby.lobby),
    Route("/open", lobby.open_part),
    Route("/tables", newtable.open_table, methods=["POST"]),
    Route("/rules/{preset}", rulepages.house_rules),
    Route("/you", you.you),
    Route("/you/name", you.rename, methods=["POST"]),
    Route("/you/chips", you.refill, methods=["POST"]),
    Route("/you/phrase", you.new_phrase, methods=["POST"]),
    Route("/you/return", you.come_back, methods=["POST"]),
    Route("/lang", choices.language, methods=["POST"]),
    Route("/theme", choices.theme, methods=["POST"]),
    Route("/t/{code}", tablepage.table_page),
    Route("/t/{code}/rules", rulepages.table_rules),
    Route("/t/{code}/leave", tablepage.leave, methods=["POST"]),
    Route("/t/{code}/rounds", replaypages.listed),
    Route("/t/{code}/rounds/{number:int}", replaypages.replay_page),
    Route("/t/{code}/rounds/{number:int}.json", replaypages.replay_json),
    Route("/t/{code}/rounds/{number:int}.bjh", replaypages.history_file),
    Route("/t/{code}/history.bjh", replaypages.table_file),
    Route("/r/{token}.json", replaypages.shared_json),
    Route("/r/{token}.bjh", replaypages.shared_file),
    Route("/r/{token}", replaypages.shared_page),
    Route("/verify", replaypages.verify_page),
    Route("/words/{lang}.json", tablepage.words_file),
    Route("/health", ops.health),
    Route("/metrics", ops.metrics),
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
        exception_handlers={TapeteError: tapete_error, HTTPException: http_error},
        lifespan=living,
    )
    made.state.site = site
    return made
