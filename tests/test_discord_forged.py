"""What a forged interaction may hold: it is read without a fault, and only ids become ids."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest
from clock import START, StandingClock
from conversation import Person
from discord_stage import DiscordStage
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from quizzes import write_banks
from stand_in_discord import StandInDiscord
from stand_in_discord_channels import Channel
from stand_in_discord_interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT, Interaction
from stand_in_discord_world import GROUP

from adapters.discord import read
from adapters.discord.forms import LONGEST, values
from bot import tokens
from bot.wording.voice import Voice

ids = st.one_of(
    st.integers(0, 2**64 - 1).map(str),
    st.text(max_size=30),
    st.integers(0, 2**64 - 1),
    st.none(),
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner)
)
components = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.integers(0, 25) | anything,
            "custom_id": st.sampled_from(["organisers", "zone"]) | st.text() | anything,
            "value": anything,
            "values": st.lists(ids | anything, max_size=5) | anything,
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {"type": st.just(18), "id": st.integers()},
        optional={"component": inner | anything, "components": st.lists(inner) | anything},
    ),
)
options = st.lists(
    st.fixed_dictionaries(
        {"name": st.text(max_size=40)},
        optional={"value": anything, "focused": st.booleans() | anything, "type": st.integers()},
    ),
    max_size=4,
)
data = st.fixed_dictionaries(
    {},
    optional={
        "id": st.just("1"),
        "name": st.sampled_from(["quiz", "help"]) | anything,
        "custom_id": st.sampled_from(["a.1.b", "sf.organisers"]) | st.text() | anything,
        "options": options | st.none(),
        "values": st.lists(anything, max_size=4) | st.none(),
        "components": st.lists(components | anything, max_size=4) | anything,
        "resolved": anything,
    },
)
PLACES = ("text", "voice", "thread", "post", "dm", "group", "elsewhere")
around = st.fixed_dictionaries(
    {},
    optional={
        "locale": st.text(max_size=12),
        "guild_locale": st.text(max_size=12),
        "app_permissions": st.integers(0, 2**53).map(str),
        "context": st.sampled_from([0, 1, 2]),
        "authorizing_integration_owners": st.sampled_from([{}, {"0": "0"}, {"1": "5"}]),
    },
)
shapes = st.fixed_dictionaries(
    {
        "kind": st.sampled_from([COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT]),
        "data": st.one_of(data, st.none()),
        "around": around,
        "at": st.sampled_from(PLACES),
        "has_member": st.booleans(),
        "channel": st.sampled_from([{}, {"name": None}, {"type": 99}, None]),
    }
)


EMPTY: dict[str, Any] = {}


class World(StandInDiscord):
    """A server that is never connected to, and a client that hears of nothing but payloads."""

    def __init__(self) -> None:
        super().__init__(now=StandingClock().now)
        here, elsewhere = self.guild("Study group"), self.guild("Elsewhere", with_bot=False)
        self.ana = here.member("Ana")
        elsewhere.members[self.ana.id] = here.members[self.ana.id]
        self.places = {
            "text": here.channel("general"),
            "voice": here.voice(),
            "thread": here.channel("talk").thread("Ports"),
            "post": here.forum("help").thread("Ports"),
            "dm": self.ana.dm,
            "group": Channel(self, GROUP, "x", recipients=[self.ana]),
            "elsewhere": elsewhere.channel(),
        }
        client = discord.Client(intents=discord.Intents(guilds=True))
        self.state: Any = client._connection
        self.state.user = discord.ClientUser(state=self.state, data=self.bot.payload())  # type: ignore[arg-type]

    def heard(
        self,
        kind: int,
        data: dict[str, Any] | None,
        at: str = "text",
        *,
        around: dict[str, Any] | None = None,
        has_member: bool = True,
        channel: dict[str, Any] | None = EMPTY,
    ) -> discord.Interaction:
        """A payload with parts of it in another way, or left out; `channel` None is none."""
        owners = {"0": str(place.guild.id)} if (place := self.places[at]).guild else {"0": "0"}
        payload: Any = Interaction(self, self.ana, place, kind, data or {}, owners).payload()
        payload |= {"data": data, **(around or {})}
        if not has_member:
            payload.pop("member", None)
            payload.pop("user", None)
        if channel is None:
            del payload["channel"]
        else:
            payload["channel"] |= channel
        return discord.Interaction(data=payload, state=self.state)


@pytest.fixture(scope="module")
def world() -> World:
    return World()


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=300)
@given(shape=shapes)
def test_whatever_is_in_an_interaction_is_read_and_bounded(world: World, shape: dict[str, Any]):
    interaction = world.heard(**shape)
    if not read.is_whole(interaction):
        return
    who, where = read.who(interaction), read.where(interaction)
    assert who.id == str(world.ana.id)
    assert where.community in (str(interaction.guild_id), f"user:{who.id}")
    assert where.personal == (where.community == f"user:{who.id}")
    assert where.place.isdigit()
    assert not (where.personal and who.organiser)
    assert Voice.of(who.locale or "").phrase("Language")
    command = read.command(interaction, "dev-")
    assert all(len(text) <= LONGEST for text in (command.name, *command.options.values()))
    click = read.click(interaction, START + timedelta(seconds=1))
    assert all(isinstance(text, str) for text in (click.token, *click.values))
    tokens.read(click.token)
    entered = read.submission(interaction).values
    assert all(len(text) <= LONGEST for text in entered.values())
    read.typing(interaction, "dev-")


@settings(max_examples=200)
@given(picked=st.lists(ids, max_size=40), kind=st.sampled_from([5, 6, 7, 8]))
def test_of_people_and_channels_only_ids_are_taken(picked: list[Any], kind: int):
    field = {"type": kind, "custom_id": "organisers", "values": picked}
    [entered] = values([{"type": 18, "component": field}]).values()
    taken = entered.split(",") if entered else []
    assert all(part.isascii() and part.isdigit() and len(part) <= 20 for part in taken)
    assert len(taken) <= 25


def test_a_form_that_is_nested_without_end_is_not_followed():
    forged: dict[str, Any] = {"type": 4, "custom_id": "zone", "value": "UTC"}
    for _ in range(5_000):
        forged = {"type": 18, "component": forged}
    assert values([forged]) == {}


def test_who_did_it_and_what_must_be_told(world: World):
    quiz = {"name": "quiz"}
    assert read.is_whole(world.heard(COMMAND, quiz))
    assert not read.is_whole(world.heard(COMMAND, quiz, has_member=False))
    assert not read.is_whole(world.heard(COMMAND, {}))
    assert not read.is_whole(world.heard(COMMAND, None))


def test_in_a_kind_of_channel_that_is_not_known_nothing_can_be_posted(world: World):
    assert read.where(world.heard(COMMAND, {"name": "quiz"})).lacking == ()
    unknown = world.heard(COMMAND, {"name": "quiz"}, channel=None)
    assert read.VIEW in read.where(unknown).lacking


# --- through the whole of it -----------------------------------------------------------------


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[DiscordStage]:
    stage = DiscordStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


@pytest.mark.parametrize("kind", [4, 7])
async def test_no_text_of_a_forged_form_becomes_an_organiser(stage: DiscordStage, kind: int):
    olga, ben = Person(stage, "Olga", organiser=True), Person(stage, "Ben")
    await olga.types("/settings")
    await olga.presses_told("Organisers")
    forged = ["everyone", "<@&1>", "", "x" * 4_000, "1" * 40, str(stage.member(ben).id)]
    entered = {"value": ",".join(forged[:3])} if kind == 4 else {"values": forged}
    field = {"type": kind, "id": 2, "custom_id": "organisers", **entered}
    data = {"custom_id": "sf.organisers", "components": [{"type": 18, "id": 1, "component": field}]}
    opened = stage._forms[olga.told.form].interaction
    sent = Interaction(
        stage.world, stage.member(olga), stage.place, SUBMIT, data, opened.owners,
        message=opened.message, opened_by=opened,
    )  # fmt: skip
    told = stage.seen(await stage.member(olga)._do(sent))
    told.says("Organisers: admins" if kind == 4 else "Organisers: admins, and 1 named here")
    told.does_not_say("2 named here", "3 named here", "named here" if kind == 4 else "everyone")


@pytest.mark.parametrize(
    "token",
    ["", "x", "a.1", "a.zzzzzzzzzzzz.b", "sa.zone.%00", "sl.0.", "lp.0.zzzzzzzzzzzz", "st.live."],
)
async def test_a_forged_press_is_told_something_kind(stage: DiscordStage, token: str):
    await Person(stage, "Ana").types("/quiz ports")
    data = {"id": 1, "component_type": 2, "custom_id": token or "?"}
    owners = {"0": str(stage.guild.id)}
    told = await stage._do(Person(stage, "Ben"), COMPONENT, data, owners, stage.place.last)
    told.does_not_say("incident")
    assert told.text
