"""What a server needs beyond a room: several places, threads, who may begin, coming and going."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from bare_stage import BareStage, seen
from conversation import Person, Seen, jump, last, newest_question, pass_time, until
from quizzes import PORTS, about, right, write_banks
from store_world import table

from bot import tokens
from bot.calls import Click, Command, Where
from bot.messages import LinkButton, Message, plain_text
from bot.ports import Abilities, Refused, Unknown

ABILITIES = Abilities(
    threads=True, several_places=True, welcomes=True, message_links=True, resend_seconds=120
)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[BareStage]:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    stage.surface.abilities = ABILITIES
    await stage.start()
    await stage.app.joined(stage.where)
    await stage.settle()
    stage.surface.posted.clear()
    stage.surface.threads.clear()
    yield stage
    await stage.stop()


def elsewhere(stage: BareStage, place: str, **more: object) -> Where:
    return replace(stage.where, place=place, place_name=place, **more)  # type: ignore[arg-type]


async def asks(stage: BareStage, person: Person, where: Where, **options: str) -> Seen:
    command = Command(stage.who(person), where, "quiz", {"topic": "ports", **options})
    told = seen(await stage.app.command(command))
    await stage.settle()
    return told


async def app_reply(stage: BareStage, person: Person, where: Where, **options: str) -> Message:
    command = Command(stage.who(person), where, "quiz", {"topic": "ports", **options})
    reply = await stage.app.command(command)
    assert isinstance(reply, Message)
    return reply


async def clicks(stage: BareStage, person: Person, where: Where, token: str, *values: str) -> Seen:
    now = stage.clock.now()
    click = Click(stage.who(person), where, token, now, now, None, True, values)
    return seen(await stage.app.click(click))


@pytest.mark.parametrize("label", ["More", "Language"])
async def test_any_press_tells_where_a_post_of_unknown_fate_stands(
    stage: BareStage, label: str
) -> None:
    stage.surface.abilities = replace(ABILITIES, resend_seconds=0)
    stage.surface.answers = [Unknown()]
    await Person(stage, "Ana").types("/quiz ports")
    presses: dict[str, tokens.Choice] = {
        "More": tokens.More(1),
        "Language": tokens.OwnLanguage(1),
    }
    ben, now = Person(stage, "Ben"), stage.clock.now()
    click = Click(
        stage.who(ben), stage.where, tokens.write(presses[label]), now, now, "lost and found"
    )
    await stage.app.click(click)
    await pass_time(stage, 47)
    assert set(stage.surface.posted) == {"lost and found"}


# --- coming and going ------------------------------------------------------------------------


async def test_a_new_server_is_welcomed_once_and_nobody_is_rung(tmp_path: Path) -> None:
    stage = BareStage(f"sqlite:///{tmp_path / 'q.db'}", [write_banks(tmp_path / "banks")])
    stage.surface.abilities = ABILITIES
    await stage.start()
    for _ in range(2):
        await stage.app.joined(stage.where)
        await stage.settle()
    [welcome] = await stage.channel()
    welcome.says("I run quizzes here", "Nothing is posted until someone asks")
    ana = Person(stage, "Ana")
    (await ana.presses("Try one question", on=welcome)).says("Question 1 of 1")
    assert len(await stage.channel()) == 1
    await stage.stop()


async def test_the_welcome_names_the_command_as_it_is_called_there(tmp_path: Path) -> None:
    stage = BareStage(f"sqlite:///{tmp_path / 'q.db'}", [write_banks(tmp_path / "banks")])
    stage.surface.abilities, stage.prefixes = ABILITIES, {"bare": "/dev-"}
    await stage.start()
    await stage.app.joined(stage.where)
    await stage.settle()
    [welcome] = await stage.channel()
    welcome.says("Nothing is posted until someone asks: /dev-quiz")
    await stage.stop()


async def test_where_no_welcome_may_be_posted_the_first_organiser_is_told(tmp_path: Path) -> None:
    stage = BareStage(f"sqlite:///{tmp_path / 'q.db'}", [write_banks(tmp_path / "banks")])
    stage.surface.abilities = ABILITIES
    await stage.start()
    await stage.app.joined(replace(stage.where, lacking=("Send Messages",)))
    await stage.settle()
    assert await stage.channel() == []
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga", organiser=True)
    (await ana.types("/help")).does_not_say("I run quizzes here")
    (await olga.types("/help")).says("I run quizzes here")
    (await olga.types("/help")).does_not_say("I run quizzes here")
    await stage.stop()


async def test_what_runs_ends_quietly_when_the_bot_is_removed_and_nothing_is_lost(
    stage: BareStage,
) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    await ana.answers(right(await newest_question(stage)))
    await stage.app.left(stage.where)
    before = len(await stage.channel())
    await jump(stage, 600)
    assert len(await stage.channel()) == before
    await stage.app.joined(stage.where)
    await stage.settle()
    (await ana.types("/leaderboard")).says("1. Ana")
    (await ana.types("/quiz water")).says("Water begins here.")


async def test_a_question_that_somebody_deleted_ends_its_round(stage: BareStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    stage.surface.edit_answers = [Refused("the message is gone", gone=True)]
    await ana.answers(right(await newest_question(stage)))
    await pass_time(stage, 2)
    (await ana.types("/stop")).says("No quiz is running here.")
    await jump(stage, 600)
    assert await stage.channel() == []


# --- who may begin, and where ----------------------------------------------------------------


async def test_organisers_may_keep_quizzes_for_everybody_to_themselves(stage: BareStage) -> None:
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Beginning a quiz")
    await olga.fills(starting="organisers")
    olga.told.says("Who may start a quiz for the group: organisers")
    (await ana.types("/quiz ports")).says("Here only organisers start a quiz for the group.")
    (await ana.presses_told("Play it alone")).says("Ports · Question 1 of 3")
    (await olga.types("/quiz ports")).says("Ports begins here.")


async def test_a_group_that_plays_in_one_channel_is_found_from_the_others(
    stage: BareStage,
) -> None:
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Beginning a quiz")
    await olga.fills(starting="everyone", channels="room")
    olga.told.says("everybody, in #room")
    told = await asks(stage, ana, elsewhere(stage, "lobby"))
    told.says("The group plays in #room.")
    told.offers("Play it alone")
    (await ana.types("/quiz ports")).says("Ports begins here.")


async def test_a_role_named_in_the_settings_makes_organisers(stage: BareStage) -> None:
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Organisers")
    await olga.fills(organisers="teachers,Ben")
    olga.told.says("Organisers: admins, and 2 named here")
    ben, ana = Person(stage, "Ben"), Person(stage, "Ana")
    (await ben.types("/settings")).says("Time zone")
    (await ana.types("/settings")).says("Only organisers can change")


async def test_what_is_missing_is_said_by_name(stage: BareStage) -> None:
    where = replace(stage.where, lacking=("Send Messages", "Embed Links"))
    told = await asks(stage, Person(stage, "Ana"), where)
    told.says("an admin can allow me Send Messages and Embed Links here.")
    told.offers("Play it alone")


async def test_in_direct_messages_there_is_practice_alone(stage: BareStage) -> None:
    where = Where("bare", "person:ana", "dm", kind="direct", personal=True)
    ana = Person(stage, "Ana")
    (await asks(stage, ana, where)).says("Ports · Question 1 of 3")
    told = await asks(stage, ana, where, mode="live")
    told.says("Here we are alone")
    told.offers("Play it alone")


async def test_on_a_server_without_the_bot_one_is_told_once_why_one_plays_alone(
    stage: BareStage,
) -> None:
    where = Where(
        "bare",
        "person:ana",
        "elsewhere",
        personal=True,
        absent="server",
        invite="https://bare.example/add",
    )
    ana, why = Person(stage, "Ana"), "quizbot is not on this server: only you see this"
    first = await app_reply(stage, ana, where)
    assert plain_text(first).count(why) == 1
    assert LinkButton("Add quizbot", "https://bare.example/add") in first.controls[-1]
    assert why not in plain_text(await app_reply(stage, ana, where))
    refused = await app_reply(stage, ana, where, mode="live")
    assert plain_text(refused).count(why) == 1
    assert LinkButton("Add quizbot", "https://bare.example/add") in refused.controls[-1]
    seen(refused).does_not_say("Here we are alone")
    seen(refused).offers("Play it alone")
    ben = await app_reply(
        stage, Person(stage, "Ben"), replace(where, community="person:ben"), mode="live"
    )
    assert plain_text(ben).count(why) == 1


async def test_in_a_conversation_without_the_bot_nobody_is_told_to_add_it(stage: BareStage) -> None:
    where = Where("bare", "person:ana", "them", kind="direct", personal=True, absent="conversation")
    told = await asks(stage, Person(stage, "Ana"), where, mode="live")
    told.says("quizbot is no part of this conversation: only you see this")
    told.does_not_say("An admin")


async def test_what_is_offered_in_direct_messages_begins_practice(stage: BareStage) -> None:
    where = Where("bare", "person:ana", "dm", kind="direct", personal=True)
    ana = Person(stage, "Ana")
    told = await asks(stage, ana, where, topic="prots")
    (await clicks(stage, ana, where, told.buttons["Start Ports"])).says("Question 1 of 3")
    listed = seen(await stage.app.command(Command(stage.who(ana), where, "quizzes")))
    (await clicks(stage, ana, where, *listed.choices["Water"])).says("Water · Question 1 of 1")


# --- languages -------------------------------------------------------------------------------


async def test_a_quiz_in_an_unknown_language_is_not_begun(stage: BareStage) -> None:
    for mode in ("live", "solo"):
        told = await asks(stage, Person(stage, "Ana"), stage.where, language="klingon", mode=mode)
        told.says("I know no language “klingon”", "Français (fr)")
    assert await stage.channel() == []


async def test_who_first_asks_for_the_languages_is_offered_them_once(stage: BareStage) -> None:
    told = await Person(stage, "Ana").types("/language")
    told.says("Only you see what you answer")
    told.offers("Hide my name")
    told.does_not_offer("Language")


async def test_a_quiz_is_asked_for_in_a_language_by_its_own_name(stage: BareStage) -> None:
    await asks(stage, Person(stage, "Ana"), stage.where, language="Français")
    (await newest_question(stage)).says("Les ports")


async def test_an_answer_is_kept_with_the_language_in_which_its_question_was_read(
    stage: BareStage,
) -> None:
    ana, ines = Person(stage, "Ana", "sn"), Person(stage, "Inès", "fr")
    expected: dict[str, list[str]] = {"Ana": [], "Inès": []}
    await asks(stage, ana, stage.where, language="fr", seconds="off")
    for number in (1, 2, 3):
        question = await newest_question(stage)
        question.says(f"question {number} sur 3")
        language = "en" if about(question) == "DNS" else "fr"  # it has no French
        await ana.answers(right(question), on=question)
        expected["Ana"].append(language)
        await ana.presses("Plus", on=question)
        await ana.presses_told("Zvinotevera")
        await pass_time(stage, 60)
    practice = await ines.types("/quiz ports solo")
    for number in (1, 2, 3):
        await ines.answers(right(practice), on=practice)
        expected["Inès"].append("en" if about(practice) == "DNS" else "fr")
        if number < 3:
            practice = await ines.presses_told("Question suivante")
    await asks(stage, ana, stage.where, topic="shells", language="en")
    copy = await ines.presses("Français", on=await newest_question(stage))
    await ines.answers("22", on=copy)
    expected["Inès"].append("fr")
    kept = [row["language"] for row in await table(stage.store, "attempts")]
    assert kept == expected["Ana"] + expected["Inès"]


async def test_a_topic_in_any_words_can_be_played_alone_from_the_reply(
    stage: BareStage, tmp_path: Path
) -> None:
    bank = PORTS.replace("tags: [shells]", "tags: [Accès à distance.]")
    (tmp_path / "banks" / "ports" / "bank.yaml").write_text(bank, encoding="utf-8")
    await stage.restart()
    ana = Person(stage, "Ana")
    lacking = replace(stage.where, lacking=("Send Messages",))
    ana.told = await asks(stage, ana, lacking, topic="accès à distance.")
    ana.told.says("an admin can allow me")
    (await ana.presses_told("Play it alone")).says("Question 1 of 1", "SSH")
    ana.told = await asks(stage, ana, stage.where, topic="acces a distanse")
    ana.told.says("Did you mean Accès à distance.?")
    (await ana.presses_told("Start Accès à distance.")).says("begins here")


# --- threads ---------------------------------------------------------------------------------


async def test_in_a_thread_the_first_question_is_the_parent_of_the_others(
    stage: BareStage,
) -> None:
    ana = Person(stage, "Ana")
    await asks(stage, ana, stage.where, thread="on")
    await ana.answers(right(await newest_question(stage)))
    await until(stage, "question 2 of 3 ·")
    await ana.answers(right(await newest_question(stage)))
    await until(stage, "question 3 of 3 ·")
    first, second, third = stage.surface.posted
    assert stage.surface.threads == {first: None, second: first, third: first}
    assert {stage.surface.threads[edited] for edited in stage.surface.edits[-1:]} == {first}


async def test_in_the_thread_its_questions_are_pressed_and_its_quiz_is_stopped(
    stage: BareStage,
) -> None:
    ana = Person(stage, "Ana")
    await asks(stage, ana, stage.where, thread="on")
    question = await newest_question(stage)
    inside = elsewhere(stage, question.id, kind="thread", parent="room")
    now = stage.clock.now()
    token = question.button(question.letter_of(right(question))) or ""
    click = Click(stage.who(Person(stage, "Ben")), inside, token, now, now, question.id)
    seen(await stage.app.click(click)).says("Right, 10 points")
    stop = Command(stage.who(ana), inside, "stop")
    seen(await stage.app.command(stop)).says("The quiz is over.")


async def test_a_community_can_ask_in_threads_by_itself(stage: BareStage) -> None:
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Threads")
    await olga.fills(threads="on")
    olga.told.says("Questions: in a thread")
    await ana.types("/quiz ports")
    await ana.answers(right(await newest_question(stage)))
    await until(stage, "question 2 of 3 ·")
    first, second = stage.surface.posted
    assert stage.surface.threads[second] == first
    (await last(stage)).says("question 2 of 3")


async def test_a_press_from_another_channel_is_a_stale_button(stage: BareStage) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    question = await newest_question(stage)
    now = stage.clock.now()
    token = next(iter(question.buttons.values()))
    click = Click(stage.who(ana), elsewhere(stage, "lobby"), token, now, now, question.id)
    seen(await stage.app.click(click)).says("This button is too old, or not from here.")
