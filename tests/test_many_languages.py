"""A quiz in sixty languages: each is reached by pressing, and by a word where there is a form."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from bare_stage import BareStage
from conversation import Person, Stage
from discord_stage import DiscordStage
from quizzes import PORTS, write_bank
from room_stage import RoomStage
from terminal_stage import TerminalStage

from bot.languages import likeliest_first
from bot.wording.voice import own_name

_TAGS = (
    "af am ar az be bg bn bs ca cs cy da de el es et eu fa fi fil ga gl gu he hi hr hu hy id is it "
    "ja ka kk km kn ko lo lt lv mk ml mn mr ms my nb ne nl pa pl pt ro ru si sk sl sq zu sw"
)
SIXTY = (*_TAGS.split(), "gn")


@pytest.fixture
def banks(tmp_path: Path) -> Path:
    overlays = {tag: f"title: Ports ({tag})\n" for tag in SIXTY}
    write_bank(tmp_path / "banks", "ports", bank=PORTS, **overlays)
    return tmp_path / "banks"


@pytest.fixture(params=[BareStage, RoomStage, DiscordStage, TerminalStage])
async def alone(
    request: pytest.FixtureRequest, tmp_path: Path, banks: Path
) -> AsyncIterator[Stage]:
    stage = request.param(f"sqlite:///{tmp_path / 'quizbot.db'}", [banks])
    await stage.start()
    yield stage
    await stage.stop()


@pytest.fixture(params=[BareStage, RoomStage, DiscordStage])
async def stage(
    request: pytest.FixtureRequest, tmp_path: Path, banks: Path
) -> AsyncIterator[Stage]:
    stage = request.param(f"sqlite:///{tmp_path / 'quizbot.db'}", [banks])
    await stage.start()
    yield stage
    await stage.stop()


async def test_every_language_is_reached_by_pressing(alone: Stage) -> None:
    ana, found = Person(alone, "Ana"), list[str]()
    await ana.types("/language")
    while True:
        found += [label for label in ana.told.choices if label not in found]
        if ana.told.button("More languages") is None:
            break
        await ana.presses_told("More languages")
    assert {own_name(tag) for tag in SIXTY} <= {label.split(" – ")[0] for label in found}
    last = found[-1]
    (await ana.chooses(last)).says(last.split(" – ")[0])


async def test_the_list_begins_with_what_is_likely(alone: Stage) -> None:
    ana = Person(alone, "Ana")
    await ana.types("/language Kiswahili")
    await ana.types("/language")
    first = next(iter(ana.told.choices))
    assert first.startswith("Kiswahili")


async def test_the_language_of_the_posts_is_found_by_its_name(stage: Stage) -> None:
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Language of the posts")
    (await olga.fills(language="isizulu")).says("Language of the posts: isiZulu")
    await olga.presses_told("Language of the posts")
    (await olga.fills(language="-")).says("Language of the posts: each quiz in its own language")


async def test_a_language_that_is_not_known_can_be_corrected(stage: Stage) -> None:
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Language of the posts")
    await olga.fills(language="isiZula")
    olga.told.says("I know no language “isiZula”. Did you mean isiZulu?")
    (await olga.fills(language="zu")).says("Language of the posts: isiZulu")


async def test_what_was_typed_on_discord_stands_in_the_form_that_comes_back(
    tmp_path: Path, banks: Path
) -> None:
    stage = DiscordStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [banks])
    await stage.start()
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/settings")
    await olga.presses_told("Time zone")
    # Discord opens no form from a form: a message says what is wrong, in words.
    (await olga.fills(zone="Harrare")).says("I know no time zone “Harrare”. Did you mean")
    # What was typed is in its button, so that a restart loses nothing either.
    await stage.restart()
    await olga.presses_told("Correct it")
    field: dict[str, Any] = stage._forms[olga.told.form].fields[0]
    assert field["value"] == "Harrare"
    olga.told.says("I know no time zone “Harrare”")
    (await olga.fills(zone="Africa/Harare")).says("Time zone: Africa/Harare")
    await stage.stop()


def test_the_very_language_stands_before_its_variants_and_these_before_the_others() -> None:
    known = ("en", "fr", "pt", "pt-BR", "sn")
    assert likeliest_first(known, ("pt-BR", None, "sn")) == ("pt-BR", "pt", "sn", "en", "fr")
    assert likeliest_first(known, ()) == known
