"""A daily quiz and a round that runs in its community: no key is shown while it can be answered."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from bare_stage import BareStage
from conversation import Person, Seen, pass_time
from daily_story import pass_to, plan, set_daily
from quizzes import about, right, write_banks
from sqlalchemy import Connection, select

from bot.ports import Later, Refused
from bot.store.schema import questions, rounds, steps

KEPT = "A quiz of today still asks this"
HOUR = timedelta(hours=1)
OPEN_LIVE = select(rounds.c.id).where(rounds.c.mode == "live", rounds.c.ended_at.is_(None))
ONLY_SSH = ("shells",)
"""A tag that one question has."""


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[BareStage]:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


async def drawn(stage: BareStage) -> list[str]:
    """What the newest round asks, in order."""
    newest = select(rounds.c.id).order_by(rounds.c.id.desc()).limit(1).scalar_subquery()
    query = (
        select(questions.c.question_id)
        .join_from(steps, questions, questions.c.id == steps.c.question_id)
        .where(steps.c.round_id == newest, steps.c.position > 0)
        .order_by(steps.c.position)
    )
    return await stage.store.write(lambda c: list(c.execute(query).scalars()))


async def begin(stage: BareStage, ana: Person, command: str, *, ssh_at: int) -> None:
    """A round that asks for SSH at this position, its first question just posted."""
    for _ in range(50):
        await ana.types(f"{command} 60s")
        if (await drawn(stage))[ssh_at - 1 : ssh_at] == ["ssh"]:
            return
        await ana.types("/stop")
    raise AssertionError("no round asks for it there")


async def live_posts(stage: BareStage) -> list[Seen]:
    """The questions of the round that began last."""
    posts = await stage.channel()
    first = max(at for at, post in enumerate(posts) if "question 1 of" in post.text)
    return [post for post in posts[first:] if "· question " in post.text]


async def result(stage: BareStage) -> Seen:
    """Of the round that ended last."""
    return [post for post in await stage.channel() if post.button("My result")][-1]


async def a_round_just_before_ten(stage: BareStage, command: str, *, ssh_at: int) -> Person:
    """Ana has begun it and answered its first question."""
    await pass_to(stage, "09:59", seconds=30)
    ana = Person(stage, "Ana")
    await begin(stage, ana, command, ssh_at=ssh_at)
    [question] = await live_posts(stage)
    await ana.answers(right(question), on=question)
    return ana


# --- what has yet to come --------------------------------------------------------------------


async def test_a_coming_question_that_the_day_asks_is_left_out_and_the_result_says_so(
    stage: BareStage,
) -> None:
    await set_daily(stage, plan(topics=ONLY_SSH))
    await a_round_just_before_ten(stage, "/quiz ports", ssh_at=2)
    await pass_to(stage, "10:00")
    await pass_time(stage, 240)
    posts = await live_posts(stage)
    assert {about(post) for post in posts} == {"HTTP", "DNS"}
    posts[-1].says("question 2 of 2", "Right answer")
    (await result(stage)).says("1 question was left out: a quiz of today asks it.")


async def test_another_question_takes_its_turn_where_the_quiz_has_one(stage: BareStage) -> None:
    await set_daily(stage, plan(topics=ONLY_SSH))
    await a_round_just_before_ten(stage, "/quiz ports 2", ssh_at=2)
    await pass_to(stage, "10:00")
    await pass_time(stage, 240)
    posts = await live_posts(stage)
    assert {about(post) for post in posts} == {"HTTP", "DNS"}
    posts[-1].says("question 2 of 2")
    (await result(stage)).does_not_say("left out")


async def test_a_round_of_which_the_day_takes_the_rest_is_over(stage: BareStage) -> None:
    await set_daily(stage, plan(count=3))
    ana = await a_round_just_before_ten(stage, "/quiz ports", ssh_at=1)
    await pass_to(stage, "10:00")
    await pass_time(stage, 120)
    assert len(await live_posts(stage)) == 1
    (await result(stage)).says("2 questions were left out: quizzes of today ask them.")
    (await ana.types("/quiz ports")).says("Today’s quiz is asking what Ports has")


async def test_a_round_that_was_paused_meanwhile_leaves_it_out_when_it_goes_on(
    stage: BareStage,
) -> None:
    await set_daily(stage, plan(topics=ONLY_SSH))
    await pass_to(stage, "09:40")
    ana = Person(stage, "Ana")
    await begin(stage, ana, "/quiz ports", ssh_at=3)
    await pass_time(stage, 240)
    await pass_to(stage, "10:00")
    await ana.presses("Continue")
    await pass_time(stage, 5)
    posts = await live_posts(stage)
    assert [about(post) for post in posts[2:]] == []
    assert await stage.store.write(lambda c: c.execute(OPEN_LIVE).all()) == []


# --- what is being asked ---------------------------------------------------------------------


async def test_what_a_round_is_asking_waits_for_another_day_while_there_is_more(
    stage: BareStage,
) -> None:
    await set_daily(stage, plan(open_for=HOUR))
    await a_round_just_before_ten(stage, "/quiz ports 1", ssh_at=1)
    await pass_to(stage, "10:00")
    daily = next(post for post in await stage.channel() if "Today’s quiz" in post.text)
    assert about(daily) == "HTTP"
    await pass_to(stage, "10:00", days=1)
    post = (await stage.channel())[-1]
    post.says("Today’s quiz", "SSH")


async def test_where_there_is_no_other_the_round_gives_way_and_tells_it_when_the_day_is_over(
    stage: BareStage,
) -> None:
    await set_daily(stage, plan(topics=ONLY_SSH, open_for=HOUR))
    await a_round_just_before_ten(stage, "/quiz ports", ssh_at=1)
    [question] = await live_posts(stage)
    for name in ("Cho", "Dan"):
        await Person(stage, name).answers("2222", on=question)
    await pass_to(stage, "10:00")
    [given_way] = await live_posts(stage)
    given_way.says(KEPT, "Next question")
    given_way.does_not_say("22 is", "Right answer")
    ben = Person(stage, "Ben")
    (await ben.answers("22", on=question)).says(KEPT)
    (await ben.presses("Explain to me", on=given_way)).says(KEPT)
    daily = next(post for post in await stage.channel() if "Today’s quiz" in post.text)
    (await ben.answers("22", on=daily)).says("Right, 10 points")
    (await ben.presses("Explain to me", on=given_way)).says("Right")
    await pass_time(stage, 240)
    assert {about(post) for post in await live_posts(stage)} == {"SSH", "HTTP", "DNS"}
    (await result(stage)).does_not_say("left out", "question 1 (")
    (await live_posts(stage))[0].says(KEPT)
    await pass_to(stage, "11:00", seconds=3)
    await pass_time(stage, 5)
    (await live_posts(stage))[0].says("Right answer", "22 is the registered port for SSH.")
    (await result(stage)).says("Hardest: question 1 (33% right)")


@pytest.mark.parametrize("behind", [0, 60])
async def test_a_question_that_is_still_on_its_way_closes_as_soon_as_it_stands(
    behind: int, stage: BareStage
) -> None:
    """Also where it is posted by a process whose clock is behind that of who began the daily."""
    await set_daily(stage, plan(topics=ONLY_SSH))
    await pass_to(stage, "09:59", seconds=50)
    other = stage.beside("other")
    stage.surface.answers.append(Later(30))
    await Person(other, "Ana").types("/quiz shells 60s")
    await pass_to(stage, "10:00", seconds=1)
    (daily,) = await stage.channel()
    daily.says("Today’s quiz", "SSH")
    stage.surface.after_post = lambda: stage.clock.set_back(behind)
    await pass_to(stage, "10:00", seconds=25)
    daily, live = await stage.channel()
    live.says(KEPT)
    live.does_not_say("Right answer")
    assert await stage.store.write(lambda c: c.execute(OPEN_LIVE).all()) == []


async def test_an_answer_that_was_told_before_stays_told_when_the_round_goes_on(
    stage: BareStage,
) -> None:
    await set_daily(stage, plan(topics=ONLY_SSH))
    ana = await a_round_just_before_ten(stage, "/quiz ports", ssh_at=1)
    await ana.presses("More")
    await ana.presses_told("Next")
    [told] = await live_posts(stage)
    told.says("Right answer")
    await pass_to(stage, "10:00")
    await pass_time(stage, 30)
    (await live_posts(stage))[0].says("Right answer")


async def test_a_daily_that_never_stood_keeps_nothing_back(stage: BareStage) -> None:
    await set_daily(stage, plan(topics=ONLY_SSH))
    await pass_to(stage, "09:59", seconds=30)
    other = stage.beside("other")
    ana = Person(other, "Ana")
    await begin(stage, ana, "/quiz ports", ssh_at=1)
    stage.surface.answers.append(Later(3))
    await pass_to(stage, "10:00")
    (await live_posts(stage))[0].says(KEPT)
    stage.surface.answers.append(Refused("no"))
    await pass_time(stage, 40)
    (await live_posts(stage))[0].says("Right answer")


# --- what begins in that moment --------------------------------------------------------------


@pytest.mark.parametrize("mode", ["", " solo"])
async def test_a_round_that_begins_just_as_a_daily_takes_its_last_question_is_refused(
    mode: str, stage: BareStage
) -> None:
    await set_daily(stage, plan(topics=ONLY_SSH))
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga", organiser=True)
    for person in (ana, olga):
        await person.types("/leaderboard")
    write = stage.store.write

    async def after_the_daily(work: Callable[[Connection], Any], **more: bool) -> Any:
        """What is about to begin has seen the question free."""
        vars(stage.store).pop("write")
        (await olga.types("/daily now")).says("is on its way")
        return await write(work, **more)

    vars(stage.store)["write"] = after_the_daily
    told = await ana.types(f"/quiz shells{mode}")
    told.says("Today’s quiz is asking what shells has")
    assert await stage.store.write(lambda c: c.execute(OPEN_LIVE).all()) == []
