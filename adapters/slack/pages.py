"""The pages around an installation: what is asked for and why, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from adapters.text import cut, is_right_to_left, on_one_line
from bot.wording.voice import Voice

HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    # The address carries what Slack gave: no other page may learn it.
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
}

INSTALL = "/slack/install"

_LONGEST_NAME = 80
_STYLE = """
:root{color-scheme:light dark;--ink:#1d1c1d;--paper:#fff;--soft:#5c5a5d;--deed:#2c5f52}
@media (prefers-color-scheme:dark){
:root{--ink:#eee;--paper:#1b1d21;--soft:#b5b3b7;--deed:#8fd0bd}a.deed{color:#10231e}}
body{margin:0;background:var(--paper);color:var(--ink);font:1.05rem/1.55 system-ui,sans-serif}
main{max-width:36rem;margin:0 auto;padding:3rem 1.25rem}
h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.1rem;margin-top:2rem}li{margin:.4rem 0}
a{color:var(--deed)}.soft{color:var(--soft)}
a.deed{display:inline-block;margin:1rem 0;padding:.7rem 1.3rem;border-radius:.5rem;
background:var(--deed);color:#fff;font-weight:600;text-decoration:none}
@media (prefers-color-scheme:dark){a.deed{color:#10231e}}
a:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
"""


def install(url: str, command: str, language: str) -> str:
    """What a page asks that leads to Slack's own, `url`."""
    voice = Voice.of(language)
    asks = (
        voice.phrase("a command, {command}, by which everything begins", command=command),
        voice.phrase("to write messages: questions, answers and results, where somebody asks"),
        voice.phrase("to write in public channels that it is no member of, so that nobody has to invite it first"),  # noqa: E501
        voice.phrase("to write to you directly, once, with what can be set up"),
        voice.phrase("people’s names, languages and who is an admin: for the leaderboard, explanations and settings"),  # noqa: E501
        voice.phrase("the names of channels and who made them: who made a channel may set things there"),  # noqa: E501
        voice.phrase("to upload files: the pictures that belong to questions"),
    )  # fmt: skip
    return _page(
        voice,
        voice.phrase("Add quizbot to your Slack workspace"),
        _p(voice.phrase("I run quizzes here: a question, one press, an explanation in your language.")),  # noqa: E501
        _heading(voice.phrase("What Slack will ask you to allow")),
        f"<ul>{''.join(f'<li>{_text(ask)}</li>' for ask in asks)}</ul>",
        _p(voice.phrase("I read no messages, and post nothing until somebody asks.")),
        _deed(url, voice.phrase("Add to Slack")),
        _p(voice.phrase("If your workspace lets only admins add apps, Slack offers to ask them."), soft=True),  # noqa: E501
    )  # fmt: skip


def installed(workspace: str, url: str, command: str, invite: str, language: str) -> str:
    """It is there; `url` opens it in Slack."""
    voice = Voice.of(language)
    return _page(
        voice,
        voice.phrase("quizbot is in {workspace}", workspace=_named(workspace)),
        _p(voice.phrase("Type {command} in any public channel to begin. In a private one, type {invite} first.", command=command, invite=invite)),  # noqa: E501
        _p(voice.phrase("Who added it, as you did, may change its settings, and so may the workspace’s admins.")),  # noqa: E501
        _deed(url, voice.phrase("Open Slack")),
    )  # fmt: skip


def failed(reason: str, language: str) -> str:
    """Nothing was installed: why, and what to do. `reason` is Slack's word, or bolt's."""
    voice = Voice.of(language)
    title, lines = _why(reason, voice)
    again = _deed(INSTALL, voice.phrase("Begin again"))
    return _page(voice, title, *(_p(line) for line in lines), again)


def _why(reason: str, voice: Voice) -> tuple[str, Iterable[str]]:
    title = voice.phrase("Nothing was installed")
    match reason:
        case "access_denied":
            return title, (voice.phrase("You chose Cancel in Slack, so all is as it was."),)
        case "invalid_browser":
            return title, (
                voice.phrase("This page has to be reached from the one where you began, in the same browser and with cookies allowed."),  # noqa: E501
            )  # fmt: skip
        case "invalid_state":
            return title, (voice.phrase("The way to Slack and back works once, for ten minutes."),)
        case "storage_error":
            return title, (
                voice.phrase("What I have stored is out of reach for the moment."),
                voice.phrase("Please try again in a moment."),
            )
        case "invalid_team_for_non_distributed_app":
            return title, (
                voice.phrase("Slack lets this app only into the workspace in which it was made. Who made it can change that under Manage Distribution, on its page at api.slack.com/apps."),  # noqa: E501
            )  # fmt: skip
        case _:
            word = reason if re.fullmatch(r"[a-z_]{1,60}", reason) else "?"
            return title, (
                voice.phrase("Slack did not confirm it ({word}).", word=word),
                voice.phrase("If that happens again, whoever runs quizbot finds more in its log."),
            )


# --- HTML ----------------------------------------------------------------------------------------


def _page(voice: Voice, title: str, *parts: str) -> str:
    direction = "rtl" if is_right_to_left(voice.language) else "ltr"
    return (
        f'<!doctype html><html lang="{_text(voice.language)}" dir="{direction}"><head>'
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<meta name="robots" content="noindex"><title>{_text(title)} · quizbot</title>'
        f"<style>{_STYLE}</style></head>"
        f"<body><main><h1>{_text(title)}</h1>{''.join(parts)}</main></body></html>"
    )


def _heading(text: str) -> str:
    return f"<h2>{_text(text)}</h2>"


def _p(text: str, *, soft: bool = False) -> str:
    kind = ' class="soft"' if soft else ""
    return f"<p{kind}>{_text(text)}</p>"


def _deed(url: str, label: str) -> str:
    return f'<p><a class="deed" href="{_text(url)}">{_text(label)}</a></p>'


def _text(text: str) -> str:
    return escape(text, quote=True)


def _named(workspace: str) -> str:
    """Whatever a workspace is called, it is one short line."""
    return cut(on_one_line(workspace), _LONGEST_NAME) or "Slack"
