"""What a program of the tests' own does besides its work: it says `up`, and what it has used.

For every line that it is sent it says what it has used so far. It ends when nobody can send it
lines any more, so that none is left behind.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import threading
import time
from pathlib import Path


async def serve() -> None:
    """Say that it is up, and answer until it is left alone."""
    # As `quizbot run` does.
    gc.collect()
    gc.freeze()
    loop, alone = asyncio.get_running_loop(), asyncio.Event()

    def answer() -> None:
        say("up")
        for _ in sys.stdin:
            say(json.dumps({"cpu": time.process_time(), "memory": memory()}))
        loop.call_soon_threadsafe(alone.set)

    threading.Thread(target=answer, daemon=True).start()
    await alone.wait()


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def memory() -> float:
    """Megabytes that are held now; where the system does not tell, the most so far."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / 1e6 if sys.platform == "darwin" else most / 1e3
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
