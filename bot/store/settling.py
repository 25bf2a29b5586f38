"""The answers of several players as those of one: the first on each question stays, and counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.store.scores import reach_of

Key = tuple[int, int]
"""A step and a player."""


@dataclass(frozen=True, slots=True)
class Held:
    """An answer as it was stored, with the place in which its question was asked."""

    step_id: int
    player_id: int
    question_id: int
    place_id: int
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
    by_occasion: dict[tuple[int, str], list[Held]] = {}
    for one in first.values():
        if one.counts is not None:
            key = one.question_id, _occasion(one.counts)
            by_occasion.setdefault(key, []).append(one)
    changed = {
        one.key: counts
        for (_, occasion), some in by_occasion.items()
        for one, counts in _counting(occasion, some)
        if counts != one.counts
    }
    return Settled(frozenset(dropped), changed)


def _age(one: Held) -> tuple[Any, ...]:
    return one.pressed_at, one.received_at, one.player_id, one.step_id


def _occasion(counts: str) -> str:
    """The day or week, also of what was answered by answering another daily."""
    kind, _, rest = counts.partition(":")
    return f"day:{rest.partition(':')[0]}" if kind in ("also", "too") else counts


def _counting(occasion: str, some: Sequence[Held]) -> Iterator[tuple[Held, str | None]]:
    """What each counts for. All that one press has answered goes on counting together."""
    if len({one.player_id for one in some}) == 1:
        return
    # On the boards of the whole community exactly one stands.
    lead = min(some, key=lambda one: (reach_of(one.counts or "") != "all", _age(one)))
    yield lead, occasion
    for one in some:
        if one is lead or one.counts is None:
            continue
        if (one.player_id, one.pressed_at) != (lead.player_id, lead.pressed_at):
            yield one, None
        elif one.place_id == lead.place_id:
            # Their place counts the question by the other.
            yield one, f"too:{one.counts.partition(':')[2]}"
