"""Tokens in Slack that end: each is renewed in time, by one at a time, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from slack_installing import Installing, another_process, installing
from stand_in_slack_people import Person

from adapters import running
from adapters.slack import installed
from adapters.slack.app import SlackBot
from adapters.slack.client import Client
from adapters.slack.installations import Installations
from adapters.slack.installed import InstalledWorkspaces
from adapters.slack.renewing import Renewing
from bot.calls import Where
from bot.store.addresses import StoreUnavailable


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Installing]:
    async with installing(tmp_path) as stage:
        stage.world.rotates = True
        yield stage


@pytest.fixture
async def ana(stage: Installing) -> Person:
    """She has installed quizbot in her workspace."""
    there = stage.world.workspace("Study group", installed=False)
    ana = there.person("Ana")
    there.general.members.add(ana)
    await stage.browser().installs(ana)
    await stage.settle()
    return ana


def bot(stage: Installing) -> SlackBot:
    assert stage.up.slack is not None
    return stage.up.slack


def refreshes(stage: Installing) -> int:
    asked = stage.world.called("oauth.v2.access")
    return sum(call.args.get("grant_type") == "refresh_token" for call in asked)


async def nobody_left(where: Where) -> None:
    raise AssertionError(f"{where.community} was given up")


def workspaces_of(
    stage: Installing, client: Client, installations: Installations
) -> InstalledWorkspaces:
    world = stage.world
    renewing = Renewing(client, installations, world.client_id, world.client_secret, stage.clock)
    return InstalledWorkspaces(client, installations, renewing, stage.clock, nobody_left)


async def test_a_token_is_renewed_before_it_ends(stage: Installing, ana: Person) -> None:
    first = ana.workspace.token
    await stage.move(9.9)
    await ana.types("/quiz help")
    assert refreshes(stage) == 0
    await stage.move(0.2)
    await ana.types("/quiz help")
    await stage.settle()
    assert refreshes(stage) == 1
    await stage.move(2)
    await stage.plays(ana)
    assert stage.world.called("chat.postMessage")[-1].token == ana.workspace.token != first


async def test_who_comes_after_it_has_ended_waits_for_the_new_one(
    stage: Installing, ana: Person
) -> None:
    await stage.move(13)
    await stage.plays(ana)
    assert refreshes(stage) == 1
    assert len(ana.workspace.general.messages) == 1


@pytest.mark.parametrize("hours", [11, 13])
async def test_a_rush_in_two_processes_renews_once(
    stage: Installing, ana: Person, hours: int
) -> None:
    here, id = bot(stage).workspaces, ana.workspace.id
    async with another_process(stage) as (_, installations):
        client = Client(stage.clock)
        there = workspaces_of(stage, client, installations)
        await there.begin()
        stage.clock.move(hours * 3600)
        hold = stage.world.hold("oauth.v2.access")
        rush = [asyncio.create_task(each.find([id])) for each in [here, there] * 25]
        await hold.arrived.wait()
        hold.release()
        while not all(task.done() for task in rush):
            # Who waits for another process looks every half second.
            stage.clock.move(0.5)
            await asyncio.wait(rush, timeout=0.05)
        await there.finish()
        await here.finish()
        found = [task.result() for task in rush]
        assert refreshes(stage) == 1
        assert None not in found
        if hours == 13:
            assert {each.token for each in found if each is not None} == {ana.workspace.token}
        stage.clock.move(61)
        again = [await each.find([id]) for each in (here, there)]
        assert {each.token for each in again if each} == {ana.workspace.token}
        await client.close()


async def test_who_died_while_renewing_keeps_nobody_from_it_for_long(
    stage: Installing, ana: Person
) -> None:
    async with another_process(stage) as (_, installations):
        held = await installations.find(ana.workspace.id)
        assert held is not None
        stage.clock.move(11 * 3600)
        # It died before Slack heard of it: the refresh token is still good.
        assert await installations.hold(held, "the dead", timedelta(seconds=60)) is not None
        await bot(stage).workspaces.find([ana.workspace.id])
        await stage.settle()
        assert refreshes(stage) == 0
        stage.clock.move(61)
        await bot(stage).workspaces.find([ana.workspace.id])
        await stage.settle()
        assert refreshes(stage) == 1
    stage.clock.move(2 * 3600)
    await stage.plays(ana)


async def test_while_slack_is_away_the_old_token_serves_and_it_is_tried_again_later(
    stage: Installing, ana: Person
) -> None:
    stage.clock.move(10.5 * 3600)
    stage.world.fail_next("oauth.v2.access", "internal_error", times=1)
    for _ in range(5):
        await ana.types("/quiz help")
        await stage.settle()
    assert refreshes(stage) == 1
    stage.clock.move(301)
    await ana.types("/quiz help")
    await stage.settle()
    assert refreshes(stage) == 2
    assert bot(stage).workspaces.name == "Study group"


async def test_a_refresh_token_that_is_spent_ends_the_installation_with_its_token(
    stage: Installing, ana: Person, caplog: pytest.LogCaptureFixture
) -> None:
    ana.workspace.app.refresh_token = "xoxe-another-process-used-it"
    await stage.move(11)
    await ana.types("/quiz help")
    await stage.settle()
    assert not await stage.is_removed(ana.workspace.id)
    stage.clock.move(2 * 3600)
    for _ in range(3):
        ana.begins_to_type("/quiz help")
        await stage.settle()
    await stage.world.until(lambda: "no more" in caplog.text)
    await stage.settle()
    assert await stage.is_removed(ana.workspace.id)
    assert caplog.text.count("takes the token for Study group no more") == 1
    await stage.browser().installs(ana)
    await stage.plays(ana)


async def test_wrong_settings_of_ours_end_nothing(stage: Installing, ana: Person) -> None:
    await stage.move(13)
    stage.world.fail_next("oauth.v2.access", "bad_client_secret", times=1)
    assert await bot(stage).workspaces.find([ana.workspace.id]) is None
    await stage.settle()
    assert not await stage.is_removed(ana.workspace.id)
    stage.clock.move(301)
    assert await bot(stage).workspaces.find([ana.workspace.id]) is not None


async def test_a_token_that_slack_calls_expired_is_renewed_whatever_our_clock_says(
    stage: Installing, ana: Person
) -> None:
    stage.world.fail_next("users.info", "token_expired", times=1)
    await ana.types("/quiz help")
    await stage.world.until(lambda: refreshes(stage) == 1)
    await stage.settle()
    found = await bot(stage).workspaces.find([ana.workspace.id])
    assert found is not None
    assert found.token == ana.workspace.token


async def test_what_is_installed_anew_while_it_is_renewed_stays(
    stage: Installing, ana: Person
) -> None:
    await stage.move(11)
    hold = stage.world.hold("oauth.v2.access", after_effect=True)
    finding = asyncio.create_task(bot(stage).workspaces.find([ana.workspace.id]))
    await hold.arrived.wait()
    await stage.browser().installs(ana)
    newest = ana.workspace.token
    hold.release()
    await finding
    await stage.settle()
    stage.clock.move(61)
    found = await bot(stage).workspaces.find([ana.workspace.id])
    assert found is not None
    assert found.token == newest


async def test_on_the_way_down_nobody_waits_for_what_another_process_gets(
    stage: Installing, ana: Person
) -> None:
    here, id = bot(stage).workspaces, ana.workspace.id
    async with another_process(stage) as (_, installations):
        held = await installations.find(id)
        assert held is not None
        stage.clock.move(13 * 3600)
        assert await installations.hold(held, "the other", timedelta(seconds=60)) is not None
        asking = asyncio.create_task(here.find([id]))
        looks_again = stage.clock.now() + timedelta(seconds=0.5)
        at_the_latest = stage.clock.now() + timedelta(seconds=1)
        await stage.world.until(lambda: stage.clock.next_stop(at_the_latest) == looks_again)
        async with asyncio.timeout(5):
            await here.finish()
            assert await asking is None
    assert refreshes(stage) == 0


async def test_a_new_token_that_is_on_its_way_is_stored_before_it_stops(
    stage: Installing, ana: Person
) -> None:
    here, id, before = bot(stage).workspaces, ana.workspace.id, ana.workspace.token
    stage.clock.move(13 * 3600)
    hold = stage.world.hold("oauth.v2.access", after_effect=True)
    asking = asyncio.create_task(here.find([id]))
    await hold.arrived.wait()
    finishing = asyncio.create_task(here.finish())
    done, _ = await asyncio.wait({finishing}, timeout=0.05)
    assert not done
    hold.release()
    await finishing
    await asking
    async with another_process(stage) as (_, installations):
        held = await installations.find(id)
        assert held is not None
        assert held.token == ana.workspace.token != before


async def test_a_doubt_that_slack_does_not_settle_is_given_up_on_the_way_down(
    stage: Installing, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "_LAST_WORDS", 0.05)
    here = bot(stage).workspaces
    hold = stage.world.hold("auth.test")
    here.refused(ana.workspace.token, "invalid_auth")
    await hold.arrived.wait()
    async with asyncio.timeout(5):
        await here.finish()
    assert here.is_idle
    hold.release()
    assert not await stage.is_removed(ana.workspace.id)


async def test_a_token_that_never_comes_keeps_no_stop_waiting(
    stage: Installing,
    ana: Person,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for name, seconds in (("TOLD_BY", 0.05), ("POSTED_BY", 0.1), ("LOGGED_OUT_BY", 0.15)):
        monkeypatch.setattr(running, name, seconds)
    await stage.restart()
    stage.clock.move(13 * 3600)
    hold = stage.world.hold("oauth.v2.access")
    asking = asyncio.create_task(bot(stage).workspaces.find([ana.workspace.id]))
    await hold.arrived.wait()
    async with asyncio.timeout(5):
        await stage.restart()
    await asyncio.gather(asking, return_exceptions=True)
    assert asking.cancelled()
    assert "stopping: there was no time to log out" in caplog.text
    hold.release()


async def test_a_new_token_is_stored_when_the_database_is_back(
    stage: Installing,
    ana: Person,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Slack gives it once, and takes the old one no more."""
    before = ana.workspace.token
    stage.clock.move(13 * 3600)
    hold = stage.world.hold("oauth.v2.access", after_effect=True)
    asking = asyncio.create_task(bot(stage).workspaces.find([ana.workspace.id]))
    await hold.arrived.wait()

    async def away(*_: object, **__: object) -> None:
        raise StoreUnavailable("the database is away")

    with monkeypatch.context() as broken:
        broken.setattr(stage.up.parts.store, "write", away)
        hold.release()
        await stage.world.until(lambda: "is stored later" in caplog.text)
        finishing = asyncio.create_task(bot(stage).workspaces.finish())
    await stage.move(0.001)
    await finishing
    found = await asking
    assert found is not None
    assert found.token == ana.workspace.token != before
    assert refreshes(stage) == 1
    await stage.restart()
    await stage.plays(ana)
