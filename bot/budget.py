"""How many messages a platform takes in a while: what was spent of it, and when more is free."""

from __future__ import annotations

from datetime import datetime, timedelta


class Budget:
    """By purse: what is spent from one is no matter for another."""

    def __init__(self) -> None:
        self._free_at: dict[str, datetime] = {}

    def free_at(self, purse: str, now: datetime) -> datetime:
        """When one more message is free."""
        return self._free_at.get(purse, now)

    def spend(self, purse: str, now: datetime, per_second: float) -> None:
        """Every message takes from it, also one that did not wait until it was free."""
        free_at = max(now, self.free_at(purse, now))
        self._free_at[purse] = free_at + timedelta(seconds=1 / per_second)

    def forget(self) -> None:
        """What was noted on a clock that was set back since says nothing any more."""
        self._free_at.clear()
