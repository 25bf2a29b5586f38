"""Time zones by their IANA names, and what somebody may have meant."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones

from bot.spelling import fold, nearest


def known_zone(typed: str) -> str | None:
    """The zone of this name, whatever its case and with spaces for underscores."""
    return _by_fold().get(fold(typed))


def near_zones(typed: str, limit: int) -> tuple[str, ...]:
    """Zones whose name holds what was typed, else the one that was probably meant."""
    wanted = fold(typed)
    holding = [zone for name, zone in _by_fold().items() if wanted and wanted in name]
    if holding:
        return tuple(sorted(holding, key=lambda zone: (len(zone), zone))[:limit])
    cities = {zone.rpartition("/")[2]: zone for zone in sorted(_by_fold().values())}
    meant = nearest(typed, [*cities, *_by_fold().values()])
    return () if meant is None else (cities.get(meant, meant),)


@cache
def _by_fold() -> dict[str, str]:
    # The other prefixes name the same zones again, or none that people live in.
    zones = (
        z
        for z in available_timezones()
        if "/" in z and not z.startswith(("Etc/", "posix/", "right/"))
    )
    return {fold(zone): zone for zone in ("UTC", *sorted(zones))}
