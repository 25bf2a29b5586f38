"""The stand-in Slack as people use it, with a bot of real slack_bolt and slack_sdk on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient
from stand_in_slack import StandInSlack
from stand_in_slack_channels import Channel
from stand_in_slack_people import Person
from stand_in_slack_workspaces import Workspace

from adapters.slack import client as slack_client

Json = dict[str, Any]
QUIET: Json = {"unfurl_links": False, "unfurl_media": False}


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def section(text: str, **parts: Any) -> Json:
    return {"type": "section", "text": plain(text), **parts}


def row(*elements: Json) -> Json:
    return {"type": "actions", "block_id": "row", "elements": list(elements)}


def button(label: str, action: str, **parts: Any) -> Json:
    return {"type": "button", "action_id": action, "text": plain(label), **parts}


def select(**parts: Any) -> Json:
    options = [{"text": plain(one), "value": one.lower()} for one in ("One", "Two")]
    return {"type": "static_select", "action_id": "s", "options": options, **parts}


def modal(*blocks: Json, **parts: Any) -> Json:
    whole = {"type": "modal", "callback_id": "form", "title": plain("Settings")}
    return {**whole, "submit": plain("Save"), "blocks": list(blocks), **parts}


def field(name: str, element: Json | None = None, **parts: Any) -> Json:
    typed = {"type": "plain_text_input", "action_id": "value"}
    block = {"type": "input", "block_id": name, "label": plain(name.title())}
    return {**block, "element": element or typed, **parts}


@pytest.fixture
async def slack() -> AsyncIterator[StandInSlack]:
    async with StandInSlack() as world:
        yield world


@pytest.fixture
def workspace(slack: StandInSlack) -> Workspace:
    return slack.workspace("Study group")


@pytest.fixture
def team(workspace: Workspace) -> Channel:
    return workspace.channel("team")


@pytest.fixture
def ines(workspace: Workspace, team: Channel) -> Person:
    return workspace.person("Inès", locale="fr-FR")


@pytest.fixture
def client(slack: StandInSlack, workspace: Workspace) -> AsyncWebClient:
    return AsyncWebClient(workspace.token, base_url=slack.api)


@pytest.fixture
async def app(
    slack: StandInSlack, workspace: Workspace, client: AsyncWebClient
) -> AsyncIterator[AsyncApp]:
    bolt = AsyncApp(client=client)
    web_client = AsyncWebClient(base_url=slack.api)
    handler = AsyncSocketModeHandler(bolt, slack.app_token, web_client=web_client)
    await handler.connect_async()
    await slack.until(lambda: slack.sockets.connected)
    yield bolt
    await handler.close_async()


def opens(app: AsyncApp, view: Json) -> None:
    """`/quiz` opens that form."""

    @app.command("/quiz")
    async def quiz(ack: Any, body: Any, client: Any) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()


def hears(app: AsyncApp, action: str) -> list[Json]:
    """What comes of presses, which are acknowledged."""
    heard: list[Json] = []

    @app.action(action)
    async def pressed(ack: Any, body: Any) -> None:
        heard.append(body)
        await ack()

    return heard


class TestCommands:
    async def test_one_is_answered_privately_and_its_button_replaces_the_answer(
        self, app, workspace, team, ines
    ):
        @app.command("/quiz")
        async def quiz(ack, command, respond):
            await ack()
            blocks = [section(f"{command['text']}?"), row(button("A · 22", "a"))]
            await respond("Well?", blocks=blocks)

        @app.action("a")
        async def press(ack, respond):
            await ack()
            await respond("Right.", replace_original=True)

        seen = await ines.types("/quiz pipeline")
        assert [one.text for one in seen.private] == ["pipeline?"]
        assert seen.message.labels == ["A · 22"]
        pressed = await ines.presses(seen.message, "A")
        assert (pressed.failed, pressed.is_updated, pressed.text) == (None, True, "Right.")
        assert ines.reads(team) == [pressed.message]
        assert workspace.person("Ana").reads(team) == team.messages == []

    async def test_one_is_answered_for_all_by_its_acknowledgement(self, app, team, ines):
        @app.command("/quiz")
        async def quiz(ack):
            await ack("Here it is", response_type="in_channel")

        assert (await ines.types("/quiz")).text == "Here it is"
        assert team.last.text == "Here it is"

    async def test_one_without_a_bot_fails(self, ines):
        seen = await ines.types("/quiz")
        assert seen.failed == "/quiz failed with the error “dispatch_failed”"

    async def test_a_bot_that_answers_nothing_in_time_fails_it(self, slack, app, ines):
        slack.patience = 0.05
        seen = await ines.types("/unheard")
        assert seen.failed == "/unheard failed with the error “operation_timeout”"

    async def test_channels_are_called_as_slack_calls_them(self, app, workspace, ines):
        heard = []

        @app.command("/quiz")
        async def quiz(ack, command):
            heard.append(command["channel_name"])
            await ack()

        ana, ben = workspace.person("Ana"), workspace.person("Ben")
        secret = workspace.channel("secret", creator=ines, private=True)
        pair, three = workspace.group(ines, ana), workspace.group(ines, ana, ben)
        for number, place in enumerate((secret, ines.dm, pair, three), 1):
            ines.begins_to_type("/quiz", place)
            await ines.world.until(lambda number=number: len(heard) == number)
        with pytest.raises(AssertionError, match="Ana is not in secret"):
            await ana.types("/quiz", secret)
        assert heard[:3] == ["privategroup", "directmessage", "directmessage"]
        assert heard[3].startswith("mpdm-")


class TestPresses:
    @pytest.mark.parametrize("wanted", ["a.1", "A · 22", "A", "A: twenty-two"])
    async def test_a_button_is_found_by_what_it_is_and_says(
        self, app, client, team, ines, wanted: str
    ):
        heard = hears(app, "a.1")
        labelled = button("A · 22", "a.1", value="v", accessibility_label="A: twenty-two")
        blocks = [row(button("Abc", "z"), labelled)]
        await client.chat_postMessage(channel=team.id, text="Q", blocks=blocks, **QUIET)
        ines.begins_to_press(team.last, wanted)
        await ines.world.until(lambda: heard)
        action = heard[0]["actions"][0]
        assert (action["action_id"], action["value"], action["block_id"]) == ("a.1", "v", "row")
        assert float(action["action_ts"]) > float(team.last.ts)
        assert heard[0]["message"]["ts"] == heard[0]["container"]["message_ts"] == team.last.ts
        assert heard[0]["container"]["is_ephemeral"] is False

    async def test_an_ephemeral_does_not_come_along(self, app, client, team, ines):
        heard = hears(app, "a")
        parent = await client.chat_postMessage(channel=team.id, text="Q", **QUIET)
        await client.chat_postEphemeral(
            channel=team.id, user=ines.id, text="Q", blocks=[row(button("A", "a"))],
            thread_ts=parent["ts"],
        )  # fmt: skip
        ines.begins_to_press(ines.sees[0], "A")
        await ines.world.until(lambda: heard)
        assert "message" not in heard[0]
        assert heard[0]["container"] == {
            "type": "message",
            "message_ts": ines.sees[0].ts,
            "channel_id": team.id,
            "is_ephemeral": True,
            "thread_ts": parent["ts"],
        }

    async def test_only_what_is_there_can_be_pressed_unless_it_is_forged(
        self, app, client, workspace, team, ines
    ):
        heard = hears(app, "gone")
        await client.chat_postEphemeral(channel=team.id, user=ines.id, text="Q")
        message = ines.sees[0]
        with pytest.raises(AssertionError, match="there is no 'gone' on it"):
            ines.begins_to_press(message, "gone")
        with pytest.raises(AssertionError, match="only somebody else sees that message"):
            workspace.person("Ana").begins_to_press(message, "gone", forged=True)
        ines.begins_to_press(message, "gone", forged=True)
        await ines.world.until(lambda: heard)

    async def test_a_choice_tells_what_was_chosen_and_the_state_of_the_message(
        self, slack, app, client, team, ines
    ):
        slack.patience = 0.05
        heard = hears(app, "s")
        blocks = [row(select(), select(action_id="t", initial_option=select()["options"][0]))]
        await client.chat_postMessage(channel=team.id, text="Q", blocks=blocks, **QUIET)
        await ines.chooses(team.last, "s", "Two")
        assert heard[0]["actions"][0]["selected_option"]["value"] == "two"
        values = heard[0]["state"]["values"]["row"]
        assert values["s"]["selected_option"]["value"] == "two"
        assert values["t"]["selected_option"]["value"] == "one"
        with pytest.raises(AssertionError, match="'Three' is not offered"):
            await ines.chooses(team.last, "s", "Three")

    async def test_many_at_once_are_each_answered_their_own(self, app, client, workspace, team):
        @app.action("a")
        async def press(ack, respond, body):
            await ack()
            said = f"For {body['user']['id']}"
            await respond(said, replace_original=False, response_type="ephemeral")

        blocks = [row(button("A", "a"))]
        await client.chat_postMessage(channel=team.id, text="Q", blocks=blocks, **QUIET)
        people = [workspace.person(f"Person {number}") for number in range(20)]
        presses = [one.begins_to_press(team.last, "A") for one in people]
        for person, seen in zip(people, presses, strict=True):
            assert (await seen.until_private()).text == f"For {person.id}"


class TestForms:
    async def test_what_is_typed_and_chosen_arrives_and_faults_stand_beside_it(self, app, ines):
        opens(app, modal(field("zone"), field("many", select()), private_metadata="{}"))
        heard = []

        @app.view("form")
        async def sent(ack, view):
            heard.append(view)
            zone = view["state"]["values"]["zone"]["value"]["value"]
            if zone == "Mars":
                await ack(response_action="errors", errors={"zone": "No such zone"})
            else:
                await ack()

        form = (await ines.types("/quiz")).modal
        wrong = await ines.fills(form, {"Zone": "Mars", "many": "two"})
        assert (wrong.errors, form.is_open) == ({"zone": "No such zone"}, True)
        await ines.fills(form, {"zone": "Africa/Harare"})
        assert (form.is_open, ines.modals) == (False, [])
        assert heard[1]["state"]["values"]["many"]["s"]["selected_option"]["value"] == "two"
        assert heard[1]["private_metadata"] == "{}"

    async def test_slacks_client_holds_back_what_may_not_be_sent(self, app, ines):
        short = {"type": "plain_text_input", "action_id": "value", "max_length": 2}
        opens(app, modal(field("zone", short), field("rest", optional=True)))
        form = (await ines.types("/quiz")).modal
        with pytest.raises(AssertionError, match="asks for 'Zone' to be filled"):
            ines.begins_to_fill(form)
        with pytest.raises(AssertionError, match="takes no more characters"):
            ines.begins_to_fill(form, {"zone": "xxx"})
        with pytest.raises(AssertionError, match="there is no"):
            ines.begins_to_fill(form, {"zone": "x", "zones": "x"})

    @pytest.mark.parametrize(
        ("action", "titles"), [("update", ["Next"]), ("push", ["Settings", "Next"])]
    )
    async def test_a_form_leads_to_another(self, app, ines, action: str, titles: list[str]):
        opens(app, modal(section("x")))

        @app.view("form")
        async def sent(ack):
            await ack(response_action=action, view=modal(section("y"), title=plain("Next")))

        await ines.fills((await ines.types("/quiz")).modal)
        assert [one.title for one in ines.modals] == titles

    async def test_a_form_takes_all_with_it(self, app, ines):
        opens(app, modal(section("x")))

        @app.view("form")
        async def sent(ack):
            await ack(response_action="clear")

        await ines.fills((await ines.types("/quiz")).modal)
        assert ines.modals == []

    async def test_who_closes_a_form_is_heard_of_only_if_that_was_asked_for(self, app, ines):
        heard = []

        @app.view_closed("form")
        async def closed(ack, body):
            heard.append(body["is_cleared"])
            await ack()

        for asked in (False, True):
            ines.shows(modal(section("x"), notify_on_close=asked), ines.workspace)
            await ines.closes(ines.modal)
        assert (heard, ines.modals) == ([False], [])

    async def test_a_press_in_a_form_comes_with_the_form(self, slack, app, ines):
        opens(app, modal(field("zone"), row(button("More", "more"))))

        @app.action("more")
        async def more(ack, body, client):
            await ack()
            assert body["view"]["state"]["values"]["zone"]["value"]["value"] == "x"
            await client.views_update(
                view_id=body["view"]["id"], view=modal(field("zone"), section("More"))
            )

        form = (await ines.types("/quiz")).modal
        form.state["zone"] = {"value": {"type": "plain_text_input", "value": "x"}}
        seen = await ines.presses(form, "More")
        assert (seen.is_updated, form.text) == (True, "Zone\nMore")
        assert form.state["zone"]["value"]["value"] == "x"

    async def test_options_are_looked_up_while_somebody_types(self, app, ines):
        external = {"type": "external_select", "action_id": "bank", "min_query_length": 0}
        opens(app, modal(field("bank", external)))

        @app.options("bank")
        async def look(ack, body):
            await ack(options=[{"text": plain(body["value"] * 2), "value": "v"}])

        sent = []

        @app.view("form")
        async def submitted(ack, view):
            sent.append(view["state"]["values"]["bank"]["bank"]["selected_option"]["value"])
            await ack()

        form = (await ines.types("/quiz")).modal
        options = await ines.looks_up(form, "bank", "pi")
        assert options == [{"text": plain("pipi"), "value": "v"}]
        await ines.fills(form, {"bank": options[0]})
        assert sent == ["v"]


class TestHomes:
    async def test_one_is_published_when_it_is_opened_and_its_buttons_work(self, app, ines):
        @app.event("app_home_opened")
        async def opened(event, client):
            assert event["tab"] == "home"
            home = {"type": "home", "blocks": [section("Your quizzes"), row(button("All", "all"))]}
            await client.views_publish(user_id=event["user"], view=home)

        heard = hears(app, "all")
        home = await ines.opens_home()
        assert (home.text, home.labels) == ("Your quizzes", ["All"])
        ines.begins_to_press(home, "All")
        await ines.world.until(lambda: heard)
        assert heard[0]["container"] == {"type": "view", "view_id": home.id}
        assert "channel" not in heard[0]

    async def test_one_that_nobody_publishes_stays_empty(self, ines):
        ines.world.patience = 0.05
        assert await ines.opens_home() is None


READS: list[tuple[Json, str]] = [
    (section("x", fields=[plain("y"), {"type": "mrkdwn", "text": "*z*"}]), "x\ny\n*z*"),
    ({"type": "header", "text": plain("Title")}, "Title"),
    ({"type": "context", "elements": [plain("a"), plain("b")]}, "a b"),
    ({"type": "image", "alt_text": "A map", "image_url": "https://example.org"}, "A map"),
    (
        {"type": "section", "text": {"type": "mrkdwn", "text": "<https://e.org|a> &lt; &amp;"}},
        "a < &",
    ),
]


class TestReading:
    @pytest.mark.parametrize(("block", "text"), READS)
    async def test_a_block_reads_as_it_shows(self, client, team, block: Json, text: str):
        await client.chat_postMessage(channel=team.id, text="x", blocks=[block], **QUIET)
        assert team.last.text == text

    async def test_rich_text_reads_as_it_shows(self, slack, client, team, ines):
        slack.may_ping = True
        words = [
            {"type": "text", "text": "Hello ", "style": {"bold": True}},
            {"type": "user", "user_id": ines.id},
            {"type": "text", "text": " in "},
            {"type": "channel", "channel_id": team.id},
            {"type": "date", "timestamp": 1, "format": "{time}", "fallback": " at nine"},
        ]
        line = {"type": "rich_text_section", "elements": [{"type": "text", "text": "x"}]}
        elements = [
            {"type": "rich_text_section", "elements": words},
            {"type": "rich_text_list", "style": "ordered", "offset": 1, "elements": [line, line]},
            {"type": "rich_text_list", "style": "bullet", "elements": [line]},
        ]
        blocks = [{"type": "rich_text", "elements": elements}]
        await client.chat_postMessage(channel=team.id, text="x", blocks=blocks, **QUIET)
        assert team.last.text == "Hello @Inès in #team at nine\n2. x\n3. x\n• x"


async def test_quizbot_in_this_process_is_pointed_at_it_and_away_again(slack):
    assert slack.api == slack_client.BASE
    async with StandInSlack() as other:
        assert other.api == slack_client.BASE
    assert slack.api == slack_client.BASE
