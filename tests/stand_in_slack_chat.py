"""`chat.*` and `pins.*` of the stand-in Slack's Web API."""

from __future__ import annotations

from typing import TYPE_CHECKING

import stand_in_slack_rules as rules
from stand_in_slack_api import Call, Method, Refused, messages
from stand_in_slack_channels import DIRECT, GROUP, PUBLIC, Channel
from stand_in_slack_messages import Message
from stand_in_slack_world import Json, instant

if TYPE_CHECKING:
    from stand_in_slack_workspaces import Workspace


def post_message(call: Call) -> Json:
    workspace = call.needs("chat:write")
    channel = writable(call, workspace)
    check(call, "chat.postMessage")
    args = call.args
    message = Message(
        channel,
        call.world.new_ts(),
        args.get("text") or "",
        args.get("blocks") or [],
        thread_ts=thread(channel, args.get("thread_ts")),
        by=workspace,
        broadcast=call.flag("reply_broadcast"),
        unfurls=args.get("unfurl_links") is not False or args.get("unfurl_media") is not False,
    )
    channel.add(message)
    return {"channel": channel.id, "ts": message.ts, "message": message.payload()}


def post_ephemeral(call: Call) -> Json:
    workspace = call.needs("chat:write")
    channel = writable(call, workspace, as_member=True)
    person = call.world.people.get(call.text("user"))
    if person is None or not channel.has(person):
        # Documented: `user_not_in_channel`.
        raise Refused("user_not_in_channel")
    check(call, "chat.postEphemeral")
    args = call.args
    message = Message(
        channel,
        call.world.new_ts(),
        args.get("text") or "",
        args.get("blocks") or [],
        thread_ts=args.get("thread_ts"),
        by=workspace,
        for_person=person,
    )
    # Documented: `ok` is no proof that it arrived.
    if person.can_see_ephemerals(channel):
        channel.add(message)
    return {"message_ts": message.ts}


def update(call: Call) -> Json:
    workspace = call.needs("chat:write")
    channel = place(call, workspace)
    message = theirs(call, channel, workspace, "cant_update_message")
    if channel.archived:
        raise Refused("is_inactive")
    window = workspace.edits_for
    if window is not None and call.world.now() - instant(message.ts) >= window:
        raise Refused("edit_window_closed")
    check(call, "chat.update")
    # Sources differ on blocks that are left out; they are kept here. quizbot sends both.
    blocks = call.args["blocks"] if call.args.get("blocks") is not None else message.blocks
    message.change(call.args.get("text") or "", blocks)
    return {
        "channel": channel.id,
        "ts": message.ts,
        "text": message.fallback,
        "message": message.payload(),
    }


def delete(call: Call) -> Json:
    workspace = call.needs("chat:write")
    channel = place(call, workspace)
    message = theirs(call, channel, workspace, "cant_delete_message")
    message.delete()
    return {"channel": channel.id, "ts": message.ts}


def permalink(call: Call) -> Json:
    workspace = call.workspace
    channel = place(call, workspace)
    message = channel.find(call.text("message_ts"))
    if message is None or message.deleted:
        raise Refused("message_not_found")
    domain = f"https://{workspace.domain}.slack.com"
    link = f"{domain}/archives/{channel.id}/p{message.ts.replace('.', '')}"
    return {"channel": channel.id, "permalink": link}


def pin(call: Call) -> Json:
    workspace = call.needs("pins:write")
    channel = writable(call, workspace)
    ts = call.text("timestamp")
    if channel.find(ts) is None:
        raise Refused("message_not_found")
    if ts in channel.pinned:
        raise Refused("already_pinned")
    channel.pinned.append(ts)
    return {}


def place(call: Call, workspace: Workspace, name: str = "channel") -> Channel:
    """The channel, if the bot may know of it."""
    channel = call.world.channels.get(call.text(name))
    if channel is None or channel.deleted or workspace not in channel.workspaces:
        raise Refused("channel_not_found")
    if channel.kind != PUBLIC and workspace not in channel.bots:
        raise Refused("channel_not_found")
    return channel


def writable(call: Call, workspace: Workspace, *, as_member: bool = False) -> Channel:
    """The channel, if the bot may write in it. A person's id stands for the direct messages.

    Assumed: `chat:write.public` does not help with ephemerals, for which it must be a member.
    """
    person = call.world.people.get(str(call.args.get("channel")))
    if person is not None:
        # Documented: a user id stands for the app's direct messages with that person.
        return workspace.direct(person)
    channel = place(call, workspace)
    if channel.archived:
        raise Refused("is_archived")
    is_there = workspace in channel.bots or channel.kind in (DIRECT, GROUP)
    if not is_there and (as_member or "chat:write.public" not in workspace.app.scopes):
        raise Refused("not_in_channel")
    return channel


def theirs(call: Call, channel: Channel, workspace: Workspace, error: str) -> Message:
    """A message of the bot's own. An ephemeral one is not found."""
    message = channel.find(call.text("ts"))
    if message is None or message.deleted:
        raise Refused("message_not_found")
    if message.by is None or message.by.app is not workspace.app:
        raise Refused(error)
    return message


def thread(channel: Channel, ts: str | None) -> str | None:
    """Documented: a reply's thread is its parent's `ts`. Assumed: an unknown one is refused."""
    if not ts:
        return None
    parent = channel.find(ts)
    if parent is None:
        raise Refused("thread_not_found")
    return parent.thread_ts or parent.ts


def check(call: Call, where: str) -> None:
    error, said = rules.refusal_of_message(call.world, call.args, where=where)
    if error:
        raise Refused(error, errors=said, response_metadata=messages(said))


METHODS: dict[str, Method] = {
    "chat.postMessage": post_message,
    "chat.postEphemeral": post_ephemeral,
    "chat.update": update,
    "chat.delete": delete,
    "chat.getPermalink": permalink,
    "pins.add": pin,
}
