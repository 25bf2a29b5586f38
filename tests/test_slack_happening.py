"""What Slack tells of by itself: channels that get other ids, and a database that is away."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conversation import Person, pass_time
from quizzes import right
from slack_stage import SlackStage, on_slack
from sqlalchemy import text
from stand_in_slack_channels import Channel
from stand_in_slack_people import Person as Member

from adapters.slack import happening
from bot.store.addresses import StoreUnavailable


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[SlackStage]:
    async with on_slack(tmp_path) as stage:
        stage.place = stage.workspace.channel("closed", private=True)
        yield stage


async def stored(stage: SlackStage, query: str) -> list[Any]:
    async def rows(connection: Any) -> list[Any]:
        return [tuple(row) for row in await connection.execute(text(query))]

    return await stage.store.read(rows)


async def heard(stage: SlackStage) -> None:
    await stage.world.until(lambda: stage.world.deliveries[-1].acked)
    await stage.settle()


@contextmanager
def outage(stage: SlackStage, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    async def away(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("the database is away")

    with monkeypatch.context() as broken:
        for way in ("read", "write", "record"):
            broken.setattr(stage.store, way, away)
        yield


# --- a channel that gets another id ------------------------------------------------------------


async def test_a_quiz_goes_on_in_a_channel_that_begins_to_be_shared(stage: SlackStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 2")
    stage.place.is_shared_outside()
    await heard(stage)
    question = stage.read(stage.place.last)
    (await ana.answers(right(question), on=question)).says("Right, 10 points")
    await pass_time(stage, 60)
    assert "Right answer" in stage.place.messages[0].text
    stage.read(stage.place.last).says("question 2 of 2")
    assert len(await stored(stage, "select id from places")) == 1


async def test_what_was_set_for_a_channel_holds_when_it_is_shared(stage: SlackStage) -> None:
    olga, before = Person(stage, "Olga", organiser=True), stage.place.id
    await olga.types("/daily set 09:05 UTC ports")
    await olga.presses_told("Save")
    await olga.types("/settings")
    await olga.presses_told("Beginning a quiz")
    await olga.fills(channels=before)
    stage.place.is_shared_outside()
    await heard(stage)
    (await olga.types("/daily list")).says("9:05 AM (UTC)")
    await pass_time(stage, 6 * 60)
    stage.read(stage.place.last).says("Ports")
    assert await stored(stage, "select start_places from communities") == [
        (f'["{stage.place.id}"]',)
    ]


async def test_who_plays_there_before_the_news_takes_nothing_from_the_channel(
    stage: SlackStage,
) -> None:
    ana, before = Person(stage, "Ana"), stage.place.id
    await ana.types("/quiz ports 1")
    await ana.answers(right(stage.read(stage.place.last)))
    await pass_time(stage, 60)
    event = stage.place.is_shared_outside(is_told=False)
    await ana.types("/leaderboard")
    for _ in range(2):
        stage.workspace.event(event, stage.place)
        await heard(stage)
    rows = await stored(stage, "select external_id from places order by id")
    assert rows == [(stage.place.id,), (f"{before}/{stage.place.id}",)]


# --- while the database is away ----------------------------------------------------------------


async def invited_unheard(
    stage: SlackStage, caplog: pytest.LogCaptureFixture
) -> tuple[Channel, Member]:
    """Where the bot was invited, and by whom, which could not be stored yet."""
    ines = stage.member(Person(stage, "Ines"))
    channel: Channel = stage.workspace.channel("new", private=True, with_bot=False)
    channel.invites_bot(ines)
    await stage.world.until(lambda: stage.clock.is_still and "noted later" in caplog.text)
    return channel, ines


async def test_who_invited_the_bot_while_the_database_was_away_leads_it_there(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with outage(stage, monkeypatch):
        channel, ines = await invited_unheard(stage, caplog)
        stage.clock.move(5)
        await stage.world.until(lambda: stage.clock.is_still)
    stage.clock.move(5)
    await stage.world.until(lambda: stage.bot.is_idle)
    [(place, by)] = await stored(stage, "select external_id, brought_by from places")
    assert (place, by) == (channel.id, f"{stage.workspace.id}:{ines.id}")
    assert caplog.text.count("noted later") == 1


async def test_a_removal_while_the_database_was_away_is_noted_when_it_is_back(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    with outage(stage, monkeypatch):
        stage.workspace.uninstall()
        await stage.world.until(lambda: stage.clock.is_still and "noted later" in caplog.text)
    stage.clock.move(5)
    await stage.world.until(lambda: stage.bot.is_idle)
    assert await stored(stage, "select removed_at is not null from communities") == [(1,)]


async def test_what_slack_told_before_a_stop_in_an_outage_it_tells_again_after_it(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with outage(stage, monkeypatch):
        channel, ines = await invited_unheard(stage, caplog)
        await stage.restart()
    assert "is not stored; it tells it again" in caplog.text
    assert await stored(stage, "select external_id from places") == []
    for _ in range(2):
        stage.clock.move(60)
        stage.world.time_passed()
        await stage.settle()
    [(place, by)] = await stored(stage, "select external_id, brought_by from places")
    assert (place, by) == (channel.id, f"{stage.workspace.id}:{ines.id}")
    assert stage.world.deliveries[-1].acked


async def test_no_more_waits_for_the_database_than_there_is_room_for(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(happening, "_MOST_WAITING", 2)
    ines = stage.member(Person(stage, "Ines"))
    channels = [stage.workspace.channel(f"new-{n}", with_bot=False) for n in range(3)]
    with outage(stage, monkeypatch):
        for channel in channels:
            channel.invites_bot(ines)
        await stage.world.until(lambda: "too much waits" in caplog.text and "later" in caplog.text)
    stage.clock.move(5)
    await stage.world.until(lambda: stage.bot.is_idle)
    assert len(await stored(stage, "select id from places")) == 2
    stage.clock.move(60)
    stage.world.time_passed()
    await stage.settle()
    assert len(await stored(stage, "select id from places")) == 3
