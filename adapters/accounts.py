"""The bot's accounts as the settings have them, each in the words of its platform's adapter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import SecretStr

# What a platform needs takes long to import, and who has no token there needs none of it.
if TYPE_CHECKING:
    from adapters.discord.client import Account as DiscordAccount
    from adapters.settings import Settings
    from adapters.slack.app import Account as SlackAccount
    from adapters.slack.oauth import App as SlackApp


def discord_account(settings: Settings) -> DiscordAccount | None:
    """The settings of the bot on Discord; None where there is no token."""
    if settings.discord_token is None:
        return None
    from adapters.discord.client import Account

    return Account(
        settings.discord_token.get_secret_value(),
        settings.command_prefix,
        settings.discord_guild,
        settings.shard_ids,
        settings.shard_count,
    )


def slack_account(settings: Settings) -> SlackAccount | None:
    """The settings of the bot on Slack; None where there is none."""
    if not settings.slack:
        return None
    from adapters.slack.app import Account

    return Account(
        "" if settings.slack_installs else _secret(settings.slack_bot_token),
        _secret(settings.slack_app_token),
        _secret(settings.slack_signing),
    )


def slack_app(settings: Settings) -> SlackApp:
    """The app that workspaces install for themselves."""
    from adapters.slack.oauth import App as SlackApp

    return SlackApp(
        settings.slack_client_id or "",
        _secret(settings.slack_client_secret),
        _secret(settings.secret_key),
        settings.slack_command,
    )


def _secret(given: SecretStr | None) -> str:
    return given.get_secret_value() if given is not None else ""
