"""Does what is due, once: timers, posts, edits and live counts share this one path."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, assert_never

from sqlalchemy import Connection

from bot.live import LiveRounds
from bot.ports import Clock, Later, Posted, PostResult, Refused, Surface, Target, Unknown
from bot.posts import Posts
from bot.state import Step
from bot.store import due, rounds
from bot.store.due import Entry
from bot.store.store import Store

HEARTBEAT = timedelta(seconds=5)
COUNTS_EVERY = timedelta(seconds=2)
CLAIM_LASTS = timedelta(seconds=60)
MOST_TRIES = 8
_SOON = timedelta(seconds=1)

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
        surfaces: Mapping[str, Surface],
        clock: Clock,
        *,
        name: str,
        alone: bool,
    ) -> None:
        self._store = store
        self._posts = posts
        self._live = live
        self._surfaces = surfaces
        self._clock = clock
        self._name = name
        self._alone = alone
        self._wake = asyncio.Event()
        self._sending: dict[int, asyncio.Task[None]] = {}
        self._pressed: set[int] = set()
        self._counts: dict[int, _Count] = {}
        self._budget: dict[str, datetime] = {}
        self._next_beat: datetime | None = None
        store.after_commit(self._committed)

    async def run(self) -> None:
        """Work until cancelled; one failure ends nothing but what it happened in."""
        while True:
            self._wake.clear()
            next_at = await self._run_once()
            await self._clock.wait(self._wake, next_at)

    async def close(self) -> None:
        """Let what is being sent end."""
        await asyncio.gather(*self._sending.values(), return_exceptions=True)

    async def recover(self) -> None:
        """Before the first run: time away is not counted, and half-done posts are settled."""
        now = self._clock.now()

        def work(connection: Connection) -> list[Entry]:
            last = due.last_beat(connection)
            others_live = not self._alone and last is not None and now - last <= 2 * HEARTBEAT
            if last is not None and not others_live:
                self._live.away(connection, last, now)
            due.beat(connection, now)
            return self._stale(connection, now)

        for entry in await self._store.write(work):
            await self._settle(entry, now)

    async def run_due(self) -> datetime | None:
        """Do everything that is due now; when the next is due."""
        now = self._clock.now()
        await self._beat(now)
        await self._after_presses(now)
        due_at = await self._next_due()
        while due_at is not None and due_at <= now:
            fired = await self._store.write(lambda c: self._fire(c, now))
            claimed = await self._claim(now)
            due_at = await self._next_due()
            if not fired and not claimed and due_at is not None:
                # Another process has it in hand.
                due_at = max(due_at, now + _SOON)
        dues = [due_at, self._next_beat, self._show_counts(now)]
        return min((at for at in dues if at is not None), default=None)

    @property
    def is_idle(self) -> bool:
        """Nothing is being sent and nothing has been committed since the last look."""
        return not self._sending and not self._wake.is_set()

    def _committed(self, steps: frozenset[int]) -> None:
        self._pressed |= steps
        self._wake.set()

    async def _run_once(self) -> datetime | None:
        try:
            return await self.run_due()
        except Exception:  # noqa: BLE001 - the schedule outlives every failure
            _log.exception("due work failed; it is tried again")
            return self._clock.now() + HEARTBEAT

    async def _beat(self, now: datetime) -> None:
        if self._next_beat is not None and now < self._next_beat:
            return
        self._next_beat = now + HEARTBEAT
        stale = await self._store.write(lambda c: self._beat_in(c, now))
        for entry in stale:
            await self._settle(entry, now)

    def _beat_in(self, connection: Connection, now: datetime) -> list[Entry]:
        due.beat(connection, now)
        return [] if self._alone else self._stale(connection, now)

    def _stale(self, connection: Connection, now: datetime) -> list[Entry]:
        before = None if self._alone else now - CLAIM_LASTS
        return due.stale_claims(connection, self._surfaces, before)

    async def _settle(self, entry: Entry, now: datetime) -> None:
        """A row was claimed and its process died: was it posted?"""
        surface = self._surfaces[entry.place.platform]
        since = now - (entry.claimed_at or now)
        if entry.op == "edit" or since < timedelta(seconds=surface.abilities.resend_seconds):
            await self._store.write(lambda c: due.mark(c, entry.id, "due", due_at=now))
        else:
            await self._store.write(lambda c: self._record(c, entry, Unknown(), now))

    async def _next_due(self) -> datetime | None:
        busy = frozenset(self._sending)
        return await self._store.read(lambda c: due.next_due(c, self._surfaces, busy))

    def _fire(self, connection: Connection, now: datetime) -> bool:
        timers = due.take_timers(connection, now)
        for timer in timers:
            self._live.fire(connection, timer, now)
        return bool(timers)

    async def _claim(self, now: datetime) -> bool:
        busy = frozenset(self._sending)
        claimed = await self._store.write(
            lambda c: due.claim(c, self._surfaces, now, self._name, busy)
        )
        for entry in claimed:
            self._send(entry.place.id, self._deliver(entry))
        return bool(claimed)

    # --- sending -------------------------------------------------------------------------

    def _send(self, place_id: int, work: Coroutine[Any, Any, None]) -> None:
        """What is said in a place is said in order: one at a time."""
        task = asyncio.create_task(work)
        self._sending[place_id] = task
        task.add_done_callback(lambda done: self._sent(place_id, done))

    def _sent(self, place_id: int, task: asyncio.Task[None]) -> None:
        del self._sending[place_id]
        self._wake.set()
        if not task.cancelled() and task.exception() is not None:
            _log.error("a post failed", exc_info=task.exception())

    async def _deliver(self, entry: Entry) -> None:
        surface = self._surfaces[entry.place.platform]
        result = await self._try(entry, surface)
        now = self._clock.now()
        self._spend(surface.platform, now)
        await self._store.write(lambda c: self._record(c, entry, result, now))

    async def _try(self, entry: Entry, surface: Surface) -> PostResult | None:
        """None: there is nothing to say any more."""
        try:
            message = await self._posts.compose(entry)
            if message is None:
                return None
            target = _target(entry)
            if entry.op == "post":
                return await surface.post(target, message, nonce=entry.nonce, silent=entry.silent)
            if entry.standing is not None:
                return await surface.edit(target, entry.standing, message)
            # The post that it changes was never heard of: what is new is said anew.
            return await surface.post(target, message, nonce=entry.nonce, silent=True)
        except Exception:  # noqa: BLE001 - one place's failure is not another's
            _log.exception("outbox row %s could not be sent", entry.id)
            return Later(2.0**entry.tries)

    def _record(
        self, connection: Connection, entry: Entry, result: PostResult | None, now: datetime
    ) -> None:
        match result:
            case None:
                due.mark(connection, entry.id, "dropped")
            case Posted(message, at):
                due.mark_sent(connection, entry.id, message, at)
                self._opened(connection, entry, at, now)
            case Refused(reason, gone):
                due.mark(connection, entry.id, "refused", reason=reason)
                if gone or entry.op == "post":
                    self._live.lost_place(connection, entry, now)
            case Later(seconds) if entry.tries < MOST_TRIES:
                due_at = now + timedelta(seconds=seconds)
                due.mark(connection, entry.id, "due", due_at=due_at)
            case Later():
                due.mark(connection, entry.id, "refused", reason="it failed too often")
                if entry.op == "post":
                    self._live.lost_place(connection, entry, now)
            case Unknown():
                due.mark(connection, entry.id, "unknown")
                self._opened(connection, entry, entry.claimed_at or now, now)
            case _:
                assert_never(result)

    def _opened(
        self, connection: Connection, entry: Entry, posted_at: datetime, now: datetime
    ) -> None:
        if entry.kind != "question" or entry.op != "post" or entry.step_id is None:
            return
        step = rounds.step_in(connection, entry.step_id)
        if step is not None and step.opened_at is None:
            self._live.opened(connection, step, posted_at, now)

    # --- after presses -------------------------------------------------------------------

    async def _after_presses(self, now: datetime) -> None:
        """Questions that everybody has answered close early; others show how many have."""
        pressed, self._pressed = self._pressed, set()
        if not pressed:
            return
        open_live = await self._store.write(lambda c: self._close_early(c, pressed, now))
        for step in open_live:
            self._counts.setdefault(step.id, _Count(step, now + COUNTS_EVERY))

    def _close_early(self, connection: Connection, pressed: set[int], now: datetime) -> list[Step]:
        open_live = []
        for step_id in sorted(pressed):
            step = rounds.step_in(connection, step_id)
            if step is None or step.round.mode != "live" or step.closed_at is not None:
                continue
            self._live.close_if_all_answered(connection, step, now)
            open_live.append(step)
        return open_live

    def _show_counts(self, now: datetime) -> datetime | None:
        """Edit what has waited its two seconds, within the budget; when the next has."""
        for count in sorted(self._counts.values(), key=lambda count: count.due_at):
            place = count.step.round.place
            at = max(count.due_at, self._budget.get(place.platform, count.due_at))
            if at <= now and place.id not in self._sending:
                del self._counts[count.step.id]
                self._spend(place.platform, now)
                self._send(place.id, self._edit_count(count.step))
        # What waits for its place is woken by the end of what is being sent there.
        return min(
            (count.due_at for count in self._counts.values() if count.due_at > now), default=None
        )

    async def _edit_count(self, step: Step) -> None:
        entry = await self._store.read(lambda c: due.find_entry_of_step(c, step.id))
        surface = self._surfaces[step.round.place.platform]
        if entry is None or entry.message_id is None:
            return
        message = await self._posts.question(step.id)
        if message is None:
            return
        now = self._clock.now()
        match await surface.edit(_target(entry), entry.message_id, message):
            case Later(seconds):
                self._counts.setdefault(step.id, _Count(step, now + timedelta(seconds=seconds)))
            case Refused(_, gone=True):
                await self._store.write(lambda c: self._live.lost_place(c, entry, now))
            case _:
                pass

    def _spend(self, platform: str, now: datetime) -> None:
        """Every message takes from the budget; only live counts wait for it."""
        rate = self._surfaces[platform].abilities.edits_per_second
        free_at = max(now, self._budget.get(platform, now))
        self._budget[platform] = free_at + timedelta(seconds=1 / rate)


@dataclass(frozen=True, slots=True)
class _Count:
    """A question whose count has changed, and when that may be shown."""

    step: Step
    due_at: datetime


def _target(entry: Entry) -> Target:
    return Target(entry.place.community, entry.place.place, entry.recipient, entry.thread)
