"""Replies as Slack takes them; what is told to many is drawn once."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.slack import render
from bot.memory import Memory
from bot.messages import Message, Picture


def told(reply: Message, files: Mapping[str, str]) -> list[render.Drawn]:
    """The pages of a reply, which others may have been told in the same words.

    `files` has the ids of the pictures that Slack holds, by their paths.
    """
    if any(isinstance(block, Picture) for block in reply.blocks):
        return render.message(reply, files)
    return _DRAWN.get(id(reply), reply, lambda: render.message(reply))


# By identity, since hashing a message takes longer than drawing it should. What is remembered is
# kept alive by that, so no other message can have its id.
_DRAWN: Memory[int, Message, list[render.Drawn]] = Memory(2_000, 16_000_000)
