"""What Slack refuses in a message or a view, and what quizbot must not send besides."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stand_in_slack_world import Json, World


def refusal_of_message(world: World, payload: Json, *, where: str) -> str:
    """The error that Slack answers, or nothing."""
    if not payload.get("text") and not payload.get("blocks"):
        return "no_text"
    return ""


def refusal_of_view(world: World, view: Json) -> str:
    return ""
