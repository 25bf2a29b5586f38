"""People whose workspace comes into an organisation, and whom Slack calls by other ids since."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import stand_in_slack_people as people
from conversation import pass_time
from quizzes import right, wrong
from slack_installing import installing
from slack_stage import SlackStage, on_slack
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection
from stand_in_slack_channels import Channel
from stand_in_slack_messages import Message
from stand_in_slack_workspaces import Enterprise

from bot.store.totals import is_consistent

ONLY_ORGANISERS = "Only organisers can change how quizbot behaves here."
EXCHANGE = "migration.exchange"


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[SlackStage]:
    async with on_slack(tmp_path) as stage:
        yield stage
        # Whatever was made one: the totals are what the answers come to.
        assert await stage.store.write(is_consistent)


async def types(
    stage: SlackStage, person: people.Person, text: str, channel: Channel | None = None
) -> Message:
    message = await person.begins_to_type(text, channel or stage.place).until_private()
    await stage.settle()
    return message


async def answers(
    stage: SlackStage, person: people.Person, on: Message, *, rightly: bool = True
) -> Message:
    question = stage.read(on)
    letter = question.letter_of(right(question) if rightly else wrong(question))
    message = await person.begins_to_press(on, letter).until_private()
    await stage.settle()
    return message


async def presses(stage: SlackStage, person: people.Person, on: Message, label: str) -> Message:
    message = await person.begins_to_press(on, label).until_private()
    await stage.settle()
    return message


def exchange_ids(stage: SlackStage) -> Enterprise:
    """The workspace comes into an organisation, and everybody there gets another id."""
    organisation = stage.world.enterprise("Org")
    organisation.takes(stage.workspace)
    return organisation


async def persons(stage: SlackStage) -> dict[str, bool]:
    """By id, whether it is a person's own and not one that leads to them."""

    async def read(connection: AsyncConnection) -> dict[str, bool]:
        query = "select external_id, same_as is null from persons order by id"
        return {row[0]: bool(row[1]) for row in await connection.execute(text(query))}

    return await stage.store.read(read)


async def test_who_gets_another_id_keeps_points_streak_and_language(stage: SlackStage) -> None:
    olga, ana = stage.workspace.person("Olga", admin=True), stage.workspace.person("Ana")
    await types(stage, ana, "/quiz language fr")
    set_up = await types(stage, olga, "/quiz daily set 09:01 UTC ports")
    await presses(stage, olga, set_up, "Save")
    await pass_time(stage, 120)
    assert "C’est juste" in (await answers(stage, ana, stage.place.last)).text
    await stage.restart(away=24 * 3600 - 90)
    await pass_time(stage, 30)
    before = ana.id
    organisation = exchange_ids(stage)
    assert ana.id != before
    await answers(stage, ana, stage.place.last)
    known = await persons(stage)
    assert known[f"{organisation.id}:{ana.id}"]
    assert not known[f"{stage.workspace.id}:{before}"]
    progress = await types(stage, ana, "/quiz progress")
    assert "2 jours" in progress.text
    board = await types(stage, ana, "/quiz leaderboard all")
    assert "Vous : rang 1 avec 20 points (réponses : 2 sur 2)" in board.text.replace("\xa0", " ")


async def test_of_answers_under_both_ids_the_first_counts(stage: SlackStage) -> None:
    ana = stage.workspace.person("Ana")
    await types(stage, ana, "/quiz ports 1 off")
    question = stage.place.last
    await answers(stage, ana, question, rightly=False)
    exchange_ids(stage)
    stage.clock.move(1)
    await answers(stage, ana, question)
    told = await answers(stage, ana, question)
    assert "You already answered A" in told.text
    board = await types(stage, ana, "/quiz leaderboard")
    assert "0 points (answered 1 of 1)" in stage.read(board).text


async def test_who_begins_by_opening_the_home_sees_what_they_had(stage: SlackStage) -> None:
    ana = stage.workspace.person("Ana")
    await types(stage, ana, "/quiz language fr")
    exchange_ids(stage)
    home = await ana.opens_home()
    assert home is not None
    await stage.settle()
    assert "Langue" in str(home.labels)


async def test_who_is_called_by_the_old_id_again_is_the_same(stage: SlackStage) -> None:
    ana = stage.workspace.person("Ana")
    await types(stage, ana, "/quiz ports 1 off")
    exchange_ids(stage)
    await answers(stage, ana, stage.place.last)
    # As where the app has Slack translate ids back.
    ana.id = ana.local_id
    stage.clock.move(1)
    again = await answers(stage, ana, stage.place.last, rightly=False)
    assert "You already answered C" in again.text
    assert list((await persons(stage)).values()).count(True) == 1


async def test_who_was_named_led_or_installed_goes_on_doing_so(stage: SlackStage) -> None:
    olga, ana = stage.workspace.person("Olga", admin=True), stage.workspace.person("Ana")
    team = stage.workspace.channel("team", with_bot=False)
    team.members |= {ana, olga}
    team.invites_bot(ana)
    settings = await types(stage, olga, "/quiz settings")
    view = (await olga.presses(settings, "Organisers")).modal
    (field,) = view.fields
    await olga.fills(view, {field["block_id"]: [ana.id]})
    await stage.settle()
    exchange_ids(stage)
    # What somebody may do is waited for, so that it holds at the first thing they do.
    assert "Time zone" in (await types(stage, ana, "/quiz settings")).text
    await stage.restart()
    assert "Time zone" in (await types(stage, ana, "/quiz settings")).text
    await types(stage, stage.workspace.person("Zoe"), "/quiz ports", stage.place)

    async def read(connection: AsyncConnection) -> list[str]:
        query = "select organisers from communities union all select brought_by from places"
        return [str(row[0]) for row in await connection.execute(text(query)) if row[0]]

    assert stage.workspace.enterprise is not None
    key = f"{stage.workspace.enterprise.id}:{ana.id}"
    assert await stage.store.read(read) == [f'["{ana.id}"]', key]


