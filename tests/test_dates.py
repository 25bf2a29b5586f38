"""Dates as people type them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dates import read_date

_TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2026-12-24", date(2026, 12, 24)),
        (" 2026-1-5 ", date(2026, 1, 5)),
        ("24.12.2026", date(2026, 12, 24)),
        ("24. 12. 2026", date(2026, 12, 24)),
        ("24.12.", date(2026, 12, 24)),
        ("24.12", date(2026, 12, 24)),
        ("30.11.", _TODAY),
        ("5.1.", date(2027, 1, 5)),
        ("29.2.", date(2028, 2, 29)),
    ],
)
def test_a_date_is_read(typed: str, meant: date) -> None:
    assert read_date(typed, _TODAY) == meant


@pytest.mark.parametrize(
    "typed",
    ["", "off", "31.2.", "2026-02-30", "2026-13-01", "0.1.", "12/24", "24/12", "99999", "²"],
)
def test_what_is_no_date_is_none(typed: str) -> None:
    assert read_date(typed, _TODAY) is None


@given(st.text(max_size=14), st.dates(max_value=date(9990, 1, 1)))
def test_any_text_is_a_date_or_none(typed: str, today: date) -> None:
    assert read_date(typed, today) is None or isinstance(read_date(typed, today), date)


@given(st.dates(), st.dates(max_value=date(9990, 1, 1)))
def test_a_date_that_is_written_out_is_read_again(day: date, today: date) -> None:
    assert read_date(day.isoformat(), today) == day
