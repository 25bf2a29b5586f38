"""Leaderboards as people read them: of a season, of one quiz, page by page."""

from __future__ import annotations

import pytest
from bare_stage import BareStage
from conversation import Person, Seen, Stage, at_the_core, jump, last, newest_question, pass_time
from quizzes import right, wrong

pytest_plugins = ["surfaces"]

_DAY = 24 * 3600


async def play_water(stage: Stage, *right_: Person, wrong_: tuple[Person, ...] = ()) -> None:
    """A quiz of one question, over when this returns."""
    await right_[0].types("/quiz water")
    question = await newest_question(stage)
    for person in right_:
        await person.answers("yes", on=question)
    for person in wrong_:
        await person.answers("no", on=question)
    await pass_time(stage, 47)


# --- one quiz --------------------------------------------------------------------------------


async def test_a_leaderboard_of_one_quiz_counts_its_questions_alone(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await play_water(stage, ana, wrong_=(ben,))
    await ben.types("/quiz ports 1")
    await ben.answers(right(await newest_question(stage)))
    await pass_time(stage, 47)
    (await ana.types("/leaderboard")).says("1. Ana (1 of 2), Ben (2 of 2): 10")
    told = await ana.types("/leaderboard water")
    told.says("Water · November 2026", "We: 50% right this week, 2 took part")
    told.says("1. Ana (1 of 1): 10")
    told.does_not_say("Ben (")
    told.says("You: rank 1 with 10 points (answered 1 of 1)")
    (await ana.presses_told("Since the beginning")).says("Water · Since the beginning", "1. Ana")
    (await ana.presses_told("Everywhere")).says("Everywhere · Water", "1. Ana")


@at_the_core
@pytest.mark.parametrize(
    "typed",
    [
        "water month everywhere",
        "everywhere month water",
        "month water everywhere",
        "WATER Everywhere",
    ],
)
async def test_topic_period_and_where_are_typed_in_any_order(stage: Stage, typed: str) -> None:
    ana = Person(stage, "Ana")
    await play_water(stage, ana)
    (await ana.types(f"/leaderboard {typed}")).says("Everywhere · Water · November 2026", "1. Ana")


@at_the_core
async def test_a_leaderboard_of_one_quiz_has_every_period(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await play_water(stage, ana, wrong_=(ben,))
    for period in ("today", "week", "month", "season", "all"):
        told = await ben.types(f"/leaderboard water {period} everywhere")
        told.says("Everywhere · Water", "1. Ana (1 of 1): 10", "You: rank 2 with 0 points")
        told.says("We: 50% right this week, 2 took part")


async def test_a_quiz_that_there_is_not_is_told_with_what_was_meant(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await play_water(stage, ana)
    (await ana.types("/leaderboard quantum")).says("I know no quiz “quantum”.")
    told = await ana.types("/leaderboard watr")
    told.says("I have no leaderboard of “watr”. Did you mean Water?")
    (await ana.presses_told("Water")).says("Water · November 2026", "1. Ana (1 of 1): 10")
    # A subject of some questions is no quiz; the quiz that has them is.
    (await ana.types("/leaderboard shells")).says("Did you mean Ports?")
    (await ana.types("/leaderboard wek")).says("“wek” is no period: take")


@at_the_core
async def test_in_french_a_quiz_is_called_what_it_is_in_french(stage: Stage) -> None:
    ines = Person(stage, "Inès", "fr")
    await ines.types("/quiz ports 1")
    await ines.answers(right(await newest_question(stage)))
    await pass_time(stage, 47)
    (await ines.types("/leaderboard ports")).says("Les ports · novembre 2026", "1. Inès")


async def test_a_leaderboard_of_one_quiz_is_shown_in_the_channel(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await play_water(stage, ana, wrong_=(ben,))
    await ana.types("/leaderboard water all")
    await ana.presses_told("Show in the channel")
    shown = await last(stage)
    shown.says("Water · Since the beginning", "1. Ana (1 of 1): 10")
    (await ben.presses("My rank", on=shown)).says("You: rank 2 with 0 points (answered 1 of 1)")


# --- seasons ---------------------------------------------------------------------------------


async def test_a_season_that_is_over_can_still_be_read(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    await play_water(stage, ana)
    told = await ana.types("/leaderboard season")
    told.says("This season, since Oct 1, 2026", "1. Ana (1 of 1): 10")
    told.does_not_offer("The season before", "The season after")
    await jump(stage, 40 * _DAY)
    await play_water(stage, ben)
    told = await ana.types("/leaderboard season")
    told.says("This season, since Jan 1, 2027", "1. Ben")
    told = await ana.presses_told("The season before")
    told.says("Oct 1, 2026 – Dec 31, 2026", "1. Ana (1 of 1): 10", "We: 100% right, 1 took part")
    told.says("You: rank 1 with 10 points")
    told.does_not_say("Ben")
    told.does_not_offer("The season before")
    (await ana.presses_told("Everywhere")).says("Everywhere · Oct 1, 2026 –", "1. Ana")
    (await ana.presses_told("This season")).says("This season, since Jan 1, 2027", "1. Ben")


async def test_organisers_begin_a_season_and_the_one_before_is_kept(stage: Stage) -> None:
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga", organiser=True)
    await play_water(stage, ana)
    await jump(stage, 2 * _DAY)
    (await ana.types("/leaderboard season")).does_not_offer("Begin a new season")
    await olga.types("/leaderboard season")
    told = await olga.presses_told("Begin a new season")
    told.says("Begin a new season today?", "can still be read under “The season before”.")
    told = await olga.presses_told("Begin the season")
    told.says("This season, since Dec 2, 2026")
    told.does_not_say("Ana")
    told = await ana.types("/leaderboard season")
    told.does_not_say("1. Ana")
    (await ana.presses_told("The season before")).says("Oct 1, 2026 – Dec 1, 2026", "1. Ana")


async def test_seasons_are_found_where_all_else_is_set(bare: Stage) -> None:
    ana, olga = Person(bare, "Ana"), Person(bare, "Olga", organiser=True)
    await play_water(bare, ana)
    await jump(bare, 2 * _DAY)
    (await olga.types("/settings")).says("This season, since Oct 1, 2026")
    await olga.presses_told("Seasons")
    await olga.presses_told("Begin a new season")
    await olga.presses_told("Begin the season")
    (await olga.types("/settings")).says("This season, since Dec 2, 2026")
    (await olga.presses_told("Seasons")).says("Everywhere")
    (await olga.presses_told("The season before")).says("Oct 1, 2026 – Dec 1, 2026", "1. Ana")


@at_the_core
async def test_nobody_else_begins_a_season(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await play_water(stage, ana)
    forged = Seen("", {}, {"Begin": "se.1"})
    (await ana.presses("Begin", on=forged)).says("Only organisers can begin a new season.")
    (await ana.types("/leaderboard season")).says("This season, since Oct 1, 2026", "1. Ana")


# --- pages -----------------------------------------------------------------------------------


async def test_a_page_never_cuts_a_tie_and_the_next_one_goes_on_below(bare: BareStage) -> None:
    people = [Person(bare, f"P{number:02}") for number in range(14)]
    ana = Person(bare, "Ana")
    await ana.types("/quiz ports 2 off")
    for number in (1, 2):
        question = (await bare.channel())[-1]
        for person in people:
            # Twelve are right twice, two of them once.
            is_wrong = number == 2 and person in people[12:]
            await person.answers(wrong(question) if is_wrong else right(question), on=question)
        await ana.presses("More", on=question)
        await ana.presses_told("Next")
        await pass_time(bare, 20)
    told = await people[13].types("/leaderboard")
    told.says("1. P00", "P09", "and 2 more: 20", "You: rank 13 with 10 points")
    told.does_not_say("P12")
    told = await people[13].presses_told("Next page")
    told.says("13. P12 (2 of 2), P13 (2 of 2): 10", "You: rank 13")
    told.does_not_say("P00")
    told.does_not_offer("Show in the channel", "Next page")


@pytest.mark.parametrize(
    "token",
    [
        "bo.place.month.0..2027-01-01",
        "bo.place.month.0..yesterday",
        "bo.nowhere.month.0..",
        "bo.place.never.0..",
        "so.place.never.water.",
        "kb.place.never.water",
        "kb.nowhere.month.",
    ],
)
async def test_a_forged_leaderboard_is_told_so(bare: BareStage, token: str) -> None:
    ana = Person(bare, "Ana", organiser=True)
    await play_water(bare, ana)
    forged = Seen("", {}, {"Forged": token})
    (await ana.presses("Forged", on=forged)).says("This button is too old, or not from here.")


async def test_a_quiz_that_is_there_no_more_keeps_its_leaderboard(bare: BareStage) -> None:
    ana = Person(bare, "Ana")
    await play_water(bare, ana)
    old = Seen("", {}, {"Old": "bo.place.all.0.gone."})
    (await ana.presses("Old", on=old)).says("gone · Since the beginning", "Nobody has points here")
