"""What one person answered as several players of a community becomes that of one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, tuple_, update

from bot.store import standing
from bot.store.dialects import insert_into
from bot.store.marking import marked_query, spot_in
from bot.store.schema import attempts, away, marks, players, totals
from bot.store.scores import Boards, Sums, reach_of
from bot.store.settling import Held, Key, settle

_CHUNK = 500


def unite_players(
    connection: Connection, community_id: int, target: int, others: Sequence[int], now: datetime
) -> None:
    """Let one player have all that others have. They stay behind with nothing."""
    rows = _answers(connection, target, others)
    settled = settle(map(_held, rows))
    after = {
        key: row for row in rows if (key := (row.step_id, row.player_id)) not in settled.dropped
    }
    _drop(connection, settled.dropped)
    _let_count(connection, settled.counts)
    _give(connection, target, others)
    _add_up(connection, target, others, rows, after, settled.counts)
    _move_days(connection, target, others)
    if rows:
        there = {row.place_id for row in rows}
        standing.mark_dirty(connection, {community_id}, there, now)


# --- answers ---------------------------------------------------------------------------------


def _answers(connection: Connection, target: int, others: Sequence[int]) -> Sequence[Row[Any]]:
    """All of the others, and what the one has answered of the same questions."""
    query = marked_query().add_columns(attempts.c.question_id, attempts.c.received_at)
    asked = select(attempts.c.question_id).where(attempts.c.player_id.in_(others))
    theirs = connection.execute(query.where(attempts.c.player_id.in_(others))).all()
    own = query.where(attempts.c.player_id == target, attempts.c.question_id.in_(asked))
    return [*connection.execute(own), *theirs]


def _held(row: Row[Any]) -> Held:
    return Held(
        row.step_id,
        row.player_id,
        row.question_id,
        row.pressed_at,
        row.received_at,
        row.counts,
    )


def _drop(connection: Connection, keys: Collection[Key]) -> None:
    for table in (marks, attempts):
        key = tuple_(table.c.step_id, table.c.player_id)
        for some in _chunks(sorted(keys)):
            connection.execute(delete(table).where(key.in_(some)))


def _let_count(connection: Connection, counts: Mapping[Key, str | None]) -> None:
    """Those that count no more first: no two may at any moment."""
    for (step_id, player_id), occasion in sorted(counts.items(), key=lambda one: one[1] or ""):
        of_attempt = attempts.c.step_id == step_id, attempts.c.player_id == player_id
        practice = "again" if occasion is None else None
        connection.execute(
            update(attempts).where(*of_attempt).values(counts=occasion, practice=practice)
        )
        if occasion is None:
            of_mark = marks.c.step_id == step_id, marks.c.player_id == player_id
            connection.execute(update(marks).where(*of_mark).values(points=0))


def _give(connection: Connection, target: int, others: Sequence[int]) -> None:
    for table in (attempts, marks):
        theirs = update(table).where(table.c.player_id.in_(others))
        connection.execute(theirs.values(player_id=target))


# --- totals ----------------------------------------------------------------------------------


def _add_up(
    connection: Connection,
    target: int,
    others: Sequence[int],
    before: Sequence[Row[Any]],
    after: Mapping[Key, Row[Any]],
    counts: Mapping[Key, str | None],
) -> None:
    """Take out what counted for each, and put in what counts for the one."""
    boards, sums, concerned = Boards(), Sums(), set[int]()
    for row in before:
        if row.counts is not None:
            ids = boards.of(connection, spot_in(row))
            concerned.update(ids)
            sums.take_out(ids, row.player_id, row.points, row.is_right)
    for key, row in after.items():
        occasion = counts.get(key, row.counts)
        if occasion is not None:
            ids = boards.of(connection, spot_in(row)._replace(reach=reach_of(occasion)))
            concerned.update(ids)
            sums.add(ids, target, row.points, row.is_right)
    sums.save(connection)
    # Where somebody has answered nothing there is no row.
    for some in _chunks(sorted(concerned)):
        connection.execute(
            delete(totals).where(
                totals.c.board_id.in_(some),
                totals.c.player_id.in_([target, *others]),
                totals.c.answered == 0,
            )
        )


# --- time away -------------------------------------------------------------------------------


def _move_days(connection: Connection, target: int, others: Sequence[int]) -> None:
    """Away is who was so under any id; of a freeze is told who was told under any."""
    of_others = away.c.player_id.in_(others)
    for _, starts, ends in connection.execute(select(away).where(of_others)).all():
        values = {"player_id": target, "starts": starts, "ends": ends}
        row = insert_into(connection, away).values(values)
        longer = func.max if connection.dialect.name == "sqlite" else func.greatest
        connection.execute(
            row.on_conflict_do_update(
                index_elements=[away.c.player_id, away.c.starts],
                set_={"ends": longer(away.c.ends, row.excluded.ends)},
            )
        )
    connection.execute(delete(away).where(of_others))
    told = select(func.max(players.c.freeze_told)).where(players.c.id.in_([target, *others]))
    latest = connection.execute(told).scalar_one()
    connection.execute(update(players).where(players.c.id == target).values(freeze_told=latest))


def _chunks(values: Sequence[Any]) -> list[Sequence[Any]]:
    return [values[first : first + _CHUNK] for first in range(0, len(values), _CHUNK)]
