"""What becomes of a post when the way to the place fails, or the process dies on it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bare_stage import BareStage
from conversation import Person, jump, last, newest_question, pass_time, until
from quizzes import right, write_banks
from sqlalchemy import Connection, Engine, event, select, update

from bot.messages import Message
from bot.ports import Abilities, Failed, Later, Refused, Unknown
from bot.store import timers
from bot.store.entries import Entry
from bot.store.schema import outbox, rounds, steps


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[BareStage]:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


async def forget_sending(stage: BareStage) -> None:
    """As if the process had died between sending the question and noting it."""

    def work(connection):
        connection.execute(update(outbox).values(state="claimed", message_id=None, posted_at=None))
        connection.execute(
            update(steps).values(opened_at=None, opened_host_at=None, cutoff_at=None)
        )
        connection.execute(update(rounds).values(state="waiting"))

    await stage.store.write(work)


async def test_a_place_that_is_busy_is_tried_again(stage: BareStage) -> None:
    stage.surface.answers = [Later(5)]
    await Person(stage, "Ana").types("/quiz ports")
    assert await stage.channel() == []
    await pass_time(stage, 5)
    (await last(stage)).says("question 1 of 3", "closes in 45 s")


async def test_a_bug_in_sending_is_logged_and_tried_again(
    stage: BareStage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.surface.answers = [RuntimeError("the wire broke")]
    with caplog.at_level(logging.ERROR):
        await Person(stage, "Ana").types("/quiz ports")
    assert "the wire broke" in caplog.text
    await pass_time(stage, 2)
    (await last(stage)).says("question 1 of 3")


async def test_what_took_too_long_to_be_made_was_not_sent_and_is_tried_again(
    stage: BareStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    posts, tries = stage.app._parts.posts, 0
    compose = posts.compose

    async def late_once(entry: Entry) -> Message | None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise TimeoutError
        return await compose(entry)

    monkeypatch.setattr(posts, "compose", late_once)
    stage.surface.abilities = Abilities(resend_seconds=0)
    await Person(stage, "Ana").types("/quiz ports")
    assert await stage.channel() == []
    await pass_time(stage, 2)
    (await last(stage)).says("question 1 of 3", "closes in 45 s")


async def test_after_a_stop_nothing_is_on_its_way_that_could_still_write(stage: BareStage) -> None:
    stage.surface.hangs = True
    await Person(stage, "Ana").asks("/quiz ports")
    await stage.surface.begun.wait()
    _, _, scheduler, _ = stage._running()
    sending = scheduler._sending
    assert sending.busy
    await scheduler.close(0)
    assert not sending.busy


async def test_a_place_that_forbids_posts_ends_its_round_quietly(stage: BareStage) -> None:
    stage.surface.answers = [Refused("no permission")]
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    await jump(stage, 600)
    assert await stage.channel() == []
    (await ana.types("/stop")).says("No quiz is running here.")
    (await ana.types("/quiz water")).says("Water begins here.")


async def test_a_post_that_always_fails_is_given_up(stage: BareStage) -> None:
    stage.surface.answers = [Failed(1)] * 8
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    await pass_time(stage, 30)
    assert await stage.channel() == []
    (await ana.types("/stop")).says("No quiz is running here.")


async def test_being_told_to_wait_is_no_failure_however_often(stage: BareStage) -> None:
    stage.surface.answers = [Later(1)] * 20
    await Person(stage, "Ana").types("/quiz ports")
    await pass_time(stage, 20)
    (await last(stage)).says("question 1 of 3")


async def test_a_post_without_news_is_sent_again_under_the_same_nonce(stage: BareStage) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    await forget_sending(stage)
    await stage.restart(away=60)
    assert len(await stage.channel()) == 1
    await pass_time(stage, 47)
    (await last(stage)).says("Right answer:")


async def test_a_question_over_which_another_process_died_goes_on_within_two_minutes(
    stage: BareStage,
) -> None:
    stage.alone = False
    await stage.restart()
    await Person(stage, "Ana").types("/quiz ports")
    await forget_sending(stage)
    await pass_time(stage, 65)
    assert len(await stage.channel()) == 1
    await pass_time(stage, 47)
    (await last(stage)).says("Right answer:")


async def test_where_it_cannot_be_sent_again_it_counts_as_sent_and_a_press_tells_its_id(
    stage: BareStage,
) -> None:
    stage.surface.abilities = Abilities(resend_seconds=0)
    await Person(stage, "Ana").types("/quiz ports")
    question = await newest_question(stage)
    await forget_sending(stage)
    await stage.restart(away=600)
    assert len(await stage.channel()) == 1
    ben = Person(stage, "Ben")
    (await ben.answers(right(question), on=question)).says("Right, 10 points")
    await pass_time(stage, 47)
    assert len(await stage.channel()) == 1
    (await last(stage)).says("Right answer:")


async def test_where_no_press_tells_its_id_the_answer_is_a_new_message(stage: BareStage) -> None:
    stage.surface.abilities = Abilities(resend_seconds=0)
    stage.surface.answers = [Unknown()]
    await Person(stage, "Ana").types("/quiz ports")
    assert await stage.channel() == []
    await pass_time(stage, 47)
    (await last(stage)).says("question 1 of 3", "Right answer:")
    await pass_time(stage, 8)
    assert len(await stage.channel()) == 2
    (await stage.channel())[0].does_not_say("Next question in")
    (await last(stage)).says("question 2 of 3")


async def test_the_count_is_edited_once_in_two_seconds_however_many_press(
    stage: BareStage,
) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    question = await newest_question(stage)
    for number in range(40):
        await Person(stage, f"Player {number}").answers(right(question), on=question)
    assert stage.surface.edits == []
    await pass_time(stage, 2)
    assert len(stage.surface.edits) == 1
    (await newest_question(stage)).says("40 answered")


async def test_counts_keep_to_the_budget_of_the_platform(stage: BareStage) -> None:
    stage.surface.abilities = Abilities(edits_per_second=0.1)
    await Person(stage, "Ana").types("/quiz ports")
    question = await newest_question(stage)
    await pass_time(stage, 11)
    for number in range(12):
        await Person(stage, f"Player {number}").answers(right(question), on=question)
        await pass_time(stage, 2)
    assert 2 <= len(stage.surface.edits) <= 3


async def test_counts_do_not_wait_for_the_hours_by_which_a_clock_is_set_back(
    stage: BareStage,
) -> None:
    stage.surface.abilities = Abilities(edits_per_second=0.1)
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports 3 off")
    question = await newest_question(stage)
    await ana.answers(right(question), on=question)
    stage.clock.set_back(3600)
    await ben.answers(right(question), on=question)
    await pass_time(stage, 12)
    (await newest_question(stage)).says("2 answered")


async def test_a_question_has_its_time_whatever_a_clock_is_set_back_by(stage: BareStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 60s")
    stage.surface.edit_answers = [Later(5)]
    stage.clock.set_back(3600)
    await pass_time(stage, 30)
    (await newest_question(stage)).does_not_say("Right answer")
    await pass_time(stage, 40)
    first, *_ = await stage.channel()
    first.says("Right answer")
    await pass_time(stage, 60)
    (await newest_question(stage)).says("question 2 of 3 ·")


async def test_an_answer_is_shown_before_the_result(stage: BareStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1")
    await ana.answers(right(await newest_question(stage)))
    await ana.types("/stop")
    assert await stage.store.read(_states) == [
        ("post", "question", "sent"),
        ("edit", "question", "sent"),
        ("post", "result", "sent"),
    ]


async def test_nobody_waits_for_a_place_that_is_told_to_wait(stage: BareStage) -> None:
    """And the schedule sleeps until then: with a board behind it, it once spun."""
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    await ana.answers(right(await newest_question(stage)))
    stage.surface.edit_answers = [Later(30)]
    await ana.types("/leaderboard")
    await ana.presses_told("Show in the channel")
    await pass_time(stage, 47)
    assert stage.clock.waits < 200
    await pass_time(stage, 30)
    assert any("We:" in message.text for message in await stage.channel())


async def test_a_surface_that_never_answers_is_not_waited_for(stage: BareStage) -> None:
    stage.surface.hangs = True
    await Person(stage, "Ana").asks("/quiz ports")
    await stage.surface.begun.wait()
    stage.surface.hangs = False
    await jump(stage, 30, settled=False)
    assert await stage.channel() == []
    await pass_time(stage, 47)
    (await last(stage)).says("question 1 of 3", "Right answer:")


async def test_what_came_of_a_post_is_noted_when_the_disk_is_there_again(
    stage: BareStage,
) -> None:
    await Person(stage, "Ana").types("/help")
    stage.surface.after_post = lambda: stage.lose_disk(3)
    await Person(stage, "Ana").asks("/quiz ports")
    await stage.surface.begun.wait()
    for _ in range(3):
        await stage.clock.next_wait()
        stage.clock.move(5)
    await stage.settle()
    assert len(await stage.channel()) == 1
    (await newest_question(stage)).says("question 1 of 3")
    await until(stage, "Right answer:")


async def test_a_round_that_cannot_go_on_keeps_no_other_from_it(
    stage: BareStage, caplog: pytest.LogCaptureFixture
) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    await Person(stage.beside("lobby"), "Ben").types("/quiz ports")
    await stage.spoil_step(1)
    with caplog.at_level(logging.ERROR):
        await pass_time(stage, 47)
    assert "timer" in caplog.text
    spoilt, well = await stage.channel()
    spoilt.does_not_say("Right answer:")
    well.says("Right answer:")
    for _ in range(5):
        await jump(stage, 30)
    assert "is given up" in caplog.text


async def test_a_change_without_news_is_made_again(stage: BareStage) -> None:
    await Person(stage, "Ana").types("/quiz ports 1")
    stage.surface.edit_answers = [Unknown(), Unknown()]
    await pass_time(stage, 60)
    (await last(stage)).says("Right answer:")


async def test_who_presses_while_the_disk_is_full_is_told_and_loses_nothing(
    stage: BareStage, caplog: pytest.LogCaptureFixture
) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports")
    question = await newest_question(stage)
    stage.lose_disk(2)
    for person in (ana, ben):
        told = await person.answers(right(question), on=question)
        told.says("out of reach for the moment", "an answer counts only once")
    assert caplog.text.count("The disk is full.") == 1
    assert "Traceback" not in caplog.text
    (await ana.answers(right(question), on=question)).says("Right, 10 points")


async def test_a_process_that_slept_takes_no_time_away(stage: BareStage) -> None:
    """A laptop that was closed, or a database that was locked."""
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    await pass_time(stage, 30)
    stage.clock.move(600)
    await stage.settle()
    question = await newest_question(stage)
    question.says("closes in 20 s")
    (await ana.answers(right(question))).says("Right, 10 points")


async def test_a_quiz_that_is_stopped_while_its_question_waits_asks_it_no_more(
    stage: BareStage,
) -> None:
    stage.surface.answers = [Later(5)]
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    await ana.types("/stop")
    await jump(stage, 60)
    assert await stage.channel() == []


async def test_due_work_is_done_once_by_two_processes(tmp_path: Path, postgres_url: str) -> None:
    banks = write_banks(tmp_path / "more")
    first, second = BareStage(postgres_url, [banks]), BareStage(postgres_url, [banks])
    second.clock, second.surface = first.clock, first.surface
    await first.start()
    await second.start()
    ana = Person(first, "Ana")
    await ana.types("/quiz ports")
    for seconds in [1] * 170:
        first.clock.move(seconds)
        await first.settle()
        await second.settle()
        for message in await first.channel():
            if message.options:
                await ana.answers(right(message), on=message)
    messages = await first.channel()
    assert len(messages) == 4
    messages[-1].says("1 person, 100% right")
    await first.stop()
    await second.stop()


async def test_what_another_process_made_due_is_done_at_the_next_heartbeat(
    stage: BareStage,
) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1 off")
    await jump(stage, 1)
    now = stage.clock.now()
    # As the other process does it: nobody here is woken.
    await stage.store.write(lambda c: timers.set_timer(c, "close", 1, 1, now), wakes=False)
    await stage.settle()
    assert (await newest_question(stage)).options
    await jump(stage, 6)
    assert not any(message.options for message in await stage.channel())


async def test_where_nothing_happens_a_heartbeat_is_all_that_is_asked_of_the_database(
    stage: BareStage,
) -> None:
    await jump(stage, 6)
    begun: list[str] = []

    def begin(connection: Connection) -> None:
        begun.append(connection.engine.name)

    event.listen(Engine, "begin", begin)
    try:
        stage.clock.move(6)
        await stage.settle()
    finally:
        event.remove(Engine, "begin", begin)
    assert len(begun) == 1


async def _states(connection) -> list[tuple[str, str, str]]:
    columns = (outbox.c.op, outbox.c.kind, outbox.c.state)
    rows = await connection.execute(select(*columns).order_by(outbox.c.id))
    return [(op, kind, state) for op, kind, state in rows]
