"""A daily quiz through downtime, refusals and changes of the clock: once a date, and never lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from bare_stage import BareStage
from conversation import Person, last, newest_question, pass_time
from daily_story import pass_to, plan, set_daily, states
from quizzes import ONE, write_bank, write_banks
from sqlalchemy import func, select, update

from bot.ports import Abilities, Failed, Later, Refused, Unknown
from bot.schedules import Schedule
from bot.store import heartbeats, schedules
from bot.store.schema import occurrences, outbox, rounds, steps
from bot.store.schema import schedules as schedule_table


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[BareStage]:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


async def away_until(stage: BareStage, clock: str, *, days: int = 0) -> None:
    """Off from now until then."""
    now = stage.clock.now()
    hour, minute = map(int, clock.split(":"))
    at = now.replace(hour=hour, minute=minute, second=0, microsecond=0) + timedelta(days=days)
    await stage.restart((at - now).total_seconds())


async def told(stage: BareStage) -> str:
    """What organisers read under their next private reply."""
    return (await Person(stage, "Olga", organiser=True).types("/quizzes")).text


async def current(stage: BareStage, schedule: Schedule) -> Schedule:
    return await stage.store.write(lambda c: schedules.schedule_in(c, schedule.id))


# --- downtime --------------------------------------------------------------------------------


async def test_a_post_that_is_late_is_made_within_six_hours(stage: BareStage) -> None:
    await set_daily(stage)
    await away_until(stage, "15:30")
    (await newest_question(stage)).says("Today’s quiz · Ports", "open until tomorrow 10:00")
    assert "left out" not in await told(stage)
    await stage.restart(0)
    assert len(await stage.channel()) == 1


async def test_a_date_that_is_long_over_is_left_out_and_the_organiser_told(
    stage: BareStage,
) -> None:
    await set_daily(stage)
    await away_until(stage, "16:30")
    assert await stage.channel() == []
    assert await states(stage) == [("2026-11-30", "missed")]
    assert "The quiz of Nov 30, 2026 in #room was left out" in await told(stage)
    assert "left out" not in await told(stage)
    await pass_to(stage, "10:00", days=1)
    (await newest_question(stage)).says("SSH")


async def test_days_of_downtime_are_told_in_one_sentence(stage: BareStage) -> None:
    await set_daily(stage)
    await away_until(stage, "12:00", days=3)
    text = await told(stage)
    assert (
        "The quizzes of Nov 30, 2026, Dec 1, 2026, and Dec 2, 2026 in #room were left out" in text
    )
    assert [state for _, state in await states(stage)] == ["missed", "missed", "missed", "asked"]
    assert len(await stage.channel()) == 1


async def test_weeks_of_downtime_are_told_by_their_first_and_last_day(stage: BareStage) -> None:
    await set_daily(stage)
    await away_until(stage, "12:00", days=40)
    told_of = "40 quizzes in #room, from Nov 30, 2026 to Jan 8, 2027, were left out"
    assert told_of in await told(stage)


async def test_a_window_that_should_have_closed_meanwhile_stays_open_an_hour_more(
    stage: BareStage,
) -> None:
    await set_daily(stage, plan(open_for=timedelta(hours=2)))
    await pass_to(stage, "10:00")
    await away_until(stage, "14:00")
    post = await last(stage)
    post.says("I was away when this should have closed", "open until 3:00")
    (await Person(stage, "Ana").answers("22")).says("Right, 10 points")
    await pass_to(stage, "15:00", seconds=3)
    (await last(stage)).says("Right answer: ")


async def test_a_window_that_closes_later_is_as_long_as_it_was(stage: BareStage) -> None:
    await set_daily(stage, plan(open_for=timedelta(hours=8)))
    await pass_to(stage, "10:00")
    await away_until(stage, "14:00")
    (await last(stage)).does_not_say("I was away")
    await pass_to(stage, "18:00", seconds=3)
    (await last(stage)).says("Right answer: ")


async def test_a_window_that_ends_while_the_database_is_away_stays_open_an_hour_more(
    stage: BareStage,
) -> None:
    stage.alone = False
    await stage.restart()
    await set_daily(stage, plan(open_for=timedelta(hours=2)))
    await pass_to(stage, "10:00")
    # Nothing could be noted at first, and the program goes on.
    stage.lose_disk(2)
    stage.clock.move(4 * 3600)
    await stage.settle()
    await pass_time(stage, 10)
    (await last(stage)).says("I was away when this should have closed", "open until 3:01")


async def test_a_clock_that_is_set_back_makes_nothing_wait(stage: BareStage) -> None:
    schedule = await set_daily(stage)
    await pass_to(stage, "10:00")
    stage.clock.set_back(3600)
    await stage.settle()
    await pass_time(stage, 20)
    noted = await stage.store.write(lambda c: heartbeats.last_beat(c), wakes=False)
    assert noted is not None
    assert abs(stage.clock.now() - noted) <= timedelta(seconds=5)
    # The date that is asked already is not asked once more when its hour comes again.
    await pass_to(stage, "10:30")
    assert len(await stage.channel()) == 1
    assert (await current(stage, schedule)).next_date == date(2026, 12, 1)


async def test_the_next_post_says_that_the_last_one_is_still_open(stage: BareStage) -> None:
    await set_daily(stage)
    await pass_to(stage, "10:00")
    await away_until(stage, "11:00", days=1)
    first, second = await stage.channel()
    first.says("I was away when this should have closed", "open until 12:00")
    second.says("Yesterday’s quiz is open until 12:00", "HTTP")
    second.does_not_say("· 22")
    await pass_to(stage, "12:00", seconds=3)
    await pass_time(stage, 3)
    (await stage.channel())[1].says("Nobody answered yesterday’s quiz: ")


async def test_days_without_a_post_do_not_keep_the_next_one_from_saying_how_the_last_went(
    stage: BareStage,
) -> None:
    await set_daily(stage, plan(open_for=timedelta(days=3, hours=1)))
    await pass_to(stage, "10:00")
    await Person(stage, "Ana").answers("22")
    stage.surface.answers += [Refused("no"), Refused("no")]
    for _ in range(3):
        await pass_to(stage, "10:00", days=1)
    (await stage.channel())[1].says("is open until 11:00", "HTTP")
    await pass_to(stage, "11:00", seconds=3)
    await pass_time(stage, 3)
    (await stage.channel())[1].says("Last time 1 person took part: ", "22")


async def test_what_stands_open_stays_what_it_was_whatever_is_changed(stage: BareStage) -> None:
    schedule = await set_daily(stage, plan(languages=("en",)))
    await pass_to(stage, "10:00")
    other = plan("07:00", "Africa/Harare", count=2, languages=("fr", "en"))
    now = stage.clock.now()
    await stage.store.write(lambda c: schedules.change_schedule(c, schedule.id, other, now))
    (await Person(stage, "Ana").answers("22")).says("Right, 10 points")
    await pass_time(stage, 4)
    post = await last(stage)
    # The same instant, on the clock that was chosen now.
    post.says("On which port does an SSH", "1 answered", "open until tomorrow 12:00")
    post.does_not_say("Sur quel port")
    await pass_to(stage, "05:00", days=1)
    await pass_time(stage, 3)
    (await stage.channel())[1].says("Le quiz d’hier est ouvert", "2 questions")


# --- the way to the place --------------------------------------------------------------------


async def forget_sending(stage: BareStage) -> None:
    """As if the process had died between sending the post and noting it."""

    def work(connection):
        gone = {"message_id": None, "posted_at": None}
        connection.execute(update(outbox).values(state="claimed", **gone))
        connection.execute(
            update(steps).values(opened_at=None, opened_host_at=None, cutoff_at=None, date=None)
        )
        connection.execute(update(rounds).values(state="waiting"))

    await stage.store.write(work)


async def test_a_crash_between_claim_and_send_posts_once(stage: BareStage) -> None:
    await set_daily(stage)
    stage.surface.hangs = True
    stage.surface.begun.clear()
    stage.clock.move(3600)
    await stage.surface.begun.wait()
    stage.surface.hangs = False
    await stage.restart(1, patience=0)
    assert len(await stage.channel()) == 1
    assert await states(stage) == [("2026-11-30", "asked")]


async def test_a_crash_between_send_and_record_is_sent_again_under_the_same_nonce(
    stage: BareStage,
) -> None:
    await set_daily(stage)
    await pass_to(stage, "10:00")
    await forget_sending(stage)
    await stage.restart(30)
    assert len(await stage.channel()) == 1
    (await Person(stage, "Ana").answers("22")).says("Right, 10 points")


async def test_a_post_of_unknown_fate_is_told_and_posted_again_only_on_demand(
    stage: BareStage,
) -> None:
    stage.surface.abilities = Abilities(message_links=True)
    await set_daily(stage)
    stage.surface.answers = [Unknown()]
    await pass_to(stage, "10:00")
    assert await stage.channel() == []
    assert await states(stage) == [("2026-11-30", "unknown")]
    await stage.restart(600)
    assert await stage.channel() == []
    olga = Person(stage, "Olga", organiser=True)
    (await olga.types("/quizzes")).says("I cannot tell whether the quiz of Nov 30, 2026")
    (await Person(stage, "Ben").presses("Post now", on=olga.told)).says("too old, or not from here")
    (await olga.presses_told("Post now")).says("I post it once more.")
    assert len(await stage.channel()) == 1
    (await Person(stage, "Ana").answers("22")).says("Right, 10 points")
    await stage.settle()
    assert await states(stage) == [("2026-11-30", "asked")]


async def test_the_first_press_tells_where_a_post_of_unknown_fate_stands(stage: BareStage) -> None:
    stage.surface.abilities = Abilities(message_links=True)
    await set_daily(stage)
    await pass_to(stage, "10:00")
    question = await newest_question(stage)
    await stage.store.write(
        lambda c: c.execute(update(outbox).values(state="unknown", message_id=None))
    )
    await stage.store.write(lambda c: c.execute(update(occurrences).values(state="unknown")))
    await stage.restart(1)
    (await Person(stage, "Ana").answers("22", on=question)).says("Right, 10 points")
    assert await states(stage) == [("2026-11-30", "asked")]
    await pass_to(stage, "10:00", days=1)
    await pass_time(stage, 3)
    assert len(await stage.channel()) == 2
    (await stage.channel())[0].says("Right answer: ")


async def test_a_pause_is_over_when_its_day_has_come(stage: BareStage) -> None:
    schedule, olga = await set_daily(stage), Person(stage, "Olga", organiser=True)
    await olga.types("/daily pause until 2026-12-02")
    await pass_to(stage, "10:01", days=2)
    assert await states(stage) == [("2026-12-02", "asked")]
    assert (await current(stage, schedule)).paused_at is None
    (await olga.types("/daily list")).offers("Pause")
    # However far away its day is.
    (await olga.types("/daily pause until 9999-12-31")).says("Paused until Fri, Dec 31, 9999.")
    (await olga.types("/daily resume")).says("It goes on.", "next: Dec 3")


async def test_a_place_that_takes_no_posts_pauses_the_schedule_after_three(
    stage: BareStage,
) -> None:
    schedule = await set_daily(stage)
    stage.surface.answers = [Refused("no", lacking=("Send Messages",))] * 3
    await pass_to(stage, "10:00")
    assert "paused" not in await told(stage)
    await pass_to(stage, "10:00", days=1)
    await pass_to(stage, "10:00", days=1)
    text = await told(stage)
    assert "is paused: three times I was not allowed Send Messages there." in text
    assert "paused" not in await told(stage)
    assert (await current(stage, schedule)).next_at is None
    await pass_to(stage, "10:00", days=1)
    assert await stage.channel() == []
    await stage.store.write(lambda c: schedules.resume(c, schedule.id, stage.clock.now()))
    await pass_to(stage, "10:00", days=1)
    (await newest_question(stage)).says("SSH")


async def test_a_message_that_could_not_be_changed_becomes_the_answer_with_the_next_post(
    stage: BareStage,
) -> None:
    await set_daily(stage, plan(open_for=timedelta(hours=2)))
    await pass_to(stage, "10:00")
    stage.surface.edit_answers.append(Refused("it lacks View Channel", lacking=("View Channel",)))
    await pass_to(stage, "12:00", seconds=3)
    (await last(stage)).says("open until 12:00")
    await pass_to(stage, "10:00", days=1)
    await pass_time(stage, 3)
    first, second = await stage.channel()
    first.says("Right answer: ")
    second.says("HTTP", "open until 12:00")
    edits = len(stage.surface.edits)
    await pass_to(stage, "10:00", days=1)
    await pass_time(stage, 3)
    assert stage.surface.edits[edits:] == [second.id], "what says it already is left alone"


async def test_what_stood_open_when_the_bot_was_removed_is_over_once_it_posts_there_again(
    stage: BareStage,
) -> None:
    await set_daily(stage)
    await pass_to(stage, "10:00")
    await stage.app.left(stage.where)
    await pass_to(stage, "10:30", days=1)
    await stage.app.joined(stage.where)
    await stage.settle()
    await pass_time(stage, 3)
    welcome_or_post = [message.text for message in await stage.channel()]
    assert "Right answer: " in welcome_or_post[0]
    assert any("HTTP" in text for text in welcome_or_post[1:])


async def test_a_post_that_fails_again_and_again_is_told(stage: BareStage) -> None:
    await set_daily(stage)
    stage.surface.answers = [Failed(1)] * 8
    await pass_to(stage, "10:00")
    await pass_time(stage, 30)
    assert "could not be posted in #room" in await told(stage)
    assert await states(stage) == [("2026-11-30", "refused")]


async def test_a_post_that_waits_until_its_end_is_told_as_left_out(stage: BareStage) -> None:
    await set_daily(stage, plan(open_for=timedelta(hours=1)))
    stage.surface.answers = [Later(7200)]
    await pass_to(stage, "10:00")
    await pass_to(stage, "13:00")
    assert await stage.channel() == []
    assert await states(stage) == [("2026-11-30", "missed")]
    assert "was left out" in await told(stage)


# --- what there is to ask --------------------------------------------------------------------


async def test_few_questions_left_are_told_once_and_the_most_missed_return(
    stage: BareStage,
) -> None:
    await set_daily(stage)
    await pass_to(stage, "10:00")
    assert "has new questions for 2 more days." in await told(stage)
    await Person(stage, "Ana").answers("2222")
    await pass_to(stage, "10:00", days=1)
    assert "new questions" not in await told(stage)
    await pass_to(stage, "10:00", days=1)
    await pass_to(stage, "10:00", days=1)
    post = await last(stage)
    post.says("Asked again: there are no new questions left.")


async def test_that_few_questions_are_left_is_told_with_the_seventh_to_come_and_not_before(
    stage: BareStage, tmp_path: Path
) -> None:
    one = ONE.format(title="Nine", text="Is water wet?")
    head, question = one.split("  - id: only")
    nine = head + "".join(f"  - id: q{number}{question}" for number in range(9))
    write_bank(tmp_path / "banks", "nine", bank=nine)
    await stage.restart(0)
    await set_daily(stage, plan(topics=("nine",)))
    await pass_to(stage, "10:00")
    assert "new questions" not in await told(stage)
    await pass_to(stage, "10:00", days=1)
    assert "has new questions for 7 more days." in await told(stage)


async def test_a_quiz_that_was_removed_is_told_once_and_asks_again_when_it_is_back(
    stage: BareStage,
) -> None:
    schedule = await set_daily(stage, plan(topics=("gone",)))
    await pass_to(stage, "10:00")
    assert "There was no quiz in #room today: I find no questions of gone" in await told(stage)
    await pass_to(stage, "10:00", days=1)
    assert "There was no quiz" not in await told(stage)
    assert await states(stage) == [("2026-11-30", "empty"), ("2026-12-01", "empty")]
    now = stage.clock.now()
    await stage.store.write(lambda c: schedules.change_schedule(c, schedule.id, plan(), now))
    await pass_to(stage, "10:00", days=1)
    (await newest_question(stage)).says("SSH")


async def test_a_schedule_that_cannot_be_read_holds_up_no_other(
    stage: BareStage, caplog: pytest.LogCaptureFixture
) -> None:
    spoilt = await set_daily(stage)
    await set_daily(stage, plan(topics=("water",)))
    broken = update(schedule_table).where(schedule_table.c.id == spoilt.id)
    await stage.store.write(lambda c: c.execute(broken.values(topics="no list")))
    await pass_to(stage, "10:00")
    (await last(stage)).says("Is water wet?")
    assert f"schedule {spoilt.id} could not be asked" in caplog.text
    await stage.store.write(lambda c: c.execute(broken.values(topics='["ports"]')))
    await pass_time(stage, 31)
    (await last(stage)).says("SSH")


async def test_where_the_bot_was_removed_nothing_is_posted_and_what_is_open_ends(
    stage: BareStage,
) -> None:
    await set_daily(stage)
    await pass_to(stage, "10:00")
    await stage.app.left(stage.where)
    await pass_to(stage, "10:00", days=1)
    assert len(await stage.channel()) == 1
    open_now = select(func.count()).where(rounds.c.ended_at.is_(None))
    assert await stage.store.write(lambda c: c.execute(open_now).scalar_one()) == 0
    await stage.app.joined(stage.where)
    await stage.settle()
    # It is back within six hours of today's.
    (await last(stage)).says("HTTP")


# --- clocks ----------------------------------------------------------------------------------


async def test_a_time_that_the_clock_leaves_out_and_one_that_comes_twice(stage: BareStage) -> None:
    """Lord Howe's clocks move by half an hour; New York's by one."""
    await set_daily(stage, plan("02:30", "America/New_York"))
    for at in (
        datetime(2027, 3, 13, 7, 30, tzinfo=UTC),
        datetime(2027, 3, 14, 7, 0, tzinfo=UTC),  # there is no 02:30: as soon as the clock is past
        datetime(2027, 3, 15, 6, 30, tzinfo=UTC),
    ):
        if at.day == 13:
            await stage.restart((at - timedelta(hours=8) - stage.clock.now()).total_seconds())
        await stage.live_until(at - timedelta(seconds=1))
        stage.clock.move_to(at - timedelta(seconds=1))
        await stage.settle()
        before = len(await stage.channel())
        await pass_time(stage, 1)
        assert len(await stage.channel()) == before + 1, at


async def test_a_schedule_asked_by_hand_is_not_asked_again_at_its_hour(stage: BareStage) -> None:
    schedule = await set_daily(stage)
    windows = stage.app._parts.windows
    await windows.post_now(schedule)
    await stage.settle()
    assert len(await stage.channel()) == 1
    await pass_to(stage, "10:00")
    assert len(await stage.channel()) == 1
    await windows.post_now(schedule)
    await stage.settle()
    assert len(await stage.channel()) == 1
    await pass_to(stage, "10:00", days=1)
    assert len(await stage.channel()) == 2


async def test_a_preview_consumes_nothing(stage: BareStage) -> None:
    schedule = await set_daily(stage)
    found = await stage.app._parts.windows.preview(schedule)
    assert [question.id for _, question in found.questions] == ["ssh"]
    await pass_to(stage, "10:00")
    (await newest_question(stage)).says("SSH")


async def test_two_processes_ask_a_date_once(stage: BareStage, tmp_path: Path) -> None:
    stage.alone = False
    await stage.restart()
    other = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [tmp_path / "banks"])
    other.alone = False
    other.clock, other.surface = stage.clock, stage.surface
    await other.start()
    try:
        await set_daily(stage)
        await pass_to(stage, "10:00")
        await asyncio.gather(stage.settle(), other.settle())
        assert len(await stage.channel()) == 1
        count = await stage.store.write(
            lambda c: c.execute(select(func.count()).select_from(rounds)).scalar_one()
        )
        assert count == 1
    finally:
        await other.stop()


async def test_on_postgresql_a_day_goes_by_as_on_sqlite(tmp_path: Path, postgres_url: str) -> None:
    stage = BareStage(postgres_url, [write_banks(tmp_path / "banks")])
    stage.alone = False
    await stage.start()
    try:
        await set_daily(stage, plan(count=2))
        await pass_to(stage, "10:00")
        ana = Person(stage, "Ana")
        await ana.presses("Start")
        (await ana.answers("22", on=ana.told)).says("Right, 10 points")
        await pass_time(stage, 4)
        (await last(stage)).says("1 started, 0 finished")
        await pass_to(stage, "10:00", days=1)
        await pass_time(stage, 4)
        first, second = await stage.channel()
        first.says("1 person took part.", "Right answer: ")
        second.says("Yesterday 1 person took part.")
    finally:
        await stage.stop()
