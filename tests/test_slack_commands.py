"""One command on Slack, with all others behind it; and the form that it opens alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from conversation import Person, newest_question
from quizzes import ONE, write_bank
from slack_stage import SlackStage, on_slack
from stand_in_slack_messages import Message
from stand_in_slack_views import View


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[SlackStage]:
    # A quiz that is called like a command, and one whose name begins like one.
    write_bank(tmp_path / "banks", "help", bank=ONE.format(title="Help", text="Do you need help?"))
    models = ONE.format(title="Language models", text="Do they speak?")
    write_bank(tmp_path / "banks", "language-models", bank=models)
    async with on_slack(tmp_path) as stage:
        yield stage


async def types(stage: SlackStage, text: str, name: str = "Ana") -> str:
    """What somebody is told who types this, exactly so."""
    came = stage.member(Person(stage, name)).begins_to_type(text, stage.place)
    said = stage.read(await came.until_private()).text
    await stage.settle()
    return said


async def form(stage: SlackStage, name: str = "Ana") -> View:
    came = stage.member(Person(stage, name)).begins_to_type("/quiz", stage.place)
    await came.until(lambda: came.has_modal)
    await stage.settle()
    return came.modal


# --- behind one command ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("/quiz leaderboard week", "Nobody has points"),
        ("/quiz Leaderboard", "Nobody has points"),
        ("/quiz quizzes", "Ports"),
        ("/quiz answers", "You have answered nothing here yet."),
        ("/quiz language fr", "Langue de lecture choisie"),
        ("/quiz stop", "No quiz is running here."),
        ("/quiz settings", "Only organisers can change how quizbot behaves here."),
        ("/quiz help", "/quiz leaderboard ["),
        ("/quiz leaderbord", "I know no quiz “leaderbord”. Did you mean /quiz leaderboard?"),
        ("/quiz prots", "I know no quiz “prots”. Did you mean Ports?"),
        ("/quiz language klingon", "I know no language “klingon”."),
        ("/quiz leaderboard wek", "“wek”"),
        ("/quiz stop it now", "I know no quiz “stop it now”. Did you mean /quiz stop?"),
    ],
)
async def test_every_command_stands_behind_the_one(
    stage: SlackStage, typed: str, answer: str
) -> None:
    assert answer in await types(stage, typed)
    assert stage.place.messages == []


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("/quiz ports 2 fr 30s", "Les ports"),
        ("/quiz play help", "Help"),
        ("/quiz play ports 1", "Ports"),
        ("/quiz language models", "Language models"),
    ],
)
async def test_what_is_no_command_is_a_topic(stage: SlackStage, typed: str, title: str) -> None:
    assert "begins here" in await types(stage, typed)
    (await newest_question(stage)).says(f"{title} · ")


async def test_the_help_calls_commands_as_they_are_typed(stage: SlackStage) -> None:
    said = await types(stage, "/quiz help")
    assert "/quiz topic [count] [language] [30s]" in said
    assert "/quiz quiz " not in said


async def test_the_command_may_have_another_name(tmp_path: Path) -> None:
    async with on_slack(tmp_path, QUIZBOT_SLACK_COMMAND="/trivia") as stage:
        assert "/trivia leaderboard" in await types(stage, "/trivia help")
        assert "Did you mean /trivia leaderboard?" in await types(stage, "/trivia leaderbord")
        olga = Person(stage, "Olga", organiser=True)
        stage.member(olga)
        assert "until someone asks: /trivia" in await types(stage, "/trivia settings", "Olga")


# --- the command alone -------------------------------------------------------------------------


async def test_the_command_alone_opens_a_form_that_begins_a_quiz(stage: SlackStage) -> None:
    view, ana = await form(stage), stage.member(Person(stage, "Ana"))
    assert view.title == "Start a quiz"
    [ports] = [
        one
        for one in await ana.looks_up(view, "search:topic", "por")
        if one["text"]["text"] == "Ports"
    ]
    came = ana.begins_to_fill(view, {"topic": ports, "count": "2", "seconds": "30"})
    assert "Ports begins here." in stage.read(await came.until_private()).text
    await stage.settle()
    question = await newest_question(stage)
    question.says("question 1 of 2", "closes in 30 s")


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("count", "0", "“0” is no number of questions: take one from 1 to 50."),
        ("seconds", "5", "“5” is no time: take a number of seconds from 10 to 3600, or off."),
    ],
)
async def test_what_is_wrong_in_the_form_stands_beside_its_field(
    stage: SlackStage, field: str, value: str, error: str
) -> None:
    view, ana = await form(stage), stage.member(Person(stage, "Ana"))
    [ports] = (await ana.looks_up(view, "search:topic", "ports"))[:1]
    came = await ana.fills(view, {"topic": ports, field: value})
    assert came.errors == {field: error}
    assert view.is_open
    # What was entered is still there.
    came = ana.begins_to_fill(view, {field: ""})
    assert "begins here" in stage.read(await came.until_private()).text
    await stage.settle()


async def test_a_form_that_is_cut_off_by_a_stop_is_acknowledged_all_the_same(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, ana = await form(stage), stage.member(Person(stage, "Ana"))
    begun = asyncio.Event()

    async def never(_: Any) -> Any:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(stage.up.app, "submit", never)
    [ports] = (await ana.looks_up(view, "search:topic", "ports"))[:1]
    came = ana.begins_to_fill(view, {"topic": ports})
    await begun.wait()
    bot = stage.up.slack
    assert bot is not None
    await bot._doing.give_up()
    await stage.world.until(lambda: came.delivery.acked or came.delivery.failure)
    assert not came.delivery.failure
    assert not view.is_open


async def test_what_is_wrong_in_a_form_that_could_wait_no_longer_is_told_outside(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, ana = await form(stage), stage.member(Person(stage, "Ana"))
    begun, may_end, submit = asyncio.Event(), asyncio.Event(), stage.up.app.submit

    async def slowly(submission: Any) -> Any:
        begun.set()
        await may_end.wait()
        return await submit(submission)

    monkeypatch.setattr(stage.up.app, "submit", slowly)
    [ports] = (await ana.looks_up(view, "search:topic", "ports"))[:1]
    came = ana.begins_to_fill(view, {"topic": ports, "count": "0"})
    await begun.wait()
    stage.clock.move(2)
    await stage.world.until(lambda: came.delivery.acked)
    assert not came.errors
    may_end.set()
    await stage.world.until(lambda: came.has_modal or came.private)
    shown = came.modal.text if came.has_modal else came.private[-1].text
    assert "“0” is no number of questions" in shown
    await stage.settle()


async def test_a_topic_that_there_is_not_is_told_in_the_form(stage: SlackStage) -> None:
    view, ana = await form(stage), stage.member(Person(stage, "Ana"))
    typed = (await ana.looks_up(view, "search:topic", "quantum"))[-1]
    came = await ana.fills(view, {"topic": typed})
    assert came.errors == {"topic": "I know no quiz “quantum”."}


async def test_a_form_asks_for_practice_too(stage: SlackStage) -> None:
    view, ana = await form(stage), stage.member(Person(stage, "Ana"))
    [ports] = (await ana.looks_up(view, "search:topic", "ports"))[:1]
    came = ana.begins_to_fill(view, {"topic": ports, "mode": "solo"})
    assert "Question 1 of 3" in stage.read(await came.until_private()).text
    await stage.settle()
    assert stage.place.messages == []


@pytest.mark.parametrize("error", ["expired_trigger_id", "exchanged_trigger_id"])
async def test_a_form_that_opened_too_late_leaves_a_button(stage: SlackStage, error: str) -> None:
    stage.world.fail_next("views.open", error)
    ana = stage.member(Person(stage, "Ana"))
    came = ana.begins_to_type("/quiz", stage.place)
    message: Message = await came.until_private()
    again = ana.begins_to_press(message, "Start a quiz")
    await again.until(lambda: again.has_modal)
    assert again.modal.title == "Start a quiz"
    await stage.settle()


# --- where the bot is not ----------------------------------------------------------------------


async def test_in_a_private_channel_without_the_bot_it_says_how_to_bring_it_in(
    stage: SlackStage,
) -> None:
    ana = stage.member(Person(stage, "Ana"))
    secret = stage.workspace.channel("secret", creator=ana, private=True, with_bot=False)
    came = ana.begins_to_type("/quiz ports", secret)
    said = stage.read(await came.until_private())
    said.says("I am not in this channel: bring me in with /invite @quizbot, then ask again.")
    solo = ana.begins_to_press(came.private[-1], "Play it alone")
    assert "Question 1 of 3" in stage.read(await solo.until_private()).text
    await stage.settle()
    secret.invites_bot(ana)
    await stage.world.until(lambda: stage.bot.is_idle)
    came = ana.begins_to_type("/quiz ports", secret)
    assert "Ports begins here." in stage.read(await came.until_private()).text
    await stage.settle()
    assert len(secret.messages) == 1


async def test_in_a_public_channel_it_need_not_be_a_member(stage: SlackStage) -> None:
    ana = stage.member(Person(stage, "Ana"))
    open_ = stage.workspace.channel("open", creator=ana, with_bot=False)
    came = ana.begins_to_type("/quiz ports", open_)
    assert "Ports begins here." in stage.read(await came.until_private()).text
    await stage.settle()
    assert len(open_.messages) == 1


async def test_between_people_it_only_plays_alone(stage: SlackStage) -> None:
    ana, ben = stage.member(Person(stage, "Ana")), stage.member(Person(stage, "Ben"))
    for others in (stage.workspace.group(ana, ben), stage.workspace.group(
        ana, ben, stage.member(Person(stage, "Cleo"))
    )):  # fmt: skip
        came = ana.begins_to_type("/quiz ports", others)
        said = stage.read(await came.until_private())
        said.says("I am not part of this conversation")
        said.offers("Play it alone")
        await stage.settle()


async def test_in_messages_with_the_bot_a_quiz_can_begin(stage: SlackStage) -> None:
    ana = stage.member(Person(stage, "Ana"))
    came = ana.begins_to_type("/quiz ports 1", ana.dm)
    assert "Ports begins here." in stage.read(await came.until_private()).text
    await stage.settle()
    assert "question 1 of 1" in ana.dm.last.text
    # What is answered there is the workspace's.
    came = ana.begins_to_press(ana.dm.last, "A")
    await came.until_private()
    await stage.settle()
    (await Person(stage, "Ana").types("/answers")).says("1. On which port does")
