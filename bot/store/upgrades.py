"""The schema made today's, whole or not at all; on SQLite after a copy."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect, text

from bot.store import engines
from bot.store.addresses import Address, StoreUnavailable, check_file
from bot.store.engines import upgrade_engine
from bot.store.failures import unopened

MIGRATIONS = Path(__file__).with_name("migrations")

_VERSION_TABLE = "alembic_version"
_LEAST_SQLITE = (3, 35)  # RETURNING
# Any number that other programs are unlikely to lock: one process upgrades, the others wait.
_UPGRADING = 7_149_003_112


def upgrade(address: Address) -> None:
    """Raises StoreUnavailable."""
    if address.kind == "sqlite" and sqlite3.sqlite_version_info < _LEAST_SQLITE:
        raise StoreUnavailable(
            f"SQLite {sqlite3.sqlite_version} is too old: run quizbot with a Python that brings "
            f"{'.'.join(map(str, _LEAST_SQLITE))} or newer."
        )
    try:
        check_file(address)
        check_ours(address)
        engine = upgrade_engine(address)
        try:
            _upgrade(address, engine)
        finally:
            engine.dispose()
    except Exception as error:
        failure = unopened(error, address)
        if failure is None:
            raise
        raise failure from error


def upgrade_in(connection: Connection, revision: str = "head") -> None:
    """Run the migrations inside the transaction of this connection."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def head() -> str:
    """The revision that this program knows as the last."""
    revision = ScriptDirectory.from_config(_config()).get_current_head()
    assert revision is not None
    return revision


def check_ours(address: Address) -> None:
    """Before a connection of ours changes how the file is written.

    Raises StoreUnavailable for another program's, and what the driver raises.
    """
    if address.file is None or not address.file.exists():
        return
    with closing(sqlite3.connect(address.file, timeout=engines.BUSY_SECONDS)) as connection:
        query = "SELECT name FROM sqlite_schema WHERE type = 'table'"
        tables = {str(name) for (name,) in connection.execute(query)}
    if tables and _VERSION_TABLE not in tables:
        raise StoreUnavailable(
            f"The database file {address.shown} is another program's: name another file."
        )


def revision_of(connection: Connection, address: Address) -> str | None:
    """Where the database stands; None for an empty one.

    Raises StoreUnavailable for one of a newer version.
    """
    if _VERSION_TABLE not in inspect(connection).get_table_names():
        return None
    revision = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if revision is not None and revision not in known:
        raise StoreUnavailable(
            f"The database {address.shown} was written by a newer quizbot: install that one again, "
            "or put back a copy from before."
        )
    return revision


def _upgrade(address: Address, engine: Engine) -> None:
    with engine.begin() as connection:
        if address.kind == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_UPGRADING})"))
        revision = revision_of(connection, address)
        if revision == head():
            return
        if address.file is not None and revision is not None:
            # The write lock is held from here to the commit: the copy misses nothing.
            _copy(address.file, address.file.with_suffix(f".before-{head()}.db"))
        upgrade_in(connection)
        _check_references(connection)


def _check_references(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        broken = connection.execute(text("PRAGMA foreign_key_check")).first()
        if broken is not None:
            raise RuntimeError(f"the upgrade left a reference to nothing: {broken}")


def _copy(file: Path, copy: Path) -> None:
    """Through a file of another name, so that a copy is never half."""
    unfinished = copy.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(file)) as here, closing(sqlite3.connect(unfinished)) as there:
            here.backup(there)
        unfinished.replace(copy)
    finally:
        unfinished.unlink(missing_ok=True)


def _config() -> Config:
    config = Config()
    # The configuration's own language gives % a meaning.
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config
