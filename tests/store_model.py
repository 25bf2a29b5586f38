"""What a store should hold, in a few dictionaries: a second opinion for property tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Literal

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection
from store_world import BANKS, NOON, question

from bot import rules
from bot.outcomes import Again, Draft, First, Late, NoStep, Recorded
from bot.store.store import Store

BoardKey = tuple[str, str, str, str, str]
"""Community, place or "" for the whole of it, topic, period, first day."""

Key = tuple[str, str, str, str, str, str]
"""A board, and a person."""

Reach = Literal["all", "place", "none"]
"""On whose boards an answer that counts stands."""


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
    """An answer that was stored; `right` is the key by which it was marked.

    `draft` is the press that made it, be it one on another daily with the same question.
    """

    draft: Draft
    asked: Asked
    counts: bool
    right: str
    reach: Reach = "all"

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
    """Steps by id, today's keys by question, the answers by step and person, seasons' starts."""

    steps: dict[int, Asked] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    given: dict[tuple[int, str], Given] = field(default_factory=dict)
    seasons: dict[str, set[date]] = field(default_factory=dict)

    def open(self, asked: Asked) -> None:
        """It stands there; who has answered its question in another daily has answered it."""
        self.steps[asked.id] = asked
        twins = self._twins(asked)
        for who in sorted({person for _, person in self.given}):
            there = [self.given[t.id, who] for t in twins if (t.id, who) in self.given]
            there.sort(key=lambda given: (given.draft.pressed_at, given.asked.id))
            counting = [given for given in there if given.counts]
            whole = [given for given in counting if given.reach == "all"]
            if there:
                places = {given.asked.place for given in counting if given.reach != "none"}
                self._mirror((whole or there)[0], asked, who, bool(counting), places)

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
            other.counts and other.reach == "all" and _occasion(other.asked) == occasion
            for (_, person), other in self.given.items()
            if person == who
        )
        key = self.keys.get(asked.question, "a")
        self.given[asked.id, who] = Given(draft, asked, counts, key)
        places = {asked.place}
        for twin in self._twins(asked):
            is_late = twin.cutoff is not None and after > twin.cutoff
            if (twin.id, who) not in self.given and not is_late:
                self._mirror(self.given[asked.id, who], twin, who, counts, places)
                places.add(twin.place)
        return "first"

    def _twins(self, asked: Asked) -> list[Asked]:
        """Other dailies of the community in which its question stands open."""
        if asked.mode != "open":
            return []
        return [
            other
            for _, other in sorted(self.steps.items())
            if other.id != asked.id
            and (other.mode, other.is_closed) == ("open", False)
            and (other.community, other.question) == (asked.community, asked.question)
        ]

    def _mirror(self, given: Given, step: Asked, who: str, counts: bool, places: set[str]) -> None:
        reach: Reach = "none" if step.place in places else "place"
        key = self.keys.get(step.question, "a")
        self.given[step.id, who] = Given(given.draft, step, counts, key, reach)

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
            seasons = self.seasons.get(given.asked.community, set())
            for board in _boards(given.asked, given.reach, seasons):
                points[*board, who] += given.mark.points
                answered[*board, who] += 1
                right[*board, who] += given.mark.is_right
        return {key: (points[key], answered[key], right[key]) for key in answered}

    def asked(self) -> dict[BoardKey, int]:
        """How many questions each board counts."""
        occasions: dict[BoardKey, set[object]] = {}
        for asked in self.steps.values():
            if asked.day is not None:
                for board in _boards(asked, "all", self.seasons.get(asked.community, set())):
                    occasions.setdefault(board, set()).add(_occasion(asked))
        return {board: len(counted) for board, counted in occasions.items()}


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
        "SELECT communities.external_id, COALESCE(places.external_id, ''), topic, period, starts,"
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
        return {tuple(row[:6]): (row[6], row[7], row[8]) for row in rows}

    return await store.read(read)


async def stored_asked(store: Store) -> dict[BoardKey, int]:
    """What the store holds, as `Model.asked` says it."""
    query = text(
        "SELECT communities.external_id, COALESCE(places.external_id, ''), topic, period, starts,"
        " asked FROM boards JOIN communities ON communities.id = boards.community_id"
        " LEFT JOIN places ON places.id = boards.place_id WHERE asked <> 0"
    )

    async def read(connection: AsyncConnection) -> dict[BoardKey, int]:
        return {tuple(row[:5]): row[5] for row in await connection.execute(query)}

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


def _boards(asked: Asked, reach: Reach, seasons: set[date]) -> Iterator[BoardKey]:
    day = asked.day
    assert day is not None
    topic = BANKS.get(asked.question, "b1")
    places = {"all": ("", asked.place), "place": (asked.place,), "none": ()}[reach]
    for place in places:
        for about in ("", topic):
            yield asked.community, place, about, "today", f"{day}"
            yield asked.community, place, about, "week", f"{day - timedelta(days=day.weekday())}"
            yield asked.community, place, about, "month", f"{day:%Y-%m}-01"
            yield asked.community, place, about, "season", f"{_season(day, seasons)}"
            yield asked.community, place, about, "all", ""


def _season(day: date, seasons: set[date]) -> date:
    begun = [starts for starts in seasons if starts <= day]
    quarter = (1, 1, 1, 4, 4, 4, 7, 7, 7, 10, 10, 10)[day.month - 1]
    return max(begun) if begun else date(day.year, quarter, 1)
