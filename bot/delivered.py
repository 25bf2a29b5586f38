"""What came of a message that was on its way, noted in the transaction that ends it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import assert_never

from sqlalchemy import Connection

from bot.live import LiveRounds
from bot.open_rounds import OpenRounds
from bot.ports import Failed, Later, Posted, PostResult, Refused, Unknown
from bot.standing import StandingBoards
from bot.state import BrokenOff
from bot.store import outbox, rounds, standing
from bot.store.entries import Entry

MOST_TRIES = 8

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Delivered:
    """Notes it, with all that follows: a question opens, a round ends, a board is gone."""

    live: LiveRounds
    dailies: OpenRounds
    boards: StandingBoards

    def note(
        self, connection: Connection, entry: Entry, result: PostResult | None, now: datetime
    ) -> str | None:
        """Why a round ended by it, if one did. A result of None: there was nothing to say."""
        match result:
            case None:
                outbox.mark(connection, entry.id, "dropped")
            case Posted(message, at):
                outbox.mark_sent(connection, entry.id, message, at)
                if entry.edits is not None and entry.standing is None:
                    outbox.set_message(connection, entry.edits, message)
                if entry.kind == "standing":
                    standing.set_edited(connection, entry.place.id, now)
                self._opened(connection, entry, at, now)
            case Refused():
                return self._refused(connection, entry, result.reason, why_of(result), now)
            case Failed(seconds) if entry.tries < MOST_TRIES:
                due_at = now + timedelta(seconds=seconds)
                outbox.mark(connection, entry.id, "due", due_at=due_at)
            case Failed():
                reason = "it failed too often"
                return self._refused(connection, entry, reason, BrokenOff("failed"), now)
            case Later(seconds):
                due_at = now + timedelta(seconds=seconds)
                outbox.mark(connection, entry.id, "due", due_at=due_at, failed=False)
            case Unknown():
                outbox.mark(connection, entry.id, "unknown")
                self._opened(connection, entry, now, now, is_known=False)
            case _:
                assert_never(result)
        return None

    # --- inside --------------------------------------------------------------------------

    def _refused(
        self, connection: Connection, entry: Entry, reason: str, why: BrokenOff, now: datetime
    ) -> str | None:
        outbox.mark(connection, entry.id, "refused", reason=reason)
        if entry.kind == "standing":
            for_good = entry.op == "post" or (why.why != "failed" and not why.lacking)
            if for_good and self.boards.lost(connection, entry, now):
                _log.warning("%s: a leaderboard is gone: %s", entry.place.platform, reason)
            return None
        if entry.kind == "notice":
            self.dailies.notices.refused(connection, entry)
        if entry.kind == "daily" and entry.op == "post" and entry.round_id is not None:
            self.dailies.refused(connection, entry.round_id, why, now)
            return reason
        # That a question cannot be changed for the moment does not keep anybody from answering it.
        ends = entry.op == "post" or why.why in ("gone", "archived")
        return reason if ends and self.live.lost_place(connection, entry, why, now) else None

    def _opened(
        self,
        connection: Connection,
        entry: Entry,
        posted_at: datetime,
        now: datetime,
        *,
        is_known: bool = True,
    ) -> None:
        """It stands in its place, or is taken to."""
        if entry.kind == "daily" and entry.op == "post" and entry.round_id is not None:
            self.dailies.opened(connection, entry.round_id, posted_at, now)
            if is_known:
                self.dailies.stands(connection, entry.round_id)
            else:
                self.dailies.lost_sight(connection, entry.round_id, now)
        if entry.kind != "question" or entry.op != "post" or entry.step_id is None:
            return
        step = rounds.step_in(connection, entry.step_id)
        if step is not None and step.opened_at is None:
            self.live.opened(connection, step, posted_at, now)


def why_of(refused: Refused) -> BrokenOff:
    """Why what was to be said there could not be, as it is told to people."""
    if refused.archived:
        return BrokenOff("archived")
    return BrokenOff("gone" if refused.gone else "refused", refused.lacking)
