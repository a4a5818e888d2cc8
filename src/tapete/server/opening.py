"""Opening: from the words of a command line to a running server, without which the rest of Tapete works as well."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

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


def serve(words: Words, *, host: str, port: str, public_url: str, browser: bool) -> int:
    """Keeps the web table open. Raises BadInput for options that do not read, or a part that is not installed."""
    number = _port(port)
    missing = tuple(name for name in NEEDED if find_spec(name) is None)
    if missing:
        raise BadInput("serve.not_installed", missing=missing)
    from tapete.server import serve as server  # noqa: PLC0415  (needs all of those)
    from tapete.server.settings import Settings  # noqa: PLC0415

    return server.serve(words, Settings(host=host, port=number, public_url=public_url), browser=browser)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 5 or int(text) > MOST_PORTS:
        raise BadInput("serve.port", value=text[:40], most=MOST_PORTS)
    return int(text)
