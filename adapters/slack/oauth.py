"""Installing by OAuth: the way to Slack and back by bolt's flow, with pages and stores of ours."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.error import BoltError
from slack_bolt.oauth.async_callback_options import (
    AsyncCallbackOptions,
    AsyncFailureArgs,
    AsyncSuccessArgs,
)
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.oauth.installation_store import Installation

from adapters.accept_language import preferred
from adapters.slack import pages
from adapters.slack.bolt import without
from adapters.slack.client import Client, Denied, Done
from adapters.slack.installations import STATE_LASTS, URL, Installations, States
from adapters.slack.manifest import BOT_SCOPES
from adapters.slack.renewing import ends_at
from bot.ports import Clock
from bot.store.addresses import StoreUnavailable

INSTALL, BACK = pages.INSTALL, "/slack/oauth_redirect"

Greet = Callable[[str], Awaitable[None]]
"""Told the id of what was installed: a team's, or an organisation's."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class App:
    """The app as Slack knows it, and what people type."""

    client_id: str
    client_secret: str = field(repr=False)
    secret_key: str = field(repr=False)
    command: str = "/quiz"


class Flow(AsyncOAuthFlow):
    """bolt keeps the state, the cookie and the order of the checks."""

    def __init__(
        self,
        client: Client,
        app: App,
        installations: Installations,
        states: States,
        clock: Clock,
        greet: Greet,
    ) -> None:
        with without("SLACK_REDIRECT_URI"):
            settings = AsyncOAuthSettings(
                client_id=app.client_id,
                client_secret=app.client_secret,
                scopes=list(BOT_SCOPES),
                user_scopes=[],
                install_path=INSTALL,
                redirect_uri_path=BACK,
                installation_store=installations,
                state_store=states,
                state_expiration_seconds=int(STATE_LASTS.total_seconds()),
                callback_options=AsyncCallbackOptions(self._succeeded, self._failed),
            )
        super().__init__(client=client.web(), logger=_log, settings=settings)
        self._calls = client
        self._app = app
        self._clock = clock
        self._greet = greet

    # --- what bolt asks ------------------------------------------------------------------

    async def build_authorize_url(self, state: str, request: AsyncBoltRequest) -> str:
        """Straight to a workspace where its id was given; nothing else gets into the address."""
        team = (request.query.get("team") or [""])[0]
        is_id = re.fullmatch(r"[TE][A-Z0-9]{1,20}", team)
        return self.settings.authorize_url_generator.generate(state, team if is_id else None)

    async def build_install_page_html(self, url: str, request: AsyncBoltRequest) -> str:
        return pages.install(url, self._app.command, _language(request))

    async def append_set_cookie_headers(
        self, headers: dict[str, Any], set_cookie_value: str | None
    ) -> dict[str, Any]:
        return {
            **pages.HEADERS,
            **await super().append_set_cookie_headers(headers, set_cookie_value),
        }

    async def run_installation(self, code: str) -> Installation | None:
        """What Slack gives for a code; None where it gives nothing."""
        body = {
            "client_id": self._app.client_id,
            "client_secret": self._app.client_secret,
            "code": code,
        }
        answer = await self._calls.call("oauth.v2.access", body, token="", urgent=True)
        if not isinstance(answer, Done) or not answer.data.get("access_token"):
            word = answer.error if isinstance(answer, Denied) else type(answer).__name__
            _log.warning("Slack gave no token to install with: %s", word)
            return None
        data = answer.data
        enterprise, team = data.get("enterprise") or {}, data.get("team") or {}
        installation = Installation(
            app_id=data.get("app_id"),
            enterprise_id=enterprise.get("id"),
            enterprise_name=enterprise.get("name"),
            team_id=team.get("id"),
            team_name=team.get("name"),
            bot_token=data["access_token"],
            bot_user_id=data.get("bot_user_id"),
            bot_scopes=str(data.get("scope") or ""),
            bot_refresh_token=data.get("refresh_token"),
            bot_token_expires_at=ends_at(data, self._clock.now()),
            user_id=str((data.get("authed_user") or {}).get("id") or ""),
            is_enterprise_install=bool(data.get("is_enterprise_install")),
            token_type=data.get("token_type"),
            installed_at=self._clock.now(),
        )
        return await self._identified(installation)

    async def store_installation(
        self, request: AsyncBoltRequest, installation: Installation
    ) -> None:
        try:
            await self.settings.installation_store.async_save(installation)
        except ValueError as error:
            _log.warning("an installation was not stored: %s", error)
            raise BoltError("not stored") from error
        whole = installation.is_enterprise_install
        await self._greet((installation.enterprise_id if whole else installation.team_id) or "")

    # --- inside --------------------------------------------------------------------------

    async def _identified(self, installation: Installation) -> Installation:
        """With what the bot is called there, asked once and kept."""
        answer = await self._calls.call(
            "auth.test", {}, token=installation.bot_token or "", urgent=True
        )
        if isinstance(answer, Done):
            installation.bot_id = answer.data.get("bot_id")
            installation.set_custom_value(URL, str(answer.data.get("url") or ""))
        return installation

    async def _succeeded(self, args: AsyncSuccessArgs) -> BoltResponse:
        found = args.installation
        name = found.enterprise_name if found.is_enterprise_install else found.team_name
        team = found.enterprise_id if found.is_enterprise_install else found.team_id
        url = f"https://slack.com/app_redirect?app={found.app_id or ''}&team={team or ''}"
        page = pages.installed(
            name or "", url, self._app.command, "/invite @quizbot", _language(args.request)
        )
        return self._answer(200, page)

    async def _failed(self, args: AsyncFailureArgs) -> BoltResponse:
        return self._answer(
            args.suggested_status_code, pages.failed(args.reason, _language(args.request))
        )

    def _answer(self, status: int, page: str) -> BoltResponse:
        cookie = self.settings.state_utils.build_set_cookie_for_deletion()
        return BoltResponse(
            status=status, body=page, headers={**pages.HEADERS, "Set-Cookie": [cookie]}
        )


def doors(flow: Flow) -> list[web.RouteDef]:
    """Where people begin, and where Slack sends them back to."""

    async def install(request: web.Request) -> web.Response:
        return await _answered(request, flow.handle_installation)

    async def back(request: web.Request) -> web.Response:
        return await _answered(request, flow.handle_callback)

    return [web.get(INSTALL, install), web.get(BACK, back)]


async def _answered(
    request: web.Request, handle: Callable[[AsyncBoltRequest], Awaitable[BoltResponse]]
) -> web.Response:
    asked = await to_bolt_request(request)
    try:
        response = await handle(asked)
    except StoreUnavailable as error:
        _log.warning("nobody can install now: %s", error)
        page = pages.failed("storage_error", _language(asked))
        response = BoltResponse(status=503, body=page, headers=dict(pages.HEADERS))
    return await to_aiohttp_response(response)


def _language(request: AsyncBoltRequest) -> str:
    return preferred((request.headers.get("accept-language") or [""])[0])
