"""`quizbot slack`: the manifest of the app; and which settings of Slack's go together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.commands.base import WRONG_USE, Failed, configured, say
from adapters.credentials import MAKE_A_KEY
from adapters.findings import Database, Finding

if TYPE_CHECKING:
    from adapters.settings import Settings
    from bot.ports import Access, Target

slack = typer.Typer(help="Slack: what its app is made from.", no_args_is_help=True)

_NO_ADDRESS = (
    "With these settings Slack calls quizbot: give the address at which it does, as in "
    "quizbot slack manifest --url https://quizbot.example.org."
)


@slack.callback()
def _one_of_several() -> None:
    """Slack: what its app is made from."""


@slack.command("manifest")
def manifest(
    context: typer.Context,
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Where Slack reaches quizbot, for HTTP and OAuth."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Print the manifest to make the Slack app from, at https://api.slack.com/apps.

    It is for Socket Mode, unless the settings or an address say otherwise.
    """
    from adapters.slack.manifest import Wishes, as_yaml, web_root
    from adapters.slack.manifest import as_json as written_as_json

    settings = configured(context, quiet=True)
    try:
        root = web_root(url) if url is not None else ""
    except ValueError as error:
        raise Failed(f"{url} is no such address: {error}.", WRONG_USE) from None
    has_sockets = settings.slack_app_token is not None
    by_http = not has_sockets and (root or settings.slack_signing is not None)
    oauth = settings.slack_client_id is not None
    if not root and (by_http or oauth):
        raise Failed(_NO_ADDRESS, WRONG_USE)
    # Who gives an address before there is an app means to let several workspaces in.
    oauth = oauth or bool(root and settings.slack_bot_token is None)
    wishes = Wishes(settings.slack_command, not by_http, oauth, root)
    say((written_as_json if as_json else as_yaml)(wishes).rstrip())


async def look_at_slack(settings: Settings, database: Database) -> AsyncIterator[Finding]:
    """What `quizbot doctor` finds. Raises SlackUnavailable, StoreUnavailable."""
    from adapters.accounts import slack_account, slack_app
    from adapters.clock import SystemClock
    from adapters.slack.checkup import Looked, look
    from bot.store.addresses import read_address
    from bot.store.store import Store

    account, clock, store = slack_account(settings), SystemClock(), None
    assert account is not None, "it is asked for where there is one"
    app = slack_app(settings) if settings.slack_installs else None
    if app is not None and database == "there":
        store = Store(read_address(settings.database_url), zone=settings.zone, clock=clock)
    listens = f"{settings.host}:{settings.port}"
    looked = Looked(account, settings.slack_command, listens, app, store, database)
    try:
        async for finding in look(looked, clock):
            yield finding
    finally:
        if store is not None:
            await store.close()


async def slack_accesses(settings: Settings, targets: Sequence[Target]) -> list[Access | None]:
    """Whether quizbot may post in each. Raises SlackUnavailable, StoreUnavailable."""
    from adapters.accounts import slack_account, slack_app
    from adapters.clock import SystemClock
    from adapters.slack.channels import accesses
    from adapters.slack.installations import Installations
    from adapters.slack.sealing import Seal
    from bot.store.addresses import read_address
    from bot.store.store import Store

    account, clock = slack_account(settings), SystemClock()
    assert account is not None, "it is asked for where there is one"
    if not settings.slack_installs:
        return await accesses(lambda _: account.bot_token, targets, clock)
    app = slack_app(settings)
    assert app is not None, "workspaces install it"
    store = Store(read_address(settings.database_url), zone=settings.zone, clock=clock)
    try:
        kept = Installations(store, Seal(app.secret_key), app.client_id, clock)
        tokens = {held.id: held.token for held in await kept.every()}
    finally:
        await store.close()
    return await accesses(tokens.get, targets, clock)


def refuse_half_settings(settings: Settings) -> None:
    """Raises Failed where what is set of Slack's cannot work, with what is missing."""
    sentence = _what_is_missing(settings)
    if sentence:
        raise Failed(sentence, WRONG_USE)


def unused_settings(settings: Settings) -> str:
    """A line about what is set for nothing; empty where all is used."""
    if settings.slack_installs and settings.slack_bot_token is not None:
        return (
            "SLACK_BOT_TOKEN is not used: with SLACK_CLIENT_ID each workspace that installs "
            "quizbot has a token of its own."
        )
    return ""


def _what_is_missing(settings: Settings) -> str:
    id_, secret = settings.slack_client_id, settings.slack_client_secret
    if id_ is not None and secret is None:
        return "SLACK_CLIENT_ID is set: set SLACK_CLIENT_SECRET too."
    if secret is not None and id_ is None:
        return "SLACK_CLIENT_SECRET is set: set SLACK_CLIENT_ID too."
    if settings.slack_installs and settings.secret_key is None:
        return (
            "SLACK_CLIENT_ID is set: set QUIZBOT_SECRET_KEY too, by which the tokens of "
            f"workspaces are kept encrypted; {MAKE_A_KEY}."
        )
    if settings.slack_app_token is not None and not settings.slack:
        return _without_token("SLACK_APP_TOKEN")
    if settings.slack_signing is not None and not settings.slack:
        return _without_token("SLACK_SIGNING_SECRET")
    if settings.hears_slack_by_http and settings.slack_signing is None:
        given = "SLACK_CLIENT_ID" if settings.slack_installs else "SLACK_BOT_TOKEN"
        return (
            f"{given} is set: set SLACK_APP_TOKEN too, for Socket Mode, or "
            "SLACK_SIGNING_SECRET, for HTTP."
        )
    return ""


def _without_token(given: str) -> str:
    return (
        f"{given} is set: set SLACK_BOT_TOKEN too, or for several workspaces SLACK_CLIENT_ID and "
        "SLACK_CLIENT_SECRET."
    )
