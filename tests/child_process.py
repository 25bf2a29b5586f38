"""A program of the tests' own in a process of its own, as the test has it in hand."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from command_line import environment

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Used:
    """Seconds of CPU since it began, and megabytes of memory now."""

    cpu: float
    memory: float


class Process:
    """What a test has in hand of it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def used(self) -> Used:
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        return Used(**json.loads(await self.says()))

    async def says(self) -> str:
        assert self._process.stdout is not None
        async with asyncio.timeout(60):
            return (await self._process.stdout.readline()).decode().strip()

    async def kill(self) -> None:
        """SIGKILL: it gets to do nothing any more."""
        if self._process.returncode is None:
            self._process.kill()
            await self._process.wait()


@asynccontextmanager
async def started_child(
    script: Path, *arguments: str, folder: Path, **settings: str
) -> AsyncIterator[Process]:
    """A child of `child.py`'s kind, up and at work in that folder; killed at the end of the block.

    What it logs is added to `bot.log` there.
    """
    path = os.pathsep.join(map(str, (HERE, HERE.parent)))
    with (folder / "bot.log").open("ab") as log:
        process = Process(
            await asyncio.create_subprocess_exec(
                sys.executable,
                str(script),
                *arguments,
                cwd=folder,
                env=environment(PYTHONPATH=path, **settings),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        )
    try:
        said = await process.says()
        assert said == "up", f"it did not come up: {(folder / 'bot.log').read_text()[-2000:]}"
        yield process
    finally:
        await process.kill()
