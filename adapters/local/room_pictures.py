"""Serve the pictures that questions name, and no other file."""

from __future__ import annotations

from mimetypes import guess_type
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from aiohttp import web

from bot.library import Library

_KINDS = frozenset(
    {"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml"}
)

_HEADERS = {
    # A drawing that is opened by itself must not run what may be written in it.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cache-Control": "private, max-age=300",
}


class Pictures:
    """The pictures of a library's questions, by bank and by the name in the bank."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def address(self, path: str) -> str | None:
        """The address of a picture by its path; None for a file that no question names."""
        for bank in self._library.banks:
            if bank.folder is None:
                continue
            for question in bank.questions:
                if question.image and Path(path) in (
                    Path(bank.folder, question.image),
                    Path(question.image),
                ):
                    return f"/picture/{quote(bank.id, safe='')}/{quote(question.image)}"
        return None

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One picture; whatever is not exactly named by a question is not there."""
        file = self._file(request.match_info["bank"], request.match_info["file"])
        if file is None:
            return web.Response(status=404, text="There is no such picture.\n")
        return web.FileResponse(file, headers=_HEADERS)

    def _file(self, bank_id: str, name: str) -> Path | None:
        bank = self._library.bank(bank_id)
        if bank is None or bank.folder is None:
            return None
        if name not in {question.image for question in bank.questions}:
            return None
        folder = Path(bank.folder).resolve()
        file = (folder / PurePosixPath(name)).resolve()
        is_inside = file.is_relative_to(folder)
        return file if is_inside and file.is_file() and guess_type(file)[0] in _KINDS else None
