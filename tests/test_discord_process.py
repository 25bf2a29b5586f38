"""quizbot as a program of its own on Discord: killed while people press, and back."""

from __future__ import annotations

from pathlib import Path

import crash
import pytest
from crash_crowd import PEOPLE
from crash_discord import on_discord


@pytest.mark.long
@pytest.mark.timeout(300)  # it may share the machine with others
async def test_who_presses_while_it_is_killed_twice_loses_and_doubles_nothing(tmp_path: Path):
    said: list[str] = []
    found = await crash.play(on_discord, 2, tmp_path, said.append, seed=20)
    assert found.faults == []
    assert len(said) == found.kills == 2
    assert len(found.told) > 3 * PEOPLE // 2, "hardly anybody was told anything"
