"""The workspaces that quizbot was installed in by OAuth, each with a token that works."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from adapters.slack.client import Client, Denied
from adapters.slack.installations import Held, Installations
from adapters.slack.read import PLATFORM
from adapters.slack.renewing import Renewing
from adapters.slack.trouble import WrongSecretKey
from adapters.slack.workspaces import DEAD, ENDED, Workspace
from bot.calls import Where
from bot.ports import Clock
from bot.sharing import Shared
from bot.store.addresses import StoreUnavailable

_FRESH = timedelta(minutes=1)
"""So long what was read is believed: another process may have seen it come or go."""

_LAST_WORDS = 1.0
"""So many seconds a doubt may take on the way down: who stops quizbot waits for it."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Known:
    held: Held
    workspace: Workspace
    until: datetime


class InstalledWorkspaces:
    """Who the bot is in each workspace was stored when it was installed, and is asked no more.

    `left` is told when one turns out to be gone.
    """

    def __init__(
        self,
        client: Client,
        installations: Installations,
        renewing: Renewing,
        clock: Clock,
        left: Callable[[Where], Awaitable[None]],
    ) -> None:
        self._client = client
        self._installations = installations
        self._renewing = renewing
        self._clock = clock
        self._left = left
        self._known: dict[str, _Known] = {}
        self._reading: Shared[str, Held | None] = Shared()
        self._working: dict[str, asyncio.Task[None]] = {}
        self._asking: set[str] = set()

    @property
    def name(self) -> str:
        if len(self._known) == 1:
            return next(iter(self._known.values())).workspace.name
        return f"{len(self._known)} workspaces" if self._known else "no workspace yet"

    def address(self, id: str) -> str | None:
        known = self._known.get(id)
        return known.workspace.url or None if known is not None else None

    async def begin(self) -> None:
        """Know all that there are. Raises WrongSecretKey where none of them can be read."""
        renewed = await self._installations.use_newest_key()
        if renewed:
            _log.info("installations are stored with the newest key now: %d", renewed)
        for held in await self._installations.every():
            self._note(held)
        unreadable = await self._installations.unreadable()
        if unreadable and not self._known:
            raise WrongSecretKey(unreadable)

    async def find(self, ids: Iterable[str]) -> Workspace | None:
        for id in ids:
            workspace = await self._find(id)
            if workspace is not None:
                return workspace
        return None

    async def installed(self, id: str) -> Workspace | None:
        """It was installed just now, for the first time or anew."""
        self._known.pop(id, None)
        return await self._find(id)

    async def is_lost(self, id: str) -> bool:
        """Slack's word may come late, when it is installed again."""
        held = await self._installations.find(id)
        return held is None or await self._is_dead(held)

    async def forget(self, id: str) -> None:
        held = await self._installations.find(id)
        if held is not None:
            await self._revoke(held, "it was removed there")

    def refused(self, token: str, error: str) -> None:
        """Slack did not take a token that it was called with."""
        known = next((one for one in self._known.values() if one.held.token == token), None)
        if known is None or known.held.id in self._asking:
            return
        if error in ENDED:
            self._once(known.held, self._renew(known.held))
        elif error in DEAD:
            self._once(known.held, self._doubt(known.held))

    @property
    def is_idle(self) -> bool:
        return not self._working

    async def finish(self) -> None:
        """A new token that is on its way is stored; of all else what can be in a moment.

        Slack refuses a dead token again after the next start.
        """
        await self._renewing.finish()
        left = set(self._working.values())
        if left:
            _, left = await asyncio.wait(left, timeout=_LAST_WORDS)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    # --- inside --------------------------------------------------------------------------

    async def _find(self, id: str) -> Workspace | None:
        known = self._known.get(id)
        if known is None or self._clock.now() >= known.until:
            known = await self._read(id, known)
        if known is None:
            return None
        if self._renewing.has_ended(known.held):
            held = await self._renewing.renewed(known.held)
            known = self._note(held)
            if self._renewing.has_ended(held):
                if self._renewing.is_hopeless(held):
                    self._once(held, self._lose(held, "it has ended, and there is no new one"))
                return None
        elif self._renewing.is_due(known.held):
            self._once(known.held, self._renew(known.held))
        return known.workspace

    async def _read(self, id: str, known: _Known | None) -> _Known | None:
        """Once for all who ask now; while the database is away, what was known holds."""
        try:
            held = await self._reading.get(id, lambda: self._installations.find(id))
        except StoreUnavailable:
            if known is None:
                raise
            return known
        if held is None:
            self._known.pop(id, None)
            return None
        return self._note(held)

    def _note(self, held: Held) -> _Known:
        known = _Known(held, held.workspace, self._clock.now() + _FRESH)
        self._known[held.id] = known
        return known

    async def _renew(self, held: Held) -> None:
        self._note(await self._renewing.renewed(held))

    async def _doubt(self, held: Held) -> None:
        """One refusal may be a fault of Slack's: it is asked once more."""
        if await self._is_dead(held):
            await self._lose(held, "it was revoked")

    async def _is_dead(self, held: Held) -> bool:
        self._asking.add(held.id)
        try:
            answer = await self._client.call(
                "auth.test", {}, token=held.token, of=held.id, urgent=True
            )
        finally:
            self._asking.discard(held.id)
        return isinstance(answer, Denied) and answer.error in DEAD

    async def _lose(self, held: Held, why: str) -> None:
        """What is stored of the people there stays; it is found again when it is installed anew."""
        name = held.workspace.name
        await self._left(Where(PLATFORM, held.id, held.id, community_name=name))
        await self._revoke(held, why)

    async def _revoke(self, held: Held, why: str) -> None:
        if await self._installations.revoke(held):
            _log.error(
                "Slack takes the token for %s no more (%s): quizbot is silent there until it is "
                "installed anew", held.workspace.name or held.id, why,
            )  # fmt: skip
        self._known.pop(held.id, None)

    def _once(self, held: Held, work: Coroutine[Any, Any, None]) -> None:
        """One thing at a time for each, and what more is asked for meanwhile comes to the same."""
        if held.id in self._working:
            work.close()
            return
        task = self._working[held.id] = asyncio.create_task(work)
        task.add_done_callback(lambda done: self._ended(held.id, done))

    def _ended(self, id: str, task: asyncio.Task[None]) -> None:
        del self._working[id]
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("an installation could not be seen to", exc_info=error)
