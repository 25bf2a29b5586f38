"""For whom a daily quiz rings, and where organisers are told what they should know of it."""

from __future__ import annotations

from pathlib import Path

from conversation import Person, last, pass_time
from daily_story import pass_to, plan, set_daily
from discord_stage import DiscordStage
from quizzes import write_banks
from slack_stage import on_slack
from sqlalchemy import update
from stand_in_discord_rules import SUPPRESS_NOTIFICATIONS

from bot.store.schema import communities

POSTS = "POST /channels/{channel}/messages"
EDITS = "PATCH /channels/{channel}/messages/{message}"


def discord(folder: Path) -> DiscordStage:
    banks = write_banks(folder / "banks")
    return DiscordStage(f"sqlite:///{folder / 'quizbot.db'}", [banks])


async def test_on_discord_it_rings_for_the_one_role_that_was_chosen(tmp_path: Path) -> None:
    stage = discord(tmp_path)
    role = stage.guild.role("Learners", mentionable=True)
    await stage.start()
    try:
        await set_daily(stage, plan(mention=str(role.id)))
        await pass_to(stage, "10:00")
        sent = stage.world.sent(POSTS)[-1].json
        assert not sent.get("flags", 0) & SUPPRESS_NOTIFICATIONS
        assert sent["allowed_mentions"]["roles"] == [role.id]
        assert not sent["allowed_mentions"]["parse"]
        assert sent["components"][0]["content"] == f"<@&{role.id}>"
        await Person(stage, "Ana").answers("22")
        await pass_time(stage, 4)
        (await last(stage)).says("1 answered")
        # What is changed rings for nobody.
        assert not stage.world.sent(EDITS)[-1].json["allowed_mentions"].get("roles")
    finally:
        await stage.stop()


async def test_on_discord_a_role_that_may_not_be_mentioned_is_left_out_and_told(
    tmp_path: Path,
) -> None:
    stage = discord(tmp_path)
    role = stage.guild.role("Learners")
    await stage.start()
    try:
        await set_daily(stage, plan(mention=str(role.id)))
        await pass_to(stage, "10:00")
        assert "<@&" not in str(stage.world.sent(POSTS)[0].json["components"])
        olga = stage.member(Person(stage, "Olga", organiser=True))
        await stage.world.until(lambda: len(olga.dm.messages) == 2)
        assert any("rings for nobody" in message.text for message in olga.dm.messages)
        await pass_to(stage, "10:00", days=1)
        assert sum("rings for nobody" in message.text for message in olga.dm.messages) == 1
    finally:
        await stage.stop()


async def test_on_slack_it_rings_for_who_is_there(tmp_path: Path) -> None:
    async with on_slack(tmp_path) as stage:
        await set_daily(stage, plan(mention="here"))
        await pass_to(stage, "10:00")
        first = stage.place.messages[-1].blocks[0]
        assert first["elements"][0]["elements"] == [{"type": "broadcast", "range": "here"}]


async def test_who_set_it_is_told_in_private(tmp_path: Path) -> None:
    stage = discord(tmp_path)
    await stage.start()
    try:
        await set_daily(stage)
        await stage.restart(8 * 3600)
        olga = stage.member(Person(stage, "Olga", organiser=True))
        await stage.world.until(lambda: olga.dm.messages)
        assert "was left out: I was not there in time." in olga.dm.messages[-1].text
        assert stage.place.messages == []
    finally:
        await stage.stop()


async def test_who_cannot_be_written_to_is_told_with_the_next_reply(tmp_path: Path) -> None:
    stage = discord(tmp_path)
    await stage.start()
    try:
        await set_daily(stage)
        olga = Person(stage, "Olga", organiser=True)
        stage.member(olga).close_dm()
        await stage.restart(8 * 3600)
        (await olga.types("/quizzes")).says("was left out: I was not there in time.")
        (await olga.types("/quizzes")).does_not_say("left out")
    finally:
        await stage.stop()


async def test_organisers_are_told_in_the_channel_that_they_chose(tmp_path: Path) -> None:
    stage = discord(tmp_path)
    office = stage.guild.channel("office")
    await stage.start()
    try:
        await set_daily(stage)
        chosen = update(communities).values(organisers_place=str(office.id))
        await stage.store.write(lambda c: c.execute(chosen))
        await stage.restart(8 * 3600)
        assert "was left out: I was not there in time." in office.messages[-1].text
    finally:
        await stage.stop()


async def test_on_slack_who_set_it_is_told_in_private(tmp_path: Path) -> None:
    async with on_slack(tmp_path) as stage:
        await set_daily(stage)
        await stage.restart(8 * 3600)
        olga = stage.member(Person(stage, "Olga", organiser=True))
        said = [one for one in olga.dm.messages if "was left out" in stage.read(one).text]
        assert len(said) == 1


async def test_on_slack_an_archived_channel_is_told_as_that_and_goes_on_from_the_notice(
    tmp_path: Path,
) -> None:
    async with on_slack(tmp_path) as stage:
        await set_daily(stage)
        olga = Person(stage, "Olga", organiser=True)
        member = stage.member(olga)
        stage.place.archive(member)
        for _ in range(3):
            await pass_to(stage, "10:01", days=1)
        told = stage.read(member.dm.messages[-1])
        told.says("is paused: the channel is archived.", "press “Resume”.")
        stage.place.unarchive(member)
        resumed = await member.presses(member.dm.messages[-1], "Resume")
        stage.read(resumed.message).says("It goes on.")
        await pass_to(stage, "10:01", days=1)
        (await last(stage)).says("Today’s quiz")


async def test_on_discord_who_may_not_manage_the_server_any_more_posts_nothing_by_a_notice(
    tmp_path: Path,
) -> None:
    stage = discord(tmp_path)
    await stage.start()
    try:
        await set_daily(stage)
        await stage.restart(8 * 3600)
        olga = stage.member(Person(stage, "Olga", organiser=True))
        (notice,) = olga.dm.messages
        (button,) = notice.buttons
        stage.guild.members[olga.id].roles.remove(stage.guild.organisers)
        told = await olga.press(notice, button["custom_id"])
        stage.seen(told).says("You do not organise", "any more")
        assert stage.place.messages == []
        stage.guild.members[olga.id].roles.append(stage.guild.organisers)
        stage.seen(await olga.press(notice, button["custom_id"])).says("is on its way to")
    finally:
        await stage.stop()
