"""What an answer costs at a walking pace: SQL statements and processor time, by itself.

    python tests/bench/bench_pace.py FOLDER

A hundred presses a second for ten seconds, where nothing is so full that commits would be
shared by many. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from bench_banks import write_banks
from bench_engine import QUESTIONS, Board, Engine
from sqlalchemy import Engine as Database
from sqlalchemy import event

from bot.app import QuizApp
from bot.banks import load
from bot.library import Library
from bot.store.opening import open_store
from bot.wiring import wire

PER_SECOND = 100
SECONDS = 10


async def pace(folder: Path) -> dict[str, float]:
    board, chance = Board(), random.Random(20)
    url = f"sqlite:///{folder / 'pace.db'}"
    library = Library(load([write_banks(folder / "banks", QUESTIONS + 1)]).banks)
    store = await open_store(url, zone=ZoneInfo("UTC"), clock=board.clock)
    app = QuizApp(wire(store, library, {board.platform: board}, board.clock, chance))
    scheduler = app.scheduler("bench", alone=True)
    await scheduler.recover()
    task = asyncio.create_task(scheduler.run())
    statements = 0

    def count(*_: Any) -> None:
        nonlocal statements
        statements += 1

    try:
        engine = Engine(app, store, board)
        await engine.ask()
        event.listen(Database, "before_cursor_execute", count)
        cpu = time.process_time()
        pressing = []
        began = time.perf_counter()
        for number in range(PER_SECOND * SECONDS):
            pressing.append(asyncio.create_task(engine.press_once(number)))
            due = began + (number + 1) / PER_SECOND
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
        await asyncio.gather(*pressing)
        cpu = time.process_time() - cpu
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await scheduler.close()
        await store.close()
    presses = PER_SECOND * SECONDS
    return {
        "presses": presses,
        "statements_per_press": statements / presses,
        "cpu_ms_per_press": 1000 * cpu / presses,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(pace(Path(sys.argv[1])))) + "\n")
