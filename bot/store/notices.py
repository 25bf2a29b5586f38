"""What organisers are told, once a matter."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.schedules import Notice, NoticeKind
from bot.store.dialects import insert_into
from bot.store.schema import notices


def note(
    connection: Connection,
    community_id: int,
    kind: NoticeKind,
    matter: str,
    now: datetime,
    *,
    args: Mapping[str, Any] | None = None,
) -> Notice | None:
    """There is something to tell; None where this matter was noted before."""
    values = {
        "community_id": community_id,
        "kind": kind,
        "matter": matter,
        "args": json.dumps(args or {}, ensure_ascii=False),
        "created_at": now,
    }
    new = insert_into(connection, notices).values(values).on_conflict_do_nothing()
    row = connection.execute(new.returning(notices)).one_or_none()
    return None if row is None else _notice_of(row)


def set_delivery(connection: Connection, notice_id: int, outbox_id: int, now: datetime) -> None:
    """It is told by this row of the outbox."""
    _set(connection, notice_id, {"outbox_id": outbox_id, "told_at": now})


def set_told(connection: Connection, notice_id: int, now: datetime) -> bool:
    """It stood under a private reply. Whether this call was the first to say so."""
    done = connection.execute(
        update(notices)
        .where(notices.c.id == notice_id, notices.c.told_at.is_(None))
        .values(told_at=now)
    )
    return done.rowcount == 1


def set_untold(connection: Connection, notice_id: int) -> None:
    """What should have told it could not: it waits for the next organiser."""
    _set(connection, notice_id, {"outbox_id": None, "told_at": None})


async def untold_notices(
    connection: AsyncConnection, community_id: int, most: int = 3
) -> list[Notice]:
    """What nobody was told yet, the oldest first."""
    query = (
        select(notices)
        .where(notices.c.community_id == community_id, notices.c.told_at.is_(None))
        .order_by(notices.c.id)
        .limit(most)
    )
    return [_notice_of(row) for row in await connection.execute(query)]


def _set(connection: Connection, notice_id: int, values: dict[str, Any]) -> None:
    connection.execute(update(notices).where(notices.c.id == notice_id).values(values))


def _notice_of(row: Row[Any]) -> Notice:
    return Notice(
        id=row.id,
        community_id=row.community_id,
        kind=row.kind,
        matter=row.matter,
        args=json.loads(row.args),
        outbox_id=row.outbox_id,
        told=row.told_at is not None,
    )
