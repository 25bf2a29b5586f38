"""A quiz that could not go on: who asks is told why, and who can mend it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from bare_stage import BareStage
from conversation import Person, last, newest_question, pass_time, until
from quizzes import right, write_banks

from bot.ports import Failed, PostResult, Refused

FORBIDDEN = Refused("it lacks Send Messages", lacking=("Send Messages",))
NOT_ALLOWED = (
    "Ports could not go on here, for I was not allowed Send Messages. "
    "An admin can allow it in this channel."
)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[BareStage]:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


async def begun_in_vain(stage: BareStage, answer: PostResult = FORBIDDEN) -> Person:
    """Ana, who was told that her quiz begins, and whose first question never came."""
    stage.surface.answers = [answer]
    ana = Person(stage, "Ana")
    (await ana.types("/quiz ports")).says("Ports begins here.")
    assert await stage.channel() == []
    return ana


async def broken_off(stage: BareStage, answer: PostResult = FORBIDDEN) -> Person:
    """Ana, who began a quiz of which the first question came, and the second did not."""
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    await Person(stage, "Ben").answers(right(await newest_question(stage)))
    stage.surface.answers = [answer]
    await until(stage, "Right answer")
    await pass_time(stage, 20)
    assert len(await stage.channel()) == 1
    return ana


@pytest.mark.parametrize(
    "act",
    ["/stop", "/quiz ports", "/quiz nothing-like-this", "/answers", "/help", "/quiz ports solo"],
)
async def test_who_began_it_in_vain_is_told_when_they_next_act_and_once(
    stage: BareStage, act: str
) -> None:
    ana = await begun_in_vain(stage)
    (await ana.types(act)).says(NOT_ALLOWED)
    assert ana.told.text.count("could not go on") == 1
    (await ana.types("/answers")).does_not_say("could not go on")


async def test_they_are_told_after_a_restart_too(stage: BareStage) -> None:
    ana = await begun_in_vain(stage)
    await stage.restart()
    (await ana.types("/answers")).says(NOT_ALLOWED)


async def test_who_presses_the_button_to_stop_it_is_told(stage: BareStage) -> None:
    ana = await begun_in_vain(stage)
    (await ana.presses_told("Stop it")).says("This quiz is over.", NOT_ALLOWED)


@pytest.mark.parametrize("act", ["/quiz ports", "/quiz ports solo"])
async def test_what_broke_off_is_told_apart_from_what_begins(stage: BareStage, act: str) -> None:
    await broken_off(stage)
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    if act.endswith("solo"):
        (await ana.types(act)).says(f"The quiz that you began before: {NOT_ALLOWED}")
    else:
        (await ben.types(act)).says("Ports begins here.", f"The quiz before: {NOT_ALLOWED}")


async def test_who_asks_about_the_quiz_itself_is_told_of_it_without_more(stage: BareStage) -> None:
    await broken_off(stage)
    (await Person(stage, "Ben").types("/stop")).does_not_say("The quiz before")


@pytest.mark.parametrize("act", ["/stop", "/quiz ports"])
async def test_whoever_asks_for_a_quiz_there_or_stops_it_is_told(
    stage: BareStage, act: str
) -> None:
    await broken_off(stage)
    ben, cleo = Person(stage, "Ben"), Person(stage, "Cleo")
    (await cleo.types("/answers")).does_not_say("could not go on")
    (await cleo.types("/stop")).says("No quiz is running here.", NOT_ALLOWED)
    (await ben.types(act)).says(NOT_ALLOWED)


async def test_whoever_presses_a_button_of_it_is_told(stage: BareStage) -> None:
    await broken_off(stage)
    question = await last(stage)
    for label in question.buttons:
        cleo = Person(stage, f"Cleo {label}", locale="en")
        if label != "Leaderboard":
            (await cleo.presses(label, on=question)).says(NOT_ALLOWED)


async def test_an_answer_that_comes_too_late_is_told_why_nobody_goes_on(stage: BareStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    question = await newest_question(stage)
    await Person(stage, "Ben").answers(right(question))
    stage.surface.edit_answers = [Refused("the message is gone", gone=True)]
    await pass_time(stage, 2)
    told = await Person(stage, "Cleo").answers(right(question), on=question)
    told.says("This question closed at", "for its question was deleted, or I can no longer write")


async def test_once_another_quiz_runs_there_nobody_hears_of_the_one_before(
    stage: BareStage,
) -> None:
    await broken_off(stage)
    ben = Person(stage, "Ben")
    (await ben.types("/quiz ports")).says("Ports begins here.", NOT_ALLOWED)
    (await Person(stage, "Cleo").types("/quiz ports")).does_not_say("could not go on")
    await ben.types("/stop")
    (await ben.types("/stop")).does_not_say("could not go on")


async def test_a_quiz_of_another_group_is_none_of_theirs(stage: BareStage) -> None:
    await begun_in_vain(stage)
    other = stage.beside("room")
    other.where = replace(other.where, community="other")
    for act in ("/stop", "/quiz ports", "/answers"):
        (await Person(other, "Ana").types(act)).does_not_say("could not go on")


async def test_a_quiz_that_was_stopped_or_came_to_its_end_has_no_reason(stage: BareStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1")
    await ana.types("/stop")
    await ana.types("/quiz ports 1")
    await Person(stage, "Ben").answers(right(await newest_question(stage)))
    await pass_time(stage, 60)
    (await ana.types("/stop")).says("No quiz is running here.")
    ana.told.does_not_say("could not go on")


async def test_what_the_platform_says_is_missing_is_named_where_the_refusal_did_not(
    stage: BareStage,
) -> None:
    ana = await begun_in_vain(stage, Refused("403"))
    (await Person(stage, "Ben").types("/stop")).says(
        "for my message was refused. Who runs quizbot finds why in its log."
    )
    stage.where = replace(stage.where, lacking=("Embed Links",))
    (await ana.types("/stop")).says("for I was not allowed Embed Links.")


async def test_a_question_that_could_never_be_posted_is_told_as_a_failure(
    stage: BareStage,
) -> None:
    stage.surface.answers = [Failed(1) for _ in range(8)]
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    await pass_time(stage, 30)
    (await ana.types("/stop")).says("for something failed again and again. Please start it anew")


async def test_the_reason_stands_in_the_log_in_one_line(
    stage: BareStage, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        await begun_in_vain(stage)
    lines = [record.getMessage() for record in caplog.records]
    assert lines == ["bare: the quiz in room of group could not go on: it lacks Send Messages"]
