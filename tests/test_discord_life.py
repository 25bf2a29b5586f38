"""The life of the connection to Discord: what happens while it is away, and how it ends."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from child_process import HERE
from command_line import environment
from conversation import Person, newest_question, pass_time
from discord_pauses import shorten_pauses, shorten_retries
from discord_stage import DiscordStage
from discord_wire import CALLBACKS, PICTURED, POSTS, answer_slowly, press_of, send, told
from quizzes import right, write_bank, write_banks
from stand_in_discord import StandInDiscord
from stand_in_discord_guilds import Guild
from stand_in_discord_permissions import Permission

import adapters.discord.app
from adapters.discord.checkup import look
from adapters.discord.client import Account
from adapters.discord.trouble import DiscordUnavailable
from bot.commands import COMMANDS
from bot.messages import Message, Paragraph, Plain
from bot.ports import Later, Posted, Refused, Target, Unknown
from bot.store.addresses import StoreUnavailable
from bot.store.membership import known_communities

HOUR = 3600


def new_stage(folder: Path, **settings: str) -> DiscordStage:
    database = f"sqlite:///{folder / 'quizbot.db'}"
    return DiscordStage(database, [write_banks(folder / "banks")], **settings)


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_pauses(monkeypatch)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[DiscordStage]:
    stage = new_stage(tmp_path)
    await stage.start()
    yield stage
    await stage.stop()


@pytest.fixture
def ana(stage: DiscordStage) -> Person:
    return Person(stage, "Ana")


async def removed_from(stage: DiscordStage) -> set[str]:
    known = await stage.up.parts.store.read(lambda c: known_communities(c, "discord"))
    return {one.external_id for one in known if one.removed}


async def until_removed_from(stage: DiscordStage, *guilds: Guild) -> None:
    async with asyncio.timeout(10):
        while await removed_from(stage) != {str(guild.id) for guild in guilds}:
            await stage.world.until(lambda: True)


async def known_in(stage: DiscordStage, name: str) -> Guild:
    """Another server in which somebody has used quizbot."""
    guild = stage.world.guild(name, with_bot=False)
    guild.invite_bot()
    channel = guild.channel("general")
    seen = await guild.member("Zoe").slash(channel, "help")
    assert seen.failed is None
    return guild


# --- coming and going while nobody looks -----------------------------------------------------


async def test_a_server_that_removed_the_bot_while_it_was_off_has_its_round_ended(
    stage: DiscordStage, ana: Person
):
    await ana.types("/quiz ports")
    await stage.restart(60, stage.guild.remove_bot)
    await until_removed_from(stage, stage.guild)
    posted = len(stage.world.sent(POSTS))
    await pass_time(stage, 300)
    assert len(stage.world.sent(POSTS)) == posted


async def test_a_server_that_is_only_unavailable_keeps_its_round(stage: DiscordStage, ana: Person):
    other = await known_in(stage, "Other")
    await ana.types("/quiz ports")
    question = await newest_question(stage)

    def outage() -> None:
        stage.guild.available = False
        other.remove_bot()

    await stage.restart(5, outage)
    await until_removed_from(stage, other)
    stage.guild.come_back()
    (await ana.answers(right(question), on=question)).says("Right, 10 points")


async def test_a_server_that_took_the_bot_back_while_it_was_off_is_known_to_have_it(
    stage: DiscordStage, ana: Person
):
    await ana.types("/help")
    stage.guild.remove_bot()
    await until_removed_from(stage, stage.guild)
    await stage.restart(60, stage.guild.invite_bot)
    await until_removed_from(stage)


async def test_a_removal_is_noticed_when_the_session_was_lost(stage: DiscordStage, ana: Person):
    other = await known_in(stage, "Other")
    await ana.types("/quiz ports")
    question = await newest_question(stage)
    stage.world.gateway.cut(forget=True)
    other.remove_bot()
    await stage.world.until(lambda: stage.world.gateway.log.count("identify 0/1") == 2)
    await until_removed_from(stage, other)
    (await ana.answers(right(question), on=question)).says("Right, 10 points")


async def test_a_server_that_adds_the_bot_just_as_it_connects_is_greeted_and_no_other(
    stage: DiscordStage, ana: Person
):
    await ana.types("/help")
    stage.guild.system_channel = stage.place
    new = stage.world.guild("New", with_bot=False)
    old = stage.world.guild("Old", with_bot=False)
    for guild in (new, old):
        guild.system_channel = guild.channel("lobby")
    # `Old` came while quizbot was away: at the start it looks like all the others.
    await stage.restart(5, old.invite_bot)
    new.invite_bot()
    assert new.system_channel is not None
    lobby = new.system_channel
    await stage.world.until(lambda: lobby.messages)
    assert "I run quizzes here" in stage.read(lobby.last).text
    assert stage.up.discord is not None
    await stage.up.discord.wait_until_ready()
    await stage.settle()
    assert old.system_channel is not None
    assert (old.system_channel.messages, stage.place.messages) == ([], [])


async def test_what_came_while_the_database_was_away_is_noted_when_it_is_back(
    stage: DiscordStage, ana: Person, caplog: pytest.LogCaptureFixture
):
    await ana.types("/help")
    new = stage.world.guild("New", with_bot=False)
    channel = new.system_channel = new.channel("lobby")
    assert stage.up.discord is not None
    await stage.up.discord.wait_until_ready()
    store: Any = stage.up.parts.store
    read, write = store.read, store.write

    async def away(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("The database is away.")

    store.read = store.write = away
    stage.guild.remove_bot()
    new.invite_bot()
    await stage.world.until(lambda: "noted later: The database is away." in caplog.text)
    store.read, store.write = read, write
    stage.clock.move(HOUR)
    await until_removed_from(stage, stage.guild)
    await stage.world.until(lambda: channel.messages)
    assert not any(record.exc_info for record in caplog.records)


async def test_whoever_uses_it_where_it_was_thought_to_be_gone_proves_that_it_is_there(
    stage: DiscordStage, ana: Person
):
    await ana.types("/help")
    assert stage.up.discord is not None
    await stage.up.discord.wait_until_ready()
    # As if the news of its return got lost.
    gone = {"id": str(stage.guild.id)}
    stage.world.emit("GUILD_DELETE", gone, guild=stage.guild.id)
    await until_removed_from(stage, stage.guild)
    (await ana.types("/help")).says("/quiz")
    assert await removed_from(stage) == set()


async def test_a_process_says_nothing_of_servers_that_another_one_serves(tmp_path: Path):
    stage = new_stage(tmp_path, QUIZBOT_SHARD_COUNT="2")
    stage.clock.move(0.001)
    other = stage.world.guild("Other")
    channel = other.channel("general")
    await stage.start()
    await stage.world.until(lambda: len(stage.world.gateway.connected) == 2)
    assert stage.world.gateway.log == ["identify 0/2", "identify 1/2"]
    assert stage.up.discord is not None
    await stage.up.discord.wait_until_ready()
    assert stage.up.discord.is_open
    ana = Person(stage, "Ana")
    (await ana.types("/help")).says("/quiz")
    bo = other.member("Bo")
    assert (await bo.slash(channel, "help")).failed is None
    mine, its = sorted([stage.guild, other], key=lambda guild: (guild.id >> 22) % 2)
    stage.settings = stage.settings.model_copy(update={"shard_ids": (0,)})

    def both_leave() -> None:
        mine.remove_bot()
        its.remove_bot()

    await stage.restart(1, both_leave)
    await until_removed_from(stage, mine)
    await stage.stop()


# --- what discord.py cannot read -------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("CHANNEL_CREATE", {"id": "7", "type": 13, "name": "without the rest"}),
        ("CHANNEL_UPDATE", {"id": "no number"}),
        ("GUILD_CREATE", {"id": "7", "name": "without the rest", "roles": [{}]}),
        ("GUILD_DELETE", {}),
        ("GUILD_ROLE_CREATE", {"role": None}),
        ("INTERACTION_CREATE", {"id": "7", "type": 2}),
        ("THREAD_LIST_SYNC", None),
    ],
)
async def test_news_that_cannot_be_read_are_logged_and_skipped_and_people_play_on(
    stage: DiscordStage,
    ana: Person,
    caplog: pytest.LogCaptureFixture,
    event: str,
    payload: dict[str, Any],
):
    await ana.types("/quiz ports")
    question = await newest_question(stage)
    if isinstance(payload, dict):
        payload = {"guild_id": str(stage.guild.id), **payload}
    assert stage.up.discord is not None
    await stage.up.discord.wait_until_ready()
    stage.world.emit(event, payload, guild=stage.guild.id)
    await stage.world.until(lambda: "cannot be read; it is skipped" in caplog.text)
    (await ana.answers(right(question), on=question)).says("Right, 10 points")
    assert stage.up.discord.is_open
    assert stage.world.gateway.log == ["identify 0/1"]


async def test_every_kind_of_channel_may_be_made_while_people_play(
    stage: DiscordStage, ana: Person, caplog: pytest.LogCaptureFixture
):
    for kind in (0, 2, 4, 5, 13, 14, 15, 16):
        stage.guild.channel(f"kind {kind}", kind)
    (await ana.types("/help")).says("/quiz")
    assert "cannot be read" not in caplog.text


async def test_where_something_else_answers_in_discords_stead_it_is_asked_again(
    stage: DiscordStage, ana: Person, caplog: pytest.LogCaptureFixture
):
    stage.world.fail_next("GET /gateway/bot", status=200)
    beginning = asyncio.create_task(stage.restart())
    await stage.world.until(lambda: "no connection to Discord" in caplog.text)
    assert stage.up.discord is not None
    assert not stage.up.discord.is_open
    stage.clock.move(5)
    await beginning
    (await ana.types("/help")).says("/quiz")


@pytest.mark.parametrize("text", ["{", '{"op": 10, "d": null}'])
async def test_a_connection_that_says_what_nobody_understands_is_begun_anew(
    stage: DiscordStage, ana: Person, text: str
):
    await ana.types("/quiz ports")
    question = await newest_question(stage)
    discord = stage.up.discord
    assert discord is not None
    stage.world.gateway.say(text)
    await stage.world.until(lambda: not discord.is_open)
    await stage.world.until(lambda: stage.world.gateway.log.count("identify 0/1") == 2)
    await stage.world.until(lambda: discord.is_open)
    (await ana.answers(right(question), on=question)).says("Right, 10 points")


async def test_a_connection_that_does_not_say_who_the_bot_is_is_not_open_and_is_begun_anew(
    stage: DiscordStage, ana: Person
):
    discord = stage.up.discord
    assert discord is not None
    stage.world.gateway.greet_emptily(1)
    stage.world.gateway.cut(forget=True)
    await stage.world.until(lambda: stage.world.gateway.log.count("identify 0/1") == 2)
    await stage.world.until(lambda: not discord.is_open)
    await stage.world.until(lambda: stage.world.gateway.log.count("identify 0/1") == 3)
    await stage.world.until(lambda: discord.is_open)
    (await ana.types("/help")).says("/quiz")


# --- commands in one scope -------------------------------------------------------------------


def take(stage: DiscordStage, guild: int | None) -> None:
    stage.settings = stage.settings.model_copy(update={"discord_guild": guild})


async def test_commands_stand_in_one_scope_whatever_the_settings_were_before(stage: DiscordStage):
    everywhere, here = None, stage.guild.id
    theirs: dict[str, Any] = {"id": "7", "type": 1, "name": "somebody-elses", "description": "x"}
    theirs |= {"application_id": str(stage.world.application_id), "version": "7"}
    theirs |= {"default_member_permissions": None}
    stage.world.commands[everywhere].append(dict(theirs))
    take(stage, here)
    await stage.restart()
    await stage.world.until(lambda: stage.world.commands[everywhere] == [theirs])
    assert len(stage.world.commands[here]) == len(COMMANDS)
    take(stage, None)
    await stage.restart()
    await stage.world.until(lambda: not stage.world.commands[here])
    assert len(stage.world.commands[everywhere]) == len(COMMANDS)


async def tell_twice(stage: DiscordStage) -> int:
    """The server has all commands of its own too, since the start looked there. How many."""
    there = f"/guilds/{stage.guild.id}/commands"
    await stage.world.until(
        lambda: any(one.path.endswith(there) and one.status for one in stage.world.requests)
    )
    told = [{**one, "guild_id": str(stage.guild.id)} for one in stage.world.commands[None]]
    stage.world.commands[stage.guild.id] = told
    return len(told)


async def test_a_command_that_is_one_too_many_is_taken_away_when_it_is_used(stage: DiscordStage):
    await tell_twice(stage)
    assert (await stage.guild.member("Bo").slash(stage.place, "help")).failed is None
    await stage.world.until(lambda: not stage.world.commands[stage.guild.id])


async def test_the_doctor_sees_commands_that_stand_twice(stage: DiscordStage):
    number = await tell_twice(stage)
    said = [finding.what async for finding in look(Account(stage.world.token))]
    assert f"commands: {number} as they should be, everywhere" in said
    twice = f"commands: {number} stand in server {stage.guild.id} too, and people see them twice"
    assert twice in said


# --- what is suggested -----------------------------------------------------------------------


async def suggested(stage: DiscordStage) -> list[dict[str, Any]]:
    bo = stage.guild.member("Bo")
    return await bo.autocomplete(stage.place, "quiz", "topic", "por")


@pytest.mark.parametrize("trouble", [StoreUnavailable("It is away."), RuntimeError("a bug")])
async def test_where_suggesting_fails_nothing_is_suggested_and_one_line_says_so(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture, trouble: Exception
):
    app: Any = stage.up.app

    def fail(*_: Any) -> Any:
        raise trouble

    app._desk.suggest = fail
    assert await suggested(stage) == []
    assert await suggested(stage) == []
    logged = [one for one in caplog.records if one.levelno >= logging.ERROR]
    assert [one.name for one in logged] == ["bot.app"]


async def test_suggestions_that_take_too_long_are_none(stage: DiscordStage):
    app: Any = stage.up.app

    async def never(*_: Any) -> Any:
        await asyncio.Event().wait()

    app.suggest = never
    asking = asyncio.create_task(suggested(stage))
    await stage.clock.next_wait()
    stage.clock.move(2.5)
    assert await asking == []


async def test_suggestions_that_discord_wants_no_more_are_no_trouble(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture
):
    stage.world.fail_next(CALLBACKS, status=404, code=10062)
    bo = stage.guild.member("Bo")
    asking = asyncio.create_task(bo.autocomplete(stage.place, "quiz", "topic", "por"))
    await stage.world.until(lambda: any(one.status == 404 for one in stage.world.sent(CALLBACKS)))
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]


# --- the end ---------------------------------------------------------------------------------


class Program:
    """`quizbot run` on a stand-in Discord."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def ends(self, how: signal.Signals | None = None) -> tuple[int, str]:
        """Its exit code, and what it said on standard error."""
        if how is not None:
            self._process.send_signal(how)
        async with asyncio.timeout(30):
            _, said = await self._process.communicate()
        assert self._process.returncode is not None
        return self._process.returncode, said.decode()


