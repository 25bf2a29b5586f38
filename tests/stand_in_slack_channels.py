"""Channels of the stand-in Slack, and who is in them."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from stand_in_slack_messages import Message
from stand_in_slack_world import Json, Watched

if TYPE_CHECKING:
    from stand_in_slack_people import Person
    from stand_in_slack_workspaces import Workspace

PUBLIC, PRIVATE, DIRECT, GROUP = "public", "private", "im", "mpim"
PREFIXES = {PUBLIC: "C", PRIVATE: "C", DIRECT: "D", GROUP: "C"}
# What a slash command and an interaction say instead of a name. "directmessage" and
# "privategroup" are documented by Slack's examples, the mpdm name by its API's answers.
SAID = {DIRECT: "directmessage", PRIVATE: "privategroup"}


class Channel(Watched):
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
        super().__init__()
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
        """With ephemerals and what was deleted."""
        self._posted: dict[str, Message] = {}
        self.pinned: list[str] = []
        self.world.channels[self.id] = self

    @property
    def messages(self) -> list[Message]:
        """What everybody sees, the oldest first, threads included."""
        return [one for one in self._posted.values() if not one.deleted]

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

    def add(self, message: Message) -> None:
        """It comes up for everybody, or for the person whom it is for."""
        self.all.append(message)
        if message.for_person is None:
            self._posted[message.ts] = message
            self.tell()
        else:
            message.for_person.received.append(message)
            message.for_person.tell()
        self.world.tell()

    def since(self, number: int) -> list[Message]:
        """What was posted for everybody after that, the oldest first."""
        new = takewhile(lambda one: one.number > number, reversed(self._posted.values()))
        return [one for one in new if not one.deleted][::-1]

    def lose(self, person: Person) -> None:
        """A client is reloaded: what only that person saw is gone."""
        self.all = [one for one in self.all if one.for_person is not person]

    def find(self, ts: str) -> Message | None:
        return self._posted.get(ts)

    def seen_by(self, person: Person) -> list[Message]:
        """All that this person sees here, with what only they see."""
        return [one for one in self.all if not one.deleted and one.for_person in (None, person)]

    def has(self, person: Person) -> bool:
        """Whether the person can look in here."""
        if person in self.members:
            return True
        return self.kind == PUBLIC and person in self.workspace.people and not person.is_guest

    def joins(self, person: Person, inviter: Person | None = None) -> None:
        """Somebody comes in, by themselves or invited."""
        self.members.add(person)
        self._joined(person.id, person.workspace.id, inviter)

    def invites_bot(self, inviter: Person, workspace: Workspace | None = None) -> None:
        """Somebody invites the bot; a private channel is unknown to it before that."""
        installed = workspace or self.workspace
        self.bots.add(installed)
        self._joined(installed.bot_user_id, installed.id, inviter)

    def removes_bot(self, actor: Person) -> None:
        """Somebody takes the bot out; it hears of it, and no more of a private channel."""
        event = {"type": f"{self._family}_left", "channel": self.id, "actor_id": actor.id}
        for installed in list(self.bots):
            installed.event(event, self)
        self.bots.clear()

    def archive(self, actor: Person) -> None:
        self.archived = True
        self._tell({"type": f"{self._family}_archive", "channel": self.id, "user": actor.id})

    def unarchive(self, actor: Person) -> None:
        self.archived = False
        self._tell({"type": f"{self._family}_unarchive", "channel": self.id, "user": actor.id})

    def is_shared_outside(self, *, is_told: bool = True) -> Json:
        """Somebody begins to share a private channel: it gets another id, for good.

        The bot hears of it, or will when the test sends what this returns.
        """
        before, self.id = self.id, self.world.new_id("C")
        del self.world.channels[before]
        self.world.channels[self.id] = self
        event = {
            "type": "channel_id_changed", "old_channel_id": before, "new_channel_id": self.id
        }  # fmt: skip
        if is_told:
            self._tell(event)
        return event

    def delete(self) -> None:
        self.deleted = True
        self._tell({"type": f"{self._family}_deleted", "channel": self.id})

    @property
    def _family(self) -> str:
        """Documented: of private channels the events are called `group_…`."""
        return "channel" if self.kind == PUBLIC else "group"

    def _joined(self, user: str, team: str, inviter: Person | None) -> None:
        event = {
            "type": "member_joined_channel",
            "user": user,
            "channel": self.id,
            "channel_type": "C" if self.kind == PUBLIC else "G",
            "team": team,
        }
        if inviter is not None:
            event["inviter"] = inviter.id
        self._tell(event)

    def _tell(self, event: Json) -> None:
        """Of a private channel only the bots in it hear."""
        for one in self.workspaces:
            if one.is_installed and (self.kind == PUBLIC or one in self.bots):
                one.event(event, self)

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
