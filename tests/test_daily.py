"""The day's quiz as people live it: the same stories on every surface."""

from __future__ import annotations

from datetime import timedelta

from conversation import Person, Stage, at_the_core, last, newest_question, pass_time
from daily_story import pass_to, plan, set_daily, states
from quizzes import about, right

pytest_plugins = ["surfaces"]


# --- one question ----------------------------------------------------------------------------


async def test_the_days_quiz_arrives_by_itself_and_is_answered_on_the_message(
    stage: Stage,
) -> None:
    ana = Person(stage, "Ana")
    await set_daily(stage)
    assert await stage.channel() == []
    await pass_to(stage, "10:00")
    question = await newest_question(stage)
    question.says("Today’s quiz · Ports · beginner", "open until", "SSH")
    question.does_not_say("question 1 of 1", "answered")
    (await ana.answers("22")).says("Right, 10 points: ")
    await pass_time(stage, 4)
    (await newest_question(stage)).says("1 answered · open until")


async def test_the_message_becomes_the_answer_when_it_closes(stage: Stage) -> None:
    await set_daily(stage, plan(open_for=timedelta(hours=8)))
    await pass_to(stage, "10:00")
    for name in ("Ana", "Ben", "Cleo"):
        question = await newest_question(stage)
        await Person(stage, name).answers("2222" if name == "Cleo" else "22")
    await pass_time(stage, 4)
    (await newest_question(stage)).does_not_say("Right")
    await pass_to(stage, "18:00", seconds=3)
    reveal = await last(stage)
    assert len(await stage.channel()) == 1
    letter = question.letter_of("22")
    reveal.says("The quiz of Nov 30, 2026 · Ports", f"Right answer: {letter} · 22", f"{letter} 2")
    reveal.says("22 is the registered port for SSH.")
    dan = Person(stage, "Dan")
    (await dan.presses("Explain to me")).says(f"Right answer: {letter} · 22")


async def test_the_next_post_opens_with_how_the_last_one_went(stage: Stage) -> None:
    await set_daily(stage)
    await pass_to(stage, "10:00")
    for name in ("Ana", "Ben", "Cleo", "Dan"):
        question = await newest_question(stage)
        await Person(stage, name).answers("2222" if name == "Dan" else "22")
    letter = question.letter_of("22")
    await pass_to(stage, "10:00", days=1)
    await pass_time(stage, 6)
    first, second = await stage.channel()
    first.says(f"Right answer: {letter} · 22")
    second.says(f"Yesterday 75% were right (4 took part): {letter} · 22. See it", "HTTP")
    assert await states(stage) == [("2026-11-30", "asked"), ("2026-12-01", "asked")]


@at_the_core
async def test_what_one_or_two_made_of_it_is_not_shown(stage: Stage) -> None:
    await set_daily(stage)
    await pass_to(stage, "10:00")
    await Person(stage, "Ana").answers("2222")
    await pass_to(stage, "10:00", days=1)
    await pass_time(stage, 6)
    post = await last(stage)
    post.says("Yesterday 1 person took part:")
    post.does_not_say("%")


async def test_an_answer_after_the_end_is_practice(stage: Stage) -> None:
    await set_daily(stage, plan(open_for=timedelta(hours=1)))
    await pass_to(stage, "10:00")
    question = await newest_question(stage)
    await pass_to(stage, "11:00", seconds=3)
    ana = Person(stage, "Ana")
    told = await ana.answers("22", on=question)
    told.says("Right: ", "It came after the end: practice, without points.", "This quiz closed")
    told.does_not_say("10 points")
    (await ana.answers("2222", on=question)).says("Right: ")
    (await ana.types("/leaderboard")).does_not_say("Ana: 10")


async def test_its_hint_is_behind_more_and_nobody_ends_it(stage: Stage) -> None:
    await set_daily(stage)
    await pass_to(stage, "10:00")
    olga = Person(stage, "Olga", organiser=True)
    (await olga.presses("More")).does_not_offer("Next", "Stop the quiz", "A minute more")
    (await olga.presses_told("Hint")).says("Hint: It is the second of three neighbours.")


