"""A quiz in the terminal: what is typed, and what then stands on the screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from conversation import Person
from quizzes import right, write_bank, write_banks, wrong
from terminal_stage import TerminalStage

SSH = """\
schema: quizbot/1
language: en
title: Shells
questions:
  - id: ssh
    text: |-
      Which line opens a shell on another machine?

      ```
      $ ???
      ```
    options: {a: "`ssh host`", b: "`cat host`"}
    correct: a
    explain: It asks for a key or a password.
    sources: [{title: The manual, url: "https://man.openbsd.org/ssh"}]
"""


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[TerminalStage]:
    banks = write_banks(tmp_path / "banks")
    write_bank(banks, "shells", bank=SSH)
    stage = TerminalStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [banks])
    await stage.start()
    yield stage
    await stage.stop()


@pytest.fixture
def ana(stage: TerminalStage) -> Person:
    return Person(stage, "Ana")


# --- answering ---------------------------------------------------------------------------------


async def test_a_quiz_from_the_first_question_to_the_summary(stage, ana):
    question = await stage.begin(ana, "ports")
    for number in (1, 2, 3):
        question.says(f"Ports · Question {number} of 3")
        question.says("Your answer (A–C), l for another language, ? for more, q to stop")
        told = await ana.types(question.letter_of(right(question)).lower())
        told.says("Right:", "l Language: English", "q stop")
        question = await ana.types("")
    question.says("Ports: 3 of 3.", "Once more")


async def test_an_answer_may_be_given_in_its_own_words(stage, ana):
    question = await stage.begin(ana, "ports")
    told = await ana.types(f"  {wrong(question)} ")
    told.says("Not this time: you chose", "Enter Next question")


async def test_an_answer_in_code_is_given_without_its_marks(stage, ana):
    await stage.begin(ana, "shells")
    (await ana.types("SSH  host")).says("Right: ")


async def test_what_is_none_of_the_answers_is_told_and_costs_nothing(stage, ana):
    question = await stage.begin(ana, "ports")
    told = await ana.types("z")
    told.says("“z” is none of the answers: type a letter from A to C, or ? for more.")
    told.says("Your answer (A–C)")
    (await ana.types(right(question))).says("Right: ")


async def test_enter_alone_answers_nothing_and_shows_the_question_again(stage, ana):
    question = await stage.begin(ana, "ports")
    again = await ana.types("")
    assert again.options == question.options


async def test_a_quiz_goes_on_where_it_stopped(stage, ana):
    question = await stage.begin(ana, "ports")
    await ana.types(right(question))
    await stage.restart()
    again = await stage.begin(Person(stage, "Ana"), "net")
    again.says("Question 2 of 3 · 1 right so far")


async def test_a_number_of_questions_begins_anew(stage, ana):
    await ana.types(right(await stage.begin(ana, "ports")))
    again = await stage.begin(Person(stage, "Ana"), "ports", 2)
    again.says("Question 1 of 2")


async def test_what_another_one_answers_is_their_own(stage, ana):
    await ana.types(right(await stage.begin(ana, "ports")))
    (await stage.begin(Person(stage, "Ben"), "ports")).says("Question 1 of 3")


# --- choosing ----------------------------------------------------------------------------------


async def test_without_a_topic_one_chooses_from_all_quizzes(stage, ana):
    shown = await stage.begin(ana, "")
    shown.says("1  Ports\n     3 questions · beginner", "3  Water", "Type a number or a name")
    (await ana.types("1")).says("Ports · Question 1 of 3")


@pytest.mark.parametrize("name", ["water", "WATER", "net", "Les ports"])
async def test_a_quiz_may_be_chosen_by_any_of_its_names(stage, ana, name):
    await stage.begin(ana, "")
    (await ana.types(name)).says("Question 1 of")


async def test_the_number_of_questions_holds_for_what_is_chosen(stage, ana):
    await stage.begin(ana, "", 2)
    (await ana.types("1")).says("Ports · Question 1 of 2")


async def test_a_name_that_was_misspelt_is_one_key_away(stage, ana):
    told = await stage.begin(ana, "prots")
    told.says("I know no quiz “prots”. Did you mean Ports?", "Enter Start Ports")
    (await ana.types("")).says("Ports · Question 1 of 3")


async def test_a_name_that_nobody_knows_leads_to_all_of_them(stage, ana):
    (await stage.begin(ana, "astronomy")).says("I know no quiz “astronomy”.")
    (await ana.presses_told("All quizzes")).says("1  Ports")


# --- languages ---------------------------------------------------------------------------------


async def test_a_question_is_read_in_another_language_and_so_are_the_next(stage, ana):
    await stage.begin(ana, "ports")
    (await ana.types("l")).says("1  English", "2  Français")
    question = await ana.types("2")
    question.says("Les ports · Question 1 sur 3", "Votre réponse")
    told = await ana.types(right(question))
    told.says("Langue : Français")


async def test_a_language_may_be_chosen_by_its_name(stage, ana):
    await stage.begin(ana, "ports")
    await ana.types("l")
    (await ana.types("francais")).says("Les ports")


async def test_enter_leads_from_the_languages_back_to_the_question(stage, ana):
    question = await stage.begin(ana, "ports")
    (await ana.types("l")).says("Enter back")
    again = await ana.types("")
    assert again.options == question.options
    again.says("Ports · Question 1 of 3")


async def test_the_language_of_the_terminal_is_spoken_until_another_is_chosen(stage):
    ben = Person(stage, "Ben", locale="fr-CA")
    (await stage.begin(ben, "ports")).says("Les ports · Question 1 sur 3")


# --- everything else ---------------------------------------------------------------------------


async def test_a_question_mark_lists_every_key_and_every_command(stage, ana):
    await stage.begin(ana, "ports")
    told = await ana.types("?")
    told.says("A–C", "Language: English", "/quizzes", "/help", "Your answer (A–C)")


@pytest.mark.parametrize("typed", ["/quizzes", "quizzes", "QUIZZES"])
async def test_a_command_may_be_typed_with_its_slash_or_without(stage, ana, typed):
    await stage.begin(ana, "ports")
    (await ana.types(typed)).says("1  Ports", "Enter back")


async def test_a_quiz_that_is_typed_is_played_alone(stage, ana):
    await stage.begin(ana, "")
    (await ana.types("/quiz ports 2")).says("Ports · Question 1 of 2")
    (await ana.types("/quiz ports 1 fr")).says("Les ports · Question 1 sur 1")
    (await ana.types("/quiz")).says("Which quiz?")


async def test_ones_answers_are_listed_and_explained(stage, ana):
    question = await stage.begin(ana, "ports")
    await ana.types(right(question))
    await ana.types("")
    (await ana.types("/answers")).says("1. On which port", "Press a number", "Enter back")
    (await ana.types("1")).says("Right: ", "Enter Next question")


async def test_a_word_that_does_nothing_is_told(stage, ana):
    await stage.begin(ana, "shells")
    await ana.types("a")
    told = await ana.types("nonsense")
    told.says("“nonsense” does nothing here: ? lists what does.", "Enter How it went")


async def test_a_form_is_filled_in_line_by_line(stage, ana):
    await stage.begin(ana, "ports")
    await ana.types("/settings")
    (await ana.presses_told("Time zone")).says("Time zone [UTC]", "Enter keeps it, q goes back")
    (await ana.types("Harrare")).says("I know no time zone “Harrare”. Did you mean Africa/Harare?")
    (await ana.types("Harare")).says("Saved.", "Time zone: Africa/Harare")


async def test_a_form_is_left_without_a_change(stage, ana):
    await ana.types("/settings")
    await ana.presses_told("Names")
    (await ana.types("maybe")).says("1  points with names", "2  only the group")
    (await ana.types("q")).says("Results and leaderboards: points with names")


async def test_a_choice_of_a_form_is_taken_by_its_number(stage, ana):
    await ana.types("/settings")
    await ana.presses_told("Names")
    (await ana.types("2")).says("Saved.", "Results and leaderboards: only the group")


async def test_code_has_a_frame_and_a_source_its_address(stage, ana):
    question = await stage.begin(ana, "shells")
    question.says("╭───────╮\n  │ $ ??? │\n  ╰───────╯")
    (await ana.types("a")).says("Source: The manual https://man.openbsd.org/ssh")


async def test_what_is_for_a_group_is_said_to_be_so_and_not_listed(stage, ana):
    told = await ana.types("/daily set 7")
    told.says("A daily quiz is for a group, and here you play alone.", "“quizbot run”")
    told.says("All quizzes")
    told = await ana.types("/leaderboard")
    told.says("Playing alone gives no points")
    told.does_not_say("This week")
    listed = (await ana.types("?")).text
    assert "/answers" in listed
    assert not any(name in listed for name in ("/daily", "/leaderboard", "/away", "/settings"))


async def test_what_a_command_does_stands_beside_it_on_a_narrow_screen(tmp_path):
    banks = write_banks(tmp_path / "banks")
    stage = TerminalStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [banks], width=44)
    await stage.start()
    listed = await Person(stage, "Ana").types("?")
    words = " ".join(listed.text.split())
    assert "/answers Your answers, with their" in words, listed.text
    assert "explanations" in words, listed.text
    await stage.stop()
