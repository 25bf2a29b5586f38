"""A date, as people type it."""

from __future__ import annotations

import re
from datetime import date

_YEAR_FIRST = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})")
_DAY_FIRST = re.compile(
    r"(?P<day>[0-9]{1,2})\.\s?(?P<month>[0-9]{1,2})\.?(?:\s?(?P<year>[0-9]{4}))?"
)


def read_date(typed: str, today: date) -> date | None:
    """`2026-12-24`, `24.12.2026` or `24.12.`, which is the next one; None for what is no date.

    `24/12` is not read: half of the world takes the first of its numbers for the month.
    """
    found = _YEAR_FIRST.fullmatch(typed.strip()) or _DAY_FIRST.fullmatch(typed.strip())
    if found is None:
        return None
    month, day = int(found["month"]), int(found["day"])
    if found["year"]:
        return _date(int(found["year"]), month, day)
    # The 29th of February may be eight years away.
    years = (_date(today.year + ahead, month, day) for ahead in range(9))
    return next((one for one in years if one is not None and one >= today), None)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
