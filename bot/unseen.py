"""What was typed and shows nothing counts as not typed."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

# Controls, joiners and what turns text around; halves of signs; gaps of all kinds.
_EMPTY = ("Cc", "Cf", "Cs", "Zl", "Zp", "Zs")
# Letters and marks that are made to be blank: fillers, the empty Braille cell, variation selectors.
_BLANK = frozenset(
    chr(sign)
    for signs in (
        (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
        range(0x180B, 0x1810),
        range(0xFE00, 0xFE10),
        range(0xE0100, 0xE01F0),
    )
    for sign in signs
)


def is_seen(text: str) -> bool:
    return any(unicodedata.category(sign) not in _EMPTY and sign not in _BLANK for sign in text)


def as_seen(values: Mapping[str, str]) -> dict[str, str]:
    """Options or fields; those that show nothing are empty."""
    return {name: value if is_seen(value) else "" for name, value in values.items()}
