"""How the stand-in Slack delivers: over sockets and over HTTP, again, late, twice, not at all."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs

import aiohttp
import pytest
from aiohttp import web
from clock import StandingClock
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.signature import Clock, SignatureVerifier
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from slack_sdk.web.async_client import AsyncWebClient
from stand_in_slack import StandInSlack
from stand_in_slack_deliveries import Delivery
from stand_in_slack_people import Person
from stand_in_slack_workspaces import Workspace


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
async def slack(clock: StandingClock) -> AsyncIterator[StandInSlack]:
    async with StandInSlack(now=clock.now) as world:
        yield world


@pytest.fixture
def workspace(slack: StandInSlack) -> Workspace:
    made = slack.workspace("Study group")
    made.channel("team")
    return made


@pytest.fixture
def ines(workspace: Workspace) -> Person:
    return workspace.person("Inès")


class Bot:
    """slack_sdk's socket client, which answers as it is told, or nothing."""

    def __init__(self, slack: StandInSlack) -> None:
        self.slack = slack
        self.heard: list[SocketModeRequest] = []
        self.answers = True
        self.says: dict[str, Any] | None = None
        web_client = AsyncWebClient(base_url=slack.api)
        self.client = SocketModeClient(slack.app_token, web_client=web_client, ping_interval=0.05)
        self.client.socket_mode_request_listeners.append(self._hear)

    async def _hear(self, client: Any, request: SocketModeRequest) -> None:
        self.heard.append(request)
        if self.answers:
            answer = SocketModeResponse(request.envelope_id, payload=self.says)
            await client.send_socket_mode_response(answer)


@pytest.fixture
async def bot(slack: StandInSlack) -> AsyncIterator[Bot]:
    made = Bot(slack)
    await made.client.connect()
    await slack.until(lambda: slack.sockets.connected)
    yield made
    await made.client.close()


def tick(slack: StandInSlack, clock: StandingClock, seconds: float) -> None:
    clock.move(seconds)
    slack.time_passed()


