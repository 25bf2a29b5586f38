"""A time of day, as people type it."""

from __future__ import annotations

import re
from datetime import time

_TIME = re.compile(
    r"(?P<hour>[0-9]{1,2})"
    r"(?:\s*[:.h]\s*(?P<minute>[0-9]{2})?|(?P<run>[0-9]{2}))?"
    r"\s*(?P<half>[ap]\.?\s?m\.?)?",
    re.IGNORECASE,
)


def read_time(typed: str) -> time | None:
    """`7`, `7pm`, `07:30`, `7.30`, `7h30` or `0730`; None for what is no time (`25:00`)."""
    found = _TIME.fullmatch(typed.strip())
    if found is None:
        return None
    hour, minute = int(found["hour"]), int(found["minute"] or found["run"] or 0)
    half = (found["half"] or "")[:1].lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None
