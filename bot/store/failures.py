"""What the outside does to a database, as one sentence that says what to do."""

from __future__ import annotations

import errno
import shutil
import sqlite3

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.store.addresses import Address, StoreUnavailable

# SQLite's result codes, without their extensions: what has rolled the transaction back, or
# will fail every other statement too.
_SQLITE = {
    sqlite3.SQLITE_PERM: "may not be opened: give this user the right to write it",
    sqlite3.SQLITE_BUSY: "is in use by another program: end that one, or try again later",
    sqlite3.SQLITE_LOCKED: "is in use by another program: end that one, or try again later",
    sqlite3.SQLITE_NOMEM: "needs more memory than there is: free some",
    sqlite3.SQLITE_READONLY: "is read-only: let this user write the file and its folder",
    sqlite3.SQLITE_INTERRUPT: "was interrupted: try again",
    sqlite3.SQLITE_IOERR: "could not be read or written: see whether its disk is well",
    sqlite3.SQLITE_CORRUPT: "is damaged: put a copy back in its place",
    sqlite3.SQLITE_FULL: "cannot grow, the disk is full: free some space",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: let this user read and write it and its folder",
    sqlite3.SQLITE_PROTOCOL: "is in use by another program: end that one, or try again later",
    sqlite3.SQLITE_NOTADB: "is not a database of quizbot: name another file",
}

# PostgreSQL's SQLSTATE, whole or its class.
_POSTGRES = {
    "25006": "takes no writes (a standby, or set read-only): connect to the primary",
    "28P01": "refused the password: mend it in QUIZBOT_DATABASE_URL",
    "28": "refused this user: mend the name or password in QUIZBOT_DATABASE_URL",
    "3D000": "has no such database: make it with CREATE DATABASE, or mend its name",
    "42501": "does not let this user do that: give it rights on the database and its schema",
    "53100": "has a full disk: free some space",
    "53300": "takes no more connections: raise max_connections, or run fewer processes",
    "53": "is out of resources: give it more",
    "55P03": "did not get a lock in time: end what holds it (see pg_stat_activity)",
    "40": "found no order for what was done at the same time: try again",
    "57P03": "is starting or stopping: try again in a moment",
    "57": "ended the connection: see whether it was stopped",
    "58": "cannot read or write its files: see its log",
    "08": "is not reached: see whether it runs and whether its host and port are right",
}

_LITTLE = 100_000  # bytes

_POSTGRES_OUTAGES = {"08", "25006", "40", "53", "55P03", "57", "58"}

# A failed connection has no SQLSTATE; libpq says why in words.
_POSTGRES_WORDS = {
    "password authentication failed": "28P01",
    "no password supplied": "28P01",
    "pg_hba.conf": "28",
    "does not exist": "3D000",
    "too many clients": "53300",
    "too many connections": "53300",
    "starting up": "57P03",
    "shutting down": "57P03",
    "permission denied": "42501",
}


def unavailable(error: BaseException, address: Address) -> StoreUnavailable | None:
    """The failure in one sentence, or None where it is not the database's but a bug."""
    if isinstance(error, StoreUnavailable):
        return error
    told = _told(error, address)
    return None if told is None else _because(told, error)


def unopened(error: BaseException, address: Address) -> StoreUnavailable | None:
    """The same while opening, when files and drivers may be missing too."""
    if isinstance(error, OSError):
        return _because(_told_of_file(error, address), error)
    if isinstance(error, ModuleNotFoundError) and error.name in {"psycopg", "psycopg_binary"}:
        return _because(
            "PostgreSQL needs its driver: install psycopg (quizbot's extra: postgres).", error
        )
    return unavailable(error, address)


def _because(told: str, error: BaseException) -> StoreUnavailable:
    failure = StoreUnavailable(told)
    failure.__cause__ = error
    return failure


def is_outage(error: BaseException) -> bool:
    """Whether nothing else of the same transaction can be saved."""
    original = _original(error)
    if isinstance(original, sqlite3.Error):
        return _sqlite_code(original) in _SQLITE
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    state = _state(original)
    return state is not None and (state[:2] in _POSTGRES_OUTAGES or state in _POSTGRES_OUTAGES)


def may_run_again(error: BaseException) -> bool:
    """Whether the same transaction, begun again, can succeed: nothing of it was committed."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return _state(_original(error)) in {"40001", "40P01"}


def _told(error: BaseException, address: Address) -> str | None:
    original = _original(error)
    if isinstance(original, sqlite3.Error):
        code = _sqlite_code(original)
        if code == sqlite3.SQLITE_IOERR and _is_disk_full(address):
            # That there was no room for its shared memory, it calls an error of the disk.
            code = sqlite3.SQLITE_FULL
        what = _SQLITE.get(code)
        return what and f"The database file {address.shown} {what}."
    if isinstance(error, PoolTimeout):
        return f"Too much is read at once from {address.shown}: try again in a moment."
    what = _told_of_postgres(error, original)
    return what and f"The PostgreSQL database {address.shown} {what}."


def _told_of_file(error: OSError, address: Address) -> str:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        code = sqlite3.SQLITE_FULL
    elif error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        code = sqlite3.SQLITE_READONLY
    else:
        code = sqlite3.SQLITE_CANTOPEN
    return f"The database file {address.shown} {_SQLITE[code]}."


def _told_of_postgres(error: BaseException, original: BaseException) -> str | None:
    state = _state(original)
    if state is not None:
        return _POSTGRES.get(state) or _POSTGRES.get(state[:2])
    if not isinstance(error, DBAPIError) and type(original).__module__ != "psycopg":
        return None
    words = str(original)
    for sign, meant in _POSTGRES_WORDS.items():
        if sign in words:
            return _POSTGRES[meant]
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    is_operational = type(original).__name__ in {"OperationalError", "ConnectionTimeout"}
    return _POSTGRES["08"] if lost or is_operational else None


def _is_disk_full(address: Address) -> bool:
    return address.file is not None and shutil.disk_usage(address.file.parent).free < _LITTLE


def _original(error: BaseException) -> BaseException:
    if isinstance(error, DBAPIError) and error.orig is not None:
        return error.orig
    return error


def _sqlite_code(error: sqlite3.Error) -> int:
    # The low byte is the result, the others say more of it. What Python itself refuses has none.
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def _state(error: BaseException) -> str | None:
    state = getattr(error, "sqlstate", None)
    return state if isinstance(state, str) and state else None
