"""`state.yaml`: who translated what, and from which wording. Written by the tool alone."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from bot.banks.checks import BANK_ENTRY
from bot.banks.models import Entry

State = Mapping[str, Mapping[str, Entry]]
"""Language, then question id or `bank`, to what was recorded."""

NAME = "state.yaml"

_HEAD = "# Written by quizbot banks translate: status and fingerprints of each translation.\n"


def text_of(state: State, order: Iterable[str]) -> str:
    """The file's whole text: languages sorted, the bank first, questions in the bank's order."""
    ids = [BANK_ENTRY, *order]
    lines = [_HEAD]
    for language in sorted(state):
        entries = [_line(id_, state[language][id_]) for id_ in ids if id_ in state[language]]
        if entries:
            lines += [f"{language}:\n", *entries]
    return "".join(lines)


def write(folder: Path, text: str) -> None:
    """Put the file in its place in one step, so that nobody ever reads half of it."""
    handle, name = tempfile.mkstemp(dir=folder, prefix=f".{NAME}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, folder / NAME)
    except BaseException:
        os.unlink(name)
        raise


def _line(id_: str, entry: Entry) -> str:
    prints = entry.of.model_dump(exclude_none=True)
    of = ", ".join(f"{part}: {fingerprint}" for part, fingerprint in prints.items())
    return f"  {id_}: {{status: {entry.status}, of: {{{of}}}}}\n"
