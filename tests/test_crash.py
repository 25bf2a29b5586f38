"""Killed under load, quizbot loses nothing that it said; `make crash` does it twenty times."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from crash import play


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
async def test_what_people_were_told_outlives_two_kills_under_load(tmp_path: Path) -> None:
    found = await play(2, tmp_path, lambda line: None, seed=20)
    assert found.faults == []
    assert found.kills == 2
