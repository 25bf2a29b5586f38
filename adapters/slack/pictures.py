"""Pictures that Slack holds: each uploaded once to a workspace, and then shown by its id."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from pathlib import Path

from adapters.slack.client import Client, Done
from adapters.slack.workspaces import Workspace
from bot.messages import Picture

_MOST = 5_000

_log = logging.getLogger(__name__)


class Pictures:
    """A picture that cannot be uploaded is told in words."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._ids: OrderedDict[tuple[str, str, int], str] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()

    async def files(self, pictures: Iterable[Picture], workspace: Workspace) -> Mapping[str, str]:
        """The ids of those that Slack holds by now, by their paths."""
        found: dict[str, str] = {}
        for picture in pictures:
            async with self._one_at_a_time:
                id = await self._id(picture, workspace)
            if id is not None:
                found[picture.path] = id
        return found

    def forget(self, workspace: Workspace) -> None:
        """Slack refused a message with pictures: somebody may have deleted them there."""
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
