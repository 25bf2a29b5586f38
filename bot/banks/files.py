"""Where banks lie on the disk, and the bytes of their files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.banks.faults import TOP, Fault, Problem
from bot.banks.state import NAME as STATE
from bot.banks.strict_yaml import MOST_BYTES

BANK = "bank.yaml"


@dataclass(frozen=True, slots=True)
class Place:
    """A bank's files. `folder` is what its images are relative to."""

    id: str
    file: Path
    folder: Path
    overlays: tuple[Path, ...] = ()
    state: Path | None = None


def find(paths: Iterable[Path]) -> Iterator[Place | Fault]:
    """The banks at these paths, in this order: a folder of banks, one bank's folder, or a file."""
    for path in paths:
        try:
            yield from _at(path)
        except OSError as error:
            yield _fault(path, f"cannot be read: {error.strerror or error}", "check the name")


def contents(file: Path) -> bytes | Problem:
    """The file's bytes; of one that is too large only enough to know it."""
    try:
        if not file.is_file():
            return Problem((), "this is no file", "put a file in its place", TOP)
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        return Problem((), what, "check the file's rights", TOP)


def _at(path: Path) -> Iterator[Place | Fault]:
    if path.is_dir():
        found = [_bank_folder(path)] if _is_bank(path) else list(_inside(path))
        yield from found or [_fault(path, "holds no bank", "put NAME/bank.yaml into it")]
    elif not path.exists():
        yield _fault(path, "is not there", "check the name")
    elif _is_bank(path.parent):
        yield _bank_folder(path.parent)
    else:
        yield _single(path)


def _inside(folder: Path) -> Iterator[Place | Fault]:
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.startswith("."):
            continue
        if path.is_dir():
            if _is_bank(path):
                yield _bank_folder(path)
            elif any(path.glob("*.yaml")) or any(path.glob("*.yml")):
                yield _fault(path / BANK, "is not there", f"name the bank's file {BANK}")
        elif path.suffix in (".yaml", ".yml"):
            yield _single(path)


def _is_bank(folder: Path) -> bool:
    return (folder / BANK).exists()


def _bank_folder(folder: Path) -> Place:
    files = sorted((*folder.glob("*.yaml"), *folder.glob("*.yml")), key=lambda path: path.name)
    return Place(
        id=(folder if folder.name not in ("", "..") else folder.resolve()).name,
        file=folder / BANK,
        folder=folder,
        overlays=tuple(path for path in files if path.name not in (BANK, STATE)),
        state=folder / STATE if (folder / STATE).exists() else None,
    )


def _single(file: Path) -> Place:
    return Place(id=file.stem, file=file, folder=file.parent)


def _fault(path: Path, what: str, mend: str) -> Fault:
    return Fault(path.as_posix(), 1, 1, f"{path.name or path} {what}", mend)
