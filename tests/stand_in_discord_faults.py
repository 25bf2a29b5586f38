"""What goes wrong on demand, and rate limits, in front of the stand-in Discord's REST."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


def pattern(text: str) -> re.Pattern[str]:
    """`POST /interactions/...`: three dots stand for anything, `{name}` for one part of a path."""
    parts = re.split(r"(\.\.\.|\{[^}]*\})", text)
    return re.compile(
        "".join(
            ".*" if part == "..." else "[^/]+" if part.startswith("{") else re.escape(part)
            for part in parts
        )
    )


@dataclass(slots=True, eq=False)
class Fault:
    """Requests that fail: before they take effect, or after."""

    matches: re.Pattern[str]
    status: int | None
    body: dict[str, Any]
    headers: dict[str, str]
    after_effect: bool
    times: int


@dataclass(slots=True, eq=False)
class Hold:
    """A request that is kept until the test lets it go."""

    matches: re.Pattern[str]
    after_effect: bool
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        self.released.set()


@dataclass(slots=True, eq=False)
class Limit:
    """So many requests in so many seconds, for each channel, server or webhook."""

    matches: re.Pattern[str]
    requests: int
    seconds: float
    bucket: str
    windows: dict[str, tuple[float, int]] = field(default_factory=dict)

    def take(self, major: str, now: float) -> tuple[bool, dict[str, str]]:
        """Whether the request is allowed, and the headers that say so."""
        ends, used = self.windows.get(major, (0.0, 0))
        if ends <= now:
            ends, used = now + self.seconds, 0
        allowed = used < self.requests
        used += allowed
        self.windows[major] = ends, used
        return allowed, {
            "X-RateLimit-Limit": str(self.requests),
            "X-RateLimit-Remaining": str(self.requests - used),
            "X-RateLimit-Reset-After": f"{ends - now:.3f}",
            "X-RateLimit-Bucket": self.bucket,
        }


class Faults:
    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._holds: list[Hold] = []
        self._limits: list[Limit] = []

    def fail_next(
        self,
        what: str,
        *,
        status: int | None = 503,
        code: int = 0,
        message: str = "",
        after_effect: bool = False,
        times: int = 1,
        retry_after: float = 0.05,
        everywhere: bool = False,
        via: bool = True,
    ) -> None:
        """Let the next request like `what` fail; status None cuts its connection.

        With status 429, `retry_after`, `everywhere` (a global limit) and `via` (Discord itself
        says it, not the proxy in front of it) shape the answer.
        """
        body: dict[str, Any] = {"message": message or f"{status}: made to fail", "code": code}
        headers: dict[str, str] = {}
        if status == 429:
            body = {"message": "You are being rate limited."}
            body |= {"retry_after": retry_after, "global": everywhere}
            headers = too_many(retry_after, "global" if everywhere else "user")
            if not via:
                del headers["Via"]
        self._faults.append(Fault(pattern(what), status, body, headers, after_effect, times))

    def hold(self, what: str, *, after_effect: bool = False) -> Hold:
        """Keep the next request like `what`, before or after its effect, until it is released."""
        hold = Hold(pattern(what), after_effect)
        self._holds.append(hold)
        return hold

    def limit(self, what: str, requests: int, seconds: float) -> None:
        """Limit requests like `what`, by real time, since discord.py really sleeps."""
        bucket = f"bucket{len(self._limits):04}"
        self._limits.append(Limit(pattern(what), requests, seconds, bucket))

    def next_fault(self, line: str) -> Fault | None:
        for fault in self._faults:
            if fault.matches.fullmatch(line):
                fault.times -= 1
                if fault.times <= 0:
                    self._faults.remove(fault)
                return fault
        return None

    def next_hold(self, line: str) -> Hold | None:
        for hold in self._holds:
            if hold.matches.fullmatch(line):
                self._holds.remove(hold)
                return hold
        return None

    def limits_on(self, line: str) -> Iterable[Limit]:
        return (limit for limit in self._limits if limit.matches.fullmatch(line))

    def release_all(self) -> None:
        for hold in self._holds:
            hold.release()


def too_many(retry_after: float, scope: str) -> dict[str, str]:
    headers = {"Retry-After": f"{retry_after:.3f}", "X-RateLimit-Scope": scope, "Via": "1.1 google"}
    if scope == "global":
        headers["X-RateLimit-Global"] = "true"
    return headers
