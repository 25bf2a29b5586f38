"""What answers lead to while their question is open, and what they do not cost."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from bare_stage import BareStage
from conversation import Person, last, newest_question, pass_time, until
from quizzes import right, write_banks
from sqlalchemy import Engine, event


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[BareStage]:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


@contextmanager
def statements() -> Iterator[list[str]]:
    """What databases are asked meanwhile, by this process."""
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def known(stage: BareStage, count: int) -> list[Person]:
    """People who answered the first question, and to whom nothing has to be explained any more."""
    people = [Person(stage, f"Person {number}") for number in range(count)]
    await people[0].types("/quiz ports")
    question = await newest_question(stage)
    for person in people:
        await person.answers(right(question), on=question)
    await until(stage, "question 2 of 3 ·")
    return people


async def test_an_answer_looks_for_no_work_that_is_due(stage: BareStage) -> None:
    people = await known(stage, 6)
    question = await newest_question(stage)
    await people[0].answers(right(question), on=question)
    with statements() as asked:
        for person in people[1:5]:
            await person.answers(right(question), on=question)
    assert asked, "the answers at least were stored"
    assert not [one for one in asked if "timers" in one or "FROM outbox" in one]
    with statements() as asked:
        await pass_time(stage, 2)
    assert "5 answered" in (await newest_question(stage)).text
    assert len([one for one in asked if "FROM attempts" in one]) == 1, "the count, once"


async def test_the_last_one_who_is_here_ends_a_question_at_once(stage: BareStage) -> None:
    people = await known(stage, 3)
    question = await newest_question(stage)
    await people[0].answers(right(question), on=question)
    await pass_time(stage, 30)
    await people[1].answers(right(question), on=question)
    (await newest_question(stage)).says("question 2 of 3")
    await people[2].answers(right(question), on=question)
    (await last(stage)).says("question 2 of 3", "Next question in")


async def test_a_minute_more_that_comes_between_the_answers_keeps_it_open(
    stage: BareStage,
) -> None:
    people = await known(stage, 2)
    question = await newest_question(stage)
    await people[0].answers(right(question), on=question)
    await people[1].presses("More")
    await people[1].presses_told("A minute more")
    await pass_time(stage, 60)
    await people[1].answers(right(question), on=question)
    (await newest_question(stage)).says("question 2 of 3")
    await pass_time(stage, 47)
    (await last(stage)).says("question 2 of 3", "Next question in")


async def test_answers_at_two_processes_end_a_question_soon_too(
    tmp_path: Path, postgres_url: str
) -> None:
    banks = write_banks(tmp_path / "more")
    here, there = BareStage(postgres_url, [banks]), BareStage(postgres_url, [banks])
    there.clock, there.surface = here.clock, here.surface
    here.alone = there.alone = False
    await here.start()
    await there.start()

    async def live(seconds: int) -> None:
        for _ in range(seconds):
            here.clock.move(1)
            await here.settle()
            await there.settle()

    ana, ben = Person(here, "Ana"), Person(there, "Ben")
    await ana.types("/quiz ports")
    question = await newest_question(here)
    await ana.answers(right(question), on=question)
    await ben.answers(right(question), on=question)
    await live(55)
    question = await newest_question(here)
    question.says("question 2 of 3")
    await ana.answers(right(question), on=question)
    await live(30)
    (await newest_question(here)).says("question 2 of 3")
    await ben.answers(right(question), on=question)
    await live(6)
    (await last(here)).says("question 2 of 3", "Next question in")
    await here.stop()
    await there.stop()
