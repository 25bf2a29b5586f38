"""The manifest from which Slack makes the app: what it may do, hear and be called."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

BOT_SCOPES: Mapping[str, str] = {
    "commands": "the command by which everything begins, and the buttons",
    "chat:write": "questions, answers and results; private replies",
    "chat:write.public": "questions and results in public channels that nobody invited it to",
    "im:write": "to write to who installed it, and of a daily quiz to who set it",
    "users:read": "people's names and languages, and who is an admin",
    "channels:read": "who made a public channel, and that it was renamed or archived",
    "groups:read": "who made a private channel that it is in, and that it was renamed or archived",
    "im:read": "whether direct messages are with it, or between people",
    "mpim:read": "whether messages among several people are with it, or between them",
    "files:write": "pictures that belong to questions",
}
"""Each with why, also where it stands alone. None is for reading messages: quizbot reads none."""

EVENTS: Mapping[str, str] = {
    "app_home_opened": "somebody opens its page",
    "app_uninstalled": "it was removed: what runs there ends",
    "tokens_revoked": "the same",
    "member_joined_channel": "it was invited to a channel, and by whom",
    "channel_id_changed": "a private channel that is shared gets another id",
    "channel_left": "it was removed from a channel",
    "group_left": "the same of a private one",
    "channel_rename": "leaderboards say where",
    "group_rename": "the same of a private one",
    "channel_archive": "nobody can write there any more",
    "group_archive": "the same of a private one",
    "channel_unarchive": "now they can again",
    "group_unarchive": "the same of a private one",
    "user_change": "names, languages and admins",
}

APP_SCOPE = "connections:write"
"""What the app-level token has to have, for Socket Mode."""

DELIVER, BACK = "/slack/events", "/slack/oauth_redirect"

_ABOUT = "Quizzes for study groups: a question, one press, an explanation in your language."


@dataclass(frozen=True, slots=True)
class Wishes:
    """What depends on the settings. `url` is where quizbot is reached from outside, if it is."""

    command: str = "/quiz"
    sockets: bool = True
    oauth: bool = False
    url: str = ""


def manifest(wishes: Wishes) -> dict[str, Any]:
    """As Slack takes it."""
    delivered = {} if wishes.sockets else {"request_url": f"{wishes.url}{DELIVER}"}
    looked_up = {} if wishes.sockets else {"message_menu_options_url": f"{wishes.url}{DELIVER}"}
    command = {
        "command": wishes.command,
        **({} if wishes.sockets else {"url": f"{wishes.url}{DELIVER}"}),
        "description": "Start a quiz, see the leaderboard, and more",
        "usage_hint": "pipeline, or help",
        "should_escape": False,
    }
    redirects = {"redirect_urls": [f"{wishes.url}{BACK}"]} if wishes.oauth else {}
    return {
        "display_information": {
            "name": "quizbot",
            "description": _ABOUT,
            "background_color": "#2c5f52",
        },
        "features": {
            "app_home": {
                "home_tab_enabled": True,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": False,
            },
            "bot_user": {"display_name": "quizbot", "always_online": True},
            "slash_commands": [command],
        },
        "oauth_config": {**redirects, "scopes": {"bot": list(BOT_SCOPES)}},
        "settings": {
            "event_subscriptions": {**delivered, "bot_events": list(EVENTS)},
            "interactivity": {"is_enabled": True, **delivered, **looked_up},
            "org_deploy_enabled": wishes.oauth,
            "socket_mode_enabled": wishes.sockets,
            "token_rotation_enabled": wishes.oauth,
        },
    }


def as_yaml(wishes: Wishes) -> str:
    """With why each thing is asked for, in comments."""
    text = yaml.safe_dump(manifest(wishes), sort_keys=False, allow_unicode=True, width=1000)
    return "".join(f"{_commented(line)}\n" for line in text.splitlines())


def as_json(wishes: Wishes) -> str:
    return json.dumps(manifest(wishes), indent=2, ensure_ascii=False)


def web_root(given: str) -> str:
    """The address that was given, without a slash at its end. Raises ValueError."""
    url = given.strip().rstrip("/")
    if not re.fullmatch(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?", url):
        raise ValueError("write the address at which Slack reaches quizbot: https:// and a name")
    return url


def _commented(line: str) -> str:
    name = line.strip()
    why = _REASONS.get(name)
    return line if why is None else f"{line}  # {why}"


_REASONS = {
    **{f"- {name}": why for name, why in (*BOT_SCOPES.items(), *EVENTS.items())},
    "messages_tab_read_only_enabled: false": "else the command could not be typed there",
    "should_escape: false": "names are not wanted as mentions",
    "token_rotation_enabled: true": "tokens live twelve hours; quizbot renews them",
    "org_deploy_enabled: true": "an organisation may install it for all its workspaces",
}
