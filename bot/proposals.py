"""A daily quiz that is being set and is not saved yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from bot.schedules import Plan

Part = Literal["when", "what", "post", "channel"]
"""The forms, in the order in which their buttons stand."""

FieldName = Literal[
    "hour", "zone", "days", "holidays",
    "topic", "count", "order",
    "language", "open", "mention",
    "channel",
]  # fmt: skip

FIELDS: Mapping[Part, tuple[FieldName, ...]] = {
    "when": ("hour", "zone", "days", "holidays"),
    "what": ("topic", "count", "order"),
    "post": ("language", "open", "mention"),
    "channel": ("channel",),
}
FIELD_NAMES: tuple[FieldName, ...] = tuple(name for names in FIELDS.values() for name in names)

SHORTEST_OPEN, LONGEST_OPEN = timedelta(minutes=10), timedelta(days=7)
MOST_TOPICS = 20
MOST_LANGUAGES = 3

NONE = "-"
"""What is entered for nothing: no holidays, no mention, no language of its own."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody has entered so far, by field, as it was typed: what is wrong can be mended.

    `schedule` is the one that it changes, or None for a new one. `place` is the row id of the
    place in which it was begun.
    """

    id: int
    place: int
    schedule: int | None
    entered: Mapping[str, str]
    begun_at: datetime


@dataclass(frozen=True, slots=True)
class Entered:
    """What was entered as a plan, without the fields that have a fault.

    `timed` is False where no hour was given; `place` is the platform's id of the channel.
    `faults` are sentences by field.
    """

    plan: Plan
    timed: bool
    place: str
    faults: Mapping[FieldName, str]


def part_of(name: FieldName) -> Part:
    """The form that a field stands in."""
    return next(part for part, names in FIELDS.items() if name in names)
