"""The log and the ledger, as they were before there were migrations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Makes all tables of version 1, empty but for the accounts that belong to nobody."""
    op.create_table("schema_version", sa.Column("version", sa.Integer, primary_key=True))
    op.execute("INSERT INTO schema_version (version) VALUES (1)")
    _people_and_tables()
    _ledger()
    _logs()
    op.execute("INSERT INTO accounts (name, kind, seated, balance) VALUES ('bank', 'bank', false, 0)")
    op.execute("INSERT INTO accounts (name, kind, seated, balance) VALUES ('issuance', 'issuance', false, 0)")


def _people_and_tables() -> None:
    op.create_table(
        "people",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("key", sa.String(800), nullable=False, unique=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("config", sa.LargeBinary, nullable=False),
        sa.Column("is_open", sa.Boolean, nullable=False, index=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def _ledger() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("name", sa.String(60), nullable=False, unique=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("person_id", _ID, sa.ForeignKey("people.id"), index=True),
        sa.Column("table_id", _ID, sa.ForeignKey("tables.id"), index=True),
        sa.Column("seated", sa.Boolean, nullable=False),
        sa.Column("balance", sa.BigInteger, nullable=False),
        sa.CheckConstraint("kind IN ('person', 'rack', 'bank', 'issuance')", name="account_kind"),
        sa.CheckConstraint("balance >= 0 OR kind IN ('bank', 'issuance')", name="account_not_overdrawn"),
    )
    op.create_table(
        "transfers",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("why", sa.String(40), nullable=False),
        sa.Column("table_id", _ID, sa.ForeignKey("tables.id"), index=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("account_id", _ID, sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("transfer_id", _ID, sa.ForeignKey("transfers.id"), primary_key=True),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("balance", sa.BigInteger, nullable=False),
    )
    op.create_index("entries_of_transfer", "entries", ["transfer_id"])


def _logs() -> None:
    op.create_table(
        "events",
        sa.Column("table_id", _ID, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True),
        sa.Column("payload", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "rounds",
        sa.Column("table_id", _ID, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "shoes",
        sa.Column("id", sa.String(100), primary_key=True),
        sa.Column("table_id", _ID, sa.ForeignKey("tables.id"), nullable=False, index=True),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("revealed", sa.Boolean, nullable=False),
    )
