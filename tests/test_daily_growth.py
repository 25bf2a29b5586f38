"""What a daily costs, however many of its community ask the same at the same hour."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from bare_stage import BareStage
from conversation import Person, pass_time
from daily_story import pass_to, plan
from quizzes import write_banks
from sqlalchemy import Connection, Engine, event, select

from bot.calls import Where
from bot.ports import Later, Posted
from bot.store import people, schedules
from bot.store.schema import persons

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
    banks = write_banks(folder / "banks")
    stage = BareStage(f"sqlite:///{folder / 'quizbot.db'}", [banks])
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


async def test_when_many_close_at_once_each_board_follows_once_and_after_the_answers(
    tmp_path: Path,
) -> None:
    async with with_dailies(tmp_path / "some", 6) as stage:
        await pass_to(stage, "10:00")
        dailies = set(stage.surface.posted)
        for number in range(6):
            olga = Person(stage.beside(f"channel {number}"), "Olga", organiser=True)
            await olga.types("/leaderboard everywhere")
            await olga.presses_told("Keep it in the channel")
        boards = set(stage.surface.posted) - dailies
        assert len(boards) == 6
        await pass_to(stage, "17:59")
        stage.surface.edits.clear()
        await pass_to(stage, "18:00", seconds=3)
        await pass_time(stage, 660)
        assert set(stage.surface.edits[:6]) == dailies
        assert sorted(stage.surface.edits[6:]) == sorted(boards)


async def test_a_board_whose_change_had_to_wait_rests_ten_minutes_from_then_on(
    tmp_path: Path,
) -> None:
    async with with_dailies(tmp_path / "one", 1) as stage:
        here = stage.beside("channel 0")
        olga, ana = Person(here, "Olga", organiser=True), Person(here, "Ana")
        await pass_to(stage, "10:00")
        question = next(post for post in await stage.channel() if post.options)
        await olga.types("/leaderboard")
        await olga.presses_told("Keep it in the channel")
        [board] = set(stage.surface.posted) - {question.id}
        await pass_time(stage, 660)
        # The count of answers goes first, then the board is told to wait.
        stage.surface.edit_answers += [Posted(question.id, stage.clock.now()), Later(900)]
        await olga.answers("22", on=question)
        await pass_time(stage, 890)
        assert board not in stage.surface.edits
        await pass_time(stage, 30)
        await ana.answers("22", on=question)
        await pass_time(stage, 560)
        assert stage.surface.edits.count(board) == 1
        await pass_time(stage, 60)
        assert stage.surface.edits.count(board) == 2
