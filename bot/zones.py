"""Time zones by their IANA names, and what somebody may have meant."""

from __future__ import annotations

import re
from collections import Counter
from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

from bot.spelling import fold, nearest

AREAS = (
    "africa", "america", "antarctica", "arctic", "asia", "atlantic", "australia", "europe",
    "indian", "pacific",
)  # fmt: skip
"""What the names of zones begin with that are called after a city."""

_ENOUGH = 4
"""So many letters say which zone is meant also from within a name, or with a slip."""

_SURELY = 0.8
"""How much a single word has to be like a city's name that could as well be a quiz's."""

_OFFSET = re.compile(r"(utc|gmt)[+\u2212-][0-9]{1,2}(:?[0-9]{2})?", re.IGNORECASE)
_SHORT = {
    "GMT",
    "CET",
    "CEST",
    "EET",
    "EST",
    "EDT",
    "CST",
    "CDT",
    "MST",
    "PST",
    "PDT",
    "WAT",
    "CAT",
}


def known_zone(typed: str) -> str | None:
    """The zone of this name, or of the city of this name."""
    return named_zone(typed) or city_zone(typed)


def named_zone(typed: str) -> str | None:
    """The zone of this name, whatever its case and with spaces for underscores."""
    return _by_fold().get(fold(typed))


def city_zone(typed: str) -> str | None:
    """The zone that is called after this city: `Harare`, `New York`."""
    return _by_city().get(fold(typed))


def is_zone_like(word: str) -> bool:
    """Whether somebody who types this means a zone, if only by its hours: `CET`, `UTC+2`."""
    area, slash, _ = word.partition("/")
    if slash:
        return area.casefold() in (*AREAS, "etc") or named_zone(word) is not None
    is_offset = _OFFSET.fullmatch(word) is not None
    return is_offset or named_zone(word) is not None or word in _SHORT


def is_misspelt_zone(word: str) -> bool:
    """Whether this is hardly anything but a zone with a slip: `Afrika/Harare`, `Hararre`."""
    if "/" in word:
        return near_zones(word, 1) != ()
    return bool(get_close_matches(fold(word), _by_city(), n=1, cutoff=_SURELY))


def near_zones(typed: str, limit: int) -> tuple[str, ...]:
    """Zones of which a part begins with what was typed, else the one that was probably meant."""
    wanted = fold(typed)
    if not wanted or _OFFSET.fullmatch(typed.strip()):
        return ()
    beginning = [zone for name, zone in _by_fold().items() if _begins(name, wanted)]
    within = [zone for name, zone in _by_fold().items() if wanted in name]
    holding = beginning or (within if len(wanted) >= _ENOUGH else [])
    if holding:
        return tuple(sorted(holding, key=lambda zone: (len(zone), zone))[:limit])
    if len(wanted) < _ENOUGH:
        return ()
    cities = {zone.rpartition("/")[2]: zone for zone in sorted(_by_city().values())}
    meant = nearest(typed, [*cities, *_by_fold().values()])
    return () if meant is None else (cities.get(meant, meant),)


def _begins(name: str, wanted: str) -> bool:
    """Whether the name, or a part of it, begins so; the part may go over several words."""
    starts = [0, *(at + 1 for at, sign in enumerate(name) if sign in "/ _-")]
    return any(name.startswith(wanted, at) for at in starts)


@cache
def _by_fold() -> dict[str, str]:
    # The other prefixes name the same zones again, or none that people live in.
    zones = (
        z
        for z in available_timezones()
        if "/" in z and not z.startswith(("Etc/", "posix/", "right/"))
    )
    return {fold(zone): zone for zone in ("UTC", *sorted(zones))}


@cache
def _by_city() -> dict[str, str]:
    """Of the cities whose name only one zone has."""
    zones = [zone for name, zone in _by_fold().items() if name.startswith(AREAS)]
    times = Counter(fold(zone.rpartition("/")[2]) for zone in zones)
    cities = {fold(zone.rpartition("/")[2]): zone for zone in zones}
    return {city: zone for city, zone in cities.items() if times[city] == 1}
