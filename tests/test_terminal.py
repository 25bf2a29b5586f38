"""A quiz in the terminal: what is typed, and what then stands on the screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from conversation import Person
from quizzes import right, write_banks
from terminal_stage import TerminalStage


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[TerminalStage]:
    banks = write_banks(tmp_path / "banks")
    stage = TerminalStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [banks])
    await stage.start()
    yield stage
    await stage.stop()


@pytest.fixture
def ana(stage: TerminalStage) -> Person:
    return Person(stage, "Ana")


async def test_a_quiz_from_the_first_question_to_the_summary(stage, ana):
    question = await stage.begin(ana, "ports")
    for number in (1, 2, 3):
        question.says(f"Ports · Question {number} of 3")
        question.says("Your answer (A–C), l for another language, ? for more, q to stop")
        told = await ana.types(question.letter_of(right(question)).lower())
        told.says("Right:", "l Language: English", "q stop")
        question = await ana.types("")
    question.says("Ports: 3 of 3.", "Once more")