async def test_a_copy_in_ones_own_language_can_be_answered(stage: Stage) -> None:
    await set_daily(stage)
    await pass_to(stage, "10:00")
    ines = Person(stage, "Inès", locale="fr")
    told = await ines.presses("Français")
    told.says("Sur quel port écoute un serveur SSH ?")
    (await ines.answers("22", on=told)).says("22")
    await pass_time(stage, 4)
    (await newest_question(stage)).says("1 answered")


async def test_a_post_in_two_languages_has_one_set_of_buttons(stage: Stage) -> None:
    await set_daily(stage, plan(languages=("fr", "en"), open_for=timedelta(hours=8)))
    await pass_to(stage, "10:00")
    post = await last(stage)
    post.says("Sur quel port écoute un serveur SSH ?", "On which port does an SSH server listen?")
    assert [label for label in post.buttons if label in ("A", "B", "C")] == ["A", "B", "C"]
    await pass_to(stage, "18:01")
    (await last(stage)).says("Bonne réponse : ", "Right answer: ")


# --- several questions -----------------------------------------------------------------------


async def test_several_questions_are_played_at_ones_own_pace_and_resumed(stage: Stage) -> None:
    await set_daily(stage, plan(count=3))
    await pass_to(stage, "10:00")
    card = await last(stage)
    card.says("Today’s quiz · Ports", "3 questions, about 2 minutes.", "open until")
    assert not card.options
    ana = Person(stage, "Ana")
    (await ana.presses("Start")).says("Ports · Question 1 of 3", "SSH")
    (await ana.answers("22", on=ana.told)).offers("Next question")
    (await ana.presses_told("Next question")).says("Question 2 of 3 · 1 right so far", "HTTP")
    await pass_time(stage, 4)
    (await last(stage)).says("1 started, 0 finished")
    await pass_to(stage, "15:00")
    (await ana.presses("Start", on=await last(stage))).says("Question 2 of 3", "HTTP")
    await ana.answers("443", on=ana.told)
    await ana.presses_told("Next question")
    (await ana.answers("53", on=ana.told)).offers("How it went")
    told = await ana.presses_told("How it went")
    told.says("Ports: 2 of 3 right, 20 points.", "To read again:", "2. On which port does an HTTP")
    await pass_time(stage, 4)
    (await last(stage)).says("1 started, 1 finished")


async def test_the_reveal_of_several_shows_each_and_explains_to_who_asks(stage: Stage) -> None:
    await set_daily(stage, plan(count=3, open_for=timedelta(hours=1)))
    await pass_to(stage, "10:00")
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.presses("Start")
    await ana.answers("22", on=ana.told)
    await pass_to(stage, "11:00", seconds=3)
    reveal = await last(stage)
    reveal.says(
        "The quiz of Nov 30, 2026 · Ports", "1 person took part.", "1. On which port does an SSH"
    )
    reveal.says("Right answer: ")
    told = await ben.presses("Explain to me")
    told.says("This quiz closed on")
    told.offers("1", "2", "3", "Answer it now, as practice")
    (await ben.presses_told("1")).says("Right answer: ")


async def test_who_was_in_the_middle_when_it_closed_goes_on_as_practice(stage: Stage) -> None:
    await set_daily(stage, plan(count=3, open_for=timedelta(hours=1)))
    await pass_to(stage, "10:00")
    ana = Person(stage, "Ana")
    await ana.presses("Start")
    await ana.answers("22", on=ana.told)
    second = await ana.presses_told("Next question")
    await pass_to(stage, "11:00", seconds=3)
    told = await ana.answers("80", on=second)
    told.says("Right: ", "It came after the end: practice, without points.")
    (await ana.presses_told("Next question")).says("Question 2 of 2", "DNS")


# --- its key is shown nowhere else -----------------------------------------------------------


