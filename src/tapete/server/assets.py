"""Static files: each under an address that holds the hash of its content, so that browsers may keep it for ever.

Scripts import each other by plain relative names, which carry no hash: those answers are asked for again each time.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Final

from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

STATIC: Final = Path(__file__).parent / "static"
FOR_EVER: Final = b"public, max-age=31536000, immutable"
ASK_AGAIN: Final = b"no-cache"


def address(name: str) -> str:
    """Where a static file is found, as ``/static/css/site.css?v=…``."""
    path = STATIC / name
    changed = path.stat().st_mtime_ns if path.is_file() else 0
    return f"/static/{name}?v={_hash(name, changed)}"


@lru_cache(maxsize=512)
def _hash(name: str, changed: int) -> str:
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12] if changed else "none"


class Static(StaticFiles):
    """The folder of static files with how long each answer may be kept."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        kept = FOR_EVER if b"v=" in scope.get("query_string", b"") else ASK_AGAIN

        async def with_cache(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start" and message["status"] in (200, 304):
                message["headers"] = [*message["headers"], (b"cache-control", kept)]  # type: ignore[misc]
            await send(message)

        await super().__call__(scope, receive, with_cache)  # type: ignore[arg-type]
