"""When a daily quiz comes, through every change of the clocks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.calendar import Occasion, Recurrence, closes_at, next_after, upcoming
from bot.days_off import days_off, known_country

_FIRST, _LAST = datetime(2026, 1, 1, tzinfo=UTC), datetime(2031, 1, 1, tzinfo=UTC)


def _offset(zone: ZoneInfo, at: datetime) -> timedelta:
    offset = at.astimezone(zone).utcoffset()
    assert offset is not None
    return offset


def _changes(zone: ZoneInfo) -> Iterator[datetime]:
    """The instants at which a zone's clock is put forward or back, to the minute."""
    day = _FIRST
    while day < _LAST:
        following = day + timedelta(days=1)
        if _offset(zone, day) != _offset(zone, following):
            minutes = (day + timedelta(minutes=count) for count in range(1, 24 * 60 + 1))
            before = _offset(zone, day)
            yield next(minute for minute in minutes if _offset(zone, minute) != before)
        day = following


def _changing() -> list[str]:
    quarters = [_FIRST + timedelta(days=30 * count) for count in range(60)]
    return sorted(
        name
        for name in available_timezones()
        if len({_offset(ZoneInfo(name), at) for at in quarters}) > 1
    )


def _on_the_clock(occasion: Occasion, recurrence: Recurrence) -> datetime:
    return occasion.at.astimezone(recurrence.zone).replace(tzinfo=None)


@pytest.mark.long
def test_a_daily_quiz_comes_once_on_every_date_through_five_years_of_every_zone() -> None:
    for name in _changing():
        zone = ZoneInfo(name)
        changes = list(_changes(zone))
        hours = {time(8, 30)} | {
            # In the middle of what is left out or comes twice, and at its edge.
            (change.astimezone(zone) + shift).time().replace(second=0, microsecond=0)
            for change in changes[:2]
            for shift in (-timedelta(minutes=30), timedelta(), timedelta(minutes=30))
        }
        for at in hours:
            _check_five_years(Recurrence(at, zone), changes)


def _check_five_years(recurrence: Recurrence, changes: list[datetime]) -> None:
    for change in changes:
        start = change - timedelta(days=3)
        found = list(islice(upcoming(recurrence, start), 6))
        for one, following in pairwise(found):
            assert following.date - one.date == timedelta(days=1)
            assert one.at < following.at
        for occasion in found:
            local = _on_the_clock(occasion, recurrence)
            wanted = datetime.combine(occasion.date, recurrence.at)
            if local != wanted:
                # The clock went over it: due at the first minute that there is again.
                before = (occasion.at - timedelta(minutes=1)).astimezone(recurrence.zone)
                assert before.replace(tzinfo=None) < wanted < local
            else:
                # Where it comes twice, the first one.
                first = datetime.combine(occasion.date, recurrence.at, recurrence.zone)
                assert occasion.at == first.astimezone(UTC)


def test_half_past_two_comes_at_three_where_the_clock_goes_over_it() -> None:
    berlin = Recurrence(time(2, 30), ZoneInfo("Europe/Berlin"))

    found = next_after(berlin, datetime(2026, 3, 28, 12, tzinfo=UTC))

    assert found == Occasion(date(2026, 3, 29), datetime(2026, 3, 29, 1, tzinfo=UTC))


def test_half_past_two_comes_once_where_the_clock_goes_back_over_it() -> None:
    berlin = Recurrence(time(2, 30), ZoneInfo("Europe/Berlin"))

    found = list(islice(upcoming(berlin, datetime(2026, 10, 24, 12, tzinfo=UTC)), 2))

    assert [one.at for one in found] == [
        datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
        datetime(2026, 10, 26, 1, 30, tzinfo=UTC),
    ]


def test_half_past_eleven_at_night_is_of_its_own_date_where_the_clock_goes_over_midnight() -> None:
    nuuk = Recurrence(time(23, 30), ZoneInfo("America/Nuuk"))

    found = list(islice(upcoming(nuuk, datetime(2026, 3, 28, 12, tzinfo=UTC)), 2))

    # At eleven on the 28th it is midnight of the 29th.
    assert found == [
        Occasion(date(2026, 3, 28), datetime(2026, 3, 29, 1, tzinfo=UTC)),
        Occasion(date(2026, 3, 29), datetime(2026, 3, 30, 0, 30, tzinfo=UTC)),
    ]


