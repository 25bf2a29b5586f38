"""Pictures that Slack holds: each uploaded once to a workspace, and then shown by its id."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from adapters.slack.client import Client, Done
from adapters.slack.workspaces import Workspace
from bot.messages import Picture
from bot.ports import Clock

_MOST = 5_000
_SETTLES = timedelta(seconds=10)
_NONE_FOR = timedelta(minutes=10)

_log = logging.getLogger(__name__)


class Pictures:
    """A picture that cannot be uploaded is told in words, and so are all where none is shown."""

    def __init__(self, client: Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._uploaded_at: dict[str, datetime] = {}
        self._none_until: dict[str, datetime] = {}
        self._ids: OrderedDict[tuple[str, str, int], str] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()

    async def files(self, pictures: Iterable[Picture], workspace: Workspace) -> Mapping[str, str]:
        """The ids of those that Slack holds by now, by their paths."""
        found: dict[str, str] = {}
        until = self._none_until.get(workspace.id)
        if until is not None and self._clock.now() < until:
            return found
        for picture in pictures:
            async with self._one_at_a_time:
                id = await self._id(picture, workspace)
            if id is not None:
                found[picture.path] = id
        return found

    def is_settling(self, workspace: Workspace) -> bool:
        """Whether one was uploaded so lately that Slack may not show it yet."""
        at = self._uploaded_at.get(workspace.id)
        return at is not None and self._clock.now() - at < _SETTLES

    def refused(self, workspace: Workspace) -> None:
        """Slack took no message with pictures: they may be deleted there, or not allowed."""
        self._none_until[workspace.id] = self._clock.now() + _NONE_FOR
        for key in [key for key in self._ids if key[0] == workspace.id]:
            del self._ids[key]

    async def _id(self, picture: Picture, workspace: Workspace) -> str | None:
        read = _read(picture.path)
        if read is None:
            return None
        stamp, content = read
        key = (workspace.id, picture.path, stamp)
        if key in self._ids:
            return self._ids[key]
        id = await self._upload(Path(picture.path).name, content, picture.alt, workspace)
        if id is not None:
            self._ids[key] = id
            self._uploaded_at[workspace.id] = self._clock.now()
            if len(self._ids) > _MOST:
                self._ids.popitem(last=False)
        return id

    async def _upload(
        self, name: str, content: bytes, alt: str, workspace: Workspace
    ) -> str | None:
        asked = {"filename": name, "length": len(content), "alt_txt": alt[:1000] or None}
        place = await self._call("files.getUploadURLExternal", asked, workspace)
        if place is None or not await self._client.upload(str(place["upload_url"]), content):
            return None
        id = str(place["file_id"])
        # In no channel: it is seen only where a message shows it.
        named = {"files": [{"id": id, "title": name}]}
        return (
            None
            if await self._call("files.completeUploadExternal", named, workspace) is None
            else id
        )

    async def _call(
        self, method: str, body: Mapping[str, object], workspace: Workspace
    ) -> Mapping[str, object] | None:
        answer = await self._client.call(method, body, token=workspace.token, of=workspace.id)
        if isinstance(answer, Done):
            return answer.data
        _log.warning("a picture was not uploaded: %s", answer)
        return None


def _read(path: str) -> tuple[int, bytes] | None:
    """When a picture was last changed, and what is in it."""
    file = Path(path)
    try:
        return file.stat().st_mtime_ns, file.read_bytes()
    except OSError as error:
        _log.warning("a picture cannot be read: %s", error)
        return None
