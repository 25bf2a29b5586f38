"""The daily quiz as the database holds it: schedules, their dates, and what is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Literal

from bot.calendar import Recurrence
from bot.content import Language
from bot.drawing import Key
from bot.state import Period, Place


@dataclass(frozen=True, slots=True)
class Plan:
    """What an organiser sets: when, what and how many.

    `topics` are keys of banks and tags, none for everything. `open_for` None lasts until the next
    post. `mention` is the platform's id of a role or group.
    """

    recurrence: Recurrence
    topics: tuple[str, ...] = ()
    shuffled: bool = True
    count: int = 1
    languages: tuple[Language, ...] = ()
    open_for: timedelta | None = None
    mention: str | None = None


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a place gets its daily quiz.

    `set_by` is a person's row id, `set_by_name` their name; None for who is not known any more.
    `next_date` and `next_at` are what falls due next; None while paused for good, removed, or with
    nothing to come. `paused_until` is the date from which it asks again. `refusals` counts posts
    that the place refused, one after the other.
    """

    id: int
    place: Place
    plan: Plan
    seed: str
    set_by: int | None
    set_by_name: str | None
    created_at: datetime
    paused_at: datetime | None
    paused_until: date | None
    skips: frozenset[date]
    last_date: date | None
    """The last date that it has asked, missed or left out."""
    next_date: date | None
    next_at: datetime | None
    refusals: int
    removed: bool

    @property
    def draw_seed(self) -> str | None:
        """For `draw_daily`: None where it asks in the library's order."""
        return self.seed if self.plan.shuffled else None


OccurrenceState = Literal["asked", "missed", "refused", "unknown", "empty"]
"""What came of a date: its round is made and posted or about to be, it was left out since nobody
could post in time, the place refused it, what became of the post is not known, or there was
nothing to ask."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One date of a schedule. `again` are the positions whose question it had asked before."""

    id: int
    schedule_id: int
    date: date
    state: OccurrenceState
    round_id: int | None
    again: tuple[int, ...]
    posts_at: datetime
    closes_at: datetime | None
    extended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Went:
    """How an occurrence went: people who answered anything, and all of it; shares of answers."""

    started: int = 0
    finished: int = 0
    answered: int = 0
    right: int = 0


@dataclass(frozen=True, slots=True)
class PastOccurrence:
    """An occurrence for a list of them, with the platform's id of its message if it stands."""

    occurrence: Occurrence
    went: Went
    message: str | None


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question of a daily that has not closed; None closes when somebody ends it."""

    key: Key
    question_id: int
    step_id: int
    closes_at: datetime | None


NoticeKind = Literal[
    "missed", "unknown", "refused", "paused", "few-left", "empty", "no-role", "board-gone"
]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that organisers are told once: `matter` says about what."""

    id: int
    community_id: int
    kind: NoticeKind
    matter: str
    args: Mapping[str, Any]
    outbox_id: int | None
    told: bool


@dataclass(frozen=True, slots=True)
class StandingBoard:
    """The one board message that a place keeps up to date; `outbox_id` is its post."""

    place: Place
    scope: Literal["place", "community"]
    period: Period
    topic: str | None
    language: Language | None
    outbox_id: int | None
    pinned: bool
    dirty_at: datetime | None
    edited_at: datetime | None
