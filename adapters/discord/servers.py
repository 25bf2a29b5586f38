"""The servers that the bot is in, told to the core until it has taken it."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable

import discord

from adapters.discord import read
from adapters.discord.client import Client
from adapters.discord.pauses import Pauses
from bot.app import QuizApp
from bot.calls import Where
from bot.ports import Clock
from bot.store.addresses import StoreUnavailable

_MOST_REMEMBERED = 1_000

_log = logging.getLogger(__name__)


class Servers:
    """What Discord says at the beginning of each session is compared with what is stored.

    So nothing that happened meanwhile is missed: neither while quizbot was off, nor while the
    database was. What comes in between is remembered until it is stored, the last for each server;
    where that becomes too much, its shard is compared again.
    """

    def __init__(self, client: Client, app: QuizApp, clock: Clock) -> None:
        self._client = client
        self._app = app
        self._clock = clock
        self._before: dict[int, dict[int, discord.Guild]] = {}
        self._beginning: set[int] = set()
        self._named: dict[int, set[int]] = {}
        self._listed: set[int] = set()
        self._changed: OrderedDict[int, tuple[bool, Where]] = OrderedDict()
        self._news = asyncio.Event()

    def begins(self, shard: int) -> None:
        """A shard begins a new session: what that does not list stays in the cache, as it is."""
        self._before[shard] = {guild.id: guild for guild in self._of(shard)}
        self._beginning.add(shard)

    def lists(self, shard: int) -> None:
        """Discord has just listed the servers of a shard."""
        self._beginning.discard(shard)
        self._named[shard] = self._of_this_session(shard)
        self._listed.add(shard)
        self._news.set()

    def tells_of(self, guild: discord.Guild) -> None:
        """What a server is like: in a session's first seconds, that is all of one just added."""
        if guild.id not in self._named.get(guild.shard_id, ()):
            self.joined(guild)

    def joined(self, guild: discord.Guild) -> None:
        self._note(guild, is_there=True)

    def left(self, guild: discord.Guild) -> None:
        self._named.get(guild.shard_id, set()).discard(guild.id)
        self._note(guild, is_there=False)

    async def keep_told(self) -> None:
        pauses = Pauses(self._clock)
        while True:
            await self._news.wait()
            self._news.clear()
            try:
                await self._tell()
            except StoreUnavailable as error:
                _log.warning("servers that come and go are noted later: %s", error)
                self._news.set()
                await pauses.wait()
            else:
                pauses.begin_anew()

    async def _tell(self) -> None:
        """What is stored is forgotten here; what makes trouble too, unless it is the database."""
        while self._listed:
            shard = next(iter(self._listed))
            if shard not in self._beginning:
                await self._told(self._reconcile(shard))
            self._listed.discard(shard)
        while self._changed:
            guild_id, change = next(iter(self._changed.items()))
            is_there, where = change
            await self._told(self._app.joined(where) if is_there else self._app.left(where))
            if self._changed.get(guild_id) is change:
                del self._changed[guild_id]

    async def _told(self, telling: Awaitable[None]) -> None:
        try:
            await telling
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001 - one server must not keep the others from being noted
            _log.exception("what came of a server was not noted")

    async def _reconcile(self, shard: int) -> None:
        there = set(map(str, self._of_this_session(shard)))
        await self._app.reconcile(read.PLATFORM, there, lambda key: self._shard_of(key) == shard)

    def _of_this_session(self, shard: int) -> set[int]:
        """Those that were listed again are other objects than before."""
        before = self._before.get(shard, {})
        return {guild.id for guild in self._of(shard) if before.get(guild.id) is not guild}

    def _of(self, shard: int) -> list[discord.Guild]:
        """Servers whose outage is known count as there."""
        return [guild for guild in self._client.guilds if guild.shard_id == shard]

    def _shard_of(self, key: str) -> int | None:
        """The shard that hears of a server; other processes may run it."""
        return (int(key) >> 22) % (self._client.shard_count or 1) if key.isdigit() else None

    def _note(self, guild: discord.Guild, *, is_there: bool) -> None:
        self._changed[guild.id] = is_there, greeting_place(guild)
        self._changed.move_to_end(guild.id)
        if len(self._changed) > _MOST_REMEMBERED:
            forgotten, _ = self._changed.popitem(last=False)
            self._listed.add(self._shard_of(str(forgotten)) or 0)
        self._news.set()


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
