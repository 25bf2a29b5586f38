"""What the stand-in Slack lets a token hear and look up, by its scopes.

Documented, on the page of each event: of conversations of a kind only who may look such ones up
hears, and of people who may look people up. What is about the app itself needs no scope.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stand_in_slack_channels import DIRECT, GROUP, PRIVATE, PUBLIC, Channel

if TYPE_CHECKING:
    from stand_in_slack_world import Json

READS = {
    PUBLIC: "channels:read", PRIVATE: "groups:read", DIRECT: "im:read", GROUP: "mpim:read",
}  # fmt: skip
"""What it takes to know of a conversation, by its kind."""

_FREE = {"app_home_opened", "app_uninstalled", "tokens_revoked"}
_OWN = {"app_mention": "app_mentions:read", "team_rename": "team:read", "user_change": "users:read"}
_OF_ANY_KIND = {"channel_id_changed", "member_joined_channel"}


def scope_to_hear(event: Json, channel: Channel | None) -> str | None:
    """None: everybody may. Of an event that is not known here it has to be looked up first."""
    kind = str(event["type"])
    if kind in _FREE:
        return None
    if kind in _OWN:
        return _OWN[kind]
    if kind in _OF_ANY_KIND:
        assert channel is not None, f"{kind} is of a conversation"
        return READS[channel.kind]
    family = {"channel": PUBLIC, "group": PRIVATE}.get(kind.partition("_")[0])
    assert family is not None, f"nobody has looked up which scope {kind} needs"
    return READS[family]
