"""Slack's payloads as calls: ids are copied, nothing is decided."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.calls import Where, Who

PLATFORM = "slack"

Body = Mapping[str, Any]

LINK = "link:"
"""What the action id of a link begins with: Slack reports its press, and nobody answers."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# What stands for the name where a channel has none that everybody may read.
_NAMELESS = {"directmessage", "privategroup"}


@dataclass(frozen=True, slots=True)
class Reach:
    """How who acted can be told something.

    `thread` is the one in which they acted. `trigger` opens a form, soon and once. What was
    pressed can be replaced where it is their own (`on_private`) or their home (`at_home`).
    """

    user: str
    channel: str
    response_url: str = ""
    thread: str | None = None
    trigger: str = ""
    on_private: bool = False
    at_home: bool = False

    def carried(self) -> str:
        """As a form carries it, to be answered to who fills it in."""
        kept = replace(self, trigger="", user="")
        return json.dumps({key: value for key, value in asdict(kept).items() if value})


def kind(body: Body) -> str:
    """`command`, `event_callback`, `block_actions`, `view_submission`, …"""
    return "command" if "command" in body else str(body.get("type") or "")


def key(body: Body) -> str:
    """The same for each delivery of the same thing."""
    return str(body.get("event_id") or body.get("trigger_id") or "")


def teams(body: Body) -> Iterator[str]:
    """Whose installation this is about, the surest first.

    In a channel that several teams share, what acts carries the other team's id; the message and
    the form are quizbot's own.
    """
    view, message, team = _part(body, "view"), _part(body, "message"), body.get("team")
    authorized: Mapping[str, Any] = next(iter(body.get("authorizations") or ()), {})
    found = (
        view.get("app_installed_team_id"),
        authorized.get("team_id"),
        authorized.get("enterprise_id"),
        message.get("team"),
        team.get("id") if isinstance(team, Mapping) else team,
        body.get("team_id"),
        _enterprise(body),
        _part(body, "user").get("team_id"),
    )
    return (str(one) for one in found if one)


def user(body: Body) -> str:
    """The id of who acts, as Slack calls them there."""
    event = _part(body, "event")
    found = _part(body, "user").get("id") or body.get("user_id") or event.get("user") or ""
    return str(_part(event, "user").get("id") or found)


def handle(body: Body) -> str:
    given = _part(body, "user")
    return str(given.get("name") or given.get("username") or body.get("user_name") or "")


def own_team(body: Body) -> str:
    """Of who acts: the organisation where there is one, else the team."""
    own, team = _team(body), body.get("team")
    here = team.get("id") if isinstance(team, Mapping) else team or body.get("team_id")
    # Of an installation for a whole organisation, the team may be left out.
    if not own or not here or own == here:
        return str(_enterprise(body) or own or here or "")
    return own


def who(body: Body) -> Who:
    """As far as the payload tells: no language, and nothing of what they may do."""
    person, own, team = user(body), own_team(body), _team(body)
    # The settings name people as Slack does, without their team.
    return Who(
        PLATFORM,
        f"{own}:{person}",
        handle(body),
        groups=frozenset({person}),
        # Before the team joined its organisation.
        formerly=f"{team}:{person}" if team and team != own else None,
    )


def where(body: Body, community: str, community_name: str = "") -> Where:
    place, name = channel(body), _channel_name(body)
    return Where(
        PLATFORM,
        community,
        place,
        community_name=community_name,
        place_name=name,
        kind="direct" if is_direct(place) or _is_group(body) else "channel",
    )


def is_direct(place: str) -> bool:
    """Whether these are the messages of one person with the bot."""
    return place.startswith("D")


def channel(body: Body) -> str:
    """Where it happened; for a form and the home, where that was opened from."""
    event, container = _part(body, "event"), _part(body, "container")
    found = (
        _part(body, "channel").get("id")
        or container.get("channel_id")
        or body.get("channel_id")
        or event.get("channel")
        or _carried(body).get("channel")
        or ""
    )
    return str(found)


