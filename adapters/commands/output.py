"""Standard output that tells its own failures from all others."""

from __future__ import annotations

import sys
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputLost(Exception):
    """Standard output takes nothing more: one sentence."""


class _Output(FileIO):
    def write(self, data: ReadableBuffer, /) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            why = error.strerror or error
            raise OutputLost(f"Standard output cannot be written: {why}.") from None


def guard_output() -> None:
    """From now on raise OutputLost where standard output cannot be written."""
    old = sys.stdout
    if isinstance(old, TextIOWrapper) and not old.isatty():
        raw = _Output(old.fileno(), "w", closefd=False)
        sys.stdout = TextIOWrapper(
            BufferedWriter(raw), old.encoding, "replace", line_buffering=old.line_buffering
        )
