"""The manifest of the Slack app: it is whole, and asks for what is needed and for nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from slack_stage import SlackStage, on_slack
from stand_in_slack import StandInSlack
from stand_in_slack_people import Person
from stand_in_slack_scopes import scope_to_hear

from adapters.slack import happening
from adapters.slack.manifest import BOT_SCOPES, EVENTS, Wishes, as_json, as_yaml, manifest
from bot.messages import Message, Paragraph, Picture, Plain
from bot.ports import Target

ROOT = Path(__file__).parents[1]
URL = "https://quizbot.example.org"
EVERY = [
    Wishes(),
    Wishes("/learn", oauth=True, url=URL),
    Wishes(sockets=False, url=URL),
    Wishes(sockets=False, oauth=True, url=f"{URL}/bots"),
]


@pytest.mark.parametrize("wishes", EVERY)
def test_it_reads_the_same_in_both_ways_of_writing_it(wishes: Wishes) -> None:
    assert yaml.safe_load(as_yaml(wishes)) == json.loads(as_json(wishes)) == manifest(wishes)


@pytest.mark.parametrize("wishes", EVERY)
def test_each_permission_and_event_says_what_it_is_for(wishes: Wishes) -> None:
    lines = as_yaml(wishes).splitlines()
    for name, why in (*BOT_SCOPES.items(), *EVENTS.items()):
        assert [line for line in lines if line.endswith(f"- {name}  # {why}")], name


@pytest.mark.parametrize("wishes", EVERY)
def test_what_it_says_is_short_enough_for_slack(wishes: Wishes) -> None:
    made = manifest(wishes)
    assert len(made["display_information"]["name"]) <= 35
    assert len(made["display_information"]["description"]) <= 140
    (command,) = made["features"]["slash_commands"]
    assert (command["command"], command["should_escape"]) == (wishes.command, False)
    assert len(command["command"]) <= 32


def test_with_sockets_nothing_has_to_be_reached_from_outside() -> None:
    assert "https://" not in as_json(Wishes())
    settings = manifest(Wishes())["settings"]
    assert settings["socket_mode_enabled"]
    assert not settings["token_rotation_enabled"]


def test_over_http_everything_is_delivered_to_one_address() -> None:
    made = manifest(Wishes(sockets=False, oauth=True, url=URL))
    found = set(re.findall(r"https://[^\"]+", json.dumps(made)))
    assert found == {f"{URL}/slack/events", f"{URL}/slack/oauth_redirect"}
    assert made["settings"]["interactivity"]["message_menu_options_url"] == f"{URL}/slack/events"
    assert made["settings"]["token_rotation_enabled"]


def test_every_event_that_is_heard_is_asked_for_and_no_other() -> None:
    source = Path(happening.__file__).read_text(encoding="utf-8")
    cases = re.findall(r"^            case (.*?)(?: if .*)?:$", source, re.MULTILINE)
    assert set(re.findall(r'"(\w+)"', " ".join(cases))) == set(EVENTS)


async def test_with_its_permissions_it_hears_every_event_and_with_fewer_not() -> None:
    async with StandInSlack() as slack:
        workspace = slack.workspace("Study group", scopes=BOT_SCOPES)
        channels = (workspace.channel("open"), workspace.channel("closed", private=True))
        needed = {scope_to_hear({"type": kind}, one) for kind in EVENTS for one in channels}
    assert needed - {None} == {"channels:read", "groups:read", "users:read"}
    assert needed - {None} <= BOT_SCOPES.keys()


# --- every permission is needed ----------------------------------------------------------------

Deed = Callable[[SlackStage, Person], Awaitable[Any]]


async def plays(stage: SlackStage, ana: Person) -> None:
    await ana.types("/quiz ports", stage.place)


async def plays_where_nobody_invited_it(stage: SlackStage, ana: Person) -> None:
    elsewhere = stage.workspace.channel("elsewhere", with_bot=False)
    elsewhere.members.add(ana)
    await ana.types("/quiz ports", elsewhere)


async def is_written_to(stage: SlackStage, ana: Person) -> None:
    id = stage.workspace.id
    target = Target(id, stage.place.id, person=f"{id}:{ana.id}")
    message = Message((Paragraph((Plain("Hello."),)),))
    await stage.bot.surface.post(target, message, nonce="1", silent=True)


async def sees_a_picture(stage: SlackStage, ana: Person) -> None:
    message = Message((Picture(str(ROOT / "docs/room.png"), "The room", "en"),))
    target = Target(stage.workspace.id, stage.place.id)
    await stage.bot.surface.post(target, message, nonce="1", silent=True)


def looks_at_settings(kind: str) -> Deed:
    async def deed(stage: SlackStage, ana: Person) -> None:
        there = stage.workspace
        match kind:
            case "public":
                channel = stage.place
            case "private":
                channel = there.channel("closed", private=True)
            case "direct":
                channel = ana.dm
            case _:
                channel = there.group(ana, there.person("Ben"), there.person("Kim"), with_bot=True)
        channel.members.add(ana)
        await ana.types("/quiz settings", channel)

    return deed


NEEDED: dict[str, Deed] = {
    "commands": plays,
    "chat:write": plays,
    "chat:write.public": plays_where_nobody_invited_it,
    "im:write": is_written_to,
    "users:read": plays,
    "channels:read": looks_at_settings("public"),
    "groups:read": looks_at_settings("private"),
    "im:read": looks_at_settings("direct"),
    "mpim:read": looks_at_settings("group"),
    "files:write": sees_a_picture,
}


def test_for_each_permission_there_is_a_deed_that_needs_it() -> None:
    assert NEEDED.keys() == BOT_SCOPES.keys()


async def refused_without(scope: str, deed: Deed, folder: Path) -> set[str]:
    """What Slack says it lacks, when somebody does that and this one is not granted."""
    async with on_slack(folder) as stage:
        stage.workspace.app.scopes.discard(scope)
        ana = stage.workspace.person("Ana")
        stage.place.members.add(ana)
        try:
            await deed(stage, ana)
            await stage.settle()
        except AssertionError as error:
            assert "is not a valid command" in str(error)  # noqa: PT017 - of the stand-in
            return {"commands"}
        lacking = {
            str(call.answer.get("needed"))
            for call in stage.world.calls
            if call.error == "missing_scope"
        }
        if any(call.error == "not_in_channel" for call in stage.world.calls):
            lacking.add("chat:write.public")
        stage.world.calls.clear()
        return lacking


@pytest.mark.parametrize("scope", BOT_SCOPES)
async def test_without_a_permission_something_does_not_work(scope: str, tmp_path: Path) -> None:
    assert await refused_without("nothing", NEEDED[scope], tmp_path / "all") == set()
    assert await refused_without(scope, NEEDED[scope], tmp_path / "less") == {scope}
