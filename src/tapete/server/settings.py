"""Settings: what a house may choose about its server, each with what holds when it chooses nothing."""

from __future__ import annotations

import math
from typing import Final
from urllib.parse import urlsplit

import msgspec

from tapete.errors import BadInput

MOST_DAYS: Final = 36_500


class Rate(msgspec.Struct, frozen=True):
    """How often something may happen: ``burst`` at once, and ``a_second`` for ever."""

    burst: float
    a_second: float


UNLIMITED: Final = Rate(math.inf, math.inf)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one connection, and what one network address, may ask for."""

    messages: Rate = Rate(60, 20)
    """Messages on one connection to a table."""
    requests: Rate = Rate(120, 20)
    """Pages and files for one address."""
    guests: Rate = Rate(40, 0.1)
    """New guests from one address: an evening with friends behind one router is no flood."""
    tables: Rate = Rate(20, 0.1)
    """Tables opened and rule files checked for one address."""
    phrases: Rate = Rate(10, 0.05)
    """Recovery phrases tried from one address."""
    sockets: int = 100
    """Connections to tables that one address may hold at once."""
    open_tables: int = 1000
    """Tables that may be open at once in the whole house."""


NO_LIMITS: Final = Limits(
    messages=UNLIMITED,
    requests=UNLIMITED,
    guests=UNLIMITED,
    tables=UNLIMITED,
    phrases=UNLIMITED,
    sockets=1_000_000,
    open_tables=1_000_000,
)
"""For measurements, where one machine plays a thousand people."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """One server's settings."""

    host: str = "127.0.0.1"
    port: int = 8021
    public_url: str = ""
    """Where people find this house, as ``https://tapete.example.org``; empty for the address it is bound to."""
    absent_minutes: float = 15
    """So long a seat is held for somebody who is not there."""
    empty_minutes: float = 30
    """So long a table stays open without anybody there."""
    keep_days: int = 365
    """So long the rounds of a closed table are kept."""
    limits: Limits = Limits()

    @property
    def secure(self) -> bool:
        """Whether people come by https, so that cookies may insist on it."""
        return self.public_url.startswith("https://")


def public_origin(url: str) -> str:
    """The origin of a public URL, "" for none. Raises BadInput ``serve.public_url`` for what is no bare origin."""
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadInput("serve.public_url", url=url[:80]) from error
    bare = parts.path in ("", "/") and not (parts.query or parts.fragment or parts.username)
    if parts.scheme not in ("http", "https") or not parts.hostname or not bare or not parts.hostname.isascii():
        raise BadInput("serve.public_url", url=url[:80])
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + (f":{port}" if port and port != usual else "")
