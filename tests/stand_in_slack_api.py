"""The Web API of the stand-in Slack: reads a call, checks who may make it, and answers as Slack."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from aiohttp import web
from stand_in_slack_faults import Faults
from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_installations import Installation
    from stand_in_slack_sockets import Sockets
    from stand_in_slack_workspaces import Workspace
    from stand_in_slack_world import World

# Arguments that are objects; in a form they are written as JSON.
OBJECTS = {"blocks", "view", "attachments", "metadata", "files", "manifest"}
# Documented: these read arguments from JSON, the others from the query or a form alone.
TAKE_JSON = (
    "chat.*", "views.*", "pins.*", "conversations.open", "files.completeUploadExternal",
    "auth.test", "apps.connections.open", "response_url",
)  # fmt: skip


class Refused(Exception):
    """An answer with `ok: false`."""

    def __init__(self, error: str, **more: Any) -> None:
        super().__init__(error)
        self.answer: Json = {"ok": False, "error": error, **more}


def messages(said: list[str]) -> Json:
    """What is wrong, as Slack puts it into `response_metadata`."""
    return {"messages": [f"[ERROR] {one}" for one in said]}


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
    def installation(self) -> Installation:
        """Whose token it is, if it works."""
        for one in self.world.installations:
            if self.token in one.tokens:
                trouble = one.trouble_with(self.token)
                if trouble:
                    raise Refused(trouble)
                return one
        raise Refused("invalid_auth" if self.token else "not_authed")

    @property
    def workspace(self) -> Workspace:
        """With an organisation's token the arguments tell which of its workspaces."""
        installation = self.installation
        if installation.team is not None:
            return installation.team
        assert installation.enterprise is not None
        mine = installation.enterprise.workspaces
        return next((one for one in mine if one in self._named()), mine[0])

    def needs(self, *scopes: str) -> Workspace:
        """The workspace, if its token has one of these scopes."""
        workspace, given = self.workspace, self.installation.scopes
        if scopes and not given & set(scopes):
            provided = ",".join(sorted(given))
            raise Refused("missing_scope", needed=scopes[0], provided=provided)
        return workspace

    def text(self, name: str) -> str:
        """A required argument."""
        value = self.args.get(name)
        if not value:
            said = [f"missing required field: {name}"]
            raise Refused("invalid_arguments", response_metadata=messages(said))
        return str(value)

    def flag(self, name: str) -> bool:
        return str(self.args.get(name, "")).lower() in ("true", "1")

    def _named(self) -> Iterator[Workspace]:
        """The workspaces that the arguments have to do with."""
        world, args = self.world, self.args
        if str(args.get("team_id")) in world.workspaces:
            yield world.workspaces[str(args["team_id"])]
        if str(args.get("channel")) in world.channels:
            yield from world.channels[str(args["channel"])].workspaces
        for key in ("user", "user_id", "users", "channel"):
            if str(args.get(key)) in world.people:
                yield world.people[str(args[key])].workspace
        if str(args.get("trigger_id")) in world.triggers:
            yield world.triggers[str(args["trigger_id"])].workspace
        if str(args.get("view_id")) in world.views:
            yield world.views[str(args["view_id"])].workspace


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
        answer: Callable[[Call], None],
    ) -> web.StreamResponse:
        """Answer, unless a test ordered otherwise."""
        faults = self.faults
        hold, fault = faults.next_hold(name), faults.next_fault(name)
        if hold is not None and not hold.after_effect:
            hold.arrived.set()
            await hold.released.wait()
        wait = faults.wait_for(name, call.token, call.args)
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
        if call.method == "response_url" and call.status == 200:
            return web.Response(text="ok")
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
            if any(fnmatchcase(method, one) for one in TAKE_JSON):
                args |= await http.json() if http.can_read_body else {}
        elif http.can_read_body:
            args |= {key: value for key, value in (await http.post()).items()}
        for name in OBJECTS & set(args):
            if isinstance(args[name], str):
                args[name] = json.loads(args[name])
        said = http.headers.get("Authorization", "")
        if said.startswith("Basic "):
            client, _, secret = b64decode(said.removeprefix("Basic ")).decode().partition(":")
            args |= {"client_id": client, "client_secret": secret}
            said = ""
        token = said.removeprefix("Bearer ") or str(args.pop("token", ""))
        return Call(method, args, token, self.world.now(), self.world, self.sockets)
