"""Days, dates, countries and lines of a daily quiz, as people type them in their languages."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.daily_lines import read_line
from bot.wording import countries
from bot.wording.dates import (
    date_in_words,
    days_in_words,
    read_date,
    read_dates,
    read_days,
    typed_days,
)
from bot.wording.voice import Voice

TODAY = date(2026, 11, 30)
EN, FR, SN = Voice.of("en"), Voice.of("fr"), Voice.of("sn")
VOICES = st.sampled_from([EN, FR, SN])
DAYS = st.frozensets(st.integers(1, 7), min_size=1)


@pytest.mark.parametrize(
    ("typed", "voice", "days"),
    [
        ("mon-fri", EN, {1, 2, 3, 4, 5}),
        ("Monday to Friday", EN, {1, 2, 3, 4, 5}),
        ("Mon, Wed and fri", EN, {1, 3, 5}),
        ("every day", EN, {1, 2, 3, 4, 5, 6, 7}),
        ("daily", SN, {1, 2, 3, 4, 5, 6, 7}),
        ("weekdays", FR, {1, 2, 3, 4, 5}),
        ("sat–mon", EN, {6, 7, 1}),
        ("lundi, mer", FR, {1, 3}),
        ("du lundi au vendredi", FR, None),
        ("lundi au vendredi", FR, {1, 2, 3, 4, 5}),
        ("Muvhuro", SN, {1}),
        ("m", EN, None),
        ("t", EN, None),
        ("", EN, None),
        ("someday", EN, None),
        ("mon-", EN, None),
    ],
)
def test_days_are_read(typed: str, voice: Voice, days: set[int] | None) -> None:
    assert read_days(typed, voice) == days


@given(DAYS, VOICES)
def test_days_as_they_are_shown_in_a_field_are_read_again(days: frozenset[int], voice: Voice):
    assert read_days(typed_days(days, voice), voice) == days
    assert days_in_words(days, voice)


@pytest.mark.parametrize(
    ("typed", "voice", "day"),
    [
        ("tomorrow", FR, date(2026, 12, 1)),
        ("demain", FR, date(2026, 12, 1)),
        ("mangwana", SN, date(2026, 12, 1)),
        ("Dec 24", EN, date(2026, 12, 24)),
        ("24 December", EN, date(2026, 12, 24)),
        ("24 déc.", FR, date(2026, 12, 24)),
        ("24 dec", FR, date(2026, 12, 24)),
        ("24.12.", EN, date(2026, 12, 24)),
        ("24/12", FR, None),
        ("31 February", EN, None),
    ],
)
def test_a_date_is_read_as_the_language_writes_it(
    typed: str, voice: Voice, day: date | None
) -> None:
    assert read_date(typed, TODAY, voice) == day


@given(st.integers(0, 360), VOICES)
def test_a_date_as_it_is_written_is_read_again(ahead: int, voice: Voice) -> None:
    day = date.fromordinal(TODAY.toordinal() + ahead)
    assert read_date(date_in_words(day, voice), TODAY, voice) == day


def test_several_dates_are_read_from_one_line() -> None:
    both = (date(2026, 12, 24), date(2026, 12, 25))
    assert read_dates("2026-12-25 2026-12-24", TODAY, EN) == (both, "")
    assert read_dates("Dec 24; Dec 25", TODAY, EN) == (both, "")
    assert read_dates("Dec 24, whenever", TODAY, EN) == ((), "whenever")


@given(st.text(max_size=40), VOICES)
def test_any_text_is_read_or_not(typed: str, voice: Voice) -> None:
    read_days(typed, voice)
    read_dates(typed, TODAY, voice)
    countries.meant(typed, voice.language)
    read_line(typed, voice)


@pytest.mark.parametrize(
    ("typed", "language", "code"),
    [
        ("fr", "en", "FR"),
        ("France", "sn", "FR"),
        ("Allemagne", "fr", "DE"),
        ("de-by", "en", "DE-BY"),
        ("Germany (BY)", "en", "DE-BY"),
        ("Atlantis", "en", None),
    ],
)
def test_a_country_is_read_by_code_or_name(typed: str, language: str, code: str | None) -> None:
    assert countries.meant(typed, language) == code


def test_the_regions_of_a_country_are_suggested_once_it_alone_is_left() -> None:
    assert countries.near("germ", "en", 3) == ("DE", "DE-BB", "DE-BE")
    assert countries.near("united", "en", 9) == ("AE", "GB", "US")
    assert countries.near("Frnace", "en", 9) == ("FR",)


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        (
            "07:30 Africa/Harare mon-fri tensor parallelism 3",
            {"hour": "07:30", "zone": "Africa/Harare", "days": "mon-fri",
             "topic": "tensor parallelism", "count": "3"},
        ),
        ("7 pm every day", {"hour": "7 pm", "days": "every day"}),
        ("0730 shuffled", {"hour": "0730", "order": "shuffled"}),
        ("Europe/Pariss tcp/ip", {"zone": "Europe/Pariss", "topic": "tcp/ip"}),
        ("topic:git basics hour: 7 open:8 hours", {"topic": "git basics", "hour": "7",
                                                   "open": "8 hours"}),
        ("we are all", {"topic": "we are all"}),
        ("", {}),
    ],
)  # fmt: skip
def test_a_line_is_read_by_the_looks_of_its_words(line: str, fields: dict[str, str]) -> None:
    assert read_line(line, EN) == fields
