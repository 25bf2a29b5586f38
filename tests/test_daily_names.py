"""Daily quizzes that somebody has to choose among: no two of them are called the same."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bare_stage import BareStage
from conversation import Person
from quizzes import write_banks


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[BareStage]:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


async def organiser_of(stage: BareStage, *several: str) -> Person:
    """Who has set these, each as a quiz of its own."""
    olga = Person(stage, "Olga", organiser=True)
    for number, words in enumerate(several):
        await olga.types(f"/daily set {words}")
        if number:
            await olga.chooses("Set a new one")
        (await olga.presses_told("Save")).says("next: ")
    return olga


async def test_those_of_one_hour_are_told_apart_by_what_they_ask(stage: BareStage) -> None:
    olga = await organiser_of(stage, "07:30 shells", "07:30 ports", "19:00 ports")
    told = await olga.types("/daily pause")
    assert [label.split(" · ")[0] for label in told.choices] == [
        "1 question from shells, shuffled",
        "1 question from Ports, shuffled",
        "every day at 7:00\u202fPM (UTC)",
    ]
    (await olga.chooses(list(told.choices)[1])).says("Paused", "Ports")
    again = await olga.types("/daily set 08:00")
    assert len(set(again.choices)) == 4
    (await olga.chooses(next(iter(again.choices)))).says("at 8:00", "from shells")


async def test_those_that_ask_the_same_at_one_hour_are_numbered(stage: BareStage) -> None:
    olga = await organiser_of(stage, "07:30 shells", "07:30 shells open:2h")
    told = await olga.types("/daily pause")
    assert [label.partition(" ")[0] for label in told.choices] == ["1.", "2."]
    (await olga.chooses(list(told.choices)[1])).says("Paused", "from shells")
