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
    spans, now = list(away), Streak()
    for day in dates:
        if day in answered:
            now = _longer(now)
        elif day not in still_open and not any(first <= day <= last for first, last in spans):
            now = _missed(now, day)
    return now


def _longer(now: Streak) -> Streak:
    days = now.days + 1
    freezes = min(MOST_HELD, now.freezes + (days % EARNED_EVERY == 0))
    return Streak(days, max(now.longest, days), freezes, now.spent)


def _missed(now: Streak, day: date) -> Streak:
    if now.days and now.freezes:
        return Streak(now.days, now.longest, now.freezes - 1, (*now.spent, day))
    return Streak(0, now.longest, now.freezes, ())
