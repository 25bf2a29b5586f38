"""Messages as discord.py sends them; what is told to many is drawn once."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

import discord

from adapters.discord import pictures, render
from adapters.discord.views import View
from bot.memory import Memory
from bot.messages import Message, Picture


@dataclass(frozen=True, slots=True)
class Ready:
    """A view that may be sent any number of times, and files that are for once."""

    view: View
    files: list[discord.File]


async def made(message: Message, *, with_pictures: bool = True) -> Ready:
    """A message; pictures that cannot be read are described."""
    drawn = render.message(message, pictures=with_pictures)
    contents = await pictures.read([file.path for file in drawn.files])
    if contents is None:
        return Ready(View(render.message(message, pictures=False).components), [])
    # From memory: discord.py leaves some files open.
    files = [
        discord.File(BytesIO(content), file.name, description=file.alt or None)
        for file, content in zip(drawn.files, contents, strict=True)
    ]
    return Ready(View(drawn.components), files)


async def told(reply: Message) -> Ready:
    """The same for a reply, which others may have been told in the same words."""
    if any(isinstance(block, Picture) for block in reply.blocks):
        return await made(reply)
    drawn = _DRAWN.get(id(reply), reply, lambda: _drawn(reply))
    return Ready(drawn.view, [])


@dataclass(frozen=True, slots=True)
class _Drawn:
    """`components` are those of the view: by them it is weighed."""

    view: View
    components: list[render.Component]


# By identity, since hashing a message takes longer than drawing it should. What is remembered is
# kept alive by that, so no other message can have its id.
_DRAWN: Memory[int, Message, _Drawn] = Memory(2_000, 16_000_000)


def _drawn(message: Message) -> _Drawn:
    components = render.message(message).components
    return _Drawn(View(components), components)
