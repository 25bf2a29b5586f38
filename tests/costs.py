"""What work costs, as a ratio: seconds say more about the machine than about the work."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache


def turns(work: Callable[[], object]) -> float:
    """CPU time of the work, in millions of turns of an empty loop."""
    begun = time.process_time()
    work()
    return (time.process_time() - begun) / _of_a_million()


@cache
def _of_a_million() -> float:
    def once() -> float:
        begun = time.process_time()
        for _ in range(1_000_000):
            pass
        return time.process_time() - begun

    return min(once() for _ in range(5))
