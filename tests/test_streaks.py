"""Streaks: what counts as one day after the other, and what a freeze saves."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.streaks import Streak, streak_of

_FIRST = date(2026, 12, 1)


def _days(*numbers: int) -> list[date]:
    return [_FIRST + timedelta(days=number) for number in numbers]


def test_each_answered_date_makes_it_longer() -> None:
    assert streak_of(_days(0, 1, 2), _days(0, 1, 2)).days == 3


def test_a_date_without_a_quiz_is_no_gap() -> None:
    assert streak_of(_days(0, 1, 6, 7), _days(0, 1, 6, 7)).days == 4


def test_a_missed_date_ends_it_and_the_longest_is_remembered() -> None:
    streak = streak_of(_days(0, 1, 2, 3), _days(0, 1, 3))

    assert (streak.days, streak.longest) == (1, 2)


def test_the_quiz_of_today_can_still_be_answered() -> None:
    assert streak_of(_days(0, 1, 2), _days(0, 1), still_open=_days(2)).days == 2


def test_the_seventh_day_earns_a_freeze_that_the_next_gap_spends() -> None:
    week = _days(*range(7))
    assert streak_of(week, week).freezes == 1

    streak = streak_of(_days(*range(9)), [*week, *_days(8)])

    assert (streak.days, streak.freezes, streak.spent) == (8, 0, tuple(_days(7)))


def test_two_freezes_are_held_at_most() -> None:
    month = _days(*range(28))

    assert streak_of(month, month).freezes == 2


def test_a_third_gap_in_a_row_ends_it() -> None:
    days = _days(*range(18))

    streak = streak_of(days, [*days[:14], days[17]])

    assert (streak.days, streak.longest, streak.freezes, streak.spent) == (1, 14, 0, ())


def test_who_is_away_loses_nothing() -> None:
    days = _days(*range(5))

    assert streak_of(days, [days[0], days[4]], away=[(days[1], days[3])]).days == 2


def test_an_answer_given_while_away_counts() -> None:
    days = _days(0, 1, 2)

    assert streak_of(days, days, away=[(days[0], days[2])]).days == 3


@given(st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60)))
def test_it_is_never_longer_than_the_dates_that_were_answered(
    asked: set[int], answered: set[int], open_still: set[int]
) -> None:
    dates, given_on = _days(*sorted(asked)), _days(*answered)

    streak = streak_of(dates, given_on, still_open=_days(*open_still))

    assert 0 <= streak.days <= streak.longest <= len(asked & answered)
    assert 0 <= streak.freezes <= 2
    assert set(streak.spent).isdisjoint(given_on)


@given(st.sets(st.integers(0, 40)), st.integers(0, 40))
def test_an_answer_more_never_makes_it_shorter(answered: set[int], more: int) -> None:
    dates = _days(*range(41))

    before = streak_of(dates, _days(*answered))
    after = streak_of(dates, _days(*answered, more))

    assert after.longest >= before.longest
    assert isinstance(after, Streak)
