"""slack-bolt's app: it parses and authorises; what people do is taken in one place."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.middleware.async_middleware import AsyncMiddleware
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from adapters.slack import read
from adapters.slack.client import Client
from adapters.slack.workspaces import Workspace, Workspaces

Take = Callable[[Mapping[str, Any], Workspace], Awaitable[Mapping[str, Any] | None]]
"""Acts on a payload, and says what the acknowledgement carries; None where there is to be none."""

_TEAMS, _WORKSPACE = "quizbot_teams", "quizbot_workspace"

# bolt reads them by itself, and with the first two forgets the token it was given.
_READ_BY_BOLT = (
    "SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET",
    "SLACK_VERIFICATION_TOKEN",
)  # fmt: skip


def new_app(client: Client, workspaces: Workspaces, take: Take) -> AsyncApp:
    """An app that asks `workspaces` for tokens, and hands all that comes to `take`.

    Whoever gives it something has seen to it that it is from Slack.
    """

    async def authorize(context: AsyncBoltContext) -> AuthorizeResult | None:
        workspace = await workspaces.find(context.get(_TEAMS) or ())
        if workspace is None:
            return None
        context[_WORKSPACE] = workspace
        return AuthorizeResult(
            enterprise_id=context.enterprise_id,
            team_id=context.team_id,
            bot_user_id=workspace.bot_user,
            bot_id=workspace.bot_id,
            bot_token=workspace.token,
        )

    with without(*_READ_BY_BOLT):
        app = AsyncApp(
            # bolt sets the level of the logger that is called so.
            name="quizbot-slack",
            client=client.web(),
            request_verification_enabled=False,
            before_authorize=_Teams(),
            # bolt takes None for what is not installed, and does not say so in its types.
            authorize=authorize,  # type: ignore[arg-type]
            attaching_function_token_enabled=False,
        )
    app.middleware(_Hand(workspaces, take))
    return app


class _Teams(AsyncMiddleware):
    """Notes all teams that a payload names: in a shared channel, bolt's one may be the guest's."""

    async def async_process(
        self,
        *,
        req: AsyncBoltRequest,
        resp: BoltResponse,
        next: Callable[[], Awaitable[BoltResponse]],
    ) -> BoltResponse:
        req.context[_TEAMS] = tuple(read.teams(req.body))
        return await next()


class _Hand(AsyncMiddleware):
    """Answers in bolt's stead: its listeners look every ten milliseconds whether they may."""

    def __init__(self, workspaces: Workspaces, take: Take) -> None:
        self._workspaces = workspaces
        self._take = take

    async def async_process(
        self,
        *,
        req: AsyncBoltRequest,
        resp: BoltResponse,
        next: Callable[[], Awaitable[BoltResponse]],
    ) -> BoltResponse | None:
        workspace = req.context.get(_WORKSPACE)
        if workspace is None:
            # bolt asks for no token where the event says that there is none any more.
            workspace = await self._workspaces.find(req.context.get(_TEAMS) or ())
        if workspace is None:
            return BoltResponse(status=200, body="")
        carried = await self._take(req.body, workspace)
        if carried is None:
            return BoltResponse(status=503, body="")
        return BoltResponse(status=200, body=dict(carried) if carried else "")


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Hide from bolt what it would read from the environment by itself."""
    kept = {name: os.environ.pop(name) for name in names if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)
