"""What is done all the time costs the same however much is stored: SQLite does it by indexes."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine
from store_world import NOON, add_place, add_step, draft, opened

from bot.store import outbox, rounds, timers
from bot.store.due import next_due
from bot.store.store import Store

pytest_plugins = ["store_databases"]

GROWING = {
    "attempts", "marks", "occurrences", "outbox", "persons", "players", "question_versions",
    "rounds", "steps", "timers", "totals",
}  # fmt: skip

# The only rows in these are those that are still to be seen to.
OF_WHAT_WAITS = ("ix_timers_due", "ix_outbox_due", "one_live_round_in_a_place")


@pytest.fixture
async def store(sqlite_url: str) -> AsyncIterator[Store]:
    async with opened(sqlite_url) as store:
        yield store


@pytest.mark.parametrize("mode", ["live", "open", "solo"])
async def test_no_table_is_gone_through_to_take_an_answer(store: Store, tmp_path: Path, mode: str):
    step = await store.write(lambda c: add_step(c, add_place(c), mode=mode, day=None))
    with listening() as said:
        await store.record(draft(step))
        await store.record(draft(step, "ben"))
        await store.record(draft(step, answer="b", after=2))
    assert any("INSERT INTO attempts" in statement for statement in said)
    assert walked(tmp_path / "quiz.db", said) == {}


async def test_no_table_is_gone_through_to_look_for_what_is_due(store: Store, tmp_path: Path):
    here = {"local", "slack"}

    def put_and_claim(connection: Any) -> int:
        outbox.enqueue(connection, "result", add_place(connection), due_at=NOON, nonce="1")
        claimed = outbox.claim(connection, here, NOON, "me", {7, 8})
        outbox.stale_claims(connection, here, NOON, {7, 8})
        timers.due_timers(connection, NOON)
        return len(claimed)

    with listening() as said:
        assert await store.write(put_and_claim) == 1
        await store.read(lambda c: c.run_sync(next_due, here, {7, 8}))
    assert walked(tmp_path / "quiz.db", said) == {}


async def test_no_table_is_gone_through_to_find_what_stood_open_when_it_stopped(
    store: Store, tmp_path: Path
):
    step = await store.write(lambda c: add_step(c, add_place(c), day=None))
    with listening() as said:
        found = await store.write(rounds.open_live_steps)
    assert [one.id for one in found] == [step.id]
    assert walked(tmp_path / "quiz.db", said) == {}


@contextmanager
def listening() -> Iterator[dict[str, Any]]:
    """Every statement that is made meanwhile, with the parameters of one time."""
    said: dict[str, Any] = {}

    def note(_: Any, __: Any, statement: str, parameters: Any, ___: Any, many: bool) -> None:
        said[statement] = parameters[0] if many else parameters

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield said
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def walked(file: Path, said: dict[str, Any]) -> dict[str, list[str]]:
    """The statements that go through a growing table from end to end, with SQLite's plan."""
    found = {}
    connection = sqlite3.connect(file)
    for statement, parameters in said.items():
        rows = connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
        plan = [row[3] for row in rows]
        if any(map(_is_walk, plan)):
            found[statement] = plan
    connection.close()
    return found


def _is_walk(line: str) -> bool:
    is_growing = line.startswith("SCAN") and line.split()[1] in GROWING
    return is_growing and not line.endswith(OF_WHAT_WAITS)
