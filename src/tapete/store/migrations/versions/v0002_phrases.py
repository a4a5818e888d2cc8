"""The hashes of recovery phrases, by which guests of the web table come back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds the table of phrases."""
    op.create_table(
        "phrases",
        sa.Column(
            "person_id",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            sa.ForeignKey("people.id"),
            primary_key=True,
        ),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
    )