class TestSockets:
    async def test_a_socket_is_greeted_and_its_ticket_serves_once(self, slack):
        client = AsyncWebClient(base_url=slack.api)
        ticket = (await client.apps_connections_open(app_token=slack.app_token))["url"]
        async with aiohttp.ClientSession() as session:
            socket = await session.ws_connect(ticket)
            hello = await socket.receive_json()
            assert (hello["type"], hello["num_connections"]) == ("hello", 1)
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(ticket)
            await socket.close()
        await slack.until(lambda: not slack.sockets.connected)

    async def test_a_ticket_can_be_refused_and_goes_out_of_date(self, slack, clock):
        client = AsyncWebClient(base_url=slack.api)
        slack.fail_next("apps.connections.open", "internal_error")
        with pytest.raises(SlackApiError):
            await client.apps_connections_open(app_token=slack.app_token)
        with pytest.raises(SlackApiError):
            await client.apps_connections_open(app_token="x")
        ticket = (await client.apps_connections_open(app_token=slack.app_token))["url"]
        clock.move(31)
        async with aiohttp.ClientSession() as session:
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(ticket)

    async def test_the_eleventh_socket_is_one_too_many(self, slack):
        async with aiohttp.ClientSession() as session:
            kept = [await session.ws_connect(slack.sockets.ticket()) for _ in range(11)]
            said = [await socket.receive_json() for socket in kept]
        assert [one["type"] for one in said] == ["hello"] * 10 + ["disconnect"]
        assert said[10]["reason"] == "too_many_websockets"

    async def test_a_command_goes_to_one_socket_and_may_be_answered_at_once(self, slack, bot, ines):
        other = Bot(slack)
        await other.client.connect()
        await slack.until(lambda: len(slack.sockets.open) == 2)
        bot.says = other.says = {"text": "Here"}
        seen = await ines.types("/quiz pipeline")
        assert seen.text == "Here"
        heard_by_both = [*bot.heard, *other.heard]
        assert len(heard_by_both) == 1
        heard = heard_by_both[0]
        assert (heard.type, heard.accepts_response_payload) == ("slash_commands", True)
        assert heard.payload["text"] == "pipeline"
        assert heard.payload["channel_name"] == "team"
        assert heard.payload["is_enterprise_install"] == "false"
        await other.client.close()

    async def test_what_comes_twice_is_the_same(self, slack, bot, ines):
        slack.sockets.duplicates = 1
        bot.says = {"text": "Here"}
        seen = await ines.types("/quiz")
        await slack.until(lambda: len(bot.heard) == 2)
        assert bot.heard[0].payload == bot.heard[1].payload
        await slack.until(lambda: seen.delivery.acks == 2)
        assert [one.text for one in seen.private] == ["Here"]
        slack.repeat(seen.delivery)
        await slack.until(lambda: len(bot.heard) == 3)

    async def test_who_is_not_answered_within_three_seconds_is_told_so(
        self, slack, clock, bot, ines
    ):
        bot.answers = False
        seen = ines.begins_to_type("/quiz")
        await slack.until(lambda: bot.heard)
        tick(slack, clock, 3)
        assert seen.failed == "/quiz failed with the error “operation_timeout”"
        late = SocketModeResponse(bot.heard[0].envelope_id, payload={"text": "Here"})
        await bot.client.send_socket_mode_response(late)
        await slack.until(lambda: seen.delivery.late_acks)
        assert (seen.private, seen.failed is None) == ([], False)

    async def test_an_acknowledgement_is_lost_on_its_way(self, slack, clock, bot, ines):
        slack.sockets.deaf = 1
        seen = ines.begins_to_type("/quiz")
        await slack.until(lambda: slack.sockets.deaf == 0)
        tick(slack, clock, 3)
        assert seen.failed is not None

    async def test_an_event_that_nobody_acknowledges_comes_three_times_more(
        self, slack, clock, workspace, bot
    ):
        bot.answers = False
        delivery = workspace.event({"type": "app_mention"})
        for number, wait in enumerate((0, 60, 300), 1):
            await slack.until(lambda number=number: len(bot.heard) == number)
            tick(slack, clock, 3)
            tick(slack, clock, wait)
        await slack.until(lambda: len(bot.heard) == 4)
        tick(slack, clock, 600)
        assert [one.retry_attempt for one in bot.heard] == [0, 1, 2, 3]
        assert len({one.payload["event_id"] for one in bot.heard}) == 1
        assert len({one.envelope_id for one in bot.heard}) == 4
        assert delivery.failure == "http_timeout"

    async def test_an_event_waits_for_a_socket(self, slack, clock, workspace):
        delivery = workspace.event({"type": "app_mention"})
        assert (delivery.tries, delivery.is_over) == (1, False)
        bot = Bot(slack)
        await bot.client.connect()
        await slack.until(lambda: slack.sockets.connected)
        tick(slack, clock, 60)
        await slack.until(lambda: delivery.acked)
        assert bot.heard[0].retry_reason == "dispatch_failed"
        await bot.client.close()

    @pytest.mark.parametrize("reason", ["refresh_requested", "link_disabled", "warning"])
    async def test_a_client_that_is_told_to_go_connects_anew(self, slack, bot, ines, reason: str):
        slack.sockets.disconnect(reason)
        await slack.until(lambda: slack.sockets.opened == 2 and slack.sockets.connected)
        bot.says = {"text": "Here"}
        await slack.until(lambda: [one.number for one in slack.sockets.open] == [2])
        assert (await ines.types("/quiz")).text == "Here"

    async def test_a_cut_connection_is_gone_without_a_word(self, slack, bot, ines):
        slack.sockets.open[0].cut()
        await slack.until(lambda: not slack.sockets.open)
        await slack.until(lambda: slack.sockets.connected)
        assert slack.sockets.opened == 2

    async def test_a_socket_that_fell_silent_answers_no_ping_and_takes_nothing(self, slack, bot):
        socket = slack.sockets.open[0]
        await slack.until(lambda: socket.pings)
        socket.fall_silent()
        before = socket.pings
        # Its client gives up by itself, and then comes anew.
        await slack.until(lambda: slack.sockets.opened == 2)
        assert socket.pings == before

    async def test_what_is_no_acknowledgement_is_a_slip(self, slack, bot):
        await bot.client.send_socket_mode_response(SocketModeResponse("x"))
        await slack.until(lambda: slack.slips)
        slack.slips.clear()

    async def test_a_press_takes_no_answer(self, slack, workspace, bot, ines):
        button = {"type": "button", "action_id": "a", "text": {"type": "plain_text", "text": "A"}}
        blocks = [{"type": "actions", "elements": [button]}]
        client = AsyncWebClient(workspace.token, base_url=slack.api)
        await client.chat_postEphemeral(
            channel=workspace.general.id, user=ines.id, text="Q", blocks=blocks
        )
        bot.says = {"text": "x"}
        pressed = ines.begins_to_press(ines.sees[0], "A")
        await slack.until(lambda: pressed.delivery.acked)
        assert bot.heard[0].accepts_response_payload is False
        assert slack.slips == ["block_actions takes no answer, and got one: {'text': 'x'}"]
        slack.slips.clear()


