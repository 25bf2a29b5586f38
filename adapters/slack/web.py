"""HTTP mode: what Slack delivers signed, on the one server, to the same app as over sockets."""

from __future__ import annotations

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.app.async_app import AsyncApp

PATH = "/slack/events"


def routes(app: AsyncApp) -> list[web.RouteDef]:
    """bolt checks the signature before anything else is looked at."""

    async def deliver(request: web.Request) -> web.Response:
        response = await app.async_dispatch(await to_bolt_request(request))
        return await to_aiohttp_response(response)

    return [web.post(PATH, deliver)]
