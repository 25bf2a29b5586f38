"""Answers an interaction: with the reply itself, or first with "thinking" and then with the reply.

What Discord says to a reply that came too late or twice is known, logged, and nothing worse: the
answer is stored by then, and whoever missed it can ask again.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import timedelta

import aiohttp
import discord

from adapters.discord import forms, ready
from adapters.discord.markup import cut, escaped
from adapters.discord.views import Modal, View
from bot.messages import Form, Message, Reply, plain_text

# The token of an interaction is good for 15 minutes; a minute is left for the way.
TOKEN_LASTS = timedelta(minutes=14)

_UNKNOWN_INTERACTION, _ALREADY_ACKNOWLEDGED = 10062, 40060
_KNOWN = {
    _UNKNOWN_INTERACTION: "it came too late",
    _ALREADY_ACKNOWLEDGED: "it was answered before",
    10015: "its time was over",
    50027: "its time was over",
}

_TEXT = 10

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Deferred:
    """An interaction that was told to wait; `updates`: the pressed message can be replaced."""

    interaction: discord.Interaction
    updates: bool
    known: bool


async def answer(interaction: discord.Interaction, reply: Reply) -> None:
    """The reply as the acknowledgement, in one request."""
    if isinstance(reply, Form):
        # Discord opens no form from a form.
        if interaction.type is not discord.InteractionType.modal_submit:
            modal = Modal(forms.modal(reply, _groups_of(interaction)))
            if await _told(interaction, interaction.response.send_modal(modal)):
                return
        reply = forms.as_message(reply)
    made = await ready.told(reply)
    if reply.replaces and is_on_ephemeral(interaction):
        sending: Awaitable[object] = interaction.response.edit_message(
            view=made.view, attachments=made.files
        )
    else:
        sending = _send(interaction, made)
    if not await _told(interaction, sending):
        await _told(interaction, _send_plainly(interaction, _plain_words(reply)))


async def defer(interaction: discord.Interaction) -> Deferred:
    """Tell the person that the reply takes a moment."""
    updates = is_on_ephemeral(interaction)
    # Where a private message was pressed, it may be replaced by the reply.
    thinking = not updates
    known = await _told(interaction, interaction.response.defer(ephemeral=True, thinking=thinking))
    return Deferred(interaction, updates, known)


async def follow_up(deferred: Deferred, reply: Reply, took: timedelta) -> None:
    """The reply to an interaction that was told to wait, `took` after it was received."""
    if took > TOKEN_LASTS:
        _log.info("a reply took too long to be told")
        return
    if isinstance(reply, Form):
        reply = forms.as_message(reply)
    made = await ready.told(reply)
    if not await _told(deferred.interaction, _follow(deferred, reply, made)):
        # Else "thinking" would stand there for ever.
        await _told(deferred.interaction, _follow(deferred, reply, _plainly(reply)))


async def answer_plainly(interaction: discord.Interaction, reply: Message) -> None:
    """The words alone, where the reply itself could not be drawn."""
    waits = discord.InteractionResponseType.deferred_channel_message
    if not interaction.response.is_done():
        sending = _send_plainly(interaction, _plain_words(reply))
    elif interaction.response.type is waits:
        sending = interaction.edit_original_response(view=_plainly(reply).view)
    else:
        sending = interaction.followup.send(_plain_words(reply), ephemeral=True, wait=True)
    await _told(interaction, sending)


def is_on_ephemeral(interaction: discord.Interaction) -> bool:
    message = interaction.message
    return message is not None and message.flags.ephemeral


def _follow(deferred: Deferred, reply: Message, made: ready.Ready) -> Awaitable[object]:
    interaction = deferred.interaction
    if deferred.updates and not reply.replaces:
        return interaction.followup.send(
            view=made.view, files=made.files, ephemeral=True, wait=True
        )
    # An edit, unlike a new message, may be sent twice.
    return interaction.edit_original_response(view=made.view, attachments=made.files)


def _send(interaction: discord.Interaction, made: ready.Ready) -> Awaitable[object]:
    send = interaction.response.send_message
    if not made.files:
        return send(view=made.view, ephemeral=True)
    return send(view=made.view, files=made.files, ephemeral=True)


async def _told(interaction: discord.Interaction, sending: Awaitable[object]) -> bool:
    """False only where Discord refused what was sent, and may take something else."""
    try:
        await sending
    except discord.InteractionResponded:
        _log.info("interaction %s had been answered", interaction.id)
    except discord.HTTPException as error:
        known = _KNOWN.get(error.code)
        if known is not None or error.status >= 500 or error.status == 429:
            _log.info("interaction %s was not told: %s", interaction.id, known or error)
            return True
        _log.error("Discord refused the reply to interaction %s", interaction.id, exc_info=error)
        return False
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        _log.warning("interaction %s may not have been told: %s", interaction.id, error)
    return True


def _send_plainly(interaction: discord.Interaction, text: str) -> Awaitable[object]:
    return interaction.response.send_message(text, ephemeral=True)


def _plain_words(reply: Message) -> str:
    """The reply without anything that Discord could refuse; better than no word at all."""
    return cut(escaped(plain_text(reply)), 1900) or "…"


def _plainly(reply: Message) -> ready.Ready:
    """The same as a view, which is all that may stand where a view stood."""
    return ready.Ready(View([{"type": _TEXT, "content": _plain_words(reply)}]), [])


def _groups_of(interaction: discord.Interaction) -> forms.IsGroup:
    guild = interaction.guild
    roles = {str(role.id) for role in guild.roles} if guild is not None else set()
    return roles.__contains__
