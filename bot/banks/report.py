"""All faults of some banks, for a person, a program or a pull request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bot.banks.faults import Fault
from bot.banks.load import survey


@dataclass(frozen=True, slots=True)
class Report:
    """`banks` were found, `faulty` of them have a fault; a missing folder is a fault of none."""

    faults: tuple[Fault, ...]
    banks: int
    faulty: int

    @property
    def is_fine(self) -> bool:
        return not self.faults


def check(paths: Sequence[Path], base: Path | None = None) -> Report:
    """Examine the banks at these paths: folders of banks, a bank's folder, or a file.

    Files are named as the paths are, or beside `base` where they lie below it.
    """
    found = survey(paths)
    return Report(
        faults=tuple(_beside(base, fault) for fault in found.faults),
        banks=len(found.banks),
        faulty=sum(bool(bank.faults) for bank in found.banks),
    )


def as_text(report: Report) -> str:
    """Lines for a terminal: place, fault, mend; then the sum."""
    places = [f"{fault.file}:{fault.line}:{fault.column}" for fault in report.faults]
    width = max(map(len, places), default=0) + 2
    lines = []
    for place, fault in zip(places, report.faults, strict=True):
        lines.append(f"{place:{width}}{fault.what}")
        if fault.mend:
            lines.append(f"{'':{width}}mend: {fault.mend}")
    return "\n".join([*lines, summary(report)])


def as_json(report: Report) -> str:
    """One object: `banks`, `faulty` and `faults`, each as its fields are called."""
    content = {
        "banks": report.banks,
        "faulty": report.faulty,
        "faults": [asdict(fault) for fault in report.faults],
    }
    return json.dumps(content, ensure_ascii=False, indent=2)


def as_github(report: Report) -> str:
    """A workflow command a line, which GitHub shows beside the line of the file."""
    return "\n".join(map(_annotation, report.faults))


def summary(report: Report) -> str:
    """`2 faults in 1 of 3 banks; 2 banks are fine`."""
    fine = report.banks - report.faulty
    parts = []
    if report.faults:
        where = f" in {report.faulty} of {_count(report.banks, 'bank')}" if report.faulty else ""
        parts.append(_count(len(report.faults), "fault") + where)
    if fine or not parts:
        parts.append(f"{_count(fine, 'bank')} {'is' if fine == 1 else 'are'} fine")
    return "; ".join(parts)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _beside(base: Path | None, fault: Fault) -> Fault:
    file = Path(fault.file)
    if base is None or not file.is_absolute() or not file.is_relative_to(base):
        return fault
    return replace(fault, file=file.relative_to(base).as_posix())


def _annotation(fault: Fault) -> str:
    message = fault.what + (f" — mend: {fault.mend}" if fault.mend else "")
    file = _escaped(fault.file).replace(":", "%3A").replace(",", "%2C")
    return f"::error file={file},line={fault.line},col={fault.column}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
