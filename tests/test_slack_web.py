"""HTTP mode: the same app, by signed deliveries to the one server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import aiohttp
import pytest
from conversation import Person, newest_question
from quizzes import right
from slack_stage import SlackStage, on_slack


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[SlackStage]:
    settings = {
        "SLACK_APP_TOKEN": "",
        "SLACK_SIGNING_SECRET": "stand-in-secret",
        "QUIZBOT_PORT": "0",
    }
    async with on_slack(tmp_path, **settings) as stage:
        stage.world.doors.address = f"{stage.up.address}slack/events"
        yield stage


async def test_a_quiz_is_played_over_http(stage: SlackStage) -> None:
    assert await stage.world.doors.verify()
    ana = Person(stage, "Ana")
    (await ana.types("/quiz ports 1")).says("Ports begins here.")
    question = await newest_question(stage)
    (await ana.answers(right(question), on=question)).says("Right, 10 points")
    assert stage.world.sockets.opened == 0


async def test_a_form_is_answered_in_the_acknowledgement(stage: SlackStage) -> None:
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Time zone")
    (await olga.fills(zone="Harrare")).says("Did you mean Africa/Harare?")
    (await olga.fills(zone="Africa/Harare")).says("Saved.")


async def test_an_event_that_nobody_waits_for_is_acknowledged_all_the_same(
    stage: SlackStage,
) -> None:
    delivery = stage.workspace.event({"type": "group_deleted", "channel": "C0"})
    await stage.world.until(lambda: delivery.acked)
    assert stage.world.doors.statuses == [200]


async def test_what_is_signed_wrongly_or_long_ago_is_not_looked_at(stage: SlackStage) -> None:
    doors = stage.world.doors
    body = '{"type": "url_verification", "challenge": "x"}'
    kind = {"Content-Type": "application/json"}
    wrong = doors.headers(body, secret="another") | kind
    assert (await doors.send(body, wrong))[0] == 401
    assert (await doors.send(body, kind))[0] == 401
    long_ago = doors.headers(body, at=stage.clock.now() - timedelta(minutes=6)) | kind
    assert (await doors.send(body, long_ago))[0] == 401
    odd = doors.headers(body) | kind | {"X-Slack-Request-Timestamp": "yesterday"}
    assert (await doors.send(body, odd))[0] == 401


ODD = ['{"authorizations": [7]}', "{", "[]", "\udcff", "payload=%7B", '{"team": {"id": {}}}']


@pytest.mark.parametrize("body", ODD)
async def test_what_nobody_has_signed_is_not_even_parsed(
    stage: SlackStage, body: str, caplog: pytest.LogCaptureFixture
) -> None:
    doors = stage.world.doors
    sent = body.encode("utf-8", "surrogateescape")
    async with aiohttp.ClientSession() as session:
        unsigned = {"X-Slack-Request-Timestamp": "9" * 400, "X-Slack-Signature": "v0=é"}
        for headers in ({}, unsigned, doors.headers("something else")):
            async with session.post(str(doors.address), data=sent, headers=headers) as answer:
                assert answer.status == 401
    assert [one for one in caplog.records if one.levelname == "ERROR"] == []


async def test_what_is_signed_and_of_no_shape_is_refused_and_hinders_nobody(
    stage: SlackStage,
) -> None:
    doors = stage.world.doors
    for body in ODD[:3]:
        kind = {"Content-Type": "application/json"}
        assert (await doors.send(body, doors.headers(body) | kind))[0] in (200, 400, 500)
    (await Person(stage, "Ana").types("/quiz ports 1")).says("Ports begins here.")


async def test_whether_it_is_ready_is_told_beside_it(stage: SlackStage) -> None:
    assert stage.bot.is_open
    assert stage.bot.heard_at is None


async def test_tokens_of_slacks_own_names_in_the_environment_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-of-somebody-else")
    async with on_slack(tmp_path) as stage:
        (await Person(stage, "Ana").types("/quiz ports 1")).says("Ports begins here.")