@asynccontextmanager
async def program(world: StandInDiscord, folder: Path, **settings: str) -> AsyncIterator[Program]:
    path = os.pathsep.join(map(str, (HERE, HERE.parent)))
    given = {"QUIZBOT_BANKS": str(write_banks(folder / "banks")), "DISCORD_TOKEN": world.token}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(HERE / "discord_program.py"),
        world.base,
        world.gateway_at,
        cwd=folder,
        env=environment(PYTHONPATH=path, **given, **settings),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        await world.until(lambda: world.gateway.connected and any(world.commands.values()), 30)
        yield Program(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (4004, "Discord no longer knows the token: copy it anew into DISCORD_TOKEN"),
        (4010, "mend QUIZBOT_SHARD_IDS and QUIZBOT_SHARD_COUNT"),
        (4011, "Discord wants quizbot to use more shards"),
        (4014, "install a newer one"),
    ],
)
async def test_where_discord_ends_it_and_nothing_else_runs_the_process_ends_with_a_sentence(
    tmp_path: Path, code: int, sentence: str
):
    async with StandInDiscord() as world, program(world, tmp_path) as running:
        world.gateway.end(code)
        exit_code, said = await running.ends()
    assert exit_code == 3
    last = said.splitlines()[-1]
    assert sentence in last
    assert "Traceback" not in said
    assert world.token not in said


