"""What Alembic runs: it works on the connection, and in the transaction, that it is given."""

from __future__ import annotations

from alembic import context

from bot.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # Also on SQLite: an upgrade is there as a whole or not at all.
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
