"""quizbot as a program of its own on a stand-in Discord, by its real composition root."""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path

import yarl
from child import serve
from discord.gateway import DiscordWebSocket
from discord.http import Route
from moved_clock import clock_of


def point(base: str, gateway: str) -> None:
    """As the stand-in's `point`, without the stand-in in this process's memory."""
    Route.BASE = base
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


async def main(base: str, gateway: str) -> None:
    from adapters.running import running
    from adapters.settings import Settings

    logging.basicConfig(level=logging.WARNING)
    point(base, gateway)
    async with running(Settings(), clock=clock_of(Path.cwd())):
        await serve()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
