"""Standing boards: the one message of a place that follows what people answer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Literal

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    ScalarSelect,
    Select,
    case,
    delete,
    func,
    select,
    type_coerce,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.content import Language
from bot.schedules import StandingBoard
from bot.state import Period, Place
from bot.store.dialects import insert_into
from bot.store.places import place_columns, place_of
from bot.store.schema import Instant, communities, outbox, places, standing_boards

EDITED_EVERY = timedelta(minutes=10)
_EVERY = EDITED_EVERY // timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class NewBoard:
    """What a standing board shows; `topic` is the key of a bank."""

    scope: Literal["place", "community"]
    period: Period
    topic: str | None = None
    language: Language | None = None


@dataclass(frozen=True, slots=True)
class Doubted:
    """A board of whose post nobody knew what had become of it.

    `message` is where it was said anew since, if it was.
    """

    board: StandingBoard
    message: str | None


def set_standing(
    connection: Connection, place: Place, new: NewBoard, outbox_id: int, now: datetime
) -> None:
    """From now on this place has this one, standing in a post that is on its way."""
    values = {
        "community_id": place.community_id,
        "scope": new.scope,
        "period": new.period,
        "topic": new.topic or "",
        "language": new.language,
        "outbox_id": outbox_id,
        "pinned": False,
        "dirty_at": None,
        "edited_at": now,
    }
    board = insert_into(connection, standing_boards).values(place_id=place.id, **values)
    connection.execute(board.on_conflict_do_update(index_elements=["place_id"], set_=values))


def remove_standing(connection: Connection, place_id: int) -> StandingBoard | None:
    """The one that is kept up to date no longer, if there was any."""
    board = standing_in(connection, place_id)
    if board is not None:
        gone = delete(standing_boards).where(standing_boards.c.place_id == place_id)
        connection.execute(gone)
    return board


def set_pinned(connection: Connection, place_id: int, pinned: bool) -> None:
    board = update(standing_boards).where(standing_boards.c.place_id == place_id)
    connection.execute(board.values(pinned=pinned))


def mark_dirty(
    connection: Connection,
    community_ids: Collection[int],
    place_ids: Collection[int],
    now: datetime,
) -> None:
    """Totals of these communities have changed, and of these places in them."""
    shows_it = (standing_boards.c.scope == "community") | standing_boards.c.place_id.in_(place_ids)
    connection.execute(
        update(standing_boards)
        .where(
            standing_boards.c.community_id.in_(community_ids),
            standing_boards.c.dirty_at.is_(None),
            shows_it,
        )
        .values(dirty_at=now)
    )


def mark_all_dirty(connection: Connection, now: datetime) -> None:
    """Any totals may have changed."""
    known = standing_boards.c.dirty_at.is_(None)
    connection.execute(update(standing_boards).where(known).values(dirty_at=now))


def show_new_day(connection: Connection, place_ids: Collection[int], now: datetime) -> None:
    """The boards of these places are of a day, week or month that is over."""
    connection.execute(
        update(standing_boards)
        .where(standing_boards.c.place_id.in_(place_ids), standing_boards.c.dirty_at.is_(None))
        .values(dirty_at=now)
    )


def set_edited(connection: Connection, place_id: int, now: datetime) -> None:
    """It was changed at this instant, however long that had to wait: it rests from then on."""
    board = update(standing_boards).where(standing_boards.c.place_id == place_id)
    connection.execute(board.values(edited_at=now))


def take_dirty(
    connection: Connection, platforms: Collection[str], now: datetime, most: int = 100
) -> list[StandingBoard]:
    """Some that are to be edited now, noted as edited: at most once in ten minutes each."""
    query = (
        standing_query()
        .where(
            *_is_waiting(platforms),
            standing_boards.c.edited_at.is_(None)
            | (standing_boards.c.edited_at <= now - EDITED_EVERY),
        )
        .order_by(standing_boards.c.place_id)
        .limit(most)
        .with_for_update(of=standing_boards, skip_locked=True)
    )
    found = [standing_of(row) for row in connection.execute(query)]
    taken = {board.place.id for board in found}
    if taken:
        board = update(standing_boards).where(standing_boards.c.place_id.in_(taken))
        connection.execute(board.values(dirty_at=None, edited_at=now))
    return found


def next_standing(platforms: Collection[str] | BindParameter[Any]) -> ScalarSelect[datetime]:
    """When the first is to be edited, if any is."""
    query = (
        select(func.min(_due_at()))
        .join_from(standing_boards, communities, communities.c.id == standing_boards.c.community_id)
        .where(*_is_waiting(platforms))
    )
    return query.scalar_subquery()


def every_standing(connection: Connection, platforms: Collection[str]) -> list[StandingBoard]:
    """All that show what there is, as far as is known."""
    query = standing_query().where(
        standing_boards.c.dirty_at.is_(None),
        communities.c.platform.in_(platforms),
        communities.c.removed_at.is_(None),
    )
    return [standing_of(row) for row in connection.execute(query)]


async def find_standing(connection: AsyncConnection, place_id: int) -> StandingBoard | None:
    query = standing_query().where(standing_boards.c.place_id == place_id)
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else standing_of(row)


async def find_doubted(connection: AsyncConnection, place_id: int) -> Doubted | None:
    """The board of a place, if it was ever doubtful where it stands."""
    query = (
        standing_query()
        .add_columns(outbox.c.message_id)
        .join(outbox, outbox.c.id == standing_boards.c.outbox_id)
        .where(
            standing_boards.c.place_id == place_id,
            # What was heard of when it was posted has the platform's instant.
            outbox.c.posted_at.is_(None),
            outbox.c.state.in_(["unknown", "sent"]),
        )
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else Doubted(standing_of(row), row.message_id)


def standing_in(connection: Connection, place_id: int) -> StandingBoard | None:
    query = standing_query().where(standing_boards.c.place_id == place_id)
    row = connection.execute(query).one_or_none()
    return None if row is None else standing_of(row)


@cache
def standing_query() -> Select[Any]:
    """Rows for `standing_of`."""
    columns = [column.label(f"standing_{column.name}") for column in standing_boards.c]
    return (
        select(*columns, *place_columns())
        .join_from(standing_boards, places, places.c.id == standing_boards.c.place_id)
        .join(communities, communities.c.id == standing_boards.c.community_id)
    )


def standing_of(row: Row[Any]) -> StandingBoard:
    return StandingBoard(
        place=place_of(row),
        scope=row.standing_scope,
        period=row.standing_period,
        topic=row.standing_topic or None,
        language=row.standing_language,
        outbox_id=row.standing_outbox_id,
        pinned=row.standing_pinned,
        dirty_at=row.standing_dirty_at,
        edited_at=row.standing_edited_at,
    )


def _is_waiting(platforms: Collection[str] | BindParameter[Any]) -> list[ColumnElement[bool]]:
    return [
        standing_boards.c.dirty_at.is_not(None),
        communities.c.platform.in_(platforms),
        communities.c.removed_at.is_(None),
    ]


def _due_at() -> ColumnElement[datetime]:
    """Once it is dirty, but not before it has stood as it is for ten minutes."""
    dirty_at = type_coerce(standing_boards.c.dirty_at, BigInteger)
    rests_until = type_coerce(standing_boards.c.edited_at, BigInteger) + _EVERY
    return type_coerce(case((rests_until > dirty_at, rests_until), else_=dirty_at), Instant())
