"""What goes wrong on demand, and rate limits, in front of the stand-in Slack's Web API."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any

# Calls a minute, of a workspace's token: tier 2 has 20, tier 3 50, tier 4 100.
RATES = {
    "chat.update": 50,
    "chat.delete": 50,
    "chat.postEphemeral": 100,
    "views.open": 100,
    "views.update": 100,
    "views.push": 100,
    "views.publish": 100,
    "users.info": 100,
    "conversations.info": 50,
    "conversations.open": 50,
    "conversations.members": 100,
    "pins.add": 20,
    "migration.exchange": 20,
    "files.getUploadURLExternal": 100,
    "files.completeUploadExternal": 100,
}


@dataclass(slots=True, eq=False)
class Fault:
    """Calls that fail: before they take effect, or after. Status None cuts the connection."""

    method: str
    status: int | None
    answer: dict[str, Any]
    headers: dict[str, str]
    after_effect: bool
    times: int


@dataclass(slots=True, eq=False)
class Hold:
    """A call that is kept until the test lets it go."""

    method: str
    after_effect: bool
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        self.released.set()


@dataclass(slots=True, eq=False)
class Limit:
    """So many calls in so many seconds by the world's clock, for each channel or for all."""

    method: str
    calls: int
    seconds: float
    for_each: str | None
    taken: dict[str, list[datetime]] = field(default_factory=dict)

    def take(self, token: str, args: dict[str, Any], now: datetime) -> int | None:
        """How many seconds to wait, if the call is refused."""
        key = f"{token} {args.get(self.for_each)}" if self.for_each else token
        since = now - timedelta(seconds=self.seconds)
        taken = [one for one in self.taken.get(key, []) if one > since]
        self.taken[key] = taken
        if len(taken) < self.calls:
            taken.append(now)
            return None
        left = (taken[-self.calls] - since).total_seconds()
        return max(1, math.ceil(left))


class Faults:
    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._faults: list[Fault] = []
        self._holds: list[Hold] = []
        self._limits: list[Limit] = []

    def fail_next(
        self,
        method: str,
        error: str = "internal_error",
        *,
        status: int | None = None,
        cut: bool = False,
        retry_after: float = 1,
        after_effect: bool = False,
        times: int = 1,
        **more: Any,
    ) -> None:
        """Let the next call of a method fail.

        An `error` is answered with status 200, as Slack does; `ratelimited` with 429 and
        `retry_after`. A `status` is answered without JSON that means anything; `cut` breaks the
        connection. The name `response_url` stands for all response URLs, `upload` for uploads,
        and `chat.*` for all methods that begin so.
        """
        if status is None:
            status = 429 if error == "ratelimited" else 200
        headers = {"Retry-After": str(int(retry_after))} if status == 429 else {}
        answer = {"ok": False, "error": "ratelimited" if status == 429 else error, **more}
        self._faults.append(
            Fault(method, None if cut else status, answer, headers, after_effect, times)
        )

    def hold(self, method: str, *, after_effect: bool = False) -> Hold:
        """Keep the next call of it, before or after its effect, until it is released."""
        hold = Hold(method, after_effect)
        self._holds.append(hold)
        return hold

    def limit(
        self, method: str, calls: int, seconds: float, *, for_each: str | None = None
    ) -> None:
        """Limit calls of a token by the world's clock; `for_each="channel"`: each for itself."""
        self._limits.append(Limit(method, calls, seconds, for_each))

    def keep_rates(self) -> None:
        """Limit what is called as Slack documents it, by methods and their tiers."""
        self.limit("chat.postMessage", 1, 1, for_each="channel")
        for method, calls in RATES.items():
            self.limit(method, calls, 60)

    def next_fault(self, method: str) -> Fault | None:
        for fault in self._faults:
            if fnmatchcase(method, fault.method):
                fault.times -= 1
                if fault.times <= 0:
                    self._faults.remove(fault)
                return fault
        return None

    def next_hold(self, method: str) -> Hold | None:
        for hold in self._holds:
            if fnmatchcase(method, hold.method) and not hold.arrived.is_set():
                return hold
        return None

    def wait_for(self, method: str, token: str, args: dict[str, Any]) -> int | None:
        for limit in self._limits:
            if fnmatchcase(method, limit.method):
                wait = limit.take(token, args, self._now())
                if wait is not None:
                    return wait
        return None

    def release_all(self) -> None:
        for hold in self._holds:
            hold.release()
