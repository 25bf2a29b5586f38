"""Do what a person asked once, however often their browser sends it."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from datetime import UTC, datetime, timedelta
from typing import assert_never

from adapters.local import room_frames as f
from adapters.local.room_core import HERE, App
from bot.calls import Click, Command, Submission, Typed, Who
from bot.messages import Reply
from bot.ports import Clock

log = logging.getLogger(__name__)

_REMEMBERED = 5000
_OLDEST_CLAIM = timedelta(seconds=10)


class Desk:
    """Starts the work of requests and remembers what came of it.

    A request belongs to its person and not to the socket that brought it: the work goes on
    when the socket is gone, and the same request over the next one gets the same reply.
    """

    def __init__(self, app: App, clock: Clock) -> None:
        self._app = app
        self._clock = clock
        self._done: OrderedDict[tuple[str, str], asyncio.Task[Reply]] = OrderedDict()

    async def reply(self, who: Who, work: f.Work) -> Reply | None:
        """The reply to a request, the first time or again; None if the core failed."""
        key = (who.id, work.id)
        task = self._done.get(key)
        if task is None:
            task = asyncio.create_task(self._do(who, work, self._clock.now()))
            self._done[key] = task
            self._forget()
        await asyncio.wait({task})
        if (fault := task.exception()) is not None:
            log.error("a request of the room failed", exc_info=fault)
            self._done.pop(key, None)
            return None
        return task.result()

    async def finish(self, seconds: float) -> None:
        """Let what is under way come to its end, for this long at most."""
        if tasks := {task for task in self._done.values() if not task.done()}:
            await asyncio.wait(tasks, timeout=seconds)

    async def _do(self, who: Who, work: f.Work, received: datetime) -> Reply:
        match work:
            case f.Line(_, text):
                return await self._app.typed(Typed(who, HERE, text))
            case f.Ask(_, name, options):
                return await self._app.command(Command(who, HERE, name, options))
            case f.Press():
                return await self._app.click(self._click(who, work, received))
            case f.Filled(_, token, values):
                return await self._app.submit(Submission(who, HERE, token, values))
            case _:
                assert_never(work)

    def _click(self, who: Who, press: f.Press, received: datetime) -> Click:
        return Click(
            who,
            HERE,
            press.token,
            made_at=made_at(press.at, received),
            received_at=received,
            message=press.message,
            on_private=press.message is None,
            values=press.values,
        )

    def _forget(self) -> None:
        while len(self._done) > _REMEMBERED:
            key, oldest = next(iter(self._done.items()))
            if not oldest.done():
                return
            del self._done[key]


def made_at(claim: float | None, received: datetime) -> datetime:
    """The instant of a press: the browser's word if it lies within the last ten seconds."""
    if claim is None:
        return received
    claimed = datetime.fromtimestamp(claim / 1000, UTC) if claim < 4e12 else received
    return claimed if received - _OLDEST_CLAIM <= claimed <= received else received
