"""Marks and totals worked out anew from the attempts, which are the truth."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, delete, exists, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.asked import Keys
from bot.store.bulk import Bulk
from bot.store.dialects import among, several
from bot.store.given import is_mark_of_attempt
from bot.store.marking import MARKS, mark_of, marked_query, spot_in
from bot.store.occasions import recount
from bot.store.schema import (
    attempts,
    communities,
    marks,
    occasions,
    players,
    totals,
)
from bot.store.schema import boards as board_rows
from bot.store.scores import Boards
from bot.store.store import Store

_ANSWERS = 1_000
_PLAYERS = 200
"""So many at once: whoever answers meanwhile waits for no more than these."""


@dataclass(frozen=True, slots=True)
class Regraded:
    """How many attempts there are, how many of them got another mark, and whether totals differ."""

    attempts: int = 0
    changed: int = 0
    totals_changed: bool = False

    def __add__(self, other: Regraded) -> Regraded:
        return Regraded(
            self.attempts + other.attempts,
            self.changed + other.changed,
            self.totals_changed or other.totals_changed,
        )


async def regrade_in_pieces(
    store: Store, rest: Callable[[int], Awaitable[object]] | None = None
) -> Regraded:
    """Mark every attempt under its question's key of today, and make all boards anew.

    What counts stays what it was when the answer was given. Each piece is some players of a
    community, in a transaction of its own after which marks and totals agree: people go on
    answering, and where it is interrupted nothing is lost. `rest` is waited for after each, and is
    given how many answers have been seen to.
    """
    orphans = await store.read(_read_orphans)
    await store.write(partial(_remove_orphans, orphans=orphans), wakes=False)
    pieces, regraded = _Pieces(), Regraded()
    at: _Point | None = _START
    while at is not None:
        done, at = await store.write(partial(pieces.next, at=at), wakes=False)
        pieces.is_settled = True
        regraded += done
        if rest is not None:
            await rest(regraded.attempts)
    return regraded


def regrade(connection: Connection) -> Regraded:
    """As `regrade_in_pieces`, all in this transaction: nobody answers meanwhile."""
    _remove_orphans(connection, [(step, player) for step, player in connection.execute(_ORPHANS)])
    pieces, regraded = _Pieces(), Regraded()
    at: _Point | None = _START
    while at is not None:
        done, at = pieces.next(connection, at)
        pieces.is_settled = True
        regraded += done
    return regraded


def is_consistent(connection: Connection) -> bool:
    """Whether marks and totals are what the attempts come to; as long as a regrade."""
    savepoint = connection.begin_nested()
    try:
        regraded = regrade(connection)
        return regraded.changed == 0 and not regraded.totals_changed
    finally:
        savepoint.rollback()


class _Point(NamedTuple):
    """How far it has come: the players after this one, by their ids, in a community."""

    community_id: int
    player_id: int


_START = _Point(0, 0)


class _Pieces:
    """Takes one piece after the other. Set `is_settled` when one is committed."""

    def __init__(self) -> None:
        self._boards, self._keys = Boards(), Keys()
        self.is_settled = True

    def next(self, connection: Connection, at: _Point) -> tuple[Regraded, _Point | None]:
        """What came of it, and where to go on."""
        if not self.is_settled:
            # What was made by a transaction that was undone is not there.
            self._boards.forget()
            self._keys.forget()
        self.is_settled = False
        _hold(connection, at.community_id)
        player_ids, last = _some_players(connection, at)
        regraded = self._regrade(connection, at, player_ids, last)
        if last is not None:
            return regraded, at._replace(player_id=last)
        return regraded + _recounted(connection, at.community_id), _next_community(connection, at)

    def _regrade(
        self, connection: Connection, at: _Point, player_ids: Sequence[int], last: int | None
    ) -> Regraded:
        rows = connection.execute(_OF_PLAYERS, {"ids": several(connection, player_ids)}).all()
        held = self._keys.held(connection, {(row.version_id, row.today) for row in rows})
        worth: dict[tuple[tuple[int, ...], int], _Worth] = {}
        new = []
        for row in rows:
            version_id, question = held[row.version_id, row.today]
            mark = mark_of(row, question)
            points = 0 if row.counts is None else mark.points
            if (row.marked_by, row.is_right, row.points) != (version_id, mark.is_right, points):
                new.append((row.step_id, row.player_id, version_id, mark.is_right, points))
            if row.counts is not None:
                spot = self._boards.of(connection, spot_in(row)), row.player_id
                worth[spot] = _more(worth.get(spot), (points, 1, int(mark.is_right)))
        MARKS.run(connection, new)
        return Regraded(len(rows), len(new), _set_totals(connection, at, last, _by_board(worth)))


_Place = tuple[int, int]  # board, player
_Worth = tuple[int, int, int]  # points, answered, right
_Orphan = tuple[int, int]  # step, player


def _by_board(worth: Mapping[tuple[tuple[int, ...], int], _Worth]) -> dict[_Place, _Worth]:
    """What was added up by all boards of a spot at once: most answers share theirs with others."""
    totals_: dict[_Place, _Worth] = {}
    for (board_ids, player_id), more in worth.items():
        for board_id in board_ids:
            place = board_id, player_id
            totals_[place] = _more(totals_.get(place), more)
    return totals_


def _more(known: _Worth | None, more: _Worth) -> _Worth:
    if known is None:
        return more
    return known[0] + more[0], known[1] + more[1], known[2] + more[2]


def _hold(connection: Connection, community_id: int) -> None:
    """Whoever takes answers in it, marks them anew or asks something is waited for, and waits."""
    held = select(communities.c.id).where(communities.c.id == community_id)
    connection.execute(held.with_for_update(key_share=True)).all()


def _some_players(connection: Connection, at: _Point) -> tuple[list[int], int | None]:
    """The next players, of whom the answers can be read at once; the last, if others follow."""
    query = (
        select(players.c.id)
        .where(players.c.community_id == at.community_id, players.c.id > at.player_id)
        .order_by(players.c.id)
        .limit(_PLAYERS)
    )
    found = connection.execute(query).scalars().all()
    taken: list[int] = []
    total = 0
    for player_id in found:
        total += connection.execute(_HOW_MANY, {"player": player_id}).scalar_one()
        if taken and total > _ANSWERS:
            return taken, taken[-1]
        taken.append(player_id)
    return taken, taken[-1] if len(found) == _PLAYERS else None


def _set_totals(
    connection: Connection, at: _Point, last: int | None, worth: Mapping[_Place, _Worth]
) -> bool:
    """Let these players have what their answers are worth, and no more; whether that is new."""
    query = (
        select(totals)
        .join_from(board_rows, totals, totals.c.board_id == board_rows.c.id)
        .where(board_rows.c.community_id == at.community_id, totals.c.player_id > at.player_id)
    )
    if last is not None:
        query = query.where(totals.c.player_id <= last)
    stand = {(row[0], row[1]): tuple(row[2:]) for row in connection.execute(query)}
    # In order, as everybody else changes them.
    new = [(*place, *worth[place]) for place in sorted(worth) if stand.get(place) != worth[place]]
    _TOTALS.run(connection, new)
    stale = [{"board": board, "player": player} for board, player in stand.keys() - worth.keys()]
    if stale:
        connection.execute(_NO_TOTAL, stale)
    return bool(new or stale)


def _recounted(connection: Connection, community_id: int) -> Regraded:
    before = _asked(connection, community_id)
    recount(connection, community_id)
    return Regraded(totals_changed=_asked(connection, community_id) != before)


def _asked(connection: Connection, community_id: int) -> list[Sequence[Row[Any]]]:
    """What a community was asked, and how much of it its boards count."""
    of_it = select(occasions).where(occasions.c.community_id == community_id)
    counts = select(board_rows.c.id, board_rows.c.asked).where(
        board_rows.c.community_id == community_id, board_rows.c.asked != 0
    )
    ordered = of_it.order_by(*occasions.primary_key), counts.order_by(board_rows.c.id)
    return [connection.execute(query).all() for query in ordered]


def _next_community(connection: Connection, at: _Point) -> _Point | None:
    following = select(func.min(communities.c.id)).where(communities.c.id > at.community_id)
    community_id = connection.execute(following).scalar_one()
    return None if community_id is None else _Point(community_id, 0)


# Marks of what nobody has answered: only where somebody has changed the database by hand.
_ORPHANS = select(marks.c.step_id, marks.c.player_id).where(~exists().where(is_mark_of_attempt()))


async def _read_orphans(connection: AsyncConnection) -> list[_Orphan]:
    return [(step, player) for step, player in await connection.execute(_ORPHANS)]


def _remove_orphans(connection: Connection, orphans: Sequence[_Orphan]) -> None:
    gone = delete(marks).where(
        marks.c.step_id == bindparam("step"),
        marks.c.player_id == bindparam("player"),
        ~exists().where(is_mark_of_attempt()),
    )
    if orphans:
        connection.execute(gone, [{"step": step, "player": player} for step, player in orphans])


_TOTALS = Bulk(
    totals,
    lambda new: new.on_conflict_do_update(
        index_elements=[totals.c.board_id, totals.c.player_id],
        set_={
            "points": new.excluded.points,
            "answered": new.excluded.answered,
            "right": new.excluded.right,
        },
    ),
)
_NO_TOTAL = delete(totals).where(
    totals.c.board_id == bindparam("board"), totals.c.player_id == bindparam("player")
)
_HOW_MANY = select(func.count()).where(attempts.c.player_id == bindparam("player"))
_OF_PLAYERS = marked_query().where(among(attempts.c.player_id, bindparam("ids")))
