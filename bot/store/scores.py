"""Totals: what the attempts that count add up to, by board and player."""

from __future__ import annotations

from collections import OrderedDict
from datetime import date

from sqlalchemy import Connection, select

from bot import rules
from bot.store.bulk import Bulk
from bot.store.dialects import Upsert, insert_into
from bot.store.schema import boards, totals

WHOLE_COMMUNITY = 0
"""The `place_id` of a board of a whole community."""

_REMEMBERED = 20_000

_Sum = tuple[int, int, int]  # points, answered, right


class Boards:
    """The ids of boards; forget them when the transaction that made some is undone."""

    def __init__(self) -> None:
        self._ids: OrderedDict[tuple[int, int, str], tuple[int, ...]] = OrderedDict()

    def forget(self) -> None:
        self._ids.clear()

    def of(
        self, connection: Connection, community_id: int, place_id: int, day: str
    ) -> tuple[int, ...]:
        """Every board that an attempt of this date in this place stands on."""
        key = (community_id, place_id, day)
        ids = self._ids.get(key)
        if ids is None:
            ids = _ensure_boards(connection, *key)
            if len(self._ids) >= _REMEMBERED:
                self._ids.popitem(last=False)
            self._ids[key] = ids
        return ids


class Sums:
    """Adds up a batch, so that each row of totals is written once."""

    def __init__(self) -> None:
        self._sums: dict[tuple[int, ...], dict[int, _Sum]] = {}

    def add(self, board_ids: tuple[int, ...], player_id: int, points: int, is_right: bool) -> None:
        """An answer: the same on each of these boards."""
        self._change(board_ids, player_id, (points, 1, int(is_right)))

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
        _TOTALS.run(connection, rows)
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


_TOTALS = Bulk(totals, _adding)


def _ensure_boards(
    connection: Connection, community_id: int, place_id: int, day: str
) -> tuple[int, ...]:
    wanted = [
        (place, period, starts)
        for place in (WHOLE_COMMUNITY, place_id)
        for period, starts in rules.periods(date.fromisoformat(day))
    ]
    found = _find_boards(connection, community_id, wanted)
    missing = [key for key in wanted if key not in found]
    if missing:
        rows = [
            {"community_id": community_id, "place_id": place, "period": period, "starts": starts}
            for place, period, starts in missing
        ]
        connection.execute(insert_into(connection, boards).on_conflict_do_nothing(), rows)
        found = _find_boards(connection, community_id, wanted)
    return tuple(found[key] for key in wanted)


def _find_boards(
    connection: Connection, community_id: int, wanted: list[tuple[int, str, str]]
) -> dict[tuple[int, str, str], int]:
    query = select(boards.c.place_id, boards.c.period, boards.c.starts, boards.c.id).where(
        boards.c.community_id == community_id,
        boards.c.place_id.in_({place for place, _, _ in wanted}),
        boards.c.topic == "",
        boards.c.period.in_({period for _, period, _ in wanted}),
        boards.c.starts.in_({starts for _, _, starts in wanted}),
    )
    found = connection.execute(query)
    return {(place, period, starts): board_id for place, period, starts, board_id in found}
