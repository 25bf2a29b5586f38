"""Every bank of some folders: the good ones to play, and all faults of the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.banks.examine import Examined, examine
from bot.banks.faults import TOP, Fault, printable
from bot.banks.files import find
from bot.content import Bank
from bot.spelling import fold


@dataclass(frozen=True, slots=True)
class Loaded:
    """`broken` are the ids of banks that were found and cannot be played; `faults` says why."""

    banks: tuple[Bank, ...]
    faults: tuple[Fault, ...]
    broken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What stands at some paths: each bank by itself, then what only shows beside the others."""

    banks: tuple[Examined, ...]
    elsewhere: tuple[Fault, ...]
    """Faults of no bank: a folder that is missing."""

    @property
    def faults(self) -> tuple[Fault, ...]:
        return (*self.elsewhere, *(fault for bank in self.banks for fault in bank.faults))


def load(folders: Sequence[Path]) -> Loaded:
    """All banks in these folders, in the order of the folders, then of the banks' names.

    A bank with a fault in `bank.yaml` is left out; nothing is ever raised for what files hold.
    """
    surveyed = survey(folders)
    return Loaded(
        banks=tuple(found.bank for found in surveyed.banks if found.bank),
        faults=surveyed.faults,
        broken=tuple(found.place.id for found in surveyed.banks if not found.bank),
    )


def survey(paths: Iterable[Path]) -> Surveyed:
    """Examine every bank at these paths: folders of banks, a bank's folder, or a file."""
    banks: dict[Path, Examined] = {}
    elsewhere: list[Fault] = []
    for found in find(paths):
        if isinstance(found, Fault):
            elsewhere.append(found)
        elif found.file not in banks:
            banks[found.file] = examine(found)
    return Surveyed(tuple(_apart(banks.values())), tuple(elsewhere))


def _apart(banks: Iterable[Examined]) -> Iterator[Examined]:
    """No two banks of one id, and no alias that leads to two: the first keeps it."""
    banks = tuple(banks)
    first: dict[str, Examined] = {}
    for found in banks:
        first.setdefault(found.place.id, found)
    aliases: dict[str, str] = {}
    for found in banks:
        if first[found.place.id] is not found:
            yield _second(found, first[found.place.id])
        elif found.bank is None:
            yield found
        else:
            yield _with_own_aliases(found, found.bank, first, aliases)


def _second(found: Examined, first: Examined) -> Examined:
    what = f"a bank {found.place.id} is also in {printable(first.place.file)}"
    fault = Fault(printable(found.place.file), *TOP, what, "rename one of the two")
    return replace(found, bank=None, faults=(fault, *found.faults))


def _with_own_aliases(
    found: Examined, bank: Bank, ids: Iterable[str], taken: dict[str, str]
) -> Examined:
    """The bank without the aliases that another has; it can be played by its other names."""
    by_fold = {fold(id_): id_ for id_ in ids}
    faults, kept = [], []
    for alias, mark in zip(bank.aliases, found.alias_marks, strict=True):
        other = by_fold.get(fold(alias)) or taken.setdefault(fold(alias), bank.id)
        if other == bank.id:
            kept.append(alias)
            continue
        what = f'alias "{alias}" already leads to the bank {other}'
        faults.append(Fault(printable(found.place.file), *mark, what, "choose another"))
    return replace(found, bank=replace(bank, aliases=tuple(kept)), faults=(*faults, *found.faults))
