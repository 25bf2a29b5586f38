"""The stand-in Slack's Web API, response URLs, uploads and OAuth, called by real slack_sdk."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import aiohttp
import pytest
from clock import StandingClock
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient
from stand_in_slack import StandInSlack
from stand_in_slack_channels import Channel
from stand_in_slack_deliveries import Delivery
from stand_in_slack_people import Person
from stand_in_slack_seen import Seen
from stand_in_slack_workspaces import Workspace

QUIET: dict[str, Any] = {"unfurl_links": False, "unfurl_media": False}


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def modal(text: str = "x", **parts: Any) -> dict[str, Any]:
    section = {"type": "section", "text": plain(text)}
    return {"type": "modal", "title": plain("Form"), "blocks": [section], **parts}


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
async def slack(clock: StandingClock) -> AsyncIterator[StandInSlack]:
    async with StandInSlack(now=clock.now) as world:
        yield world


@pytest.fixture
def workspace(slack: StandInSlack) -> Workspace:
    return slack.workspace("Study group")


@pytest.fixture
def ines(workspace: Workspace) -> Person:
    return workspace.person("Inès", locale="fr-FR", admin=True)


@pytest.fixture
def team(workspace: Workspace, ines: Person) -> Channel:
    return workspace.channel("team", creator=ines)


@pytest.fixture
def client(slack: StandInSlack, workspace: Workspace) -> AsyncWebClient:
    return AsyncWebClient(workspace.token, base_url=slack.api)


async def refused(call: Any) -> str:
    with pytest.raises(SlackApiError) as caught:
        await call
    return str(caught.value.response["error"])


def acked(slack: StandInSlack) -> None:
    """A bot that acknowledges everything at once."""

    def deliver(delivery: Delivery) -> None:
        delivery.ack()

    slack.deliver = deliver


async def typed(slack: StandInSlack, person: Person, text: str = "/quiz") -> Seen:
    acked(slack)
    return person.begins_to_type(text)


class TestPosting:
    async def test_a_post_stands_in_its_channel_with_its_words_and_its_instant(self, client, team):
        posted = await client.chat_postMessage(channel=team.id, text="One", **QUIET)
        await client.chat_postMessage(
            channel=team.id, text="Two", thread_ts=posted["ts"], reply_broadcast=True, **QUIET
        )
        await client.chat_postMessage(
            channel=team.id, text="Three", thread_ts=posted["ts"], **QUIET
        )
        assert [one.text for one in team.messages] == ["One", "Two", "Three"]
        assert [one.text for one in team.main] == ["One", "Two"]
        assert [one.text for one in team.messages[0].replies] == ["Two", "Three"]
        assert posted["ts"].startswith("1796029200.")

    async def test_an_edit_changes_it_and_a_deletion_takes_it_away(self, client, team):
        blocks = [{"type": "section", "text": plain("Question")}]
        posted = await client.chat_postMessage(channel=team.id, text="Q", blocks=blocks, **QUIET)
        await client.chat_update(channel=team.id, ts=posted["ts"], text="R", blocks=[])
        assert (team.last.text, team.last.edits) == ("R", 1)
        link = await client.chat_getPermalink(channel=team.id, message_ts=posted["ts"])
        assert posted["ts"].replace(".", "") in link["permalink"]
        await client.chat_delete(channel=team.id, ts=posted["ts"])
        assert team.messages == []
        gone = client.chat_update(channel=team.id, ts=posted["ts"], text="x", blocks=[])
        assert await refused(gone) == "message_not_found"

    async def test_what_slack_refuses_is_refused_and_says_where(self, client, team):
        with pytest.raises(SlackApiError) as caught:
            await client.chat_postMessage(
                channel=team.id, text="x", blocks=[{"type": "section"}], **QUIET
            )
        assert caught.value.response["error"] == "invalid_blocks"
        assert caught.value.response["response_metadata"]["messages"] == [
            "[ERROR] it has neither text nor fields [json-pointer:/blocks/0]"
        ]
        long = [{"type": "section", "text": plain("x" * 3000)}] * 5
        posted = client.chat_postMessage(channel=team.id, text="x", blocks=long, **QUIET)
        assert await refused(posted) == "msg_blocks_too_long"
        # slack_sdk's own method would warn.
        silent = client.api_call("chat.postMessage", json={"channel": team.id, **QUIET})
        assert await refused(silent) == "no_text"
        long_text = client.chat_postMessage(channel=team.id, text="x" * 40_001, **QUIET)
        assert await refused(long_text) == "msg_too_long"
        assert team.messages == []

    async def test_what_only_quizbot_must_not_send_is_posted_and_fails_the_test(
        self, slack, client, team
    ):
        await client.chat_postMessage(channel=team.id, text="<!channel>", colour="red", **QUIET)
        assert (team.last.text, team.last.fallback) == ("@channel", "<!channel>")
        assert slack.slips == [
            "chat.postMessage: /colour: nobody knows this key",
            "chat.postMessage: /text: this may ping people: <!channel>",
        ]
        slack.slips.clear()

    async def test_channels_take_only_what_may_be_posted_there(
        self, slack, client, workspace, ines
    ):
        async def post(channel: str) -> str:
            return await refused(client.chat_postMessage(channel=channel, text="x", **QUIET))

        private = workspace.channel("secret", private=True, with_bot=False)
        assert await post(private.id) == "channel_not_found"
        assert await post(workspace.group(ines, workspace.person("Ana")).id) == "channel_not_found"
        assert await post(slack.workspace("Others").channel("x").id) == "channel_not_found"
        assert await post("C999") == "channel_not_found"
        public = workspace.channel("elsewhere", with_bot=False)
        await client.chat_postMessage(channel=public.id, text="x", **QUIET)
        workspace.app.scopes.remove("chat:write.public")
        assert await post(public.id) == "not_in_channel"
        public.archived = True
        assert await post(public.id) == "is_archived"
        workspace.app.scopes.remove("chat:write")
        assert await post(public.id) == "missing_scope"

    async def test_a_persons_id_stands_for_their_direct_messages(self, client, workspace, ines):
        opened = await client.conversations_open(users=ines.id)
        posted = await client.chat_postMessage(channel=ines.id, text="Hello", **QUIET)
        assert posted["channel"] == opened["channel"]["id"] == ines.dm.id
        assert ines.reads(ines.dm)[0].text == "Hello"

    async def test_what_others_wrote_cannot_be_changed(self, client, team, ines):
        said = ines.says(team, "Hello")
        changed = client.chat_update(channel=team.id, ts=said.ts, text="x", blocks=[])
        assert await refused(changed) == "cant_update_message"
        deleted = client.chat_delete(channel=team.id, ts=said.ts)
        assert await refused(deleted) == "cant_delete_message"

    async def test_a_workspace_may_close_its_messages_for_edits(
        self, clock, client, workspace, team
    ):
        workspace.edits_for = timedelta(minutes=1)
        posted = await client.chat_postMessage(channel=team.id, text="x", **QUIET)
        clock.move(59)
        await client.chat_update(channel=team.id, ts=posted["ts"], text="y", blocks=[])
        clock.move(1)
        late = client.chat_update(channel=team.id, ts=posted["ts"], text="z", blocks=[])
        assert await refused(late) == "edit_window_closed"

    async def test_a_pin_stays_and_is_not_made_twice(self, client, team):
        posted = await client.chat_postMessage(channel=team.id, text="x", **QUIET)
        await client.pins_add(channel=team.id, timestamp=posted["ts"])
        assert team.pinned == [posted["ts"]]
        again = client.pins_add(channel=team.id, timestamp=posted["ts"])
        assert await refused(again) == "already_pinned"


class TestEphemerals:
    async def test_only_its_person_sees_it_until_they_reload(self, client, workspace, team, ines):
        ana = workspace.person("Ana")
        told = await client.chat_postEphemeral(channel=team.id, user=ines.id, text="Psst")
        assert [one.text for one in ines.reads(team)] == ["Psst"]
        assert ana.reads(team) == team.messages == []
        changed = client.chat_update(channel=team.id, ts=told["message_ts"], text="x", blocks=[])
        assert await refused(changed) == "message_not_found"
        ines.reloads()
        assert ines.sees == []

    async def test_ok_does_not_mean_that_it_arrived(self, client, team, ines):
        ines.is_away = True
        assert (await client.chat_postEphemeral(channel=team.id, user=ines.id, text="Psst"))["ok"]
        assert ines.sees == []

    async def test_who_is_not_there_gets_none(self, slack, client, team):
        stranger = slack.workspace("Others").person("Stranger")
        told = client.chat_postEphemeral(channel=team.id, user=stranger.id, text="Psst")
        assert await refused(told) == "user_not_in_channel"

    async def test_the_bot_must_be_there_itself(self, client, workspace, team, ines):
        elsewhere = workspace.channel("elsewhere", with_bot=False)
        told = client.chat_postEphemeral(channel=elsewhere.id, user=ines.id, text="Psst")
        assert await refused(told) == "not_in_channel"


class TestResponseUrls:
    async def test_it_serves_five_times_then_no_more(self, slack, team, ines):
        seen = await typed(slack, ines)
        hook = AsyncWebhookClient(seen.address)
        for number in range(5):
            sent = await hook.send(text=str(number))
            assert (sent.status_code, sent.body) == (200, "ok")
        sent = await hook.send(text="6")
        assert (sent.status_code, "used_url" in sent.body) == (404, True)
        assert [one.text for one in seen.private] == list("01234")

    async def test_it_serves_for_half_an_hour(self, slack, clock, team, ines):
        seen = await typed(slack, ines)
        hook = AsyncWebhookClient(seen.address)
        clock.move(30 * 60 - 1)
        assert (await hook.send(text="x")).status_code == 200
        clock.move(1)
        assert (await hook.send(text="x")).status_code == 404

    async def test_a_command_has_nothing_to_replace(self, slack, team, ines):
        seen = await typed(slack, ines)
        hook = AsyncWebhookClient(seen.address)
        await hook.send(text="One")
        await hook.send(text="Two", replace_original=True)
        assert [one.text for one in seen.private] == ["One", "Two"]
        await hook.send(text="Three", response_type="in_channel")
        assert [one.text for one in team.messages] == ["Three"]

    async def test_a_press_replaces_and_deletes_what_was_pressed(self, slack, client, team, ines):
        acked(slack)
        button = {"type": "button", "action_id": "a", "text": plain("A")}
        blocks = [{"type": "actions", "elements": [button]}]
        await client.chat_postEphemeral(channel=team.id, user=ines.id, text="Q", blocks=blocks)
        message = ines.sees[0]
        hook = AsyncWebhookClient(ines.begins_to_press(message, "A").address)
        await hook.send(text="Right", replace_original=True, response_type="ephemeral")
        assert [one.text for one in ines.sees] == ["Right"]
        await hook.send(delete_original=True)
        assert ines.sees == []

    async def test_what_is_faulty_is_refused_and_does_not_count(self, slack, team, ines):
        seen = await typed(slack, ines)
        hook = AsyncWebhookClient(seen.address)
        for _ in range(6):
            sent = await hook.send(text="x", blocks=[{"type": "section"}])
            assert (sent.status_code, "invalid_blocks" in sent.body) == (404, True)
        assert (await hook.send(text="x")).status_code == 200

    async def test_its_answer_may_be_lost_with_or_without_effect(self, slack, team, ines):
        seen = await typed(slack, ines)
        hook = AsyncWebhookClient(seen.address)
        slack.fail_next("response_url", status=503)
        assert (await hook.send(text="x")).status_code == 503
        assert seen.private == []
        slack.fail_next("response_url", status=503, after_effect=True)
        assert (await hook.send(text="x")).status_code == 503
        assert len(seen.private) == 1
        seen.url.use_up()
        assert (await hook.send(text="x")).status_code == 404

    async def test_a_reply_goes_into_the_thread_that_it_names(self, slack, client, team, ines):
        seen = await typed(slack, ines)
        await AsyncWebhookClient(seen.address).send_dict({"text": "x", "thread_ts": "1.000000"})
        assert seen.private[0].thread_ts == "1.000000"

    async def test_an_ephemeral_that_is_lost_was_taken_all_the_same(self, slack, team, ines):
        seen = await typed(slack, ines)
        ines.loses_ephemerals = True
        assert (await AsyncWebhookClient(seen.address).send(text="x")).status_code == 200
        assert (len(seen.private), ines.sees) == (1, [])

    async def test_a_press_answered_without_saying_whether_it_replaces_is_a_slip(
        self, slack, client, team, ines
    ):
        acked(slack)
        button = {"type": "button", "action_id": "a", "text": plain("A")}
        blocks = [{"type": "actions", "elements": [button]}]
        await client.chat_postMessage(channel=team.id, text="Q", blocks=blocks, **QUIET)
        pressed = ines.begins_to_press(team.last, "A")
        await AsyncWebhookClient(pressed.address).send(text="x")
        assert slack.slips == ["a press was answered without replace_original"]
        slack.slips.clear()


class TestViews:
    async def test_a_trigger_opens_one_form_within_three_seconds(
        self, slack, clock, client, team, ines
    ):
        seen = await typed(slack, ines)
        trigger = seen.delivery.payload["trigger_id"]
        await client.views_open(trigger_id=trigger, view=modal())
        assert ines.modal.title == "Form"
        again = client.views_open(trigger_id=trigger, view=modal())
        assert await refused(again) == "exchanged_trigger_id"
        late = (await typed(slack, ines)).delivery.payload["trigger_id"]
        clock.move(3)
        opened = client.views_open(trigger_id=late, view=modal())
        assert await refused(opened) == "expired_trigger_id"
        unknown = client.views_open(trigger_id="x", view=modal())
        assert await refused(unknown) == "invalid_trigger_id"

    async def test_a_faulty_form_is_refused(self, slack, client, team, ines):
        trigger = (await typed(slack, ines)).delivery.payload["trigger_id"]
        for faulty in (modal(title=plain("x" * 25)), {"type": "home", "blocks": []}):
            opened = client.views_open(trigger_id=trigger, view=faulty)
            assert await refused(opened) == "invalid_arguments"

    async def test_forms_stack_three_deep_and_can_be_changed(self, slack, client, team, ines):
        async def trigger() -> str:
            return str((await typed(slack, ines)).delivery.payload["trigger_id"])

        opened = await client.views_open(trigger_id=await trigger(), view=modal("one"))
        await client.views_push(trigger_id=await trigger(), view=modal("two"))
        await client.views_push(trigger_id=await trigger(), view=modal("three"))
        deeper = client.views_push(trigger_id=await trigger(), view=modal("four"))
        assert await refused(deeper) == "push_limit_reached"
        view = opened["view"]
        await client.views_update(view_id=view["id"], hash=view["hash"], view=modal("uno"))
        assert [one.text for one in ines.modals] == ["uno", "two", "three"]
        stale = client.views_update(view_id=view["id"], hash=view["hash"], view=modal("x"))
        assert await refused(stale) == "hash_conflict"
        await ines.closes(ines.modal)
        gone = client.views_update(view_id="V999", view=modal())
        assert await refused(gone) == "not_found"

    async def test_a_home_is_published_and_published_again(self, client, ines):
        home = {"type": "home", "blocks": [{"type": "section", "text": plain("One")}]}
        first = await client.views_publish(user_id=ines.id, view=home)
        home["blocks"] = [{"type": "section", "text": plain("Two")}]
        await client.views_publish(user_id=ines.id, view=home, hash=first["view"]["hash"])
        assert ines.home.text == "Two"
        again = client.views_publish(user_id=ines.id, view=home, hash=first["view"]["hash"])
        assert await refused(again) == "hash_conflict"


class TestTelling:
    async def test_a_persons_locale_is_told_only_to_who_asks_for_it(self, slack, client, ines):
        told = await client.users_info(user=ines.id)
        assert (told["user"]["is_admin"], "locale" in told["user"]) == (True, False)
        told = await client.users_info(user=ines.id, include_locale=True)
        assert told["user"]["locale"] == "fr-FR"
        assert await refused(client.users_info(user="U999")) == "user_not_found"
        stranger = slack.workspace("Others").person("Stranger", admin=True)
        assert await refused(client.users_info(user=stranger.id)) == "user_not_visible"

    async def test_a_guest_of_a_shared_channel_is_seen_as_a_stranger(
        self, slack, client, workspace
    ):
        others = slack.workspace("Others", installed=False)
        guest = others.person("Guest", admin=True)
        shared = workspace.channel("shared", shared_with=(others,))
        told = await client.users_info(user=guest.id)
        assert told["user"]["team_id"] == others.id
        assert (told["user"]["is_stranger"], told["user"]["is_admin"]) == (True, False)
        about = await client.conversations_info(channel=shared.id)
        assert about["channel"]["is_ext_shared"] is True

    async def test_a_channel_tells_who_made_it_and_who_is_in_it(
        self, client, workspace, team, ines
    ):
        about = (await client.conversations_info(channel=team.id))["channel"]
        assert (about["creator"], about["is_member"], about["is_private"]) == (ines.id, True, False)
        there = await client.conversations_members(channel=team.id)
        assert there["members"] == [ines.id, workspace.bot_user_id]

    async def test_who_the_bot_is_and_every_question_about_it_is_counted(
        self, slack, client, workspace
    ):
        told = await client.auth_test()
        assert (told["team_id"], told["user_id"]) == (workspace.id, workspace.bot_user_id)
        assert len(slack.called("auth.test")) == 1
        assert await refused(AsyncWebClient("x", base_url=slack.api).auth_test()) == "invalid_auth"
        assert await refused(AsyncWebClient(base_url=slack.api).auth_test()) == "not_authed"

    async def test_what_is_read_takes_no_json(self, client, ines):
        told = client.api_call("users.info", json={"user": ines.id})
        assert await refused(told) == "invalid_arguments"

    async def test_a_method_that_it_does_not_know_fails_the_test(self, slack, client):
        assert await refused(client.api_call("reactions.add")) == "unknown_method"
        assert slack.slips == ["the stand-in has no method reactions.add"]
        slack.slips.clear()


class TestGrid:
    async def test_an_organisations_token_works_in_its_workspaces(self, slack):
        organisation = slack.enterprise("Org")
        installation = organisation.install()
        one = slack.workspace("One", enterprise=organisation)
        two = slack.workspace("Two", enterprise=organisation)
        client = AsyncWebClient(installation.token, base_url=slack.api)
        assert one.token == two.token == installation.token
        told = await client.auth_test()
        assert (told["enterprise_id"], told["is_enterprise_install"]) == (organisation.id, True)
        channel = two.channel("x")
        await client.chat_postMessage(channel=channel.id, text="x", **QUIET)
        assert channel.last.by is two
        person = two.person("Ines")
        assert person.id.startswith("W")
        acked(slack)
        payload = person.begins_to_type("/quiz", channel).delivery.payload
        assert payload["is_enterprise_install"] == "true"
        assert (payload["team_id"], payload["enterprise_id"]) == (two.id, organisation.id)


class TestFiles:
    async def upload(self, client: AsyncWebClient, content: bytes, name: str = "map.png") -> str:
        asked = await client.files_getUploadURLExternal(filename=name, length=len(content))
        async with aiohttp.ClientSession() as session:
            await session.post(asked["upload_url"], data=content)
        await client.files_completeUploadExternal(files=[{"id": asked["file_id"], "title": "x"}])
        return str(asked["file_id"])

    def picture(self, file: str) -> dict[str, Any]:
        block = {"type": "image", "alt_text": "A map", "slack_file": {"id": file}}
        return {"text": "A map", "blocks": [block], **QUIET}

    async def test_a_picture_is_shown_once_it_is_there(self, slack, client, team):
        unknown = client.chat_postMessage(channel=team.id, **self.picture("F99999999"))
        assert await refused(unknown) == "invalid_blocks"
        file = await self.upload(client, b"png")
        await client.chat_postMessage(channel=team.id, **self.picture(file))
        assert team.last.text == "A map"
        assert slack.files[file].content == b"png"

    async def test_a_picture_that_slack_still_works_on_is_refused_so_often(
        self, slack, client, team
    ):
        slack.files_take = 1
        file = await self.upload(client, b"png")
        early = client.chat_postMessage(channel=team.id, **self.picture(file))
        assert await refused(early) == "invalid_blocks"
        await client.chat_postMessage(channel=team.id, **self.picture(file))

    async def test_what_is_no_picture_cannot_be_shown(self, client, team):
        file = await self.upload(client, b"svg", "map.svg")
        posted = client.chat_postMessage(channel=team.id, **self.picture(file))
        assert await refused(posted) == "invalid_blocks"

    async def test_an_upload_is_as_long_as_it_said_and_comes_before_its_end(self, slack, client):
        asked = await client.files_getUploadURLExternal(filename="a.png", length=3)
        ended = client.files_completeUploadExternal(files=[{"id": asked["file_id"], "title": "x"}])
        assert await refused(ended) == "file_not_found"
        async with aiohttp.ClientSession() as session:
            answer = await session.post(asked["upload_url"], data=b"1234")
            assert answer.status == 400
            slack.fail_next("upload", status=503)
            answer = await session.post(asked["upload_url"], data=b"123")
            assert answer.status == 503


class TestFaults:
    async def test_a_call_fails_as_ordered_before_or_after_its_effect(self, slack, client, team):
        def post() -> Any:
            return client.chat_postMessage(channel=team.id, text="x", **QUIET)

        slack.fail_next("chat.postMessage", "restricted_action")
        assert await refused(post()) == "restricted_action"
        assert team.messages == []
        slack.fail_next("chat.*", "internal_error", after_effect=True)
        assert await refused(post()) == "internal_error"
        assert len(team.messages) == 1
        slack.fail_next("chat.postMessage", status=503)
        with pytest.raises(SlackApiError) as caught:
            await post()
        assert caught.value.response.status_code == 503
        slack.fail_next("chat.postMessage", "ratelimited", retry_after=7)
        with pytest.raises(SlackApiError) as caught:
            await post()
        assert caught.value.response.headers["Retry-After"] == "7"
        await post()

    async def test_a_connection_breaks_with_or_without_effect(self, slack, client, team):
        quick = AsyncWebClient(client.token, base_url=slack.api, retry_handlers=[])
        slack.fail_next("chat.postMessage", cut=True, after_effect=True)
        with pytest.raises(aiohttp.ClientError):
            await quick.chat_postMessage(channel=team.id, text="x", **QUIET)
        assert len(team.messages) == 1

    async def test_rates_are_kept_by_the_worlds_clock(self, slack, clock, client, workspace, team):
        slack.keep_rates()
        other = workspace.channel("other")
        await client.chat_postMessage(channel=team.id, text="x", **QUIET)
        await client.chat_postMessage(channel=other.id, text="x", **QUIET)
        again = client.chat_postMessage(channel=team.id, text="x", **QUIET)
        assert await refused(again) == "ratelimited"
        assert slack.calls[-1].headers["Retry-After"] == "1"
        clock.move(1)
        await client.chat_postMessage(channel=team.id, text="x", **QUIET)
        for _ in range(50):
            await client.chat_update(channel=team.id, ts=team.last.ts, text="x", blocks=[])
        over = client.chat_update(channel=team.id, ts=team.last.ts, text="x", blocks=[])
        assert await refused(over) == "ratelimited"
        assert slack.calls[-1].headers["Retry-After"] == "60"

    async def test_a_call_is_held_until_it_is_let_go(self, slack, client, team):
        hold = slack.hold("chat.postMessage", after_effect=True)
        posting = asyncio.ensure_future(client.chat_postMessage(channel=team.id, text="x", **QUIET))
        await hold.arrived.wait()
        assert (len(team.messages), posting.done()) == (1, False)
        hold.release()
        await posting


class TestOAuth:
    def asked(self, slack: StandInSlack) -> str:
        return (
            f"https://slack.com/oauth/v2/authorize?client_id={slack.client_id}"
            "&scope=commands,chat:write&state=s&redirect_uri=http://127.0.0.1:1/back"
        )

    def exchange(self, slack: StandInSlack, **arguments: str) -> Any:
        secrets = {"client_id": slack.client_id, "client_secret": slack.client_secret}
        # slack_sdk's own method uses what aiohttp deprecates.
        client = AsyncWebClient(base_url=slack.api)
        return client.api_call("oauth.v2.access", data={**secrets, **arguments})

    async def test_who_allows_the_app_installs_it_in_their_workspace(self, slack):
        others = slack.workspace("Others", installed=False)
        person = others.person("Ana")
        back = person.allows(self.asked(slack))
        assert back.startswith("http://127.0.0.1:1/back?code=code-")
        assert back.endswith("&state=s")
        code = back.partition("code=")[2].partition("&")[0]
        told = await self.exchange(slack, code=code)
        assert (told["team"]["id"], told["authed_user"]["id"]) == (others.id, person.id)
        assert told["access_token"] == others.token
        assert (await AsyncWebClient(others.token, base_url=slack.api).auth_test())["ok"]
        assert await refused(self.exchange(slack, code=code)) == "code_already_used"
        assert await refused(self.exchange(slack, code="x")) == "invalid_code"
        assert person.cancels(self.asked(slack)).endswith("?error=access_denied&state=s")

    async def test_tokens_that_rotate_end_and_a_refresh_token_serves_once(self, slack, clock):
        slack.rotates = True
        rotating = slack.workspace("Others")
        client = AsyncWebClient(rotating.token, base_url=slack.api)
        refresh_token = rotating.app.refresh_token
        clock.move(12 * 3600)
        assert await refused(client.auth_test()) == "token_expired"

        def refresh() -> Any:
            return self.exchange(slack, grant_type="refresh_token", refresh_token=refresh_token)

        told = await refresh()
        assert told["expires_in"] == 12 * 3600
        assert told["access_token"] != client.token
        assert (await AsyncWebClient(told["access_token"], base_url=slack.api).auth_test())["ok"]
        assert await refused(refresh()) == "invalid_refresh_token"

    async def test_an_app_that_was_removed_has_no_token_any_more(self, slack, client, workspace):
        acked(slack)
        workspace.revoke()
        assert await refused(client.auth_test()) == "token_revoked"
        workspace.install()
        workspace.uninstall()
        gone = AsyncWebClient(workspace.token, base_url=slack.api)
        assert await refused(gone.auth_test()) == "account_inactive"
        told = [one.payload["event"]["type"] for one in slack.deliveries]
        assert told == ["tokens_revoked", "tokens_revoked", "app_uninstalled"]