class Door:
    """The bot's web server, which answers as it is told."""

    def __init__(self) -> None:
        self.heard: list[tuple[dict[str, str], str]] = []
        self.status = 200
        self.headers: dict[str, str] = {}
        self.says = ""
        self.bolt: AsyncApp | None = None

    async def serve(self, http: web.Request) -> web.Response:
        body = await http.text()
        self.heard.append((dict(http.headers), body))
        if self.bolt is not None:
            request = await to_bolt_request(http)
            return await to_aiohttp_response(await self.bolt.async_dispatch(request))
        return web.Response(status=self.status, text=self.says, headers=self.headers)


@asynccontextmanager
async def opened(slack: StandInSlack) -> AsyncIterator[Door]:
    made = Door()
    app = web.Application()
    app.router.add_post("/slack/events", made.serve)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    slack.doors.address = f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
    yield made
    await runner.cleanup()


@pytest.fixture
async def door(slack: StandInSlack) -> AsyncIterator[Door]:
    async with opened(slack) as made:
        yield made


class AsStanding(Clock):
    """slack_sdk's clock, by the test's."""

    def __init__(self, clock: StandingClock) -> None:
        self._clock = clock

    def now(self) -> float:
        return self._clock.now().timestamp()


class TestHttp:
    async def test_a_command_is_a_signed_form(self, slack, clock, door, ines):
        door.says = "Here"
        seen = await ines.types("/quiz pipeline")
        assert seen.text == "Here"
        headers, body = door.heard[0]
        verifier = SignatureVerifier(slack.signing_secret, AsStanding(clock))
        assert verifier.is_valid_request(body, headers)
        assert not verifier.is_valid_request(body + "x", headers)
        form = parse_qs(body)
        assert (form["command"], form["text"]) == (["/quiz"], ["pipeline"])
        assert form["response_url"][0].startswith(slack.base)

    async def test_a_form_is_sent_as_a_payload_and_answered_with_errors(
        self, slack, door, workspace, ines
    ):
        label = {"type": "plain_text", "text": "Zone"}
        element = {"type": "plain_text_input", "action_id": "value"}
        block = {"type": "input", "block_id": "zone", "label": label, "element": element}
        given = {"type": "modal", "title": label, "submit": label, "blocks": [block]}
        view = ines.shows(given, workspace)
        door.says = json.dumps({"response_action": "errors", "errors": {"zone": "No such zone"}})
        seen = await ines.fills(view, {"zone": "Mars"})
        assert seen.errors == {"zone": "No such zone"}
        payload = json.loads(parse_qs(door.heard[0][1])["payload"][0])
        assert payload["view"]["state"]["values"]["zone"]["value"]["value"] == "Mars"

    async def test_an_event_that_fails_comes_again_and_says_why(
        self, slack, clock, door, workspace
    ):
        door.status = 500
        delivery = workspace.event({"type": "app_mention"})
        await slack.until(lambda: len(door.heard) == 2)
        await slack.until(lambda: delivery.due)
        tick(slack, clock, 60)
        await slack.until(lambda: len(door.heard) == 3)
        await slack.until(lambda: delivery.due)
        door.status = 200
        tick(slack, clock, 300)
        await slack.until(lambda: delivery.acked)
        numbers = [one.get("X-Slack-Retry-Num") for one, _ in door.heard]
        assert numbers == [None, "1", "2", "3"]
        assert {one.get("X-Slack-Retry-Reason") for one, _ in door.heard[1:]} == {"http_error"}

    async def test_who_wants_no_repetition_gets_none(self, slack, door, workspace):
        door.status, door.headers = 500, {"X-Slack-No-Retry": "1"}
        delivery = workspace.event({"type": "app_mention"})
        await slack.until(lambda: delivery.failure)
        assert (len(door.heard), delivery.failure) == (1, "http_error")

    async def test_nobody_at_home(self, slack, workspace, ines):
        slack.doors.address = "http://127.0.0.1:1/slack/events"
        delivery = workspace.event({"type": "app_mention"})
        await slack.until(lambda: delivery.due)
        assert (delivery.tries, delivery.reason) == (1, "connection_failed")
        assert (await ines.types("/quiz")).failed == (
            "/quiz failed with the error “connection_failed”"
        )

    async def test_bolt_takes_what_is_signed_and_nothing_else(self):
        # bolt's own check of signatures goes by the machine's clock.
        async with StandInSlack() as slack, opened(slack) as door:
            workspace = slack.workspace("Study group")
            client = AsyncWebClient(workspace.token, base_url=slack.api)
            door.bolt = AsyncApp(signing_secret=slack.signing_secret, client=client)
            heard: list[Any] = []

            @door.bolt.event("member_joined_channel")
            async def joined(event: dict[str, Any], ack: Any) -> None:
                heard.append(event)

            assert await slack.doors.verify()
            ines = workspace.person("Inès")
            workspace.general.invites_bot(ines)
            await slack.until(lambda: heard)
            assert (heard[0]["user"], heard[0]["inviter"]) == (workspace.bot_user_id, ines.id)
            body = json.dumps(slack.deliveries[0].payload)
            forged = slack.doors.headers(body, secret="another")
            forged["Content-Type"] = "application/json"
            assert (await slack.doors.send(body, forged))[0] == 401


