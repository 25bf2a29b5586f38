"""Messages that stand in places are drawn anew, as they then are: once, however often asked for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from bot.state import Place
from bot.store import outbox


def redraw(
    connection: Connection,
    post: Row[Any] | None,
    place: Place,
    nonce: Callable[[], str],
    now: datetime,
) -> None:
    """The row of a post, if it stands there, is changed to what there is to say when that is sent.

    Nothing is done for one that is on its way, or whose change is.
    """
    if post is None or post.state not in ("sent", "unknown", "claimed"):
        return
    if outbox.is_edit_waiting(connection, post.id):
        return
    outbox.enqueue(
        connection,
        post.kind,
        place,
        due_at=now,
        nonce=nonce(),
        round_id=post.round_id,
        step_id=post.step_id,
        edits=post.id,
    )
