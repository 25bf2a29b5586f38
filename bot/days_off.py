"""Public holidays of countries and their regions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache, lru_cache

import holidays


def known_country(typed: str) -> str | None:
    """`fr` or `FR` as `FR`, `de-by` as `DE-BY`; None for what has no calendar."""
    code = typed.strip().upper().replace("_", "-")
    return code if code in _codes() else None


def is_day_off(country: str, day: date) -> bool:
    """Whether a day is a public holiday there."""
    return day in _of_year(country, day.year)


def days_off(country: str, first: date, last: date, language: str) -> Mapping[date, str]:
    """The public holidays between two dates, both included.

    Their names are in the language if the calendar has it, else in English, else the country's.
    """
    spoken = _spoken(country, language)
    found: dict[date, str] = {}
    for year in range(first.year, last.year + 1):
        of_year = _of_year(country, year, spoken).items()
        found |= {day: name for day, name in of_year if first <= day <= last}
    return dict(sorted(found.items()))


def regions(country: str) -> tuple[str, ...]:
    """The codes of a country's regions that have holidays of their own (`DE-BY`)."""
    return tuple(code for code in _codes() if code.startswith(f"{country}-"))


def countries() -> tuple[str, ...]:
    """The two-letter codes of all countries that there are calendars of."""
    return tuple(code for code in _codes() if "-" not in code)


@cache
def _codes() -> tuple[str, ...]:
    supported = holidays.list_supported_countries(include_aliases=False)
    codes = [country for country in supported if len(country) == 2]
    parts = [f"{country}-{part}" for country in codes for part in supported[country]]
    return tuple(sorted((*codes, *(part for part in parts if part == part.upper()))))


@cache
def _spoken(country: str, language: str) -> str | None:
    spoken = holidays.list_localized_countries().get(country.partition("-")[0], [])
    wanted = (language, language.partition("-")[0], "en_US", "en_GB", "en")
    by_name = {name.replace("_", "-"): name for name in spoken}
    return next(
        (by_name[name] for name in (w.replace("_", "-") for w in wanted) if name in by_name), None
    )


@lru_cache(maxsize=256)
def _of_year(country: str, year: int, language: str | None = None) -> dict[date, str]:
    code, _, region = country.partition("-")
    calendar = holidays.country_holidays(code, subdiv=region or None, years=year, language=language)
    return dict(calendar.items())
