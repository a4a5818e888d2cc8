"""Operations: whether the server lives and is ready, what it counts, and its log."""

from __future__ import annotations

import ipaddress
import json
import logging
import sys
import time
from typing import Any, Final, TextIO

from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tapete.server.site import Site, site_of

_OWN: Final = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}


class Lines(logging.Formatter):
    """A record of the log as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        told: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage(),
        }
        told |= {key: one for key, one in record.__dict__.items() if key not in _OWN}
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False, default=str)


def set_up_log(stream: TextIO | None = None) -> None:
    """Sends what the server says of itself to a stream, one JSON object a line; to a terminal only what went wrong.

    Uvicorn's own news are left out: they would name the private addresses of tables.
    """
    out = stream or sys.stderr
    handler = logging.StreamHandler(out)
    handler.setFormatter(Lines())
    for name, level in (
        ("tapete", logging.WARNING if out.isatty() else logging.INFO),
        ("uvicorn", logging.WARNING),
        ("websockets", logging.ERROR),
    ):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False


async def health(request: Request) -> Response:
    """GET /health: 200 while the server lives; ``ready`` is false while it starts or stops (then 503)."""
    ready = site_of(request).ready
    return JSONResponse({"live": True, "ready": ready}, status_code=200 if ready else 503)


async def metrics(request: Request) -> Response:
    """GET /metrics: what the server counts, for this machine alone."""
    client = request.client.host if request.client else ""
    if not _is_loopback(client):
        raise HTTPException(404)
    return Response(measured(site_of(request)), media_type=CONTENT_TYPE_LATEST)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def measured(site: Site) -> bytes:
    """What the server counts now, in Prometheus' format."""
    counted = site.counted
    counted.tables.set(len(site.registry))
    counted.connections.set(len(site.lines))
    counted.people.set(len({name for live in site.registry for name in live.present()}))
    counted.playing.set(sum(live.table.playing for live in site.registry))
    return generate_latest(counted.registry)