def is_closed(body: Body) -> bool:
    """A place that the bot has to be in: private, or messages between people."""
    name = _part(body, "channel").get("name") or body.get("channel_name")
    return name in _NAMELESS or _is_group(body)


def reach(body: Body) -> Reach:
    container, view = _part(body, "container"), _part(body, "view")
    carried = _carried(body) if view.get("type") == "modal" else {}
    thread = _thread(body) or carried.get("thread")
    is_home = view.get("type") == "home" or _part(body, "event").get("tab") == "home"
    return Reach(
        user=user(body),
        channel=channel(body),
        response_url=str(body.get("response_url") or carried.get("response_url") or ""),
        thread=str(thread) if thread else None,
        trigger=str(body.get("trigger_id") or ""),
        on_private=bool(container.get("is_ephemeral") or carried.get("on_private")),
        at_home=is_home or bool(carried.get("at_home")),
    )


def action(body: Body) -> Mapping[str, Any]:
    """What was pressed or chosen."""
    found: Mapping[str, Any] = next(iter(body.get("actions") or ()), {})
    return found


def token(pressed: Mapping[str, Any]) -> str:
    """A button's token is its action id; what stands behind # tells two with the same apart."""
    return str(pressed.get("action_id") or "").partition("#")[0]


def values(pressed: Mapping[str, Any]) -> tuple[str, ...]:
    chosen = _part(pressed, "selected_option").get("value")
    return () if chosen is None else (str(chosen),)


def message_ts(body: Body) -> str | None:
    """Of the message that everybody sees, on which something was pressed."""
    container = _part(body, "container")
    if container.get("type") != "message" or container.get("is_ephemeral"):
        return None
    return str(container.get("message_ts") or _part(body, "message").get("ts") or "") or None


def made_at(pressed: Mapping[str, Any], received_at: datetime) -> datetime:
    try:
        return instant(str(pressed["action_ts"]))
    except (KeyError, ValueError):
        return received_at


def instant(ts: str) -> datetime:
    """Slack's way to write an instant. Raises ValueError."""
    seconds, _, micros = ts.partition(".")
    return _EPOCH + timedelta(seconds=int(seconds), microseconds=int(micros.ljust(6, "0")[:6]))


def _team(body: Body) -> str:
    """Of who acts, as far as it is told."""
    event = _part(body, "event")
    own = _part(body, "user").get("team_id") or event.get("user_team") or body.get("team_id")
    return str(own or "")


def _thread(body: Body) -> str | None:
    """The first message of a thread stands outside of it."""
    container, message = _part(body, "container"), _part(body, "message")
    thread = container.get("thread_ts") or message.get("thread_ts") or body.get("thread_ts")
    own = container.get("message_ts") or message.get("ts")
    return str(thread) if thread and thread != own else None


def _channel_name(body: Body) -> str:
    name = str(_part(body, "channel").get("name") or body.get("channel_name") or "")
    return "" if name in _NAMELESS or _is_group(body) else name


def _is_group(body: Body) -> bool:
    name = str(_part(body, "channel").get("name") or body.get("channel_name") or "")
    return name.startswith("mpdm-")


def _enterprise(body: Body) -> str | None:
    enterprise = body.get("enterprise")
    found = enterprise.get("id") if isinstance(enterprise, Mapping) else enterprise
    return found or _part(body, "team").get("enterprise_id") or body.get("enterprise_id") or None


def _carried(body: Body) -> Mapping[str, Any]:
    """What our own form or home carries; anybody else's is nothing."""
    try:
        found = json.loads(_part(body, "view").get("private_metadata") or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, Mapping) else {}


def _part(body: Body, name: str) -> Mapping[str, Any]:
    found = body.get(name)
    return found if isinstance(found, dict) else {}
