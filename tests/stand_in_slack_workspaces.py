"""Workspaces of the stand-in Slack and Grid's organisations, and the bot's installations there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from stand_in_slack_channels import DIRECT, GROUP, PRIVATE, PUBLIC, Channel
from stand_in_slack_deliveries import EVENTS, Delivery
from stand_in_slack_installations import Installation
from stand_in_slack_people import Person
from stand_in_slack_scopes import scope_to_hear
from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_world import World

SCOPES = frozenset(
    {
        "app_mentions:read", "channels:read", "chat:write", "chat:write.public", "commands",
        "files:read", "files:write", "groups:read", "im:history", "im:read", "im:write",
        "mpim:read", "mpim:write", "pins:write", "team:read", "users:read",
    }
)  # fmt: skip


class Enterprise:
    """An organisation of Enterprise Grid."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.id = world.new_id("E")
        self.name = name
        self.installation: Installation | None = None
        world.enterprises[self.id] = self

    @property
    def is_installed(self) -> bool:
        """Whether the bot is installed for the whole of it."""
        return self.installation is not None and not self.installation.revoked

    def takes(self, workspace: Workspace, *, known: Mapping[Person, Person] | None = None) -> None:
        """A workspace comes into it: everybody there gets a global id beside their own.

        `known` says who of them somebody is who is in the organisation already. Documented: from
        then on people are called by the global one, unless the app has its ids translated back.
        """
        workspace.enterprise = self
        for person in workspace.people:
            before = (known or {}).get(person)
            person.global_id = before.global_id if before else self.world.new_id("W")
            self.world.people.setdefault(person.global_id, person)
            person.id = person.global_id

    @property
    def workspaces(self) -> list[Workspace]:
        return [one for one in self.world.workspaces.values() if one.enterprise is self]

    def install(
        self, installer: Person | None = None, scopes: Collection[str] = SCOPES
    ) -> Installation:
        self.installation = Installation(self.world, None, self, set(scopes), installer)
        return self.installation


class Workspace:
    """A workspace with the bot in it, unless `installed` is false."""

    def __init__(
        self,
        world: World,
        name: str,
        *,
        enterprise: Enterprise | None = None,
        installed: bool = True,
        scopes: Collection[str] = SCOPES,
    ) -> None:
        self.world = world
        self.id = world.new_id("T")
        self.name = name
        self.domain = name.lower().replace(" ", "-")
        self.enterprise = enterprise
        self.people: list[Person] = []
        self.channels: list[Channel] = []
        self.edits_for: timedelta | None = None
        """How long messages may be edited, where the workspace limits it."""
        self._own: Installation | None = None
        self._direct: dict[Person, Channel] = {}
        world.workspaces[self.id] = self
        if installed and not (enterprise and enterprise.is_installed):
            self.install(scopes=scopes)

    @property
    def installation(self) -> Installation | None:
        """The bot's here: the workspace's own, else the organisation's."""
        if self._own is not None and not self._own.revoked:
            return self._own
        whole = self.enterprise.installation if self.enterprise else None
        return whole if whole is not None and not whole.revoked else None

    @property
    def is_installed(self) -> bool:
        return self.installation is not None

    @property
    def app(self) -> Installation:
        """The installation; where there is none any more, the last."""
        found = self.installation or self._own
        assert found is not None, f"the bot was never installed in {self.name}"
        return found

    @property
    def token(self) -> str:
        return self.app.token

    @property
    def bot_user_id(self) -> str:
        return self.app.bot_user_id

    @property
    def bot_id(self) -> str:
        return self.app.bot_id

    @property
    def general(self) -> Channel:
        """The channel that was made first."""
        return self.channels[0] if self.channels else self.channel("general")

    def install(
        self, installer: Person | None = None, scopes: Collection[str] = SCOPES
    ) -> Installation:
        self._own = Installation(self.world, self, self.enterprise, set(scopes), installer)
        return self._own

    def uninstall(self) -> None:
        """Remove the app: its token is dead, and it is told (the order is not documented)."""
        installation = self.app
        self.event({"type": "tokens_revoked", "tokens": _revoked(installation)})
        self.event({"type": "app_uninstalled"})
        installation.end("account_inactive")

    def revoke(self) -> None:
        """Revoke the bot's token alone."""
        installation = self.app
        self.event({"type": "tokens_revoked", "tokens": _revoked(installation)})
        installation.end("token_revoked")

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

    def admits(self, person: Person) -> None:
        """Somebody of another workspace of the organisation comes into this one too."""
        assert self.enterprise is not None, "only in an organisation"
        assert person.workspace.enterprise is self.enterprise, "they are not in it"
        self.people.append(person)

    def channel(
        self,
        name: str,
        *,
        creator: Person | None = None,
        private: bool = False,
        with_bot: bool = True,
        shared_with: tuple[Workspace, ...] = (),
    ) -> Channel:
        """A channel; `with_bot=False`: nobody invited the bot. `shared_with`: Slack Connect."""
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

    def event(self, event: Json, channel: Channel | None = None) -> Delivery:
        """Tell the bot of something that happened, as the Events API does, if it may hear that."""
        world, installation = self.world, self.app
        ts = world.new_ts()
        enterprise = self.enterprise.id if self.enterprise else None
        payload: Json = {
            "token": "stand-in-verification",
            "team_id": self.id,
            "context_team_id": self.id,
            "context_enterprise_id": enterprise,
            "api_app_id": world.app_id,
            "event": {"event_ts": ts, **event},
            "type": "event_callback",
            "event_id": world.new_id("Ev"),
            "event_time": int(ts.split(".")[0]),
            "authorizations": [
                {
                    "enterprise_id": enterprise,
                    "team_id": None if installation.is_org_wide else self.id,
                    "user_id": installation.bot_user_id,
                    "is_bot": True,
                    "is_enterprise_install": installation.is_org_wide,
                }
            ],
            "is_ext_shared_channel": bool(channel and channel.shared_with),
            "event_context": world.new_id("4-"),
        }
        if enterprise:
            payload["enterprise_id"] = enterprise
        delivery = Delivery(world, EVENTS, payload)
        scope = scope_to_hear(event, channel)
        if scope is not None and scope not in installation.scopes:
            delivery.failure = f"not sent: that needs {scope}"
        else:
            world.deliver(delivery)
        return delivery


def _revoked(installation: Installation) -> Json:
    """Documented: the ids of the users whose tokens are gone, the bot's among them."""
    return {"oauth": [], "bot": [installation.bot_user_id]}
