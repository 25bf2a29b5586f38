"""Streaks: dates with a daily quiz that somebody answered, one after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

EARNED_EVERY = 7
MOST_HELD = 2


@dataclass(frozen=True, slots=True)
class Streak:
    """`days` answered in a row up to now; `freezes` are held; `spent` are dates that cost one.

    `spent` holds those of the present streak alone.
    """

    days: int = 0
    longest: int = 0
    freezes: int = 0
    spent: tuple[date, ...] = ()


def streak_of(
    dates: Iterable[date],
    answered: Collection[date],
    *,
    still_open: Collection[date] = (),
    away: Iterable[tuple[date, date]] = (),
) -> Streak:
    """Over the dates on which there was a quiz, the first ones first.

    A date on which there was none does not exist; one within `away` (first and last day) or that
    can still be answered is no gap. A freeze is earned with each seventh day, and spent by a gap.
    """
    spans = list(away)
    days = longest = freezes = 0
    spent: list[date] = []
    # Plain numbers: whoever answers waits for it, and of a daily there are hundreds of dates.
    for day in dates:
        if day in answered:
            days += 1
            if days > longest:
                longest = days
            if days % EARNED_EVERY == 0 and freezes < MOST_HELD:
                freezes += 1
        elif day in still_open or any(first <= day <= last for first, last in spans):
            continue
        elif days and freezes:
            freezes -= 1
            spent.append(day)
        else:
            days = 0
            spent.clear()
    return Streak(days, longest, freezes, tuple(spent))