@at_the_core
async def test_other_quizzes_leave_out_what_the_day_asks(stage: Stage) -> None:
    await set_daily(stage)
    await pass_to(stage, "10:00")
    ana = Person(stage, "Ana")
    asked = set()
    told = await ana.types("/quiz ports solo")
    for number in (1, 2):
        told.says(f"Question {number} of 2")
        asked.add(about(told))
        await ana.answers(right(told), on=told)
        told = await ana.presses_told("Next question" if number == 1 else "How it went")
    assert asked == {"HTTP", "DNS"}


@at_the_core
async def test_a_topic_of_which_nothing_is_left_says_from_when_it_is_back(stage: Stage) -> None:
    await set_daily(stage, plan(topics=("water",)))
    await pass_to(stage, "10:00")
    told = await Person(stage, "Ana").types("/quiz water")
    told.says("Today’s quiz is asking what Water has. From")


@at_the_core
async def test_what_was_answered_before_keeps_its_key_to_itself_until_the_close(
    stage: Stage,
) -> None:
    await set_daily(stage, plan(open_for=timedelta(hours=1)))
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1 solo")
    while about(ana.told) != "SSH":
        await ana.types("/quiz ports 1 solo")
    await ana.answers("22", on=ana.told)
    (await ana.types("/answers")).says("You were right: 22")
    await pass_to(stage, "10:00")
    (await ana.types("/answers")).says("You answered: 22")
    (await ana.presses_told("1")).says("A quiz of today still asks this; its answer is shown from")
    await ana.answers("22")
    (await ana.types("/answers")).says("You were right: 22")


@at_the_core
async def test_a_practice_that_was_begun_before_does_not_tell_it(stage: Stage) -> None:
    await set_daily(stage)
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1 solo")
    while about(ana.told) != "SSH":
        await ana.types("/quiz ports 1 solo")
    practice = ana.told
    await pass_to(stage, "10:00")
    (await ana.answers("22", on=practice)).says("A quiz of today still asks this")


@at_the_core
async def test_one_answer_answers_the_question_in_two_dailies(stage: Stage) -> None:
    await set_daily(stage)
    await set_daily(stage, plan("10:30", open_for=timedelta(hours=1)))
    await pass_to(stage, "10:00")
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.answers("22")
    await pass_to(stage, "10:30")
    first, second = await stage.channel()
    first.says("SSH")
    second.says("SSH")
    (await ana.answers("2222", on=second)).says("You already answered")
    (await ben.answers("22", on=second)).says("Right, 10 points")
    await pass_time(stage, 1)
    (await ben.answers("22", on=first)).says("You already answered")
    await pass_to(stage, "11:30", seconds=3)
    reveal = (await stage.channel())[1]
    reveal.says("A quiz of today still asks this; its answer is shown from")
    reveal.does_not_say("Right answer")
    await pass_to(stage, "10:00", days=1)
    await pass_time(stage, 8)
    (await stage.channel())[1].says("Right answer: ")


@at_the_core
async def test_what_comes_again_the_next_day_is_answered_anew(stage: Stage) -> None:
    await set_daily(stage, plan(topics=("water",)))
    ana = Person(stage, "Ana")
    await pass_to(stage, "10:00")
    (await ana.answers("yes")).says("Right, 10 points", "1 day in a row")
    await pass_to(stage, "10:00", days=1)
    await pass_time(stage, 8)
    (await last(stage)).does_not_say("answered")
    (await ana.types("/leaderboard")).does_not_say("1. Ana")
    (await ana.answers("no", on=await last(stage))).says("Not this time", "2 days in a row")


@at_the_core
async def test_two_dailies_of_which_one_ends_as_the_other_begins_are_answered_each(
    stage: Stage,
) -> None:
    await set_daily(stage, plan(open_for=timedelta(hours=1)))
    await set_daily(stage, plan("11:00"))
    await pass_to(stage, "10:00")
    ana = Person(stage, "Ana")
    await ana.answers("22")
    await pass_to(stage, "11:00")
    await pass_time(stage, 8)
    post = await last(stage)
    post.says("SSH")
    post.does_not_say("1 answered")
    (await ana.answers("22", on=post)).does_not_say("You already answered")
