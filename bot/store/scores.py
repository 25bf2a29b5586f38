"""Totals: what the attempts that count add up to, by board and player."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Literal, NamedTuple

from sqlalchemy import Connection, select

from bot import rules
from bot.store.bulk import Bulk
from bot.store.dialects import Upsert, insert_into
from bot.store.schema import boards, totals

WHOLE_COMMUNITY = 0
"""The `place_id` of a board of a whole community."""

Reach = Literal["all", "place", "none"]
"""On whose boards an answer that counts stands: its community's and its place's, its place's
alone, since the community counts it already by another daily, or nobody's."""

_REMEMBERED = 20_000

BoardKey = tuple[int, str, str, str]
"""Place or 0, topic or "", period and first day: one of a community's boards."""

_Sum = tuple[int, int, int]  # points, answered, right


class Spot(NamedTuple):
    """Where an answer stands: what decides on which boards.

    `topic` is the key of its question's bank; `seasons` is the column of its community.
    """

    community_id: int
    place_id: int
    day: str
    topic: str
    seasons: str
    reach: Reach


class Boards:
    """The ids of boards; forget them when the transaction that made some is undone."""

    def __init__(self) -> None:
        self._ids: OrderedDict[Spot, tuple[int, ...]] = OrderedDict()

    def forget(self) -> None:
        self._ids.clear()

    def of(self, connection: Connection, spot: Spot) -> tuple[int, ...]:
        """Every board that an answer in this spot stands on."""
        ids = self._ids.get(spot)
        if ids is None:
            ids = ensure_boards(connection, spot.community_id, boards_of(spot))
            if len(self._ids) >= _REMEMBERED:
                self._ids.popitem(last=False)
            self._ids[spot] = ids
        return ids


class Sums:
    """Adds up a batch, so that each row of totals is written once."""

    def __init__(self) -> None:
        self._sums: dict[tuple[int, ...], dict[int, _Sum]] = {}

    def add(self, board_ids: tuple[int, ...], player_id: int, points: int, is_right: bool) -> None:
        """An answer: the same on each of these boards."""
        self._change(board_ids, player_id, (points, 1, int(is_right)))

    def take_out(
        self, board_ids: tuple[int, ...], player_id: int, points: int, is_right: bool
    ) -> None:
        """An answer that stood on these boards stands there no more."""
        self._change(board_ids, player_id, (-points, -1, -int(is_right)))

    def correct(self, board_ids: tuple[int, ...], player_id: int, points: int, right: int) -> None:
        """An answer that stands on these boards is worth this much more, or less."""
        self._change(board_ids, player_id, (points, 0, right))

    def _change(self, board_ids: tuple[int, ...], player_id: int, by: _Sum) -> None:
        of_boards = self._sums.setdefault(board_ids, {})
        total, answered, right = of_boards.get(player_id, (0, 0, 0))
        of_boards[player_id] = (total + by[0], answered + by[1], right + by[2])

    def save(self, connection: Connection) -> None:
        """Add them to what stands, always in the same order: no two processes wait in a circle."""
        by_board: dict[int, dict[int, _Sum]] = {}
        for board_ids, of_boards in self._sums.items():
            ordered = dict(sorted(of_boards.items()))
            for board_id in board_ids:
                known = by_board.get(board_id)
                by_board[board_id] = ordered if known is None else _merged(known, ordered)
        rows = (
            (board_id, player_id, *total)
            for board_id, of_board in sorted(by_board.items())
            for player_id, total in of_board.items()
        )
        TOTALS.run(connection, rows)
        self._sums.clear()


def _merged(one: dict[int, _Sum], other: dict[int, _Sum]) -> dict[int, _Sum]:
    merged = dict(one)
    for player_id, (points, answered, right) in other.items():
        known = merged.get(player_id, (0, 0, 0))
        merged[player_id] = (known[0] + points, known[1] + answered, known[2] + right)
    return dict(sorted(merged.items()))


def _adding(statement: Upsert) -> Upsert:
    new = statement.excluded
    return statement.on_conflict_do_update(
        index_elements=[totals.c.board_id, totals.c.player_id],
        set_={
            "points": totals.c.points + new.points,
            "answered": totals.c.answered + new.answered,
            "right": totals.c.right + new.right,
        },
    )


TOTALS = Bulk(totals, _adding)


def reach_of(counts: str) -> Reach:
    """By what an answer counts for."""
    if counts.startswith("also:"):
        return "place"
    return "none" if counts.startswith("too:") else "all"


@lru_cache(maxsize=1024)
def read_seasons(column: str) -> tuple[date, ...]:
    """The dates on which organisers let seasons begin, out of their column, in order."""
    return tuple(map(date.fromisoformat, json.loads(column)))


def boards_of(spot: Spot) -> list[BoardKey]:
    """Every board that an answer in this spot stands on, always in the same order."""
    if spot.reach == "none":
        return []
    places = (WHOLE_COMMUNITY, spot.place_id) if spot.reach == "all" else (spot.place_id,)
    periods = rules.periods(date.fromisoformat(spot.day), read_seasons(spot.seasons))
    return [
        (place, topic, period, starts)
        for place in places
        for topic in ("", spot.topic)
        for period, starts in periods
    ]


def ensure_boards(
    connection: Connection, community_id: int, wanted: Sequence[BoardKey]
) -> tuple[int, ...]:
    """The ids of boards, made where there were none."""
    if not wanted:
        return ()
    found = _find_boards(connection, community_id, wanted)
    missing = [key for key in wanted if key not in found]
    if missing:
        rows = [
            {
                "community_id": community_id,
                "place_id": place,
                "topic": topic,
                "period": period,
                "starts": starts,
            }
            for place, topic, period, starts in missing
        ]
        connection.execute(insert_into(connection, boards).on_conflict_do_nothing(), rows)
        found = _find_boards(connection, community_id, wanted)
    return tuple(found[key] for key in wanted)


def _find_boards(
    connection: Connection, community_id: int, wanted: Sequence[BoardKey]
) -> dict[BoardKey, int]:
    places, topics, periods, starts = (set(values) for values in zip(*wanted, strict=True))
    query = select(
        boards.c.place_id, boards.c.topic, boards.c.period, boards.c.starts, boards.c.id
    ).where(
        boards.c.community_id == community_id,
        boards.c.place_id.in_(places),
        boards.c.topic.in_(topics),
        boards.c.period.in_(periods),
        boards.c.starts.in_(starts),
    )
    found = connection.execute(query)
    return {(row[0], row[1], row[2], row[3]): row[4] for row in found}
