"""The first process of a container: signals that it has not asked for do not reach it."""

from __future__ import annotations

import os
import signal


def heed_signals() -> None:
    """End at SIGTERM and Ctrl-C, as every other process does by itself."""
    if os.getpid() == 1:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: os._exit(128 + number))
