"""Slack's payloads as calls: ids are copied, nothing is decided."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from adapters.text import cleaned
from bot.calls import Where, Who
from bot.unseen import is_seen

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
    `turn` numbers what was done: their home goes back to nothing earlier.
    """

    user: str
    channel: str
    response_url: str = ""
    thread: str | None = None
    trigger: str = ""
    on_private: bool = False
    at_home: bool = False
    turn: int | None = None

    def carried(self) -> str:
        """As a form carries it, to be answered to who fills it in."""
        kept = replace(self, trigger="", user="", turn=None)
        return json.dumps({key: value for key, value in asdict(kept).items() if value})


def kind(body: Body) -> str:
    """`command`, `event_callback`, `block_actions`, `view_submission`, …"""
    return "command" if "command" in body else text(body, "type")


def key(body: Body) -> str:
    """The same for each delivery of the same thing."""
    return text(body, "event_id") or text(body, "trigger_id")


def teams(body: Body) -> Iterator[str]:
    """Whose installation this is about, the surest first.

    In a channel that several teams share, what acts carries the other team's id; the message and
    the form are quizbot's own.
    """
    view, authorized = part(body, "view"), _first(body, "authorizations")
    found = (
        text(view, "app_installed_team_id"),
        text(authorized, "team_id"),
        text(authorized, "enterprise_id"),
        text(part(body, "message"), "team"),
        _named(body, "team"),
        text(body, "team_id"),
        _enterprise(body),
        text(part(body, "user"), "team_id"),
    )
    return (one for one in found if one)


def user(body: Body) -> str:
    """The id of who acts, as Slack calls them there."""
    event = part(body, "event")
    return _named(event, "user") if event else _named(body, "user") or text(body, "user_id")


def handle(body: Body) -> str:
    given = part(body, "user")
    return seen(text(given, "name"), text(given, "username"), text(body, "user_name"))


def seen(*names: object) -> str:
    """The first that shows anything: a name may be of signs without width alone."""
    found = (cleaned(name) for name in names if isinstance(name, str))
    return next(filter(is_seen, found), "")


def own_team(body: Body) -> str:
    """Of who acts: the organisation where there is one, else the team."""
    own, here = _team(body), _named(body, "team") or text(body, "team_id")
    # Of an installation for a whole organisation, the team may be left out.
    if not own or not here or own == here:
        return _enterprise(body) or own or here
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
    return (
        text(part(body, "channel"), "id")
        or text(part(body, "container"), "channel_id")
        or text(body, "channel_id")
        or _named(part(body, "event"), "channel")
        or text(_carried(body), "channel")
    )


def is_closed(body: Body) -> bool:
    """A place that the bot has to be in: private, or messages between people."""
    return _called(body) in _NAMELESS or _is_group(body)


def reach(body: Body, turn: int | None = None) -> Reach:
    container, view = part(body, "container"), part(body, "view")
    carried = _carried(body) if view.get("type") == "modal" else {}
    is_home = view.get("type") == "home" or part(body, "event").get("tab") == "home"
    return Reach(
        user=user(body),
        channel=channel(body),
        response_url=text(body, "response_url") or text(carried, "response_url"),
        thread=_thread(body) or text(carried, "thread") or None,
        trigger=text(body, "trigger_id"),
        on_private=bool(container.get("is_ephemeral") or carried.get("on_private")),
        at_home=is_home or bool(carried.get("at_home")),
        turn=turn,
    )


def action(body: Body) -> Mapping[str, Any]:
    """What was pressed or chosen."""
    return _first(body, "actions")


def token(pressed: Mapping[str, Any]) -> str:
    """A button's token is its action id; what stands behind # tells two with the same apart."""
    return text(pressed, "action_id").partition("#")[0]


def values(pressed: Mapping[str, Any]) -> tuple[str, ...]:
    chosen = part(pressed, "selected_option")
    return (text(chosen, "value"),) if "value" in chosen else ()


def message_ts(body: Body) -> str | None:
    """Of the message that everybody sees, on which something was pressed."""
    container = part(body, "container")
    if container.get("type") != "message" or container.get("is_ephemeral"):
        return None
    return text(container, "message_ts") or text(part(body, "message"), "ts") or None


def made_at(pressed: Mapping[str, Any], received_at: datetime) -> datetime:
    try:
        return instant(text(pressed, "action_ts"))
    except (ValueError, OverflowError):
        return received_at


def instant(ts: str) -> datetime:
    """Slack's way to write an instant. Raises ValueError, OverflowError."""
    seconds, _, micros = ts.partition(".")
    return _EPOCH + timedelta(seconds=int(seconds), microseconds=int(micros.ljust(6, "0")[:6]))


def text(body: Body, name: str) -> str:
    """The words that stand there; none where that is anything else."""
    found = body.get(name)
    if not isinstance(found, str):
        return ""
    # Half a sign, or none at all: no database takes it.
    return found if found.isprintable() else cleaned(found)


def part(body: Body, name: str) -> Mapping[str, Any]:
    """What stands there by names; nothing where that is anything else."""
    found = body.get(name)
    return found if isinstance(found, dict) else {}


def _team(body: Body) -> str:
    """Of who acts, as far as it is told."""
    event = part(body, "event")
    own = text(part(body, "user"), "team_id") or text(event, "user_team")
    return own or text(body, "team_id")


def _thread(body: Body) -> str:
    """The first message of a thread stands outside of it."""
    container, message = part(body, "container"), part(body, "message")
    thread = text(container, "thread_ts") or text(message, "thread_ts")
    thread = thread or text(body, "thread_ts")
    own = text(container, "message_ts") or text(message, "ts")
    return "" if thread == own else thread


def _channel_name(body: Body) -> str:
    return "" if is_closed(body) else _called(body)


def _is_group(body: Body) -> bool:
    return _called(body).startswith("mpdm-")


def _called(body: Body) -> str:
    return text(part(body, "channel"), "name") or text(body, "channel_name")


def _enterprise(body: Body) -> str:
    return (
        _named(body, "enterprise")
        or text(part(body, "team"), "enterprise_id")
        or text(body, "enterprise_id")
    )


def _carried(body: Body) -> Mapping[str, Any]:
    """What our own form or home carries; anybody else's is nothing."""
    try:
        found = json.loads(text(part(body, "view"), "private_metadata") or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _named(body: Body, name: str) -> str:
    """An id that stands there by itself, or as that of something."""
    return text(body, name) or text(part(body, name), "id")


def _first(body: Body, name: str) -> Mapping[str, Any]:
    """Of a list; nothing where there is none, or it has none by names."""
    found = body.get(name)
    first = next(iter(found), None) if isinstance(found, list) else None
    return first if isinstance(first, dict) else {}
