"""A time of day, as people type it."""

from __future__ import annotations

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.hours import read_time


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("7", time(7)),
        ("07", time(7)),
        ("7pm", time(19)),
        ("7 p.m.", time(19)),
        ("12am", time(0)),
        ("12 pm", time(12)),
        ("07:30", time(7, 30)),
        ("7.30", time(7, 30)),
        ("7h30", time(7, 30)),
        ("7h", time(7)),
        ("0730", time(7, 30)),
        ("730", time(7, 30)),
        ("7:30 PM", time(19, 30)),
        ("0", time(0)),
        ("23:59", time(23, 59)),
    ],
)
def test_a_time_is_read_as_people_type_it(typed: str, meant: time) -> None:
    assert read_time(typed) == meant


@pytest.mark.parametrize(
    "typed",
    ["25:00", "24:00", "7:60", "13pm", "0pm", "7:5", "", "noon", "-1", "٧", "7 8", "07:30:00"],
)
def test_what_is_no_time_is_none(typed: str) -> None:
    assert read_time(typed) is None


@given(st.times())
def test_every_minute_of_the_day_can_be_typed(at: time) -> None:
    minute = time(at.hour, at.minute)

    assert read_time(f"{minute:%H:%M}") == minute
    assert read_time(f"{minute:%I:%M %p}") == minute


@given(st.text(max_size=20))
def test_nothing_that_can_be_typed_is_a_bug(typed: str) -> None:
    assert read_time(typed) is None or isinstance(read_time(typed), time)
