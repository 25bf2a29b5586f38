"""A stand-in Slack on 127.0.0.1, for real slack_sdk and slack_bolt over real sockets.

    async with StandInSlack() as slack:
        workspace = slack.workspace("Study group")
        ines = workspace.person("Inès", locale="fr-FR", admin=True)
        team = workspace.channel("team", creator=ines)
        …        # start a bot with base_url=slack.api, workspace.token and slack.app_token
        await slack.until(lambda: slack.sockets.connected)
        seen = await ines.types("/quiz pipeline", team)
        assert seen.private[0].text == "…"
        seen = await ines.presses(team.last, "A")         # label, its letter, or action id
        seen = await ines.fills(seen.modal, {"zone": "Africa/Harare"}); seen.errors
        home = await ines.opens_home()                    # a View: text, buttons, …

Within it, quizbot in this process is pointed at it; another process calls `point`.

What a person sees: `ines.reads(channel)`, `ines.sees` (ephemerals), `ines.modal`, `ines.home`;
`ines.reloads()` loses ephemerals; `ines.loses_ephemerals`, `ines.is_away`. What came of one
deed is a `Seen`: `private`, `public`, `modal`, `errors`, `is_updated`, `message`, `text`, `failed`;
`begins_to_type/begins_to_press` do not wait, `await seen.until_private()` does. A channel has
`messages`, `main`, `last`, `pinned`; a message `text`, `fallback`, `blocks`, `labels`, `replies`.

Other worlds: `slack.enterprise("Org").install()`, `slack.workspace("A", enterprise=…)`,
`channel(…, private=True)`, `shared_with=(other,)` (Slack Connect), `workspace.group(a, b)`;
`channel.invites_bot(ines)`, `removes_bot`, `archive`, `delete`; `workspace.uninstall()`, `revoke`.

Over HTTP: `slack.doors.address = "http://127.0.0.1:…/slack/events"`; then deliveries are signed
and posted there. OAuth: `ines.allows(url)` of the install page gives where the browser goes next;
`slack.rotates = True` for tokens that live twelve hours.

Its time is `now`. A test that moves its clock then calls `time_passed`, so that what was not
acknowledged within three seconds fails, events are repeated, and sockets are pinged.

What goes wrong: `slack.fail_next("chat.postMessage", "channel_not_found")`, `slack.hold(…)`,
`slack.limit("chat.postMessage", 1, 1.0, for_each="channel")`, `slack.keep_rates()`; `slack.sockets`
(`disconnect`, `duplicates`, `deaf`, `open[0].cut()`, `.fall_silent()`); `seen.url.use_up()`;
`slack.repeat(delivery)`; `slack.files_take`; `workspace.edits_for`. What was asked: `slack.calls`,
`slack.called("chat.update")`. Leaving it fails if `slips` holds something: a method that it does
not know, or what Slack would take but quizbot must not send.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from types import TracebackType
from typing import Self

import stand_in_slack_about as about
import stand_in_slack_chat as chat
import stand_in_slack_files as files
import stand_in_slack_oauth as oauth
import stand_in_slack_opening as opening
from aiohttp import web
from stand_in_slack_api import Api, Call
from stand_in_slack_deliveries import Delivery
from stand_in_slack_faults import Hold
from stand_in_slack_http import Doors
from stand_in_slack_sockets import Sockets
from stand_in_slack_workspaces import SCOPES, Enterprise, Workspace
from stand_in_slack_world import World

import adapters.slack.client
from adapters.clock import SystemClock

METHODS = {
    **about.METHODS,
    **chat.METHODS,
    **files.METHODS,
    **oauth.METHODS,
    **opening.METHODS,
}


def point(api: str) -> None:
    """Let quizbot in this process talk to a stand-in: its `api`."""
    adapters.slack.client.BASE = api


class StandInSlack(World):
    def __init__(
        self,
        *,
        now: Callable[[], datetime] | None = None,
        patience: float = 3.0,
        may_ping: bool = False,
    ) -> None:
        """`patience` is how many real seconds people wait, whatever the clock says."""
        super().__init__(now or SystemClock().now, may_ping, patience)
        self.sockets = Sockets(self)
        self.web = Api(self, self.sockets, METHODS)
        self.fail_next = self.web.faults.fail_next
        self.limit = self.web.faults.limit
        self._before = adapters.slack.client.BASE
        self.keep_rates = self.web.faults.keep_rates
        self.doors = Doors(self)
        self.deliver = self._deliver

    @property
    def api(self) -> str:
        """What slack_sdk's clients take as `base_url`."""
        return f"{self.base}/api/"

    @property
    def calls(self) -> list[Call]:
        """All calls of the Web API, in their order, with how they were answered."""
        return self.web.calls

    def called(self, method: str) -> list[Call]:
        return [call for call in self.calls if call.method == method]

    def hold(self, method: str, *, after_effect: bool = False) -> Hold:
        """Keep the next such call until it is released: `arrived` tells that it is there."""
        return self.web.faults.hold(method, after_effect=after_effect)

    def enterprise(self, name: str) -> Enterprise:
        return Enterprise(self, name)

    def workspace(
        self,
        name: str,
        *,
        enterprise: Enterprise | None = None,
        installed: bool = True,
        scopes: Collection[str] = SCOPES,
    ) -> Workspace:
        return Workspace(self, name, enterprise=enterprise, installed=installed, scopes=scopes)

    def repeat(self, delivery: Delivery) -> None:
        """Deliver something once more, the same."""
        self.deliver(delivery)

    def time_passed(self) -> None:
        """Look at the clock: what is not acknowledged within three seconds of it fails."""
        for delivery in list(self.deliveries):
            delivery.time_passed()
        self.sockets.ping()
        self.tell()

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=32 * 1024 * 1024)
        app.router.add_get("/link/", self.sockets.serve)
        app.router.add_post("/response/{id}", self._respond)
        app.router.add_post("/upload/{id}", self._upload)
        app.router.add_get("/oauth/v2/authorize", oauth.page)
        app.router.add_route("*", "/api/{method}", self.web.serve)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.base = f"http://{host}:{port}"
        self._before = adapters.slack.client.BASE
        point(self.api)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        point(self._before)
        self.web.faults.release_all()
        await self.sockets.end()
        await self.doors.end()
        await self._runner.cleanup()
        if error is None:
            assert not self.slips, self.slips

    def _deliver(self, delivery: Delivery) -> None:
        (self.doors if self.doors.address else self.sockets).deliver(delivery)

    async def _upload(self, http: web.Request) -> web.StreamResponse:
        fault = self.web.faults.next_fault("upload")
        if fault is not None:
            return web.Response(status=fault.status or 500)
        return await files.take(self, http)

    async def _respond(self, http: web.Request) -> web.StreamResponse:
        url = self.response_urls[http.match_info["id"]]
        call = Call("response_url", await http.json(), "", self.now(), self, self.sockets)
        self.web.calls.append(call)

        def use(call: Call) -> None:
            call.status, said = url.use(call.args)
            call.answer = {"ok": True} if said == "ok" else {"ok": False, "error": said}

        return await self.web.faulty(http, call, "response_url", use)
