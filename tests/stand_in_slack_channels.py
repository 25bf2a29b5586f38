"""Channels of the stand-in Slack, and who is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stand_in_slack_messages import Message
from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_people import Person
    from stand_in_slack_workspaces import Workspace

PUBLIC, PRIVATE, DIRECT, GROUP = "public", "private", "im", "mpim"
PREFIXES = {PUBLIC: "C", PRIVATE: "C", DIRECT: "D", GROUP: "C"}
# What a slash command and an interaction say instead of a name. "directmessage" and
# "privategroup" are documented by Slack's examples, the mpdm name by its API's answers.
SAID = {DIRECT: "directmessage", PRIVATE: "privategroup"}


class Channel:
    """Where people write. `shared_with` are the other workspaces of a Slack Connect channel."""

    def __init__(
        self,
        workspace: Workspace,
        name: str,
        kind: str = PUBLIC,
        *,
        creator: Person | None = None,
        shared_with: tuple[Workspace, ...] = (),
    ) -> None:
        self.workspace = workspace
        self.world = workspace.world
        self.id = self.world.new_id(PREFIXES[kind])
        self.name = name
        self.kind = kind
        self.creator = creator
        self.shared_with = shared_with
        self.members: set[Person] = {creator} if creator else set()
        self.bots: set[Workspace] = set()
        """The workspaces whose bot is a member."""
        self.archived = False
        self.deleted = False
        self.all: list[Message] = []
        self.pinned: list[str] = []
        self.world.channels[self.id] = self

    @property
    def messages(self) -> list[Message]:
        """What everybody sees, the oldest first, threads included."""
        return [one for one in self.all if not one.deleted and not one.is_private]

    @property
    def main(self) -> list[Message]:
        """What stands in the channel itself: no replies in threads but those sent to both."""
        return [one for one in self.messages if one.thread_ts in (None, one.ts) or one.broadcast]

    @property
    def last(self) -> Message:
        assert self.messages, f"nothing was written in {self.name}"
        return self.messages[-1]

    @property
    def said_name(self) -> str:
        """As commands and interactions call it."""
        return SAID.get(self.kind, self.name)

    @property
    def workspaces(self) -> tuple[Workspace, ...]:
        return (self.workspace, *self.shared_with)

    def find(self, ts: str) -> Message | None:
        return next((one for one in self.all if one.ts == ts and not one.is_private), None)

    def seen_by(self, person: Person) -> list[Message]:
        """All that this person sees here, with what only they see."""
        return [one for one in self.all if not one.deleted and one.for_person in (None, person)]

    def has(self, person: Person) -> bool:
        """Whether the person can look in here."""
        if person in self.members:
            return True
        return self.kind == PUBLIC and person.workspace is self.workspace and not person.is_guest

    def archive(self) -> None:
        self.archived = True
        self.workspace.event({"type": "channel_archive", "channel": self.id})

    def payload(self) -> Json:
        """As `conversations.info` has it."""
        shared = bool(self.shared_with)
        payload: Json = {
            "id": self.id,
            "created": 1_700_000_000,
            "is_archived": self.archived,
            "is_im": self.kind == DIRECT,
            "is_mpim": self.kind == GROUP,
            "is_org_shared": False,
            "context_team_id": self.workspace.id,
        }
        if self.kind == DIRECT:
            other = next(iter(self.members), None)
            return payload | {"user": other.id if other else "", "is_user_deleted": False}
        return payload | {
            "name": self.name,
            "name_normalized": self.name,
            "is_channel": self.kind == PUBLIC,
            "is_group": self.kind == PRIVATE,
            "is_private": self.kind != PUBLIC,
            "is_general": False,
            "is_shared": shared,
            "is_ext_shared": shared,
            "creator": self.creator.id if self.creator else "USLACKBOT",
            "shared_team_ids": [one.id for one in self.workspaces],
            "topic": {"value": "", "creator": "", "last_set": 0},
            "purpose": {"value": "", "creator": "", "last_set": 0},
        }
