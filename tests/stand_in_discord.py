"""A stand-in Discord on 127.0.0.1, for real discord.py over real sockets.

    async with StandInDiscord() as discord:
        guild = discord.guild("Study group")
        channel = guild.channel("general")
        ana = guild.member("Ana", locale="fr", organiser=True)
        …                                       # start a bot with discord.token
        await discord.until(lambda: discord.gateway.connected)
        seen = await ana.slash(channel, "quiz", topic="pipeline")
        assert seen.private[0].text == "…"
        await ana.press(channel.last, channel.last.button("A"))

Within it, this process's discord.py is pointed at it; another process calls `point`. It refuses
what Discord refuses, and, unless told `may_ping`, whatever could ping somebody. Where the
description of Discord's API is at hand, every payload is checked against that too. Leaving it
fails if it slipped itself: an unknown route, an answer that Discord would not give.

Its time is `now`; a test that moves its clock then calls `time_passed`, so
that what was not answered within three seconds fails. Rate limits alone go by real time, because
discord.py sleeps them out.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime
from types import TracebackType
from typing import Self

import stand_in_discord_description as description
import yarl
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import Route
from stand_in_discord_channels import Channel
from stand_in_discord_faults import Hold, pattern
from stand_in_discord_gateway import Gateway
from stand_in_discord_guilds import Guild
from stand_in_discord_interactions import Interaction
from stand_in_discord_people import Person
from stand_in_discord_requests import Request
from stand_in_discord_rest import Rest
from stand_in_discord_world import DM, GROUP, World

from adapters.clock import SystemClock

API = "/api/v10"
LOOKS_EVERY = 0.01  # seconds, at what the stand-in is not told of
TOKEN = "stand-in.token.of-a-bot"


def point(base: str, gateway: str) -> None:
    """Let discord.py of this process talk to a stand-in: its `base` and its `gateway_at`."""
    Route.BASE = base
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


class StandInDiscord(World):
    def __init__(
        self,
        *,
        now: Callable[[], datetime] | None = None,
        token: str = TOKEN,
        shards: int = 1,
        privileged: int = 0,
        patience: float = 3.0,
        may_ping: bool = False,
    ) -> None:
        """`shards` are recommended, `privileged` the intents that are allowed beyond the usual.

        `patience` is how many real seconds people wait, whatever the clock says.
        """
        super().__init__(now or SystemClock().now, may_ping=may_ping)
        self.shards = shards
        self.privileged = privileged
        self.patience = patience
        self.token = token
        self.description = description.find()
        self.rest = Rest(self, token, self.description)
        self.gateway = Gateway(self, token)
        self.fail_next = self.rest.faults.fail_next
        self.limit = self.rest.faults.limit
        self.base = ""
        self._before = Route.BASE, str(DiscordWebSocket.DEFAULT_GATEWAY)

    @property
    def requests(self) -> list[Request]:
        """All that was asked of REST, with the times and how it was answered."""
        return self.rest.requests

    def sent(self, what: str) -> list[Request]:
        """The requests like `POST /channels/...`."""
        like = pattern(what)
        return [request for request in self.requests if like.fullmatch(request.line)]

    def hold(self, what: str, *, after_effect: bool = False) -> Hold:
        """Keep the next such request until it is released: `arrived` tells that it is there."""
        return self.rest.faults.hold(what, after_effect=after_effect)

    def guild(self, name: str, *, locale: str = "en-US", with_bot: bool = True) -> Guild:
        """A server; `with_bot=False`: only people who installed the bot can use it there."""
        return Guild(self, name, locale=locale, with_bot=with_bot)

    def person(self, name: str, *, locale: str = "en-US") -> Person:
        """Somebody who is in no server yet."""
        return Person(self, name, locale)

    def private_channel(self, *people: Person) -> Channel:
        """Where people write to each other without the bot: two, or a group."""
        kind = DM if len(people) == 2 else GROUP
        return Channel(self, kind, "Friends", recipients=people)

    def reset_token(self) -> None:
        """The operator asks for a new token: the old one is good for nothing any more."""
        self.token += "-anew"
        self.rest.token = self.gateway.token = self.token
        self.gateway.end(4004)

    def repeat(self, interaction: Interaction) -> None:
        """Deliver an interaction once more, the same."""
        guild = interaction.channel.guild
        number = guild.id if guild and guild.has_bot else None
        self.emit("INTERACTION_CREATE", interaction.payload(), guild=number)

    def time_passed(self) -> None:
        """Look at the clock: what is not answered within three seconds of it fails."""
        for interaction in self.interactions.values():
            if interaction.callback is None and interaction.is_late:
                interaction.tell()

    async def until(self, condition: Callable[[], object], seconds: float = 10) -> None:
        """Wait until something is so, here or in the bot."""
        async with asyncio.timeout(seconds):
            while not condition():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOKS_EVERY):
                        await self.changed.wait()

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=32 * 1024 * 1024)
        app.router.add_get("/gateway/", self.gateway.serve)
        app.router.add_get("/files/{path:.*}", self._serve_file)
        app.router.add_route("*", API + "/{path:.*}", self.rest.serve)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.base = f"http://{host}:{port}{API}"
        self.files_at = f"http://{host}:{port}/files"
        self.gateway_at = f"ws://{host}:{port}/gateway/"
        self._before = Route.BASE, str(DiscordWebSocket.DEFAULT_GATEWAY)
        point(self.base, self.gateway_at)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        point(*self._before)
        self.rest.faults.release_all()
        await self.gateway.stop()
        await self._runner.cleanup()
        if error is None:
            assert not self.rest.slips, self.rest.slips

    async def _serve_file(self, http: web.Request) -> web.Response:
        content = self.files.get(http.match_info["path"])
        return web.Response(status=404) if content is None else web.Response(body=content)
