"""Pictures of questions on Slack: uploaded once, and told in words where they are not shown."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from conversation import Person, pass_time
from slack_stage import SlackStage, on_slack

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
