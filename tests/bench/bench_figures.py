"""What many measurements come to: medians, with how far they lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Figure:
    """A median, the least and the most."""

    median: float
    least: float
    most: float

    def json(self) -> dict[str, float]:
        return {
            "median": rounded(self.median),
            "least": rounded(self.least),
            "most": rounded(self.most),
        }


def figure(values: Sequence[float]) -> Figure:
    return Figure(median(values), min(values), max(values))


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> Figure:
    """Of what was measured in turn: each one of ours by the one that was measured beside it."""
    return figure([mine / other for mine, other in zip(ours, theirs, strict=True)])


def percentile(values: Sequence[float], percent: float) -> float:
    """The least value that so many percent do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def rounded(value: float) -> float:
    """Four digits that say something, of numbers of any size."""
    return float(f"{value:.4g}")
