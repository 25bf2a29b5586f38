"""Language tags, checked as far as a typing error can be told from a rare language."""

from __future__ import annotations

import re
from functools import cache

from babel import Locale

_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?"
    r"(?P<variants>(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*)",
    re.IGNORECASE,
)
_MISTAKEN = {"jp": "ja", "ua": "uk", "cz": "cs", "gr": "el", "dk": "da", "cn": "zh", "kp": "ko"}
_MISTAKEN_REGIONS = {"UK": "GB"}


def mend_tag(tag: str) -> str | None:
    """The tag as it is written, where that is certain; the same tag when it is right."""
    found = _TAG.fullmatch(tag.strip().replace("_", "-"))
    if not found:
        return _by_name().get(tag.strip().casefold())
    language = found["language"].lower()
    language = _MISTAKEN.get(language, language)
    region = (found["region"] or "").upper()
    region = _MISTAKEN_REGIONS.get(region, region)
    # Every language of two letters is known; three letters are for thousands that are not.
    if len(language) == 2 and language not in _names():
        return None
    if region.isalpha() and region not in _regions():
        return None
    parts = (language, (found["script"] or "").title(), region)
    return "-".join(filter(None, parts)) + found["variants"].lower()


@cache
def _names() -> dict[str, str]:
    return dict(Locale("en").languages)


@cache
def _regions() -> dict[str, str]:
    return dict(Locale("en").territories)


@cache
def _by_name() -> dict[str, str]:
    return {name.casefold(): tag.replace("_", "-") for tag, name in _names().items()}
