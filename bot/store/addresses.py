"""Where the database is: the setting, read."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

_EXAMPLES = "write sqlite:///quizbot.db or postgresql://user:password@host/quizbot."

# A connection that has died without a word is found out within a minute.
_POSTGRES_DEFAULTS = {
    "application_name": "quizbot",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}


class StoreUnavailable(Exception):
    """The database cannot be used: one sentence that says what to do, with no password in it."""


class WrongAddress(StoreUnavailable):
    """The setting itself cannot be right."""


@dataclass(frozen=True, slots=True)
class Address:
    """`shown` may be printed. `file` is None for PostgreSQL."""

    writer: URL = field(repr=False)
    reader: URL = field(repr=False)
    shown: str
    file: Path | None

    @property
    def kind(self) -> Literal["sqlite", "postgresql"]:
        return "postgresql" if self.file is None else "sqlite"


def read_address(url: str) -> Address:
    """Raises WrongAddress."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise WrongAddress(f"QUIZBOT_DATABASE_URL is no address: {_EXAMPLES}") from None
    scheme = parsed.drivername.partition("+")[0]
    if scheme == "sqlite":
        return _sqlite(parsed)
    if scheme == "postgresql":
        return _postgres(parsed)
    raise WrongAddress(f"QUIZBOT_DATABASE_URL begins with an unknown {scheme}: {_EXAMPLES}")


def check_file(address: Address) -> None:
    """Raises StoreUnavailable where no file can be."""
    if address.file is None:
        return
    folder = address.file.parent
    if not folder.is_dir():
        raise StoreUnavailable(
            f"The database file {address.shown} cannot be made: its folder does not exist. "
            "Make it, or name another file in QUIZBOT_DATABASE_URL."
        )
    if address.file.is_dir():
        raise StoreUnavailable(
            f"The database {address.shown} is a folder: name a file in QUIZBOT_DATABASE_URL."
        )
    # SQLite opens what it may only read, and refuses the first write.
    if address.file.exists() and not os.access(address.file, os.R_OK | os.W_OK):
        raise StoreUnavailable(
            f"The database file {address.shown} is read-only: let this user write the file and its "
            "folder."
        )


def _sqlite(parsed: URL) -> Address:
    if not parsed.database or parsed.database == ":memory:" or parsed.host:
        raise WrongAddress(f"QUIZBOT_DATABASE_URL names no file: {_EXAMPLES}")
    if parsed.query:
        raise WrongAddress(f"QUIZBOT_DATABASE_URL has options that mean nothing here: {_EXAMPLES}")
    # Whole, so that a later change of the working directory changes nothing.
    file = Path(parsed.database).absolute()
    return Address(
        writer=URL.create("sqlite+pysqlite", database=str(file)),
        reader=URL.create("sqlite+aiosqlite", database=str(file)),
        shown=str(file),
        file=file,
    )


def _postgres(parsed: URL) -> Address:
    missing = {
        name: value for name, value in _POSTGRES_DEFAULTS.items() if name not in parsed.query
    }
    url = parsed.set(drivername="postgresql+psycopg").update_query_dict(missing)
    host = parsed.host or str(parsed.query.get("host", "")) or "this machine"
    port = "" if parsed.port is None else f":{parsed.port}"
    name = parsed.database or parsed.username or "of this user"
    return Address(writer=url, reader=url, shown=f"{name} at {host}{port}", file=None)
