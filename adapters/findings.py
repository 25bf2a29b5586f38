"""What `quizbot doctor` looks at: each part of the product has a checkup, which yields findings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Literal

Database = Literal["there", "none yet", "out of reach"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: how it is, and what to do about it if it is not well."""

    state: Literal["well", "note", "fault"]
    what: str
    mend: str = ""


class OutOfReach(Exception):
    """What was to be looked at cannot be asked now; the message is one sentence for people."""


@dataclass(frozen=True, slots=True)
class Checkup:
    """`look` yields each finding as soon as it is known. Raises OutOfReach."""

    of: str
    look: Callable[[], AsyncIterator[Finding]]
