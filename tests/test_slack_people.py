"""Who may do what on Slack, under which name, and in whose language."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import stand_in_slack_people as people
from conversation import Person, pass_time
from quizzes import right, wrong
from slack_stage import SlackStage, on_slack
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection
from stand_in_slack_channels import Channel
from stand_in_slack_messages import Message

from bot.store.addresses import StoreUnavailable

ONLY_ORGANISERS = "Only organisers can change how quizbot behaves here."


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[SlackStage]:
    async with on_slack(tmp_path) as stage:
        yield stage


async def types(
    stage: SlackStage, person: people.Person, text: str, channel: Channel | None = None
) -> Message:
    came = person.begins_to_type(text, channel or stage.place)
    message = await came.until_private()
    await stage.settle()
    return message


async def presses(stage: SlackStage, person: people.Person, on: Message, label: str) -> Message:
    came = person.begins_to_press(on, label)
    message = await came.until_private()
    await stage.settle()
    return message


# --- organisers --------------------------------------------------------------------------------


async def test_admins_and_owners_may_change_the_settings_and_nobody_else(
    stage: SlackStage,
) -> None:
    admin = stage.workspace.person("Olga", admin=True)
    owner = stage.workspace.person("Otto", owner=True)
    for person, may in ((admin, True), (owner, True), (stage.workspace.person("Ana"), False)):
        said = (await types(stage, person, "/quiz settings")).text
        assert ("Time zone" in said) is may
        assert (ONLY_ORGANISERS in said) is not may


async def test_who_is_named_in_the_settings_may_change_them(stage: SlackStage) -> None:
    olga, ana = Person(stage, "Olga", organiser=True), Person(stage, "Ana")
    stage.member(ana)
    await olga.types("/settings")
    await olga.presses_told("Organisers")
    await olga.fills(organisers="Ana")
    (await ana.types("/settings")).says("Time zone")
    (await Person(stage, "Ben").types("/settings")).says(ONLY_ORGANISERS)


async def test_who_may_do_what_is_waited_for_and_not_for_ever(stage: SlackStage) -> None:
    olga = stage.workspace.person("Olga", admin=True)
    hold = stage.world.hold("users.info")
    came = olga.begins_to_type("/quiz settings", stage.place)
    await stage.world.until(lambda: came.delivery.acked and hold.arrived.is_set())
    assert not came.private
    stage.clock.move(2)
    assert ONLY_ORGANISERS in (await came.until_private()).text
    hold.release()
    await stage.settle()
    assert "Time zone" in (await types(stage, olga, "/quiz settings")).text


async def test_a_guest_of_another_team_is_nobodys_admin_here(stage: SlackStage) -> None:
    other = stage.world.workspace("Elsewhere", installed=False)
    boss = other.person("Boss", owner=True)
    shared = stage.workspace.channel("shared", shared_with=(other,))
    shared.members.add(boss)
    question = await begun(stage, shared)
    assert "Next" not in (await presses(stage, boss, question, "More")).labels


# --- who leads a channel -----------------------------------------------------------------------


async def begun(stage: SlackStage, channel: Channel) -> Message:
    """A question in a channel, begun by somebody who leads nothing."""
    zoe = stage.workspace.person("Zoe")
    channel.members.add(zoe)
    await types(stage, zoe, "/quiz ports", channel)
    return channel.last


async def test_who_made_a_channel_leads_its_quizzes_and_changes_nothing_else(
    stage: SlackStage,
) -> None:
    ana, ben = stage.workspace.person("Ana"), stage.workspace.person("Ben")
    team = stage.workspace.channel("team", creator=ana)
    team.members.add(ben)
    question = await begun(stage, team)
    assert "Next" not in (await presses(stage, ben, question, "More")).labels
    assert "Next" in (await presses(stage, ana, question, "More")).labels
    assert ONLY_ORGANISERS in (await types(stage, ana, "/quiz settings", team)).text


async def test_who_invited_the_bot_leads_there_also_after_a_restart(stage: SlackStage) -> None:
    ana = stage.workspace.person("Ana")
    team = stage.workspace.channel("team", with_bot=False)
    team.members.add(ana)
    team.invites_bot(ana)
    await stage.settle()
    await stage.restart()
    question = await begun(stage, team)
    assert "Next" in (await presses(stage, ana, question, "More")).labels


async def test_admins_can_turn_that_off(stage: SlackStage) -> None:
    olga = Person(stage, "Olga", organiser=True)
    (await olga.types("/settings")).says("Who made a channel, or invited me there")
    await olga.presses_told("Channel leaders")
    (await olga.fills(leaders="off")).says("organises its quizzes: no")
    ana = stage.workspace.person("Ana")
    team = stage.workspace.channel("team", creator=ana)
    question = await begun(stage, team)
    assert "Next" not in (await presses(stage, ana, question, "More")).labels


# --- names and languages -----------------------------------------------------------------------


async def test_an_answer_waits_for_nobodys_name(stage: SlackStage) -> None:
    await Person(stage, "Olga", organiser=True).types("/quiz ports 1")
    ines = stage.workspace.person("Inès Dupont", locale="fr-FR")
    hold = stage.world.hold("users.info")
    question = stage.place.last
    letter = stage.read(question).letter_of(right(stage.read(question)))
    came = ines.begins_to_press(question, letter)
    assert "Right, 10 points" in (await came.until_private()).text
    await hold.arrived.wait()
    hold.release()
    await stage.settle()
    await pass_time(stage, 50)
    # By then it is known, also on what was answered before.
    result = stage.place.last
    assert "1. Inès Dupont: 10" in stage.read(result).text
    assert "C’est juste" in (await presses(stage, ines, stage.place.main[0], "Explain to me")).text


async def test_a_name_is_asked_for_once_and_again_when_it_has_changed(stage: SlackStage) -> None:
    ana = stage.workspace.person("Ana")
    for _ in range(3):
        await types(stage, ana, "/quiz help")
    assert len(stage.world.called("users.info")) == 1
    ana.name = "Anna"
    stage.workspace.event({"type": "user_change", "user": {"id": ana.id}})
    await stage.world.until(lambda: stage.bot.is_idle)
    await types(stage, ana, "/quiz help")
    assert len(stage.world.called("users.info")) == 2


async def test_nobody_is_called_by_their_handle_who_was_called_by_their_name(
    stage: SlackStage,
) -> None:
    ines = stage.workspace.person("Inès Dupont")
    await types(stage, ines, "/quiz ports 1")
    await stage.restart()
    hold = stage.world.hold("users.info")
    question = stage.read(stage.place.last)
    came = ines.begins_to_press(stage.place.last, question.letter_of(right(question)))
    await came.until_private()
    await hold.arrived.wait()
    names = await stored(stage, "select name from persons")
    hold.release()
    await stage.settle()
    assert names == ["Inès Dupont"]


async def test_whose_name_shows_nothing_stands_on_a_board_by_their_handle(
    stage: SlackStage,
) -> None:
    ana = stage.workspace.person("\u200b\u2060")
    ana.handle = "ana"
    await types(stage, ana, "/quiz ports 1")
    question = stage.place.last
    letter = stage.read(question).letter_of(right(stage.read(question)))
    for _ in range(2):
        await ana.begins_to_press(question, letter).until_private()
        await stage.settle()
    assert await stored(stage, "select name from persons") == ["ana"]


async def test_no_name_on_a_board_calls_anybody(stage: SlackStage) -> None:
    tricky = stage.workspace.person("<!channel> *bold* <@U1>")
    await types(stage, tricky, "/quiz ports 1")
    question = stage.place.last
    letter = stage.read(question).letter_of(right(stage.read(question)))
    came = tricky.begins_to_press(question, letter)
    await came.until_private()
    await stage.settle()
    await pass_time(stage, 50)
    assert "<!channel> *bold* <@U1>: 10" in stage.read(stage.place.last).text


# --- Slack Connect and Grid --------------------------------------------------------------------


async def test_a_guest_stands_on_this_channels_board_under_their_own_team(
    stage: SlackStage,
) -> None:
    other = stage.world.workspace("Elsewhere", installed=False)
    guest = other.person("Guest")
    shared = stage.workspace.channel("shared", shared_with=(other,))
    ana = stage.workspace.person("Ana")
    shared.members |= {guest, ana}
    await types(stage, ana, "/quiz ports 1", shared)
    letter = stage.read(shared.last).letter_of(right(stage.read(shared.last)))
    verdict = await presses(stage, guest, shared.last, letter)
    assert "Right, 10 points" in verdict.text
    await pass_time(stage, 50)
    board = await types(stage, ana, "/quiz leaderboard", shared)
    assert "1. Guest (1 of 1): 10" in stage.read(board).text
    where = "select external_id from persons where name = 'Guest'"
    assert await stored(stage, where) == [f"{other.id}:{guest.id}"]


async def test_on_grid_people_are_known_by_their_organisation(tmp_path: Path) -> None:
    async with on_slack(tmp_path) as stage:
        stage.workspace.enterprise = stage.world.enterprise("Org")
        ana = stage.workspace.person("Ana")
        stage.place.members.add(ana)
        await types(stage, ana, "/quiz ports 1")
        letter = stage.read(stage.place.last).letter_of(right(stage.read(stage.place.last)))
        assert "Right, 10 points" in (await presses(stage, ana, stage.place.last, letter)).text
        assert "1. On which port" in (await types(stage, ana, "/quiz answers")).text
        known = await stored(stage, "select external_id from persons")
        assert known == [f"{stage.workspace.enterprise.id}:{ana.id}"]


async def test_who_joins_an_organisation_with_their_workspace_keeps_what_is_theirs(
    stage: SlackStage,
) -> None:
    ana = stage.workspace.person("Ana")
    team = stage.workspace.channel("team", with_bot=False)
    team.members.add(ana)
    team.invites_bot(ana)
    await types(stage, ana, "/quiz language fr", team)
    await types(stage, ana, "/quiz ports 1 off", team)
    question = stage.read(team.last)
    await presses(stage, ana, team.last, question.letter_of(right(question)))
    stage.workspace.enterprise = stage.world.enterprise("Org")
    assert "Suivant" in (await presses(stage, ana, team.last, "More")).labels
    stage.clock.move(1)
    again = await presses(stage, ana, team.last, question.letter_of(wrong(question)))
    assert "déjà" in again.text
    known = await stored(stage, "select external_id from persons where same_as is null")
    assert known == [f"{stage.workspace.enterprise.id}:{ana.id}"]
    board = await types(stage, ana, "/quiz leaderboard", team)
    assert "10" in board.text


async def stored(stage: SlackStage, query: str) -> list[str]:
    async def read(connection: AsyncConnection) -> list[str]:
        return [str(row[0]) for row in await connection.execute(text(query))]

    return await stage.up.parts.store.read(read)


async def test_what_was_known_an_hour_ago_holds_until_it_is_asked_anew(stage: SlackStage) -> None:
    ines = stage.workspace.person("Inès", locale="fr-FR")
    await types(stage, ines, "/quiz ports off")
    question = stage.place.last
    stage.clock.move(2 * 3600)
    await stage.settle()
    came = ines.begins_to_press(question, "A")
    assert "Langue" in str((await came.until_private()).labels)
    await stage.settle()
    assert len(stage.world.called("users.info")) == 2


async def test_a_restart_forgets_nobodys_language(stage: SlackStage) -> None:
    ines = stage.workspace.person("Inès", locale="fr-FR")
    await types(stage, ines, "/quiz ports off")
    await stage.restart()
    hold = stage.world.hold("users.info")
    came = ines.begins_to_press(stage.place.last, "A")
    assert "Langue" in str((await came.until_private()).labels)
    await hold.arrived.wait()
    hold.release()
    await stage.settle()


async def test_what_is_learnt_while_the_database_is_away_is_kept_when_it_is_back(
    stage: SlackStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away(*_: Any) -> Any:
        raise StoreUnavailable("the database is away")

    ines = stage.workspace.person("Inès", locale="fr-FR")
    await types(stage, ines, "/quiz ports off")
    ines.name = "Inès Dupont"
    stage.workspace.event({"type": "user_change", "user": {"id": ines.id}})
    await stage.world.until(lambda: stage.bot.is_idle)
    stage.clock.move(60)
    with monkeypatch.context() as outage:
        for way in ("read", "write", "record"):
            outage.setattr(stage.up.parts.store, way, away)
        assert "database is away" not in (await types(stage, ines, "/quiz answers")).text
    assert "could not be handled" not in caplog.text
    await types(stage, ines, "/quiz answers")
    assert await stored(stage, "select name from persons") == ["Inès Dupont"]


async def test_who_changes_what_they_do_is_told_in_their_language_as_before(
    stage: SlackStage,
) -> None:
    ines = stage.workspace.person("Inès", locale="fr-FR")
    await types(stage, ines, "/quiz ports off")
    question = stage.place.last
    stage.workspace.event({"type": "user_change", "user": {"id": ines.id}})
    await stage.world.until(lambda: stage.bot.is_idle)
    came = ines.begins_to_press(question, "A")
    assert "Langue" in str((await came.until_private()).labels)
    await stage.settle()
    assert len(stage.world.called("users.info")) == 2


async def test_who_made_a_channel_leads_it_also_when_it_was_renamed(stage: SlackStage) -> None:
    ana = stage.workspace.person("Ana")
    team = stage.workspace.channel("team", creator=ana)
    question = await begun(stage, team)
    await presses(stage, ana, question, "More")
    team.name = "squad"
    renamed = {"id": team.id, "name": team.name, "created": 1_700_000_000}
    stage.workspace.event({"type": "channel_rename", "channel": renamed}, team)
    await stage.world.until(lambda: stage.bot.is_idle)
    hold = stage.world.hold("conversations.info")
    came = ana.begins_to_press(question, "More")
    await hold.arrived.wait()
    stage.clock.move(2)
    assert "Next" in (await came.until_private()).labels
    hold.release()
    await stage.settle()


async def test_a_board_of_direct_messages_is_not_called_a_channels(stage: SlackStage) -> None:
    ana = stage.workspace.person("Ana")
    board = await types(stage, ana, "/quiz leaderboard", stage.workspace.direct(ana))
    assert "This conversation" in board.text
    everywhere = await presses(stage, ana, board, "Everywhere")
    assert "This conversation" in str(everywhere.labels)
    assert "channel" not in board.text + everywhere.text
