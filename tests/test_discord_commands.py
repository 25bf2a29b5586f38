"""The commands as Discord is told them, and what the operator is told."""

from __future__ import annotations

import asyncio
import copy
import gc
import warnings
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import stand_in_discord_description as description
from command_line import Done, own_logging
from discord_pauses import shorten_pauses
from discord_stage import DiscordStage
from quizzes import write_banks
from stand_in_discord import StandInDiscord
from stand_in_discord_command_rules import LOCALES, check_commands

from adapters.discord import commands
from adapters.discord.trouble import DiscordUnavailable, WrongToken
from adapters.main import perform
from adapters.running import running
from adapters.settings import Settings
from bot.commands import COMMANDS
from bot.wording.catalogues import languages

SPEC = description.find()


def named(name: str, prefix: str = "") -> dict[str, Any]:
    return next(one for one in commands.payloads(prefix) if one["name"] == f"{prefix}{name}")


def option(command: str, name: str) -> dict[str, Any]:
    found = (one for one in named(command)["options"] if one["name"] == name)
    return dict(next(found))


@pytest.mark.parametrize("everywhere", [True, False])
def test_discord_takes_every_command(everywhere: bool):
    told = commands.payloads("dev-", everywhere=everywhere)
    assert len(told) == len(COMMANDS)
    assert list(check_commands(told)) == []
    if SPEC is not None:
        path = "/applications/{application_id}/commands"
        assert SPEC.request("PUT", path, told) == []


def test_the_topic_is_required_comes_first_and_is_suggested():
    topic = named("quiz")["options"][0]
    assert (topic["name"], topic["required"], topic["autocomplete"]) == ("topic", True, True)
    assert "choices" not in topic
    assert not any(one["required"] for one in named("quiz")["options"][1:])


def test_options_have_their_kinds_ranges_and_choices():
    count = option("quiz", "count")
    assert (count["type"], count["min_value"], count["max_value"]) == (4, 1, 50)
    assert option("quiz", "thread")["type"] == 5
    where = option("leaderboard", "where")["choices"]
    assert [(one["name"], one["value"]) for one in where] == [
        ("This channel", "place"),
        ("Everywhere", "community"),
    ]
    for told in commands.payloads():
        for choice in (choice for one in told["options"] for choice in one.get("choices", ())):
            assert choice["name"] != choice["value"]


def test_every_text_is_in_every_locale_that_the_catalogues_cover():
    covered = {locale for tag in languages() for locale in commands.locales_of(tag)}
    assert {"en-US", "en-GB", "fr"} <= covered <= LOCALES
    for told in commands.payloads():
        for one in (told, *told["options"]):
            assert set(one["description_localizations"]) == covered
            assert set(one["name_localizations"]) == covered
            assert one["name_localizations"]["en-US"] == one["name"]
            for choice in one.get("choices", ()):
                assert set(choice["name_localizations"]) == covered
    assert option("quiz", "topic")["description_localizations"]["fr"] != "What about"
    assert commands.locales_of("sn") == ()


def test_names_are_words_of_each_language_and_none_stands_twice():
    assert named("leaderboard")["name_localizations"]["fr"] == "classement"
    assert option("leaderboard", "where")["name_localizations"]["fr"] == "où"
    solo = option("quiz", "mode")["choices"][1]
    assert (solo["value"], solo["name_localizations"]["fr"]) == ("solo", "En solo")
    told = commands.payloads()
    for beside in (told, *(one["options"] for one in told)):
        for locale in beside[0]["name_localizations"] if beside else ():
            names = [one["name_localizations"][locale] for one in beside]
            assert len(set(names)) == len(names)


def test_organisers_commands_are_for_who_may_manage_the_server():
    settings = named("settings")
    assert settings["default_member_permissions"] == 1 << 5
    assert (settings["contexts"], settings["integration_types"]) == ([0], [0])
    quiz = named("quiz")
    assert quiz["default_member_permissions"] is None
    assert (quiz["contexts"], quiz["integration_types"]) == ([0, 1, 2], [0, 1])


def test_a_prefix_stands_before_every_name():
    for one in commands.payloads("dev-"):
        names = (one["name"], *one["name_localizations"].values())
        assert all(name.startswith("dev-") for name in names)
    assert named("help", "dev-")["name_localizations"]["fr"] == "dev-aide"


