"""What a daily quiz asks next: everything once, then what was missed most."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256

WARN_AT = 7
"""With so many draws left, whoever runs the quiz is told."""

REST = timedelta(days=30)
"""So long a question stays away after it was asked, while another is left."""

Key = tuple[str, str]
"""A question: its bank and its own id."""


@dataclass(frozen=True, slots=True)
class Past:
    """What is known of a question that a schedule has asked: when last, and how it went."""

    last: date
    answered: int
    missed: int

    @property
    def missed_share(self) -> float:
        return self.missed / self.answered if self.answered else 0.0


@dataclass(frozen=True, slots=True)
class Drawn:
    """The questions of an occurrence in order; `again` are among them for another time.

    `draws_left` is how many more occurrences can ask something new.
    """

    questions: tuple[Key, ...]
    again: frozenset[Key]
    draws_left: int


def draw_daily(
    library: Sequence[Key],
    past: Mapping[Key, Past],
    today: date,
    count: int,
    *,
    seed: str | None,
    elsewhere: Collection[Key] = (),
    live: Collection[Key] = (),
) -> Drawn:
    """The next `count` questions out of a library, in its order or shuffled by `seed`.

    The order depends on nothing else, so that a question that is added or taken away moves no
    other. What is open `elsewhere` in the community waits, unless the order is the library's; what
    a `live` round has just asked waits in any order.
    """
    fresh = [key for key in library if key not in past]
    if seed is not None:
        fresh.sort(key=lambda key: sha256("\0".join((seed, *key)).encode()).digest())
        fresh.sort(key=lambda key: key in elsewhere)
    fresh.sort(key=lambda key: key in live)
    first = fresh[:count]
    again = _most_missed(library, past, today, elsewhere)
    again.sort(key=lambda key: key in live)
    again = again[: count - len(first)]
    return Drawn((*first, *again), frozenset(again), (len(fresh) - len(first)) // count)


def _most_missed(
    library: Sequence[Key], past: Mapping[Key, Past], today: date, elsewhere: Collection[Key]
) -> list[Key]:
    """Rested ones by how many missed them, then the rest by how long they rest already."""
    known = [key for key in library if key in past]
    rested = [key for key in known if today - past[key].last >= REST]
    tired = [key for key in known if today - past[key].last < REST]
    rested.sort(key=lambda key: (-past[key].missed_share, past[key].last))
    tired.sort(key=lambda key: past[key].last)
    return sorted((*rested, *tired), key=lambda key: key in elsewhere)
