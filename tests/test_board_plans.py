"""A board's page, one's own rank and one's progress are found by indexes, however many answered.

Not in seconds, which say more of the machine: the plans of SQLite are read, and none goes through
a table of which there are more with each answer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from bare_stage import BareStage
from conversation import Person, newest_question, pass_time
from past_dailies import DAY, daily, today
from quizzes import right, write_banks
from sqlalchemy import event, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.state import Period
from bot.store import boards, occasions, progress, streaks
from bot.store.boards import Board
from bot.store.due import next_due
from bot.store.schema import attempts, steps

# What there is more of with each answer, question or person.
GROWING = (
    "attempts",
    "marks",
    "totals",
    "steps",
    "rounds",
    "players",
    "persons",
    "outbox",
    "occasions",
)

Work = Callable[[AsyncConnection], Awaitable[object]]


class Plans:
    """Runs work on a store, and keeps how SQLite went about each of its queries."""

    def __init__(self, stage: BareStage, file: Path) -> None:
        self._stage = stage
        self._file = file
        self.lines: list[str] = []

    async def of(self, work: Work) -> list[str]:
        asked: list[tuple[str, Any]] = []

        async def listened(connection: AsyncConnection) -> None:
            raw = connection.sync_connection
            assert raw is not None

            def note(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
                asked.append((statement, parameters))

            event.listen(raw, "before_cursor_execute", note)
            await work(connection)
            event.remove(raw, "before_cursor_execute", note)

        await self._stage.store.read(listened)
        assert asked, "nothing was asked"
        with sqlite3.connect(self._file) as file:
            for statement, parameters in asked:
                rows = file.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
                self.lines += [row[3] for row in rows]
        file.close()
        return self.lines


def scans(lines: list[str]) -> list[str]:
    """Steps that go through a growing table, or through the whole of one of its indexes."""
    return [line for line in lines if line.startswith("SCAN") and line.split()[1] in GROWING]


@pytest.fixture
async def plans(tmp_path: Path) -> Any:
    stage = BareStage(f"sqlite:///{tmp_path / 'q.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports 2")
    for _ in range(2):
        question = await newest_question(stage)
        for person in (ana, ben):
            await person.answers(right(question), on=question)
        await pass_time(stage, 60)
    quiz = await daily(stage, ana)
    await quiz.asked(today(stage) - DAY, ana)
    yield Plans(stage, tmp_path / "q.db")
    await stage.stop()


async def test_a_query_that_goes_through_a_table_would_be_seen(plans: Plans) -> None:
    query = select(attempts.c.date).where(attempts.c.language == "en")
    assert scans(await plans.of(lambda c: c.execute(query)))


@pytest.mark.parametrize("period", ["today", "week", "month", "season", "all"])
@pytest.mark.parametrize("topic", [None, "ports"])
async def test_a_page_is_read_in_the_order_of_the_ranking(
    plans: Plans, period: Period, topic: str | None
) -> None:
    board = Board(1, 1, period, date(2026, 11, 30), topic)
    lines = await plans.of(lambda c: boards.read_page(c, board))
    assert any("totals USING COVERING INDEX ix_totals_ranking" in line for line in lines), lines


@pytest.mark.parametrize("period", ["today", "week", "month", "season", "all"])
@pytest.mark.parametrize("place", [1, None])
@pytest.mark.parametrize("topic", [None, "ports"])
async def test_a_board_reads_none_of_what_was_asked_or_answered(
    plans: Plans, period: Period, place: int | None, topic: str | None
) -> None:
    board = Board(1, place, period, date(2026, 11, 30), topic)
    lines = await plans.of(lambda c: boards.read_page(c, board, below=15))
    lines += await plans.of(lambda c: boards.read_page(c, board))
    lines += await plans.of(lambda c: boards.read_own(c, board, 1))
    lines += await plans.of(lambda c: boards.read_shares(c, board))
    assert not scans(lines), lines
    looked_at = {word for line in lines for word in line.split()}
    assert "totals" in looked_at, lines
    assert not looked_at & {"attempts", "marks", "steps", "rounds", "occasions"}, lines


async def test_what_a_question_adds_to_its_boards_goes_through_no_table(plans: Plans) -> None:
    query = select(steps.c.id).where(steps.c.date.is_not(None)).limit(1)

    async def count_again(connection: AsyncConnection) -> None:
        step_id = (await connection.execute(query)).scalar_one()
        await connection.run_sync(occasions.count_step, step_id)

    lines = await plans.of(count_again)
    assert any("occasions USING PRIMARY KEY" in line for line in lines), lines
    assert not scans([line for line in lines if line.split()[1] != "steps"]), lines


async def test_how_somebody_does_goes_through_no_table(plans: Plans) -> None:
    lines = await plans.of(lambda c: progress.read_topics(c, 1, 1))
    lines += await plans.of(lambda c: progress.active_dates(c, 1, 1, date(2026, 11, 1)))
    lines += await plans.of(lambda c: streaks.daily_dates(c, 1))
    lines += await plans.of(lambda c: streaks.answered_dates(c, 1, [1, 2]))
    lines += await plans.of(lambda c: streaks.away_of(c, 1, [1, 2]))
    lines += await plans.of(lambda c: progress.last_freeze_told(c, 1, 1))
    assert not scans(lines), lines


async def test_a_board_that_stands_costs_an_idle_schedule_no_table(plans: Plans) -> None:
    lines = await plans.of(lambda c: c.run_sync(next_due, ["bare"], []))
    # The only rows in this index are those that still wait.
    assert not [line for line in scans(lines) if "ix_outbox_due" not in line], lines
