"""Words compared as people mean them: case, accents, dashes and small slips put aside."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 100
"""Characters of a typed word that are compared; nobody misspells a longer one by accident."""

_MARKS_OF_LETTERS = range(10, 36)  # Hebrew points, Arabic vowels: many leave them out
_MARKS_AROUND_LETTERS = 200  # and above: accents of Latin, Greek, Cyrillic


def fold(text: str) -> str:
    """One form for all spellings of the same words; never for showing.

    Marks that make another letter (Thai, Devanagari, kana) stay.
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(_folded(sign) for sign in apart if not _is_dropped(sign))
    return " ".join(unicodedata.normalize("NFC", kept.casefold()).split())


def slips(length: int) -> int:
    """How many slips a word of this many letters may have and still be meant."""
    return 0 if length < 3 else 1 if length < 6 else 2 if length < 10 else 3


def nearest(typed: str, words: Iterable[str]) -> str | None:
    """The one word that was probably meant, out of a few."""
    if len(typed) > LONGEST:
        return None
    by_fold = {fold(word): word for word in sorted(words, reverse=True)}
    wanted = fold(typed)
    begun = [name for name in by_fold if len(wanted) > 2 and name.startswith(wanted)]
    close = [min(begun, key=len)] if begun else get_close_matches(wanted, list(by_fold), n=1)
    return by_fold[close[0]] if close else None


def slips_to(typed: str, name: str, most: int) -> int:
    """The fewest slips that make `typed` a run of words of `name`; more than `most` is most + 1.

    A slip is a letter too many, missing, wrong, or swapped with the next. From five letters on,
    the last word need not be complete.
    """
    far = most + 1
    starts = _word_starts(name)
    before: list[int] = []
    row = [0 if column in starts else far for column in range(len(name) + 1)]
    for at, letter in enumerate(typed):
        two_before, before = before, row
        row = [before[0] + 1]
        for column, other in enumerate(name, start=1):
            cost = min(
                before[column - 1] + (letter != other), before[column] + 1, row[column - 1] + 1
            )
            if at and column > 1 and letter == name[column - 2] and typed[at - 1] == other:
                cost = min(cost, two_before[column - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return far
    ends = row if len(typed) >= 5 else [row[column] for column in _word_ends(name)]
    return min([far, *ends])


def _folded(sign: str) -> str:
    if unicodedata.category(sign) == "Pd" or sign == "_":
        return " "
    return "'" if sign in "’‘ʼ" else sign


def _is_dropped(sign: str) -> bool:
    around = unicodedata.combining(sign)
    return (
        around in _MARKS_OF_LETTERS
        or around >= _MARKS_AROUND_LETTERS
        or unicodedata.category(sign) == "Cf"
    )


def _word_starts(name: str) -> set[int]:
    return {0} | {at + 1 for at, sign in enumerate(name) if sign == " "}


def _word_ends(name: str) -> set[int]:
    return {len(name)} | {at for at, sign in enumerate(name) if sign == " "}
