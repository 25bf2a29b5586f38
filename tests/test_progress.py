"""What people are told of themselves: points, streak, the last days; and being away."""

from __future__ import annotations

import pytest
from bare_stage import BareStage
from conversation import Person, at_the_core, jump, newest_question, pass_time
from daily_story import pass_to, set_daily
from past_dailies import DAY, StoredStage, daily, today
from quizzes import right, wrong

pytest_plugins = ["surfaces"]

_SECONDS = 24 * 3600


# --- progress --------------------------------------------------------------------------------


async def test_who_has_done_nothing_yet_is_told_how_it_begins(stage: StoredStage) -> None:
    told = await Person(stage, "Ana").types("/progress")
    told.says("How you are doing", "No points yet")
    told.does_not_say("30 days")
    told.offers("Leaderboard", "My answers")


async def test_progress_says_points_and_right_answers_by_quiz(stage: StoredStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz water")
    await ana.answers("no")
    await pass_time(stage, 47)
    await ana.types("/quiz ports 1")
    await ana.answers(right(await newest_question(stage)))
    await pass_time(stage, 47)
    told = await ana.types("/progress")
    told.says("10 points this month (rank 1, answered 2 of 2), 10 since the beginning.")
    told.says("Right answers by quiz", "Ports: 1 of 1 (100%)", "Water: 0 of 1 (0%)")
    told.says("In the last 30 days you answered on 1 day.", "+ other questions answered")
    told.does_not_say("streak", "in a row")
    (await ana.presses_told("Leaderboard")).says("1. Ana")


async def test_a_streak_is_said_with_the_days_that_it_is_made_of(stage: StoredStage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    quiz, now = await daily(stage, ana, ben), today(stage)
    for ago in (5, 4, 3, 2, 1):
        await quiz.asked(now - ago * DAY, *(() if ago == 4 else (ana,)), wrong=(ben,))
    await quiz.still_asks(now)
    told = await ana.types("/progress")
    told.says("3 days in a row.", "Seven days in a row earn a freeze, two at most")
    told.says("In the last 30 days you answered on 4 days.", "Daily quizzes: 1 missed.")
    told.says("● the day’s quiz answered", "○ missed", "◌ still open")
    # Answered is answered, right or wrong.
    (await ben.types("/progress")).says("5 days in a row.")


async def test_the_verdict_on_the_daily_quiz_says_how_long_the_streak_is(
    stage: StoredStage,
) -> None:
    ana = Person(stage, "Ana")
    await set_daily(stage)
    await pass_to(stage, "10:00", seconds=1)
    question = await newest_question(stage)
    told = await ana.answers(right(question), on=question)
    told.says("Right, 10 points", "1 day in a row.")
    await pass_to(stage, "10:00", days=1, seconds=1)
    question = await newest_question(stage)
    (await ana.answers(wrong(question), on=question)).says("Not this time", "2 days in a row.")
    # The second press is no second day.
    await pass_time(stage, 1)
    (await ana.answers(right(question), on=question)).does_not_say("in a row")
    (await ana.types("/progress")).says("2 days in a row.", "Ports: 1 of 2 (50%)")


async def test_who_joins_late_has_missed_nothing_before(bare: BareStage) -> None:
    ana, ben = Person(bare, "Ana"), Person(bare, "Ben")
    quiz, now = await daily(bare, ana, ben), today(bare)
    for ago in (3, 2):
        await quiz.asked(now - ago * DAY, ana)
    await quiz.asked(now - DAY, ana, ben)
    told = await ben.types("/progress")
    told.says("1 day in a row.", "you answered on 1 day.")
    told.does_not_say("missed.", "○")


async def test_a_broken_streak_is_told_with_the_longest_and_no_blame(bare: BareStage) -> None:
    ana = Person(bare, "Ana")
    quiz, now = await daily(bare, ana), today(bare)
    (await ana.types("/progress")).does_not_say("streak")
    await quiz.still_asks(now - 10 * DAY)
    (await ana.types("/progress")).says("No streak yet: it begins with the next daily quiz")
    for ago in (5, 4, 3):
        await quiz.asked(now - ago * DAY, ana)
    await quiz.asked(now - DAY)
    (await ana.types("/progress")).says("No streak at the moment; your longest was 3 days.")


async def test_a_freeze_that_was_spent_is_told_once_with_the_next_reply(
    stage: StoredStage,
) -> None:
    ana = Person(stage, "Ana")
    quiz, now = await daily(stage, ana), today(stage)
    for ago in range(9, 2, -1):
        await quiz.asked(now - ago * DAY, ana)
    told = await ana.types("/progress")
    told.says("7 days in a row; 1 freeze is kept.")
    told.does_not_say("stood in")
    await quiz.asked(now - 2 * DAY)
    await quiz.asked(now - DAY, ana)
    told = await ana.types("/quizzes")
    told.says("Ports", "You missed Nov 28: a freeze stood in, and your streak goes on.")
    (await ana.types("/quizzes")).does_not_say("freeze")
    told = await ana.types("/progress")
    told.says("8 days in a row.", "Daily quizzes: 1 saved by a freeze.", "◇ a freeze stood in")


async def test_who_answered_nothing_is_not_told_how_often(stage: StoredStage) -> None:
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga")
    quiz, now = await daily(stage, ana), today(stage)
    await quiz.asked(now - 2 * DAY, ana)
    await quiz.asked(now - DAY, ana)
    await olga.types("/quizzes")
    told = await olga.types("/progress")
    told.says("No streak yet: it begins with the next daily quiz you answer.")
    told.does_not_say("30 days", "missed")


# --- being away ------------------------------------------------------------------------------


async def test_who_is_away_keeps_the_streak(stage: StoredStage) -> None:
    ana = Person(stage, "Ana")
    quiz, now = await daily(stage, ana), today(stage)
    await quiz.asked(now - DAY, ana)
    (await ana.types("/away")).says("You are not away.", "away 2026-12-14")
    told = await ana.types("/away until 2026-12-05")
    told.says("You are away until Sat, Dec 5, 2026: your streak waits.")
    (await ana.types("/away")).says("You are away until Sat, Dec 5, 2026")
    for ahead in range(6):
        await quiz.asked(now + ahead * DAY)
    await jump(stage, 6 * _SECONDS)
    (await ana.types("/away")).says("You are not away.")
    told = await ana.types("/progress")
    told.says("1 day in a row.", "Daily quizzes: 6 while away.", "– away")


@at_the_core
async def test_who_comes_back_early_is_counted_from_that_day(stage: StoredStage) -> None:
    ana = Person(stage, "Ana")
    quiz, now = await daily(stage, ana), today(stage)
    await quiz.asked(now - DAY, ana)
    await ana.types("/away until 2026-12-24")
    await quiz.asked(now)
    await jump(stage, _SECONDS)
    (await ana.presses_told("I am back")).says("Welcome back: from today on your streak counts")
    (await ana.types("/away off")).says("You are not away.")
    (await ana.types("/progress")).says("1 day in a row.")
    await quiz.asked(now + DAY)
    (await ana.types("/progress")).says("No streak at the moment; your longest was 1 day.")


@at_the_core
@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("until whenever", "“whenever” is no date that I can read: write it as 2026-12-14."),
        ("until 12/24", "“12/24” is no date that I can read"),
        ("until 2026-11-29", "Sun, Nov 29, 2026 is over: take a day to come."),
        ("until 2031-01-01", "That is a long time: take a day until Wed, Dec 1, 2027"),
        ("24.12.", "You are away until Thu, Dec 24, 2026"),
        ("until tomorrow", "You are away until Tue, Dec 1, 2026"),
        ("until 2026-11-30", "You are away until Mon, Nov 30, 2026"),
    ],
)
async def test_a_date_is_read_as_people_write_it(
    stage: StoredStage, typed: str, answer: str
) -> None:
    (await Person(stage, "Ana").types(f"/away {typed}")).says(answer)


async def test_a_new_date_replaces_the_one_before(bare: BareStage) -> None:
    ana = Person(bare, "Ana")
    await ana.types("/away until 2026-12-24")
    await ana.types("/away until 2026-12-03")
    (await ana.types("/away")).says("until Thu, Dec 3, 2026")


# --- languages -------------------------------------------------------------------------------


async def test_progress_is_read_in_french_and_shona(bare: BareStage) -> None:
    ines, tariro = Person(bare, "Inès"), Person(bare, "Tariro")
    quiz, now = await daily(bare, ines, tariro), today(bare)
    for ago in (2, 1):
        await quiz.asked(now - ago * DAY, ines, tariro)
    await ines.types("/language fr")
    await tariro.types("/language sn")
    (await ines.types("/progress")).says("2 jours d’affilée", "L M M J V S D")
    (await tariro.types("/progress")).does_not_say("in a row", "days")
