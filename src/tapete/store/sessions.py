"""Claims in PostgreSQL: advisory locks of the session that writes.

PostgreSQL takes a session's locks back when its program or its connection dies. The claims lie with the one session
through which this program writes, so that nothing can be written without them: should the connection break, a
transaction that was under way is undone, and the new session takes the locks again, one by one as they are needed. If
another program was faster, the table is no longer held.
"""

from __future__ import annotations

import contextlib
from typing import Final

from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from tapete.errors import Refused
from tapete.store.link import Link

SPACE: Final = 0x7A9E7E
"""The first key of all advisory locks of Tapete; the second is a table, or WRITER."""
WRITER: Final = 0
"""Whose turn it is to write, among all programs that use the database."""

_TAKE: Final = text(f"SELECT pg_try_advisory_lock({SPACE}, :table)")
_DROP: Final = text(f"SELECT pg_advisory_unlock({SPACE}, :table)")
_HELD: Final = text(
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    f" AND classid = {SPACE} AND objid = CAST(:table AS oid)"
)


class SessionClaims:
    """The tables that this program holds, by locks of the one session of ``writer``."""

    def __init__(self, writer: Engine) -> None:
        self._writer = writer
        self._held: dict[int, object] = {}
        self._dropped: dict[int, object] = {}

    def need(self, link: Link, table: int) -> None:
        """See :class:`tapete.store.claims.Claims`."""
        if table not in self._held:
            raise Refused("store.table_not_held", table=table)
        if self._held[table] is not link.session:  # the old session broke, and its locks with it
            self._lock(link, table)

    def take(self, link: Link, table: int) -> None:
        """See :class:`tapete.store.claims.Claims`."""
        if self._held.get(table) is not link.session:
            self._lock(link, table)

    def is_free(self, link: Link, table: int) -> bool:
        """See :class:`tapete.store.claims.Claims`."""
        return table not in self._held and link.row(_HELD.bindparams(table=table)) is None

    def drop(self, table: int) -> None:
        """See :class:`tapete.store.claims.Claims`."""
        session = self._held.pop(table, None)
        if session is not None:
            self._dropped[table] = session

    def settle(self) -> None:
        """See :class:`tapete.store.claims.Claims`. What fails now is done next time, or by the end of the session."""
        if not self._dropped:
            return
        with contextlib.suppress(SQLAlchemyError), self._writer.connect() as connection, connection.begin():
            mine = connection.connection.dbapi_connection
            for table, session in list(self._dropped.items()):
                if session is mine:
                    connection.execute(_DROP.bindparams(table=table))
                del self._dropped[table]

    def drop_all(self) -> None:
        """See :class:`tapete.store.claims.Claims`. The end of the session gives up the locks."""
        self._held.clear()
        self._dropped.clear()

    def _lock(self, link: Link, table: int) -> None:
        if self._dropped.get(table) is link.session:  # still locked: never given up in earnest
            self._held[table] = self._dropped.pop(table)
            return
        row = link.row(_TAKE.bindparams(table=table))
        if row is None or not row[0]:
            self._held.pop(table, None)
            raise Refused("store.table_in_use", table=table)
        self._held[table] = link.session
