"""Signs that turn the text around them: kept within their own text, or taken out."""

from __future__ import annotations

import re
import unicodedata

_OPEN_EMBEDDING = "\u202a\u202b\u202d\u202e"
_CLOSE_EMBEDDING = "\u202c"
_OPEN_ISOLATE = "\u2066\u2067\u2068"
_CLOSE_ISOLATE = "\u2069"

TURNS = frozenset(_OPEN_EMBEDDING + _CLOSE_EMBEDDING + _OPEN_ISOLATE + _CLOSE_ISOLATE)
"""What reaches beyond its own place."""

_MARKS = frozenset("\u061c\u200e\u200f\ufeff")
_LOOK = re.compile(f"[{''.join(sorted(TURNS))}]")
# Letters and signs by their category that nobody sees: fillers of Hangul, empty Braille.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\U0001d159")


def balanced(text: str) -> str:
    """The text without those signs that nothing in the same line pairs with.

    What is open at the end of a text would turn the words that follow it, and what closes
    more than was opened would end the isolation that stands around it.
    """
    if _LOOK.search(text) is None:
        return text
    return "\n".join(map(_balanced_line, text.split("\n")))


def straight(text: str) -> str:
    """The text without any sign that turns."""
    return "".join(sign for sign in text if sign not in TURNS and sign not in _MARKS)


def is_seen(text: str) -> bool:
    """Whether at least one letter, number or symbol of it can be seen."""
    return any(unicodedata.category(sign)[0] in "LNS" and sign not in _BLANK for sign in text)


def _balanced_line(line: str) -> str:
    """Pairs as the Unicode bidirectional algorithm pairs them (BD9, X6a, X7)."""
    kept: set[int] = set()
    opened: list[int] = []
    isolates = 0
    for at, sign in enumerate(line):
        if sign in _OPEN_EMBEDDING or sign in _OPEN_ISOLATE:
            opened.append(at)
            isolates += sign in _OPEN_ISOLATE
        elif sign == _CLOSE_EMBEDDING and opened and line[opened[-1]] in _OPEN_EMBEDDING:
            kept |= {opened.pop(), at}
        elif sign == _CLOSE_ISOLATE and isolates:
            # Embeddings that are open in there end with it, and so pair with nothing.
            while line[opened[-1]] not in _OPEN_ISOLATE:
                opened.pop()
            kept |= {opened.pop(), at}
            isolates -= 1
    return "".join(sign for at, sign in enumerate(line) if sign not in TURNS or at in kept)
