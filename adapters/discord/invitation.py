"""The link by which an admin adds the bot to a server."""

from __future__ import annotations

from collections.abc import Sequence

import discord

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    embed_links=True,
    attach_files=True,
    create_public_threads=True,
    send_messages_in_threads=True,
)
"""All that is asked for."""


def invite(application: int) -> str:
    scopes: Sequence[str] = ("bot", "applications.commands")
    return discord.utils.oauth_url(application, permissions=PERMISSIONS, scopes=scopes)
