"""What the stand-in Slack's Web API tells: who the bot is, people, conversations; and sockets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stand_in_slack_api import Call, Method, Refused
from stand_in_slack_chat import place
from stand_in_slack_scopes import READS
from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_people import Person
    from stand_in_slack_workspaces import Workspace

EXCHANGED_AT_ONCE = 400


def auth_test(call: Call) -> Json:
    workspace = call.workspace
    told: Json = {
        "url": f"https://{workspace.domain}.slack.com/",
        "team": workspace.name,
        "user": "quizbot",
        "team_id": workspace.id,
        "user_id": workspace.bot_user_id,
        "bot_id": workspace.bot_id,
        "is_enterprise_install": call.installation.is_org_wide,
    }
    if workspace.enterprise:
        told["enterprise_id"] = workspace.enterprise.id
    call.headers["x-oauth-scopes"] = ",".join(sorted(call.installation.scopes))
    return told


def connections_open(call: Call) -> Json:
    if call.token != call.world.app_token:
        raise Refused("invalid_auth" if call.token else "not_authed")
    return {"url": call.sockets.ticket()}


def users_info(call: Call) -> Json:
    workspace = call.needs("users:read")
    id = call.text("user")
    person = _in(workspace, id) or call.world.people.get(id)
    if person is None:
        raise Refused("user_not_found")
    is_member = person in workspace.people
    known = is_member or any(
        person.workspace in channel.workspaces for channel in workspace.channels
    )
    if not known:
        raise Refused("user_not_visible")
    user = user_payload(person)
    if not is_member:
        user |= {"is_stranger": True, "is_admin": False, "is_owner": False}
    if call.flag("include_locale"):
        user["locale"] = person.locale
    return {"user": user}


def user_payload(person: Person) -> Json:
    return {
        "id": person.id,
        "team_id": person.workspace.id,
        "name": person.handle,
        "deleted": False,
        "real_name": person.name,
        "tz": "Europe/Paris",
        "profile": {
            "real_name": person.name,
            "display_name": person.name,
            "real_name_normalized": person.name,
            "display_name_normalized": person.name,
            "team": person.workspace.id,
        },
        "is_admin": person.is_admin,
        "is_owner": person.is_owner,
        "is_primary_owner": False,
        "is_restricted": person.is_guest,
        "is_ultra_restricted": False,
        "is_bot": False,
        "is_app_user": False,
        **_of_organisation(person),
    }


def _of_organisation(person: Person) -> Json:
    """Documented: what is told of who belongs to one; its `id` is the global one (assumed)."""
    enterprise = person.workspace.enterprise
    if enterprise is None:
        return {}
    told = {
        "id": person.global_id,
        "enterprise_id": enterprise.id,
        "enterprise_name": enterprise.name,
        "is_admin": False,
        "is_owner": False,
        "is_primary_owner": False,
        "teams": [one.id for one in enterprise.workspaces if _in(one, person.global_id)],
    }
    return {"enterprise_user": told}


def _in(workspace: Workspace, id: str) -> Person | None:
    """Who is called so there, by either id."""
    return next((one for one in workspace.people if id in (one.global_id, one.local_id)), None)


def migration_exchange(call: Call) -> Json:
    """Documented: `team_id` is looked at where the token is an organisation's, where it is needed.

    Who was there before the workspace came into the organisation has a local id as well; of
    somebody else the global one stands on both sides. No scope has to be asked for.
    """
    workspace = call.workspace
    if call.installation.is_org_wide and workspace.id != call.text("team_id"):
        raise Refused("team_not_found")
    if workspace.enterprise is None:
        raise Refused("not_enterprise_team")
    users = call.text("users").split(",")
    if len(users) > EXCHANGED_AT_ONCE:
        raise Refused("too_many_users")
    there = {user: person for user in users if (person := _in(workspace, user)) is not None}
    told: Json = {"team_id": workspace.id, "enterprise_id": workspace.enterprise.id}
    told["user_id_map"] = {
        user: person.local_id if call.flag("to_old") else person.global_id
        for user, person in there.items()
    }
    if len(there) < len(users):
        told["invalid_user_ids"] = [user for user in users if user not in there]
    return told


def conversations_info(call: Call) -> Json:
    workspace = call.needs(*_reading(call))
    channel = place(call, workspace)
    told = channel.payload() | {"is_member": workspace in channel.bots}
    if call.flag("include_num_members"):
        told["num_members"] = len(channel.members)
    return {"channel": told}


def conversations_open(call: Call) -> Json:
    ids = call.text("users").split(",")
    workspace = call.needs("im:write" if len(ids) == 1 else "mpim:write")
    people = [call.world.people.get(one.strip()) for one in ids]
    found = [one for one in people if one is not None]
    if len(found) != len(people):
        raise Refused("user_not_found")
    channel = (
        workspace.direct(found[0]) if len(found) == 1 else workspace.group(*found, with_bot=True)
    )
    return {"channel": {"id": channel.id}}


def _reading(call: Call) -> tuple[str, ...]:
    """Documented: each kind of conversation has a scope of its own."""
    channel = call.world.channels.get(call.text("channel"))
    return tuple(READS.values()) if channel is None else (READS[channel.kind],)


def conversations_members(call: Call) -> Json:
    workspace = call.needs(*_reading(call))
    channel = place(call, workspace)
    ids = sorted(one.id for one in channel.members)
    ids += sorted(one.bot_user_id for one in channel.bots)
    return {"members": ids, "response_metadata": {"next_cursor": ""}}


METHODS: dict[str, Method] = {
    "auth.test": auth_test,
    "apps.connections.open": connections_open,
    "users.info": users_info,
    "migration.exchange": migration_exchange,
    "conversations.info": conversations_info,
    "conversations.open": conversations_open,
    "conversations.members": conversations_members,
}
