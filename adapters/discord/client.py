"""discord.py as quizbot uses it: it hands on what Discord tells, and remembers little of it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import aiohttp
import discord

from adapters.discord import gateway
from adapters.discord.trouble import WrongToken, unavailable
from adapters.discord.views import NOBODY

if TYPE_CHECKING:
    from adapters.discord.servers import Servers

_log = logging.getLogger(__name__)

# quizbot does not speak: what that would take is no loss.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
gateway.use()


@dataclass(frozen=True, slots=True)
class Account:
    """The settings of the bot on Discord. `guild` is a development server."""

    token: str
    prefix: str = ""
    guild: int | None = None
    shard_ids: tuple[int, ...] | None = None
    shard_count: int | None = None


class Listener(Protocol):
    """Who is told what comes in."""

    def hear(self) -> None:
        """Something did, be it a sign of life alone."""
        ...

    async def act(self, interaction: discord.Interaction) -> None: ...

    @property
    def servers(self) -> Servers: ...


class Client(discord.AutoShardedClient):
    def __init__(self, listener: Listener | None, account: Account) -> None:
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
        self._listener = listener
        self._has_begun = False

    async def login(self, token: str) -> None:
        self._has_begun = True
        await super().login(token)

    async def close(self) -> None:
        """Nothing is open before the login, and what discord.py closes with is not made."""
        if self._has_begun:
            await super().close()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Tell at once, and without a task for each, what has to be known at that instant."""
        if event != "socket_raw_receive":
            super().dispatch(event, *args, **kwargs)
        if self._listener is None:
            return
        if event == "socket_raw_receive":
            self._listener.hear()
        elif event == "shard_connect":
            self._listener.servers.lists(*args)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        if self._listener is not None:
            self._listener.servers.begins(shard_id or 0)
        await super().before_identify_hook(shard_id, initial=initial)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if self._listener is not None:
            await self._listener.act(interaction)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        if self._listener is not None:
            self._listener.servers.tells_of(guild)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        if self._listener is not None:
            self._listener.servers.joined(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        if self._listener is not None:
            self._listener.servers.left(guild)

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:
        _log.exception("%s failed", event_method)


def new_client(account: Account) -> discord.Client:
    """A client that only asks."""
    return Client(None, account)


async def login(client: discord.Client, token: str) -> None:
    """Ask Discord who the bot is. Raises WrongToken, DiscordUnavailable."""
    try:
        await client.login(token)
    except discord.LoginFailure as error:
        raise WrongToken from error
    except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
        raise unavailable(error) from error
