"""quizbot as a program of its own on a stand-in Slack, by its real composition root."""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path

from child import serve
from moved_clock import clock_of


async def main(api: str) -> None:
    import adapters.slack.client
    from adapters.running import running
    from adapters.settings import Settings

    logging.basicConfig(level=logging.WARNING)
    # As the stand-in's `point`, without the stand-in in this process's memory.
    adapters.slack.client.BASE = api
    async with running(Settings(), clock=clock_of(Path.cwd())):
        await serve()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
