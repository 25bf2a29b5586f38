"""Brings what is in the outbox to its places: in order, in time, and noted when it is done."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import Connection

from bot.budget import Budget
from bot.delivered import Delivered, why_of
from bot.live import LiveRounds
from bot.messages import Message
from bot.open_rounds import OpenRounds
from bot.ports import (
    Clock,
    Failed,
    Later,
    Posted,
    PostResult,
    Refused,
    Surface,
    Target,
    Unknown,
)
from bot.posts import Posts
from bot.standing import StandingBoards
from bot.state import Place
from bot.store import outbox, standing
from bot.store.addresses import StoreUnavailable
from bot.store.entries import Entry
from bot.store.store import Store

Value = TypeVar("Value")

SENDING_LASTS = timedelta(seconds=30)
CLAIM_LASTS = 2 * SENDING_LASTS
"""Who claimed it is not sending it any more, and its nonce is still known where nonces are."""

_AGAIN = timedelta(seconds=5)

_log = logging.getLogger(__name__)


class Sending:
    """What is on its way to places, one message at a time in each. `ended` is called after each.

    `alone`: no other process serves this database, so that a claim of nobody here is stale.
    """

    def __init__(
        self,
        store: Store,
        posts: Posts,
        live: LiveRounds,
        dailies: OpenRounds,
        boards: StandingBoards,
        surfaces: Mapping[str, Surface],
        clock: Clock,
        ended: Callable[[], None],
        *,
        name: str,
        alone: bool,
    ) -> None:
        self._store = store
        self._posts = posts
        self._live = live
        self._delivered = Delivered(live, dailies, boards)
        self._surfaces = surfaces
        self._clock = clock
        self._ended = ended
        self._name = name
        self._alone = alone
        self._claiming: asyncio.Task[bool] | None = None
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._budget = Budget()

    @property
    def busy(self) -> frozenset[int]:
        """The queues of places and people to whom something is on its way."""
        return frozenset(self._tasks)

    async def close(self, seconds: float) -> None:
        """Let what is on its way arrive, for this long at most; after it nothing is under way."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while under_way := self._under_way():
                    await asyncio.wait(under_way)
        left = self._under_way()
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def claim(self, now: datetime) -> bool:
        """Whether there were rows to send. What is claimed is sent, also at a shutdown."""
        self._claiming = asyncio.create_task(self._claim_and_send(now))
        return await asyncio.shield(self._claiming)

    def send(self, queue: int, work: Coroutine[Any, Any, None]) -> None:
        """What is said in a place, or to a person, is said in order: one at a time."""
        task = asyncio.create_task(work)
        self._tasks[queue] = task
        task.add_done_callback(lambda done: self._sent(queue, done))

    async def in_time(self, work: Coroutine[Any, Any, Value]) -> Value:
        """What a surface says, if it says it in time; else TimeoutError."""
        task, done = asyncio.create_task(work), asyncio.Event()
        task.add_done_callback(lambda _: done.set())
        try:
            await self._clock.wait(done, self._clock.now() + SENDING_LASTS)
        finally:
            if not task.done():
                task.cancel()
        if not task.done() or task.cancelled():
            raise TimeoutError
        return task.result()

    def free_at(self, place: Place, now: datetime) -> datetime:
        """When the budget for live counts allows one more here."""
        return self._budget.free_at(self._purse(place), now)

    def spend(self, place: Place, now: datetime) -> None:
        """Every message takes from the budget; only live counts wait for it."""
        rate = self._surfaces[place.platform].abilities.edits_per_second
        self._budget.spend(self._purse(place), now, rate)

    def clock_was_set_back(self) -> None:
        self._budget.forget()

    def stale(self, connection: Connection, now: datetime) -> list[Entry]:
        """Rows that nobody is sending any more."""
        before = None if self._alone else now - CLAIM_LASTS
        return outbox.stale_claims(connection, self._surfaces, before, self.busy)

    async def settle(self, entry: Entry, now: datetime) -> None:
        """A row was claimed and its process died: was it posted?"""
        surface = self._surfaces[entry.place.platform]
        since = now - (entry.claimed_at or now)
        if entry.op == "edit" or since < timedelta(seconds=surface.abilities.resend_seconds):
            await self.write(lambda c: outbox.mark(c, entry.id, "due", due_at=now))
        else:
            await self.write(lambda c: self._delivered.note(c, entry, Unknown(), now))

    async def lose(self, entry: Entry, refused: Refused, now: datetime) -> None:
        """A standing question turned out to be gone."""
        if await self.write(lambda c: self._live.lost_place(c, entry, why_of(refused), now)):
            _log_lost(entry, refused.reason)

    async def write(self, work: Callable[[Connection], Value]) -> Value:
        """A write whose effects are looked for anyway, so that nobody need be woken."""
        return await self._store.write(work, wakes=False, apart=True)

    # --- inside --------------------------------------------------------------------------

    def _under_way(self) -> set[asyncio.Task[Any]]:
        claiming = () if self._claiming is None else (self._claiming,)
        return {task for task in (*claiming, *self._tasks.values()) if not task.done()}

    async def _claim_and_send(self, now: datetime) -> bool:
        busy = self.busy
        claimed = await self.write(lambda c: outbox.claim(c, self._surfaces, now, self._name, busy))
        for entry in claimed:
            self.send(entry.queue, self._deliver(entry))
        return bool(claimed)

    def _sent(self, queue: int, task: asyncio.Task[None]) -> None:
        del self._tasks[queue]
        self._ended()
        if not task.cancelled() and task.exception() is not None:
            _log.error("a post failed", exc_info=task.exception())

    async def _deliver(self, entry: Entry) -> None:
        surface = self._surfaces[entry.place.platform]
        result = await self._try(entry, surface)
        now = self._clock.now()
        self.spend(entry.place, now)
        while not await self._noted(entry, result, now):
            await self._clock.wait(asyncio.Event(), self._clock.now() + _AGAIN)
        if entry.kind == "standing" and isinstance(result, Posted):
            await self._pin(entry, result.message, surface)

    async def _pin(self, entry: Entry, message: str, surface: Surface) -> None:
        """A board that begins to stand somewhere is pinned, where that is allowed, until it ends.

        It is no harm if that fails.
        """
        ends = entry.op == "edit"
        if ends and not entry.args.get("pinned"):
            return
        try:
            pin = surface.pin(target_of(entry), message, pinned=not ends)
            if await self.in_time(pin) and not ends:
                await self.write(lambda c: standing.set_pinned(c, entry.place.id, True))
        except TimeoutError:
            _log.warning("outbox row %s: no word from %s of a pin", entry.id, surface.platform)
        except Exception:  # noqa: BLE001 - the board stands, pinned or not
            _log.exception("outbox row %s could not be pinned", entry.id)

    async def _noted(self, entry: Entry, result: PostResult | None, now: datetime) -> bool:
        """What came of a post must not be forgotten, or it would be sent twice or never."""
        try:
            refused = await self.write(lambda c: self._delivered.note(c, entry, result, now))
        except StoreUnavailable as error:
            _log.warning("outbox row %s waits to be noted: %s", entry.id, error)
            return False
        if refused is not None:
            _log_lost(entry, refused)
        return True

    async def _try(self, entry: Entry, surface: Surface) -> PostResult | None:
        """None: there is nothing to say any more. A change can be made again, unlike a post."""
        result = await self._tried(entry, surface)
        if entry.op == "edit" and isinstance(result, Unknown):
            return Failed(_AGAIN.total_seconds())
        return result

    async def _tried(self, entry: Entry, surface: Surface) -> PostResult | None:
        try:
            message = await self._posts.compose(entry)
            return None if message is None else await self._put(entry, surface, message)
        except StoreUnavailable as error:
            _log.warning("outbox row %s could not be composed: %s", entry.id, error)
            return Later(_AGAIN.total_seconds())
        except Exception:  # noqa: BLE001 - one place's failure is not another's
            _log.exception("outbox row %s could not be sent", entry.id)
            return Failed(2.0**entry.tries)

    async def _put(self, entry: Entry, surface: Surface, message: Message) -> PostResult:
        """Only of what a surface was given can it be unknown whether it was sent."""
        try:
            return await self.in_time(_put(entry, surface, message))
        except TimeoutError:
            _log.warning("outbox row %s: no word from %s in time", entry.id, surface.platform)
            return Unknown()

    def _purse(self, place: Place) -> str:
        """Whose budget an edit in this place is paid from."""
        if self._surfaces[place.platform].abilities.budget_of == "community":
            return f"{place.platform}/{place.community}"
        return place.platform


async def _put(entry: Entry, surface: Surface, message: Message) -> PostResult:
    target = target_of(entry)
    if entry.op == "post":
        return await surface.post(target, message, nonce=entry.nonce, silent=entry.silent)
    if entry.standing is not None:
        return await surface.edit(target, entry.standing, message)
    # The post that it changes was never heard of: what is new is said anew.
    return await surface.post(target, message, nonce=entry.nonce, silent=True)


def _log_lost(entry: Entry, reason: str) -> None:
    place = entry.place
    _log.warning(
        "%s: the quiz in %s of %s could not go on: %s",
        place.platform, place.place, place.community, reason,
    )  # fmt: skip


def target_of(entry: Entry) -> Target:
    return Target(entry.place.community, entry.place.place, entry.recipient, entry.thread)
