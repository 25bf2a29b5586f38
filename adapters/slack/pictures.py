"""Pictures that Slack holds: each uploaded once to a workspace, and then shown by its id."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from adapters.slack.client import Client, Done
from adapters.slack.workspaces import Workspace
from bot.messages import Picture
from bot.ports import Clock
from bot.sharing import Shared

_MOST = 5_000
_SETTLES = timedelta(seconds=10)
_NONE_FOR = timedelta(minutes=10)
_FAILED_FOR = timedelta(minutes=1)

_Key = tuple[str, str, int]
"""The workspace, the picture's path, and when the file was last changed."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Uploaded:
    """The id of a file; None until then, if it could not be uploaded."""

    id: str | None
    until: datetime | None = None


class Pictures:
    """A picture that cannot be uploaded is told in words, and so are all where none is shown."""

    def __init__(self, client: Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._uploaded_at: dict[str, datetime] = {}
        self._none_until: dict[str, datetime] = {}
        self._known: OrderedDict[_Key, _Uploaded] = OrderedDict()
        self._uploading: Shared[_Key, str | None] = Shared()

    async def files(self, pictures: Iterable[Picture], workspace: Workspace) -> Mapping[str, str]:
        """The ids of those that Slack holds by now, by their paths."""
        found: dict[str, str] = {}
        until = self._none_until.get(workspace.id)
        if until is not None and self._clock.now() < until:
            return found
        for picture in pictures:
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
        for key in [key for key in self._known if key[0] == workspace.id]:
            del self._known[key]

    async def _id(self, picture: Picture, workspace: Workspace) -> str | None:
        changed = _changed(picture.path)
        if changed is None:
            return None
        key = (workspace.id, picture.path, changed)
        known = self._known.get(key)
        if known is not None and (known.until is None or self._clock.now() < known.until):
            return known.id
        return await self._uploading.get(
            key, lambda: self._upload(picture, workspace), lambda id: self._keep(key, id)
        )

    def _keep(self, key: _Key, id: str | None) -> None:
        now = self._clock.now()
        if id is not None:
            self._uploaded_at[key[0]] = now
        self._known[key] = _Uploaded(id, None if id is not None else now + _FAILED_FOR)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)

    async def _upload(self, picture: Picture, workspace: Workspace) -> str | None:
        path = Path(picture.path)
        try:
            content = await asyncio.to_thread(path.read_bytes)
        except OSError as error:
            _log.warning("a picture cannot be read: %s", error)
            return None
        asked = {
            "filename": path.name,
            "length": len(content),
            "alt_txt": picture.alt[:1000] or None,
        }
        place = await self._call("files.getUploadURLExternal", asked, workspace)
        if place is None or not await self._client.upload(str(place["upload_url"]), content):
            return None
        id = str(place["file_id"])
        # In no channel: it is seen only where a message shows it.
        named = {"files": [{"id": id, "title": path.name}]}
        done = await self._call("files.completeUploadExternal", named, workspace)
        return None if done is None else id

    async def _call(
        self, method: str, body: Mapping[str, object], workspace: Workspace
    ) -> Mapping[str, object] | None:
        answer = await self._client.call(method, body, token=workspace.token, of=workspace.id)
        if isinstance(answer, Done):
            return answer.data
        _log.warning("a picture was not uploaded: %s", answer)
        return None


def _changed(path: str) -> int | None:
    """When a picture was last changed; None where there is none."""
    try:
        return Path(path).stat().st_mtime_ns
    except OSError as error:
        _log.warning("a picture cannot be read: %s", error)
        return None
