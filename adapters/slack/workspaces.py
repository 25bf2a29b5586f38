"""The workspaces that quizbot is in, and the token by which it speaks in each."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from adapters.slack.client import Client, Denied, Done
from adapters.slack.trouble import SlackUnavailable, WrongSlackToken

DEAD = {"token_revoked", "invalid_auth", "account_inactive"}
ENDED = {"token_expired"}
"""What Slack says to a call with a token that was taken back, and with one that had its time."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Workspace:
    """An installation. `id` is the team's, or the organisation's where it is for all of it.

    `team` is the team where it was installed; `installer` who did it, where that is known.
    """

    id: str
    team: str
    token: str = field(repr=False)
    bot_user: str
    bot_id: str
    bot_name: str = "quizbot"
    name: str = ""
    url: str = ""
    installer: str | None = None
    is_org_wide: bool = False


class Workspaces(Protocol):
    """Who is asked for a token; nothing else knows one."""

    @property
    def name(self) -> str:
        """What whoever started quizbot is told of where it is."""
        ...

    def address(self, id: str) -> str | None:
        """Where the workspace is found in a browser, ending with a slash, if that is known."""
        ...

    async def find(self, ids: Iterable[str]) -> Workspace | None:
        """The installation of the first of these teams or organisations that has one."""
        ...

    async def begin(self) -> None:
        """Make sure that there is something to work with. Raises WrongSlackToken, …"""
        ...

    async def is_lost(self, id: str) -> bool:
        """Whether Slack's word that the bot was removed there is still so."""
        ...

    async def forget(self, id: str) -> None:
        """Its token was revoked, or the app was removed."""
        ...

    def refused(self, token: str, error: str) -> None:
        """Slack refused a call that was made with this token."""
        ...

    @property
    def is_idle(self) -> bool:
        """Nothing of its own is under way."""
        ...

    async def finish(self) -> None:
        """End what is under way, before the client is closed."""
        ...


class OneWorkspace:
    """The workspace of the token in the settings, asked for once who that is."""

    def __init__(self, client: Client, token: str) -> None:
        self._client = client
        self._token = token
        self._found: Workspace | None = None
        self._asking = asyncio.Lock()
        self._is_told = False

    @property
    def name(self) -> str:
        return self._found.name if self._found else ""

    def address(self, id: str) -> str | None:
        return self._found.url or None if self._found and self._found.id == id else None

    async def find(self, ids: Iterable[str]) -> Workspace | None:
        # A press in a channel that is shared may carry the other team's id.
        return self._found

    async def begin(self) -> None:
        async with self._asking:
            if self._found is None:
                self._found = await identify(self._client, self._token)

    async def is_lost(self, id: str) -> bool:
        return True

    async def forget(self, id: str) -> None:
        """The settings still name it: a new installation has the same token, or a restart."""

    def refused(self, token: str, error: str) -> None:
        if token == self._token and error in DEAD | ENDED and not self._is_told:
            self._is_told = True
            _log.error("%s", WrongSlackToken("SLACK_BOT_TOKEN", error))

    @property
    def is_idle(self) -> bool:
        return True

    async def finish(self) -> None:
        """Nothing is under way by itself."""


async def identify(client: Client, token: str) -> Workspace:
    """Ask Slack whose token this is. Raises WrongSlackToken, SlackUnavailable."""
    answer = await client.call("auth.test", {}, token=token, urgent=True)
    match answer:
        case Done(data):
            org_wide = bool(data.get("is_enterprise_install"))
            team, enterprise = data.get("team_id"), data.get("enterprise_id")
            return Workspace(
                id=str((enterprise if org_wide else team) or team or ""),
                team=str(team or ""),
                token=token,
                bot_user=str(data.get("user_id") or ""),
                bot_id=str(data.get("bot_id") or ""),
                bot_name=str(data.get("user") or "quizbot"),
                name=str(data.get("team") or ""),
                url=str(data.get("url") or ""),
                is_org_wide=org_wide,
            )
        case Denied(error):
            raise WrongSlackToken("SLACK_BOT_TOKEN", error)
        case _:
            raise SlackUnavailable(answer)
