"""One process: everything that the settings ask for, put together, and taken down in order."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Protocol

from adapters.accounts import discord_account, slack_account, slack_app
from adapters.clock import SystemClock
from adapters.settings import Settings
from adapters.stopping import Stop
from bot.app import QuizApp
from bot.banks import Loaded, load
from bot.library import Library
from bot.ports import Clock, Surface
from bot.repairs import Repairs
from bot.scheduler import Scheduler
from bot.store.addresses import StoreUnavailable, read_address
from bot.store.opening import open_store, run_lock
from bot.store.remarking import bring_up_to_date, take_keys
from bot.store.store import Store
from bot.wiring import wire

if TYPE_CHECKING:
    from adapters.discord.app import DiscordBot
    from adapters.local.room import Room
    from adapters.server import Server
    from adapters.slack.app import SlackBot

TOLD_BY, POSTED_BY, LOGGED_OUT_BY, STORED_WITHIN = 8.0, 12.0, 22.0, 5.0
"""Seconds from the beginning of a stop by which each part of it has come to its end, or is cut off.

Logging out waits for a token that is being exchanged, which may take a call's twenty seconds. What
is queued for the database then has a time of its own.
"""

LONGEST_STOP = LOGGED_OUT_BY + STORED_WITHIN
"""Whoever kills what does not stop has to wait longer than that."""

_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_WELL_AFTER = timedelta(minutes=5)
_SAID_AGAIN = timedelta(hours=1)
_MARKED_AGAIN = timedelta(minutes=1)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """The product over a database; `loaded` says which banks it could not take."""

    clock: Clock
    store: Store
    loaded: Loaded
    library: Library
    app: QuizApp
    repairs: Repairs


class Platform(Protocol):
    """A bot on a platform. `log_out` is called whether or not it could `log_in`."""

    @property
    def surface(self) -> Surface: ...

    async def log_in(self) -> None:
        """From now on it can post."""
        ...

    def connect(self) -> None:
        """From now on it hears what people do."""
        ...

    async def wait_until_ended(self) -> str:
        """Why the platform has ended the connection for good; until it does, nothing."""
        ...

    async def finish(self) -> None:
        """Hear nothing more, and let what is under way be told."""
        ...

    async def log_out(self) -> None:
        """Nothing can be told any more, and nothing is left open."""
        ...


@dataclass(frozen=True, slots=True)
class Up:
    """What runs. `server` is None where nothing is served, `room` where it is switched off.

    `address` is the server's. `discord` and `slack` are None where there is no token for them.
    """

    parts: Parts
    scheduler: Scheduler
    room: Room | None
    address: str
    discord: DiscordBot | None = None
    server: Server | None = None
    slack: SlackBot | None = None

    @property
    def app(self) -> QuizApp:
        return self.parts.app

    @property
    def platforms(self) -> tuple[Platform, ...]:
        return tuple(each for each in (self.discord, self.slack) if each is not None)

    async def wait_until_ended(self) -> str:
        """Why nobody can play any more; for ever, as long as somebody may somewhere."""
        if self.room is not None or not self.platforms:
            await asyncio.Event().wait()
        ended = await asyncio.gather(*(each.wait_until_ended() for each in self.platforms))
        return "\n".join(ended)


@asynccontextmanager
async def running(
    settings: Settings, *, clock: Clock | None = None, chance: random.Random | None = None
) -> AsyncIterator[Up]:
    """Everything that is configured, until the block ends.

    Raises StoreUnavailable, PortTaken, WrongToken, DiscordUnavailable, WrongSlackToken,
    WrongSecretKey, SlackUnavailable.
    The clock and the random source are those of the system, unless a test brings its own.
    """
    surfaces: dict[str, Surface] = {}
    async with AsyncExitStack() as stack:
        stack.enter_context(run_lock(settings.database_url))
        parts = await stack.enter_async_context(
            composed(settings, surfaces, clock=clock, chance=chance)
        )
        room = _room(parts, settings) if settings.room else None
        discord, slack = _discord(parts, settings), _slack(parts, settings)
        if room is not None:
            surfaces[room.channel.platform] = room.channel
        platforms: tuple[Platform, ...] = tuple(
            each for each in (discord, slack) if each is not None
        )
        surfaces.update({each.surface.platform: each.surface for each in platforms})
        alone = read_address(settings.database_url).kind == "sqlite"
        scheduler = parts.app.scheduler(_name(), alone=alone)
        stop = Stop()
        # Whatever fails from here on: a session is open as soon as a platform is there.
        stack.push_async_callback(
            stop.part, LOGGED_OUT_BY, "log out", *(each.log_out for each in platforms)
        )
        # What was left open gets its time back before anybody can press it.
        await scheduler.recover()
        for platform in platforms:
            await platform.log_in()
        server = (
            _server(parts, settings, scheduler, room, discord, slack) if settings.serves else None
        )
        address = await server.start() if server is not None else ""
        post = partial(scheduler.close, POSTED_BY - TOLD_BY - 1)
        stack.push_async_callback(stop.part, POSTED_BY, "post what was begun", post)
        for work in (_supervise(scheduler, parts.clock), _mark_anew(parts)):
            stack.push_async_callback(_end, asyncio.create_task(work))
        # First of all on the way down: answers that are under way are told.
        finishing = [each.finish for each in platforms]
        if server is not None:
            finishing.append(server.stop)
        stack.push_async_callback(stop.part, TOLD_BY, "tell what is under way", *finishing)
        for platform in platforms:
            platform.connect()
        up = Up(parts, scheduler, room, address, discord, server, slack)
        for platform in platforms:
            stack.push_async_callback(
                _end, asyncio.create_task(_say_what_ended(platform, up, parts.clock))
            )
        yield up


@asynccontextmanager
async def composed(
    settings: Settings,
    surfaces: Mapping[str, Surface],
    *,
    clock: Clock | None = None,
    chance: random.Random | None = None,
) -> AsyncIterator[Parts]:
    """The product without anything that runs by itself. Raises StoreUnavailable."""
    clock = clock or SystemClock()
    loaded = load(settings.banks)
    library = Library(loaded.banks)
    store = await open_store(settings.database_url, zone=settings.zone, clock=clock)
    try:
        chance = chance or random.SystemRandom()
        prefixes = {
            "discord": f"/{settings.command_prefix}",
            # One command, behind which all others stand.
            "slack": f"{settings.slack_command} ",
        }
        use_cases = wire(store, library, surfaces, clock, chance, prefixes=prefixes)
        repairs = use_cases.parts.repairs
        await take_keys(store, loaded.banks, clock.now(), repairs.rekeyed)
        yield Parts(clock, store, loaded, library, QuizApp(use_cases), repairs)
    finally:
        await Stop().part(STORED_WITHIN, "store what is queued", store.close)


def _room(parts: Parts, settings: Settings) -> Room:
    # A server takes long to import, and who plays in the terminal needs none.
    from adapters.local.room import Room

    return Room(parts.app, parts.library, parts.clock, host=settings.host)


def _server(
    parts: Parts,
    settings: Settings,
    scheduler: Scheduler,
    room: Room | None,
    discord: DiscordBot | None,
    slack: SlackBot | None,
) -> Server:
    """The one server, with the routes of every part that has some."""
    from adapters.health import Health
    from adapters.server import Server

    server = Server(settings.host, settings.port)
    health = Health(
        parts.clock,
        turned_at=lambda: scheduler.turned_at,
        noted_at=lambda: scheduler.noted_at,
        probe=parts.store.ping,
        connections={each.surface.platform: each for each in (discord, slack) if each is not None},
    )
    server.add(health.routes())
    if room is not None:
        server.add(room.routes(), room.finish)
    if slack is not None:
        server.add(slack.routes(), slack.finish)
    return server


def _discord(parts: Parts, settings: Settings) -> DiscordBot | None:
    account = discord_account(settings)
    if account is None:
        return None
    from adapters.discord.app import DiscordBot

    return DiscordBot(parts.app, parts.clock, account)


def _slack(parts: Parts, settings: Settings) -> SlackBot | None:
    account = slack_account(settings)
    if account is None:
        return None
    if settings.slack_installs:
        from adapters.slack.several import new_bot

        return new_bot(parts.app, parts.store, parts.clock, account, slack_app(settings))
    from adapters.slack.app import SlackBot

    return SlackBot(parts.app, parts.clock, account)


def _name() -> str:
    """Tells this process from others in the database, also after it is gone."""
    return f"{socket.gethostname()}:{os.getpid()}"


async def _supervise(scheduler: Scheduler, clock: Clock) -> None:
    """Begin again, after a pause that grows, should it ever die."""
    pause = _FIRST_PAUSE
    while True:
        began = clock.now()
        try:
            await scheduler.run()
        except Exception:  # noqa: BLE001 - whatever it was, the day's quiz must still come
            _log.exception("the schedule stopped; it begins again in %.0f s", pause)
        # What is being sent must not be taken for what another process left undone.
        await scheduler.close()
        if clock.now() - began > _WELL_AFTER:
            pause = _FIRST_PAUSE
        await clock.wait(asyncio.Event(), clock.now() + timedelta(seconds=pause))
        pause = min(2 * pause, _LONGEST_PAUSE)


async def _mark_anew(parts: Parts) -> None:
    """What other keys had marked, beside what is played: a long history takes long."""
    while True:
        try:
            marked = await bring_up_to_date(parts.store, parts.repairs.remarked)
            if marked:
                _log.info("marked %d answers anew, for the banks have other keys for them", marked)
            return
        except StoreUnavailable as error:
            _log.warning("what other keys had marked waits to be marked anew: %s", error)
        except Exception:  # noqa: BLE001 - it is tried again with the next start
            _log.exception("what other keys had marked could not be marked anew")
            return
        await parts.clock.wait(asyncio.Event(), parts.clock.now() + _MARKED_AGAIN)


async def _say_what_ended(platform: Platform, up: Up, clock: Clock) -> None:
    """While people play elsewhere, say from time to time that nobody plays there."""
    why = await platform.wait_until_ended()
    while up.room is not None or len(up.platforms) > 1:
        _log.error("%s", why)
        await clock.wait(asyncio.Event(), clock.now() + _SAID_AGAIN)


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
