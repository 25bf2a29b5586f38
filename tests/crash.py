"""quizbot is killed again and again while people press, on each platform, and loses nothing.

    python tests/crash.py [KILLS]

The program is real, and so are discord.py, slack-bolt, the sockets and the SQLite file; Discord
and Slack are stand-ins. Afterwards every press whose person was told of it is in the database,
once, as they were told. Exits with 1 where one is not.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from crash_crowd import PEOPLE, Crowd, Found
from crash_discord import on_discord
from crash_slack import on_slack
from crash_stored import compare, write_bank

KILLS = 20
UNDER_LOAD = 0.3, 1.2  # seconds from the first answer to a kill
LIMIT = 60, 30  # seconds, and for each kill, after which it is given up

Say = Callable[[str], None]
Enters = Callable[[random.Random], AbstractAsyncContextManager[Crowd[Any, Any, Any]]]

PLATFORMS: dict[str, Enters] = {"Discord": on_discord, "Slack": on_slack}


async def play(enters: Enters, kills: int, folder: Path, say: Say, seed: int) -> Found:
    """Kill it so many times, then let it end by itself, and compare."""
    write_bank(folder / "banks")
    chance = random.Random(seed)
    once, for_each = LIMIT
    async with asyncio.timeout(once + for_each * kills), enters(chance) as crowd:
        async with crowd.up(folder):
            await crowd.begin()
            await crowd.answered(1)
        for _ in range(kills):
            async with crowd.up(folder) as process:
                await crowd.answered(PEOPLE)
                await asyncio.sleep(chance.uniform(*UNDER_LOAD))
                await process.kill()
            crowd.remember_kill()
            say(crowd.found.summary())
        async with crowd.up(folder):
            await crowd.answered(PEOPLE)
            await crowd.end()
    compare(folder / "quizbot.db", crowd.found)
    return crowd.found


def main(kills: int) -> int:
    found = [_played(name, enters, kills) for name, enters in PLATFORMS.items()]
    return 1 if any(one.faults for one in found) else 0


def _played(name: str, enters: Enters, kills: int) -> Found:
    def say(line: str) -> None:
        sys.stdout.write(f"{name}: {line}\n")
        sys.stdout.flush()

    with tempfile.TemporaryDirectory() as folder:
        seed = random.SystemRandom().getrandbits(32)
        found = asyncio.run(play(enters, kills, Path(folder), say, seed))
    for fault in found.faults:
        say(fault)
    say(found.summary())
    return found


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else KILLS))
