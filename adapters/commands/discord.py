"""`quizbot doctor` and `quizbot discord`: whether all is well there, and how to invite the bot."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import typer

from adapters.commands.base import DONE, FAULTS, WRONG_USE, Failed, configured, say

if TYPE_CHECKING:
    from adapters.discord.app import Account
    from adapters.settings import Settings

_SIGNS = {"well": "ok   ", "note": "note ", "fault": "fault"}

discord = typer.Typer(help="Discord: the link that adds quizbot to a server.", no_args_is_help=True)


def doctor(context: typer.Context) -> int:
    """Look whether all is well with the platforms that are set up.

    A line for each thing that was looked at, with what to do about it.
    """
    return asyncio.run(_doctor(_account(configured(context, quiet=True))))


@discord.command("invite")
def invite(context: typer.Context) -> None:
    """Print the link that adds quizbot to a server, with the permissions that it needs."""
    from adapters.discord.checkup import invite_of

    account = _account(configured(context, quiet=True))
    say(asyncio.run(invite_of(account)))


async def _doctor(account: Account) -> int:
    from adapters.discord.checkup import look

    code = DONE
    async for finding in look(account):
        mend = f": {finding.mend}" if finding.mend else ""
        say(f"{_SIGNS[finding.state]}  {finding.what}{mend}")
        if finding.state == "fault":
            code = FAULTS
    return code


def _account(settings: Settings) -> Account:
    from adapters.running import discord_account

    account = discord_account(settings)
    if account is None:
        raise Failed(
            "No platform is set up: set DISCORD_TOKEN, as README.md says under Connect Discord.",
            WRONG_USE,
        )
    return account
