"""What Alembic runs to find the database: the connection that :func:`tapete.store.migrations.upgrade` hands over."""

from __future__ import annotations

from alembic import context

from tapete.store.schema import metadata, migration


def run() -> None:
    """Run the migrations, in the transaction that is open."""
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, target_metadata=metadata, version_table=migration.name)
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # so Alembic calls it; whoever else imports this module starts nothing
    run()
