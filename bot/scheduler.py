"""Does what is due, once: timers, posts, edits and live counts share this one path."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from bot.counts import Counts
from bot.live import LiveRounds
from bot.ports import Clock, Surface
from bot.posts import Posts
from bot.sending import Sending
from bot.standing import StandingBoards
from bot.state import BrokenOff
from bot.store import claims, heartbeats, outbox, rounds, timers
from bot.store.addresses import StoreUnavailable
from bot.store.due import Due, next_due
from bot.store.entries import Entry
from bot.store.store import Store
from bot.store.writer import Committed
from bot.windows import Windows

HEARTBEAT = timedelta(seconds=5)
MISSED = timedelta(seconds=10)
MOST_FAILURES = 5
_SOON = timedelta(seconds=1)
_LATER = timedelta(seconds=30)
# Wherever somebody lives, a day begins at a quarter of an hour.
_QUARTER, _ONCE = timedelta(minutes=15), datetime(1970, 1, 1, tzinfo=UTC)

_log = logging.getLogger(__name__)


class Scheduler:
    """One a process. `name` tells its claims from those of other processes.

    `alone` says that no other process serves this database: whatever was claimed before is stale.
    """

    def __init__(
        self,
        store: Store,
        posts: Posts,
        live: LiveRounds,
        windows: Windows,
        boards: StandingBoards,
        surfaces: Mapping[str, Surface],
        clock: Clock,
        *,
        name: str,
        alone: bool,
    ) -> None:
        self._store = store
        self._posts = posts
        self._live = live
        self._windows = windows
        self._put_off_until: dict[int, datetime] = {}
        self._boards = boards
        self._surfaces = surfaces
        self._clock = clock
        self._alone = alone
        self._wake = asyncio.Event()
        self._turns = False
        dailies = self._dailies = windows.open_rounds
        self._sending = Sending(
            store, posts, live, dailies, boards, surfaces, clock, self._look, name=name, alone=alone
        )
        self._counts = Counts(
            store, posts, live, dailies, surfaces, clock, self._sending, alone=alone
        )
        self._changed = True
        self._due = Due(None, None)
        self._beaten_at: datetime | None = None
        self._next_day: datetime | None = None
        self._outage = ""
        self.turned_at: datetime | None = None
        """When it last looked for what is due, whether it found anything or failed."""
        store.after_commit(self._committed)

    async def run(self) -> None:
        """Work until cancelled; one failure ends nothing but what it happened in."""
        while True:
            self._wake.clear()
            self._turns = True
            next_at = await self._run_once()
            self._turns = False
            await self._clock.wait(self._wake, next_at)

    async def close(self, seconds: float = 10.0) -> None:
        """Let what is being sent end, for this long at most."""
        await self._sending.close(seconds)

    async def recover(self) -> None:
        """Before the first run: time away is not counted, and half-done posts are settled."""
        now = self._clock.now()

        def work(connection: Connection) -> list[Entry]:
            last = heartbeats.last_beat(connection, lock=True)
            others_live = not self._alone and last is not None and now - last <= 2 * HEARTBEAT
            if last is not None and not others_live:
                self._live.away(connection, last, now)
                self._dailies.away(connection, last, now)
            heartbeats.beat(connection, now)
            return self._sending.stale(connection, now)

        stale = await self._sending.write(work)
        self._beaten_at = now
        for entry in stale:
            await self._sending.settle(entry, now)

    async def run_due(self) -> datetime | None:
        """Do everything that is due now; when the next is due."""
        before, now = self.turned_at, self._clock.now()
        self.turned_at = now
        if before is not None and now < before:
            self._clock_was_set_back(now)
        await self._beat(now)
        if await self._counts.look(now):
            self._changed = True
        due_at = await self._next_due()
        while due_at is not None and due_at <= now:
            fired = await self._fire(now)
            asked = await self._ask(now)
            claimed = await self._sending.claim(now)
            self._changed = True
            due_at = await self._next_due()
            if not fired and not asked and not claimed and due_at is not None:
                # Another process has it in hand.
                due_at = max(due_at, now + _SOON)
        dues = [due_at, self._next_beat(), self._counts.show(now)]
        return min((at for at in dues if at is not None), default=None)

    def united(self, players: Mapping[int, int]) -> None:
        """These are others' from now on: whoever answered as both is one who answered."""
        if self._counts.united(players):
            self._wake.set()

    @property
    def noted_at(self) -> datetime | None:
        """When it last noted in the database that it lives: then that could be written to."""
        return self._beaten_at

    @property
    def is_idle(self) -> bool:
        """Nothing is being done or sent, and nothing has been committed since the last look."""
        return not (self._turns or self._sending.busy or self._wake.is_set())

    def _clock_was_set_back(self, now: datetime) -> None:
        """Nothing that is remembered here waits for an instant of the clock of before."""
        self._sending.clock_was_set_back()
        self._counts.clock_was_set_back(now)
        self._put_off_until.clear()

    def _committed(self, committed: Committed) -> None:
        if self._counts.answered(committed.first):
            self._wake.set()
        if committed.wakes:
            self._look()

    def _look(self) -> None:
        """There may be work that is due earlier than was known."""
        self._changed = True
        self._wake.set()

    async def _run_once(self) -> datetime | None:
        try:
            next_at = await self.run_due()
        except StoreUnavailable as error:
            # It is tried every few seconds, and whoever reads the log has read it.
            if str(error) != self._outage:
                self._outage = str(error)
                _log.warning("what is due waits for the database: %s", error)
            return self._clock.now() + HEARTBEAT
        except Exception:  # noqa: BLE001 - the schedule outlives every failure
            _log.exception("due work failed; it is tried again")
            return self._clock.now() + HEARTBEAT
        if self._outage:
            self._outage = ""
            _log.info("the database is back")
        return next_at

    def _next_beat(self) -> datetime | None:
        return None if self._beaten_at is None else self._beaten_at + HEARTBEAT

    async def _beat(self, now: datetime) -> None:
        """Note that it lives; where nobody did for a while, nobody could press either.

        What is due waits for that: it may have been put off meanwhile.
        """
        next_at, next_day = self._next_beat(), self._next_day
        # A clock that was set back is further from what comes next than ever.
        if next_at is not None and now < next_at <= now + HEARTBEAT:
            return
        begins = next_day is None or not now < next_day <= now + _QUARTER
        here = await self._note_life(now, begins)
        self._beaten_at = here
        self._next_day = now + _QUARTER - (now - _ONCE) % _QUARTER

    async def _note_life(self, now: datetime, begins: bool) -> datetime:
        """The instant that was noted. `begins`: somewhere a day may have begun."""
        before, busy = self._beaten_at, self._sending.busy

        def work(connection: Connection) -> tuple[datetime, list[Entry], Due]:
            last, here = heartbeats.last_beat(connection, lock=True), self._clock.now()
            # Other hosts' clocks differ: only who was away can say that everybody was.
            was_away = before is None or here - before > MISSED
            if was_away and last is not None and here - last > MISSED:
                self._live.away(connection, last, here)
                self._dailies.away(connection, last, here)
            elif self._alone and last is not None and last == before and here < last:
                # Nobody else has noted anything: it is this host's clock that says another hour.
                self._live.clock_was_set_back(connection, last - here)
                outbox.delay_waiting(connection, here - last)
            heartbeats.beat(connection, here)
            if begins:
                self._boards.begin_days(connection, self._surfaces, here)
            stale = self._sending.stale(connection, now)
            return here, stale, next_due(connection, self._surfaces, busy)

        # Other processes make work too, and may have died before they did it: here it is seen.
        # What is committed after it says so again.
        self._changed = False
        try:
            here, stale, self._due = await self._sending.write(work)
        except Exception:
            self._changed = True
            raise
        for entry in stale:
            self._changed = True
            await self._sending.settle(entry, now)
        return here

    async def _next_due(self) -> datetime | None:
        """When the earliest work is due; read only if that may have changed."""
        if self._changed:
            self._changed = False
            try:
                busy = self._sending.busy
                self._due = await self._store.read(
                    lambda c: c.run_sync(next_due, self._surfaces, busy)
                )
            except Exception:
                self._changed = True
                raise
        return self._due.at

    # --- timers --------------------------------------------------------------------------

    async def _fire(self, now: datetime) -> bool:
        """Whether there were timers to fire; each in a savepoint of its own."""
        ids = await self._sending.write(lambda c: timers.due_timers(c, now))
        await asyncio.gather(*(self._fire_one(timer_id, now) for timer_id in ids))
        edits = await self._sending.write(lambda c: self._boards.refresh(c, self._surfaces, now))
        return bool(ids) or edits

    async def _fire_one(self, timer_id: int, now: datetime) -> None:
        def work(connection: Connection) -> None:
            timer = timers.take_timer(connection, timer_id, now)
            if timer is not None:
                rounds_ = self._dailies if timer.kind == "window" else self._live
                rounds_.fire(connection, timer, now)

        try:
            await self._sending.write(work)
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001 - one round's failure is not another's
            _log.exception("timer %s failed", timer_id)
            await self._sending.write(lambda c: self._put_off(c, timer_id, now))

    def _put_off(self, connection: Connection, timer_id: int, now: datetime) -> None:
        failures, round_id = timers.put_off_timer(connection, timer_id, now + _LATER)
        round_ = rounds.round_in(connection, round_id)
        if failures >= MOST_FAILURES and round_ is not None:
            _log.error("round %s is given up", round_id)
            rounds_ = self._dailies if round_.mode == "open" else self._live
            rounds_.drop(connection, round_, now, BrokenOff("failed"))

    # --- daily quizzes -------------------------------------------------------------------

    async def _ask(self, now: datetime) -> bool:
        """Whether there were dailies to ask; each in a savepoint of its own."""
        if self._due.daily_at is None or self._due.daily_at > now:
            return False
        due = await self._sending.write(lambda c: claims.due_schedules(c, self._surfaces, now))
        ids = [one for one in due if self._put_off_until.get(one, now) <= now]
        await asyncio.gather(*(self._ask_one(schedule_id, now) for schedule_id in ids))
        return bool(ids)

    async def _ask_one(self, schedule_id: int, now: datetime) -> None:
        try:
            await self._windows.post_due(schedule_id, now)
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001 - one schedule's failure is not another's
            _log.exception("schedule %s could not be asked", schedule_id)
            self._put_off_until[schedule_id] = now + _LATER
