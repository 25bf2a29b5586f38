"""What becomes of an answer on Slack, whatever Slack, the network or the database do to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from conversation import Person, newest_question, pass_time
from quizzes import right, wrong
from slack_stage import SlackStage, on_slack
from stand_in_slack_messages import Message
from stand_in_slack_seen import Seen as Came

from adapters.slack import read, ready
from adapters.slack.pictures import Pictures
from adapters.slack.read import Reach
from adapters.slack.replies import Replies
from bot import messages as m


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[SlackStage]:
    async with on_slack(tmp_path) as stage:
        yield stage


async def asked(stage: SlackStage, *, words: str = "/quiz ports 1") -> Message:
    """A question that stands in the channel."""
    await Person(stage, "Olga", organiser=True).types(words)
    return stage.place.last


async def press(stage: SlackStage, name: str, question: Message, option: str) -> Came:
    """Begin to press the letter of an option, without waiting for what comes of it."""
    letter = stage.read(question).letter_of(option)
    return stage.member(Person(stage, name)).begins_to_press(question, letter)


async def told(stage: SlackStage, came: Came) -> str:
    text = stage.read(await came.until_private()).text
    await stage.settle()
    return text


# --- delivered twice, or never heard of --------------------------------------------------------


async def test_a_press_that_slack_delivers_twice_is_told_the_same_twice_and_counts_once(
    stage: SlackStage,
) -> None:
    question = await asked(stage)
    ana = Person(stage, "Ana")
    stage.world.sockets.duplicates = 1
    await ana.answers(right(stage.read(question)))
    await stage.world.until(lambda: len(stage.member(ana).sees) == 2)
    first, second = stage.member(ana).sees
    assert stage.read(first).text.split("\n")[0] == stage.read(second).text.split("\n")[0]
    assert "Right, 10 points" in second.text
    (await ana.types("/leaderboard")).says("You: rank 1 with 10 points", "answered 1 of 1")


async def test_an_answer_whose_acknowledgement_got_lost_counts_and_is_told(
    stage: SlackStage,
) -> None:
    question = await asked(stage)
    stage.world.sockets.deaf = 1
    came = await press(stage, "Ana", question, right(stage.read(question)))
    await stage.world.until(lambda: came.private)
    assert "Right, 10 points" in came.private[-1].text
    await pass_time(stage, 4)
    stage.world.time_passed()
    assert came.failed is not None  # Slack's client says so; pressing again is told the truth
    again = await press(stage, "Ana", question, wrong(stage.read(question)))
    assert "You already answered" in await told(stage, again)


async def test_a_command_that_slack_delivers_twice_begins_one_quiz(stage: SlackStage) -> None:
    stage.world.sockets.duplicates = 1
    ana = Person(stage, "Ana")
    (await ana.types("/quiz ports")).says("Ports begins here.")
    await stage.settle()
    assert len(stage.member(ana).sees) == 1
    assert len(stage.place.messages) == 1


async def test_a_press_in_the_middle_of_a_restart_is_stored_and_told(stage: SlackStage) -> None:
    question = await asked(stage)
    hold = stage.world.hold("response_url")
    came = await press(stage, "Ana", question, right(stage.read(question)))
    await hold.arrived.wait()
    hold.release()
    await stage.restart()
    assert came.delivery.acked
    assert "Right, 10 points" in came.private[-1].text


# --- in time -----------------------------------------------------------------------------------


async def test_an_answer_is_acknowledged_when_it_is_stored_or_after_a_second(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = await asked(stage)
    store = stage.up.parts.store
    record, may_store, is_asked = store.record, asyncio.Event(), asyncio.Event()

    async def slowly(draft: Any) -> Any:
        is_asked.set()
        await may_store.wait()
        return await record(draft)

    monkeypatch.setattr(store, "record", slowly)
    came = await press(stage, "Ana", question, right(stage.read(question)))
    await is_asked.wait()
    assert not came.delivery.acked
    stage.clock.move(1)
    await stage.world.until(lambda: came.delivery.acked)
    assert not came.private
    may_store.set()
    assert "Right, 10 points" in await told(stage, came)


async def test_everything_but_an_answer_is_acknowledged_before_it_is_done(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = await asked(stage)
    app, begun, go_on = stage.up.app, asyncio.Event(), asyncio.Event()
    click = app.click

    async def slowly(call: Any) -> Any:
        begun.set()
        await go_on.wait()
        return await click(call)

    monkeypatch.setattr(app, "click", slowly)
    came = stage.member(Person(stage, "Ana")).begins_to_press(question, "Language")
    await stage.world.until(lambda: came.delivery.acked and begun.is_set())
    assert not came.private
    go_on.set()
    assert "In which language do you want to read?" in await told(stage, came)


# --- the ways to tell somebody -----------------------------------------------------------------


async def test_a_reply_address_that_is_used_up_is_followed_by_an_ephemeral_message(
    stage: SlackStage,
) -> None:
    question = await asked(stage)
    hold = stage.world.hold("response_url")
    came = await press(stage, "Ana", question, right(stage.read(question)))
    await hold.arrived.wait()
    came.url.use_up()
    hold.release()
    await stage.world.until(lambda: stage.member(Person(stage, "Ana")).sees)
    await stage.settle()
    [message] = stage.member(Person(stage, "Ana")).sees
    assert "Right, 10 points" in message.text
    assert len(stage.world.called("chat.postEphemeral")) == 1


async def test_a_reply_that_comes_half_an_hour_late_is_told_all_the_same(
    stage: SlackStage,
) -> None:
    question = await asked(stage)
    hold = stage.world.hold("response_url")
    came = await press(stage, "Ana", question, right(stage.read(question)))
    await hold.arrived.wait()
    stage.clock.move(31 * 60)
    hold.release()
    ana = stage.member(Person(stage, "Ana"))
    await stage.world.until(lambda: ana.sees)
    assert "Right, 10 points" in ana.sees[-1].text
    assert came.url.uses == 0


async def test_what_can_be_told_nowhere_in_the_channel_stands_in_their_home(
    stage: SlackStage,
) -> None:
    question = await asked(stage)
    stage.world.fail_next("response_url", "used_url", status=404)
    stage.world.fail_next("chat.postEphemeral", "user_not_in_channel")
    ana = stage.member(Person(stage, "Ana"))
    await press(stage, "Ana", question, right(stage.read(question)))
    await stage.world.until(lambda: ana.home is not None)
    assert ana.home is not None
    assert "Right, 10 points" in ana.home.text


@pytest.mark.parametrize("fault", [{"status": 503}, {"cut": True}, {"status": 429}])
async def test_a_verdict_is_sent_again_where_it_may_not_have_arrived(
    stage: SlackStage, fault: dict[str, Any]
) -> None:
    question = await asked(stage)
    stage.world.fail_next("response_url", **fault)
    came = await press(stage, "Ana", question, right(stage.read(question)))
    await stage.world.until(lambda: stage.world.called("response_url"))
    assert not came.private
    await stage.pass_until(lambda: came.private)
    assert "Right, 10 points" in await told(stage, came)


async def test_what_slack_refuses_to_draw_is_said_in_plain_words(stage: SlackStage) -> None:
    question = await asked(stage)
    stage.world.fail_next("response_url", "invalid_blocks", status=400)
    came = await press(stage, "Ana", question, right(stage.read(question)))
    text = (await came.until_private()).text
    assert "Right, 10 points" in text
    await stage.settle()


async def test_an_ephemeral_that_nobody_saw_is_found_among_their_answers(
    stage: SlackStage,
) -> None:
    question = await asked(stage)
    ana = Person(stage, "Ana")
    stage.member(ana).loses_ephemerals = True
    came = await press(stage, "Ana", question, right(stage.read(question)))
    await stage.world.until(lambda: came.url.uses == 1)
    await stage.settle()
    assert stage.member(ana).sees == []
    home = await stage.member(ana).opens_home()
    assert home is not None
    assert "On which port does" in home.text
    await stage.settle()


# --- threads -----------------------------------------------------------------------------------


async def in_a_thread(stage: SlackStage) -> Message:
    """The second question of a round whose questions stand in a thread."""
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Threads")
    await olga.fills(threads="on")
    first = await asked(stage, words="/quiz ports")
    await Person(stage, "Zoe").answers(right(await newest_question(stage)))
    await pass_time(stage, 47 + 8)
    second = stage.place.last
    assert second.thread_ts == first.ts
    return second


async def test_what_is_told_of_a_question_in_a_thread_is_told_there(stage: SlackStage) -> None:
    question = await in_a_thread(stage)
    came = await press(stage, "Ana", question, right(stage.read(question)))
    assert (await came.until_private()).thread_ts == question.thread_ts
    # Nothing tells where an ephemeral message stands but what it was pressed in.
    button = next(one for one in came.private[-1].labels if one.startswith("Language"))
    member = stage.member(Person(stage, "Ana"))
    again = member.begins_to_press(came.private[-1], button)
    assert (await again.until_private()).thread_ts == question.thread_ts
    await stage.settle()


async def test_what_is_told_of_the_first_question_of_a_thread_is_told_in_the_channel(
    stage: SlackStage,
) -> None:
    await in_a_thread(stage)
    first = stage.place.main[0]
    came = stage.member(Person(stage, "Ana")).begins_to_press(first, "Explain to me")
    assert (await came.until_private()).thread_ts is None
    await stage.settle()


async def test_a_verdict_that_slack_holds_up_holds_up_no_stop(stage: SlackStage) -> None:
    question = await asked(stage)
    stage.world.fail_next("response_url", "ratelimited", retry_after=25)
    came = await press(stage, "Ana", question, right(stage.read(question)))
    await stage.world.until(lambda: stage.world.called("response_url"))
    await stage.restart()
    assert not came.private
    again = await press(stage, "Ana", question, right(stage.read(question)))
    assert "Right, 10 points" in await told(stage, again)


async def test_a_verdict_waits_as_often_as_slack_asks_by_whichever_way(stage: SlackStage) -> None:
    question = await asked(stage)
    for way in ("response_url", "chat.postEphemeral"):
        stage.world.fail_next(way, "ratelimited", retry_after=3, times=3)
    came = await press(stage, "Ana", question, right(stage.read(question)))
    ana = stage.member(Person(stage, "Ana"))
    await stage.pass_until(lambda: came.private or ana.home)
    assert "Right, 10 points" in came.private[-1].text
    await stage.settle()


async def test_a_verdict_outlasts_a_minute_in_which_slack_takes_nothing(stage: SlackStage) -> None:
    question = await asked(stage)
    for way in ("response_url", "chat.postEphemeral", "views.publish"):
        stage.world.fail_next(way, "ratelimited", retry_after=60)
    came = await press(stage, "Ana", question, right(stage.read(question)))
    await stage.world.until(lambda: stage.world.called("views.publish"))
    began = stage.clock.now()

    def is_told() -> bool:
        if not came.private:
            stage.clock.move(15)
        return bool(came.private)

    await stage.world.until(is_told)
    assert "Right, 10 points" in came.private[-1].text
    assert (stage.clock.now() - began).total_seconds() >= 60
    await stage.settle()


async def test_a_press_on_what_only_they_see_turns_it_into_the_verdict(stage: SlackStage) -> None:
    person = Person(stage, "Ana")
    ana = stage.member(person)
    view = (await ana.types("/quiz", stage.place)).modal
    [ports] = (await ana.looks_up(view, "search:topic", "ports"))[:1]
    question = await ana.begins_to_fill(view, {"topic": ports, "mode": "solo"}).until_private()
    await stage.settle()
    letter = stage.read(question).letter_of(right(stage.read(question)))
    came = ana.begins_to_press(question, letter)
    await came.until(lambda: came.is_updated or came.private)
    await stage.settle()
    assert "Right" in question.text
    assert came.private == [], "and nothing else is said"


async def test_no_link_in_a_private_reply_is_unfolded(stage: SlackStage) -> None:
    question = await asked(stage)
    await told(stage, await press(stage, "Ana", question, right(stage.read(question))))
    told_by = stage.world.called("response_url")
    assert told_by
    for call in told_by:
        assert (call.args["unfurl_links"], call.args["unfurl_media"]) == (False, False)


async def test_of_a_long_reply_only_the_first_page_replaces_what_was_pressed(
    stage: SlackStage,
) -> None:
    ana = Person(stage, "Ana")
    practice = await ana.types("/quiz ports solo")
    pressed = next(one for one in stage.member(ana).sees if one.ts == practice.id)
    came = stage.member(ana).begins_to_press(pressed, practice.letter_of(right(practice)))
    await came.until_private()
    reach = Reach(came.person.id, stage.place.id, response_url=came.address, on_private=True)
    workspace = await stage.bot.workspaces.find([stage.workspace.id])
    assert workspace is not None
    replies = Replies(stage.bot.client, Pictures(stage.bot.client, stage.clock))
    lines = tuple(m.Paragraph((m.Plain("x" * 980),)) for _ in range(9))
    await replies.tell(reach, m.Message(lines, replaces=True), workspace)
    shown = [stage.read(one).text for one in (pressed, came.person.sees[-1])]
    assert [text.splitlines()[-1] for text in shown] == ["Page 1 of 2", "Page 2 of 2"]


async def test_who_follows_a_link_is_told_nothing_besides(stage: SlackStage) -> None:
    await asked(stage)
    ben = stage.member(Person(stage, "Ben"))
    running = await ben.begins_to_type("/quiz ports", stage.place).until_private()
    await stage.settle()
    calls = len(stage.world.calls)
    followed = ben.begins_to_press(running, "Go to the question")
    await stage.world.until(lambda: followed.delivery.acked)
    await stage.settle()
    assert followed.private == []
    assert not followed.is_updated
    assert len(stage.world.calls) == calls


# --- a bug of ours -----------------------------------------------------------------------------


def cannot_be_drawn(*_: Any) -> Any:
    raise ZeroDivisionError("as a bug in drawing would")


def incidents(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The numbers of those in the log."""
    found = [one for one in caplog.records if one.getMessage().startswith("incident ")]
    assert all(one.exc_info for one in found)
    return [one.getMessage().removeprefix("incident ") for one in found]


