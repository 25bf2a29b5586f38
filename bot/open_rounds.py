"""The life of an open round once it is asked, each transition inside a transaction.

Whatever should appear in a place is put into the outbox here and sent by the scheduler.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from bot import rules
from bot.calendar import EXTENSION
from bot.live import LiveRounds, move
from bot.notices import Notices
from bot.redrawing import redraw
from bot.schedules import Occurrence, Schedule
from bot.state import BrokenOff, Round, Step
from bot.store import (
    claims,
    mirrors,
    occurrences,
    outbox,
    posted,
    rounds,
    running,
    schedules,
    standing,
    still_asked,
    timers,
)
from bot.store.timers import Timer

MOST_REFUSALS = 3

STALE_FOR = timedelta(days=30)
"""So long it is tried to change a message that stands as if its quiz were open still."""


@dataclass(frozen=True, slots=True)
class OpenRounds:
    """The transitions of what a window is open for; `live` has the nonces."""

    live: LiveRounds
    notices: Notices

    def ask(
        self, connection: Connection, round_: Round, closes_at: datetime, now: datetime
    ) -> None:
        """Send it on its way to the place, and have it end in any case.

        What a live round was asking of it closes there.
        """
        outbox.enqueue(
            connection,
            "daily",
            round_.place,
            due_at=now,
            nonce=self.live.nonce(),
            round_id=round_.id,
            silent=False,
        )
        timers.set_timer(connection, "window", round_.id, None, closes_at + rules.GRACE)
        self._have_way(connection, round_, rounds.steps_in(connection, round_.id), now)

    def opened(
        self, connection: Connection, round_id: int, posted_at: datetime, now: datetime
    ) -> None:
        """It stands in the place: it can be answered until the instant that it names."""
        round_ = rounds.round_in(connection, round_id, lock=True)
        occurrence = occurrences.occurrence_of_round(connection, round_id)
        if round_ is None or occurrence is None:
            return
        is_in_time = move(connection, round_, "posted", now)
        steps = rounds.steps_in(connection, round_id)
        for step in steps:
            if step.opened_at is None:
                # The cut-off is on the platform's clock, by which people read when it ends.
                rounds.open_step(
                    connection,
                    step.id,
                    opened_at=posted_at,
                    opened_host_at=now,
                    cutoff_at=round_.closes_at,
                    date=occurrence.date.isoformat(),
                )
            if step.opened_at is None or round_.ended_at is None:
                # Who has answered it in another daily is not asked twice.
                mirrors.mirror_step(connection, step.id)
            if round_.ended_at is not None:
                rounds.close_step(connection, step.id, now)
        if round_.ended_at is None:
            # Another process may have asked one of them live before it could know of this one.
            self._have_way(connection, round_, steps, now)
        if not is_in_time and round_.ended_at is not None:
            # It closed while it was on its way, and stands there closed.
            self.redraw(connection, round_, now)
        self._redraw_stale(connection, occurrence, now)

    def stands(self, connection: Connection, round_id: int) -> None:
        """The place took the post."""
        occurrence = occurrences.occurrence_of_round(connection, round_id)
        if occurrence is None:
            return
        claims.forget_refusals(connection, occurrence.schedule_id)
        if occurrence.state == "unknown":
            occurrences.set_occurrence_state(connection, occurrence.id, "asked")

    def lost_sight(self, connection: Connection, round_id: int, now: datetime) -> None:
        """Nobody knows whether it stands there: an organiser may have it posted once more."""
        occurrence = occurrences.occurrence_of_round(connection, round_id)
        if occurrence is None:
            return
        occurrences.set_occurrence_state(connection, occurrence.id, "unknown")
        self._tell_of(connection, occurrence, "unknown", now, {"round": round_id})

    def refused(self, connection: Connection, round_id: int, why: BrokenOff, now: datetime) -> None:
        """The place takes no post: this date is lost, and after three the schedule pauses."""
        round_ = rounds.round_in(connection, round_id, lock=True)
        occurrence = occurrences.occurrence_of_round(connection, round_id)
        if round_ is None or occurrence is None:
            return
        self.drop(connection, round_, now, why)
        occurrences.set_occurrence_state(connection, occurrence.id, "refused")
        if why.why == "failed":
            self._tell_of(connection, occurrence, "refused", now, {"round": round_id})
            return
        if claims.note_refusal(connection, occurrence.schedule_id) >= MOST_REFUSALS:
            schedules.pause(connection, occurrence.schedule_id, now)
            args = {"lacking": list(why.lacking), "why": why.why}
            self._tell_of(connection, occurrence, "paused", now, args)

    def close(self, connection: Connection, round_: Round, now: datetime) -> None:
        """No more answers: its message becomes the reveal, and the next one tells how it went."""
        if not move(connection, round_, "finished", now):
            return
        steps = rounds.steps_in(connection, round_.id)
        for step in steps:
            rounds.close_step(connection, step.id, now)
        timers.clear_timers(connection, round_.id, now)
        standing.mark_dirty(connection, {round_.place.community_id}, {round_.place.id}, now)
        occurrence = occurrences.occurrence_of_round(connection, round_.id)
        post = posted.post_of_round(connection, round_.id)
        if post is not None and post.state == "due" and post.message_id is None:
            outbox.drop_waiting(connection, round_.id)
            if occurrence is not None:
                self._never_stood(connection, occurrence, now)
        else:
            self.tell(connection, round_, now)
        self._redraw_waiting(connection, round_, steps, round_.closes_at or now, now)

    def tell(self, connection: Connection, round_: Round, now: datetime) -> None:
        """Its message becomes the answer as it is by now; the post after it tells how it went."""
        self.redraw(connection, round_, now)
        occurrence = occurrences.occurrence_of_round(connection, round_.id)
        if occurrence is not None:
            self._redraw_others(connection, occurrence, now)

    def drop(
        self, connection: Connection, round_: Round, now: datetime, why: BrokenOff | None = None
    ) -> None:
        """End it without a word; what it kept back elsewhere is told."""
        if not move(connection, round_, "finished", now):
            return
        if why is not None:
            rounds.set_broken_off(connection, round_.id, why)
        steps = self._end(connection, round_, now)
        self._redraw_waiting(connection, round_, steps, now, now)

    def abandon(self, connection: Connection, community_id: int, now: datetime) -> None:
        """The community is away: what is open in it ends without a word."""
        for round_ in rounds.open_rounds_of(connection, community_id):
            if move(connection, round_, "finished", now):
                self._end(connection, round_, now)

    def fire(self, connection: Connection, timer: Timer, now: datetime) -> None:
        """The end of a window has come, unless it was put off meanwhile."""
        round_ = rounds.round_in(connection, timer.round_id, lock=True)
        if round_ is None or round_.ended_at is not None:
            return
        if round_.closes_at is not None and now < round_.closes_at:
            closes_at = round_.closes_at + rules.GRACE
            timers.set_timer(connection, "window", round_.id, None, closes_at)
            return
        self.close(connection, round_, now)

    def away(self, connection: Connection, since: datetime, now: datetime) -> None:
        """A window that ended while nobody could press stays open one hour more."""
        for round_id in occurrences.open_rounds(connection):
            round_ = rounds.round_in(connection, round_id, lock=True)
            occurrence = occurrences.occurrence_of_round(connection, round_id)
            if round_ is None or occurrence is None or round_.closes_at is None:
                continue
            if round_.ended_at is None and since < round_.closes_at <= now:
                closes_at = _whole_minute(now + EXTENSION)
                rounds.set_window_end(connection, round_id, closes_at)
                occurrences.extend(connection, occurrence.id, closes_at, now)
                timers.move_window(connection, round_id, closes_at + rules.GRACE)
                self.redraw(connection, round_, now)

    def redraw(self, connection: Connection, round_: Round, now: datetime) -> None:
        """Its message is drawn anew, as it then stands."""
        post = posted.post_of_round(connection, round_.id)
        redraw(connection, post, round_.place, self.live.nonce, now)

    # --- inside --------------------------------------------------------------------------

    def _have_way(
        self, connection: Connection, round_: Round, steps: Sequence[Step], now: datetime
    ) -> None:
        asked = {step.question_id for step in steps}
        self.live.give_way(connection, round_.place.community_id, asked, now)

    def _end(self, connection: Connection, round_: Round, now: datetime) -> list[Step]:
        timers.clear_timers(connection, round_.id, now)
        outbox.drop_waiting(connection, round_.id)
        steps = rounds.steps_in(connection, round_.id)
        for step in steps:
            rounds.close_step(connection, step.id, now)
        return steps

    def _never_stood(self, connection: Connection, occurrence: Occurrence, now: datetime) -> None:
        occurrences.set_occurrence_state(connection, occurrence.id, "missed")
        self._tell_of(connection, occurrence, "missed", now, {})

    def _redraw_stale(self, connection: Connection, newest: Occurrence, now: datetime) -> None:
        """Where a post could be made, those that could not be changed when they ended are."""
        since = now - STALE_FOR
        for round_id in posted.unrevealed(connection, newest.schedule_id, since):
            round_ = rounds.round_in(connection, round_id)
            if round_ is not None and round_id != newest.round_id:
                self.redraw(connection, round_, now)

    def _redraw_others(self, connection: Connection, closed: Occurrence, now: datetime) -> None:
        """The post after it opens with how it went."""
        for other in occurrences.occurrences_after(connection, closed.schedule_id, closed.date):
            round_ = None if other.round_id is None else rounds.round_in(connection, other.round_id)
            if round_ is not None and round_.ended_at is None:
                self.redraw(connection, round_, now)

    def _redraw_waiting(
        self,
        connection: Connection,
        closed: Round,
        steps: Sequence[Step],
        until: datetime,
        now: datetime,
    ) -> None:
        """Reveals that kept a key to themselves as long as it could be answered here: `until`."""
        community_id, question_ids = closed.place.community_id, {step.question_id for step in steps}
        free = question_ids - still_asked.which(connection, community_id, question_ids, now)
        if not free:
            return
        since, end = occurrences.begun_at(connection, closed.id), until
        # What was kept back by one that was kept back by this one has waited for it, too.
        while waiting := occurrences.closed_with(connection, community_id, free, since, end):
            for round_id in waiting:
                round_ = rounds.round_in(connection, round_id)
                if round_ is not None:
                    self.redraw(connection, round_, now)
            since, end = min(since, *waiting.values()), since
        for step in running.closed_in_live(connection, community_id, free, since, until):
            self.live.retell(connection, step, now)

    def _tell_of(
        self,
        connection: Connection,
        occurrence: Occurrence,
        kind: Any,
        now: datetime,
        args: Mapping[str, Any],
    ) -> None:
        schedule: Schedule = schedules.schedule_in(connection, occurrence.schedule_id)
        day = occurrence.date.isoformat()
        known = {"dates": [day], **args}
        self.notices.tell(connection, schedule, kind, f"{schedule.id}:{day}", now, known)


def _whole_minute(at: datetime) -> datetime:
    """The next one: a post names no seconds."""
    rest = timedelta(seconds=at.second, microseconds=at.microsecond)
    return at - rest + timedelta(minutes=1) if rest else at
