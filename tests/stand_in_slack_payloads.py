"""The payloads of commands and interactions, as Slack sends them.

Documented (docs.slack.dev, slash commands and interaction payloads): all keys here but those said
to be assumed. A command's body is a form over HTTP, so all its values are strings there, also
`is_enterprise_install`; over a socket it is the same as an object (assumed: also strings).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stand_in_slack_messages import Message
from stand_in_slack_response_urls import ResponseUrl
from stand_in_slack_views import View
from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_channels import Channel
    from stand_in_slack_people import Person
    from stand_in_slack_workspaces import Workspace

VERIFICATION = "stand-in-verification"


def command_payload(
    person: Person, channel: Channel, workspace: Workspace, command: str, text: str
) -> Json:
    enterprise = workspace.enterprise
    payload: Json = {
        "token": VERIFICATION,
        "team_id": person.workspace.id,
        "team_domain": person.workspace.domain,
        "channel_id": channel.id,
        "channel_name": channel.said_name,
        "user_id": person.id,
        "user_name": person.handle,
        "command": command,
        "text": text,
        "api_app_id": workspace.world.app_id,
        "is_enterprise_install": str(bool(enterprise and enterprise.is_installed)).lower(),
    }
    if enterprise:
        payload |= {"enterprise_id": enterprise.id, "enterprise_name": enterprise.name}
    return payload


def message_action(
    person: Person, message: Message, url: ResponseUrl, workspace: Workspace, action: Json
) -> Json:
    """A press or choice in a message. An ephemeral one does not come along."""
    channel = message.channel
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": message.is_private,
    }
    if message.thread_ts:
        container["thread_ts"] = message.thread_ts
    payload = {
        **_interaction(person, workspace, "block_actions"),
        "container": container,
        "channel": {"id": channel.id, "name": channel.said_name},
        "state": {"values": message.state},
        "response_url": url.url,
        "actions": [action],
    }
    if not message.is_private:
        payload["message"] = message.payload()
    return payload


def view_action(person: Person, view: View, workspace: Workspace, action: Json) -> Json:
    return {
        **_interaction(person, workspace, "block_actions"),
        "container": {"type": "view", "view_id": view.id},
        "view": view.payload(),
        "actions": [action],
    }


def submission(person: Person, view: View, workspace: Workspace) -> Json:
    return {
        **_interaction(person, workspace, "view_submission"),
        "view": view.payload(),
        "response_urls": [],
    }


def closing(person: Person, view: View, workspace: Workspace, *, cleared: bool) -> Json:
    return {
        **_interaction(person, workspace, "view_closed"),
        "view": view.payload(),
        "is_cleared": cleared,
    }


def suggestion(
    person: Person, workspace: Workspace, element: Json, typed: str, inside: Json
) -> Json:
    """What somebody has typed into a select whose options the bot brings."""
    return {
        **_interaction(person, workspace, "block_suggestion"),
        "action_id": element["action_id"],
        "block_id": element["_block"],
        "value": typed,
        **inside,
    }


def _interaction(person: Person, workspace: Workspace, kind: str) -> Json:
    """`team` is the workspace that the interaction comes from, `user.team_id` the person's own.

    With an installation for a whole organisation, `team` may be null (documented by Bolt's source).
    """
    enterprise = workspace.enterprise
    org_wide = bool(enterprise and enterprise.is_installed)
    team: Json = {"id": workspace.id, "domain": workspace.domain}
    if enterprise:
        team |= {"enterprise_id": enterprise.id, "enterprise_name": enterprise.name}
    return {
        "type": kind,
        "user": {
            "id": person.id,
            "username": person.handle,
            "name": person.handle,
            "team_id": person.workspace.id,
        },
        "api_app_id": workspace.world.app_id,
        "token": VERIFICATION,
        "team": None if org_wide and kind != "block_actions" else team,
        "enterprise": {"id": enterprise.id, "name": enterprise.name} if enterprise else None,
        "is_enterprise_install": org_wide,
    }
