"""What an answer is worth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_world import question

from bot import rules


def points(elapsed: float, seconds: int) -> int:
    return rules.mark(question(), ("a",), speed=True, elapsed=elapsed, seconds=seconds).points


@pytest.mark.parametrize(
    ("elapsed", "expected"),
    [
        (0.0, 10),
        (0.4, 10),
        (1.0, 10),
        (5.0, 10),
        (15.0, 9),
        (25.0, 8),
        (35.0, 7),
        (50.0, 5),
        (90.0, 5),
    ],
)
def test_half_a_point_for_speed_is_rounded_up(elapsed: float, expected: int) -> None:
    """Of fifty seconds, 5, 15, 25 and 35 come to 9.5, 8.5, 7.5 and 6.5; the end to 5."""
    assert points(elapsed, 50) == expected


@given(st.floats(0, 4000), st.floats(0, 4000), st.integers(10, 3600))
def test_who_is_slower_never_gets_more(one: float, other: float, seconds: int) -> None:
    assert 5 <= points(max(one, other), seconds) <= points(min(one, other), seconds) <= 10
