"""The answers of several players as those of one: the first on each question stays, and counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.store.scores import reach_of

Key = tuple[int, int]
"""A step and a player."""


@dataclass(frozen=True, slots=True)
class Held:
    """An answer as it was stored."""

    step_id: int
    player_id: int
    question_id: int
    pressed_at: datetime
    received_at: datetime
    counts: str | None

    @property
    def key(self) -> Key:
        return self.step_id, self.player_id


@dataclass(frozen=True, slots=True)
class Settled:
    """Which answers go, and what those that stay count for, where that is another than before."""

    dropped: frozenset[Key]
    counts: Mapping[Key, str | None]


def settle(held: Iterable[Held]) -> Settled:
    """One answer a step and, of all on a question for the same day or week, one that counts."""
    first: dict[int, Held] = {}
    dropped = set()
    for one in sorted(held, key=_age):
        if first.setdefault(one.step_id, one) is not one:
            dropped.add(one.key)
    counting = [one for one in first.values() if one.counts is not None]
    leading = {_press(one) for one in counting if _is_everywhere(one)}
    by_occasion: dict[tuple[int, str], list[Held]] = {}
    for one in counting:
        key = one.question_id, _occasion(one.counts or "")
        by_occasion.setdefault(key, []).append(one)
    changed: dict[Key, str | None] = {}
    for (_, occasion), some in by_occasion.items():
        whole = sorted(filter(_is_everywhere, some), key=_age)
        # All that a press has answered along with its own question counts as long as that does.
        later = {_press(one) for one in whole[1:]}
        changed |= {one.key: None for one in some if _press(one) in later}
        if not whole and not leading & set(map(_press, some)):
            changed[min(some, key=_age).key] = occasion
    return Settled(frozenset(dropped), changed)


def _age(one: Held) -> tuple[Any, ...]:
    return one.pressed_at, one.received_at, one.player_id, one.step_id


def _occasion(counts: str) -> str:
    """The day or week, also of what was answered by answering another daily."""
    kind, _, rest = counts.partition(":")
    return f"day:{rest.partition(':')[0]}" if kind in ("also", "too") else counts


def _is_everywhere(one: Held) -> bool:
    """Whether it stands on the boards of the whole community."""
    return one.counts is not None and reach_of(one.counts) == "all"


def _press(one: Held) -> tuple[Any, ...]:
    """By what it was made; by one press, questions of several dailies may be answered."""
    return one.player_id, one.question_id, one.pressed_at
