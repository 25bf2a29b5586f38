"""What a board costs where a community has answered ten thousand times, and a million times.

The people and the days of the month are as many in both: what grows is what lies behind.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.clock import SystemClock
from bot.calls import Where
from bot.commands import PERIODS
from bot.content import Bank, BankText, Question, QuestionText
from bot.store import boards, occasions, people, progress, streaks
from bot.store.boards import Board
from bot.store.opening import open_store
from bot.store.schema import microseconds
from bot.store.store import Store
from bot.store.versions import ensure_versions

FEW, MANY = 10_000, 1_000_000
PEOPLE = 100
A_DAY = 5  # questions that everybody answers
READS = 20
TURNS = 4

_SOMEBODY = 50
_LAST = date(2026, 11, 30)
_NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)

Read = Callable[[AsyncConnection], Awaitable[object]]


@dataclass(frozen=True)
class Costs:
    """Milliseconds of the processor for each read, turn by turn, by what is read."""

    few: Mapping[str, list[float]]
    many: Mapping[str, list[float]]


async def measure(folder: Path, progress_: Callable[[str], None]) -> Costs:
    """Few attempts beside many, in turns, on two databases."""
    async with AsyncExitStack() as stack:
        stores = []
        for name, attempts in (("few", FEW), ("many", MANY)):
            progress_(f"a community with {attempts:,} answers is made")
            stores.append(await _made(folder / f"{name}.db", attempts))
            stack.push_async_callback(stores[-1].close)
        reads = _reads()
        costs: tuple[dict[str, list[float]], ...] = ({}, {})
        for turn in range(TURNS + 1):
            for store, cost in zip(stores, costs, strict=True):
                for what, read in reads.items():
                    spent = await _spent(store, read)
                    if turn:  # the first warms up
                        cost.setdefault(what, []).append(spent)
        return Costs(*costs)


def _reads() -> dict[str, Read]:
    """Of every kind of board its page, with how the group does, and one's own rank."""
    reads: dict[str, Read] = {
        "right_answers_by_quiz": lambda c: progress.read_topics(c, 1, _SOMEBODY),
        "streak": lambda c: streaks.answered_dates(c, 1, [_SOMEBODY]),
    }
    for period in PERIODS:
        for place, where in ((1, "place"), (None, "community")):
            for topic, about in ((None, ""), ("b0", "_of_a_topic")):
                board = Board(1, place, period, _LAST, topic)
                what = f"of_{period}_in_a_{where}{about}"
                reads[f"page_{what}"] = partial(boards.read_page, board=board)
                reads[f"rank_{what}"] = partial(boards.read_own, board=board, person_id=_SOMEBODY)
                reads[f"share_{what}"] = partial(boards.read_share, board=board)
    return reads


async def _spent(store: Store, read: Read) -> float:
    # Of the processor, of all threads: what else the machine does weighs less on it.
    began = time.process_time()
    for _ in range(READS):
        await store.read(read)
    return (time.process_time() - began) * 1000 / READS


