"""Where the quizzes are that come with quizbot."""

from __future__ import annotations

from pathlib import Path

import bot


def shipped_folder() -> Path:
    """`bot/shipped_banks/` as installed, else `banks/` of a checkout."""
    package = Path(bot.__file__).resolve().parent
    installed = package / "shipped_banks"
    return installed if installed.is_dir() else package.parent / "banks"
