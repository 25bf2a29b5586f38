"""What quizbot sent to Discord and to Slack, as web pages for drawing."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

Json = dict[str, Any]

_STYLES = {1: "primary", 2: "secondary", 3: "success", 4: "destructive", 5: "secondary"}
_READER = timezone(timedelta(hours=2))
"""Where the clock of who reads stands."""

_KEPT = 0xE000


@dataclass(frozen=True, slots=True)
class Shown:
    """A message: the payload for Discord, the blocks for Slack. `time` is in epoch seconds.

    A form has a title besides: its payload are the components of a modal, or a view's blocks.
    """

    payload: Any
    time: float
    is_private: bool = False
    form: str = ""


def discord_page(
    messages: Sequence[Shown], channels: Mapping[str, str] = MappingProxyType({})
) -> str:
    """`channels` are names by id."""
    drawn = "".join(
        _form(one.form, map(_labelled, one.payload)) if one.form else _discord_message(one)
        for one in messages
    )
    drawn = re.sub(
        r"&lt;#(\d+)&gt;",
        lambda m: f'<span class="mention">#{html.escape(channels.get(m[1], "unknown"))}</span>',
        drawn,
    )
    styles = """
      body { margin: 0; background: #1a1a1e; color: #dbdee1; font: 16px "Noto Sans", sans-serif }
      discord-message { min-height: 0 }
      .container { border: 1px solid #3f4147; border-radius: 8px; background: #242429;
        padding: 16px; margin-top: 4px; max-width: 520px; display: flex; flex-direction: column;
        gap: 8px; line-height: 1.375 }
      .small { font-size: 13px; color: #949ba4 }
      .time { background: #ffffff14; border-radius: 3px; padding: 0 2px }
      a { color: #00a8fc }
      .mention { background: #5865f24d; color: #c9cdfb; border-radius: 3px; padding: 0 2px }
      .select { border: 1px solid #3f4147; border-radius: 8px; background: #1e1f22;
        padding: 9px 12px; color: #949ba4; font-size: 14px }
      .form { border: 1px solid #3f4147; border-radius: 8px; background: #242429; margin: 8px 0 8px
        56px; padding: 16px; max-width: 440px; display: flex; flex-direction: column; gap: 6px }
      .form h4 { margin: 0; font-size: 18px } .form label { font-weight: 600; margin-top: 6px }
      .form .box { border: 1px solid #3f4147; border-radius: 6px; background: #1e1f22;
        padding: 8px 10px; min-height: 1.2em } .hint { color: #949ba4; font-size: 13px }
      code, pre { background: #1e1f22; border-radius: 3px; padding: 2px 4px; font-size: 14px }
    """
    body = f"<discord-messages>{drawn}</discord-messages>"
    return _page(styles, body, "", "discord")


def slack_page(
    messages: Sequence[Shown], channels: Mapping[str, str] = MappingProxyType({})
) -> str:
    """`channels` are names by id."""
    shown = [
        {"form": _form(one.form, map(_asked, one.payload))}
        if one.form
        else {"blocks": _for_library(one.payload), "time": one.time, "isPrivate": one.is_private}
        for one in messages
    ]
    styles = """
      body { margin: 0; background: #fff; font-family: Lato, "Noto Sans", sans-serif }
      .one { padding: 10px 16px } .private { background: #f8f8f8 }
      .note { font-size: 12px; color: #616061; margin-left: 44px }
      .form { border: 1px solid #ddd; border-radius: 8px; margin: 8px 16px; padding: 16px;
        max-width: 440px; display: flex; flex-direction: column; gap: 6px; font-size: 15px }
      .form h4 { margin: 0; font-size: 18px } .form label { font-weight: 700; margin-top: 6px }
      .form .box { border: 1px solid #bbb; border-radius: 6px; padding: 8px 10px;
        min-height: 1.2em } .hint { color: #616061; font-size: 13px }
    """
    known = [{"id": key, "name": name} for key, name in channels.items()]
    given = (
        f"messages = {json.dumps(shown)}; channels = {json.dumps(known)}; "
        f"logo = {json.dumps(_logo('4a154b'))}"
    )
    return _page(styles, "", given.replace("<", "\\u003c"), "slack")


def _page(styles: str, body: str, given: str, bundle: str) -> str:
    return (
        f'<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="{bundle}.css">'
        f"<style>{styles}</style><body>{body}<script>{given}</script>"
        f'<script src="{bundle}.js"></script>'
    )


def _form(title: str, fields: Iterable[tuple[str, str, str]]) -> str:
    drawn = "".join(
        f'<label>{html.escape(name)}</label><div class="box">{html.escape(value)}</div>'
        f'<div class="hint">{html.escape(below)}</div>'
        for name, value, below in fields
    )
    return f'<div class="form"><h4>{html.escape(title)}</h4>{drawn}</div>'


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
        case 3:
            words = html.escape(component.get("placeholder") or "")
            chosen = [one["label"] for one in component["options"] if one.get("default")]
            return f'<div class="select">{html.escape("".join(chosen)) or words} ▾</div>'
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
    text = re.sub(
        r"```\w*\n(.*?)\n?```", lambda m: keep(f"<pre>{html.escape(m[1])}</pre>"), text, flags=re.S
    )
    text = re.sub(r"(`+)(.+?)\1", lambda m: keep(f"<code>{html.escape(m[2])}</code>"), text)
    text = re.sub(
        r"<t:(\d+):([RtD])>",
        lambda m: keep(f'<span class="time">{_time(int(m[1]), m[2])}</span>'),
        text,
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


def _time(at: int, style: str) -> str:
    """As Discord's clients show it; what counts down stands still here."""
    if style == "R":
        return "in 48 seconds"
    shown = datetime.fromtimestamp(at, _READER)
    if style == "t":
        return f"{shown:%I:%M %p}".lstrip("0")
    return f"{shown:%B} {shown.day}, {shown.year}"


def _line(line: str) -> str:
    if line.startswith("-# "):
        return f'<div class="small">{line[3:]}</div>'
    return f"<div>{line or '&nbsp;'}</div>"


def _labelled(label: Json) -> tuple[str, str, str]:
    """A field of a modal: what it is called, what stands in it, and what is said below."""
    field = label["component"]
    chosen = [one["label"] for one in field.get("options") or () if one.get("default")]
    picked = [one["id"] for one in field.get("default_values") or ()]
    value = field.get("value") or ", ".join(chosen or picked)
    below = label.get("description") or field.get("placeholder") or ""
    return label["label"], value, below


# --- Slack -----------------------------------------------------------------------------------


def _asked(block: Json) -> tuple[str, str, str]:
    """A field of a view: what it is called, what stands in it, and what is said below."""
    if block["type"] != "input":
        return "", "", json.dumps(block.get("text") or block.get("elements"))
    field = block["element"]
    chosen = (field.get("initial_option") or {}).get("text", {}).get("text", "")
    picked = ", ".join(field.get("initial_conversations") or field.get("initial_users") or ())
    below = block.get("hint", {}).get("text", "")
    return block["label"]["text"], field.get("initial_value") or chosen or picked, below


def _for_library(block: Any) -> Any:
    """The library leaves verbatim text raw, unlike Slack."""
    if isinstance(block, list):
        return [_for_library(one) for one in block]
    if isinstance(block, dict):
        return {name: _for_library(one) for name, one in block.items() if name != "verbatim"}
    return block
