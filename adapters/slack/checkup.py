"""Looks whether all is well between quizbot and Slack, without listening."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass

from slack_sdk.errors import SlackApiError

from adapters.findings import Database, Finding
from adapters.slack.app import Account
from adapters.slack.client import Client, Denied, Done
from adapters.slack.installations import Installations
from adapters.slack.manifest import APP_SCOPE, BOT_SCOPES, DELIVER
from adapters.slack.oauth import BACK, INSTALL, App
from adapters.slack.sealing import Seal
from adapters.slack.trouble import SlackUnavailable
from bot.ports import Clock
from bot.store.store import Store

_APPS = "https://api.slack.com/apps"
_ANEW = f"install it anew: {_APPS}, your app, Install App, Reinstall"


@dataclass(frozen=True, slots=True)
class Looked:
    """What is looked at. `app` is there where workspaces install it; then what is stored counts."""

    account: Account
    command: str
    listens: str
    app: App | None = None
    store: Store | None = None
    database: Database = "none yet"


async def look(looked: Looked, clock: Clock) -> AsyncIterator[Finding]:
    """Each finding as soon as it is known. Raises SlackUnavailable."""
    client, account = Client(clock), looked.account
    try:
        if looked.app is None:
            async for finding in _bot(client, account.bot_token):
                yield finding
        else:
            yield await _app(client, looked.app)
            if looked.database != "out of reach":
                async for finding in _installations(looked, clock):
                    yield finding
        if account.app_token:
            yield await _sockets(client, account.app_token)
        else:
            yield _delivered(looked)
        yield Finding(
            "note",
            f"command: people type {looked.command}",
            f"Slack does not say whether the app has it: see Slash Commands at {_APPS}; where "
            "another app has the same one, the last that was installed has it",
        )
    finally:
        await client.close()


async def _bot(client: Client, token: str) -> AsyncIterator[Finding]:
    answer = await client.call("auth.test", {}, token=token, urgent=True)
    if isinstance(answer, Denied):
        yield Finding(
            "fault",
            f"bot token: Slack does not take SLACK_BOT_TOKEN ({answer.error})",
            f"copy the Bot User OAuth Token anew from OAuth & Permissions at {_APPS}",
        )
        return
    if not isinstance(answer, Done):
        raise SlackUnavailable(answer)
    name, team = answer.data.get("user"), answer.data.get("team")
    yield Finding("well", f"bot token: Slack knows it as {name} in {team}")
    for finding in _scopes(await _granted(client, token)):
        yield finding


async def _granted(client: Client, token: str) -> set[str]:
    """What the token may do, which Slack says in a header of every answer."""
    try:
        response = await client.web(token).api_call("auth.test", data={})
    except SlackApiError as error:
        raise SlackUnavailable("it does not say what the token may do") from error
    headers = {key.lower(): value for key, value in dict(response.headers).items()}
    return {scope.strip() for scope in str(headers.get("x-oauth-scopes", "")).split(",")} - {""}


def _scopes(granted: Iterable[str]) -> Iterator[Finding]:
    has = set(granted)
    missing = [scope for scope in BOT_SCOPES if scope not in has]
    for scope in missing:
        yield Finding(
            "fault",
            f"scopes: {scope} is missing ({BOT_SCOPES[scope]})",
            f"put the manifest of quizbot slack manifest into App Manifest, then {_ANEW}",
        )
    if not missing:
        yield Finding("well", f"scopes: all {len(BOT_SCOPES)} that are needed")
    more = sorted(has - set(BOT_SCOPES))
    if more:
        yield Finding(
            "note",
            f"scopes: quizbot needs none of {', '.join(more)}",
            f"take them away under OAuth & Permissions, then {_ANEW}",
        )


async def _sockets(client: Client, token: str) -> Finding:
    answer = await client.call("apps.connections.open", {}, token=token, urgent=True)
    if isinstance(answer, Done):
        return Finding("well", "app token: Slack opens sockets for it")
    if not isinstance(answer, Denied):
        raise SlackUnavailable(answer)
    mend = f"make one with {APP_SCOPE} under Basic Information, App-Level Tokens, at {_APPS}"
    if answer.error in ("not_allowed", "socket_mode_not_enabled"):
        mend = f"switch Socket Mode on at {_APPS}"
    return Finding(
        "fault", f"app token: Slack opens no sockets for SLACK_APP_TOKEN ({answer.error})", mend
    )


def _delivered(looked: Looked) -> Finding:
    return Finding(
        "note",
        f"HTTP: quizbot listens for Slack on {looked.listens}, under {DELIVER}",
        "Slack has to reach that from outside by https: enter the outer address under Event "
        f"Subscriptions at {_APPS}, where Slack tries it while quizbot runs",
    )


async def _app(client: Client, app: App) -> Finding:
    """A code that Slack never gave tells whether it knows the app that asks with it."""
    body = {"client_id": app.client_id, "client_secret": app.client_secret, "code": "doctor"}
    answer = await client.call("oauth.v2.access", body, token="", urgent=True)
    match answer:
        case Denied("invalid_client_id" | "bad_client_secret" as error):
            name = "SLACK_CLIENT_ID" if error == "invalid_client_id" else "SLACK_CLIENT_SECRET"
            return Finding(
                "fault",
                f"app: Slack does not take {name} ({error})",
                f"copy it anew from Basic Information, App Credentials, at {_APPS}",
            )
        case Denied() | Done():
            return Finding(
                "well", f"app: Slack knows it; people add it at {INSTALL}, and return to {BACK}"
            )
        case _:
            raise SlackUnavailable(answer)


async def _installations(looked: Looked, clock: Clock) -> AsyncIterator[Finding]:
    if looked.store is None or looked.app is None:
        yield Finding("note", "workspaces: none yet", "quizbot run lets them install it")
        return
    kept = Installations(looked.store, Seal(looked.app.secret_key), looked.app.client_id, clock)
    found, unreadable = await kept.every(), await kept.unreadable()
    count = "1 workspace" if len(found) == 1 else f"{len(found)} workspaces"
    yield Finding("well", f"installed in {count}")
    if unreadable:
        yield Finding(
            "fault",
            f"secret key: {unreadable} more cannot be read with QUIZBOT_SECRET_KEY",
            "add the key that they were stored with behind a comma, or have quizbot installed "
            "there anew",
        )
    elif found:
        yield Finding("well", "secret key: it reads all of them")
    for held in found:
        for finding in _scopes(held.installation.bot_scopes or ()):
            if finding.state == "fault":
                name = held.workspace.name or held.id
                again = f"have it installed there anew at {INSTALL}"
                yield Finding("fault", f"{name}: {finding.what}", again)
