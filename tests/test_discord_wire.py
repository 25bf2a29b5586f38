"""quizbot on a stand-in Discord, over real sockets: what goes wrong there loses no answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from conversation import Person, jump, last, newest_question, pass_time, until
from discord_pauses import shorten_pauses, shorten_retries
from discord_stage import DiscordStage
from discord_wire import (
    CALLBACKS,
    PICTURED,
    POSTS,
    SlowDisk,
    answer_slowly,
    press_of,
    send,
    told,
)
from quizzes import right, write_bank, write_banks, wrong
from stand_in_discord_interactions import COMPONENT, Interaction
from stand_in_discord_permissions import Permission
from stand_in_discord_requests import Request

from adapters.discord import read, ready
from adapters.discord.checkup import look
from adapters.discord.client import Account
from adapters.discord.trouble import DiscordUnavailable

UNKNOWN_INTERACTION, ACKNOWLEDGED = 10062, 40060


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_pauses(monkeypatch)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[DiscordStage]:
    stage = DiscordStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    stage.guild.system_channel = stage.place
    await stage.start()
    yield stage
    await stage.stop()


@pytest.fixture
def ana(stage: DiscordStage) -> Person:
    return Person(stage, "Ana")


# --- one press, one request ------------------------------------------------------------------


async def test_a_press_costs_one_request_and_tells_the_verdict(stage: DiscordStage, ana: Person):
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    before = len(stage.world.requests)
    (await ana.answers(right(question), on=question)).says("Right, 10 points")
    (request,) = stage.world.requests[before:]
    assert request.json["type"] == 4
    assert request.json["data"]["flags"] & 64


async def test_a_press_on_a_private_message_changes_that_message(stage: DiscordStage, ana: Person):
    question = await ana.types("/quiz ports solo")
    verdict = await ana.answers(right(question), on=question)
    assert verdict.id == question.id
    assert stage.world.sent(CALLBACKS)[-1].json["type"] == 7
    assert (await ana.presses_told("Next question")).id == question.id


async def test_nothing_that_is_sent_calls_anybody(stage: DiscordStage):
    bo = Person(stage, "@everyone <@1>")
    await bo.types("/quiz ports 1")
    await bo.answers(right(await newest_question(stage)))
    await pass_time(stage, 60)
    bodies = [request.json for request in stage.world.requests if isinstance(request.json, dict)]
    bodies = [body.get("data") or body for body in bodies]
    messages = [body for body in bodies if body.get("components") and "title" not in body]
    assert len(messages) >= 4
    assert {str(body["allowed_mentions"]) for body in messages} == {"{'parse': []}"}
    (await last(stage)).says("@everyone <@1>: 10")


# --- a reply that takes its time -------------------------------------------------------------


async def test_a_slow_reply_is_announced_within_a_second_and_then_told(
    stage: DiscordStage, ana: Person
):
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    press, disk = await answer_slowly(stage, ana, question)
    assert press.callback is not None
    assert (press.callback["type"], press.callback["data"]["flags"]) == (5, 64)
    disk.may_go.set()
    seen = await told(press)
    assert "Right, 10 points" in stage.read(seen.message).text
    assert [message.is_private for message in seen.messages] == [True]


async def test_a_slow_reply_on_a_private_message_still_changes_it(stage: DiscordStage, ana: Person):
    question = await ana.types("/quiz ports solo")
    disk = SlowDisk(stage)
    (private,) = stage.member(ana).sees
    data = {"component_type": 2, "custom_id": question.button(question.letter_of(right(question)))}
    press = Interaction(
        stage.world, stage.member(ana), stage.place, COMPONENT, {"id": 1, **data},
        {"0": str(stage.guild.id)}, message=private,
    )  # fmt: skip
    send(stage, press)
    await disk.asked.wait()
    stage.clock.move(1)
    await stage.world.until(lambda: press.callback)
    assert press.callback is not None
    assert press.callback["type"] == 6
    disk.may_go.set()
    await stage.world.until(lambda: "Right" in private.text)


async def test_no_reply_is_told_through_a_token_that_may_be_over(stage: DiscordStage, ana: Person):
    await ana.types("/quiz ports off 1")
    question = await newest_question(stage)
    _, disk = await answer_slowly(stage, ana, question)
    stage.clock.move(16 * 60)
    before = len(stage.world.sent("... /webhooks/..."))
    disk.may_go.set()
    (await ana.answers(right(question), on=question)).says("You already answered")
    assert len(stage.world.sent("... /webhooks/...")) == before


async def test_a_slow_reply_is_told_though_the_hosts_clock_is_fast(
    stage: DiscordStage, ana: Person
):
    await ana.types("/quiz ports off 1")
    question = await newest_question(stage)
    disk = SlowDisk(stage)
    press = press_of(stage, ana, question, right(question))
    press.id -= 20 * 60 * 1000 << 22  # Discord made it 20 minutes ago, by this host's clock.
    send(stage, press)
    await disk.asked.wait()
    stage.clock.move(1)
    await stage.world.until(lambda: press.callback)
    disk.may_go.set()
    seen = await told(press)
    assert "Right" in stage.read(seen.message).text


async def test_a_form_that_is_late_is_a_button_that_opens_it(stage: DiscordStage):
    olga = Person(stage, "Olga", organiser=True)
    summary = await olga.types("/settings")
    (private,) = stage.member(olga).sees
    app: Any = stage.up.app
    click, may_go = app.click, asyncio.Event()

    async def slowly(press: Any) -> Any:
        await may_go.wait()
        return await click(press)

    app.click = slowly
    pressing = asyncio.create_task(stage.member(olga).press(private, summary.buttons["Time zone"]))
    await stage.clock.next_wait()
    stage.clock.move(1)
    await stage.world.until(lambda: stage.world.sent(CALLBACKS)[-1].json["type"] == 6)
    may_go.set()
    await pressing
    app.click = click
    await stage.world.until(lambda: len(stage.member(olga).sees) == 2)
    late = stage.member(olga).sees[-1]
    assert late.is_private
    seen = await stage.member(olga).press(late, late.button("Time zone"))
    assert seen.modal.title == "Time zone"


# --- callbacks that fail ---------------------------------------------------------------------

FAILURES = [
    {"status": 404, "code": UNKNOWN_INTERACTION},
    {"status": 400, "code": ACKNOWLEDGED},
    {"status": 429, "via": False},
    {"status": None},
    {"status": None, "after_effect": True},
]


@pytest.mark.parametrize("failure", FAILURES)
async def test_an_answer_counts_once_though_its_person_was_not_told(
    stage: DiscordStage, ana: Person, failure: dict[str, Any]
):
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    stage.world.fail_next(CALLBACKS, **failure)
    before = len(stage.world.sent(CALLBACKS))
    send(stage, press_of(stage, ana, question, right(question)))
    await stage.world.until(lambda: len(stage.world.sent(CALLBACKS)) > before)
    await pass_time(stage, 1)
    (await ana.answers(wrong(question), on=question)).says("You already answered")
    await pass_time(stage, 60)
    (await last(stage)).says("1 person, 100% right", "1. Ana: 10")
    (await ana.presses("Explain to me", on=(await stage.channel())[0])).says("Right:")


@pytest.mark.parametrize("after_effect", [True, False])
async def test_a_callback_that_discord_fails_is_told_again_and_counts_once(
    stage: DiscordStage, ana: Person, after_effect: bool, monkeypatch: pytest.MonkeyPatch
):
    """discord.py asks again after a second; where the first had an effect, that is refused."""
    shorten_retries(monkeypatch)
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    stage.world.fail_next(CALLBACKS, status=503, after_effect=after_effect)
    press = press_of(stage, ana, question, right(question))
    before = len(stage.world.sent(CALLBACKS))
    send(stage, press)
    await stage.world.until(lambda: len(stage.world.sent(CALLBACKS)) == before + 2)
    seen = await told(press)
    assert "Right, 10 points" in stage.read(seen.message).text
    await pass_time(stage, 60)
    (await last(stage)).says("1 person, 100% right")


async def test_what_discord_refuses_is_said_in_plain_words(stage: DiscordStage, ana: Person):
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    stage.world.fail_next(CALLBACKS, status=400, code=50035)
    (await ana.answers(right(question), on=question)).says("Right, 10 points")
    assert "components" not in stage.world.sent(CALLBACKS)[-1].json["data"]


async def test_what_discord_refuses_of_a_slow_reply_is_said_in_plain_words(
    stage: DiscordStage, ana: Person
):
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    press, disk = await answer_slowly(stage, ana, question)
    stage.world.fail_next("PATCH /webhooks/...", status=400, code=50035)
    disk.may_go.set()
    seen = await told(press)
    assert not seen.message.is_loading
    assert "Right, 10 points" in stage.read(seen.message).text


async def test_a_form_that_discord_refuses_can_be_opened_by_a_button(stage: DiscordStage):
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    stage.world.fail_next(CALLBACKS, status=400, code=50035)
    (await olga.presses_told("Time zone")).says("“Time zone” did not open by itself")
    (await olga.presses_told("Time zone")).says("Time zone")
    assert olga.told.form


async def test_a_form_and_its_button_that_discord_refuses_are_said_in_plain_words(
    stage: DiscordStage,
):
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    for _ in range(2):
        stage.world.fail_next(CALLBACKS, status=400, code=50035)
    (await olga.presses_told("Time zone")).says("“Time zone” did not open by itself")
    assert "components" not in stage.world.sent(CALLBACKS)[-1].json["data"]


# --- the gateway -----------------------------------------------------------------------------


async def test_a_press_while_the_connection_was_cut_counts_once(stage: DiscordStage, ana: Person):
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    press = press_of(stage, ana, question, right(question))
    stage.world.gateway.cut()
    send(stage, press)
    seen = await told(press)
    assert "Right, 10 points" in stage.read(seen.message).text
    assert "resume 0/1" in stage.world.gateway.log
    stage.world.repeat(press)
    await pass_time(stage, 1)
    (await ana.answers(wrong(question), on=question)).says("You already answered")
    await pass_time(stage, 60)
    (await last(stage)).says("1 person, 100% right")


async def test_a_press_that_is_replayed_too_late_for_a_reply_counts_all_the_same(
    stage: DiscordStage, ana: Person
):
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    press = press_of(stage, ana, question, right(question))
    stage.world.gateway.cut()
    stage.clock.move(4)
    before = len(stage.world.sent(CALLBACKS))
    send(stage, press)
    await stage.world.until(lambda: len(stage.world.sent(CALLBACKS)) > before)
    assert stage.world.sent(CALLBACKS)[-1].status == 404
    (await ana.answers(right(question), on=question)).says("You already answered")


@pytest.mark.parametrize("how", ["reconnect", "invalidate"])
async def test_it_resumes_when_discord_asks_it_to(stage: DiscordStage, ana: Person, how: str):
    gateway = stage.world.gateway
    if how == "reconnect":
        gateway.reconnect()
    else:
        gateway.invalidate(resumable=True)
    await stage.world.until(lambda: "resume 0/1" in gateway.log)
    (await ana.types("/quiz ports 1")).says("Ports begins here.")


async def test_it_identifies_anew_when_its_session_is_gone(stage: DiscordStage, ana: Person):
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    stage.world.gateway.invalidate(resumable=False)
    await stage.world.until(lambda: stage.world.gateway.log.count("identify 0/1") == 2)
    (await ana.answers(right(question), on=question)).says("Right, 10 points")
    assert len(stage.place.messages) == 1


async def test_buttons_work_after_a_restart(stage: DiscordStage, ana: Person):
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    await stage.restart()
    (await ana.answers(right(question), on=question)).says("Right, 10 points")


# --- posting ---------------------------------------------------------------------------------


async def test_discords_limits_are_waited_out(stage: DiscordStage, ana: Person):
    stage.world.fail_next(POSTS, status=429, retry_after=0.05)
    await ana.types("/quiz ports 1")
    (await newest_question(stage)).says("question 1 of 1")
    assert len(stage.place.messages) == 1


@pytest.mark.parametrize("failure", [{"status": 503}, {"status": None}])
async def test_a_post_of_unknown_fate_stands_there_once(
    stage: DiscordStage, ana: Person, failure: dict[str, Any]
):
    stage.world.fail_next(POSTS, after_effect=True, **failure)
    await ana.types("/quiz ports 1")
    await pass_time(stage, 10)
    assert len(stage.place.messages) == 1
    (await ana.answers(right(await newest_question(stage)))).says("Right, 10 points")


async def test_a_question_that_was_deleted_ends_its_round_quietly(stage: DiscordStage, ana: Person):
    await ana.types("/quiz ports")
    await ana.answers(right(await newest_question(stage)))
    stage.place.last.delete()
    await pass_time(stage, 60)
    assert stage.place.messages == []
    (await ana.types("/stop")).says("No quiz is running here.")


async def test_a_channel_that_was_deleted_ends_its_round_quietly(stage: DiscordStage, ana: Person):
    await ana.types("/quiz ports")
    stage.place.delete()
    await pass_time(stage, 60)
    other = stage.place = stage.guild.channel("other")
    await ana.types("/quiz ports 1")
    assert len(other.messages) == 1


async def test_who_begins_a_quiz_is_told_which_permission_is_missing(
    stage: DiscordStage, ana: Person
):
    stage.place.deny(stage.world.bot, Permission.SEND_MESSAGES)
    told = await ana.types("/quiz ports")
    told.says("I may not post in this channel: an admin can allow me Send Messages")
    (await ana.presses_told("Play it alone")).says("Question 1 of 3")


async def test_a_channel_that_refuses_is_not_asked_again_and_again(
    stage: DiscordStage, ana: Person
):
    await ana.types("/quiz ports")
    stage.place.deny(stage.world.bot, Permission.SEND_MESSAGES)
    await pass_time(stage, 600)
    refused = [one for one in stage.world.sent(POSTS) if one.status == 403]
    assert len(refused) == 1
    stage.place.allow(stage.world.bot, Permission.SEND_MESSAGES)
    (await ana.types("/quiz ports 1")).says("Ports begins here.")
    (await newest_question(stage)).says("question 1 of 1")


async def test_a_button_too_opens_a_channel_that_refused(stage: DiscordStage, ana: Person):
    bo = Person(stage, "Bo")
    (await bo.types("/quiz prots")).says("Ports")
    await ana.types("/quiz ports")
    stage.place.deny(stage.world.bot, Permission.SEND_MESSAGES)
    await pass_time(stage, 300)
    stage.place.allow(stage.world.bot, Permission.SEND_MESSAGES)
    before = len(stage.place.messages)
    (await bo.presses_told("Start Ports")).says("Ports begins here.")
    await stage.settle()
    assert len(stage.place.messages) == before + 1


async def test_only_the_first_question_is_posted_loudly_by_nobody(stage: DiscordStage, ana: Person):
    await ana.types("/quiz ports 1")
    assert stage.world.sent(POSTS)[-1].json["flags"] & 1 << 12


# --- threads ---------------------------------------------------------------------------------


async def test_the_questions_of_a_round_stand_in_a_thread(stage: DiscordStage, ana: Person):
    await stage.member(ana).slash(stage.place, "quiz", topic="ports", thread=True)
    await stage.settle()
    first = stage.place.last
    await ana.answers(right(await newest_question(stage)))
    await pass_time(stage, 60)
    assert first.thread is not None
    assert first.thread.name == "Ports"
    assert stage.place.messages == [first]
    inside = stage.read(first.thread.last)
    inside.says("question 2 of 3")
    answer = str(inside.button(inside.letter_of(right(inside))))
    seen = await stage.member(ana).press(first.thread.last, answer)
    stage.read(seen.message).says("Right, 10 points")
    first.thread.archive()
    await pass_time(stage, 180)
    result = first.thread.last
    stage.read(result).says("Ports: 1 person", "The questions: 1 · 2 · 3")
    assert len(first.thread.messages) == 3
    assert f"{stage.place.link}/{first.id}" in result.text
    assert f"{first.thread.link}/{first.thread.messages[0].id}" in result.text


async def test_what_a_thread_takes_is_told_before_the_first_question(stage: DiscordStage):
    stage.place.deny(stage.world.bot, Permission.CREATE_PUBLIC_THREADS)
    bo = stage.guild.member("Bo")
    seen = await bo.slash(stage.place, "quiz", topic="ports", thread=True)
    stage.read(seen.message).says("an admin can allow me Create Public Threads")
    assert stage.place.messages == []
    seen = await bo.slash(stage.place, "quiz", topic="ports")
    stage.read(seen.message).says("Ports begins here.")
    await stage.settle()


async def test_in_the_chat_of_a_voice_channel_the_questions_stand_below_each_other(
    stage: DiscordStage,
):
    voice, bo = stage.guild.voice(), stage.guild.member("Bo")
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Threads")
    await olga.fills(threads="on")
    await bo.slash(voice, "quiz", topic="ports", thread=True)
    await stage.settle()
    await pass_time(stage, 60)
    assert [message.thread for message in voice.messages] == [None, None]
    stage.read(voice.last).says("question 2 of 3")


async def test_a_thread_that_was_locked_ends_its_round_with_one_sentence(
    stage: DiscordStage, ana: Person, caplog: pytest.LogCaptureFixture
):
    await stage.member(ana).slash(stage.place, "quiz", topic="ports", thread=True)
    await stage.settle()
    first = stage.place.last
    await ana.answers(right(await newest_question(stage)))
    await pass_time(stage, 60)
    assert first.thread is not None
    first.thread.archive(locked=True)
    await pass_time(stage, 180)
    logged = [one for one in caplog.records if one.name.startswith("adapters.")]
    assert not any(one.exc_info for one in logged)
    assert f"thread {first.thread.id} is locked" in caplog.text
    (await ana.types("/stop")).says("No quiz is running here.")


async def test_a_thread_that_may_only_be_opened_later_waits_for_it(
    stage: DiscordStage, ana: Person, caplog: pytest.LogCaptureFixture
):
    await stage.member(ana).slash(stage.place, "quiz", topic="ports", thread=True)
    await stage.settle()
    first = stage.place.last
    await ana.answers(right(await newest_question(stage)))
    await pass_time(stage, 60)
    assert first.thread is not None
    first.thread.archive()
    stage.world.fail_next("PATCH /channels/{channel}", status=429, retry_after=40)
    await pass_time(stage, 240)
    assert "could not be sent" not in caplog.text
    stage.read(first.thread.last).says("Ports: 1 person")


# --- pictures --------------------------------------------------------------------------------


@pytest.fixture
def pipes(stage: DiscordStage, tmp_path: Path) -> bytes:
    """A picture in a bank that the next start finds."""
    picture = b"\x89PNG\r\n\x1a\n" + bytes(100)
    write_bank(tmp_path / "banks", "pipes", bank=PICTURED)
    (tmp_path / "banks" / "pipes" / "pipes.png").write_bytes(picture)
    return picture


async def test_a_picture_is_sent_once_and_stays_until_the_answer(
    stage: DiscordStage, ana: Person, pipes: bytes
):
    await stage.restart()
    await ana.types("/quiz pipes")
    message = stage.place.last
    (sent,) = message.attachments
    assert (sent.name, sent.description, sent.content) == ("picture.png", "Two pipes", pipes)
    await ana.answers("left")
    await pass_time(stage, 3)
    stage.read(message).says("1 answered")
    assert message.attachments == [sent]
    await pass_time(stage, 60)
    stage.read(message).says("Right answer")
    assert message.attachments == []


async def test_a_picture_in_practice_goes_with_its_question(
    stage: DiscordStage, ana: Person, pipes: bytes
):
    await stage.restart()
    question = await ana.types("/quiz pipes solo")
    (private,) = stage.member(ana).sees
    assert [one.content for one in private.attachments] == [pipes]
    await ana.answers("left", on=question)
    assert private.attachments == []


async def test_where_no_file_may_be_attached_any_more_the_picture_is_described(
    stage: DiscordStage, ana: Person, pipes: bytes
):
    await stage.restart()
    hold = stage.world.hold(POSTS)
    asking = asyncio.create_task(ana.types("/quiz pipes"))
    await hold.arrived.wait()
    stage.place.deny(stage.world.bot, Permission.ATTACH_FILES)
    hold.release()
    await asking
    (await newest_question(stage)).says("Which pipe is full?", "Two pipes")


# --- coming and going ------------------------------------------------------------------------


async def test_a_server_is_greeted_once_when_it_adds_the_bot(stage: DiscordStage):
    assert stage.up.discord is not None
    # Before, discord.py takes every server for one that it has been in.
    await stage.up.discord.wait_until_ready()
    new = stage.world.guild("New", with_bot=False)
    channel = new.system_channel = new.channel("lobby")
    new.invite_bot()
    await stage.world.until(lambda: channel.messages)
    await stage.settle()
    stage.read(channel.last).says("I run quizzes here", "Nothing is posted until someone asks")
    new.fall_out()
    new.come_back()
    await stage.restart()
    assert len(channel.messages) == 1


async def test_a_server_without_a_place_to_greet_in_is_greeted_at_an_organisers_first_command(
    stage: DiscordStage,
):
    stage.guild.system_channel = None
    olga = Person(stage, "Olga", organiser=True)
    (await olga.types("/quizzes")).says("I run quizzes here")
    (await olga.types("/quizzes")).does_not_say("I run quizzes here")


async def test_an_outage_of_a_server_ends_nothing_and_removal_ends_its_round(
    stage: DiscordStage, ana: Person
):
    await ana.types("/quiz ports")
    stage.guild.fall_out()
    stage.guild.come_back()
    (await ana.answers(right(await newest_question(stage)))).says("Right, 10 points")
    stage.guild.remove_bot()
    posted = len(stage.place.messages)
    await pass_time(stage, 300)
    assert len(stage.place.messages) == posted


# --- where the bot is no member --------------------------------------------------------------


async def test_who_installed_it_for_themselves_plays_alone_anywhere(stage: DiscordStage):
    elsewhere = stage.world.guild("Elsewhere", with_bot=False)
    channel = elsewhere.channel("general")
    bo = elsewhere.member("Bo")
    bo.install()
    seen = await bo.slash(channel, "quiz", topic="ports")
    stage.read(seen.message).says("Question 1 of 3")
    assert seen.message.is_private
    assert channel.messages == []


async def test_direct_messages_are_for_practice(stage: DiscordStage):
    bo = stage.guild.member("Bo")
    seen = await bo.slash(bo.dm, "quiz", topic="ports", mode="solo")
    question = stage.read(seen.message)
    question.says("Question 1 of 3")
    pressed = await bo.press(
        seen.message, str(question.button(question.letter_of(right(question))))
    )
    assert pressed.failed is None
    stage.read(pressed.interaction.message or seen.message).says("Right:")


# --- commands --------------------------------------------------------------------------------


async def test_topics_are_suggested_while_they_are_typed(stage: DiscordStage):
    bo = stage.guild.member("Bo", locale="fr")
    offered = await bo.autocomplete(stage.place, "quiz", "topic", "por")
    assert offered == [{"name": "Les ports", "value": "ports"}]
    languages = await bo.autocomplete(stage.place, "quiz", "language", "fran", topic="ports")
    assert languages == [{"name": "Français", "value": "fr"}]


async def test_commands_are_told_once(stage: DiscordStage):
    def puts() -> list[Request]:
        return stage.world.sent("PUT /applications/...")

    assert len(puts()) == 1
    await stage.restart()
    await jump(stage, 1)
    assert len(puts()) == 1
    stage.world.commands[None][0]["description"] = "Something older"
    await stage.restart()
    await stage.world.until(lambda: len(puts()) == 2)


async def test_commands_that_discord_takes_only_later_are_told_then(stage: DiscordStage):
    stage.world.commands[None][0]["description"] = "Something older"
    before = len(stage.world.sent("PUT /applications/..."))
    stage.world.fail_next("PUT /applications/...", status=429, retry_after=600)
    await stage.restart()
    await stage.world.until(lambda: len(stage.world.sent("PUT /applications/...")) == before + 1)
    await jump(stage, 590)
    assert len(stage.world.sent("PUT /applications/...")) == before + 1
    await jump(stage, 20)
    await stage.world.until(lambda: len(stage.world.sent("PUT /applications/...")) == before + 2)


@pytest.mark.parametrize("where", ["GET /users/@me", "GET /applications/{application}/commands"])
async def test_a_checkup_that_discord_takes_only_later_says_so(stage: DiscordStage, where: str):
    stage.world.fail_next(where, status=429, retry_after=600)
    with pytest.raises(DiscordUnavailable, match=r"^Discord asks us to wait 600 s"):
        async for _ in look(Account(stage.world.token)):
            pass


async def test_settings_open_as_forms(stage: DiscordStage):
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    form = await olga.presses_told("Organisers")
    form.says("Who else may organise")
    bo = Person(stage, "Bo")
    key = str(stage.member(bo).id)
    (await olga.fills(organisers=key)).says("Saved.", "1 named here")
    (await bo.types("/settings")).says("Time zone")


async def test_it_goes_on_after_a_question(stage: DiscordStage, ana: Person):
    await ana.types("/quiz ports")
    await until(stage, "question 2 of 3 ·")


# --- a bug of ours -----------------------------------------------------------------------------


def cannot_be_drawn(*_: Any) -> Any:
    raise ZeroDivisionError("as a bug in drawing would")


async def test_whose_verdict_cannot_be_drawn_is_told_that_the_answer_was_counted(
    stage: DiscordStage,
    ana: Person,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    await ana.types("/quiz ports 1")
    monkeypatch.setattr(ready, "told", cannot_be_drawn)
    said = await ana.answers(right(await newest_question(stage)))
    [bug] = [one for one in caplog.records if one.exc_info]
    said.says(f"({bug.getMessage()})", "Your answer was counted.")


async def test_what_is_read_wrongly_leaves_nobody_without_a_word(
    stage: DiscordStage, ana: Person, monkeypatch: pytest.MonkeyPatch
):
    await ana.types("/quiz ports 1")
    monkeypatch.setattr(read, "click", cannot_be_drawn)
    said = await ana.answers(right(await newest_question(stage)))
    said.says("incident", "Your answer was not counted; please press again.")


async def test_who_was_told_to_wait_for_what_cannot_be_drawn_does_not_wait_for_ever(
    stage: DiscordStage, ana: Person, monkeypatch: pytest.MonkeyPatch
):
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    monkeypatch.setattr(ready, "told", cannot_be_drawn)
    press, disk = await answer_slowly(stage, ana, question)
    disk.may_go.set()
    said = stage.read((await told(press)).message)
    said.says("incident", "Your answer was counted.")
