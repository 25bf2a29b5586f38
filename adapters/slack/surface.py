"""Slack as the scheduler sees it: posts, edits, threads, and what came of them."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from adapters.slack import render
from adapters.slack.client import Answer, Client, Denied, Done, Limited, Lost
from adapters.slack.people import People
from adapters.slack.pictures import Pictures
from adapters.slack.read import PLATFORM, instant, is_direct
from adapters.slack.workspaces import Workspace, Workspaces
from bot.calls import Where, Who
from bot.messages import Message, buttons_of
from bot.ports import (
    Abilities,
    Access,
    Clock,
    Failed,
    Later,
    Posted,
    PostResult,
    Refused,
    Target,
    Unknown,
)

_SOON = 5.0
_PICTURES_TAKE = 2.0

# The bot is not there any more, or nobody can write there.
# An archived channel refuses new messages and changes under names of their own.
_ARCHIVED = {"is_archived", "is_inactive"}
_GONE = _ARCHIVED | {
    "channel_not_found", "not_in_channel", "account_inactive", "token_revoked",
    "team_not_found", "org_login_required",
}  # fmt: skip
# The channel is being handed to another workspace; it takes messages again afterwards.
_MIGRATING = "external_channel_migrating"
_UNSEEN = {"channel_not_found", "not_in_channel"}
_UNCHANGEABLE = {"edit_window_closed", "message_not_found", "cant_update_message"}
_NO_THREAD = {
    "thread_not_found",
    "message_not_found",
    "invalid_thread_ts",
    "cannot_reply_to_message",
}
_TOKEN_GONE = {"token_expired", "invalid_auth", "not_authed"}
_UNSHOWABLE = {"invalid_blocks", "invalid_blocks_format", "invalid_attachments"}

_log = logging.getLogger(__name__)


class SlackSurface:
    """Posts in the name of the bot; a workspace's token is asked for each time."""

    platform = PLATFORM
    abilities = Abilities(
        welcomes=True,
        threads=True,
        several_places=True,
        message_links=True,
        # Thirty a minute for live counts: a channel takes one message a second besides.
        edits_per_second=0.5,
        budget_of="community",
        asks_by_form=True,
        place_leaders=True,
        audiences=("here", "channel"),
        direct=True,
    )

    def __init__(
        self,
        client: Client,
        workspaces: Workspaces,
        people: People,
        pictures: Pictures,
        clock: Clock,
    ) -> None:
        self._client = client
        self._workspaces = workspaces
        self._people = people
        self._pictures = pictures
        self._clock = clock

    async def post(
        self, target: Target, message: Message, *, nonce: str, silent: bool
    ) -> PostResult:
        workspace = await self._workspaces.find([target.community])
        if workspace is None:
            return Refused("quizbot is not installed there", gone=True)
        place = await self._place(target, workspace)
        if not isinstance(place, str):
            return self._result(place, "", workspace)
        return await self._posted(place, message, workspace, thread=target.thread)

    async def edit(self, target: Target, posted: str, message: Message) -> PostResult:
        workspace = await self._workspaces.find([target.community])
        if workspace is None:
            return Refused("quizbot is not installed there", gone=True)
        place = await self._place(target, workspace)
        if not isinstance(place, str):
            return self._result(place, "", workspace)
        answer = await self._sent("chat.update", place, message, workspace, ts=posted)
        if isinstance(answer, Denied) and answer.error in _UNCHANGEABLE:
            if message.passing or _is_asking(message):
                # How many have answered is said with the answer.
                return Refused(answer.error)
            return await self._said_below(place, target.thread or posted, message, workspace)
        if isinstance(answer, Done):
            return Posted(posted, self._clock.now())
        # What may have been changed can be changed again.
        result = self._result(answer, place, workspace)
        return Failed(_SOON) if isinstance(result, Unknown) else result

    def link(self, target: Target, posted: str) -> str | None:
        address = self._workspaces.address(target.community)
        if address is None:
            return None
        link = f"{address}archives/{target.place}/p{posted.replace('.', '')}"
        return (
            link
            if target.thread is None
            else f"{link}?thread_ts={target.thread}&cid={target.place}"
        )

    async def pin(self, target: Target, posted: str, *, pinned: bool) -> bool:
        return False

    async def access(self, target: Target) -> Access | None:
        workspace = await self._workspaces.find([target.community])
        if workspace is None or not target.place.isalnum():
            return None
        if is_direct(target.place):
            return Access(alone=True)
        channel = await self._people.ask_channel(target.place, workspace)
        if channel.archived:
            return Access(archived=True, name=channel.name)
        if not channel.reached:
            invite = f"/invite @{workspace.bot_name}"
            return Access(outside=True, invite=invite, name=channel.name)
        return Access(name=channel.name)

    async def member(self, target: Target) -> Who | None:
        workspace = await self._workspaces.find([target.community])
        if workspace is None or target.person is None:
            return None
        user = target.person.rpartition(":")[2]
        await self._people.ask(user, workspace)
        await self._people.ask_channel(target.place, workspace)
        where = Where(PLATFORM, target.community, target.place)
        who = Who(PLATFORM, target.person, "", groups=frozenset({user}), named=False)
        return self._people.known(who, where, user, workspace)

    async def group_name(self, target: Target, group: str) -> str | None:
        # Whether a workspace lets its apps do so shows when it does.
        return group if group in self.abilities.audiences else None

    # --- sending -------------------------------------------------------------------------

    async def _posted(
        self, place: str, message: Message, workspace: Workspace, *, thread: str | None
    ) -> PostResult:
        answer = await self._sent("chat.postMessage", place, message, workspace, thread_ts=thread)
        if isinstance(answer, Done):
            ts = str(answer.data.get("ts") or "")
            return Posted(ts, instant(ts)) if ts else Unknown()
        return self._result(answer, place, workspace)

    async def _said_below(
        self, place: str, thread: str, message: Message, workspace: Workspace
    ) -> PostResult:
        """What can be changed no more is followed by what it should have become.

        From then on that is what is changed.
        """
        result: PostResult = Refused("")
        for below in (thread, None):
            answer = await self._sent(
                "chat.postMessage", place, message, workspace, thread_ts=below
            )
            if isinstance(answer, Done):
                return Posted(str(answer.data.get("ts") or ""), self._clock.now())
            result = self._result(answer, place, workspace)
            if not (isinstance(answer, Denied) and answer.error in _NO_THREAD):
                break
        return result

    async def _sent(
        self, method: str, place: str, message: Message, workspace: Workspace, **more: str | None
    ) -> Answer:
        """Once, and without pictures where it is they that Slack does not take.

        One that was just uploaded may only not be ready: then it is worth another try.
        """
        pictures = render.pictures(message)
        files = await self._pictures.files(pictures, workspace) if pictures else {}
        answer = await self._send(method, place, message, workspace, files, more)
        if files and isinstance(answer, Denied) and answer.error in _UNSHOWABLE:
            if self._pictures.is_settling(workspace):
                return Limited(_PICTURES_TAKE)
            self._pictures.refused(workspace)
            answer = await self._send(method, place, message, workspace, {}, more)
        return answer

    async def _send(
        self,
        method: str,
        place: str,
        message: Message,
        workspace: Workspace,
        files: Mapping[str, str],
        more: Mapping[str, str | None],
    ) -> Answer:
        drawn = render.on_one(message, files)
        # What an edit brings is never unfolded.
        literal = render.LITERAL if method == "chat.postMessage" else {}
        body: dict[str, Any] = {
            "channel": place, "text": drawn.text, "blocks": drawn.blocks, **literal, **more
        }  # fmt: skip
        return await self._client.call(method, body, token=workspace.token, of=workspace.id)

    async def _place(self, target: Target, workspace: Workspace) -> str | Answer:
        """Where that is: the direct messages with whom it is for, if it is for one person."""
        if target.person is None:
            return target.place
        user = target.person.rpartition(":")[2]
        answer = await self._client.call(
            "conversations.open", {"users": user}, token=workspace.token, of=workspace.id
        )
        if isinstance(answer, Done):
            return str((answer.data.get("channel") or {}).get("id") or "")
        return answer

    # --- what came of it -----------------------------------------------------------------

    def _result(self, answer: Answer, place: str, workspace: Workspace) -> PostResult:
        match answer:
            case Limited(seconds):
                return Later(max(1.0, seconds))
            case Lost(sent, why):
                if not sent:
                    return Later(_SOON)
                _log.warning("Slack may or may not have taken a message: %s", why)
                return Unknown()
            case Denied(error):
                if error in _UNSEEN:
                    self._people.unreached(place, workspace.id)
                if error == _MIGRATING:
                    return Later(_SOON)
                if error in _TOKEN_GONE:
                    return Failed(_SOON)
                if error in _UNSHOWABLE or error.startswith("msg_"):
                    _log.error("Slack refused a message: %s", error)
                return Refused(error, gone=error in _GONE, archived=error in _ARCHIVED)
            case _:
                return Unknown()


def _is_asking(message: Message) -> bool:
    """A question that stands open: what changes in it is a count."""
    return any(button.style == "answer" for button in buttons_of(message))
