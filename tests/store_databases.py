"""Fixtures: an empty database of each kind, with today's schema once it is opened."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from prepared import prepare
from psycopg import sql
from store_world import empty

from bot.store.addresses import read_address
from bot.store.upgrades import upgrade


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/quiz.db"


@pytest.fixture(scope="session")
def emptied_database(postgres_server: str) -> str:
    """A PostgreSQL database for many tests: making one takes longer than most of them."""
    name = f"emptied_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} STRATEGY file_copy").format(sql.Identifier(name))
        )
    url = postgres_server.replace("/postgres?", f"/{name}?")
    upgrade(read_address(url))
    return url


@pytest.fixture
def emptied_url(emptied_database: str) -> Iterator[str]:
    """The address of a PostgreSQL database with empty tables; ids go on from test to test."""
    yield emptied_database
    empty(emptied_database)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Each kind in turn."""
    name = "sqlite_url" if request.param == "sqlite" else "emptied_url"
    url = str(request.getfixturevalue(name))
    prepare(url)
    return url
