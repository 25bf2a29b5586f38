"""quizbot on Discord: one client, one dispatch for all that people do there."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta

import aiohttp
import discord
from discord import app_commands

from adapters.discord import commands, read, replies
from adapters.discord.client import Account, Client, login
from adapters.discord.connection import Connection
from adapters.discord.controls import CHOICE, MOST_CHOICES, line
from adapters.discord.invitation import invite
from adapters.discord.scopes import Scopes
from adapters.discord.servers import Servers
from adapters.discord.surface import DiscordSurface
from adapters.under_way import UnderWay, done_by
from bot.app import QuizApp
from bot.calls import Where
from bot.messages import Choice, Reply
from bot.ports import Clock

_AT_THE_LATEST = timedelta(seconds=1)
"""So soon a person is told something; Discord gives up after three seconds."""

_SUGGESTED_FOR = timedelta(seconds=2.5)
_LAST_WORDS = 3.0

_log = logging.getLogger(__name__)


class DiscordBot:
    """What connects, listens and answers."""

    def __init__(self, app: QuizApp, clock: Clock, account: Account) -> None:
        self._app = app
        self._clock = clock
        self._account = account
        self._client = Client(self, account)
        self._connection = Connection(self._client, clock)
        self._scopes = Scopes(self._client, clock, account)
        self.servers = Servers(self._client, app, clock)
        self._working = UnderWay()
        self._telling = UnderWay()
        self._tasks: list[asyncio.Task[None]] = []
        self.surface = DiscordSurface(self._client, clock)
        self.heard_at: datetime | None = None
        """When Discord last sent anything; it answers a heartbeat of each shard once a minute."""

    @property
    def is_open(self) -> bool:
        """Whether what people do is heard, on every shard of this process."""
        return self._connection.is_open

    @property
    def name(self) -> str:
        return str(self._client.user or "")

    @property
    def invite(self) -> str:
        return invite(self._client.application_id or 0)

    async def log_in(self) -> None:
        """From now on it can post. Raises WrongToken, DiscordUnavailable."""
        await login(self._client, self._account.token)

    def connect(self) -> None:
        """From now on it hears what people do, as soon as Discord lets it."""
        self._tasks = [
            asyncio.create_task(self._connection.keep()),
            asyncio.create_task(self.servers.keep_told()),
            asyncio.create_task(self._scopes.keep_told()),
        ]

    async def wait_until_ready(self) -> None:
        await self._client.wait_until_ready()

    async def wait_until_ended(self) -> str:
        """Why Discord has ended the connection for good; until it does, nothing."""
        return await self._connection.wait_until_ended()

    async def finish(self) -> None:
        """Hear nothing more, and let what is under way be told."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._connection.stop_hearing()
        await self._telling.ended(within=_LAST_WORDS)

    async def log_out(self) -> None:
        """From now on nothing can be told: what still waits goes on, and nobody hears of it."""
        if not await self._telling.ended(within=_LAST_WORDS):
            _log.warning("%d replies came too late to be told", len(self._telling))
        await self._telling.give_up()
        await self._client.close()

    def hear(self) -> None:
        self.heard_at = self._clock.now()

    # --- what people do ------------------------------------------------------------------

    async def act(self, interaction: discord.Interaction) -> None:
        """The one dispatch: commands, buttons, selects, forms, and what is being typed."""
        if interaction.type is discord.InteractionType.ping or not read.is_whole(interaction):
            return
        if interaction.type is discord.InteractionType.autocomplete:
            telling = self._telling.begin(self._suggest(interaction))
        else:
            telling = self._telling.begin(self._answer(interaction))
        await telling

    async def _answer(self, interaction: discord.Interaction) -> None:
        try:
            await self._answered(interaction)
        except Exception as bug:  # noqa: BLE001 - nobody is left without a word
            who, where = read.who(interaction), read.where(interaction)
            said = await self._app.untold(bug, who, where, read.token(interaction))
            await replies.answer_plainly(interaction, said)

    async def _answered(self, interaction: discord.Interaction) -> None:
        received_at = self._clock.now()
        # The work goes on whatever becomes of the waiting for it.
        work = self._working.begin(self._work(interaction))
        if await done_by(received_at + _AT_THE_LATEST, work, self._clock):
            await replies.answer(interaction, work.result())
            return
        deferred = await replies.defer(interaction)
        reply = await asyncio.shield(work)
        # By one clock: Discord's may be minutes away from this host's.
        await replies.follow_up(deferred, reply, self._clock.now() - received_at)

    async def _work(self, interaction: discord.Interaction) -> Reply:
        if interaction.type is discord.InteractionType.application_command:
            self._scopes.uses(interaction.data or {})
            command = read.command(interaction, self._account.prefix)
            self._note(command.where)
            return await self._app.command(command)
        if interaction.type is discord.InteractionType.modal_submit:
            submission = read.submission(interaction)
            self._note(submission.where)
            return await self._app.submit(submission)
        click = read.click(interaction, self._clock.now())
        self._note(click.where)
        return await self._app.click(click)

    async def _suggest(self, interaction: discord.Interaction) -> None:
        """Whatever goes wrong, nothing is suggested: what was typed can be sent all the same."""
        received_at = self._clock.now()
        work = self._working.begin(self._suggested(interaction))
        in_time = await done_by(received_at + _SUGGESTED_FOR, work, self._clock)
        try:
            found = work.result() if in_time else ()
        except Exception:  # noqa: BLE001 - the core's own bugs are caught there
            _log.exception("nothing could be suggested")
            found = ()
        choices = [
            app_commands.Choice(name=line(choice.label, CHOICE), value=choice.value)
            for choice in found[:MOST_CHOICES]
            if len(choice.value) <= CHOICE
        ]
        try:
            await interaction.response.autocomplete(choices)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            # By now something else has been typed.
            _log.debug("suggestions came too late: %s", error)

    async def _suggested(self, interaction: discord.Interaction) -> tuple[Choice, ...]:
        typing = read.typing(interaction, self._account.prefix)
        source = commands.suggests(typing.command, typing.option) if typing else ""
        if typing is None or not source:
            return ()
        who, where = read.who(interaction), read.where(interaction)
        return await self._app.suggest(source, typing.text, who, where)

    def _note(self, where: Where) -> None:
        if not where.personal and not where.lacking:
            self.surface.opened(int(where.place))
