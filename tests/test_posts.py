"""What becomes of a post when the way to the place fails, or the process dies on it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bare_stage import BareStage
from conversation import Person, jump, last, newest_question, pass_time
from quizzes import right, write_banks
from sqlalchemy import select, update

from bot.ports import Abilities, Later, Refused, Unknown
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


async def test_a_place_that_forbids_posts_ends_its_round_quietly(stage: BareStage) -> None:
    stage.surface.answers = [Refused("no permission")]
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    await jump(stage, 600)
    assert await stage.channel() == []
    (await ana.types("/stop")).says("No quiz is running here.")
    (await ana.types("/quiz water")).says("Water begins here.")


async def test_a_post_that_always_fails_is_given_up(stage: BareStage) -> None:
    stage.surface.answers = [Later(1)] * 8
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    await pass_time(stage, 30)
    assert await stage.channel() == []
    (await ana.types("/stop")).says("No quiz is running here.")


async def test_a_post_without_news_is_sent_again_under_the_same_nonce(stage: BareStage) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    await forget_sending(stage)
    await stage.restart(away=60)
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
    await stage.restart()
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


async def test_what_is_said_in_a_place_is_said_in_order(stage: BareStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1")
    await ana.answers(right(await newest_question(stage)))
    await ana.types("/stop")
    states = await stage.store.read(lambda c: _states(c))
    assert [op for op, _ in states] == ["post", "edit", "post"] or [op for op, _ in states] == [
        "post",
        "post",
        "edit",
    ]
    assert {state for _, state in states} == {"sent"}


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


async def _states(connection) -> list[tuple[str, str]]:
    rows = await connection.execute(select(outbox.c.op, outbox.c.state).order_by(outbox.c.id))
    return [(op, state) for op, state in rows]
