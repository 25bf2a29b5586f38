"""Who people are and who leads a channel, asked of Slack once in a while and never in the way."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from adapters.slack.client import Client, Denied, Done
from adapters.slack.exchanging import Exchanging, OnGrid
from adapters.slack.kept import Kept
from adapters.slack.read import part, seen, text
from adapters.slack.workspaces import Workspace
from bot.calls import Identity, Where, Who
from bot.ports import Clock

_KEPT = timedelta(hours=1)
_KEPT_UNKNOWN = timedelta(minutes=1)
_KEPT_IDENTIFIED = timedelta(days=1)
# A private channel that the bot is no member of is none to it, nor are others' direct messages.
_UNSEEN = {"channel_not_found", "not_in_channel"}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Profile:
    """What Slack says of somebody. `leads` is whether they run the workspace they belong to."""

    name: str = ""
    locale: str | None = None
    leads: bool = False
    stranger: bool = False
    zone: str | None = None
    on_grid: OnGrid | None = None


@dataclass(frozen=True, slots=True)
class Channel:
    """What Slack says of a channel. `reached`: the bot may write there, or get in by itself."""

    creator: str = ""
    name: str = ""
    reached: bool = True
    archived: bool = False


class People:
    """Remembers for an hour what was asked; who is not known yet is looked up afterwards."""

    def __init__(self, client: Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._profiles: Kept[Profile] = Kept(clock)
        self._channels: Kept[Channel] = Kept(clock)
        self._exchanging = Exchanging(client, clock)
        self._identified: Kept[Identity] = Kept(clock)
        self._news: set[tuple[str, str]] = set()

    # --- what is known already -----------------------------------------------------------

    def known(self, who: Who, where: Where, user: str, workspace: Workspace) -> Who:
        """With what is known by now of the person and of their part in this place."""
        # What was known an hour ago is better than nothing, until it has been asked anew.
        profile = self._profiles.last(workspace.id, user) or Profile()
        channel = self._channels.last(workspace.id, where.place) or Channel()
        ids = {user} | self._exchanging.last(user, profile.on_grid, workspace).ids
        return replace(
            who,
            groups=who.groups | ids,
            name=profile.name or who.name,
            named=bool(profile.name),
            locale=profile.locale,
            organiser=workspace.installer in ids or (profile.leads and not profile.stranger),
            leads_place=bool(channel.creator) and user == channel.creator,
            zone=profile.zone,
        )

    def at(self, where: Where, workspace: Workspace) -> Where:
        """With what is known by now of the channel."""
        channel = self._channels.get(workspace.id, where.place)
        if channel is None:
            return where
        if not channel.reached:
            invite = None if where.kind == "direct" else f"/invite @{workspace.bot_name}"
            return replace(where, outside=True, invite=invite)
        return where if where.place_name else replace(where, place_name=channel.name)

    def identity(self, who: Who, user: str, workspace: Workspace) -> Identity | None:
        """By which other ids Slack knows somebody too, as far as it was asked."""
        profile = self._profiles.last(workspace.id, user) or Profile()
        known = self._exchanging.last(user, profile.on_grid, workspace)
        others, names = known.keys - {who.id}, known.ids - {user}
        if not others:
            return None
        return Identity(who.platform, who.id, others, workspace.id, user, names)

    def is_known(self, user: str, workspace: Workspace) -> bool:
        profile = self._profiles.get(workspace.id, user)
        return profile is not None and self._exchanging.is_known(user, profile.on_grid, workspace)

    def has_news(self, who: Who, user: str, workspace: Workspace) -> bool:
        """Whether more is known of somebody than was passed on."""
        identity = self.identity(who, user, workspace)
        if identity is not None and self._identified.get(workspace.id, who.id) != identity:
            return True
        return (workspace.id, user) in self._news

    def passed_on(self, who: Who, user: str, workspace: Workspace) -> None:
        self._news.discard((workspace.id, user))
        identity = self.identity(who, user, workspace)
        if identity is not None:
            self._identified.put(workspace.id, who.id, identity, _KEPT_IDENTIFIED)

    def forget_channel(self, place: str, workspace: Workspace) -> None:
        """The bot came there, or went; who made it is as before."""
        self._channels.age(workspace.id, place)

    def unreached(self, place: str, community: str) -> None:
        """A post there was refused as to a place that the bot cannot see."""
        known = self._channels.get(community, place) or Channel()
        self._channels.put(community, place, replace(known, reached=False), _KEPT_UNKNOWN)

    def forget_profile(self, user: str, workspace: Workspace) -> None:
        """They have changed something of themselves: most often what they are doing just now."""
        self._profiles.age(workspace.id, user)

    # --- asking --------------------------------------------------------------------------

    async def ask(self, user: str, workspace: Workspace) -> Profile:
        profile = await self._profiles.look(
            workspace.id, user, lambda: self._profile(user, workspace)
        )
        await self._exchanging.ask(user, profile.on_grid, workspace)
        return profile

    async def ask_channel(self, place: str, workspace: Workspace) -> Channel:
        return await self._channels.look(
            workspace.id, place, lambda: self._channel(place, workspace)
        )

    async def _profile(self, user: str, workspace: Workspace) -> tuple[Profile, timedelta]:
        answer = await self._client.call(
            "users.info", {"user": user, "include_locale": "true"},
            token=workspace.token, of=workspace.id,
        )  # fmt: skip
        if not isinstance(answer, Done):
            _log.info("Slack did not say who %s is: %s", user, answer)
            return self._profiles.last(workspace.id, user) or Profile(), _KEPT_UNKNOWN
        found = part(answer.data, "user")
        shown, of_org = part(found, "profile"), part(found, "enterprise_user")
        names = shown.get("display_name"), shown.get("real_name"), found.get("real_name")
        leads = any(found.get(flag) for flag in ("is_admin", "is_owner", "is_primary_owner"))
        leads = leads or bool(of_org.get("is_admin") or of_org.get("is_owner"))
        stranger = bool(found.get("is_stranger")) or _is_foreign(found, of_org, workspace)
        profile = Profile(
            seen(*names, found.get("name")),
            text(found, "locale") or None,
            leads,
            stranger,
            text(found, "tz") or None,
            None if stranger else _on_grid(found, of_org),
        )
        self._news.add((workspace.id, user))
        return profile, _KEPT

    async def _channel(self, place: str, workspace: Workspace) -> tuple[Channel, timedelta]:
        answer = await self._client.call(
            "conversations.info", {"channel": place}, token=workspace.token, of=workspace.id
        )
        if isinstance(answer, Done):
            found = part(answer.data, "channel")
            return Channel(
                text(found, "creator"),
                text(found, "name") if not found.get("is_mpim") else "",
                archived=bool(found.get("is_archived")),
            ), _KEPT
        if isinstance(answer, Denied) and answer.error in _UNSEEN:
            return Channel(reached=False), _KEPT_UNKNOWN
        # Whatever it was, whether the bot may write there shows when it does.
        _log.info("Slack did not say what %s is: %s", place, answer)
        return self._channels.last(workspace.id, place) or Channel(), _KEPT_UNKNOWN


def _on_grid(found: Mapping[str, Any], of_org: Mapping[str, Any]) -> OnGrid | None:
    organisation, id = of_org.get("enterprise_id"), of_org.get("id")
    if not organisation or not id:
        return None
    teams = [*_teams(of_org), found.get("team_id")]
    return OnGrid(
        str(organisation), str(id), tuple(dict.fromkeys(str(one) for one in teams if one))
    )


def _teams(of_org: Mapping[str, Any]) -> list[Any]:
    teams = of_org.get("teams")
    return teams if isinstance(teams, list) else []


def _is_foreign(found: Mapping[str, Any], of_org: Mapping[str, Any], workspace: Workspace) -> bool:
    """An admin of another team is none here."""
    own = {text(found, "team_id"), text(of_org, "enterprise_id"), *map(str, _teams(of_org))}
    return not own & {workspace.id, workspace.team}
