"""The engine alone, beside the database alone: each in a process of its own.

    python tests/bench/bench_engine.py quizbot|daily|bare FOLDER

`quizbot` presses through QuizApp.click with a thousand people at a time, on questions of live
rounds, and `daily` on daily ones, with a term of answered ones behind them; `bare` inserts as many
rows of the same table through sqlite3, a thousand in a transaction. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from bench_banks import name, write_banks
from bench_dailies import add_past, set_dailies
from bench_figures import percentile
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.clock import SystemClock
from bot import tokens
from bot.app import QuizApp
from bot.banks import load
from bot.calls import Click, Typed, Where, Who
from bot.library import Library
from bot.messages import Message, buttons_of
from bot.ports import Abilities, Access, Posted, PostResult, Target
from bot.store.addresses import read_address
from bot.store.opening import open_store
from bot.store.schema import attempts
from bot.store.store import Store
from bot.store.upgrades import upgrade
from bot.store.writer import Committed
from bot.wiring import wire

PEOPLE = 1_000
QUESTIONS = 20
PRESSES = PEOPLE * QUESTIONS
_LIMIT = 120  # seconds, after which it is given up


@dataclass
class Board:
    """A surface that takes everything at once."""

    platform = "bench"
    abilities = Abilities(several_places=True)
    stands: dict[str, Message] = field(default_factory=dict)
    posted: asyncio.Event = field(default_factory=asyncio.Event)
    clock = SystemClock()

    async def post(
        self, target: Target, message: Message, *, nonce: str, silent: bool
    ) -> PostResult:
        self.stands[target.place] = message
        self.posted.set()
        return Posted(target.place, self.clock.now())

    async def edit(self, target: Target, posted: str, message: Message) -> PostResult:
        return Posted(posted, self.clock.now())

    def link(self, target: Target, posted: str) -> str | None:
        return None

    async def pin(self, target: Target, posted: str, *, pinned: bool) -> bool:
        return False

    async def access(self, target: Target) -> Access | None:
        return Access()

    async def member(self, target: Target) -> Who | None:
        return None

    async def group_name(self, target: Target, group: str) -> str | None:
        return None


class Engine:
    """The product on that surface: a question stands open in each of its places."""

    def __init__(self, app: QuizApp, store: Store, board: Board) -> None:
        self._app = app
        self._store = store
        self._board = board
        self._people = [
            Who("bench", f"u{number}", f"Person {number}", ("en", "fr")[number % 2])
            for number in range(PEOPLE)
        ]
        self._places = [
            Where("bench", "group", f"p{number}", "Group", f"p{number}")
            for number in range(QUESTIONS + 1)
        ]
        self._host = Who("bench", "host", "Host", "en", organiser=True)
        self.latencies: list[float] = []

    async def ask(self) -> None:
        for number, where in enumerate(self._places):
            await self._app.typed(Typed(self._host, where, f"/quiz {name(number)} 1 off"))
        await self._greet()

    async def ask_dailies(self) -> None:
        """Each place its own, and a term of others that everybody has answered."""
        for where in self._places:
            await self._app.typed(Typed(self._host, where, "/language en"))
        now = self._board.clock.now()
        topics = [name(number) for number in range(len(self._places))]
        await self._store.write(lambda c: set_dailies(c, topics, now))
        for where in self._places:
            await self._app.typed(Typed(self._host, where, "/daily now"))
        await self._greet()
        await self._store.write(lambda c: add_past(c, now.date()))

    async def _greet(self) -> None:
        while len(self._board.stands) < len(self._places):
            self._board.posted.clear()
            await self._board.posted.wait()
        # Everybody's first press also says who sees what; it is not measured.
        await asyncio.gather(*(self._press(who, self._places[0], 0) for who in self._people))
        self.latencies.clear()

    async def rush(self) -> None:
        await asyncio.gather(*(self._answer_all(at, who) for at, who in enumerate(self._people)))

    async def press_once(self, number: int) -> None:
        """The presses of everybody on everything, by their number."""
        place, person = divmod(number, PEOPLE)
        await self._press(self._people[person], self._places[place + 1], person + place)

    async def _answer_all(self, at: int, who: Who) -> None:
        for number, where in enumerate(self._places[1:]):
            await self._press(who, where, at + number)

    async def _press(self, who: Who, where: Where, which: int) -> None:
        buttons = [b for b in buttons_of(self._board.stands[where.place]) if b.style == "answer"]
        token = buttons[which % len(buttons)].token
        assert isinstance(tokens.read(token), tokens.Answer)
        began = time.perf_counter()
        now = self._board.clock.now()
        await self._app.click(Click(who, where, token, now, now, where.place))
        self.latencies.append(time.perf_counter() - began)


async def quizbot(folder: Path) -> dict[str, float]:
    return await pressed(folder, Engine.ask)


async def daily(folder: Path) -> dict[str, float]:
    return await pressed(folder, Engine.ask_dailies)


async def pressed(folder: Path, ask: Callable[[Engine], Awaitable[None]]) -> dict[str, float]:
    board, chance = Board(), random.Random(20)
    url = f"sqlite:///{folder / 'quizbot.db'}"
    library = Library(load([write_banks(folder / "banks", QUESTIONS + 1)]).banks)
    store = await open_store(url, zone=ZoneInfo("UTC"), clock=board.clock)
    app = QuizApp(wire(store, library, {board.platform: board}, board.clock, chance))
    scheduler = app.scheduler("bench", alone=True)
    await scheduler.recover()
    task = asyncio.create_task(scheduler.run())
    commits: list[Committed] = []
    store.after_commit(commits.append)
    try:
        engine = Engine(app, store, board)
        await ask(engine)
        before = await store.read(_attempts)
        gc.collect()
        gc.freeze()
        commits.clear()
        began, cpu = time.perf_counter(), time.process_time()
        await engine.rush()
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        answering = sum(1 for committed in commits if committed.first)
        stored = await store.read(_attempts) - before
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await scheduler.close()
        await store.close()
    assert stored == PRESSES, f"{stored} answers were stored"
    return {
        "presses": PRESSES,
        "per_second": PRESSES / seconds,
        "cpu_ms": 1000 * cpu / PRESSES,
        "commits": answering,
        "p50_ms": 1000 * percentile(engine.latencies, 50),
        "p99_ms": 1000 * percentile(engine.latencies, 99),
    }


async def _attempts(connection: AsyncConnection) -> int:
    return (await connection.execute(select(func.count()).select_from(attempts))).scalar_one()


async def bare(folder: Path) -> dict[str, float]:
    """The barest that is as durable: no rules, no marks, no totals, no foreign keys."""
    upgrade(read_address(f"sqlite:///{folder / 'quizbot.db'}"))
    now = int(SystemClock().now().timestamp() * 1_000_000)
    with closing(sqlite3.connect(folder / "quizbot.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        began, cpu = time.perf_counter(), time.process_time()
        for step in range(QUESTIONS):
            rows = [
                (step, player, step, '{"options":["a"]}', "en", now, now, "2026-11-30",
                 "2026-W49", None)
                for player in range(PEOPLE)
            ]  # fmt: skip
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO attempts VALUES (?,?,?,?,?,?,?,?,?,?)", rows)
            connection.execute("COMMIT")
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    return {
        "presses": PRESSES,
        "per_second": PRESSES / seconds,
        "cpu_ms": 1000 * cpu / PRESSES,
        "commits": QUESTIONS,
    }


async def main(which: str, folder: str) -> None:
    async with asyncio.timeout(_LIMIT):
        found = await {"quizbot": quizbot, "daily": daily, "bare": bare}[which](Path(folder))
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
