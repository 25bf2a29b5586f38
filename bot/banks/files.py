"""Where banks lie on the disk, and the bytes of their files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.banks.faults import TOP, Fault, Problem, printable
from bot.banks.state import NAME as STATE
from bot.banks.strict_yaml import MOST_BYTES

BANK = "bank.yaml"
_YAML = (".yaml", ".yml")


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
        yield from _readable(_at, path)


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


def _readable(
    look: Callable[[Path], Iterable[Place | Fault]], path: Path
) -> Iterable[Place | Fault]:
    try:
        return list(look(path))
    except OSError as error:
        return [_fault(path, f"cannot be read: {error.strerror or error}", "check its rights")]


def _at(path: Path) -> Iterable[Place | Fault]:
    if path.is_dir():
        found = [_bank_folder(path)] if _is_bank(path) else list(_inside(path))
        return found or [_fault(path, "holds no bank", "put NAME/bank.yaml into it")]
    if not path.exists():
        return [_fault(path, "is not there", "check the name")]
    return [_bank_folder(path.parent) if _is_bank(path.parent) else _single(path)]


def _inside(folder: Path) -> Iterator[Place | Fault]:
    for path in _listed(folder):
        yield from _readable(_beside_others, path)


def _listed(folder: Path) -> list[Path]:
    """Sorted, without hidden files: editors and systems leave theirs anywhere."""
    shown = (path for path in folder.iterdir() if not path.name.startswith("."))
    return sorted(shown, key=lambda path: path.name)


def _beside_others(path: Path) -> Iterator[Place | Fault]:
    """What an entry of a folder of banks is, if it is anything of ours."""
    if not path.is_dir():
        if path.suffix in _YAML:
            yield _single(path)
    elif _is_bank(path):
        yield _bank_folder(path)
    elif any(file.suffix in _YAML for file in _listed(path)):
        yield _fault(path / BANK, "is not there", f"name the bank's file {BANK}")


def _is_bank(folder: Path) -> bool:
    # Listed, not asked for: a folder that may not be read must not pass for an empty one.
    return any(file.name == BANK for file in folder.iterdir())


def _bank_folder(folder: Path) -> Place:
    files = [file for file in _listed(folder) if file.suffix in _YAML]
    return Place(
        id=printable((folder if folder.name not in ("", "..") else folder.resolve()).name),
        file=folder / BANK,
        folder=folder,
        overlays=tuple(path for path in files if path.name not in (BANK, STATE)),
        state=folder / STATE if (folder / STATE).exists() else None,
    )


def _single(file: Path) -> Place:
    return Place(id=printable(file.stem), file=file, folder=file.parent)


def _fault(path: Path, what: str, mend: str) -> Fault:
    name = printable(path.name or path)
    return Fault(printable(path), *TOP, f"{name} {what}", mend)
