"""Where Discord has quizbot's commands: everywhere or in one server, and never in both."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import aiohttp
import discord
from discord.http import Route

from adapters.discord.client import Account
from adapters.discord.commands import Payload, fingerprint, payloads
from adapters.discord.pauses import Pauses
from bot.commands import COMMANDS
from bot.ports import Clock

LOOKED_AT = 25
"""So many servers are looked through for commands of their own: a bot that has a server for
development is in few. In others they are found when somebody uses one."""

NO_MEMBER = (10004, 50001)
"""The codes with which Discord tells nothing of a server."""

_OURS = re.compile(f"[a-z0-9_-]{{0,16}}({'|'.join(re.escape(one.name) for one in COMMANDS)})")

_log = logging.getLogger(__name__)


class Scopes:
    """Keeps the commands as the table has them, in the scope of the settings alone."""

    def __init__(self, client: discord.Client, clock: Clock, account: Account) -> None:
        self._client = client
        self._clock = clock
        self._account = account
        self._used: set[int] = set()
        self._news = asyncio.Event()

    def uses(self, command: Mapping[str, Any]) -> None:
        """Somebody has used a command: if it is of another server's own, it is one too many."""
        guild = command.get("guild_id")
        if guild is not None and int(guild) != self._account.guild:
            self._used.add(int(guild))
            self._news.set()

    async def keep_told(self) -> None:
        await self._insist(partial(sync, self._client, self._account))
        while True:
            await self._news.wait()
            self._news.clear()
            while self._used:
                guild = next(iter(self._used))
                await self._insist(partial(take_away, self._client, guild))
                self._used.discard(guild)

    async def _insist(self, tell: Callable[[], Awaitable[object]]) -> None:
        pauses = Pauses(self._clock)
        while True:
            asked = 0.0
            try:
                await tell()
                return
            except discord.RateLimited as error:
                asked = error.retry_after
                _log.warning("Discord takes the commands in %.0f s at the earliest", asked)
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                _log.warning("Discord was not told the commands (%s)", error)
            await pauses.wait(asked)


async def sync(client: discord.Client, account: Account) -> bool:
    """Tell Discord what is new, and take away what stands elsewhere. Raises HTTPException."""
    wanted = payloads(account.prefix, everywhere=account.guild is None)
    is_new = fingerprint(await known(client, account.guild)) != fingerprint(wanted)
    if is_new:
        await client.http.request(_route("PUT", client, account.guild), json=wanted)
        _log.info("told Discord %d commands (%s)", len(wanted), fingerprint(wanted))
    async for scope, _ in strays(client, account):
        await take_away(client, scope)
    return is_new


async def known(client: discord.Client, guild: int | None) -> list[Payload]:
    """The commands that Discord has, everywhere or in one server."""
    route = _route("GET", client, guild)
    told: list[Payload] = await client.http.request(route, params={"with_localizations": "true"})
    return told


async def strays(
    client: discord.Client, account: Account
) -> AsyncIterator[tuple[int | None, list[Payload]]]:
    """Other scopes that have commands of quizbot, which people there would see twice."""
    scopes: list[int | None] = [None]
    scopes += [guild.id async for guild in client.fetch_guilds(limit=LOOKED_AT)]
    for scope in scopes:
        if scope == account.guild:
            continue
        found = await _ours(client, scope)
        if found:
            yield scope, found


async def take_away(client: discord.Client, scope: int | None) -> None:
    """All commands of quizbot there, under whatever prefix; what else there is stays."""
    found = await _ours(client, scope)
    for command in found:
        await client.http.request(_route("DELETE", client, scope, command["id"]))
    _log.info("took %d commands away from %s", len(found), scope or "everywhere")


async def _ours(client: discord.Client, scope: int | None) -> list[Payload]:
    try:
        told = await known(client, scope)
    except discord.HTTPException as error:
        if scope is None or error.code not in NO_MEMBER:
            raise
        return []
    return [one for one in told if _OURS.fullmatch(str(one["name"]))]


def _route(method: str, client: discord.Client, guild: int | None, command: object = None) -> Route:
    path = "/applications/{application_id}"
    path += "/commands" if guild is None else "/guilds/{guild_id}/commands"
    path += "" if command is None else "/{command_id}"
    return Route(
        method,
        path,
        application_id=client.application_id,
        guild_id=guild,
        command_id=command,
    )
