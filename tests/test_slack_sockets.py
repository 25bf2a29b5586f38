"""Every way in which a socket to Slack fails, and that people notice none of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from conversation import Person, pass_time
from quizzes import right
from slack_stage import SlackStage, on_slack
from stand_in_slack_sockets import Socket

from adapters.slack.sockets import SILENT_AFTER


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[SlackStage]:
    async with on_slack(tmp_path) as stage:
        yield stage


async def until_two_others(stage: SlackStage, *gone: Socket) -> None:
    """Time goes by until two sockets are open, and none of these is among them."""

    def are_there() -> bool:
        others = [one for one in stage.world.sockets.open if one not in gone and one.is_open]
        if len(others) < 2:
            stage.clock.move(0.1)
        return len(others) >= 2

    await stage.world.until(are_there)
    await stage.settle()


async def plays(stage: SlackStage, name: str = "Ana") -> None:
    """Somebody begins a quiz and answers it, over whatever sockets there are."""
    person = Person(stage, name)
    (await person.types("/quiz ports 1")).says("begins here")
    question = stage.read(stage.place.last)
    (await person.answers(right(question), on=question)).says("Right, 10 points")


async def test_two_sockets_are_open_so_that_one_may_go(stage: SlackStage) -> None:
    assert len(stage.world.sockets.open) == 2
    await plays(stage)


async def test_a_socket_that_is_cut_is_replaced_while_the_other_hears(stage: SlackStage) -> None:
    first, second = stage.world.sockets.open
    first.cut()
    await stage.world.until(lambda: not first.is_open)
    await plays(stage)
    await until_two_others(stage, first)
    assert second in stage.world.sockets.open


async def test_when_all_are_cut_at_once_what_people_do_is_heard_again(stage: SlackStage) -> None:
    both = list(stage.world.sockets.open)
    for one in both:
        one.cut()
    await until_two_others(stage, *both)
    await plays(stage)


async def test_a_socket_that_falls_silent_is_replaced(stage: SlackStage) -> None:
    first, second = stage.world.sockets.open
    first.fall_silent()
    began = stage.clock.now()
    await until_two_others(stage, first)
    assert stage.clock.now() - began < 3 * SILENT_AFTER
    assert second in stage.world.sockets.open
    await plays(stage)


async def test_one_that_slack_pings_and_hears_nothing_else_on_is_kept(stage: SlackStage) -> None:
    both = list(stage.world.sockets.open)
    await pass_time(stage, 120)
    assert stage.world.sockets.open == both


async def test_a_socket_that_slack_closes_is_replaced(stage: SlackStage) -> None:
    first, _ = stage.world.sockets.open
    first.close()
    await until_two_others(stage, first)
    await plays(stage)


@pytest.mark.parametrize("reason", ["warning", "refresh_requested"])
async def test_a_refresh_opens_the_new_one_before_the_old_one_goes(
    stage: SlackStage, reason: str
) -> None:
    first, second = stage.world.sockets.open
    fewest = 2

    def are_replaced() -> bool:
        nonlocal fewest
        fewest = min(fewest, len(stage.world.sockets.open))
        return stage.world.sockets.opened == 3

    stage.world.sockets.disconnect(reason, first)
    await stage.world.until(are_replaced)
    assert fewest >= (2 if reason == "warning" else 1)
    assert second in stage.world.sockets.open
    await stage.settle()
    await plays(stage)


async def test_one_that_is_told_to_go_still_hears_until_it_is_gone(stage: SlackStage) -> None:
    old = list(stage.world.sockets.open)
    stage.world.sockets.disconnect("warning")
    await stage.world.until(lambda: stage.world.sockets.opened == 4)
    stage.world.sockets.open = [*old]
    await plays(stage)
    assert any(one.received for one in old)
    await pass_time(stage, 20)
    await stage.world.until(lambda: not any(one.is_open for one in old))


async def test_a_refused_ticket_is_asked_for_again_later_and_later(stage: SlackStage) -> None:
    first, _ = stage.world.sockets.open
    stage.world.fail_next("apps.connections.open", "internal_error", times=3)
    asked = len(stage.world.called("apps.connections.open"))
    first.cut()
    began = stage.clock.now()
    await until_two_others(stage, first)
    assert len(stage.world.called("apps.connections.open")) == asked + 4
    assert (stage.clock.now() - began).total_seconds() >= 1 + 2 + 4
    await plays(stage)


async def test_slack_is_asked_no_sooner_than_it_wants_to_be(stage: SlackStage) -> None:
    first, _ = stage.world.sockets.open
    stage.world.fail_next("apps.connections.open", "ratelimited", retry_after=30)
    first.cut()
    began = stage.clock.now()
    await until_two_others(stage, first)
    assert (stage.clock.now() - began).total_seconds() >= 30


async def test_a_session_that_was_closed_is_opened_again(stage: SlackStage) -> None:
    both = list(stage.world.sockets.open)
    await stage.bot.client.session.close()
    await until_two_others(stage, *both)
    await plays(stage)


async def test_socket_mode_that_is_switched_off_and_on_needs_nobody(
    stage: SlackStage, caplog: pytest.LogCaptureFixture
) -> None:
    both = list(stage.world.sockets.open)
    stage.world.fail_next("apps.connections.open", "not_allowed", times=4)
    stage.world.sockets.disconnect("link_disabled")
    await until_two_others(stage, *both)
    assert "Socket Mode is switched off" in caplog.text
    await plays(stage)


async def test_more_sockets_than_slack_allows_are_opened_later(stage: SlackStage) -> None:
    first, _ = stage.world.sockets.open
    stage.world.sockets.disconnect("too_many_websockets", first)
    await until_two_others(stage, first)
    await plays(stage)


async def test_whether_people_are_heard_is_told_to_who_watches(stage: SlackStage) -> None:
    assert stage.bot.is_open
    assert stage.bot.heard_at is not None
    both = list(stage.world.sockets.open)
    stage.world.fail_next("apps.connections.open", "internal_error", times=2)
    for one in both:
        one.cut()
    await stage.world.until(lambda: not stage.bot.is_open)
    await until_two_others(stage, *both)
    assert stage.bot.is_open
