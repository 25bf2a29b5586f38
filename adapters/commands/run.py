"""`quizbot run`: everything that is configured, until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import signal
import socket
from collections.abc import Iterator

from adapters.commands.base import WRONG_USE, Failed, say, tell, warn_of_faults
from adapters.running import Up, running
from adapters.settings import Settings

_log = logging.getLogger(__name__)


def run_until_stopped(settings: Settings) -> None:
    """Raises Failed where there is nothing that can be run."""
    _refuse_what_is_not_there_yet(settings)
    asyncio.run(_run(settings))


async def _run(settings: Settings) -> None:
    stop = asyncio.Event()
    _stop_on_signals(stop)
    async with running(settings) as up:
        warn_of_faults(up.parts.loaded, settings)
        say("\n".join(_greeting(up, settings)))
        _log.info("started")
        # What is here by now stays: the collector need not look at it again.
        gc.collect()
        gc.freeze()
        await stop.wait()
        tell("Stopping …")
    _log.info("stopped")


def _stop_on_signals(stop: asyncio.Event) -> None:
    """The first Ctrl-C or SIGTERM stops in order, a second one at once."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)

    def stopping() -> None:
        stop.set()
        for number in signals:
            loop.remove_signal_handler(number)

    def told(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        loop.call_soon_threadsafe(stop.set)

    for number in signals:
        try:
            loop.add_signal_handler(number, stopping)
        except NotImplementedError:  # on Windows
            signal.signal(number, told)


def _refuse_what_is_not_there_yet(settings: Settings) -> None:
    """Rather than to start as if a token had not been given."""
    tokens = {
        "DISCORD_TOKEN": (settings.discord_token, "Discord"),
        "SLACK_BOT_TOKEN": (settings.slack_bot_token, "Slack"),
        "SLACK_APP_TOKEN": (settings.slack_app_token, "Slack"),
    }
    for name, (token, platform) in tokens.items():
        if token is not None:
            raise Failed(
                f"{name} is set, and this version does not connect to {platform} yet: "
                "leave it unset, and quizbot run opens the quiz room in your browser.",
                WRONG_USE,
            )
    if not settings.room:
        raise Failed(
            "There is nothing to run: QUIZBOT_ROOM is off, and no platform is set up. "
            "Leave it unset to open the quiz room.",
            WRONG_USE,
        )


def _greeting(up: Up, settings: Settings) -> Iterator[str]:
    yield f"The quiz room is open: {_addresses(up.address, settings.host)}"
    if up.room is not None and up.room.codes is not None:
        yield f"  Join code:      {up.room.codes.join}"
        yield f"  Organiser code: {up.room.codes.organiser} (who has it may change the settings)"
    yield "Stop it with Ctrl-C; quizzes, answers and points are kept."
    yield (
        "Discord and Slack cannot be connected in this version yet; "
        "DISCORD_TOKEN, or SLACK_BOT_TOKEN and SLACK_APP_TOKEN, will do it."
    )


def _addresses(address: str, host: str) -> str:
    """Where the room is found; a host that means every network is no address to open."""
    try:
        everywhere = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        everywhere = False
    if not everywhere:
        return address
    port = address.rstrip("/").rpartition(":")[2]
    return f"http://127.0.0.1:{port}/, and for others http://{socket.gethostname()}:{port}/"
