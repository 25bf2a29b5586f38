"""Looks into channels without being connected: asked of Discord each time."""

from __future__ import annotations

from collections.abc import Sequence

import aiohttp
import discord

from adapters.discord.client import Account, login, new_client
from adapters.discord.read import lacking
from adapters.discord.trouble import DiscordBusy, DiscordUnavailable
from bot.ports import Access, Target


async def accesses(account: Account, targets: Sequence[Target]) -> list[Access | None]:
    """Whether the bot may post in each; None where it sees no such channel in that server.

    Raises WrongToken, DiscordUnavailable.
    """
    client = new_client(account)
    try:
        await login(client, account.token)
        guilds: dict[str, tuple[discord.Guild, discord.Member] | None] = {}
        found = []
        for target in targets:
            if target.community not in guilds:
                guilds[target.community] = await _guild(client, target.community)
            there = guilds[target.community]
            found.append(None if there is None else await _access(*there, target.place))
        return found
    except discord.RateLimited as error:
        raise DiscordBusy(error.retry_after) from error
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        raise DiscordUnavailable(error) from error
    finally:
        await client.close()


async def _guild(
    client: discord.Client, community: str
) -> tuple[discord.Guild, discord.Member] | None:
    """A server with its roles, and the bot as a member of it."""
    try:
        guild = await client.fetch_guild(int(community), with_counts=False)
        assert client.user is not None, "it is logged in"
        return guild, await guild.fetch_member(client.user.id)
    except (discord.NotFound, discord.Forbidden):
        return None


async def _access(guild: discord.Guild, me: discord.Member, place: str) -> Access | None:
    try:
        channel = await guild.fetch_channel(int(place))
    except (discord.NotFound, discord.Forbidden, discord.InvalidData):
        return None
    if isinstance(channel, discord.Thread):
        parent = await guild.fetch_channel(channel.parent_id)
        assert not isinstance(parent, discord.Thread), "threads have none below them"
        return Access(lacking(parent.permissions_for(me), in_thread=True), name=channel.name)
    return Access(lacking(channel.permissions_for(me), in_thread=False), name=channel.name)