async def _made(file: Path, attempts: int) -> Store:
    store = await open_store(f"sqlite:///{file}", zone=ZoneInfo("UTC"), clock=SystemClock())
    await store.write(lambda c: _fill(c, attempts // PEOPLE))
    return store


def _fill(connection: Connection, questions: int) -> None:
    """So many questions, each answered by everybody, five a day up to now; two in three right."""
    where = Where("bench", "c", "p", community_name="A group", place_name="general")
    there = people.ensure_place(connection, where, _NOW)
    _ask(connection, questions)
    for statement in _FILLED:
        connection.execute(text(statement), {"people": PEOPLE, "now": microseconds(_NOW)})
    connection.execute(text(_BY_DAY))
    for place in (0, 1):
        for topic in ("", "b0"):
            for period, first in _PERIODS.items():
                values = {"place": place, "topic": topic, "period": period}
                connection.execute(text(_BOARDS.format(first=first)), values)
                connection.execute(text(_TOTALS.format(first=first)), values)
    occasions.recount(connection, there.community_id)
    connection.execute(text("ANALYZE"))


def _ask(connection: Connection, count: int) -> None:
    """One version that is asked again and again: boards know questions by their ids alone."""
    texts = QuestionText("Which?", {"a": "This", "b": "That"})
    asked = Question("q", "en", ("a", "b"), frozenset("a"), {"en": texts})
    bank = Bank("b0", "en", {"en": BankText("A bank")}, (asked,))
    version = ensure_versions(connection, [(bank, asked)], _NOW)[0]
    rounds, steps = [], []
    for number in range(count):
        day = _LAST - timedelta(days=number // A_DAY)
        at = microseconds(datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
        rounds.append({"id": number + 1, "at": at})
        steps.append(
            {"id": number + 1, "day": day.isoformat(), "at": at, "version": version.version_id}
            | {"question": version.question_id}
        )
    connection.execute(text(_ROUND), rounds)
    connection.execute(text(_STEP), steps)


_ROUND = """
    INSERT INTO rounds (id, community_id, place_id, mode, state, topic, title, language,
        started_at, ended_at)
    VALUES (:id, 1, 1, 'live', 'ended', '{}', '{}', 'en', :at, :at)
"""
_STEP = """
    INSERT INTO steps (id, round_id, position, version_id, question_id, option_order, date,
        opened_at, opened_host_at, closed_at)
    VALUES (:id, :id, 1, :version, :question, '["a", "b"]', :day, :at, :at, :at)
"""
_FILLED = (
    """
    WITH RECURSIVE one(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM one WHERE n < :people)
    INSERT INTO persons (id, platform, external_id, name, created_at)
    SELECT n, 'bench', 'p' || n, 'Person ' || n, :now FROM one
    """,
    """
    INSERT INTO players (id, community_id, person_id, created_at)
    SELECT id, 1, id, :now FROM persons WHERE :people > 0
    """,
    """
    INSERT INTO attempts (step_id, player_id, question_id, answer, language, pressed_at,
        received_at, date, counts)
    SELECT steps.id, players.id, steps.question_id, '{"options": ["a"]}', 'en', steps.opened_at,
        steps.opened_at, steps.date, 'step:' || steps.id
    FROM steps CROSS JOIN players WHERE :people > 0 AND :now > 0
    """,
    """
    INSERT INTO marks (step_id, player_id, version_id, is_right, points)
    SELECT attempts.step_id, attempts.player_id, steps.version_id,
        (attempts.step_id * 7 + attempts.player_id) % 3 > 0,
        10 * ((attempts.step_id * 7 + attempts.player_id) % 3 > 0)
    FROM attempts JOIN steps ON steps.id = attempts.step_id WHERE :people > 0 AND :now > 0
    """,
)
_BY_DAY = """
    CREATE TEMPORARY TABLE by_day AS
    SELECT attempts.date AS date, attempts.player_id AS player_id, sum(marks.points) AS points,
        count(*) AS answered, sum(marks.is_right) AS "right"
    FROM attempts
    JOIN marks ON marks.step_id = attempts.step_id AND marks.player_id = attempts.player_id
    GROUP BY attempts.date, attempts.player_id
"""
_PERIODS = {
    "today": "date",
    "week": "date(date, 'weekday 0', '-6 days')",
    "month": "substr(date, 1, 8) || '01'",
    "season": "substr(date, 1, 5) || printf('%02d-01', (substr(date, 6, 2) - 1) / 3 * 3 + 1)",
    "all": "''",
}
_BOARDS = """
    INSERT INTO boards (community_id, place_id, topic, period, starts)
    SELECT DISTINCT 1, :place, :topic, :period, {first} FROM by_day
"""
_TOTALS = """
    INSERT INTO totals (board_id, player_id, points, answered, "right")
    SELECT boards.id, player_id, sum(points), sum(answered), sum("right")
    FROM by_day
    JOIN boards ON community_id = 1 AND place_id = :place AND topic = :topic
        AND period = :period AND starts = {first}
    GROUP BY boards.id, player_id
"""


def costs(folder: Path, progress_: Callable[[str], None]) -> Costs:
    return asyncio.run(measure(folder, progress_))
