"""An answer costs the same however many there are: SQLite finds all that it needs by an index."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine
from store_world import add_place, add_step, draft, opened

from bot.store.store import Store

pytest_plugins = ["store_databases"]

GROWING = {
    "attempts", "marks", "occurrences", "outbox", "persons", "players", "question_versions",
    "rounds", "steps", "timers", "totals",
}  # fmt: skip


@pytest.fixture
async def store(sqlite_url: str) -> AsyncIterator[Store]:
    async with opened(sqlite_url) as store:
        yield store


@pytest.mark.parametrize("mode", ["live", "open", "solo"])
async def test_no_table_is_gone_through_to_take_an_answer(store: Store, tmp_path: Path, mode: str):
    said: dict[str, Any] = {}

    def note(_: Any, __: Any, statement: str, parameters: Any, ___: Any, many: bool) -> None:
        said[statement] = parameters[0] if many else parameters

    step = await store.write(lambda c: add_step(c, add_place(c), mode=mode, day=None))
    event.listen(Engine, "before_cursor_execute", note)
    try:
        await store.record(draft(step))
        await store.record(draft(step, "ben"))
        await store.record(draft(step, answer="b", after=2))
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert any("INSERT INTO attempts" in statement for statement in said)
    assert walked(tmp_path / "quiz.db", said) == {}


def walked(file: Path, said: dict[str, Any]) -> dict[str, list[str]]:
    """The statements that go through a growing table from end to end, with SQLite's plan."""
    found = {}
    connection = sqlite3.connect(file)
    for statement, parameters in said.items():
        rows = connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
        plan = [row[3] for row in rows]
        if any(line.startswith("SCAN") and line.split()[1] in GROWING for line in plan):
            found[statement] = plan
    connection.close()
    return found
