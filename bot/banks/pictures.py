"""The image files of a bank: inside its folder, of a kind that every surface shows, not large."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from bot.banks.checks import listing, mapping, named_question
from bot.banks.faults import Problem, shortened

MOST_BYTES = 5_000_000

_BEGINNINGS = {
    ".png": b"\x89PNG\r\n\x1a\n",
    ".jpg": b"\xff\xd8\xff",
    ".jpeg": b"\xff\xd8\xff",
    ".gif": b"GIF8",
    ".webp": b"RIFF",
}


def check_pictures(data: object, folder: Path) -> Iterator[Problem]:
    """Problems of the files that the bank's questions show."""
    for at, item in enumerate(listing(mapping(data).get("questions"))):
        file = mapping(mapping(item).get("image")).get("file")
        if isinstance(file, str) and file.strip():
            loc = ("questions", at, "image", "file")
            found = _wrong(folder, file)
            if found:
                name = named_question(mapping(item), at)
                what = f'image "{shortened(file)}" of {name} {found[0]}'
                yield Problem(loc, what, found[1])


def _wrong(folder: Path, file: str) -> tuple[str, str] | None:
    outside = "lies outside the bank's folder", "put it in images/ and write images/NAME"
    if PurePosixPath(file).is_absolute() or "\\" in file or ":" in file:
        return outside
    try:
        path = (folder / file).resolve()
        if not path.is_relative_to(folder.resolve()):
            return outside
        if not path.is_file():
            return "is not there", "add the file, or mend the name"
        if path.suffix.lower() not in _BEGINNINGS:
            return "is no picture that is shown everywhere", "use png, jpg, gif or webp"
        if path.stat().st_size > MOST_BYTES:
            return f"is larger than {MOST_BYTES // 1_000_000} MB", "make it smaller"
        with path.open("rb") as opened:
            if not opened.read(16).startswith(_BEGINNINGS[path.suffix.lower()]):
                return f"is no {path.suffix[1:].lower()} inside", "store it in that format"
    except (OSError, ValueError, RuntimeError) as error:
        return "cannot be read", getattr(error, "strerror", None) or "check its name and rights"
    return None
