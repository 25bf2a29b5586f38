"""The language of a page, by what the browser that asks for it says."""

from __future__ import annotations

from collections.abc import Iterable

from bot.wording.catalogues import interface_language, languages


def preferred(header: str) -> str:
    """The language to speak with who sends this Accept-Language header."""
    return nearest(accepted(header), languages()) or interface_language("")


def nearest(wanted: Iterable[str], offered: Iterable[str]) -> str | None:
    """The first wanted language that is offered, exactly or without its region."""
    known = {tag.lower(): tag for tag in offered}
    for tag in wanted:
        folded = tag.strip().lower().replace("_", "-")
        while folded:
            if folded in known:
                return known[folded]
            folded = folded.rpartition("-")[0]
    return None


def accepted(header: str) -> list[str]:
    """The languages of an Accept-Language header, best first."""
    weighed: list[tuple[float, int, str]] = []
    for place, part in enumerate(header[:500].split(",")):
        tag, _, weight = part.partition(";q=")
        try:
            worth = float(weight or 1)
        except ValueError:
            worth = 0.0
        if tag.strip() and worth > 0:
            weighed.append((-worth, place, tag.strip()))
    return [tag for _, _, tag in sorted(weighed)]
