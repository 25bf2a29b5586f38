"""Pictures of questions on Slack: uploaded once, and told in words where they are not shown."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from conversation import Person, pass_time
from slack_stage import SlackStage, on_slack
from stand_in_slack_messages import Message

from adapters.slack.pictures import Pictures
from bot.messages import Picture

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
BANK = """\
schema: quizbot/1
language: en
title: Pictures
questions:
  - id: only
    text: What is this?
    image: {file: images/dot.png, alt: A single grey dot.}
    options: {a: "a dot", b: "a line"}
    correct: a
    explain: It has no length.
"""


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[SlackStage]:
    folder = tmp_path / "banks" / "pictures"
    folder.mkdir(parents=True)
    (folder / "bank.yaml").write_text(BANK, encoding="utf-8")
    (folder / "images").mkdir()
    (folder / "images" / "dot.png").write_bytes(PIXEL)
    async with on_slack(tmp_path) as stage:
        yield stage


def images(stage: SlackStage, at: int = -1) -> list[dict[str, object]]:
    return [one for one in stage.place.messages[at].blocks if one["type"] == "image"]


async def test_a_picture_is_uploaded_once_and_shown_to_everybody(stage: SlackStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz pictures")
    [image] = images(stage)
    assert image["alt_text"] == "A single grey dot."
    assert "slack_file" in image
    await ana.answers("a dot")
    await pass_time(stage, 60)
    await ana.types("/quiz pictures")
    assert len(images(stage)) == 1
    assert len(stage.world.called("files.completeUploadExternal")) == 1


@pytest.mark.parametrize(
    "method", ["files.getUploadURLExternal", "upload", "files.completeUploadExternal"]
)
async def test_one_that_cannot_be_uploaded_is_told_in_words(stage: SlackStage, method: str) -> None:
    if method == "upload":
        stage.world.fail_next(method, status=500)
    else:
        stage.world.fail_next(method, "internal_error")
    await Person(stage, "Ana").types("/quiz pictures")
    assert images(stage) == []
    assert "A single grey dot." in stage.place.last.text


async def test_one_that_slack_has_not_made_ready_is_waited_for(stage: SlackStage) -> None:
    stage.world.files_take = 2
    await Person(stage, "Ana").types("/quiz pictures")
    await pass_time(stage, 5)
    assert len(images(stage)) == 1


async def test_one_that_slack_does_not_show_is_told_in_words(stage: SlackStage) -> None:
    stage.world.files_take = 99
    await Person(stage, "Ana").types("/quiz pictures")
    await pass_time(stage, 12)
    assert images(stage) == []
    assert "A single grey dot." in stage.place.last.text
    # And is not tried again with every change.
    await pass_time(stage, 60)
    assert len(stage.world.called("files.completeUploadExternal")) == 1


async def test_without_the_scope_for_files_a_quiz_goes_on(stage: SlackStage) -> None:
    assert stage.workspace.installation is not None
    stage.workspace.installation.scopes.discard("files:write")
    await Person(stage, "Ana").types("/quiz pictures")
    assert "A single grey dot." in stage.place.last.text


# --- in what only one person sees --------------------------------------------------------------


async def alone(stage: SlackStage) -> Message:
    """A question in private, as Slack takes it when its picture was uploaded just before."""
    ana = stage.member(Person(stage, "Ana"))
    opened = await ana.types("/quiz", stage.place)
    [pictures] = (await ana.looks_up(opened.modal, "search:topic", "pictures"))[:1]
    came = ana.begins_to_fill(opened.modal, {"topic": pictures, "mode": "solo"})
    question = await came.until_private()
    await stage.settle()
    return question


@pytest.mark.parametrize("settled", [False, True])
async def test_a_private_question_whose_picture_slack_does_not_show_can_be_answered(
    stage: SlackStage, settled: bool
) -> None:
    if settled:
        # It is shown for a while, and then deleted by somebody.
        await alone(stage)
        stage.world.files.clear()
        stage.clock.move(60)
    else:
        stage.world.files_take = 99
    question = await alone(stage)
    assert not [one for one in question.blocks if one["type"] == "image"]
    assert "A single grey dot." in question.text
    (await Person(stage, "Ana").answers("a dot", on=stage.read(question))).says("Right")


async def test_in_the_home_a_question_whose_picture_slack_does_not_show_can_be_answered(
    stage: SlackStage,
) -> None:
    stage.world.files_take = 99
    stage.world.fail_next("response_url", "used_url", status=404)
    stage.world.fail_next("chat.postEphemeral", "user_not_in_channel")
    ana = stage.member(Person(stage, "Ana"))
    opened = await ana.types("/quiz", stage.place)
    [pictures] = (await ana.looks_up(opened.modal, "search:topic", "pictures"))[:1]
    ana.begins_to_fill(opened.modal, {"topic": pictures, "mode": "solo"})
    await stage.pass_until(lambda: ana.home is not None)
    await stage.settle()
    assert ana.home is not None
    assert "A single grey dot." in ana.home.text
    assert any(one["text"]["text"].startswith("A") for one in ana.home.buttons)


# --- uploads -----------------------------------------------------------------------------------


async def test_a_picture_that_goes_up_slowly_holds_up_no_other_workspace(
    stage: SlackStage, tmp_path: Path
) -> None:
    picture = Picture(str(tmp_path / "banks/pictures/images/dot.png"), "A dot.", "en")
    pictures, here = Pictures(stage.bot.client, stage.clock), stage.bot.workspaces
    own = await here.find([stage.workspace.id])
    assert own is not None
    elsewhere = replace(own, id="T0")
    held = stage.world.hold("files.completeUploadExternal")
    slow = asyncio.create_task(pictures.files([picture], own))
    again = asyncio.create_task(pictures.files([picture], own))
    async with asyncio.timeout(10):
        await held.arrived.wait()
    async with asyncio.timeout(10):
        assert picture.path in await pictures.files([picture], elsewhere)
    assert not slow.done()
    held.release()
    assert await slow == await again, "who asks meanwhile is told what comes of the first"
    assert len(stage.world.called("files.getUploadURLExternal")) == 2


async def test_one_that_could_not_be_uploaded_is_not_tried_with_every_message(
    stage: SlackStage,
) -> None:
    stage.world.fail_next("files.getUploadURLExternal", "internal_error")
    ana = Person(stage, "Ana")
    await ana.types("/quiz pictures")
    await ana.answers("a dot")
    await pass_time(stage, 10)
    assert len(stage.world.called("files.getUploadURLExternal")) == 1
    await pass_time(stage, 90)
    await ana.types("/quiz pictures")
    assert len(images(stage)) == 1
