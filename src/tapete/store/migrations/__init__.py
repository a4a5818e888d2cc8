"""Migrations: how the schema of each version became the next one; Alembic runs them when an older database is opened.

A new version is made in three steps: raise ``schema.VERSION``, change ``schema.py``, and add ``versions/vNNNN_….py``
that does the same to a database with people in it. The tests hold both ways against each other, on SQLite and
PostgreSQL.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def upgrade(connection: Connection, *, to: str = "head") -> None:
    """Bring the database up to that revision, within the transaction in which ``connection`` is."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)