def test_a_date_that_a_country_left_out_has_no_quiz() -> None:
    samoa = Recurrence(time(8, 30), ZoneInfo("Pacific/Apia"))

    found = list(islice(upcoming(samoa, datetime(2011, 12, 29, tzinfo=UTC)), 3))

    assert [one.date.day for one in found] == [29, 31, 1]


def test_a_zone_that_is_fourteen_hours_ahead_has_its_own_date() -> None:
    kiribati = Recurrence(time(8), ZoneInfo("Pacific/Kiritimati"))

    found = next_after(kiribati, datetime(2026, 12, 1, 12, tzinfo=UTC))

    assert found == Occasion(date(2026, 12, 2), datetime(2026, 12, 1, 18, tzinfo=UTC))


def test_a_zone_that_is_changed_in_between_asks_no_date_twice() -> None:
    samoa = Recurrence(time(8), ZoneInfo("Pacific/Pago_Pago"))
    asked_in_kiribati = datetime(2026, 12, 1, 18, tzinfo=UTC)

    found = next_after(samoa, asked_in_kiribati, last=date(2026, 12, 2))

    assert found is not None
    assert found.date == date(2026, 12, 3)


@given(
    st.sampled_from(sorted(available_timezones())),
    st.sampled_from(sorted(available_timezones())),
    st.integers(0, 5 * 365 * 24).map(lambda hours: _FIRST + timedelta(hours=hours)),
    st.times().map(lambda at: at.replace(second=0, microsecond=0, tzinfo=None)),
)
def test_whatever_zone_follows_another_dates_only_grow(
    before: str, then: str, start: datetime, at: time
) -> None:
    first = next_after(Recurrence(at, ZoneInfo(before)), start)
    assert first is not None

    second = next_after(Recurrence(at, ZoneInfo(then)), first.at, last=first.date)

    assert second is not None
    assert second.date > first.date
    assert second.at > first.at
    assert second.at - first.at <= timedelta(days=3)


def test_weekdays_holidays_and_skipped_dates_are_left_out() -> None:
    bavaria = Recurrence(
        time(9), ZoneInfo("Europe/Berlin"), frozenset({1, 2, 3, 4, 5}), days_off="DE-BY"
    )

    found = upcoming(
        bavaria, datetime(2027, 1, 4, 12, tzinfo=UTC), skips=frozenset({date(2027, 1, 7)})
    )

    # Epiphany is on the 6th, the 9th and 10th are a weekend.
    assert [one.date.day for one in islice(found, 3)] == [5, 8, 11]


def test_a_quiz_of_no_weekday_that_can_be_is_none() -> None:
    every_day_off = frozenset(date(2026, 1, 1) + timedelta(days=count) for count in range(1500))

    found = next_after(
        Recurrence(time(9), ZoneInfo("UTC")), datetime(2026, 1, 1, tzinfo=UTC), skips=every_day_off
    )

    assert found is None


def test_a_window_lasts_until_the_next_post_and_a_week_at_most() -> None:
    opens = datetime(2026, 12, 4, 8, tzinfo=UTC)
    monday = Occasion(date(2026, 12, 7), datetime(2026, 12, 7, 8, tzinfo=UTC))
    january = Occasion(date(2027, 1, 4), datetime(2027, 1, 4, 8, tzinfo=UTC))

    assert closes_at(opens, None, monday) == monday.at
    assert closes_at(opens, None, january) == opens + timedelta(days=7)
    assert closes_at(opens, None, None) == opens + timedelta(days=1)
    assert closes_at(opens, timedelta(hours=3), monday) == opens + timedelta(hours=3)


def test_holidays_are_named_in_the_readers_language_where_the_calendar_has_it() -> None:
    christmas = date(2026, 12, 25)

    assert days_off("FR", christmas, christmas, "fr") == {christmas: "Noël"}
    assert days_off("ZW", christmas, christmas, "sn") == {christmas: "Christmas Day"}


@pytest.mark.parametrize(
    ("typed", "known"),
    [("fr", "FR"), (" de_by ", "DE-BY"), ("zw", "ZW"), ("xx", None), ("", None), ("FRA", None)],
)
def test_a_country_is_known_by_its_code(typed: str, known: str | None) -> None:
    assert known_country(typed) == known
