"""An empty database with today's schema, made once: each story would spend its time on that."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path

from bot.store.addresses import read_address
from bot.store.upgrades import upgrade


def prepare(url: str) -> None:
    """Put one where there is none yet; what is no file of SQLite is left as it is."""
    file = read_address(url).file
    if file is not None and not file.exists():
        file.write_bytes(_made())


@cache
def _made() -> bytes:
    folder = Path(tempfile.mkdtemp(prefix="quizbot-"))
    try:
        upgrade(read_address(f"sqlite:///{folder / 'quizbot.db'}"))
        assert not (folder / "quizbot.db-wal").exists(), "all of it is in the one file"
        return (folder / "quizbot.db").read_bytes()
    finally:
        shutil.rmtree(folder)
