"""Countries that there are public holidays of, by what people call them."""

from __future__ import annotations

from functools import lru_cache

from babel import Locale
from babel.core import get_global

from bot.days_off import countries, known_country, regions
from bot.spelling import fold, nearest
from bot.wording.catalogues import SOURCE
from bot.zones import named_zone


def name_of(code: str, language: str) -> str:
    """`France`, `Germany (BY)`: a country in a reader's language, with the code of its region."""
    country, _, region = code.partition("-")
    name = _names(language).get(country, country)
    return f"{name} ({region})" if region else name


def meant(typed: str, language: str) -> str | None:
    """The code of a country, by its code or its name in the reader's language or in English."""
    known = known_country(typed)
    if known is not None:
        return known
    wanted = fold(typed)
    for spoken in dict.fromkeys((language, SOURCE)):
        for code in (*countries(), *_regions()):
            if fold(name_of(code, spoken)) == wanted:
                return code
    return None


def named(typed: str, language: str) -> str | None:
    """The code of a country by its name alone, in the reader's language or in English."""
    wanted = fold(typed)
    found = (
        code
        for spoken in dict.fromkeys((language, SOURCE))
        for code, name in _names(spoken).items()
        if fold(name) == wanted
    )
    return next(found, None)


def zones_of(country: str) -> tuple[str, ...]:
    """The time zones of a country, by its code."""
    places = get_global("zone_territories")
    return tuple(sorted(zone for zone, of in places.items() if of == country and named_zone(zone)))


def near(typed: str, language: str, limit: int) -> tuple[str, ...]:
    """Codes whose country's name holds what was typed, else the one that was probably meant.

    A country stands before its regions, which are shown once it alone is left.
    """
    names = {code: name_of(code, language) for code in countries()}
    wanted = fold(typed)
    in_order = sorted(names, key=lambda code: fold(names[code]))
    found = [code for code in in_order if wanted in fold(names[code]) or wanted == code.casefold()]
    if len(found) == 1 or (wanted and known_country(typed)):
        country = known_country(typed) or found[0]
        found = list(dict.fromkeys((country, *found, *regions(country))))
    if not found:
        close = nearest(typed, names.values())
        found = [code for code in in_order if names[code] == close]
    return tuple(found[:limit])


@lru_cache(maxsize=1)
def _regions() -> tuple[str, ...]:
    return tuple(code for country in countries() for code in regions(country))


@lru_cache(maxsize=16)
def _names(language: str) -> dict[str, str]:
    territories = Locale.parse(language, sep="-").territories
    return {code: territories.get(code, code) for code in countries()}
