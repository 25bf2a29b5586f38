"""The Web API of the stand-in Slack: reads a call, checks who may make it, and answers as Slack."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from aiohttp import web
from stand_in_slack_faults import Faults
from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_sockets import Sockets
    from stand_in_slack_workspaces import Workspace
    from stand_in_slack_world import World

# Arguments that are objects; in a form they are written as JSON.
OBJECTS = {"blocks", "view", "attachments", "metadata", "files", "manifest"}


class Refused(Exception):
    """An answer with `ok: false`."""

    def __init__(self, error: str, **more: Any) -> None:
        super().__init__(error)
        self.answer: Json = {"ok": False, "error": error, **more}


@dataclass(eq=False)
class Call:
    """A method that was called, and how it was answered."""

    method: str
    args: Json
    token: str
    at: datetime
    world: World
    sockets: Sockets
    status: int = 0
    answer: Json = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def error(self) -> str:
        return str(self.answer.get("error", ""))

    @property
    def workspace(self) -> Workspace:
        """Whose installation the token is; with an organisation's, the `team_id` says."""
        world = self.world
        for one in world.workspaces.values():
            if self.token == one.token:
                return one
        raise Refused("invalid_auth" if self.token else "not_authed")

    def needs(self, *scopes: str) -> Workspace:
        """The workspace, if its token has one of these scopes."""
        workspace = self.workspace
        if scopes and not workspace.scopes & set(scopes):
            provided = ",".join(sorted(workspace.scopes))
            raise Refused("missing_scope", needed=scopes[0], provided=provided)
        return workspace

    def text(self, name: str) -> str:
        """A required argument."""
        value = self.args.get(name)
        if not value:
            said = [f"[ERROR] missing required field: {name}"]
            raise Refused("invalid_arguments", response_metadata={"messages": said})
        return str(value)

    def flag(self, name: str) -> bool:
        return str(self.args.get(name, "")).lower() in ("true", "1")


Method = Callable[[Call], Json]


class Api:
    def __init__(self, world: World, sockets: Sockets, methods: dict[str, Method]) -> None:
        self.world = world
        self.sockets = sockets
        self.methods = methods
        self.faults = Faults(world.now)
        self.calls: list[Call] = []

    async def serve(self, http: web.Request) -> web.StreamResponse:
        method = http.match_info["method"]
        call = await self._read(http, method)
        self.calls.append(call)
        return await self.faulty(http, call, call.method, self._answer)

    async def faulty(
        self,
        http: web.Request,
        call: Call,
        name: str,
        answer: Callable[[Call], Awaitable[None] | None],
    ) -> web.StreamResponse:
        """Answer, unless a test ordered otherwise."""
        faults = self.faults
        hold, fault = faults.next_hold(name), faults.next_fault(name)
        if hold is not None and not hold.after_effect:
            hold.arrived.set()
            await hold.released.wait()
        wait = faults.wait_for(name, call.args)
        if wait is not None:
            call.status, call.headers = 429, {"Retry-After": str(wait)}
            call.answer = {"ok": False, "error": "ratelimited"}
        elif fault is None or fault.after_effect:
            answer(call)
        if fault is not None:
            call.status, call.headers, call.answer = fault.status or 0, fault.headers, fault.answer
        if hold is not None and hold.after_effect:
            hold.arrived.set()
            await hold.released.wait()
        self.world.tell()
        if fault is not None and fault.status is None:
            assert http.transport is not None
            http.transport.abort()
            raise asyncio.CancelledError
        return web.json_response(call.answer, status=call.status, headers=call.headers)

    def _answer(self, call: Call) -> None:
        call.status = 200
        run = self.methods.get(call.method)
        if run is None:
            self.world.slips.append(f"the stand-in has no method {call.method}")
            call.answer = {"ok": False, "error": "unknown_method"}
            return
        try:
            call.answer = {"ok": True, **run(call)}
        except Refused as refused:
            call.answer = refused.answer

    async def _read(self, http: web.Request, method: str) -> Call:
        args: Json = dict(http.query)
        if http.content_type == "application/json":
            args |= await http.json()
        elif http.can_read_body:
            args |= {key: value for key, value in (await http.post()).items()}
        for name in OBJECTS & set(args):
            if isinstance(args[name], str):
                args[name] = json.loads(args[name])
        said = http.headers.get("Authorization", "")
        token = said.removeprefix("Bearer ") or str(args.pop("token", ""))
        return Call(method, args, token, self.world.now(), self.world, self.sockets)