async def test_where_the_room_is_open_too_it_stays_and_health_and_log_tell(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    stage = new_stage(tmp_path, QUIZBOT_ROOM="on", QUIZBOT_PORT="0")
    await stage.start()
    ending = asyncio.create_task(stage.up.wait_until_ended())
    ana = Person(stage, "Ana")
    await ana.types("/quiz ports")
    stage.world.reset_token()

    def told() -> int:
        return caplog.text.count("Discord no longer knows the token")

    await stage.world.until(lambda: told() == 1)
    assert stage.up.discord is not None
    assert not stage.up.discord.is_open
    for _ in range(60):
        # The schedule goes on, and nothing that it cannot post is lost or fills the log.
        stage.clock.move(1)
        await stage.up.parts.store.ping()
    assert not any(record.exc_info for record in caplog.records)
    stage.clock.move(HOUR)
    await stage.world.until(lambda: told() == 2)
    assert not ending.done()
    ending.cancel()
    await stage.stop()


async def test_a_stop_finishes_the_answers_in_flight(stage: DiscordStage, ana: Person):
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    press, disk = await answer_slowly(stage, ana, question)
    stopping = asyncio.create_task(stage.restart())
    # It hears nothing more; what it has heard is told.
    await stage.world.until(lambda: not stage.world.gateway.connected)
    disk.may_go.set()
    seen = await told(press)
    assert "Right, 10 points" in stage.read(seen.message).text
    await stopping


async def test_a_stop_while_the_database_hangs_says_so_once_and_breaks_nothing(
    stage: DiscordStage,
    ana: Person,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(adapters.discord.app, "_LAST_WORDS", 0.1)
    await ana.types("/quiz ports 1")
    question = await newest_question(stage)
    _, disk = await answer_slowly(stage, ana, question)
    await stage.restart()
    disk.may_go.set()
    assert "Session is closed" not in caplog.text
    assert "1 replies came too late to be told" in caplog.text


# --- the rest --------------------------------------------------------------------------------

WORDS = Message((Paragraph((Plain("Hello"),)),))


async def test_who_takes_no_direct_messages_keeps_them_from_nobody_else(stage: DiscordStage):
    surface = stage.up.discord.surface if stage.up.discord is not None else None
    assert surface is not None
    bo, cy = stage.guild.member("Bo"), stage.guild.member("Cy")
    stage.world.fail_next("POST /users/@me/channels", status=403, code=50007)
    guild = str(stage.guild.id)
    for person, kind in ((bo, Refused), (cy, Posted), (bo, Refused)):
        target = Target(guild, str(person.id), person=str(person.id))
        result = await surface.post(target, WORDS, nonce=f"to {person.name}", silent=True)
        assert isinstance(result, kind)
    assert len(stage.world.sent("POST /users/@me/channels")) == 2


async def test_what_may_stand_there_is_sent_again_only_while_discord_knows_it(stage: DiscordStage):
    surface = stage.up.discord.surface if stage.up.discord is not None else None
    assert surface is not None
    target = Target(str(stage.guild.id), str(stage.place.id))
    results = []
    for _ in range(2):
        stage.world.fail_next(POSTS, status=503, after_effect=True)
        results.append(await surface.post(target, WORDS, nonce="one", silent=True))
        stage.clock.move(HOUR)
    assert isinstance(results[0], Later)
    assert isinstance(results[1], Unknown)


async def test_it_rings_for_neither_everybody_nor_a_bots_own_role(stage: DiscordStage):
    learners, own = stage.guild.role("Learners"), stage.guild.members[stage.world.bot.id].roles[0]
    stage.guild.allow_bot(own.permissions | Permission.MENTION_EVERYONE)
    await stage.restart()
    surface = stage.up.discord.surface if stage.up.discord is not None else None
    assert surface is not None
    target = Target(str(stage.guild.id), str(stage.place.id))
    roles = (learners, stage.guild.everyone, own)
    names = [await surface.group_name(target, str(role.id)) for role in roles]
    assert names == ["Learners", None, None]


async def test_a_channel_is_reached_by_its_own_server_alone(stage: DiscordStage):
    elsewhere = stage.world.guild("Elsewhere")
    room = str(elsewhere.channel().id)
    await stage.restart()
    surface = stage.up.discord.surface if stage.up.discord is not None else None
    assert surface is not None
    assert await surface.access(Target(str(elsewhere.id), room)) is not None
    assert await surface.access(Target(str(stage.guild.id), room)) is None


async def test_where_no_file_may_be_attached_a_round_begins_and_its_pictures_are_described(
    stage: DiscordStage, ana: Person, tmp_path: Path
):
    write_bank(tmp_path / "banks", "pipes", bank=PICTURED)
    (tmp_path / "banks" / "pipes" / "pipes.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    stage.place.deny(stage.world.bot, Permission.ATTACH_FILES)
    await stage.restart()
    begun = await ana.types("/quiz pipes")
    begun.says(
        "Pipes begins here.", "I can only describe them: an admin can allow me Attach Files."
    )
    (await newest_question(stage)).says("Which pipe is full?", "Two pipes")
    assert not [one for one in stage.world.sent(POSTS) if one.status == 403]
    await ana.types("/stop")
    (await ana.types("/quiz ports 1")).does_not_say("Attach Files")


async def test_a_callback_that_discord_fails_five_times_leaves_the_answer_counted(
    stage: DiscordStage,
    ana: Person,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
):
    shorten_retries(monkeypatch)
    await ana.types("/quiz ports off 1")
    question = await newest_question(stage)
    stage.world.fail_next(CALLBACKS, status=502, times=5)
    before = len(stage.world.sent(CALLBACKS))
    send(stage, press_of(stage, ana, question, right(question)))
    await stage.world.until(lambda: len(stage.world.sent(CALLBACKS)) == before + 5)
    stage.clock.move(1)
    (await ana.answers(right(question), on=question)).says("You already answered")
    assert not any(record.exc_info for record in caplog.records)


async def test_a_start_that_discord_takes_only_later_says_when(stage: DiscordStage):
    stage.world.fail_next("GET /users/@me", status=429, retry_after=600)
    with pytest.raises(DiscordUnavailable, match="Discord asks us to wait 600 s"):
        await stage.restart()


async def test_at_debug_level_no_token_is_logged(tmp_path: Path):
    async with StandInDiscord() as world:
        guild = world.guild("Study group")
        channel = guild.channel("general")
        bo = guild.member("Bo")
        async with program(world, tmp_path, QUIZBOT_LOG="debug") as running:
            await bo.autocomplete(channel, "quiz", "topic", "por")
            await bo.slash(channel, "quiz", topic="ports", count=1)
            await world.until(lambda: channel.messages)
            world.fail_next(CALLBACKS, status=400, code=50035)
            answer = next(label for label in channel.last.labels if label.startswith("A"))
            await bo.press(channel.last, channel.last.button(answer))
            code, said = await running.ends(signal.SIGTERM)
    assert code == 0
    assert "WebSocket Event" in said
    assert world.token not in said
    assert len(world.interactions) == 3
    assert [token for token in world.interactions if token in said] == []
