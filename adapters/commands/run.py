"""`quizbot run`: everything that is configured, until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import os
import signal
import socket
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack
from typing import Any

from adapters.commands.base import UNAVAILABLE, WRONG_USE, Failed, say, tell, warn, warn_of_faults
from adapters.commands.first import heed_signals
from adapters.commands.slack import refuse_half_settings, unused_settings
from adapters.running import Up, running
from adapters.settings import Settings

_log = logging.getLogger(__name__)


def run_until_stopped(settings: Settings) -> None:
    """Raises Failed where there is nothing that can be run."""
    _refuse_what_cannot_run(settings)
    refuse_wrong_shards(settings)
    if unused := unused_settings(settings):
        warn(unused)
    asyncio.run(_run(settings))


async def _run(settings: Settings) -> None:
    stop = asyncio.Event()
    stop_on_signals(stop)
    ended = ""
    async with AsyncExitStack() as stack:
        up = await _started(stop, stack.enter_async_context(running(settings)))
        if up is not None:
            warn_of_faults(up.parts.loaded, settings)
            say("\n".join(_greeting(up, settings)))
            _log.info("started")
            # What is here by now stays: the collector need not look at it again.
            gc.collect()
            gc.freeze()
            ended = await _told_to_stop_or_ended(stop, up)
        if not ended:
            tell("Stopping …")
    _log.info("stopped")
    if ended:
        raise Failed(ended, UNAVAILABLE)


async def _started(stop: asyncio.Event, start: Coroutine[Any, Any, Up]) -> Up | None:
    """None where it was told to stop before it was up: who stops it waits for no platform."""
    starting, stopping = asyncio.create_task(start), asyncio.create_task(stop.wait())
    await asyncio.wait((starting, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not starting.done():
        starting.cancel()
    try:
        return await starting
    except asyncio.CancelledError:
        return None


async def _told_to_stop_or_ended(stop: asyncio.Event, up: Up) -> str:
    """Why nobody can play any more; empty where it was told to stop."""
    tasks = [asyncio.create_task(stop.wait()), asyncio.create_task(up.wait_until_ended())]
    _, ended = tasks
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    return str(ended.result()) if ended.done() and not ended.cancelled() else ""


def stop_on_signals(stop: asyncio.Event) -> None:
    """The first Ctrl-C or SIGTERM stops in order, a second one at once."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)

    def stopping() -> None:
        stop.set()
        for number in signals:
            loop.remove_signal_handler(number)
        heed_signals()

    def told(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        loop.call_soon_threadsafe(stop.set)

    for number in signals:
        try:
            loop.add_signal_handler(number, stopping)
        except NotImplementedError:  # on Windows
            signal.signal(number, told)


def _refuse_what_cannot_run(settings: Settings) -> None:
    """Rather than to start as if a token had not been given."""
    refuse_half_settings(settings)
    if not settings.room and settings.discord_token is None and not settings.slack:
        raise Failed(
            "There is nothing to run: QUIZBOT_ROOM is off, and no platform is set up. "
            "Leave it unset to open the quiz room.",
            WRONG_USE,
        )


def refuse_wrong_shards(settings: Settings) -> None:
    """Raises Failed where the numbers of shards do not fit together."""
    ids, count = settings.shard_ids, settings.shard_count
    if ids is None:
        return
    if count is None:
        raise Failed("QUIZBOT_SHARD_IDS is set: set QUIZBOT_SHARD_COUNT too.", WRONG_USE)
    if ids[-1] >= count:
        raise Failed(
            f"QUIZBOT_SHARD_IDS names {ids[-1]}, and of {count} shards the last is {count - 1}.",
            WRONG_USE,
        )


def _greeting(up: Up, settings: Settings) -> Iterator[str]:
    if up.room is not None:
        yield f"The quiz room is open: {_addresses(up.address, settings.host)}"
    if up.room is not None and up.room.codes is not None:
        yield f"  Join code:      {up.room.codes.join}"
        yield f"  Organiser code: {up.room.codes.organiser} (who has it may change the settings)"
    if up.discord is not None:
        yield f"On Discord as {up.discord.name}. To add it to a server: {up.discord.invite}"
    if up.slack is not None:
        yield f"On Slack in {up.slack.name}."
    if up.slack is not None and settings.slack_installs:
        yield f"  To add it to a workspace, open /slack/install where Slack reaches {up.address}"
    yield "Stop it with Ctrl-C; quizzes, answers and points are kept."
    if up.discord is None and up.slack is None:
        yield "To connect it to Discord, set DISCORD_TOKEN; to Slack, SLACK_BOT_TOKEN."


def _addresses(address: str, host: str) -> str:
    """Where the room is found; a host that means every network is no address to open."""
    try:
        everywhere = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        everywhere = False
    if not everywhere:
        return address
    port = address.rstrip("/").rpartition(":")[2]
    here = f"http://127.0.0.1:{port}/"
    # In a container, as this variable tells by custom, the name is known to nobody outside.
    if os.environ.get("container"):  # noqa: SIM112 - so it is written
        return here
    return f"{here}, and for others http://{socket.gethostname()}:{port}/"
