"""`quizbot discord`: how to invite the bot."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import typer

from adapters.commands.base import WRONG_USE, Failed, configured, say

if TYPE_CHECKING:
    from adapters.discord.client import Account
    from adapters.settings import Settings

discord = typer.Typer(help="Discord: the link that adds quizbot to a server.", no_args_is_help=True)


@discord.command("invite")
def invite(context: typer.Context) -> None:
    """Print the link that adds quizbot to a server, with the permissions that it needs."""
    from adapters.discord.checkup import invite_of

    account = _account(configured(context, quiet=True))
    say(asyncio.run(invite_of(account)))


def _account(settings: Settings) -> Account:
    from adapters.accounts import discord_account

    account = discord_account(settings)
    if account is None:
        raise Failed(
            "No platform is set up: set DISCORD_TOKEN, as README.md says under Connect Discord.",
            WRONG_USE,
        )
    return account