class TestEvents:
    def events(self, slack: StandInSlack) -> list[dict[str, Any]]:
        return [one.payload["event"] for one in slack.deliveries]

    @pytest.fixture(autouse=True)
    def acked(self, slack: StandInSlack) -> None:
        def deliver(delivery: Delivery) -> None:
            delivery.ack()

        slack.deliver = deliver

    async def test_what_befalls_a_channel_is_told_as_its_kind_is_called(
        self, slack, workspace, ines
    ):
        for channel in (workspace.general, workspace.channel("secret", private=True)):
            channel.archive(ines)
            channel.unarchive(ines)
            channel.removes_bot(ines)
        workspace.general.delete()
        told = [(one["type"], one.get("user") or one.get("actor_id")) for one in self.events(slack)]
        expected = ["archive", "unarchive", "left"]
        assert told == [
            *((f"channel_{one}", ines.id) for one in expected),
            *((f"group_{one}", ines.id) for one in expected),
            ("channel_deleted", None),
        ]

    async def test_what_a_token_may_not_look_up_it_does_not_hear_of(self, slack):
        workspace = slack.workspace("Strict", scopes=["channels:read", "chat:write"])
        ines, general = workspace.person("Inès"), workspace.general
        for channel in (general, workspace.channel("secret", private=True)):
            channel.archive(ines)
            channel.joins(ines)
        workspace.event({"type": "user_change", "user": {"id": ines.id}})
        workspace.uninstall()
        assert [one.failure for one in slack.deliveries if one.failure] == [
            "not sent: that needs groups:read",
            "not sent: that needs groups:read",
            "not sent: that needs users:read",
        ]
        assert [one.payload["event"]["type"] for one in slack.deliveries if one.acked] == [
            "channel_archive", "member_joined_channel", "tokens_revoked", "app_uninstalled",
        ]  # fmt: skip

    async def test_a_private_channel_without_the_bot_is_none_of_its_business(
        self, slack, workspace, ines
    ):
        secret = workspace.channel("secret", private=True, with_bot=False)
        secret.joins(ines)
        secret.archive(ines)
        assert self.events(slack) == []

    async def test_a_guests_press_in_a_shared_channel_tells_both_teams(self, slack, workspace):
        others = slack.workspace("Others", installed=False)
        guest = others.person("Guest")
        shared = workspace.channel("shared", shared_with=(others,))
        shared.joins(guest)
        assert slack.deliveries[0].payload["is_ext_shared_channel"] is True
        client = AsyncWebClient(workspace.token, base_url=slack.api)
        button = {"type": "button", "action_id": "a", "text": {"type": "plain_text", "text": "A"}}
        await client.chat_postMessage(
            channel=shared.id, text="Q", unfurl_links=False, unfurl_media=False,
            blocks=[{"type": "actions", "elements": [button]}],
        )  # fmt: skip
        payload = guest.begins_to_press(shared.last, "A").delivery.payload
        assert (payload["team"]["id"], payload["user"]["team_id"]) == (workspace.id, others.id)
        with pytest.raises(AssertionError, match="is not a valid command in Others"):
            guest.begins_to_type("/quiz", shared)
        view = guest.shows({"type": "modal", "title": {}, "blocks": []}, workspace)
        payload = guest.begins_to_fill(view).delivery.payload
        assert (payload["team"]["id"], payload["view"]["app_installed_team_id"]) == (
            others.id,
            workspace.id,
        )

    async def test_an_organisations_events_say_that_it_is_for_all_of_it(self, slack):
        organisation = slack.enterprise("Org")
        organisation.install()
        workspace = slack.workspace("One", enterprise=organisation)
        workspace.event({"type": "app_mention"})
        (authorization,) = slack.deliveries[0].payload["authorizations"]
        assert authorization["is_enterprise_install"] is True
        assert (authorization["team_id"], authorization["enterprise_id"]) == (None, organisation.id)
