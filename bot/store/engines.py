"""Connections as the writer, the readers and the upgrade need them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, NullPool, create_engine, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store import errands
from bot.store.addresses import Address

READERS = 4
BUSY_SECONDS = 5
_LOCK_TIMEOUT = "10s"


def writer_engine(address: Address) -> Engine:
    """One connection, kept; on SQLite it takes the write lock when a transaction begins."""
    if address.kind == "postgresql":
        engine = create_engine(address.writer, pool_size=1, max_overflow=0)
        event.listen(engine, "connect", _limit_waiting)
        return engine
    engine = create_engine(
        address.writer,
        pool_size=1,
        max_overflow=0,
        # None: the transactions are ours to begin, Python's driver begins none of its own.
        connect_args={"isolation_level": None, "timeout": BUSY_SECONDS},
    )
    event.listen(engine, "connect", _keep_safe)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def upgrade_engine(address: Address) -> Engine:
    """As the writer's, kept for nothing else, and with foreign keys not watched on SQLite.

    A table that is built anew there is dropped for a moment with all that refers to it.
    """
    if address.kind == "postgresql":
        return create_engine(address.writer, poolclass=NullPool)
    engine = create_engine(
        address.writer,
        poolclass=NullPool,
        connect_args={"isolation_level": None, "timeout": BUSY_SECONDS},
    )
    event.listen(engine, "connect", _keep_durable)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def reader_engine(address: Address) -> AsyncEngine:
    """A few connections that cannot write; a transaction sees one state of the database."""
    if address.kind == "postgresql":
        return create_async_engine(
            address.reader,
            pool_size=READERS,
            max_overflow=0,
            # One that died while it lay idle is replaced before somebody's question is lost.
            pool_pre_ping=True,
            isolation_level="REPEATABLE READ",
            execution_options={"postgresql_readonly": True},
        )
    engine = create_async_engine(
        address.reader,
        pool_size=READERS,
        max_overflow=0,
        connect_args={
            "isolation_level": None,
            "timeout": BUSY_SECONDS,
            "async_creator_fn": errands.connect,
        },
    )
    event.listen(engine.sync_engine, "connect", _only_read)
    # Plain: a reader that took the write lock would make the others wait.
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _keep_safe(connection: Any, _: object) -> None:
    _keep_durable(connection, _)
    _run(connection, "PRAGMA foreign_keys = ON")


def _keep_durable(connection: Any, _: object) -> None:
    _run(connection, "PRAGMA journal_mode = WAL")
    # A commit returns when it would survive a power cut: only then is anybody told.
    _run(connection, "PRAGMA synchronous = FULL")
    # What a long reader made grow is given back.
    _run(connection, "PRAGMA journal_size_limit = 67108864")


def _only_read(connection: Any, _: object) -> None:
    _run(connection, "PRAGMA query_only = ON")


def _limit_waiting(connection: Any, _: object) -> None:
    _run(connection, f"SET lock_timeout = '{_LOCK_TIMEOUT}'")
    connection.commit()


def _run(connection: Any, statement: str) -> None:
    cursor = connection.cursor()
    try:
        cursor.execute(statement)
    finally:
        cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")
