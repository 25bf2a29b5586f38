"""App Home: what is found there again, and what can be done there."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import stand_in_slack_people as people
from conversation import Person
from daily_story import pass_to
from quizzes import wrong
from slack_stage import SlackStage, on_slack
from stand_in_slack_views import View

from adapters.slack import home as drawn


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[SlackStage]:
    async with on_slack(tmp_path) as stage:
        yield stage


async def opens(stage: SlackStage, person: people.Person) -> View:
    home = await person.opens_home()
    assert home is not None
    await stage.settle()
    return home


async def presses(stage: SlackStage, person: people.Person, label: str) -> View:
    """Something in the Home, which then shows what came of it."""
    assert person.home is not None
    updates = person.home.updates
    person.begins_to_press(person.home, label)
    await stage.world.until(lambda: person.home is not None and person.home.updates > updates)
    await stage.settle()
    return person.home


async def fills(
    stage: SlackStage, person: people.Person, form: str, entered: dict[str, object]
) -> None:
    """A form that opens from the Home, which then shows what came of it."""
    assert person.home is not None
    updates = person.home.updates
    opened = await person.presses(person.home, form)
    await person.fills(opened.modal, entered)
    await stage.world.until(lambda: person.home is not None and person.home.updates > updates)


async def answered(stage: SlackStage) -> people.Person:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports 1")
    question = stage.read(stage.place.last)
    await ana.answers(wrong(question), on=question)
    return stage.member(ana)


async def test_it_has_ones_answers_with_their_explanations_and_a_way_back(
    stage: SlackStage,
) -> None:
    ana = await answered(stage)
    ana.reloads()
    home = await opens(stage, ana)
    assert "1. On which port does" in home.text
    said = await presses(stage, ana, "1")
    assert "you chose" in said.text
    again = await presses(stage, ana, "Back to my page")
    assert "1. On which port does" in again.text
    assert "Back to my page" not in again.labels


async def test_who_has_answered_nothing_is_told_where_to_begin(stage: SlackStage) -> None:
    home = await opens(stage, stage.member(Person(stage, "Ana")))
    assert "You have answered nothing here yet." in home.text
    assert "All quizzes" in home.labels


async def test_ones_language_is_chosen_there(stage: SlackStage) -> None:
    ana = await answered(stage)
    await opens(stage, ana)
    await presses(stage, ana, "Language: English")
    assert ana.home is not None
    updates = ana.home.updates
    [select] = [one for one in ana.home.elements if one["type"] == "static_select"]
    await ana.chooses(ana.home, select["action_id"], "fr")
    await stage.world.until(lambda: ana.home is not None and ana.home.updates > updates)
    await stage.settle()
    back = await presses(stage, ana, "Retour à ma page")
    assert "Mes réponses" in back.text


async def test_the_board_of_the_workspace_is_there(stage: SlackStage) -> None:
    ana = await answered(stage)
    await opens(stage, ana)
    assert "You: rank 1 with 0 points" in (await presses(stage, ana, "Leaderboard")).text


async def test_practice_goes_on_there_question_by_question(stage: SlackStage) -> None:
    ana = stage.member(Person(stage, "Ana"))
    await opens(stage, ana)
    await presses(stage, ana, "All quizzes")
    assert ana.home is not None
    updates = ana.home.updates
    solo = next(one for one in ana.home.elements if one["action_id"].startswith("st.solo"))
    await ana.chooses(ana.home, solo["action_id"], "ports")
    await stage.world.until(lambda: ana.home is not None and ana.home.updates > updates)
    await stage.settle()
    assert "Question 1 of 3" in ana.home.text
    told = await presses(stage, ana, "A")
    assert "Next question" in told.labels
    assert "Question 2 of 3" in (await presses(stage, ana, "Next question")).text


async def test_organisers_find_the_settings_there_and_others_do_not(stage: SlackStage) -> None:
    ana = await opens(stage, stage.member(Person(stage, "Ana")))
    assert "Settings" not in ana.labels
    olga = stage.member(Person(stage, "Olga", organiser=True))
    home = await opens(stage, olga)
    assert "Settings" in home.labels
    assert "I run quizzes here" in home.text


async def test_a_form_of_the_settings_is_filled_in_from_there(stage: SlackStage) -> None:
    olga = stage.member(Person(stage, "Olga", organiser=True))
    await opens(stage, olga)
    await presses(stage, olga, "Settings")
    assert olga.home is not None
    came = olga.begins_to_press(olga.home, "Names")
    await came.until(lambda: came.has_modal)
    updates = olga.home.updates
    await olga.fills(came.modal, {"names": "hidden"})
    await stage.world.until(lambda: olga.home is not None and olga.home.updates > updates)
    await stage.settle()
    assert "Saved." in olga.home.text
    assert "only the group" in olga.home.text


async def test_the_page_speaks_its_readers_language(stage: SlackStage) -> None:
    ines = stage.workspace.person("Inès", locale="fr-FR")
    assert "Mes réponses" in (await opens(stage, ines)).text


async def test_the_tab_with_the_messages_is_none_of_that(stage: SlackStage) -> None:
    ana = stage.member(Person(stage, "Ana"))
    stage.workspace.event(
        {"type": "app_home_opened", "user": ana.id, "channel": ana.dm.id, "tab": "messages"}
    )
    await stage.world.until(lambda: stage.world.deliveries[-1].acked)
    await stage.settle()
    assert ana.home is None


async def test_a_page_that_cannot_be_drawn_says_that_something_went_wrong(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot_be_drawn(*_: object) -> None:
        raise ZeroDivisionError("as a bug in drawing would")

    monkeypatch.setattr(drawn, "view", cannot_be_drawn)
    home = await opens(stage, stage.member(Person(stage, "Ana")))
    assert "Something went wrong on my side (incident " in str(home.blocks)


async def test_an_organiser_sets_the_daily_quiz_from_it_for_a_channel(stage: SlackStage) -> None:
    olga = stage.member(Person(stage, "Olga", organiser=True))
    await opens(stage, olga)
    said = await presses(stage, olga, "Set the daily quiz")
    assert "Choose the channel where it should come." in said.text
    assert "Save" not in said.labels
    await fills(stage, olga, "Channel", {"channel": [stage.place.id]})
    await fills(stage, olga, "Hour and days", {"hour": "10:30"})
    await presses(stage, olga, "Save")
    await presses(stage, olga, "Back to my page")
    said = await presses(stage, olga, "All daily quizzes")
    assert "at 10:30" in said.text
    await pass_to(stage, "10:31")
    assert "Today’s quiz" in stage.place.last.text


async def test_in_messages_with_the_bot_alone_no_daily_quiz_comes(stage: SlackStage) -> None:
    olga = stage.member(Person(stage, "Olga", organiser=True))
    told = await stage.seen(olga.begins_to_type("/quiz daily set 7", olga.dm))
    told.says("A daily quiz", "Choose the channel where it should come.", "at 7:00")
    told.offers("Channel")
    told.does_not_offer("Save")


async def test_of_two_quick_presses_the_page_of_the_later_one_stays(stage: SlackStage) -> None:
    ana = await answered(stage)
    await opens(stage, ana)
    assert ana.home is not None
    page = ana.home
    hold = stage.world.hold("views.publish")
    ana.begins_to_press(page, "Leaderboard")
    await hold.arrived.wait()
    ana.begins_to_press(page, "1")
    # As long as it takes to be shown, if nothing holds it back.
    looks, shown = itertools.count(), page.updates
    await stage.world.until(lambda: next(looks) > 60 or page.updates > shown)
    hold.release()
    await stage.settle()
    assert "you chose" in ana.home.text
