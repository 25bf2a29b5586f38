"""quizbot on Discord: one client, one dispatch for all that people do there."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import aiohttp
import discord
from discord import app_commands

from adapters.discord import commands, read, replies
from adapters.discord.controls import CHOICE, MOST_CHOICES, line
from adapters.discord.invitation import invite
from adapters.discord.surface import DiscordSurface
from adapters.discord.trouble import DiscordBusy, DiscordUnavailable, WrongToken
from adapters.discord.views import NOBODY
from bot.app import QuizApp
from bot.calls import Where
from bot.messages import Reply
from bot.ports import Clock

_AT_THE_LATEST = timedelta(seconds=1)
"""So soon a person is told something; Discord gives up after three seconds."""

_FIRST_PAUSE, _LONGEST_PAUSE = 5.0, 300.0
_LAST_WORDS = 3.0

_log = logging.getLogger(__name__)

# quizbot does not speak: what that would take is no loss.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


@dataclass(frozen=True, slots=True)
class Account:
    """The settings of the bot on Discord. `guild` is a development server."""

    token: str
    prefix: str = ""
    guild: int | None = None
    shard_ids: tuple[int, ...] | None = None
    shard_count: int | None = None


class DiscordBot:
    """What connects, listens and answers."""

    def __init__(self, app: QuizApp, clock: Clock, account: Account) -> None:
        self._app = app
        self._clock = clock
        self._account = account
        self._client = _Client(self, account)
        self._working: set[asyncio.Task[Reply]] = set()
        self._telling: set[asyncio.Task[None]] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self.surface = DiscordSurface(self._client, clock)
        self.heard_at: datetime | None = None
        """When Discord last sent anything; it answers a heartbeat of each shard once a minute."""

    @property
    def is_open(self) -> bool:
        """Whether what people do is heard, on every shard of this process."""
        shards = self._client.shards.values()
        return self._client.is_ready() and not any(shard.is_closed() for shard in shards)

    @property
    def name(self) -> str:
        return str(self._client.user or "")

    @property
    def invite(self) -> str:
        return invite(self._client.application_id or 0)

    async def log_in(self) -> None:
        """From now on it can post. Raises WrongToken, DiscordUnavailable."""
        try:
            await login(self._client, self._account.token)
        except (WrongToken, DiscordUnavailable):
            await self._client.close()
            raise

    def connect(self) -> None:
        """From now on it hears what people do, as soon as Discord lets it."""
        self._tasks = [
            asyncio.create_task(self._keep_connected()),
            asyncio.create_task(self._tell_commands()),
        ]

    async def wait_until_ready(self) -> None:
        await self._client.wait_until_ready()

    async def finish(self) -> None:
        """Let what is under way be told."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._telling:
            await asyncio.wait(self._telling, timeout=_LAST_WORDS)

    async def log_out(self) -> None:
        """Until now what was pressed has still been heard; it is told, if that can still be."""
        await self._client.close()
        if self._telling:
            await asyncio.wait(self._telling, timeout=_LAST_WORDS)

    # --- what people do ------------------------------------------------------------------

    async def act(self, interaction: discord.Interaction) -> None:
        """The one dispatch: commands, buttons, selects, forms, and what is being typed."""
        if interaction.type is discord.InteractionType.ping or not read.is_whole(interaction):
            return
        if interaction.type is discord.InteractionType.autocomplete:
            await self._suggest(interaction)
        else:
            telling = asyncio.create_task(self._answer(interaction))
            self._telling.add(telling)
            telling.add_done_callback(self._telling.discard)
            await telling

    async def _answer(self, interaction: discord.Interaction) -> None:
        received_at = self._clock.now()
        # The work goes on whatever becomes of the waiting for it.
        work = asyncio.create_task(self._work(interaction))
        self._working.add(work)
        work.add_done_callback(self._working.discard)
        is_done = asyncio.Event()
        work.add_done_callback(lambda _: is_done.set())
        await self._clock.wait(is_done, received_at + _AT_THE_LATEST)
        if work.done():
            await replies.answer(interaction, work.result())
            return
        deferred = await replies.defer(interaction)
        reply = await asyncio.shield(work)
        # By one clock: Discord's may be minutes away from this host's.
        await replies.follow_up(deferred, reply, self._clock.now() - received_at)

    async def _work(self, interaction: discord.Interaction) -> Reply:
        if interaction.type is discord.InteractionType.application_command:
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
        typing = read.typing(interaction, self._account.prefix)
        source = commands.suggests(typing.command, typing.option) if typing else ""
        if typing is None or not source:
            return
        who, where = read.who(interaction), read.where(interaction)
        found = await self._app.suggest(source, typing.text, who, where)
        choices = [
            app_commands.Choice(name=line(choice.label, CHOICE), value=choice.value)
            for choice in found[:MOST_CHOICES]
            if len(choice.value) <= CHOICE
        ]
        try:
            await interaction.response.autocomplete(choices)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            # By now something else has been typed.
            _log.debug("suggestions came too late: %s", error)

    def _note(self, where: Where) -> None:
        if not where.personal and not where.lacking:
            self.surface.opened(int(where.place))

    # --- coming and going ----------------------------------------------------------------

    def hear(self) -> None:
        self.heard_at = self._clock.now()

    async def joined(self, guild: discord.Guild) -> None:
        await self._app.joined(greeting_place(guild))

    async def left(self, guild: discord.Guild) -> None:
        await self._app.left(greeting_place(guild))

    async def _keep_connected(self) -> None:
        """discord.py reconnects by itself; this begins again where it could not even begin."""
        pause = _FIRST_PAUSE
        while not self._client.is_closed():
            try:
                await self._client.connect(reconnect=True)
            except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
                if self._client.is_closed():
                    _log.error("Discord ended the connection for good: %s", error)
                    return
                _log.warning("no connection to Discord (%s); again in %.0f s", error, pause)
            await self._clock.wait(asyncio.Event(), self._clock.now() + timedelta(seconds=pause))
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _tell_commands(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            try:
                await commands.sync(self._client, self._account.prefix, self._account.guild)
                return
            except discord.RateLimited as error:
                pause = error.retry_after
                _log.warning("Discord takes the commands in %.0f s at the earliest", pause)
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                _log.warning("Discord was not told the commands (%s)", error)
            await self._clock.wait(asyncio.Event(), self._clock.now() + timedelta(seconds=pause))
            pause = min(2 * pause, _LONGEST_PAUSE)


class _Client(discord.AutoShardedClient):
    """Hands on what Discord tells, and remembers no more than it must."""

    def __init__(self, bot: DiscordBot | None, account: Account) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=NOBODY,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            # What Discord wants to wait for longer, the schedule does.
            max_ratelimit_timeout=30.0,
            shard_count=account.shard_count,
            # Else discord.py does not say when it got a sign of life.
            enable_debug_events=True,
        )
        self.shard_ids = None if account.shard_ids is None else list(account.shard_ids)
        self._bot = bot

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Note that something came in, without a task for each time that it does."""
        if event != "socket_raw_receive":
            super().dispatch(event, *args, **kwargs)
        elif self._bot is not None:
            self._bot.hear()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if self._bot is not None:
            await self._bot.act(interaction)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        if self._bot is not None:
            await self._bot.joined(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        if self._bot is not None:
            await self._bot.left(guild)

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:
        _log.exception("%s failed", event_method)


def new_client(account: Account) -> discord.Client:
    """A client that only asks."""
    return _Client(None, account)


async def login(client: discord.Client, token: str) -> None:
    """Ask Discord who the bot is. Raises WrongToken, DiscordUnavailable."""
    try:
        await client.login(token)
    except discord.LoginFailure as error:
        raise WrongToken from error
    except discord.RateLimited as error:
        raise DiscordBusy(error.retry_after) from error
    except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as error:
        raise DiscordUnavailable(error) from error


def greeting_place(guild: discord.Guild) -> Where:
    """The system channel, if the bot may write there; else none, under the server's own id."""
    channel = guild.system_channel
    missing: tuple[str, ...] = (read.SEND,)
    if channel is not None:
        missing = read.lacking(channel.permissions_for(guild.me), in_thread=False)
    return Where(
        read.PLATFORM,
        str(guild.id),
        str(guild.id if channel is None else channel.id),
        community_name=guild.name,
        place_name="" if channel is None else channel.name,
        locale=guild.preferred_locale.value,
        lacking=missing,
    )
