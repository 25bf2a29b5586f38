"""quizbot on Slack: one app, which hears people over sockets or over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from json import loads
from typing import Any

from aiohttp import web
from slack_bolt.request.async_request import AsyncBoltRequest

from adapters.slack.bolt import new_app
from adapters.slack.client import Client, Denied, Done
from adapters.slack.doing import Doing
from adapters.slack.happening import Happening
from adapters.slack.people import People
from adapters.slack.pictures import Pictures
from adapters.slack.replies import Replies
from adapters.slack.sockets import Envelope, Sockets
from adapters.slack.surface import SlackSurface
from adapters.slack.trouble import SlackUnavailable, WrongSlackToken
from adapters.slack.web import routes
from adapters.slack.workspaces import OneWorkspace, Workspaces
from bot.app import QuizApp
from bot.ports import Clock


@dataclass(frozen=True, slots=True)
class Account:
    """The settings of the bot on Slack. With an `app_token` it listens on sockets."""

    bot_token: str = field(default="", repr=False)
    app_token: str = field(default="", repr=False)
    signing_secret: str = field(default="", repr=False)


class SlackBot:
    """What connects, listens and answers."""

    def __init__(
        self,
        app: QuizApp,
        clock: Clock,
        account: Account,
        *,
        client: Client | None = None,
        workspaces: Workspaces | None = None,
        doors: Iterable[web.RouteDef] = (),
    ) -> None:
        """`doors` are what else is served for Slack beside what it delivers."""
        self._clock = clock
        self._account = account
        self.client = client or Client(clock)
        self._doors = tuple(doors)
        self.workspaces = workspaces or OneWorkspace(self.client, account.bot_token)
        self.client.refused = self.workspaces.refused
        self.people = People(self.client, clock)
        pictures = Pictures(self.client, clock)
        replies = Replies(self.client, pictures)
        happening = Happening(app, clock, self.people, replies, self.workspaces)
        self._doing = Doing(app, clock, self.people, replies, happening)
        self.surface = SlackSurface(self.client, self.workspaces, self.people, pictures, clock)
        self._app = new_app(self.client, self.workspaces, self._doing.take)
        self.sockets = (
            Sockets(self.client, clock, account.app_token, self._heard)
            if account.app_token
            else None
        )
        self._is_up = False
        self._finishing: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """Of the workspaces, for who started it."""
        return self.workspaces.name

    @property
    def is_open(self) -> bool:
        """Whether what people do is heard: over HTTP, as long as somebody listens."""
        return self._is_up if self.sockets is None else self.sockets.is_open

    @property
    def heard_at(self) -> datetime | None:
        return None if self.sockets is None else self.sockets.heard_at

    @property
    def is_idle(self) -> bool:
        """Nothing is under way, and no socket is being opened or asked how it is."""
        is_quiet = self.sockets is None or self.sockets.is_quiet
        return self._doing.is_idle and self.workspaces.is_idle and is_quiet

    def routes(self) -> list[web.RouteDef]:
        """Where Slack delivers over HTTP, and the doors."""
        if self.sockets is not None:
            return list(self._doors)
        return [*routes(self._app, self._account.signing_secret, self._clock), *self._doors]

    async def log_in(self) -> None:
        """From now on it can post. Raises WrongSlackToken, WrongSecretKey, SlackUnavailable."""
        await self.workspaces.begin()
        if self.sockets is not None:
            await self._try_app_token()

    def connect(self) -> None:
        """From now on it hears what people do, as soon as Slack lets it."""
        self._is_up = True
        if self.sockets is not None:
            self.sockets.start()

    async def wait_until_ready(self) -> None:
        if self.sockets is not None:
            await self.sockets.wait_until_open()

    async def wait_until_ended(self) -> str:
        """Why nothing more will come in; sockets are opened anew whatever happens: never."""
        await asyncio.Event().wait()
        return ""

    async def finish(self) -> None:
        """Hear nothing more, and let what is under way be told."""
        self._is_up = False
        # A token that is being exchanged has from here on what a stop may last.
        self._finishing = asyncio.create_task(self.workspaces.finish())
        if self.sockets is not None:
            await self.sockets.stop()
        await self._doing.finish()

    async def log_out(self) -> None:
        """What could not be told by now will not be."""
        await self._doing.give_up()
        try:
            if self._finishing is not None:
                await self._finishing
            await self.workspaces.finish()
        finally:
            await self.client.close()

    async def _heard(self, envelope: Envelope) -> Mapping[str, Any] | None:
        """What came over a socket, through bolt as over HTTP."""
        request = AsyncBoltRequest(mode="socket_mode", body=dict(envelope.get("payload") or {}))
        response = await self._app.async_dispatch(request)
        if response.status != 200:
            return None
        return dict(loads(response.body)) if response.body else {}

    async def _try_app_token(self) -> None:
        answer = await self.client.call("apps.connections.open", {}, token=self._account.app_token)
        if isinstance(answer, Denied):
            raise WrongSlackToken("SLACK_APP_TOKEN", answer.error)
        if not isinstance(answer, Done):
            raise SlackUnavailable(answer)
