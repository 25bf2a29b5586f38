"""Looks whether all is well between quizbot and Discord, without connecting."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import aiohttp
import discord

from adapters.discord import commands, scopes
from adapters.discord.client import Account, login, new_client
from adapters.discord.invitation import invite
from adapters.discord.trouble import WrongToken, unavailable
from adapters.findings import Finding

_PORTAL = "https://discord.com/developers/applications"


async def look(account: Account) -> AsyncIterator[Finding]:
    """Each finding as soon as it is known. Raises DiscordUnavailable."""
    client = new_client(account)
    try:
        try:
            await login(client, account.token)
        except WrongToken as error:
            yield Finding("fault", "token: Discord does not know it", error.mend)
            return
        yield Finding("well", f"token: Discord knows it as {client.user}")
        application = await client.application_info()
        for finding in (*_application(application), _intents(application)):
            yield finding
        async for finding in _commands(client, account):
            yield finding
        yield Finding("well", f"invite: {invite(application.id)}")
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        raise unavailable(error) from error
    finally:
        await client.close()


async def invite_of(account: Account) -> str:
    """The link for this token. Raises WrongToken, DiscordUnavailable."""
    client = new_client(account)
    try:
        await login(client, account.token)
        return invite(client.application_id or 0)
    finally:
        await client.close()


def _application(application: discord.AppInfo) -> Iterator[Finding]:
    page = f"{_PORTAL}/{application.id}"
    servers = application.approximate_guild_count
    count = f", in {servers} server" + ("" if servers == 1 else "s")
    yield Finding("well", f"application: {application.name} ({application.id}){count}")
    if not application.bot_public:
        yield Finding(
            "note",
            "application: only you can add it to a server",
            f"for others to do so, switch Public Bot on at {page}/bot",
        )
    if application.bot_require_code_grant:
        yield Finding(
            "fault",
            "application: the invite link does not work with Requires OAuth2 Code Grant",
            f"switch it off at {page}/bot",
        )
    if application.interactions_endpoint_url:
        yield Finding(
            "fault",
            "application: Discord sends what people press to a web address, and not here",
            f"empty Interactions Endpoint URL at {page}/information",
        )


def _intents(application: discord.AppInfo) -> Finding:
    flags = application.flags
    given = {
        "Presence": flags.gateway_presence or flags.gateway_presence_limited,
        "Server Members": flags.gateway_guild_members or flags.gateway_guild_members_limited,
        "Message Content": flags.gateway_message_content or flags.gateway_message_content_limited,
    }
    names = [name for name, is_given in given.items() if is_given]
    if not names:
        return Finding("well", "intents: none is privileged, and none is needed")
    page = f"{_PORTAL}/{application.id}/bot"
    return Finding(
        "note", f"intents: quizbot needs none of {', '.join(names)}", f"switch them off at {page}"
    )


async def _commands(client: discord.Client, account: Account) -> AsyncIterator[Finding]:
    wanted = commands.payloads(account.prefix, everywhere=account.guild is None)
    place = _place(account.guild)
    try:
        told = await scopes.known(client, account.guild)
    except discord.HTTPException as error:
        if error.code not in scopes.NO_MEMBER:
            raise
        yield Finding(
            "fault",
            f"commands: quizbot is no member of server {account.guild}",
            "invite it, or mend QUIZBOT_DISCORD_GUILD",
        )
        return
    if commands.fingerprint(told) == commands.fingerprint(wanted):
        yield Finding("well", f"commands: {len(told)} as they should be, {place}")
    else:
        have = f"Discord has {len(told)} others" if told else "Discord has none"
        yield Finding("note", f"commands: {have} {place}", "quizbot run tells it the new ones")
    async for scope, strays in scopes.strays(client, account):
        yield Finding(
            "note",
            f"commands: {len(strays)} stand {_place(scope)} too, and people see them twice",
            "quizbot run takes them away",
        )


def _place(scope: int | None) -> str:
    return "everywhere" if scope is None else f"in server {scope}"
