"""Greets who installed quizbot, once, where only they read it."""

from __future__ import annotations

import logging

from adapters.slack.client import Client, Done
from adapters.slack.installed import InstalledWorkspaces
from adapters.slack.people import People
from adapters.slack.read import PLATFORM
from adapters.slack.workspaces import Workspace
from bot.app import QuizApp
from bot.calls import Where
from bot.store.addresses import StoreUnavailable

_WRITE = "im:write"

_log = logging.getLogger(__name__)


class Greeting:
    """Whoever cannot be written to is greeted below the first private reply, as everywhere."""

    def __init__(
        self, app: QuizApp, client: Client, people: People, workspaces: InstalledWorkspaces
    ) -> None:
        self._app = app
        self._client = client
        self._people = people
        self._workspaces = workspaces

    async def greet(self, id: str) -> None:
        """It was installed there just now; once is enough also when it comes back."""
        try:
            workspace = await self._workspaces.installed(id)
            if workspace is not None:
                await self._app.joined(await self._where(workspace))
        except StoreUnavailable as error:
            _log.warning("who installed quizbot is greeted later: %s", error)

    async def _where(self, workspace: Workspace) -> Where:
        installer = workspace.installer or ""
        place = await self._direct(installer, workspace) if installer else ""
        account = await self._people.ask(installer, workspace) if place else None
        return Where(
            PLATFORM,
            workspace.id,
            place or workspace.id,
            community_name=workspace.name,
            kind="direct" if place else "channel",
            locale=account.locale if account is not None else None,
            lacking=() if place else (_WRITE,),
        )

    async def _direct(self, installer: str, workspace: Workspace) -> str:
        """The channel of the direct messages with who installed it; empty if there is none."""
        answer = await self._client.call(
            "conversations.open", {"users": installer},
            token=workspace.token, of=workspace.id, urgent=True,
        )  # fmt: skip
        if not isinstance(answer, Done):
            _log.info("who installed quizbot cannot be written to: %s", answer)
            return ""
        return str((answer.data.get("channel") or {}).get("id") or "")
