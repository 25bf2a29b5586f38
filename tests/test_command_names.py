"""Commands are named as the reader's own client shows them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
from bare_stage import BareStage
from conversation import Person
from discord_stage import DiscordStage
from quizzes import write_banks

from adapters.discord.commands import payloads
from bot.commands import COMMANDS
from bot.wording.names import CommandNames


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[DiscordStage]:
    stage = DiscordStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


@pytest.mark.parametrize("locale", [locale.value for locale in discord.Locale])
def test_they_are_called_what_discord_was_told_to_show(locale: str):
    names = CommandNames("/dev-", locale)
    for spec, told in zip(COMMANDS, payloads("dev-"), strict=True):
        shown = told["name_localizations"].get(locale, told["name"])
        assert names.of(spec.name) == f"/{shown}"


async def test_a_french_client_reads_its_own_names_in_whatever_language(stage: DiscordStage):
    ines = Person(stage, "Inès", "fr")
    (await ines.types("/help")).says("/classement", "/arrêter", "Qui a combien de points")
    await ines.types("/language en")
    (await ines.types("/help")).says("/classement", "Who has how many points")


async def test_an_english_client_reads_english_names_also_in_french(stage: DiscordStage):
    ana = Person(stage, "Ana", "en-GB")
    await ana.types("/language fr")
    (await ana.types("/help")).says("/leaderboard", "Qui a combien de points")


async def test_where_commands_are_typed_they_have_the_names_that_are_read(tmp_path: Path):
    stage = BareStage(f"sqlite:///{tmp_path / 'q.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    ines = Person(stage, "Inès", "fr")
    (await ines.types("/help")).says("/leaderboard", "Qui a combien de points")
    (await ines.types("/leaderbord")).says("/leaderboard")
    await stage.stop()


async def test_the_parts_of_a_command_are_named_in_the_help_as_the_client_shows_them(
    stage: DiscordStage,
):
    ines = Person(stage, "Inès", "fr", organiser=True)
    await ines.types("/language en")
    (await ines.types("/help")).says("/quiz-du-jour [programmer | liste | passés | pause |")
    olga = Person(stage, "Olga", organiser=True)
    (await olga.types("/help")).says("/daily [set | list | past | pause |")
