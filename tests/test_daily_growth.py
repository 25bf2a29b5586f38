"""What a daily costs, however many of its community ask the same at the same hour."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from bare_stage import BareStage
from conversation import Person, pass_time
from daily_story import pass_to, plan
from quizzes import write_banks
from sqlalchemy import Connection, Engine, event, select

from bot.calls import Where
from bot.ports import Refused
from bot.store import people, schedules
from bot.store.schema import outbox, persons

FEW, MANY = 5, 40


class Work:
    """What a database is asked to do: statements, and hundreds of steps of SQLite's machine."""

    def __init__(self) -> None:
        self.statements = 0
        self.steps = 0

    def asked(self, *_: Any) -> None:
        self.statements += 1

    def connected(self, connection: Any, _: Any) -> None:
        driver = getattr(connection, "driver_connection", None)
        own = connection if driver is None else driver._conn
        assert isinstance(own, sqlite3.Connection)
        own.set_progress_handler(self._step, 100)

    def _step(self) -> int:
        self.steps += 1
        return 0


@contextmanager
def counted() -> Iterator[Work]:
    work = Work()
    heard = (("before_cursor_execute", work.asked), ("connect", work.connected))
    for name, listener in heard:
        event.listen(Engine, name, listener)
    yield work
    for name, listener in heard:
        event.remove(Engine, name, listener)


@asynccontextmanager
async def with_dailies(folder: Path, count: int) -> AsyncIterator[BareStage]:
    """A community with so many channels, in each of which a daily asks the same at ten."""
    folder.mkdir()
    stage = BareStage(f"sqlite:///{folder / 'quizbot.db'}", [write_banks(folder / "banks")])
    await stage.start()
    await Person(stage, "Olga", organiser=True).types("/language en")
    now = stage.clock.now()

    def work(connection: Connection) -> None:
        olga = connection.execute(select(persons.c.id)).scalar_one()
        for number in range(count):
            name = f"channel {number}"
            where = Where("bare", "group", name, "Study group", name)
            place = people.ensure_place(connection, where, now)
            what = plan(open_for=timedelta(hours=8))
            schedules.insert_schedule(connection, place, what, set_by=olga, seed="seed", now=now)

    await stage.store.write(work)
    await stage.settle()
    yield stage
    await stage.stop()


async def costs(folder: Path, count: int) -> dict[str, tuple[float, float]]:
    """Of each daily, when it is posted and when it closes: statements and steps."""
    found = {}
    with counted() as work:
        async with with_dailies(folder, count) as stage:
            for what, clock in (("posted", "10:00"), ("closed", "18:01")):
                before = work.statements, work.steps
                await pass_to(stage, clock)
                found[what] = (
                    (work.statements - before[0]) / count,
                    (work.steps - before[1]) / count,
                )
            assert len(stage.surface.posted) == count
            assert sorted(Counter(stage.surface.edits).values()) == [1] * count
    return found


async def test_a_daily_costs_as_much_among_many_as_among_few(tmp_path: Path) -> None:
    few = await costs(tmp_path / "few", FEW)
    many = await costs(tmp_path / "many", MANY)
    for what in ("posted", "closed"):
        statements, steps = (many[what][at] / few[what][at] for at in (0, 1))
        assert statements < 1.1, f"{what}: {few[what]}, {many[what]}"
        assert steps < 2, f"{what}: {few[what]}, {many[what]}"
