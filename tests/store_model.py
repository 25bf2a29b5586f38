"""What a store should hold, in a few dictionaries: a second opinion for property tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection
from store_world import NOON, question

from bot import rules
from bot.outcomes import Again, Draft, First, Late, NoStep, Recorded
from bot.store.store import Store

Key = tuple[str, str, str, str, str]
"""Community, place or "" for the whole of it, period, first day, person."""


@dataclass(frozen=True)
class Asked:
    """A step; `day` is None for practice alone, whose answers are of the day of the press."""

    id: int
    community: str
    place: str
    mode: str
    question: str
    day: date | None
    speed: bool
    seconds: int
    cutoff: float | None
    is_closed: bool = False


@dataclass(frozen=True)
class Given:
    """An answer that was stored; `right` is the key by which it was marked."""

    draft: Draft
    asked: Asked
    counts: bool
    right: str

    @property
    def mark(self) -> rules.Mark:
        mark = rules.mark(
            question(self.asked.question, self.right),
            self.draft.answer,
            speed=self.asked.speed,
            elapsed=(self.draft.pressed_at - NOON).total_seconds(),
            seconds=self.asked.seconds,
        )
        return mark if self.counts else replace(mark, points=0)


@dataclass
class Model:
    """Steps by id, today's keys by question, and the answers by step and person."""

    steps: dict[int, Asked] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    given: dict[tuple[int, str], Given] = field(default_factory=dict)

    def copy(self) -> Model:
        return Model(dict(self.steps), dict(self.keys), dict(self.given))

    def close(self, step_id: int) -> None:
        self.steps[step_id] = replace(self.steps[step_id], is_closed=True)

    def press(self, draft: Draft) -> str:
        """first, again, same (the same press once more) or late."""
        asked, who = self.steps[draft.step_id], draft.person.id
        known = self.given.get((asked.id, who))
        if known is not None:
            return "same" if known.draft.pressed_at == draft.pressed_at else "again"
        after = (draft.pressed_at - NOON).total_seconds()
        if asked.is_closed or (asked.cutoff is not None and after > asked.cutoff):
            return "late"
        occasion = _occasion(asked)
        counts = occasion is not None and not any(
            other.counts and _occasion(other.asked) == occasion
            for (_, person), other in self.given.items()
            if person == who
        )
        key = self.keys.get(asked.question, "a")
        self.given[asked.id, who] = Given(draft, asked, counts, key)
        return "first"

    def regrade(self) -> None:
        self.given = {
            key: replace(given, right=self.keys.get(given.asked.question, "a"))
            for key, given in self.given.items()
        }

    def totals(self) -> dict[Key, tuple[int, int, int]]:
        """Points, answered and right, by board and person."""
        points, answered, right = Counter[Key](), Counter[Key](), Counter[Key]()
        for (_, who), given in self.given.items():
            if not given.counts:
                continue
            for board in _boards(given.asked):
                points[*board, who] += given.mark.points
                answered[*board, who] += 1
                right[*board, who] += given.mark.is_right
        return {key: (points[key], answered[key], right[key]) for key in answered}


def verdict(recorded: Recorded) -> str:
    """As `Model.press` says it."""
    match recorded:
        case First():
            return "first"
        case Again(same_press=same):
            return "same" if same else "again"
        case Late():
            return "late"
        case NoStep():
            return "none"


async def stored_totals(store: Store) -> dict[Key, tuple[int, int, int]]:
    """What the store holds, as `Model.totals` says it."""
    query = text(
        "SELECT communities.external_id, COALESCE(places.external_id, ''), period, starts,"
        ' persons.external_id, points, answered, "right" FROM totals'
        " JOIN boards ON boards.id = totals.board_id"
        " JOIN communities ON communities.id = boards.community_id"
        " LEFT JOIN places ON places.id = boards.place_id"
        " JOIN players ON players.id = totals.player_id"
        " AND players.community_id = boards.community_id"
        " JOIN persons ON persons.id = players.person_id"
    )

    async def read(connection: AsyncConnection) -> dict[Key, tuple[int, int, int]]:
        rows = await connection.execute(query)
        return {tuple(row[:5]): (row[5], row[6], row[7]) for row in rows}

    return await store.read(read)


async def stored_answers(store: Store) -> dict[tuple[int, str], tuple[str, bool, bool, int]]:
    """The answer, whether it counts, whether it is right, its points; by step and person."""
    query = text(
        "SELECT attempts.step_id, persons.external_id, answer, counts IS NOT NULL, is_right, points"
        " FROM attempts JOIN marks ON marks.step_id = attempts.step_id"
        " AND marks.player_id = attempts.player_id"
        " JOIN players ON players.id = attempts.player_id"
        " JOIN persons ON persons.id = players.person_id"
    )

    async def read(
        connection: AsyncConnection,
    ) -> dict[tuple[int, str], tuple[str, bool, bool, int]]:
        rows = await connection.execute(query)
        return {(r[0], r[1]): (r[2], bool(r[3]), bool(r[4]), r[5]) for r in rows}

    return await store.read(read)


def expected_answers(model: Model) -> dict[tuple[int, str], tuple[str, bool, bool, int]]:
    return {
        key: (
            f'{{"options": ["{given.draft.answer[0]}"]}}',
            given.counts,
            given.mark.is_right,
            given.mark.points,
        )
        for key, given in model.given.items()
    }


def _occasion(asked: Asked) -> tuple[object, ...] | None:
    """Two answers of a person with the same one cannot both count."""
    if asked.day is None:
        return None
    if asked.mode == "open":
        return asked.community, asked.question, asked.day
    monday = asked.day - timedelta(days=asked.day.weekday())
    return asked.community, asked.question, "week", monday


def _boards(asked: Asked) -> Iterator[tuple[str, str, str, str]]:
    assert asked.day is not None
    day = asked.day
    quarter = (1, 1, 1, 4, 4, 4, 7, 7, 7, 10, 10, 10)[day.month - 1]
    for place in ("", asked.place):
        yield asked.community, place, "week", f"{day - timedelta(days=day.weekday())}"
        yield asked.community, place, "month", f"{day:%Y-%m}-01"
        yield asked.community, place, "season", f"{day:%Y}-{quarter:02}-01"
        yield asked.community, place, "all", ""
