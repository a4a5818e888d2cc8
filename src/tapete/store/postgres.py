"""PostgreSQL as the store uses it: its address, the settings of a session, what its faults mean.

``synchronous_commit`` makes every commit wait until the server's disk has it. A write begins with an advisory lock, so
that programs which share a database queue for their turn, as they do with SQLite: nothing has to be tried twice, and no
two transactions can wait for each other. Reading sees one state from beginning to end and waits for nobody.

A program keeps one session for writing (its locks are its claims, see ``tapete.store.sessions``). A pooler between
the program and the server has to give it one too: PgBouncer with ``pool_mode=session``, or none.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tapete.errors import BadInput
from tapete.store.database import Database, prepare
from tapete.store.link import BEGIN_OPTION, READ, WRITE, Fault, Link, StoreError
from tapete.store.sessions import SPACE, WRITER, SessionClaims

DRIVER: Final = "postgresql+psycopg"
_SCHEMES: Final = ("postgresql", "postgres", DRIVER)
_BEGIN: Final = {
    READ: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    WRITE: f"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock({SPACE}, {WRITER})",
}
_CODES: Final = (
    ("53100", "data.full"),
    ("53300", "store.busy"),  # too many connections
    ("55P03", "store.busy"),  # waited too long for a lock
    ("57014", "store.busy"),  # took longer than the server allows
    ("40", "store.busy"),  # undone in favour of another transaction
    ("25006", "data.readonly"),
    ("28", "store.no_access"),
    ("42501", "store.no_access"),
    ("XX001", "store.corrupt"),
    ("XX002", "store.corrupt"),
    ("57P", "store.unreachable"),  # shut down or starting
    ("08", "store.unreachable"),
)
"""Codes by the beginning of SQLSTATE, the first that fits."""
_NO_ACCESS: Final = re.compile(r"authentication failed|no password supplied|no pg_hba\.conf entry|is not permitted")
"""While connecting the driver knows no SQLSTATE, only the words of an English server."""


def open_database(url: str, *, patience: float) -> Database:
    """The database at ``url``, its schema put in place if it is new.

    ``patience`` is how many seconds to wait for the server or for another program's turn. Raises BadInput
    ``store.url`` or ``store.no_driver``, StoreError ``store.unreachable``, ``store.no_access`` and as SQLite.
    """
    address = _address(url)
    meaning = partial(fault, name=_name(address), hidden=_secrets(address))
    reader = _engine(address, patience=patience, size=5, more=20)
    writer = _engine(address, patience=patience, size=1, more=0)
    claims = SessionClaims(writer)
    database = Database(_name(address), reader, writer, meaning, claims, is_sound)
    prepare(database)
    return database


def _address(url: str) -> URL:
    """What the text means. No part of it is in the error: it may hold a password."""
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        raise BadInput("store.url", allowed=f"{_SCHEMES[0]}://") from None
    if address.drivername not in _SCHEMES:
        raise BadInput("store.url", allowed=f"{_SCHEMES[0]}://")
    return address.set(drivername=DRIVER)


def _name(address: URL) -> str:
    """The address without anything that is nobody's business."""
    return URL.create("postgresql", host=address.host, port=address.port, database=address.database).render_as_string()


def _secrets(address: URL) -> tuple[str, ...]:
    found = [address.password, *(value for key, value in address.query.items() if "password" in key)]
    return tuple(str(one) for one in found if one)


def _engine(address: URL, *, patience: float, size: int, more: int) -> Engine:
    try:
        engine = create_engine(
            address,
            connect_args=_connecting(address, patience=patience),
            pool_size=size,
            max_overflow=more,
            pool_timeout=max(patience, 1),
            pool_pre_ping=True,  # a server that was started anew is no reason to refuse anybody
            hide_parameters=True,  # an error must not print a secret
            execution_options={BEGIN_OPTION: _BEGIN},
        )
    except ModuleNotFoundError as error:
        raise BadInput("store.no_driver", missing=error.name) from error
    event.listen(engine, "connect", partial(_set_up, patience=patience))
    return engine


def _connecting(address: URL, *, patience: float) -> dict[str, object]:
    """How to connect, where the address does not say otherwise."""
    wanted: dict[str, object] = {
        "connect_timeout": max(2, round(patience)),
        "application_name": "tapete",
        "client_encoding": "utf8",
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 20_000,
    }
    return {"autocommit": True, **{key: value for key, value in wanted.items() if key not in address.query}}


def _set_up(connection: Any, _record: object, *, patience: float) -> None:
    """The server notices within seconds that this machine is gone, and gives its tables free."""
    connection.execute(
        f"SET synchronous_commit = on; SET lock_timeout = {max(1, round(1000 * patience))};"
        "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;"
        "SET tcp_user_timeout = 20000"
    )


def fault(error: Fault, *, name: str, hidden: tuple[str, ...] = ()) -> StoreError:
    """What a fault of the database called ``name`` means; the texts in ``hidden`` are not in it."""
    if isinstance(error, PoolTimeout):
        return StoreError("store.busy", path=name)
    if not isinstance(error, DBAPIError):
        return StoreError("store.failed", path=name, reason=str(error))
    state = getattr(error.orig, "sqlstate", None) or ""
    reason = _reason(error, hidden)
    for beginning, code in _CODES:
        if state.startswith(beginning):
            return StoreError(code, path=name, **_told(code, reason))
    if not state and (error.connection_invalidated or _is_connecting(error)):
        code = "store.no_access" if _NO_ACCESS.search(reason) else "store.unreachable"
        return StoreError(code, path=name, reason=reason)
    return StoreError("store.failed", path=name, reason=reason)


def _told(code: str, reason: str) -> dict[str, object]:
    return {"reason": reason} if code in ("store.unreachable", "store.no_access") else {}


def _is_connecting(error: DBAPIError) -> bool:
    return type(error.orig).__name__ in ("OperationalError", "ConnectionTimeout", "InterfaceError")


def _reason(error: DBAPIError, hidden: tuple[str, ...]) -> str:
    """The server's first sentence; the others may quote a row, and a row may hold a secret."""
    told = getattr(getattr(error.orig, "diag", None), "message_primary", None) or str(error.orig)
    reason = " ".join(told.splitlines()[:1])[:300]
    for secret in hidden:
        reason = reason.replace(secret, "***")
    return reason


def is_sound(link: Link) -> bool:
    """Whether the server keeps checksums and has found no fault by them; it checks each page that it reads."""
    row = link.ask(
        lambda connection: connection.exec_driver_sql(
            "SELECT coalesce(checksum_failures, 0) FROM pg_stat_database WHERE datname = current_database()"
        ).first()
    )
    return row is None or row[0] == 0
