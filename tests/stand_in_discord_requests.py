"""One request to the stand-in Discord's REST: read, checked, answered, and kept for the test."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from aiohttp import BodyPartReader, web
from stand_in_discord_description import Description
from stand_in_discord_errors import Problem, invalid_form


@dataclass(eq=False)
class Request:
    """What came in, and how it was answered. `path` is without the version's prefix."""

    at: datetime
    method: str
    path: str
    query: Mapping[str, str]
    authorization: str | None
    json: Any
    files: dict[str, tuple[str, bytes]]
    description: Description | None
    template: str = ""
    names: dict[str, str] = field(default_factory=dict)
    status: int | None = None
    code: int | None = None
    is_checked: bool = False

    @property
    def line(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def file_names(self) -> list[str]:
        return [name for name, _ in self.files.values()]

    def number(self, name: str) -> int:
        text = self.names[name]
        return int(text) if text.isdigit() else 0

    def accept(self, problems: Iterable[Problem] = (), *, under: tuple[str, ...] = ()) -> None:
        """Refuse the body if anything is wrong in it, by our rules or by the description.

        `under` is where in the body the rules looked.
        """
        self.is_checked = True
        found = [
            Problem((*under, *problem.path), problem.code, problem.message) for problem in problems
        ]
        if not found and self.description is not None:
            found = self.description.request(self.method, self.template, self.json)
        if found:
            raise invalid_form(found)


async def read(
    http: web.Request, path: str, now: datetime, description: Description | None
) -> Request:
    body: Any = None
    files: dict[str, tuple[str, bytes]] = {}
    if http.content_type == "multipart/form-data":
        async for part in await http.multipart():
            if not isinstance(part, BodyPartReader):
                continue
            content = bytes(await part.read(decode=True))
            if part.name == "payload_json":
                body = json.loads(content)
            else:
                number = (part.name or "").removeprefix("files[").removesuffix("]")
                files[number] = (part.filename or "", content)
    elif http.can_read_body:
        body = json.loads(await http.read())
    return Request(
        at=now,
        method=http.method,
        path=path,
        query=dict(http.query),
        authorization=http.headers.get("Authorization"),
        json=body,
        files=files,
        description=description,
    )
