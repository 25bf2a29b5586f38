"""Picture files: whether they can be sent, and what is in them, read outside the event loop."""

from __future__ import annotations

import asyncio
import logging
import os
import stat
from collections.abc import Sequence
from pathlib import Path

MOST_BYTES = 10_000_000
_MOST_LOGGED = 1_000

_log = logging.getLogger(__name__)
_logged: set[Path] = set()


def can_be_sent(path: Path) -> bool:
    """Without reading it; what is wrong with a picture is logged once."""
    try:
        found = path.stat()
    except OSError as error:
        _log_once(path, error)
        return False
    if not stat.S_ISREG(found.st_mode) or not os.access(path, os.R_OK):
        _log_once(path, "it may not be read, or is no file")
    elif not 0 < found.st_size <= MOST_BYTES:
        _log_once(path, f"it has {found.st_size} bytes, and {MOST_BYTES} are the most")
    else:
        return True
    return False


async def read(paths: Sequence[Path]) -> list[bytes] | None:
    """What is in them; None if one of them cannot be read after all."""
    if not paths:
        return []
    try:
        return await asyncio.to_thread(lambda: [path.read_bytes() for path in paths])
    except OSError as error:
        _log_once(paths[0], error)
        return None


def _log_once(path: Path, why: object) -> None:
    if path in _logged or len(_logged) >= _MOST_LOGGED:
        return
    _logged.add(path)
    _log.warning("the picture %s is told in words: %s", path, why)
