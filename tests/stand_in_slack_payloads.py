"""The payloads of commands and interactions, as Slack sends them.

Documented (docs.slack.dev, slash commands and interaction payloads): all keys here but those said
to be assumed. A command's body is a form over HTTP, so all its values are strings there, also
`is_enterprise_install`; over a socket it is the same as an object (assumed: also strings).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stand_in_slack_messages import Message
from stand_in_slack_response_urls import ResponseUrl
from stand_in_slack_state import state_of
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
    org_wide = workspace.app.is_org_wide
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
        "is_enterprise_install": str(org_wide).lower(),
    }
    if enterprise:
        payload |= {"enterprise_id": enterprise.id, "enterprise_name": enterprise.name}
    return payload


def message_action(
    person: Person, message: Message, url: ResponseUrl, workspace: Workspace, action: Json
) -> Json:
    """A press or choice in a message. An ephemeral one does not come along."""
    channel = message.channel
    payload = {
        **_interaction(person, workspace, "block_actions"),
        "container": _container(message),
        "channel": {"id": channel.id, "name": channel.said_name},
        "state": state_of(message),
        "response_url": url.url,
        "actions": [action],
    }
    if not message.is_private:
        payload["message"] = message.payload()
    return payload


def view_action(person: Person, view: View, workspace: Workspace, action: Json) -> Json:
    return {
        **_interaction(person, workspace, "block_actions", from_view=True),
        "container": {"type": "view", "view_id": view.id},
        "view": view.payload(),
        "actions": [action],
    }


def submission(person: Person, view: View, workspace: Workspace) -> Json:
    return {
        **_interaction(person, workspace, "view_submission", from_view=True),
        "view": view.payload(),
        "response_urls": [],
    }


def closing(person: Person, view: View, workspace: Workspace, *, cleared: bool) -> Json:
    return {
        **_interaction(person, workspace, "view_closed", from_view=True),
        "view": view.payload(),
        "is_cleared": cleared,
    }


def suggestion(
    person: Person, workspace: Workspace, element: Json, typed: str, on: Message | View
) -> Json:
    """What somebody has typed into a select whose options the bot brings."""
    if isinstance(on, View):
        where: Json = {"container": {"type": "view", "view_id": on.id}, "view": on.payload()}
    else:
        where = {
            "container": _container(on),
            "channel": {"id": on.channel.id, "name": on.channel.said_name},
        }
    return {
        **_interaction(person, workspace, "block_suggestion", from_view=isinstance(on, View)),
        "action_id": element["action_id"],
        "block_id": element["_block"],
        "value": typed,
        **where,
    }


def _container(message: Message) -> Json:
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": message.channel.id,
        "is_ephemeral": message.is_private,
    }
    return container | ({"thread_ts": message.thread_ts} if message.thread_ts else {})


def _interaction(
    person: Person, workspace: Workspace, kind: str, *, from_view: bool = False
) -> Json:
    """`user.team_id` is the person's own team.

    `team` is the installation's for a message (seen by others with guests of Slack Connect), the
    person's own for a view, whose `app_installed_team_id` then tells the installation's. Where the
    app is installed for a whole organisation, a view's `team` is null (both told by Bolt's source).
    """
    enterprise, org_wide = workspace.enterprise, workspace.app.is_org_wide
    seen_from = person.workspace if from_view else workspace
    team: Json = {"id": seen_from.id, "domain": seen_from.domain}
    if seen_from.enterprise:
        team["enterprise_id"] = seen_from.enterprise.id
        team["enterprise_name"] = seen_from.enterprise.name
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
        "team": None if org_wide and from_view else team,
        "enterprise": {"id": enterprise.id, "name": enterprise.name} if enterprise else None,
        "is_enterprise_install": org_wide,
    }