def test_the_longest_prefix_cuts_no_name():
    longest = "d" * 16
    for one in commands.payloads(longest):
        for name in (one["name"], *one["name_localizations"].values()):
            assert name.removeprefix(longest) in {
                *named(one["name"].removeprefix(longest))["name_localizations"].values()
            }


def test_a_fingerprint_sees_every_change_and_nothing_that_discord_adds():
    told = commands.payloads()
    again = copy.deepcopy(told)
    for one in again:
        one |= {"id": "1", "version": "2", "nsfw": False, "application_id": "3"}
        permissions = one["default_member_permissions"]
        one["default_member_permissions"] = None if permissions is None else str(permissions)
        one["contexts"] = one["contexts"][::-1]
    assert commands.fingerprint(again[::-1]) == commands.fingerprint(told)
    again[0]["options"][0]["name_localizations"]["fr"] += "s"
    assert commands.fingerprint(again) != commands.fingerprint(told)


# --- with a stand-in -------------------------------------------------------------------------


@dataclass
class Desk:
    """A folder with settings, and Discord as far as the command line asks it."""

    discord: StandInDiscord
    capsys: pytest.CaptureFixture[str]

    async def types(self, *words: str) -> Done:
        with own_logging():
            code = await asyncio.to_thread(perform, words)
        said = self.capsys.readouterr()
        return Done(code, said.out, said.err)


@pytest.fixture
async def desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> AsyncIterator[Desk]:
    monkeypatch.chdir(tmp_path)
    async with StandInDiscord() as discord:
        monkeypatch.setenv("DISCORD_TOKEN", discord.token)
        yield Desk(discord, capsys)


async def test_the_doctor_finds_all_well(desk: Desk):
    desk.discord.guild("Study group")
    owner = str(desk.discord.application_id)
    for one in commands.payloads():
        told = {**one, "id": "1", "version": "2", "application_id": owner}
        permissions = one["default_member_permissions"]
        told["default_member_permissions"] = None if permissions is None else str(permissions)
        desk.discord.commands[None].append(told)
    done = await desk.types("doctor")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        f"ok     {what}" for what in ("token", "application", "intents", "commands", "invite")
    ]
    assert "in 1 server" in lines[1]


async def test_the_doctor_says_what_to_do_about_commands(desk: Desk):
    done = await desk.types("doctor")
    assert done.code == 0
    assert "note   commands: Discord has none everywhere: quizbot run tells it" in done.out