async def test_a_verdict_waits_for_no_exchange_and_people_are_asked_for_together_and_once(
    stage: SlackStage,
) -> None:
    crowd = [stage.workspace.person(f"P{number}") for number in range(30)]
    await types(stage, crowd[0], "/quiz ports 1 off")
    for person in crowd[:15]:
        await answers(stage, person, stage.place.last)
    exchange_ids(stage)
    hold = stage.world.hold(EXCHANGE)
    question = stage.read(stage.place.last)
    letter = question.letter_of(right(question))
    came = [person.begins_to_press(stage.place.last, letter) for person in crowd]
    for one in came:
        assert "Right, 10 points" in (await one.until_private()).text
    await hold.arrived.wait()
    hold.release()
    await stage.settle()
    # Who came first, and then all who had come meanwhile: for the global ids and the local ones.
    assert len(stage.world.called(EXCHANGE)) <= 6
    asked = [
        user for call in stage.world.called(EXCHANGE) for user in call.args["users"].split(",")
    ]
    assert sorted(asked) == sorted(2 * [person.id for person in crowd])
    assert list((await persons(stage)).values()).count(True) == 30
    for person in crowd[:3]:
        await types(stage, person, "/quiz help")
    assert len(stage.world.called(EXCHANGE)) <= 6


async def test_what_slack_does_not_say_is_asked_again_when_they_act_again(
    stage: SlackStage,
) -> None:
    ana = stage.workspace.person("Ana")
    await types(stage, ana, "/quiz ports 1 off")
    await answers(stage, ana, stage.place.last)
    exchange_ids(stage)
    stage.world.fail_next(EXCHANGE, error="ratelimited")
    assert "Right" in (await answers(stage, ana, stage.place.last)).text
    assert list((await persons(stage)).values()).count(True) == 2
    stage.clock.move(65)
    await types(stage, ana, "/quiz help")
    assert list((await persons(stage)).values()).count(True) == 1


async def test_a_crash_before_both_ids_are_one_loses_nothing(stage: SlackStage) -> None:
    ana = stage.workspace.person("Ana")
    await types(stage, ana, "/quiz ports 1 off")
    await answers(stage, ana, stage.place.last, rightly=False)
    exchange_ids(stage)
    hold = stage.world.hold(EXCHANGE)
    stage.clock.move(1)
    question = stage.read(stage.place.last)
    came = ana.begins_to_press(stage.place.last, question.letter_of(right(question)))
    await came.until_private()
    await hold.arrived.wait()
    await stage.restart()
    assert list((await persons(stage)).values()).count(True) == 2
    hold.release()
    await types(stage, ana, "/quiz help")
    board = await types(stage, ana, "/quiz leaderboard")
    assert "0 points (answered 1 of 1)" in stage.read(board).text


async def test_nothing_is_asked_outside_of_organisations(stage: SlackStage) -> None:
    ana = stage.workspace.person("Ana")
    await types(stage, ana, "/quiz ports 1")
    await answers(stage, ana, stage.place.last)
    assert stage.world.called(EXCHANGE) == []


async def test_one_human_in_two_workspaces_of_an_organisation_is_one(tmp_path: Path) -> None:
    async with installing(tmp_path) as stage:
        org = stage.world.enterprise("Org")
        one = stage.world.workspace("One", enterprise=org, installed=False)
        two = stage.world.workspace("Two", enterprise=org, installed=False)
        ana, ben = one.person("Ana"), two.person("Ben")
        two.admits(ana)
        one.general.members.add(ana)
        two.general.members |= {ana, ben}
        await stage.browser().installs(ana, org)
        await stage.plays(ana)
        await stage.plays(ben)
        for channel in (one.general, two.general):
            await ana.presses(channel.last, "A")
            await stage.settle()
            stage.clock.move(1)

        async def read(connection: AsyncConnection) -> list[tuple[int, int]]:
            query = (
                "select count(distinct player_id), count(*) from attempts"
                " union all select count(*), count(same_as) from persons where name = 'Ana'"
            )
            return [(row[0], row[1]) for row in await connection.execute(text(query))]

        store = stage.up.parts.store
        assert await store.read(read) == [(1, 2), (2, 1)]
        assert await store.write(is_consistent)


async def test_who_answered_under_both_ids_is_one_who_answered(stage: SlackStage) -> None:
    ana, ben = stage.workspace.person("Ana"), stage.workspace.person("Ben")
    await types(stage, ana, "/quiz ports 1 off")
    for person in (ana, ben):
        await answers(stage, person, stage.place.last)
    exchange_ids(stage)
    hold = stage.world.hold(EXCHANGE)
    question = stage.read(stage.place.last)
    came = ana.begins_to_press(stage.place.last, question.letter_of(right(question)))
    await came.until_private()
    await hold.arrived.wait()
    await stage.pass_until(lambda: "3 answered" in stage.place.last.text)
    hold.release()
    await stage.pass_until(lambda: "2 answered" in stage.place.last.text)
