"""Files of the stand-in Slack: the external upload in three calls, and when a picture is usable.

Documented: the three calls, that a `slack_file` must be an image of png, jpg, jpeg or gif. Assumed:
that a picture may not be usable at once after its upload (`files_take` uses fail first).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiohttp import web
from stand_in_slack_api import Call, Method, Refused
from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_world import World

IMAGES = (".png", ".jpg", ".jpeg", ".gif")


@dataclass(eq=False)
class File:
    id: str
    name: str
    length: int
    alt_text: str = ""
    title: str = ""
    content: bytes | None = None
    is_complete: bool = False
    channel: str | None = None
    left: int = 0
    """How many uses still fail."""

    @property
    def is_there(self) -> bool:
        """Whether a block may show it now; asking is a use."""
        if not self.is_complete or not self.name.lower().endswith(IMAGES):
            return False
        if self.left:
            self.left -= 1
            return False
        return True


def get_upload_url(call: Call) -> Json:
    call.needs("files:write")
    name, length = call.text("filename"), int(call.text("length"))
    file = File(call.world.new_id("F"), name, length, str(call.args.get("alt_txt", "")))
    file.left = call.world.files_take
    call.world.files[file.id] = file
    return {"upload_url": f"{call.world.base}/upload/{file.id}", "file_id": file.id}


def complete_upload(call: Call) -> Json:
    call.needs("files:write")
    given = call.args.get("files")
    if not isinstance(given, list) or not given:
        raise Refused("invalid_arguments")
    found = [call.world.files.get(str(one.get("id"))) for one in given]
    files = [one for one in found if one is not None]
    if len(files) < len(found) or any(one.content is None for one in files):
        raise Refused("file_not_found")
    for file, about in zip(files, given, strict=True):
        file.is_complete = True
        file.title = str(about.get("title", file.name))
        file.channel = call.args.get("channel_id")
    return {"files": [{"id": one.id, "title": one.title} for one in files]}


def files_info(call: Call) -> Json:
    call.needs("files:read")
    file = call.world.files.get(call.text("file"))
    if file is None or not file.is_complete:
        raise Refused("file_not_found")
    kind = file.name.rpartition(".")[2]
    return {
        "file": {
            "id": file.id,
            "name": file.name,
            "title": file.title,
            "mimetype": f"image/{kind}",
            "filetype": kind,
            "size": file.length,
            "alt_txt": file.alt_text,
        }
    }


async def take(world: World, http: web.Request) -> web.Response:
    """The address that the bytes are sent to."""
    file = world.files.get(http.match_info["id"])
    if file is None or file.is_complete:
        return web.Response(status=404)
    if http.content_type == "multipart/form-data":
        parts = [one for one in (await http.post()).values() if isinstance(one, web.FileField)]
        content = parts[0].file.read()
    else:
        content = await http.read()
    if len(content) != file.length:
        return web.Response(status=400, text="the length is not what was announced")
    file.content = content
    world.tell()
    return web.Response(text=f"OK - {len(content)}")


METHODS: dict[str, Method] = {
    "files.getUploadURLExternal": get_upload_url,
    "files.completeUploadExternal": complete_upload,
    "files.info": files_info,
}