async def told_plainly(stage: SlackStage, came: Came) -> str:
    message = await came.until_private()
    await stage.settle()
    assert message.blocks == []
    return message.text


async def test_whose_verdict_cannot_be_drawn_is_told_that_the_answer_was_counted(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    question = await asked(stage)
    with monkeypatch.context() as broken:
        broken.setattr(ready, "told", cannot_be_drawn)
        came = await press(stage, "Ana", question, right(stage.read(question)))
        said = await told_plainly(stage, came)
    [number] = incidents(caplog)
    assert f"Something went wrong on my side (incident {number})." in said
    assert "Your answer was counted." in said
    assert "could not be handled" not in caplog.text


async def test_who_typed_a_command_whose_reply_cannot_be_drawn_is_told_to_try_again(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(ready, "told", cannot_be_drawn)
    ana = Person(stage, "Ana")
    await ana.types("/help")
    said = stage.member(ana).sees[-1].text
    assert f"(incident {incidents(caplog)[0]})" in said
    assert "Please try again." in said


async def test_what_is_read_wrongly_leaves_nobody_without_a_word(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    question = await asked(stage)
    monkeypatch.setattr(read, "made_at", cannot_be_drawn)
    came = await press(stage, "Ana", question, right(stage.read(question)))
    said = await told_plainly(stage, came)
    assert f"(incident {incidents(caplog)[0]})" in said
    assert "Your answer was not counted; please press again." in said


async def test_a_form_whose_reply_cannot_be_drawn_closes_and_says_so(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Names")
    monkeypatch.setattr(ready, "told", cannot_be_drawn)
    await olga.fills(names="hidden")
    assert f"(incident {incidents(caplog)[0]})" in stage.member(olga).sees[-1].text
