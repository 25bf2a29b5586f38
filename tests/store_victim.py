"""A process that records answers as fast as it can, and is killed in the middle of it.

It says of each step, on standard output, that its answers are acknowledged.
"""

from __future__ import annotations

import asyncio
import sys
from functools import partial

from store_world import add_place, add_step, draft, opened

from bot.outcomes import First

PRESSES = 25


async def main(url: str) -> None:
    async with opened(url) as store:
        place = await store.write(add_place)
        for number in range(10_000):
            step = await store.write(partial(add_step, place=place, name=f"q{number}"))
            made = await asyncio.gather(
                *(store.record(draft(step, f"u{index}")) for index in range(PRESSES))
            )
            assert all(isinstance(recorded, First) for recorded in made)
            sys.stdout.write(f"{step.id}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
