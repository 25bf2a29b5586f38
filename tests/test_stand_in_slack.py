"""The stand-in Slack as people use it, with a bot of real slack_bolt and slack_sdk on it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient
from stand_in_slack import StandInSlack
from stand_in_slack_workspaces import Workspace


@pytest.fixture
async def slack() -> AsyncIterator[StandInSlack]:
    async with StandInSlack() as world:
        yield world


@pytest.fixture
def workspace(slack: StandInSlack) -> Workspace:
    made = slack.workspace("Study group")
    made.channel("team")
    return made


@pytest.fixture
async def app(slack: StandInSlack, workspace: Workspace) -> AsyncIterator[AsyncApp]:
    client = AsyncWebClient(workspace.token, base_url=slack.api)
    bolt = AsyncApp(client=client)
    handler = AsyncSocketModeHandler(
        bolt, slack.app_token, web_client=AsyncWebClient(base_url=slack.api)
    )
    await handler.connect_async()
    await slack.until(lambda: slack.sockets.connected)
    yield bolt
    await handler.close_async()
    await bolt.client.session.close() if bolt.client.session else None


async def test_a_command_is_answered_privately_and_its_button_replaces_the_answer(app, workspace):
    @app.command("/quiz")
    async def quiz(ack, command, respond):
        await ack()
        await respond(
            f"{command['text']}?",
            blocks=[
                {"type": "section", "text": {"type": "plain_text", "text": "Well?"}},
                {
                    "type": "actions",
                    "elements": [
                        {
                            "type": "button",
                            "action_id": "a",
                            "text": {"type": "plain_text", "text": "A · 22"},
                        },
                    ],
                },
            ],
        )

    @app.action("a")
    async def press(ack, respond, body):
        await ack()
        assert "message" not in body
        await respond("Right.", replace_original=True)

    ines = workspace.person("Inès")
    seen = await ines.types("/quiz pipeline")
    assert [one.text for one in seen.private] == ["Well?"]
    assert seen.message.labels == ["A · 22"]
    pressed = await ines.presses(seen.message, "A")
    assert pressed.failed is None
    assert pressed.is_updated
    assert pressed.text == "Right."
    assert workspace.person("Ana").reads(workspace.general) == []


async def test_a_public_message_is_posted_changed_and_read(slack, workspace):
    client = AsyncWebClient(workspace.token, base_url=slack.api)
    posted = await client.chat_postMessage(
        channel=workspace.general.id, text="Question", unfurl_links=False, unfurl_media=False
    )
    await client.chat_update(
        channel=workspace.general.id, ts=posted["ts"], text="Reveal", blocks=[]
    )
    assert workspace.general.last.text == "Reveal"


async def test_a_command_without_a_bot_fails(workspace):
    seen = await workspace.person("Inès").types("/quiz")
    assert seen.failed == "/quiz failed with the error “dispatch_failed”"


async def test_a_form_comes_up_and_what_is_typed_arrives(app, workspace):
    @app.command("/quiz")
    async def quiz(ack, body, client):
        await client.views_open(
            trigger_id=body["trigger_id"],
            view={
                "type": "modal",
                "callback_id": "form",
                "title": {"type": "plain_text", "text": "Settings"},
                "submit": {"type": "plain_text", "text": "Save"},
                "blocks": [
                    {
                        "type": "input",
                        "block_id": "zone",
                        "label": {"type": "plain_text", "text": "Zone"},
                        "element": {"type": "plain_text_input", "action_id": "value"},
                    }
                ],
            },
        )
        await ack()

    @app.view("form")
    async def sent(ack, view):
        zone = view["state"]["values"]["zone"]["value"]["value"]
        if zone == "Mars":
            await ack(response_action="errors", errors={"zone": "No such zone"})
        else:
            await ack()

    ines = workspace.person("Inès")
    seen = await ines.types("/quiz")
    form = seen.modal
    wrong = await ines.fills(form, {"Zone": "Mars"})
    assert wrong.errors == {"zone": "No such zone"}
    await ines.fills(form, {"Zone": "Africa/Harare"})
    assert not form.is_open


async def test_a_home_is_published_when_it_is_opened(app, workspace):
    @app.event("app_home_opened")
    async def opened(event, client):
        await client.views_publish(
            user_id=event["user"],
            view={
                "type": "home",
                "blocks": [
                    {"type": "section", "text": {"type": "plain_text", "text": "Your quizzes"}}
                ],
            },
        )

    home = await workspace.person("Inès").opens_home()
    assert home is not None
    assert home.text == "Your quizzes"
