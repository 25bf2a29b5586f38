"""Workspaces of the stand-in Slack, Grid's organisations, and how the bot is installed in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stand_in_slack_channels import DIRECT, GROUP, PRIVATE, PUBLIC, Channel
from stand_in_slack_deliveries import EVENTS, Delivery
from stand_in_slack_people import Person
from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_world import World

SCOPES = frozenset(
    {
        "app_mentions:read", "channels:read", "chat:write", "chat:write.public", "commands",
        "files:write", "groups:read", "im:history", "im:read", "im:write", "mpim:read",
        "mpim:write", "pins:write", "team:read", "users:read",
    }
)  # fmt: skip


class Enterprise:
    """An organisation of Enterprise Grid."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.id = world.new_id("E")
        self.name = name
        self.is_installed = False
        """Whether the bot is installed for the whole of it."""
        world.enterprises[self.id] = self


class Workspace:
    """A workspace with the bot in it, unless `installed` is false."""

    def __init__(
        self,
        world: World,
        name: str,
        *,
        enterprise: Enterprise | None = None,
        installed: bool = True,
        scopes: frozenset[str] = SCOPES,
    ) -> None:
        self.world = world
        self.id = world.new_id("T")
        self.name = name
        self.domain = name.lower().replace(" ", "-")
        self.enterprise = enterprise
        self.bot_user_id = world.new_id("U")
        self.bot_id = world.new_id("B")
        self.token = f"xoxb-stand-in-{self.id}"
        self.is_installed = installed
        self.scopes = set(scopes)
        self.people: list[Person] = []
        self.channels: list[Channel] = []
        self._direct: dict[Person, Channel] = {}
        world.workspaces[self.id] = self

    @property
    def general(self) -> Channel:
        """The channel that was made first."""
        return self.channels[0] if self.channels else self.channel("general")

    def person(
        self,
        name: str,
        *,
        locale: str = "en-US",
        admin: bool = False,
        owner: bool = False,
        guest: bool = False,
    ) -> Person:
        return Person(self, name, locale=locale, admin=admin, owner=owner, guest=guest)

    def channel(
        self,
        name: str,
        *,
        creator: Person | None = None,
        private: bool = False,
        with_bot: bool = True,
        shared_with: tuple[Workspace, ...] = (),
    ) -> Channel:
        """A channel; `with_bot=False`: nobody invited the bot."""
        kind = PRIVATE if private else PUBLIC
        channel = Channel(self, name, kind, creator=creator, shared_with=shared_with)
        if with_bot and self.is_installed:
            channel.bots.add(self)
        self.channels.append(channel)
        return channel

    def direct(self, person: Person) -> Channel:
        """The direct messages between the bot and a person."""
        if person not in self._direct:
            channel = Channel(self, person.name, DIRECT)
            channel.members.add(person)
            channel.bots.add(self)
            self._direct[person] = channel
        return self._direct[person]

    def group(self, *people: Person, with_bot: bool = False) -> Channel:
        """Direct messages between people: two of them, or a group; usually without the bot."""
        kind = DIRECT if len(people) == 2 and not with_bot else GROUP
        names = "--".join(one.handle for one in people)
        channel = Channel(self, f"mpdm-{names}-1" if kind == GROUP else "", kind)
        channel.members |= set(people)
        if with_bot:
            channel.bots.add(self)
        return channel

    def event(self, event: Json, *, at: str | None = None) -> Delivery:
        """Tell the bot of something that happened, as the Events API does."""
        world = self.world
        ts = at or world.new_ts()
        enterprise = self.enterprise.id if self.enterprise else None
        org_wide = bool(self.enterprise and self.enterprise.is_installed)
        payload: Json = {
            "token": "stand-in-verification",
            "team_id": self.id,
            "api_app_id": world.app_id,
            "event": {"event_ts": ts, **event},
            "type": "event_callback",
            "event_id": world.new_id("Ev"),
            "event_time": int(ts.split(".")[0]),
            "authorizations": [
                {
                    "enterprise_id": enterprise,
                    "team_id": None if org_wide else self.id,
                    "user_id": self.bot_user_id,
                    "is_bot": True,
                    "is_enterprise_install": org_wide,
                }
            ],
            "is_ext_shared_channel": False,
            "event_context": world.new_id("4-"),
        }
        if enterprise:
            payload["enterprise_id"] = enterprise
        delivery = Delivery(world, EVENTS, payload)
        world.deliver(delivery)
        return delivery
