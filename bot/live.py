"""The life of a live round, each transition as one function inside a transaction.

Whatever should appear in a place is put into the outbox here and sent by the scheduler.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from bot import rules
from bot.redrawing import redraw
from bot.state import BrokenOff, Round, Step
from bot.store import outbox, posted, rounds, running, still_asked, timers
from bot.store.entries import Entry
from bot.store.timers import Timer
from bot.substitutes import Substitutes


@dataclass(frozen=True, slots=True)
class LiveRounds:
    """The transitions, with what they ask of the world: a source of nonces and a default zone.

    `substitutes` are asked for what a daily has taken since a round was drawn.
    """

    chance: random.Random
    zone: ZoneInfo
    substitutes: Substitutes

    def ask(self, connection: Connection, step: Step, now: datetime) -> None:
        """Send a question on its way to the place."""
        outbox.enqueue(
            connection,
            "question",
            step.round.place,
            due_at=now,
            nonce=self.nonce(),
            round_id=step.round.id,
            step_id=step.id,
        )

    def opened(
        self, connection: Connection, step: Step, posted_at: datetime, now: datetime
    ) -> None:
        """The question stands in the place: its time begins, on the platform's clock."""
        if not move(connection, step.round, "posted", now):
            self._withdraw(connection, step, posted_at, now)
            return
        lasts = rules.UNTIL_NEXT if not step.seconds else timedelta(seconds=step.seconds)
        zone = self.zone if step.round.place.zone is None else ZoneInfo(step.round.place.zone)
        rounds.open_step(
            connection,
            step.id,
            opened_at=posted_at,
            opened_host_at=now,
            cutoff_at=posted_at + lasts,
            date=posted_at.astimezone(zone).date().isoformat(),
        )
        timers.set_timer(connection, "close", step.round.id, step.id, now + lasts + rules.GRACE)
        if step.seconds and step.position > 1:
            half = timedelta(seconds=step.seconds / 2)
            timers.set_timer(connection, "early", step.round.id, step.id, now + half)
        if still_asked.asks(connection, step.round.place.community_id, step.question_id):
            # A daily took it while it was on its way.
            self._yield(connection, step.id, now)

    def close(
        self, connection: Connection, step: Step, now: datetime, *, at: datetime | None = None
    ) -> None:
        """No more answers; the answer is shown, and the round reads, pauses or ends.

        `at` is noted as the instant of it, where that is another.
        """
        rounds.hold(connection, step.round.id)
        if not rounds.close_step(connection, step.id, at or now):
            return
        timers.clear_timers(connection, step.round.id, now)
        self.redraw(connection, step, now)
        if step.position == step.round.length:
            self.finish(connection, step.round, now)
        elif self._is_quiet(connection, step):
            move(connection, step.round, "went-quiet", now)
            timers.set_timer(connection, "give-up", step.round.id, None, now + rules.GIVE_UP_AFTER)
        else:
            move(connection, step.round, "closed", now)
            pause = timedelta(seconds=rules.reading_seconds(step.question))
            timers.set_timer(connection, "next", step.round.id, step.id, now + pause)

    def give_way(
        self, connection: Connection, community_id: int, question_ids: set[int], now: datetime
    ) -> None:
        """A daily asks these now: where one stands open, it closes, and its answer waits."""
        for step in running.open_in_live(connection, community_id, question_ids):
            self._yield(connection, step.id, now)

    def close_if_all_answered(self, connection: Connection, step: Step, now: datetime) -> bool:
        """Whether it closed: everybody who is here has answered, and half of the time is gone."""
        if not half_is_gone(step, now):
            return False
        early = rules.may_close_early(
            position=step.position,
            answered=rounds.players_of(connection, step.round.id, [step.position]),
            recent=rounds.players_of(connection, step.round.id, rules.recent_to(step.position)),
            more_time=step.more_time,
        )
        if early:
            self.close(connection, step, now)
        return early

    def advance(self, connection: Connection, step: Step, now: datetime) -> bool:
        """From the answer of this step to the next question; False if that has happened.

        Where dailies have taken all that was left, the round is over.
        """
        coming = rounds.step_at(connection, step.round.id, step.position + 1)
        if step.closed_at is None or coming is None or coming.opened_at is not None:
            return False
        if not move(connection, step.round, "next", now):
            return False
        if step.round.state == "paused":
            rounds.set_quiet_from(connection, step.round.id, coming.position)
        timers.clear_timers(connection, step.round.id, now)
        self.redraw(connection, step, now)
        following = self.substitutes.following(connection, step, now)
        if following is None:
            self.finish(connection, step.round, now)
        else:
            self.ask(connection, following, now)
        return True

    def more_time(self, connection: Connection, step: Step, now: datetime) -> bool:
        """A minute more, once a question; False if it had that, is over or has no time."""
        if step.more_time or step.closed_at or not step.seconds:
            return False
        if step.cutoff_at is None or step.opened_at is None or step.opened_host_at is None:
            return False
        if rules.platform_now(step.opened_at, step.opened_host_at, now) > step.cutoff_at:
            # Who came too late has been told the answer.
            return False
        rounds.set_cutoff(connection, step.id, step.cutoff_at + rules.MORE_TIME, more_time=True)
        timers.delay_timers(connection, rules.MORE_TIME, step_id=step.id)
        self.redraw(connection, step, now)
        return True

    def stop(self, connection: Connection, round_: Round, now: datetime) -> bool:
        """End a round wherever it stands; False if it had ended."""
        if round_.ended_at is not None:
            return False
        rounds.hold(connection, round_.id)
        step = rounds.current_step(connection, round_.id)
        if step is not None:
            rounds.close_step(connection, step.id, now)
            self.redraw(connection, step, now)
        self.finish(connection, round_, now)
        return True

    def finish(self, connection: Connection, round_: Round, now: datetime) -> None:
        """The round is over; a result is posted if anybody took part."""
        if not move(connection, round_, "finished", now):
            return
        timers.clear_timers(connection, round_.id, now)
        outbox.drop_waiting(connection, round_.id)
        asked = list(range(1, round_.length + 1))
        if rounds.players_of(connection, round_.id, asked):
            outbox.enqueue(
                connection,
                "result",
                round_.place,
                due_at=now,
                nonce=self.nonce(),
                round_id=round_.id,
            )

    def fire(self, connection: Connection, timer: Timer, now: datetime) -> None:
        """Do what a timer was set for, if it still applies."""
        round_ = rounds.round_in(connection, timer.round_id, lock=True)
        if round_ is None or round_.ended_at is not None:
            return
        step = None if timer.step_id is None else rounds.step_in(connection, timer.step_id)
        if step is None:
            self.stop(connection, round_, now)
            return
        match timer.kind:
            case "close":
                self.close(connection, step, now)
            case "early":
                self.close_if_all_answered(connection, step, now)
            case "next":
                self.advance(connection, step, now)
            case "give-up":
                self.stop(connection, round_, now)
            case "window":
                pass  # a live round has none

    def away(self, connection: Connection, since: datetime, now: datetime) -> None:
        """Time in which nobody could press is not counted; an open question keeps 20 s at least."""
        gap = max(now - since, timedelta())
        timers.delay_timers(connection, gap)
        for step in rounds.open_live_steps(connection):
            if step.cutoff_at is None or step.opened_at is None or step.opened_host_at is None:
                continue
            here = rules.platform_now(step.opened_at, step.opened_host_at, now)
            missed = max(now - max(since, step.opened_host_at), timedelta())
            cutoff = max(step.cutoff_at + missed, here + rules.LEAST_AFTER_RESTART)
            rounds.set_cutoff(connection, step.id, cutoff, more_time=step.more_time)
            closes_at = now + (cutoff - here) + rules.GRACE
            timers.move_timer(connection, "close", step.id, closes_at)
            self.redraw(connection, step, now)

    def clock_was_set_back(self, connection: Connection, by: timedelta) -> None:
        """What was to come in a minute comes in a minute, not when it is as late again."""
        timers.delay_timers(connection, -by)
        rounds.move_openings(connection, -by)

    def lost_place(
        self, connection: Connection, entry: Entry, why: BrokenOff, now: datetime
    ) -> bool:
        """The question that is asked was refused for good, or is gone: its round ends quietly.

        False where nothing ended: that an answer of before was deleted changes nothing.
        """
        step = None if entry.step_id is None else rounds.step_in(connection, entry.step_id)
        if step is None or entry.kind != "question" or step.closed_at is not None:
            return False
        return self.drop(connection, step.round, now, why)

    def abandon(self, connection: Connection, community_id: int, now: datetime) -> None:
        """The community is away: what runs in it ends without a word."""
        for round_ in rounds.live_rounds_of(connection, community_id):
            self.drop(connection, round_, now)

    def drop(
        self, connection: Connection, round_: Round, now: datetime, why: BrokenOff | None = None
    ) -> bool:
        """End a round without a word; False if it had ended. `why` is told to who asks."""
        if not move(connection, round_, "finished", now):
            return False
        if why is not None:
            rounds.set_broken_off(connection, round_.id, why)
        timers.clear_timers(connection, round_.id, now)
        outbox.drop_waiting(connection, round_.id)
        step = rounds.current_step(connection, round_.id)
        if step is not None:
            rounds.close_step(connection, step.id, now)
        return True

    def redraw(self, connection: Connection, step: Step, now: datetime) -> None:
        """The message of a step is drawn anew, as the step then stands."""
        post = posted.post_of_step(connection, step.id)
        redraw(connection, post, step.round.place, self.nonce, now)

    def retell(self, connection: Connection, step: Step, now: datetime) -> None:
        """The answer of a step is drawn anew, and the result of its round if that was told."""
        self.redraw(connection, step, now)
        result = posted.result_of_round(connection, step.round.id)
        redraw(connection, result, step.round.place, self.nonce, now)

    def nonce(self) -> str:
        """At most 25 characters, as Discord wants it."""
        return f"{self.chance.getrandbits(96):024x}"

    def _is_quiet(self, connection: Connection, step: Step) -> bool:
        last = range(step.position - rules.UNANSWERED_TO_PAUSE + 1, step.position + 1)
        if last.start < step.round.quiet_from:
            return False
        return not rounds.players_of(connection, step.round.id, list(last))

    def _yield(self, connection: Connection, step_id: int, now: datetime) -> None:
        """Close what a daily asks; that nobody has answered it is nobody's silence."""
        found = rounds.step_in(connection, step_id)
        if found is None or rounds.round_in(connection, found.round.id, lock=True) is None:
            return
        rounds.set_quiet_from(connection, found.round.id, found.position + 1)
        step = rounds.step_in(connection, step_id)
        if step is not None:
            community = step.round.place.community_id
            since = still_asked.since(connection, community, step.question_id)
            # Never before the daily began, whatever the clock of who took it said: else its answer
            # would count as told by then.
            self.close(connection, step, now, at=max(now, since or now))

    def _withdraw(
        self, connection: Connection, step: Step, posted_at: datetime, now: datetime
    ) -> None:
        """The round ended while the question was on its way: it stands there closed."""
        rounds.open_step(
            connection,
            step.id,
            opened_at=posted_at,
            opened_host_at=now,
            cutoff_at=posted_at,
            date=None,
        )
        rounds.close_step(connection, step.id, now)
        self.redraw(connection, step, now)


def half_is_gone(step: Step, now: datetime) -> bool:
    """Whether an open question has had half of its time; False where it has none."""
    if step.closed_at or not step.seconds:
        return False
    if step.cutoff_at is None or step.opened_at is None or step.opened_host_at is None:
        return False
    here = rules.platform_now(step.opened_at, step.opened_host_at, now)
    return step.cutoff_at - here <= timedelta(seconds=step.seconds / 2)


def move(connection: Connection, round_: Round, event: rules.RoundEvent, now: datetime) -> bool:
    """Take a round along the table of transitions; False where it has gone on already."""
    current = rounds.round_in(connection, round_.id, lock=True)
    state = None if current is None else rules.after(current.state, event)
    if state is None:
        return False
    rounds.set_state(connection, round_.id, state, at=now)
    return True
