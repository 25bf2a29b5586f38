"""The schema and the migrations say the same."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine, text

from bot.store.addresses import read_address
from bot.store.schema import metadata
from bot.store.upgrades import upgrade

pytest_plugins = ["store_databases"]

Facts = set[tuple[object, ...]]


def facts_of_sqlite(file: Path) -> Facts:
    """Everything that a database says of its tables, in no order."""
    with closing(sqlite3.connect(file)) as connection:
        tables = [
            (name, "AUTOINCREMENT" in statement, "WITHOUT ROWID" in statement)
            for name, statement in connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
            )
            if name not in {"alembic_version", "sqlite_sequence"}
        ]
        facts: Facts = {("table", *table) for table in tables}
        for name, *_ in tables:
            for kind in ("table_xinfo", "foreign_key_list", "index_list"):
                # The first number of a row is only its place in the list.
                rows = connection.execute(f"PRAGMA {kind}({name})").fetchall()
                facts |= {(kind, name, *row[1:]) for row in rows}
        facts -= {fact for fact in facts if str(fact[2]).startswith("sqlite_autoindex")}
        indexes = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index'")
        facts |= {("index", name, _plain(statement)) for name, statement in indexes if statement}
        uniques = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql LIKE '%UNIQUE%'"
        )
        facts |= {
            ("unique", name, _plain(line))
            for name, statement in uniques
            if name != "alembic_version"
            for line in statement.splitlines()
            if "UNIQUE" in line
        }
    return facts


def _plain(statement: str) -> str:
    return " ".join(statement.replace('"', "").split()).rstrip(" ,)")


def facts_of_postgres(connection: psycopg.Connection, schema: str) -> Facts:
    columns = (
        "SELECT 'column', table_name, column_name, data_type, is_nullable, column_default"
        " FROM information_schema.columns WHERE table_schema = %s"
    )
    indexes = "SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = %s"
    constraints = (
        "SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)"
        " FROM pg_constraint WHERE connamespace = %s::regnamespace"
    )
    found: Iterable[tuple[object, ...]] = (
        row
        for query in (columns, indexes, constraints)
        for row in connection.execute(query.encode(), [schema])
    )
    cleaned = {tuple(str(value).replace(f"{schema}.", "") for value in row) for row in found}
    return {row for row in cleaned if "alembic_version" not in row[1]}


def test_on_sqlite_the_schema_is_the_sum_of_the_migrations(tmp_path):
    upgrade(read_address(f"sqlite:///{tmp_path}/migrated.db"))
    engine = create_engine(f"sqlite:///{tmp_path}/plain.db")
    metadata.create_all(engine)
    engine.dispose()
    migrated = facts_of_sqlite(tmp_path / "migrated.db")
    assert migrated == facts_of_sqlite(tmp_path / "plain.db")
    assert len(migrated) > 100


def test_on_postgresql_the_schema_is_the_sum_of_the_migrations(postgres_url):
    address = read_address(postgres_url)
    upgrade(address)
    engine = create_engine(address.writer)
    with engine.begin() as connection:
        connection.execute(text("CREATE SCHEMA plain"))
        connection.execute(text("SET LOCAL search_path TO plain"))
        metadata.create_all(connection)
    engine.dispose()
    with psycopg.connect(postgres_url) as connection:
        migrated = facts_of_postgres(connection, "public")
        assert migrated == facts_of_postgres(connection, "plain")
        assert len(migrated) > 100


@pytest.mark.parametrize("table", metadata.sorted_tables, ids=lambda table: table.name)
def test_every_name_fits_into_what_postgresql_takes(table):
    names = [table.name, *(constraint.name for constraint in table.constraints)]
    names += [index.name for index in table.indexes]
    assert all(len(str(name)) < 64 for name in names)
