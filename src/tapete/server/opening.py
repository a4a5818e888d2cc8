"""Opening: from the words of a command line to a running server, without which the rest of Tapete works as well."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final, NamedTuple

from tapete.errors import BadInput
from tapete.words import Words

NEEDED: Final = (
    "starlette",
    "uvicorn",
    "websockets",
    "jinja2",
    "itsdangerous",
    "python_multipart",
    "prometheus_client",
    "mnemonic",
)
MOST_PORTS: Final = 65_535


class Wish(NamedTuple):
    """What the options of the command line say, as they were typed."""

    host: str
    port: str
    public_url: str
    database: str
    keep_days: str


def serve(words: Words, wish: Wish, *, browser: bool) -> int:
    """Keeps the web table open. Raises BadInput for options that do not read, or a part that is not installed."""
    missing = tuple(name for name in NEEDED if find_spec(name) is None)
    if missing:
        raise BadInput("serve.not_installed", missing=missing)
    from tapete.server import serve as server  # noqa: PLC0415  (needs all of those)
    from tapete.server.settings import MOST_DAYS, Settings, public_origin  # noqa: PLC0415

    usual = Settings()
    settings = Settings(
        host=wish.host,
        port=_whole(wish.port, "serve.port", usual.port, most=MOST_PORTS),
        public_url=public_origin(wish.public_url),
        keep_days=_whole(wish.keep_days, "serve.keep_days", usual.keep_days, most=MOST_DAYS),
    )
    return server.serve(words, settings, database=wish.database, browser=browser)


def _whole(text: str, code: str, usual: int, *, most: int) -> int:
    """A whole number from 0 to ``most``; the usual one for none."""
    if not text:
        return usual
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) > most:
        raise BadInput(code, value=text[:40], most=most)
    return int(text)
