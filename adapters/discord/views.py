"""Components and modals for discord.py to send, which it neither builds, checks nor remembers."""

from __future__ import annotations

from typing import Any

import discord

NOBODY = discord.AllowedMentions.none()
"""Said with every message: nothing in it calls anybody."""


class View(discord.ui.LayoutView):
    """Finished before it is sent: discord.py keeps what is not, and would take its presses."""

    def __init__(self, components: list[dict[str, Any]]) -> None:
        super().__init__(timeout=None)
        self._drawn = components

    def to_components(self) -> list[dict[str, Any]]:
        return self._drawn

    def has_components_v2(self) -> bool:
        return True

    def is_finished(self) -> bool:
        return True

    def is_dispatchable(self) -> bool:
        return False


class Modal(discord.ui.Modal):
    """The same for a form."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(title=data["title"], custom_id=data["custom_id"])
        self._drawn = data

    def to_dict(self) -> dict[str, Any]:
        return self._drawn

    def is_finished(self) -> bool:
        return True
