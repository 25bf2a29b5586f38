"""The life of a board that stands in a place, each transition as one function in a transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from bot.notices import Notices
from bot.schedules import StandingBoard
from bot.state import Place
from bot.store import outbox, posted, standing
from bot.store.entries import Entry
from bot.store.standing import NewBoard


@dataclass(frozen=True, slots=True)
class StandingBoards:
    """The transitions, with what they ask of the world: nonces, a default zone, and a voice."""

    nonce: Callable[[], str]
    notices: Notices
    zone: ZoneInfo

    def keep(self, connection: Connection, place: Place, new: NewBoard, now: datetime) -> None:
        """This board stands here from now on; where another did, its message becomes this one."""
        before = standing.standing_in(connection, place.id)
        post_id = None if before is None else before.outbox_id
        if before is None or post_id is None:
            post_id = self._enqueue(connection, place, None, now)
        standing.set_standing(connection, place, new, post_id, now)
        if before is not None and before.outbox_id is not None:
            standing.set_pinned(connection, place.id, before.pinned)
            self._edit(connection, place, post_id, now)

    def drop(
        self, connection: Connection, place: Place, words: Mapping[str, Any], now: datetime
    ) -> bool:
        """It is kept up to date no more, and says so; `words` are what it shows from now on."""
        before = standing.remove_standing(connection, place.id)
        if before is None:
            return False
        if before.outbox_id is not None:
            said = {**words, "pinned": before.pinned}
            posted.set_args(connection, before.outbox_id, said)
            # One that waits already would say what is no more.
            self._enqueue(connection, place, before.outbox_id, now, said)
        return True

    def refresh(self, connection: Connection, platforms: Collection[str], now: datetime) -> bool:
        """Edit those that show less than there is; whether there were any."""
        due = standing.take_dirty(connection, platforms, now)
        for board in due:
            if board.outbox_id is not None:
                self._edit(connection, board.place, board.outbox_id, now)
        return bool(due)

    def begin_days(self, connection: Connection, platforms: Collection[str], now: datetime) -> None:
        """Where a day has begun since, a board shows another week, month or day."""
        over = [
            board.place.id
            for board in standing.every_standing(connection, platforms)
            if self._is_of_another_day(board, now)
        ]
        if over:
            standing.show_new_day(connection, over, now)

    def found(
        self,
        connection: Connection,
        place: Place,
        message: str,
        words: Mapping[str, Any],
        now: datetime,
    ) -> None:
        """A board stands in this message, of whose post nobody knew what had become of it.

        It is the one that is kept from now on, or where another is by now, one that is kept no
        more and says so.
        """
        board = standing.standing_in(connection, place.id)
        if board is None or board.outbox_id is None:
            return
        if posted.learn_post(connection, board.outbox_id, message):
            return
        if posted.is_known(connection, place.id, message):
            return
        nonce = self.nonce()
        stray = posted.note(connection, "standing", place, message, words, nonce, now)
        self._enqueue(connection, place, stray, now, words)

    def lost(self, connection: Connection, entry: Entry, now: datetime) -> bool:
        """Its message is gone or refused: it is taken away, and the next organiser is told."""
        board = _of(connection, entry)
        if board is None:
            return False
        standing.remove_standing(connection, entry.place.id)
        matter = str(board.outbox_id)
        self.notices.tell_of(connection, entry.place, "board-gone", matter, now, {})
        return True

    def _is_of_another_day(self, board: StandingBoard, now: datetime) -> bool:
        zone = self.zone if board.place.zone is None else ZoneInfo(board.place.zone)
        seen = board.edited_at
        return seen is None or seen.astimezone(zone).date() != now.astimezone(zone).date()

    def _edit(self, connection: Connection, place: Place, post_id: int, now: datetime) -> None:
        """What it shows is made when it is sent."""
        if not outbox.is_edit_waiting(connection, post_id):
            self._enqueue(connection, place, post_id, now)

    def _enqueue(
        self,
        connection: Connection,
        place: Place,
        post_id: int | None,
        now: datetime,
        args: Mapping[str, Any] | None = None,
    ) -> int:
        return outbox.enqueue(
            connection,
            "standing",
            place,
            due_at=now,
            nonce=self.nonce(),
            edits=post_id,
            args=args,
        )


def _of(connection: Connection, entry: Entry) -> StandingBoard | None:
    """The board whose message this is, while it is kept up to date."""
    board = standing.standing_in(connection, entry.place.id)
    post_id = entry.id if entry.edits is None else entry.edits
    return board if board is not None and board.outbox_id == post_id else None
