"""What Discord tells of something that somebody did, copied as it is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import discord
import pytest
from clock import START, StandingClock
from stand_in_discord import StandInDiscord
from stand_in_discord_channels import Channel
from stand_in_discord_guilds import Guild
from stand_in_discord_interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT, Interaction
from stand_in_discord_messages import Message
from stand_in_discord_people import Person
from stand_in_discord_permissions import Permission
from stand_in_discord_world import GROUP

from adapters.discord import read
from bot.calls import Where


class World(StandInDiscord):
    """A server that is never connected to: what it would tell is read at once."""

    def __init__(self) -> None:
        self.clock = StandingClock()
        super().__init__(now=self.clock.now)
        self.here: Guild = self.guild("Study group", locale="fr")
        self.place: Channel = self.here.channel("general")
        self.ana: Person = self.here.member("Ana", locale="pt-BR", nick="Ana *B*")

    def told(
        self,
        kind: int,
        data: dict[str, Any],
        *,
        by: Person | None = None,
        at: Channel | None = None,
        owners: Mapping[str, str] | None = None,
        message: Message | None = None,
    ) -> discord.Interaction:
        """What discord.py makes of it."""
        at = at or self.place
        client = discord.Client(intents=discord.Intents(guilds=True))
        state: Any = client._connection
        state.user = discord.ClientUser(state=state, data=self.bot.payload())  # type: ignore[arg-type]
        for guild in self.guilds.values():
            if guild.has_bot:
                state._add_guild_from_data(guild.payload())
        owned = dict(owners or ({"0": str(at.guild.id)} if at.guild else {"0": "0"}))
        made = Interaction(self, by or self.ana, at, kind, data, owned, message=message)
        payload: Any = made.payload()
        return discord.Interaction(data=payload, state=state)


@pytest.fixture
async def world() -> World:
    return World()


def command(name: str, **options: object) -> dict[str, Any]:
    return {
        "id": "1", "name": name, "type": 1,
        "options": [{"name": key, "type": 3, "value": value} for key, value in options.items()],
    }  # fmt: skip


def test_a_command_with_its_options_as_text(world: World):
    data = command("dev-quiz", topic="pipeline", count=5, speed=True, thread=False)
    read_command = read.command(world.told(COMMAND, data), "dev-")
    assert read_command.name == "quiz"
    assert read_command.options == {
        "topic": "pipeline", "count": "5", "speed": "on", "thread": "off",
    }  # fmt: skip


def test_who_acts(world: World):
    who = read.who(world.told(COMMAND, command("quiz")))
    assert (who.platform, who.id, who.name) == ("discord", str(world.ana.id), "Ana *B*")
    assert (who.locale, who.organiser) == ("pt-BR", False)
    role = world.here.role("Teachers")
    world.here.give(world.ana, role)
    assert str(role.id) in read.who(world.told(COMMAND, command("quiz"))).groups


def test_who_may_manage_the_server_organises(world: World):
    olga = world.here.member("Olga", organiser=True)
    assert read.who(world.told(COMMAND, command("quiz"), by=olga)).organiser


def test_where_it_is(world: World):
    assert read.where(world.told(COMMAND, command("quiz"))) == Where(
        "discord", str(world.here.id), str(world.place.id), "Study group", "general", locale="fr"
    )


def test_a_thread_belongs_to_its_channel(world: World):
    for parent in (world.place, world.here.forum("help")):
        thread = parent.thread("Ports")
        where = read.where(world.told(COMMAND, command("quiz"), at=thread))
        assert (where.kind, where.parent) == ("thread", str(parent.id))
        assert (where.place, where.place_name) == (str(thread.id), "Ports")


def test_the_chat_of_a_voice_channel_is_a_channel(world: World):
    where = read.where(world.told(COMMAND, command("quiz"), at=world.here.voice()))
    assert (where.kind, where.lacking, where.personal) == ("channel", (), False)
    assert not where.takes_threads


def test_direct_messages_are_ones_own(world: World):
    for channel in (world.ana.dm, Channel(world, GROUP, "x", recipients=[world.ana])):
        where = read.where(world.told(COMMAND, command("quiz"), at=channel))
        assert (where.community, where.personal) == (f"user:{world.ana.id}", True)
        assert (where.kind, where.lacking) == ("direct", ())


def test_a_server_where_only_the_person_installed_it_is_ones_own(world: World):
    elsewhere = world.guild("Elsewhere", with_bot=False)
    olga = elsewhere.member("Olga", organiser=True)
    told = world.told(
        COMMAND, command("quiz"), by=olga, at=elsewhere.channel(), owners={"1": str(olga.id)}
    )
    where = read.where(told)
    assert (where.personal, where.community) == (True, f"user:{olga.id}")
    assert (where.kind, where.absent) == ("channel", "server")
    assert f"client_id={world.application_id}" in (where.invite or "")
    assert not read.who(told).organiser


def test_in_peoples_own_conversation_the_bot_is_no_member_and_cannot_be_added(world: World):
    group = Channel(world, GROUP, "x", recipients=[world.ana])
    told = world.told(COMMAND, command("quiz"), at=group, owners={"1": str(world.ana.id)})
    where = read.where(told)
    assert (where.kind, where.absent, where.invite) == ("direct", "conversation", None)
    with_the_bot = read.where(world.told(COMMAND, command("quiz"), at=world.ana.dm))
    assert (with_the_bot.absent, with_the_bot.invite) == ("", None)


@pytest.mark.parametrize(
    ("denied", "names"),
    [
        (Permission.VIEW_CHANNEL, ("View Channel",)),
        (Permission.SEND_MESSAGES, ("Send Messages",)),
        (Permission.EMBED_LINKS, ("Embed Links",)),
        (Permission.ATTACH_FILES, ()),
        (Permission.SEND_MESSAGES_IN_THREADS, ()),
    ],
)
def test_what_is_missing_has_discords_name_and_what_goes_with_it_is_not_blamed(
    world: World, denied: Permission, names: tuple[str, ...]
):
    world.place.deny(world.bot, denied)
    assert read.where(world.told(COMMAND, command("quiz"))).lacking == names


def test_what_threads_would_take_besides(world: World):
    world.place.deny(world.bot, Permission.CREATE_PUBLIC_THREADS)
    where = read.where(world.told(COMMAND, command("quiz")))
    assert (where.lacking, where.lacking_in_threads) == ((), ("Create Public Threads",))


def test_in_a_thread_it_takes_another_permission(world: World):
    world.place.deny(world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    where = read.where(world.told(COMMAND, command("quiz"), at=world.place.thread()))
    assert where.lacking == ("Send Messages in Threads",)


def test_a_press_is_made_when_discord_says(world: World):
    message = Message(world.new_id(), world.place, world.bot)
    data = {"component_type": 2, "custom_id": "a.1.b"}
    told = world.told(COMPONENT, data, message=message)
    click = read.click(told, START + timedelta(seconds=9))
    assert (click.token, click.message, click.values) == ("a.1.b", str(message.id), ())
    assert (click.made_at, click.received_at) == (START, START + timedelta(seconds=9))
    assert not click.on_private
    message.flags = 64
    assert read.click(world.told(COMPONENT, data, message=message), START).on_private


def test_a_choice_of_a_select(world: World):
    message = Message(world.new_id(), world.place, world.bot)
    data = {"component_type": 3, "custom_id": "sl.0.", "values": ["fr"]}
    assert read.click(world.told(COMPONENT, data, message=message), START).values == ("fr",)


def test_a_form_that_was_filled_in(world: World):
    field = {"type": 4, "id": 2, "custom_id": "zone", "value": "UTC"}
    data = {"custom_id": "sf.zone", "components": [{"type": 18, "id": 1, "component": field}]}
    submission = read.submission(world.told(SUBMIT, data))
    assert (submission.token, submission.values) == ("sf.zone", {"zone": "UTC"})


def test_what_is_being_typed(world: World):
    data = command("quiz", topic="por")
    assert read.typing(world.told(AUTOCOMPLETE, data), "") is None
    data["options"][0]["focused"] = True
    typing = read.typing(world.told(AUTOCOMPLETE, data), "")
    assert typing == read.Typing("quiz", "topic", "por")
