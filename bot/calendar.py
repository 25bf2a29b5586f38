"""When a schedule falls due: its local dates, and the instants at which each begins and ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.days_off import is_day_off

CATCH_UP = timedelta(hours=6)
"""So late a post is still made; after that its day is skipped."""

LONGEST_OPEN = timedelta(days=7)
"""A window that lasts until the next post ends at the latest after this."""

EXTENSION = timedelta(hours=1)
"""What a window gets that should have closed while nobody could press."""

EVERY_DAY = frozenset(range(1, 8))

_LOOK_AHEAD = 730


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A time of day on some weekdays (1 is Monday), on the wall clock of a zone.

    `days_off` is the country, or country and region, whose public holidays are left out.
    """

    at: time
    zone: ZoneInfo
    weekdays: frozenset[int] = EVERY_DAY
    days_off: str | None = None


@dataclass(frozen=True, slots=True)
class Occasion:
    """One local date of a schedule, and the instant at which it is due."""

    date: date
    at: datetime


def upcoming(
    recurrence: Recurrence,
    after: datetime,
    *,
    last: date | None = None,
    skips: frozenset[date] = frozenset(),
) -> Iterator[Occasion]:
    """What falls due after an instant, in order, within two years; never `last` or before it.

    A time that the clock leaves out is due as soon as the clock has gone over it, and one that
    comes twice the first time. `last` keeps a change of zone from asking a date once more.
    """
    start = after.astimezone(recurrence.zone).date() - timedelta(days=1)
    # On the calendar's last day it may be another year already elsewhere.
    ahead = min(_LOOK_AHEAD, (date.max - start).days)
    for day in (start + timedelta(days=count) for count in range(ahead)):
        if (last is not None and day <= last) or day in skips or not _is_asked(recurrence, day):
            continue
        at = _instant(day, recurrence.at, recurrence.zone)
        if at > after:
            yield Occasion(day, at)


def next_after(
    recurrence: Recurrence,
    after: datetime,
    *,
    last: date | None = None,
    skips: frozenset[date] = frozenset(),
) -> Occasion | None:
    """The first that falls due after an instant; None if none does within two years."""
    return next(upcoming(recurrence, after, last=last, skips=skips), None)


def closes_at(
    opens_at: datetime, open_for: timedelta | None, following: Occasion | None
) -> datetime:
    """When a window ends: after a length of its own, else when the next post comes.

    Then it lasts a week at most, and a day where no post follows.
    """
    if open_for is not None:
        return opens_at + open_for
    if following is None:
        return opens_at + timedelta(days=1)
    return min(following.at, opens_at + LONGEST_OPEN)


def _is_asked(recurrence: Recurrence, day: date) -> bool:
    if day.isoweekday() not in recurrence.weekdays:
        return False
    if recurrence.days_off is not None and is_day_off(recurrence.days_off, day):
        return False
    # Samoa once had no 30th of December.
    return _instant(day, time(), recurrence.zone).astimezone(recurrence.zone).date() == day


def _instant(day: date, at: time, zone: ZoneInfo) -> datetime:
    """When a clock on the wall first shows this time, or has gone over it."""
    wanted = datetime.combine(day, at, zone)
    after = wanted.astimezone(UTC)
    if after.astimezone(zone).replace(tzinfo=None) == wanted.replace(tzinfo=None):
        return after
    # The other reading of a time that is left out lies before the change.
    before = wanted.replace(fold=1).astimezone(UTC)
    offset = after.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) // 2
        if middle.astimezone(zone).utcoffset() == offset:
            after = middle
        else:
            before = middle
    return after.replace(microsecond=0)
