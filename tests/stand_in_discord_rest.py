"""REST of the stand-in Discord: routes, who may call, faults, limits, and a record of it all."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import stand_in_discord_callbacks as callbacks
import stand_in_discord_sending as sending
from aiohttp import web
from stand_in_discord_about import (
    delete_command,
    get_application,
    get_bot,
    get_bot_gateway,
    get_gateway,
    get_guild,
    get_guild_member,
    list_commands,
    list_my_guilds,
    set_commands,
)
from stand_in_discord_description import Description
from stand_in_discord_errors import Refusal, not_found, unauthorized
from stand_in_discord_faults import Fault, Faults, pattern, too_many
from stand_in_discord_requests import Request, read
from stand_in_discord_world import World

Handler = Callable[[World, Request], tuple[int, Any]]

ROUTES: dict[str, Handler] = {
    "GET /users/@me": get_bot,
    "GET /users/@me/guilds": list_my_guilds,
    "GET /applications/@me": get_application,
    "GET /oauth2/applications/@me": get_application,
    "GET /gateway": get_gateway,
    "GET /gateway/bot": get_bot_gateway,
    "POST /users/@me/channels": sending.create_dm,
    "GET /guilds/{guild_id}": get_guild,
    "GET /guilds/{guild_id}/members/{user_id}": get_guild_member,
    "GET /applications/{application_id}/commands": list_commands,
    "PUT /applications/{application_id}/commands": set_commands,
    "GET /applications/{application_id}/guilds/{guild_id}/commands": list_commands,
    "PUT /applications/{application_id}/guilds/{guild_id}/commands": set_commands,
    "DELETE /applications/{application_id}/commands/{command_id}": delete_command,
    "DELETE /applications/{application_id}/guilds/{guild_id}/commands/{command_id}": delete_command,
    "GET /channels/{channel_id}": sending.get_channel,
    "PATCH /channels/{channel_id}": sending.update_channel,
    "GET /channels/{channel_id}/messages": sending.list_messages,
    "POST /channels/{channel_id}/messages": sending.create_message,
    "PUT /channels/{channel_id}/messages/pins/{message_id}": sending.pin_message,
    "DELETE /channels/{channel_id}/messages/pins/{message_id}": sending.pin_message,
    "GET /channels/{channel_id}/messages/{message_id}": sending.get_message,
    "PATCH /channels/{channel_id}/messages/{message_id}": sending.update_message,
    "DELETE /channels/{channel_id}/messages/{message_id}": sending.delete_message,
    "POST /channels/{channel_id}/messages/{message_id}/threads": (
        sending.create_thread_from_message
    ),
    "POST /interactions/{interaction_id}/{interaction_token}/callback": (
        callbacks.create_interaction_response
    ),
    "POST /webhooks/{webhook_id}/{webhook_token}": callbacks.execute_webhook,
    **{
        f"{method} /webhooks/{{webhook_id}}/{{webhook_token}}/messages/{which}": handler
        for method, handler in {
            "GET": callbacks.get_original_webhook_message,
            "PATCH": callbacks.update_original_webhook_message,
            "DELETE": callbacks.delete_original_webhook_message,
        }.items()
        for which in ("@original", "{message_id}")
    },
}
# Where the token in the path is all that is asked for.
OPEN = ("/interactions/", "/webhooks/", "/gateway")
MAJOR = ("channel_id", "guild_id", "webhook_id", "webhook_token", "interaction_token")


class Rest:
    """It answers requests, and keeps them. `slips` has answers of its own that were no good."""

    def __init__(self, world: World, token: str, description: Description | None) -> None:
        self.world = world
        self.token = token
        self.description = description
        self.faults = Faults()
        self.requests: list[Request] = []
        self.slips: list[str] = []
        self._routes = [Route(line, handler) for line, handler in ROUTES.items()]

    async def serve(self, http: web.Request) -> web.StreamResponse:
        path = "/" + http.match_info["path"]
        request = await read(http, path, self.world.now(), self.description)
        self.requests.append(request)
        hold = self.faults.next_hold(request.line)
        if hold is not None:
            hold.arrived.set()
        if hold is not None and not hold.after_effect:
            await hold.released.wait()
        answer = self._answer(request, http)
        self.world.tell()
        if hold is not None and hold.after_effect:
            await hold.released.wait()
        return answer

    def _answer(self, request: Request, http: web.Request) -> web.StreamResponse:
        fault = self.faults.next_fault(request.line)
        if fault is not None and not fault.after_effect:
            return self._fail(request, fault, http)
        headers: dict[str, str] = {}
        try:
            route = self._find(request)
            limited = self._limit(request, headers)
            if limited is not None:
                return limited
            status, body = self._act(request, route)
            self._check_own(request, status, body)
        except Refusal as refusal:
            status, body = refusal.status, refusal.body
            request.code = refusal.code
        if fault is not None:
            return self._fail(request, fault, http)
        request.status = status
        if body is None:
            return web.Response(status=status, headers=headers)
        return _json(body, status=status, headers=headers)

    def _find(self, request: Request) -> Route:
        for route in self._routes:
            if route.takes(request):
                return route
        self.slips.append(f"the stand-in does not know {request.line}")
        raise not_found()

    def _act(self, request: Request, route: Route) -> tuple[int, Any]:
        is_open = request.path.startswith(OPEN) and request.path != "/gateway/bot"
        if not is_open and request.authorization != f"Bot {self.token}":
            raise unauthorized()
        return route.handler(self.world, request)

    def _limit(self, request: Request, headers: dict[str, str]) -> web.Response | None:
        major = "+".join(request.names.get(name, "") for name in MAJOR)
        for limit in self.faults.limits_on(request.line):
            allowed, said = limit.take(major, time.monotonic())
            headers |= said
            if not allowed:
                request.status = 429
                retry_after = float(said["X-RateLimit-Reset-After"])
                body = {"message": "You are being rate limited.", "global": False}
                body["retry_after"] = retry_after
                headers |= too_many(retry_after, "user")
                return _json(body, status=429, headers=headers)
        return None

    def _fail(self, request: Request, fault: Fault, http: web.Request) -> web.StreamResponse:
        request.status = fault.status
        if fault.status is None:
            if http.transport is not None:
                http.transport.abort()
            raise asyncio.CancelledError
        return _json(fault.body, status=fault.status, headers=fault.headers)

    def _check_own(self, request: Request, status: int, body: object) -> None:
        if request.json is not None and not request.is_checked:
            self.slips.append(f"{request.line}: its body was not checked")
        if self.description is not None:
            for problem in self.description.response(
                request.method, request.template, status, body
            ):
                place = "/".join(map(str, problem.path))
                self.slips.append(f"{request.line} → {status} at {place}: {problem.message}")


class Route:
    def __init__(self, line: str, handler: Handler) -> None:
        self.method, self.template = line.split(" ")
        self.handler = handler
        self._names = [part[1:-1] for part in self.template.split("/") if part.startswith("{")]
        self._pattern = pattern(self.template)
        self._length = self.template.count("/")

    def takes(self, request: Request) -> bool:
        if request.method != self.method or request.path.count("/") != self._length:
            return False
        if not self._pattern.fullmatch(request.path):
            return False
        request.template = self.template
        parts = zip(self.template.split("/"), request.path.split("/"), strict=True)
        request.names = {name[1:-1]: part for name, part in parts if name.startswith("{")}
        return True


def _json(body: object, *, status: int, headers: dict[str, str]) -> web.Response:
    # Without a charset: discord.py compares the whole of this header.
    content = json.dumps(body).encode()
    return web.Response(
        body=content, status=status, headers=headers, content_type="application/json"
    )
