"""The schema, in types that SQLite and PostgreSQL share. Amounts are units; times are seconds since 1970, UTC."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

VERSION: Final = 2
"""The version of this schema. A database of a newer one is refused."""


def revision(version: int) -> str:
    """What Alembic calls that version of the schema."""
    return f"{version:04}"


metadata: Final = MetaData()
_ID: Final = BigInteger().with_variant(Integer, "sqlite")  # only INTEGER counts up by itself in SQLite

migration: Final = Table(  # as Alembic keeps it, so that it can take over from here
    "alembic_version",
    metadata,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)

schema_version: Final = Table("schema_version", metadata, Column("version", Integer, primary_key=True))

people: Final = Table(
    "people",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("name", String(40), nullable=False),
    Column("key", String(800), nullable=False, unique=True),  # the name without case: who is the same person
    Column("at", BigInteger, nullable=False),
)

tables: Final = Table(
    "tables",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("config", LargeBinary, nullable=False),
    Column("is_open", Boolean, nullable=False, index=True),
    Column("at", BigInteger, nullable=False),
)

accounts: Final = Table(
    "accounts",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("name", String(60), nullable=False, unique=True),
    Column("kind", String(10), nullable=False),
    Column("person_id", _ID, ForeignKey("people.id"), index=True),
    Column("table_id", _ID, ForeignKey("tables.id"), index=True),
    Column("seated", Boolean, nullable=False, default=False),  # a rack in use, even if all its chips are on the felt
    Column("balance", BigInteger, nullable=False, default=0),
    CheckConstraint("kind IN ('person', 'rack', 'bank', 'issuance')", name="account_kind"),
    CheckConstraint("balance >= 0 OR kind IN ('bank', 'issuance')", name="account_not_overdrawn"),
)

transfers: Final = Table(
    "transfers",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("why", String(40), nullable=False),
    Column("table_id", _ID, ForeignKey("tables.id"), index=True),
    Column("at", BigInteger, nullable=False),
)

entries: Final = Table(
    "entries",
    metadata,
    Column("account_id", _ID, ForeignKey("accounts.id"), primary_key=True),
    Column("transfer_id", _ID, ForeignKey("transfers.id"), primary_key=True),
    Column("amount", BigInteger, nullable=False),
    Column("balance", BigInteger, nullable=False),  # of the account, after this entry
    Index("entries_of_transfer", "transfer_id"),
)

events: Final = Table(
    "events",
    metadata,
    Column("table_id", _ID, ForeignKey("tables.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True),  # 1, 2, 3 …
    Column("payload", LargeBinary, nullable=False),
)

rounds: Final = Table(
    "rounds",
    metadata,
    Column("table_id", _ID, ForeignKey("tables.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("text", Text, nullable=False),
)

shoes: Final = Table(
    "shoes",
    metadata,
    Column("id", String(100), primary_key=True),
    Column("table_id", _ID, ForeignKey("tables.id"), nullable=False, index=True),
    Column("secret", LargeBinary, nullable=False),
    Column("revealed", Boolean, nullable=False, default=False),
)

phrases: Final = Table(
    "phrases",
    metadata,
    Column("person_id", _ID, ForeignKey("people.id"), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),  # of a recovery phrase, which itself is kept nowhere
)
