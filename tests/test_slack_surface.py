"""What the channel sees on Slack, also where Slack refuses, asks to wait or says nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from conversation import Person, last, newest_question, pass_time, until
from quizzes import right
from slack_stage import SlackStage, on_slack
from stand_in_slack_api import Call
from stand_in_slack_messages import Message as Shown

from bot.messages import Message, Paragraph, Plain
from bot.ports import Posted, Refused, Target


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[SlackStage]:
    async with on_slack(tmp_path) as stage:
        yield stage


def calls(stage: SlackStage, method: str) -> list[Call]:
    return stage.world.called(method)


# --- what cannot be changed any more -----------------------------------------------------------


@pytest.mark.parametrize(
    "error", ["edit_window_closed", "message_not_found", "cant_update_message"]
)
async def test_a_reveal_that_cannot_replace_its_question_stands_in_the_thread(
    stage: SlackStage, error: str
) -> None:
    await Person(stage, "Ana").types("/quiz ports 1")
    question = stage.place.last
    stage.world.fail_next("chat.update", error, times=9)
    await pass_time(stage, 50)
    reveal = question.replies[0]
    assert "Right answer" in reveal.text
    assert "Right answer" not in question.text
    (await Person(stage, "Ben").presses("Explain to me", on=stage.read(reveal))).says("Right")


async def revealed_below(stage: SlackStage) -> Shown:
    """A question that could not become its reveal, which stands below it instead."""
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    question = stage.place.last
    await ana.answers(right(stage.read(question)))
    await pass_time(stage, 4)
    stage.world.fail_next("chat.update", "edit_window_closed", times=1)
    await pass_time(stage, 43)
    assert "Next question in" in question.replies[0].text
    return question


async def test_what_follows_such_a_reveal_changes_it_and_says_nothing_again(
    stage: SlackStage,
) -> None:
    question = await revealed_below(stage)
    await pass_time(stage, 8)
    assert len(question.replies) == 1
    assert "Next question in" not in question.replies[0].text


async def test_so_it_is_after_a_restart(stage: SlackStage) -> None:
    question = await revealed_below(stage)
    await stage.restart()
    await pass_time(stage, 30)
    assert len(question.replies) == 1
    assert "Next question in" not in question.replies[0].text


async def test_a_count_that_cannot_be_shown_says_nothing(stage: SlackStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1")
    question = stage.place.last
    stage.world.fail_next("chat.update", "edit_window_closed", times=1)
    await ana.answers(right(stage.read(question)))
    await pass_time(stage, 4)
    assert len(calls(stage, "chat.update")) == 1
    assert question.replies == []


async def test_where_the_thread_is_gone_too_the_reveal_is_a_new_message(stage: SlackStage) -> None:
    await Person(stage, "Ana").types("/quiz ports 1")
    stage.world.fail_next("chat.update", "message_not_found", times=9)
    stage.world.fail_next("chat.postMessage", "thread_not_found")
    await pass_time(stage, 47)
    texts = [one.text for one in stage.place.main]
    assert any("Right answer" in text for text in texts)


# --- what Slack asks for -----------------------------------------------------------------------


async def test_a_question_waits_as_long_as_slack_asks(stage: SlackStage) -> None:
    stage.world.fail_next("chat.postMessage", "ratelimited", retry_after=20)
    await Person(stage, "Ana").types("/quiz ports 1")
    await pass_time(stage, 18)
    assert stage.place.messages == []
    await pass_time(stage, 4)
    question = await newest_question(stage)
    question.says("question 1 of 1")
    # The time begins when it stands there.
    question.says("closes in 45 s")


async def test_while_verdicts_wait_for_slack_the_counts_step_back(stage: SlackStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1")
    question = stage.place.last
    stage.world.fail_next("response_url", "ratelimited", retry_after=10)
    letter = stage.read(question).letter_of(right(stage.read(question)))
    came = stage.member(ana).begins_to_press(question, letter)
    edits = len(calls(stage, "chat.update"))
    await stage.world.until(lambda: calls(stage, "response_url") and stage.clock.is_still)
    began = stage.clock.now()
    while (stage.clock.now() - began).total_seconds() < 9:
        await stage.world.until(lambda: stage.clock.is_still)
        stage.clock.move(1)
    assert len(calls(stage, "chat.update")) == edits
    await stage.pass_until(lambda: came.private)
    assert "Right, 10 points" in came.private[-1].text
    await stage.settle()
    await pass_time(stage, 5)
    (await newest_question(stage)).says("1 answered")


async def test_counts_are_edited_thirty_times_a_minute_at_most_in_a_workspace(
    stage: SlackStage,
) -> None:
    await Person(stage, "Olga").types("/quiz ports off")
    question = await newest_question(stage)
    await pass_time(stage, 10)
    before = len(calls(stage, "chat.update"))
    for number in range(30):
        await Person(stage, f"P{number}").answers(right(question), on=question)
        await pass_time(stage, 1)
    await pass_time(stage, 30)
    assert len(calls(stage, "chat.update")) - before <= 30
    (await newest_question(stage)).says("30 answered")


async def test_a_post_of_which_nothing_is_heard_is_not_sent_twice(stage: SlackStage) -> None:
    stage.world.fail_next("chat.postMessage", status=503, after_effect=True)
    await Person(stage, "Ana").types("/quiz ports 1")
    await pass_time(stage, 10)
    assert len(stage.place.messages) == 1
    ben = Person(stage, "Ben")
    # The first press tells where it stands, so that the answer is shown there.
    question = stage.read(stage.place.last)
    (await ben.answers(right(question), on=question)).says("Right, 10 points")
    await until(stage, "1 person")
    assert "Right answer" in stage.place.messages[0].text


async def test_a_post_that_slack_took_without_saying_where_it_stands_is_not_sent_twice(
    stage: SlackStage,
) -> None:
    stage.world.fail_next("chat.postMessage", "none", after_effect=True, ok=True)
    await Person(stage, "Ana").types("/quiz ports 1")
    await pass_time(stage, 10)
    assert len(stage.place.messages) == 1


# --- where nobody can write --------------------------------------------------------------------


async def test_in_a_channel_that_is_archived_the_quiz_ends(stage: SlackStage) -> None:
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga", organiser=True)
    await ana.types("/quiz ports")
    stage.place.archive(stage.member(olga))
    await pass_time(stage, 60)
    assert len(stage.place.messages) == 1
    stage.place.unarchive(stage.member(olga))
    begun = await ana.types("/quiz ports")
    begun.says("Ports begins here.", "could not go on", "this channel is archived")


async def test_a_count_that_finds_its_channel_archived_ends_the_quiz_at_once(
    stage: SlackStage,
) -> None:
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga", organiser=True)
    await ana.types("/quiz ports 3 off")
    question = stage.read(stage.place.last)
    stage.place.archive(stage.member(olga))
    await ana.answers(right(question), on=question)
    await pass_time(stage, 5)
    stage.place.unarchive(stage.member(olga))
    begun = await ana.types("/quiz ports")
    begun.says("Ports begins here.", "could not go on", "this channel is archived")


async def test_a_question_goes_on_once_its_channel_has_moved_to_another_workspace(
    stage: SlackStage,
) -> None:
    stage.world.fail_next("chat.postMessage", "external_channel_migrating", times=2)
    await Person(stage, "Ana").types("/quiz ports 1")
    await pass_time(stage, 15)
    assert len(stage.place.messages) == 1


async def test_a_token_that_was_revoked_ends_what_runs(stage: SlackStage) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    stage.world.fail_next("chat.*", "token_revoked", times=99)
    await pass_time(stage, 120)
    assert len(stage.place.messages) == 1


# --- how it looks ------------------------------------------------------------------------------


async def test_no_link_is_unfolded_and_every_block_has_words_for_who_hears_them(
    stage: SlackStage,
) -> None:
    await Person(stage, "Ana").types("/quiz ports 1")
    await pass_time(stage, 50)
    posts = calls(stage, "chat.postMessage")
    assert all(call.args["unfurl_links"] is False for call in posts)
    assert all(call.args["unfurl_media"] is False for call in posts)
    question = stage.place.messages[0]
    assert "On which port does" in question.fallback
    assert "Right answer" in question.fallback


async def test_a_result_leads_to_each_question_by_its_address(stage: SlackStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1")
    question = stage.place.last
    await ana.answers(right(stage.read(question)))
    await pass_time(stage, 47)
    (await last(stage)).says("The questions: 1")
    address = f"archives/{stage.place.id}/p{question.ts.replace('.', '')}"
    assert address in str(stage.place.last.blocks)


# --- to one person -----------------------------------------------------------------------------


@pytest.mark.parametrize("error", [None, "edit_window_closed", "message_not_found"])
async def test_what_is_for_one_person_stays_between_them_and_the_bot_when_it_changes(
    stage: SlackStage, error: str | None
) -> None:
    ana = stage.workspace.person("Ana")
    community = stage.workspace.id
    target = Target(community, stage.place.id, person=f"{community}:{ana.id}")
    posted = await stage.bot.surface.post(target, saying("Before"), nonce="1", silent=True)
    assert isinstance(posted, Posted)
    assert [one.text for one in ana.dm.messages] == ["Before"]
    if error is not None:
        stage.world.fail_next("chat.update", error)
    await stage.bot.surface.edit(target, posted.message, saying("After"))
    assert "After" in [one.text for one in ana.dm.messages]
    assert stage.place.messages == []


@pytest.mark.parametrize("error", ["cannot_dm_bot", "user_not_found", "channel_not_found"])
async def test_who_cannot_be_written_to_leaves_the_channel_as_it_is(
    stage: SlackStage, error: str
) -> None:
    ana = stage.workspace.person("Ana")
    community = stage.workspace.id
    target = Target(community, stage.place.id, person=f"{community}:{ana.id}")
    stage.world.fail_next("conversations.open", error)
    refused = await stage.bot.surface.post(target, saying("Hello"), nonce="1", silent=True)
    assert isinstance(refused, Refused)
    (await Person(stage, "Ben").types("/quiz ports 1")).says("Ports begins here.")


def saying(words: str) -> Message:
    return Message((Paragraph((Plain(words),)),), language="en")
