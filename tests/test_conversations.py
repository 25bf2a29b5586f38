"""What people say and press, and what they see: the same scripts on every surface."""

from __future__ import annotations

from pathlib import Path

import pytest
from conversation import (
    Person,
    Seen,
    Stage,
    at_the_core,
    jump,
    last,
    newest_question,
    pass_time,
    until,
)
from quizzes import ONE, about, right, wrong

pytest_plugins = ["surfaces"]


async def seen_question(stage: Stage, name: str) -> Seen:
    """Let time pass until a question is asked; somebody answers those before it."""
    zoe = Person(stage, "Zoe")
    for number in (1, 2, 3):
        question = await until(stage, f"question {number} of 3 ·")
        if about(question) == name:
            return question
        await zoe.answers(right(question))
    raise AssertionError(f"{name} was not asked")


# --- a live round ----------------------------------------------------------------------------


async def test_a_quiz_from_the_first_question_to_the_result(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    (await ana.types("/quiz ports")).says("Ports begins here.")
    for number in (1, 2, 3):
        question = await newest_question(stage)
        question.says(f"Ports · question {number} of 3 · beginner", "closes in 45 s")
        told = await ana.answers(right(question))
        told.says(f"Right, 10 points: {question.letter_of(right(question))} · {right(question)}")
        if number == 1:
            (await ben.answers(wrong(question))).says("Not this time: you chose")
        await pass_time(stage, 4)  # counts share their budget with what goes before them
        (await newest_question(stage)).says("2 answered" if number == 1 else "1 answered")
        await pass_time(stage, 43)
        if number < 3:
            reveal = await last(stage)
            reveal.says(
                f"Right answer: {question.letter_of(right(question))}", "Next question in 8 s"
            )
            await pass_time(stage, 8)
    result = await last(stage)
    result.says("Ports: 2 people, 75% right.", "1. Ana: 30", "and 1 more with 0")
    result.says("The questions: 1 · 2 · 3")
    result.does_not_say("Ben")
    (await ben.presses("My result")).says("0 of 1 right, 0 points, rank 2 of 2")
    (await ana.presses("My result", on=result)).says("3 of 3 right, 30 points, rank 1 of 2")


async def test_nobody_sees_how_the_answers_are_spread_before_the_end(stage: Stage) -> None:
    await Person(stage, "Ana").types("/quiz ports 1")
    for name in ("Ana", "Ben", "Cleo"):
        question = await newest_question(stage)
        await Person(stage, name).answers(wrong(question) if name == "Cleo" else right(question))
    await pass_time(stage, 2)
    standing = await newest_question(stage)
    standing.says("3 answered")
    standing.does_not_say("Right", "A 2", "B 2", "C 2")
    await pass_time(stage, 45)
    reveal = (await stage.channel())[0]
    letter = standing.letter_of(right(standing))
    reveal.says(f"{letter} 2", f"{standing.letter_of(wrong(standing))} 1")


@at_the_core
async def test_a_spread_of_two_answers_is_not_shown(stage: Stage) -> None:
    await Person(stage, "Ana").types("/quiz ports 1")
    for name in ("Ana", "Ben"):
        question = await newest_question(stage)
        await Person(stage, name).answers(right(question))
    await pass_time(stage, 47)
    reveal = (await stage.channel())[0]
    reveal.says("2 answered")
    reveal.does_not_say(f"{question.letter_of(right(question))} 2")


async def test_the_first_private_reply_says_who_sees_what_and_no_later_one_does(
    stage: Stage,
) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    ben = Person(stage, "Ben")
    told = await ben.answers(right(await newest_question(stage)))
    told.says("Only you see what you answer; the channel sees how many answered")
    told.offers("Hide my name")
    (await ben.types("/answers")).does_not_say("Only you see what you answer")


async def test_a_second_press_is_told_what_the_first_was_and_changes_nothing(
    stage: Stage,
) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    await ana.answers(wrong(question))
    await pass_time(stage, 1)
    told = await ana.answers(right(question), on=question)
    told.says(f"You already answered {question.letter_of(wrong(question))}. Right is")
    await pass_time(stage, 46)
    (await last(stage)).says("1 person, 0% right")


@at_the_core
async def test_pressing_every_option_in_turn_wins_nothing(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    await ana.answers(wrong(question))
    for option in question.options.values():
        await pass_time(stage, 1)
        await ana.answers(option, on=question)
    (await ana.types("/leaderboard")).says("You: rank 1 with 0 points")


async def test_the_same_press_delivered_again_gets_the_same_verdict(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    first = await ana.answers(wrong(question))
    again = await ana.answers(wrong(question), on=question)
    again.says(first.text.split("\n")[0])
    again.does_not_say("already")


async def test_a_press_after_the_end_is_late_and_still_explained(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    await ana.answers(right(question))
    await pass_time(stage, 47)
    told = await ben.answers(right(question), on=question)
    told.says("This question closed at 9:00 AM. Right was:", "registered port")
    (await last(stage)).says("1 person")
    (await ben.presses_told("Start it for me")).says("Ports · Question 1 of 3")


@at_the_core
async def test_in_the_two_seconds_after_the_cut_off_a_press_is_late(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    await pass_time(stage, 46)
    (await ana.answers(right(question), on=question)).says("This question closed at")


@at_the_core
async def test_a_question_closes_early_when_all_who_are_here_have_answered(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports")
    question = await newest_question(stage)
    await ana.answers(right(question))
    await ben.answers(right(question))
    await pass_time(stage, 40)
    (await newest_question(stage)).says("question 1 of 3")  # the first always has its time
    await until(stage, "question 2 of 3 ·")
    question = await newest_question(stage)
    await ana.answers(right(question))
    await ben.answers(right(question))
    await pass_time(stage, 20)
    (await newest_question(stage)).says("question 2 of 3")
    await pass_time(stage, 3)
    (await last(stage)).says("Right answer:", "Next question in")


@at_the_core
async def test_who_comes_after_half_of_the_time_closes_it_at_once(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    await ana.answers(right(await newest_question(stage)))
    await pass_time(stage, 47 + 8 + 30)
    await ana.answers(right(await newest_question(stage)))
    (await last(stage)).says("question 2 of 3", "Next question in")


async def test_more_time_is_a_minute_once_and_keeps_a_question_from_closing_early(
    stage: Stage,
) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports")
    await ana.answers(right(await newest_question(stage)))
    await until(stage, "question 2 of 3 ·")
    await ben.presses("More")
    ben.told.does_not_offer("Next", "Stop the quiz")
    (await ben.presses_told("A minute more")).says("Everybody has a minute more.")
    (await newest_question(stage)).says("closes in 105 s")
    (await newest_question(stage)).does_not_say("Ben")
    (await ben.presses("More")).does_not_offer("A minute more")
    await ana.answers(right(await newest_question(stage)))
    await pass_time(stage, 100)
    (await newest_question(stage)).says("question 2 of 3")
    await pass_time(stage, 7)
    (await last(stage)).says("Right answer:")


async def test_two_questions_without_an_answer_pause_the_round(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports")
    await until(stage, "question 2 of 3 ·")
    await pass_time(stage, 47)
    paused = await last(stage)
    paused.says("Nobody answered.", "Paused: two questions in a row had no answer.")
    await jump(stage, 1800)
    await ben.presses("Continue")
    (await newest_question(stage)).says("question 3 of 3")
    (await stage.channel())[1].does_not_offer("Continue")


@at_the_core
async def test_a_paused_round_ends_after_an_hour_without_a_word(stage: Stage) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    await until(stage, "question 2 of 3 ·")
    await pass_time(stage, 47)
    await jump(stage, 3600)
    messages = await stage.channel()
    assert len(messages) == 2
    messages[-1].does_not_offer("Continue")
    (await Person(stage, "Ben").types("/stop")).says("No quiz is running here.")


async def test_one_quiz_at_a_time_in_a_place(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports")
    told = await ben.types("/quiz water")
    told.says("Ports is running here; one quiz at a time.")
    assert len(await stage.channel()) == 1
    await ben.presses_told("Play it alone")
    ben.told.says("Ports · Question 1 of 3")


@at_the_core
async def test_a_paused_quiz_makes_room_for_another(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports")
    await until(stage, "question 2 of 3 ·")
    await pass_time(stage, 47)
    (await ben.types("/quiz water")).says("Water begins here.")
    (await newest_question(stage)).says("Is water wet?")


async def test_only_the_starter_and_organisers_lead(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    olga = Person(stage, "Olga", organiser=True)
    await ana.types("/quiz ports")
    (await ben.types("/stop")).says("Only Ana, who began this quiz, or an organiser can do that.")
    (await ana.presses("More")).offers("Next", "Stop the quiz")
    await ana.presses_told("Next")
    reveal = await last(stage)
    reveal.says("Right answer:", "Next question in")
    (await ben.presses("Next", on=reveal)).says("Only Ana")
    await olga.presses("Next", on=reveal)
    (await newest_question(stage)).says("question 2 of 3")
    (await olga.types("/stop")).says("The quiz is over.")
    (await last(stage)).says("question 2 of 3", "Right answer:")
    (await stage.channel())[-1].does_not_offer("Next", "Continue")


async def test_who_presses_next_twice_skips_no_question(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    menu = await ana.presses("More")
    (await ana.presses("Next", on=menu)).says("On we go.")
    (await ana.presses("Next", on=menu)).says("The quiz has gone on already.")
    reveal = await last(stage)
    reveal.says("question 1 of 3", "Next question in")
    (await ana.presses("Next", on=reveal)).says("On we go.")
    (await ana.presses("Next", on=reveal)).says("The quiz has gone on already.")
    (await newest_question(stage)).says("question 2 of 3", "closes in 45 s")


async def test_a_quiz_that_is_stopped_shows_what_came_of_it(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    await ana.answers(right(await newest_question(stage)))
    await ana.types("/stop")
    messages = await stage.channel()
    messages[0].says("Right answer:")
    messages[1].says("1 person, 100% right", "1. Ana: 10")


async def test_a_button_of_a_quiz_that_is_over_offers_it_again(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    started = await ana.types("/quiz ports")
    menu = await ana.presses("More")
    await ana.presses("Next", on=menu)
    reveal = await last(stage)
    await ana.types("/stop")
    for label, message in (
        ("Stop it", started),
        ("A minute more", menu),
        ("Next", menu),
        ("Next", reveal),
    ):
        told = await ana.presses(label, on=message)
        told.says("This quiz is over.")
        told.offers("Start it for me", "Leaderboard")
    (await ana.presses_told("Start it for me")).says("Ports · Question 1 of 3")


async def test_without_a_time_a_question_stands_until_next(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports off")
    await jump(stage, 3 * 3600)
    question = await newest_question(stage)
    question.says("question 1 of 3", "open until the starter or an organiser presses Next")
    await ana.presses("More")
    ana.told.does_not_offer("A minute more")
    await ana.presses_told("Next")
    (await last(stage)).says("Right answer:")


@at_the_core
async def test_without_a_time_a_question_closes_after_a_day(stage: Stage) -> None:
    await Person(stage, "Ana").types("/quiz ports off")
    await jump(stage, 24 * 3600 + 2)
    (await stage.channel())[0].says("Right answer:")


async def test_options_are_read_in_any_order_from_the_end(stage: Stage) -> None:
    await Person(stage, "Ana").types("/quiz ports 30s fr 2")
    question = await newest_question(stage)
    question.says("Les ports · question 1 sur 2", "30 s")


@at_the_core
async def test_speed_points_are_fewer_for_who_takes_longer(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports 1 speed")
    question = await newest_question(stage)
    (await ana.answers(right(question))).says("Right, 10 points")
    await pass_time(stage, 22)
    (await ben.answers(right(question), on=question)).says("Right, 8 points")


@at_the_core
async def test_the_same_question_again_in_the_same_week_is_practice(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz water")
    await ana.answers("yes")
    await pass_time(stage, 47)
    await ana.types("/quiz water")
    told = await ana.answers("yes")
    told.says("You had this question this week: practice, without points.")
    await pass_time(stage, 47)
    (await ana.types("/leaderboard")).says("You: rank 1 with 10 points (answered 1 of 1)")
    await jump(stage, 7 * 24 * 3600)
    await ana.types("/quiz water")
    (await ana.answers("yes")).says("Right, 10 points")


# --- languages -------------------------------------------------------------------------------


async def test_each_reads_a_shared_question_in_their_own_language(stage: Stage) -> None:
    ana, ines = Person(stage, "Ana"), Person(stage, "Inès")
    await ana.types("/quiz ports")
    question = await seen_question(stage, "SSH")
    question.offers("Français")
    (await ines.presses("Français", on=question)).says("In which language do you want to read?")
    copy = await ines.chooses("Français")
    copy.says("Sur quel port écoute un serveur SSH ?")
    assert copy.options == question.options
    told = await ines.answers("2222", on=copy)
    told.says("Le port 22 est réservé à SSH.", "Souvent choisi à la main pour cacher le serveur.")
    told.does_not_say("registered port")
    (await ana.answers("22", on=question)).says("22 is the registered port for SSH.")


async def test_who_has_chosen_a_language_gets_the_question_in_it_at_once(stage: Stage) -> None:
    ines = Person(stage, "Inès")
    await ines.types("/language fr")
    await Person(stage, "Ana").types("/quiz ports")
    question = await seen_question(stage, "SSH")
    (await ines.presses("Français", on=question)).says("Sur quel port écoute un serveur SSH ?")


async def test_what_a_platform_reports_is_a_readers_language_until_they_choose(
    stage: Stage,
) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    question = await seen_question(stage, "SSH")
    ines = Person(stage, "Inès", locale="fr")
    (await ines.answers("22", on=question)).says("Le port 22 est réservé à SSH.")


async def test_the_language_that_a_platform_reports_opens_at_once_if_there_is_another_in_the_post(
    stage: Stage,
) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    question = await seen_question(stage, "SSH")
    ines, ben = Person(stage, "Inès", locale="fr-CA"), Person(stage, "Ben", locale="en-GB")
    copy = await ines.presses("Français", on=question)
    copy.says("Sur quel port écoute un serveur SSH ?")
    (await ben.presses("Français", on=question)).says("In which language do you want to read?")


async def test_what_is_not_translated_is_shown_in_the_source_and_said_so(stage: Stage) -> None:
    ines = Person(stage, "Inès")
    await ines.types("/language fr")
    await Person(stage, "Ana").types("/quiz ports")
    question = await seen_question(stage, "HTTP")
    told = await ines.answers("80", on=question)
    told.says("80 is the registered port for HTTP.", "anglais", "français")


@at_the_core
async def test_who_reads_an_untranslated_question_in_english_is_told_nothing(
    stage: Stage,
) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    question = await seen_question(stage, "DNS")
    (await Person(stage, "Ben").answers("53", on=question)).does_not_say("Shown in")


async def test_a_copy_in_ones_language_whose_question_has_closed_says_so(stage: Stage) -> None:
    ines = Person(stage, "Inès")
    await ines.types("/language fr")
    await Person(stage, "Ana").types("/quiz ports")
    question = await seen_question(stage, "SSH")
    copy = await ines.presses("Français", on=question)
    await pass_time(stage, 47)
    told = await ines.presses(copy.letter_of("22"), on=copy)
    told.says("Le port 22 est réservé à SSH.")
    told.does_not_say("10 points")


async def test_after_the_end_anyone_has_it_explained_in_their_language(stage: Stage) -> None:
    ines, ben = Person(stage, "Inès"), Person(stage, "Ben")
    await ines.types("/language fr")
    await Person(stage, "Ana").types("/quiz ports")
    question = await seen_question(stage, "SSH")
    await ben.answers("2222", on=question)
    await pass_time(stage, 47)
    reveal = await last(stage)
    told = await ines.presses("Explain to me", on=reveal)
    told.says("Le port 22 est réservé à SSH.", "Le 21 sert au contrôle de FTP.")
    told = await ben.presses("Explain to me", on=reveal)
    told.says("Not this time: you chose", "22 is the registered port for SSH.")


async def test_changing_the_language_under_a_verdict_shows_the_verdict_in_it(
    stage: Stage,
) -> None:
    ben = Person(stage, "Ben")
    await Person(stage, "Ana").types("/quiz ports")
    question = await seen_question(stage, "SSH")
    await ben.answers("22", on=question)
    await ben.presses_told("Language: English")
    (await ben.chooses("Français")).says("Le port 22 est réservé à SSH.")


@at_the_core
async def test_what_is_said_first_is_said_in_the_language_that_was_just_chosen(
    stage: Stage,
) -> None:
    told = await Person(stage, "Inès").types("/language fr")
    told.does_not_say("Only you see what you answer")
    told.offers("Masquer mon nom")


async def test_the_button_of_the_language_names_the_one_that_is_read(stage: Stage) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    question = await newest_question(stage)
    (await Person(stage, "Jan", locale="de").answers(right(question))).offers("Language: Deutsch")
    (await Person(stage, "Ben", locale="en-GB").answers(right(question))).offers(
        "Language: English"
    )


async def test_an_unknown_language_is_met_with_those_that_there_are(alone: Stage) -> None:
    ana = Person(alone, "Ana")
    (await ana.types("/language klingon")).says("I know no language “klingon”", "Français (fr)")
    (await ana.types("/language français")).says("Français")


async def test_the_languages_of_posts_is_the_organisers_choice(stage: Stage) -> None:
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Language of the posts")
    (await olga.fills(language="fr")).says("Français")
    await Person(stage, "Ana").types("/quiz ports")
    (await newest_question(stage)).says("Les ports")


# --- practice --------------------------------------------------------------------------------


async def test_practice_is_private_and_at_ones_own_pace(alone: Stage) -> None:
    ana = Person(alone, "Ana")
    question = await ana.types("/quiz ports solo")
    for number in (1, 2, 3):
        question.says(f"Ports · Question {number} of 3")
        await jump(alone, 600)
        choice = wrong(question) if number == 2 else right(question)
        told = await ana.answers(choice, on=question)
        told.says("Not this time" if number == 2 else "Right:")
        told.does_not_say("points:", "practice")
        if number == 2:
            missed = about(question)
        if number < 3:
            question = await ana.presses_told("Next question")
            question.says("1 right so far")
    summary = await ana.presses_told("How it went")
    summary.says("Ports: 2 of 3.", "To read again:", missed)
    assert await alone.channel() == []
    is_terminal = alone.name == "terminal"
    none = "Playing alone gives no points" if is_terminal else "Nobody has points here yet"
    (await ana.types("/leaderboard")).says(none)


async def test_practice_goes_on_where_it_stopped_on_any_device(alone: Stage) -> None:
    ana = Person(alone, "Ana")
    question = await ana.types("/quiz ports solo")
    await ana.answers(right(question), on=question)
    await alone.restart()
    again = await Person(alone, "Ana").types("/quiz ports solo")
    again.says("Question 2 of 3", "1 right so far")


async def test_practice_is_in_the_language_that_it_is_asked_for_in(alone: Stage) -> None:
    ana = Person(alone, "Ana")
    await ana.types("/language sn")
    question = await ana.types("/quiz ports solo français")
    while about(question) != "SSH":
        question.says("Les ports · Question")
        await ana.answers(right(question), on=question)
        question = await ana.presses_told("Question suivante")
    question.says("Sur quel port écoute un serveur SSH ?")
    (await ana.answers("22", on=question)).says("Le port 22 est réservé à SSH.")
    again = await Person(alone, "Ana").types("/quiz ports solo")
    again.says("Les ports")


async def test_who_changes_the_language_of_a_practice_reads_it_in_that(alone: Stage) -> None:
    ana = Person(alone, "Ana")
    await ana.types("/quiz ports solo fr")
    await ana.presses_told("Langue\u00a0: Français")
    (await ana.chooses("English")).says("Ports · Question 1 of 3")


async def test_a_practice_whose_last_verdict_was_read_is_over(alone: Stage) -> None:
    ana = Person(alone, "Ana")
    question = await ana.types("/quiz water solo")
    await ana.answers("yes", on=question)
    (await Person(alone, "Ana").types("/quiz water solo")).says("Water · Question 1 of 1")


@at_the_core
async def test_nobody_presses_in_another_ones_practice(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    question = await ana.types("/quiz ports solo")
    told = await ben.answers(right(question), on=question)
    told.says("This button is too old, or not from here.")


@at_the_core
async def test_a_practice_is_not_led_by_a_forged_button(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    question = await ana.types("/quiz ports solo")
    for token in ("n.1", "g.1", "m.1", "mt.1", "x.1"):
        told = await ana.presses("Forged", on=Seen("", {}, {"Forged": token}))
        told.says("This button is too old, or not from here.")
    (await ana.answers(right(question), on=question)).says("Right:")
    (await ana.presses_told("Next question")).says("Question 2 of 3")


async def test_a_hint_is_given_to_who_asks(stage: Stage) -> None:
    ben = Person(stage, "Ben")
    await Person(stage, "Ana").types("/quiz ports")
    question = await seen_question(stage, "SSH")
    question.does_not_say("neighbours")
    await ben.presses("More", on=question)
    (await ben.presses_told("Hint")).says("Hint: It is the second of three neighbours.")


# --- boards, answers, names ------------------------------------------------------------------


async def test_a_leaderboard_names_ranks_and_says_how_the_group_did(stage: Stage) -> None:
    await Person(stage, "Ana").types("/quiz ports 1")
    question = await newest_question(stage)
    for name in ("Ana", "Ben"):
        await Person(stage, name).answers(right(question), on=question)
    cleo = Person(stage, "Cleo")
    await cleo.answers(wrong(question), on=question)
    await pass_time(stage, 47)
    told = await cleo.types("/leaderboard")
    told.says(
        "November 2026", "We: 67% right this week, 3 took part", "1. Ana (1 of 1), Ben (1 of 1): 10"
    )
    told.says("You: rank 3 with 0 points (answered 1 of 1)")
    for period in ("today", "week", "all"):
        (await cleo.types(f"/leaderboard {period}")).says("1. Ana (1 of 1), Ben (1 of 1): 10")
    (await cleo.types("/leaderboard everywhere")).says("Everywhere", "1. Ana")
    (await cleo.types("/leaderboard fortnight")).says("I know no quiz “fortnight”.")


@at_the_core
async def test_how_the_group_does_is_said_of_the_week_on_every_leaderboard(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz water")
    await ana.answers("yes")
    await ben.answers("no")
    await jump(stage, 7 * 24 * 3600)
    (await ana.types("/leaderboard all")).says("We: 50% right, 2 took part", "1. Ana")
    await ana.types("/quiz water")
    await ana.answers("yes")
    for period in ("today", "week", "month", "all"):
        told = await ana.types(f"/leaderboard {period}")
        told.says("We: 100% right this week (50% last week), 1 took part")


async def test_who_hides_their_name_is_counted_and_still_sees_their_rank(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    await ana.answers(right(question), on=question)
    await ben.answers(right(question), on=question)
    await ben.presses_told("Hide my name")
    await pass_time(stage, 47)
    result = await last(stage)
    result.says("2 people", "1. Ana, and 1 more: 10")
    result.does_not_say("Ben")
    told = await ben.types("/leaderboard")
    told.does_not_say("Ben")
    told.says("1. Ana (1 of 1), and 1 more: 10", "You: rank 1 with 10 points")


@at_the_core
async def test_who_leads_a_result_with_a_hidden_name_keeps_nobody_else_off_it(
    stage: Stage,
) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports 2 off")
    for number in (1, 2):
        question = await until(stage, f"question {number} of 2 ·")
        await ben.answers(right(question), on=question)
        if number == 1:
            await ben.presses_told("Hide my name")
            await ana.answers(right(question), on=question)
        await ana.presses("More")
        await ana.presses_told("Next")
    result = await last(stage)
    result.says("1. 1 with a hidden name: 20", "2. Ana: 10")
    result.does_not_say("Ben")


@at_the_core
async def test_organisers_see_everybodys_points_and_nobodys_mistakes(stage: Stage) -> None:
    ana, ben, cleo = (Person(stage, name) for name in ("Ana", "Ben", "Cleo"))
    olga = Person(stage, "Olga", organiser=True)
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    await ana.answers(right(question), on=question)
    await ben.answers(wrong(question), on=question)
    await cleo.answers(wrong(question), on=question)
    await cleo.presses_told("Hide my name")
    await pass_time(stage, 47)
    told = await olga.presses("My result")
    told.says("You answered no question of Ports.", "1. Ana: 10", "2. Ben, and 1 more: 0")
    told.does_not_say("Cleo")
    (await ben.presses("My result")).does_not_say("Ana", "Cleo")


async def test_a_community_may_show_only_the_group(stage: Stage) -> None:
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Names")
    await olga.fills(names="hidden")
    await ana.types("/quiz ports 1")
    await ana.answers(right(await newest_question(stage)))
    await pass_time(stage, 47)
    (await last(stage)).does_not_say("Ana")
    told = await ana.types("/leaderboard")
    told.says("We: 100% right this week, 1 took part", "You: rank 1 with 10 points")
    told.does_not_say("Ana")


async def test_a_leaderboard_is_shown_in_the_channel_once_in_ten_minutes(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz water")
    await ana.answers("yes")
    await pass_time(stage, 47)
    await ana.types("/leaderboard")
    board = ana.told
    await ana.presses("Show in the channel", on=board)
    (await last(stage)).says("We: 100% right", "1. Ana (1 of 1): 10")
    (await ana.presses("Show in the channel", on=board)).says("again in ten minutes")
    await jump(stage, 600)
    before = len(await stage.channel())
    await ana.presses("Show in the channel", on=board)
    assert len(await stage.channel()) == before + 1


async def test_ones_answers_are_kept_with_their_explanations(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    (await ana.types("/answers")).says("You have answered nothing here yet.")
    await ana.types("/quiz water")
    await ana.answers("no")
    told = await ana.types("/answers")
    told.says("1. Is water wet?", "Not right: no")
    (await ana.presses_told("1")).says("Not this time", "It is so.")


@at_the_core
async def test_a_page_that_there_is_not_is_the_first(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz water")
    await ana.answers("no")
    for token in ("an.1", "an.zzzzzzzzzzzz"):
        forged = Seen("", {}, {"Page": token})
        (await ana.presses("Page", on=forged)).says("1. Is water wet?")


# --- what goes wrong -------------------------------------------------------------------------


@at_the_core
@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("/quiz prots", "I know no quiz “prots”. Did you mean Ports?"),
        ("/quiz", "Which quiz?"),
        ("/quiz ports 999", "“999” is no number of questions"),
        ("/quizz ports", "I know no command “quizz”. Did you mean /quiz?"),
        ("/settings", "Only organisers can change how quizbot behaves here."),
    ],
)
async def test_a_wrong_command_is_told_what_to_do(stage: Stage, typed: str, answer: str) -> None:
    (await Person(stage, "Ana").types(typed)).says(answer)
    assert await stage.channel() == []


@at_the_core
@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("/quiz quantum", "I know no quiz “quantum”."),
        ("/quiz ports 0", "“0” is no number of questions: take one from 1 to 50."),
        ("/quiz ports -3", "“-3” is no number of questions"),
        ("/quiz ports 5s", "“5” is no time: take a number of seconds from 10 to 3600, or off."),
        ("/frobnicate", "I know no command “frobnicate”. /help lists them all."),
        ("/", "Type a command, for example /help."),
    ],
)
async def test_whatever_is_wrong_with_a_command_is_said(
    stage: Stage, typed: str, answer: str
) -> None:
    (await Person(stage, "Ana").types(typed)).says(answer)
    assert await stage.channel() == []


@pytest.mark.parametrize("unseen", ["\u200b", "\u202e", "\u2800\ufe0f", "\u3164"])
async def test_a_topic_that_nobody_sees_is_none_and_there_is_a_list_to_choose_from(
    stage: Stage, unseen: str
) -> None:
    ana = Person(stage, "Ana")
    told = await ana.types(f"/quiz {unseen}")
    told.does_not_say("“")
    if not told.form:
        told.says("Which quiz?")
        told.offers("All quizzes")
    (await ana.types(f"/leaderboard {unseen}")).says("Nobody has points here yet")


@at_the_core
@pytest.mark.parametrize("sign", ["x", "\u0301", "👩‍👩‍👧"])
async def test_what_was_typed_at_length_hides_nothing_of_what_is_said_of_it(
    stage: Stage, sign: str
) -> None:
    typed = sign * (600 // len(sign))
    told = await Person(stage, "Ana").types(f"/quiz a{typed}")
    told.says("I know no quiz “", "…”.")
    told.does_not_say(sign * 70)


async def test_a_near_miss_can_be_started_from_the_reply(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz prots")
    (await ana.presses_told("Start Ports")).says("Ports begins here.")
    (await newest_question(stage)).says("question 1 of 3")


@pytest.mark.parametrize(
    ("topic", "title"),
    [("ports", "Ports"), ("net", "Ports"), ("PORTS", "Ports"), ("Les ports", "Ports")],
)
async def test_a_quiz_is_found_by_id_alias_and_title_in_any_language(
    stage: Stage, topic: str, title: str
) -> None:
    (await Person(stage, "Ana").types(f"/quiz {topic}")).says(f"{title} begins here.")


async def test_a_tag_is_a_topic_of_its_own(stage: Stage) -> None:
    (await Person(stage, "Ana").types("/quiz shells")).says("shells begins here.")
    (await newest_question(stage)).says("SSH", "question 1 of 1")


async def test_a_forged_button_is_told_so(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    for token in ("", "a", "a.1.x", "a.zzzz.b", "e.99", "n.1.2", "\u202e", "x" * 99):
        told = await ana.presses("Forged", on=Seen("", {}, {"Forged": token}))
        told.says("This button is too old, or not from here.")


@at_the_core
async def test_a_question_that_was_not_asked_yet_cannot_be_answered(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    forged = Seen("", {}, {key: f"a.2.{key}" for key in "abc"})
    (await ana.presses("b", on=forged)).says("This button is too old, or not from here.")
    (await ana.presses("Explain", on=Seen("", {}, {"Explain": "e.2"}))).says("answer it first")


@at_the_core
async def test_an_open_question_is_not_explained_to_who_has_not_answered(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    told = await ana.presses("Explain", on=Seen("", {}, {"Explain": "e.1"}))
    told.says("This question is still open: answer it first")
    told.does_not_say("registered")


async def test_the_settings_of_a_zone_suggest_what_was_meant(stage: Stage) -> None:
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Time zone")
    form = await olga.fills(zone="Harrare")
    form.says("I know no time zone “Harrare”. Did you mean Africa/Harare?")
    (await olga.fills(zone="africa/harare")).says("Saved.", "Time zone: Africa/Harare")


# --- restarts --------------------------------------------------------------------------------


async def test_a_restart_in_the_middle_of_a_question_takes_no_time_away(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz ports")
    question = await newest_question(stage)
    await ana.answers(right(question))
    await pass_time(stage, 20)
    await stage.restart(away=3600)
    standing = await newest_question(stage)
    standing.says("question 1 of 3", "closes in 25 s")
    (await ben.answers(right(question), on=question)).says("Right, 10 points")
    await pass_time(stage, 20)
    (await newest_question(stage)).says("question 1 of 3")
    await pass_time(stage, 8)
    (await last(stage)).says("Right answer:", "2 answered")


@at_the_core
async def test_a_question_that_was_nearly_over_keeps_twenty_seconds_after_a_restart(
    stage: Stage,
) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    await pass_time(stage, 44)
    await stage.restart(away=1)
    (await newest_question(stage)).says("closes in 20 s")


async def test_a_key_that_was_mended_holds_for_a_question_that_stands_open(
    stage: Stage, tmp_path: Path
) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await ana.types("/quiz water")
    question = await newest_question(stage)
    write_text = (tmp_path / "banks" / "water" / "bank.yaml").write_text
    write_text(ONE.format(title="Water", text="Is water dry?").replace("correct: a", "correct: b"))
    await stage.restart()
    await ben.types("/quiz water solo")
    told = await ben.answers("no", on=question)
    letter = question.letter_of("no")
    told.says(f"Right, 10 points: {letter} · no")
    (await ana.answers("yes", on=question)).says(f"right is {letter} · no")
    await pass_time(stage, 47)
    reveal, result = await stage.channel()
    reveal.says("Is water wet?", f"Right answer: {letter} · no")
    result.says("50% right", "1. Ben: 10")
    (await ben.types("/answers")).says("You were right: no")


@at_the_core
async def test_a_restart_in_the_pause_goes_on_to_the_next_question(stage: Stage) -> None:
    await Person(stage, "Ana").types("/quiz ports")
    await pass_time(stage, 50)
    await stage.restart()
    await pass_time(stage, 10)
    (await newest_question(stage)).says("question 2 of 3")
