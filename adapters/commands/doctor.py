"""`quizbot doctor`: whether all is well with everything that is set up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import TYPE_CHECKING

import typer

from adapters.commands.base import (
    DONE,
    FAULTS,
    UNAVAILABLE,
    WRONG_USE,
    Failed,
    configured,
    say,
    tell,
)
from adapters.commands.dailies import look_at_dailies
from adapters.commands.slack import look_at_slack, refuse_half_settings, slack_accesses
from adapters.findings import Checkup, Database, Finding, OutOfReach

if TYPE_CHECKING:
    from adapters.discord.client import Account
    from adapters.settings import Settings

_SIGNS = {"well": "ok   ", "note": "note ", "fault": "fault"}


def doctor(context: typer.Context) -> int:
    """Look whether all is well with the platforms that are set up.

    A line for each thing that was looked at, with what to do about it.
    """
    settings = configured(context, quiet=True)
    refuse_half_settings(settings)
    if settings.discord_token is None and not settings.slack:
        raise Failed(
            "No platform is set up: set DISCORD_TOKEN, as README.md says under Connect Discord, "
            "or Slack's tokens, as under Connect Slack.",
            WRONG_USE,
        )
    return asyncio.run(_look(settings))


async def _look(settings: Settings) -> int:
    """What cannot be reached keeps nobody from looking at the rest."""
    database = await _look_at_database(settings)
    code = UNAVAILABLE if database == "out of reach" else DONE
    checkups = tuple(_checkups(settings, database))
    for checkup in checkups:
        if len(checkups) > 1:
            say(checkup.of)
        try:
            async for finding in checkup.look():
                say(_line(finding))
                code = max(code, FAULTS if finding.state == "fault" else DONE)
        except OutOfReach as error:
            tell(str(error))
            code = UNAVAILABLE
    return code


async def _look_at_database(settings: Settings) -> Database:
    """Looked at first, since much is read of it; nothing is made or changed by that."""
    from bot.store.addresses import StoreUnavailable, read_address
    from bot.store.inspection import is_there

    try:
        return "there" if await is_there(read_address(settings.database_url)) else "none yet"
    except StoreUnavailable as error:
        tell(str(error))
        return "out of reach"


def _checkups(settings: Settings, database: Database) -> Iterator[Checkup]:
    from adapters.accounts import discord_account

    account = discord_account(settings)
    if account is not None:
        yield Checkup("Discord", partial(_look_at_discord, settings, account, database))
    if settings.slack:
        yield Checkup("Slack", partial(_look_at_slack, settings, database))


async def _look_at_discord(
    settings: Settings, account: Account, database: Database
) -> AsyncIterator[Finding]:
    from adapters.discord.channels import accesses
    from adapters.discord.checkup import look

    is_known = True
    async for finding in look(account):
        is_known = is_known and not finding.what.startswith("token: Discord does not")
        yield finding
    if is_known and database == "there":
        async for finding in look_at_dailies(settings, "discord", partial(accesses, account)):
            yield finding


async def _look_at_slack(settings: Settings, database: Database) -> AsyncIterator[Finding]:
    is_known = True
    async for finding in look_at_slack(settings, database):
        is_known = is_known and not finding.what.startswith("bot token: Slack does not")
        yield finding
    if is_known and database == "there":
        async for finding in look_at_dailies(settings, "slack", partial(slack_accesses, settings)):
            yield finding


def _line(finding: Finding) -> str:
    mend = f": {finding.mend}" if finding.mend else ""
    return f"{_SIGNS[finding.state]}  {finding.what}{mend}"
