"""What quizbot sent to Discord and to Slack, as web pages for drawing."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

Json = dict[str, Any]

_STYLES = {1: "primary", 2: "secondary", 3: "success", 4: "destructive", 5: "secondary"}
_TIMES = {"R": "in 48 seconds", "t": "9:00 AM", "D": "November 30, 2026"}
_KEPT = 0xE000


@dataclass(frozen=True, slots=True)
class Shown:
    """A message: the payload for Discord, the blocks for Slack. `time` is in epoch seconds."""

    payload: Any
    time: float
    is_private: bool = False


def discord_page(messages: Sequence[Shown]) -> str:
    drawn = "".join(map(_discord_message, messages))
    styles = """
      body { margin: 0; background: #1a1a1e; color: #dbdee1; font: 16px "Noto Sans", sans-serif }
      discord-message { min-height: 0 }
      .container { border: 1px solid #3f4147; border-radius: 8px; background: #242429;
        padding: 16px; margin-top: 4px; max-width: 520px; display: flex; flex-direction: column;
        gap: 8px; line-height: 1.375 }
      .small { font-size: 13px; color: #949ba4 }
      .time { background: #ffffff14; border-radius: 3px; padding: 0 2px }
      a { color: #00a8fc }
      code, pre { background: #1e1f22; border-radius: 3px; padding: 2px 4px; font-size: 14px }
    """
    body = f"<discord-messages>{drawn}</discord-messages>"
    return _page(styles, body, "", "discord")


def slack_page(messages: Sequence[Shown]) -> str:
    shown = [
        {"blocks": _for_library(one.payload), "time": one.time, "isPrivate": one.is_private}
        for one in messages
    ]
    styles = """
      body { margin: 0; background: #fff; font-family: Lato, "Noto Sans", sans-serif }
      .one { padding: 10px 16px } .private { background: #f8f8f8 }
      .note { font-size: 12px; color: #616061; margin-left: 44px }
    """
    given = f"messages = {json.dumps(shown)}; logo = {json.dumps(_logo('4a154b'))}"
    return _page(styles, "", given.replace("<", "\\u003c"), "slack")


def _page(styles: str, body: str, given: str, bundle: str) -> str:
    return (
        f'<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="{bundle}.css">'
        f"<style>{styles}</style><body>{body}<script>{given}</script>"
        f'<script src="{bundle}.js"></script>'
    )


def _logo(color: str) -> str:
    return "data:image/svg+xml," + quote(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">'
        f'<rect width="40" height="40" rx="6" fill="#{color}"/><text x="20" y="28" fill="#fff" '
        'font-size="24" text-anchor="middle" font-family="sans-serif">Q</text></svg>'
    )


# --- Discord: the library has messages and buttons, and no Components V2 ----------------------


def _discord_message(shown: Shown) -> str:
    whose = ' ephemeral="true"' if shown.is_private else ""
    drawn = "".join(_component(one) for one in shown.payload["components"])
    return (
        f'<discord-message author="quizbot" avatar="{_logo("5865f2")}" timestamp="9:00 AM" bot'
        f"{whose}>{drawn}</discord-message>"
    )


def _component(component: Json) -> str:
    match component["type"]:
        case 17:
            color = component.get("accent_color")
            edge = f' style="border-left: 4px solid #{color:06x}"' if color else ""
            inner = "".join(map(_component, component["components"]))
            return f'<div class="container"{edge}>{inner}</div>'
        case 1:
            inner = "".join(map(_component, component["components"]))
            return f"<discord-action-row>{inner}</discord-action-row>"
        case 2:
            label, style = html.escape(component["label"]), _STYLES[component["style"]]
            return f'<discord-button type="{style}">{label}</discord-button>'
        case 10:
            return f"<div>{_markup(component['content'])}</div>"
        case kind:
            raise NotImplementedError(f"no drawing of component {kind} yet")


def _markup(text: str) -> str:
    kept: list[str] = []

    def keep(drawn: str) -> str:
        kept.append(drawn)
        return chr(_KEPT + len(kept) - 1)

    text = re.sub(r"\\([^0-9A-Za-z\s])", lambda m: keep(html.escape(m[1])), text)
    text = re.sub(r"(`+)(.+?)\1", lambda m: keep(f"<code>{html.escape(m[2])}</code>"), text)
    text = re.sub(
        r"<t:\d+:([RtD])>", lambda m: keep(f'<span class="time">{_TIMES[m[1]]}</span>'), text
    )
    text = re.sub(
        r"\[([^\[\]]*)\]\(<[^<>\s]*>\)", lambda m: keep(f"<a>{html.escape(m[1])}</a>"), text
    )
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html.escape(text), flags=re.S)
    lines = "".join(_line(line) for line in text.split("\n"))
    # A link's words may hold signs that were kept before it.
    for number in reversed(range(len(kept))):
        lines = lines.replace(chr(_KEPT + number), kept[number])
    return lines


def _line(line: str) -> str:
    if line.startswith("-# "):
        return f'<div class="small">{line[3:]}</div>'
    return f"<div>{line or '&nbsp;'}</div>"


# --- Slack -----------------------------------------------------------------------------------


def _for_library(block: Any) -> Any:
    """The library leaves verbatim text raw, unlike Slack."""
    if isinstance(block, list):
        return [_for_library(one) for one in block]
    if isinstance(block, dict):
        return {name: _for_library(one) for name, one in block.items() if name != "verbatim"}
    return block