async def test_the_doctor_knows_a_wrong_token(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DISCORD_TOKEN", "another.token.than-that")
    done = await desk.types("doctor")
    assert done.code == 1
    assert done.out.startswith("fault  token: Discord does not know it: copy it anew")
    assert "another.token" not in done.out + done.err


async def test_the_doctor_says_that_discord_is_away(desk: Desk):
    desk.discord.fail_next("GET /users/@me", status=None, times=9)
    done = await desk.types("doctor")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Discord cannot be reached")


@pytest.mark.parametrize("words", [("doctor",), ("discord", "invite")])
async def test_whoever_is_shut_out_is_told_how_long_to_wait(desk: Desk, words: tuple[str, ...]):
    desk.discord.fail_next("GET /users/@me", status=429, retry_after=90, via=False)
    done = await desk.types(*words)
    assert (done.code, done.out) == (3, "")
    assert "Discord asks us to wait 90 s: start again after that, not before." in done.err


async def test_a_development_server_that_the_bot_is_not_in_is_a_fault(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    elsewhere = desk.discord.guild("Elsewhere", with_bot=False)
    monkeypatch.setenv("QUIZBOT_DISCORD_GUILD", str(elsewhere.id))
    done = await desk.types("doctor")
    assert done.code == 1
    assert f"quizbot is no member of server {elsewhere.id}: invite it" in done.out


async def test_the_invite_asks_for_six_permissions_and_no_more(desk: Desk):
    done = await desk.types("discord", "invite")
    assert (done.code, done.err) == (0, "")
    query = parse_qs(urlsplit(done.out.strip()).query)
    view, send, embed, attach, create, threads = (
        1 << 10,
        1 << 11,
        1 << 14,
        1 << 15,
        1 << 35,
        1 << 38,
    )
    assert int(query["permissions"][0]) == view | send | embed | attach | create | threads
    assert query["scope"] == ["bot applications.commands"]
    assert query["client_id"] == [str(desk.discord.application_id)]


async def test_without_a_token_there_is_nothing_to_look_at(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("DISCORD_TOKEN")
    done = await desk.types("doctor")
    assert done.code == 2
    assert "set DISCORD_TOKEN" in done.err


# --- starting --------------------------------------------------------------------------------


def settings(folder: Path, token: str, **more: str) -> Settings:
    given: dict[str, Any] = {
        "QUIZBOT_DATABASE_URL": f"sqlite:///{folder / 'quizbot.db'}",
        "QUIZBOT_BANKS": str(folder),
        "DISCORD_TOKEN": token,
        **more,
    }
    return Settings(**given)


async def test_a_wrong_token_is_told_at_the_start(desk: Desk, tmp_path: Path):
    with pytest.raises(WrongToken, match="Discord does not know the token: copy it anew"):
        async with running(settings(tmp_path, "another.token.than-that")):
            pass


async def test_that_discord_is_away_is_told_at_the_start(desk: Desk, tmp_path: Path):
    desk.discord.fail_next("GET /users/@me", status=None, times=9)
    with pytest.raises(DiscordUnavailable, match="Discord cannot be reached"):
        async with running(settings(tmp_path, desk.discord.token)):
            pass


async def test_where_discord_refuses_the_token_nothing_of_slack_is_left_open(
    desk: Desk, tmp_path: Path
):
    both = settings(tmp_path, "another.token.than-that", SLACK_BOT_TOKEN="xoxb-never-asked-with")

    async def start() -> None:
        with pytest.raises(WrongToken):
            async with running(both):
                pass

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        await start()
        # What is dropped without being closed says so now.
        gc.collect()
    assert [str(one.message) for one in heard] == []


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"QUIZBOT_SHARD_IDS": "0,1"}, "QUIZBOT_SHARD_IDS is set: set QUIZBOT_SHARD_COUNT too."),
        (
            {"QUIZBOT_SHARD_IDS": "0,4", "QUIZBOT_SHARD_COUNT": "4"},
            "QUIZBOT_SHARD_IDS names 4, and of 4 shards the last is 3.",
        ),
    ],
)
async def test_shards_that_do_not_fit_are_wrong_settings(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, given: dict[str, str], sentence: str
):
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    done = await desk.types("run")
    assert (done.code, done.err) == (2, f"{sentence}\n")


async def test_a_process_serves_its_own_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shorten_pauses(monkeypatch)
    stage = DiscordStage(
        f"sqlite:///{tmp_path / 'quizbot.db'}",
        [write_banks(tmp_path / "banks")],
        QUIZBOT_SHARD_IDS="0, 2",
        QUIZBOT_SHARD_COUNT="3",
    )
    await stage.start()
    await stage.world.until(lambda: len(stage.world.gateway.connected) == 2)
    assert stage.world.gateway.log == ["identify 0/3", "identify 2/3"]
    await stage.stop()


async def test_a_development_server_has_the_commands_to_itself_under_a_prefix(tmp_path: Path):
    stage = DiscordStage(
        f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")],
        QUIZBOT_COMMAND_PREFIX="dev-",
    )  # fmt: skip
    guild = stage.guild
    stage.settings = stage.settings.model_copy(update={"discord_guild": guild.id})
    await stage.start()
    assert stage.world.commands[None] == []
    ana = guild.member("Ana")
    seen = await ana.slash(stage.place, "dev-help")
    stage.read(seen.message).says("/dev-quiz topic [count]")
    await stage.stop()


async def test_who_types_a_name_of_their_language_is_read_by_the_name_of_the_table(tmp_path: Path):
    stage = DiscordStage(
        f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")],
        QUIZBOT_COMMAND_PREFIX="dev-",
    )  # fmt: skip
    await stage.start()
    luc = stage.guild.member("Luc", locale="fr")
    seen = await luc.slash(stage.place, "dev-classement", où="community", période="week")
    assert seen.interaction.data["name"] == "dev-leaderboard"
    sent = {one["name"]: one["value"] for one in seen.interaction.data["options"]}
    assert sent == {"where": "community", "period": "week"}
    stage.read(seen.message).says("Partout · Cette semaine")
    assert await luc.autocomplete(stage.place, "dev-quiz", "sujet", "")
    await stage.stop()
