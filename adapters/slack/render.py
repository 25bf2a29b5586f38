"""Draws messages as Slack's blocks: what they say is escaped, fitted and paged only here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from adapters.slack import fit, markup
from adapters.slack.blocks import Block, blocks
from adapters.slack.controls import rows
from adapters.slack.controls import size as size_of
from adapters.slack.paging import pages
from adapters.text import cleaned, cut, units
from bot import messages as m
from bot import tokens
from bot.wording.catalogues import translator

# What a message can hold is told only by those who met the end: from about 11,300 characters on.
ROOM, _PAGE_NUMBER = 8_700, 60
MOST_BLOCKS = 50
LONGEST_ON_ONE, LONGEST_TEXT = 4_000, 39_000
"""How long the words for notifications may be: in what is edited later, and else."""
MOST_BYTES = 10_000_000
SHOWN_AS_PICTURES = frozenset({".png", ".jpg", ".jpeg", ".gif"})

LITERAL: Mapping[str, Any] = MappingProxyType(
    {"mrkdwn": False, "unfurl_links": False, "unfurl_media": False}
)
"""Said with every post: its words have no marks, and no link shows what it leads to."""

_GROUP = re.compile(r"S[A-Z0-9]{2,30}")
_NO_FILES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Drawn:
    """A message as Slack takes it: blocks, and in `text` all their words.

    The words are what notifications show and screen readers say, which hear no block.
    """

    blocks: list[Block]
    text: str


def message(shown: m.Message, files: Mapping[str, str] = _NO_FILES) -> list[Drawn]:
    """A message on as many pages as it takes, with its controls on the last one.

    `files` has the ids of the pictures that Slack holds, by their paths.
    """
    controls = rows(shown.controls)
    given = _with_descriptions(shown.blocks, files)
    parts = pages(given, ROOM - _PAGE_NUMBER, size_of(controls))
    drawn = []
    for number, part in enumerate(parts, start=1):
        count = _page_number(number, len(parts), shown.language)
        below = controls if number == len(parts) else []
        drawn.append(_page(replace(shown, blocks=(*part, *count)), files, below))
    return drawn


def on_one(shown: m.Message, files: Mapping[str, str] = _NO_FILES) -> Drawn:
    """A message that must stay one: what is too long is cut, and says where the whole is."""
    controls = rows(shown.controls)
    given: Sequence[m.Block] = _with_descriptions(shown.blocks, files)
    room = ROOM - size_of(controls)
    drawn = blocks(given, shown.language, files)
    are_many = len(_mention(shown)) + len(drawn) + len(controls) > MOST_BLOCKS
    if are_many or fit.size(given) > room:
        note = _where_whole(shown)
        room -= fit.size([note])
        given = fit.fitted(given, room)
        # What has very many blocks may be more than fits even when all its texts are cut.
        if are_many or fit.size(given) > room:
            given = pages(given, room, 0)[0]
        given = [*given, note]
        drawn = blocks(given, shown.language, files)
    words = _words(replace(shown, blocks=tuple(given)), LONGEST_ON_ONE)
    return Drawn([*_mention(shown), *drawn, *controls] or [_nothing()], words)


def pictures(shown: m.Message) -> tuple[m.Picture, ...]:
    """The pictures of a message that can be uploaded, to be shown by their files' ids."""
    return tuple(
        block for block in shown.blocks if isinstance(block, m.Picture) and _can_be_sent(block)
    )


def _page(page: m.Message, files: Mapping[str, str], controls: list[Block]) -> Drawn:
    drawn = blocks(page.blocks, page.language, files)
    return Drawn([*drawn, *controls] or [_nothing()], _words(page, LONGEST_TEXT))


def _mention(shown: m.Message) -> list[Block]:
    """The one line that rings: for everybody here, for all of the channel, or for a group."""
    id = "" if shown.mention is None else shown.mention.id
    element: dict[str, Any]
    if id in ("here", "channel"):
        element = {"type": "broadcast", "range": id}
    elif _GROUP.fullmatch(id):
        element = {"type": "usergroup", "usergroup_id": id}
    else:
        return []
    section = {"type": "rich_text_section", "elements": [element]}
    return [{"type": "rich_text", "elements": [section]}]


def _nothing() -> Block:
    return {"type": "context", "elements": [markup.plain("…")]}


# --- words for notifications -----------------------------------------------------------------


def _words(page: m.Message, longest: int) -> str:
    """All the words of a page, in which Slack reads no mention; cut fairly where it must be."""
    words = cleaned(m.plain_text(page)).strip()
    if units(words) > longest:
        # The texts are told apart by little, so that what fits as blocks nearly does as words.
        kept = fit.fitted(page.blocks, longest)
        words = cleaned(m.plain_text(replace(page, blocks=tuple(kept)))).strip()
    words = words or ", ".join(button.label for button in m.buttons_of(page)) or "…"
    most = longest
    while units(escaped := markup.escaped(cut(words, most))) > longest:
        most = most * longest // units(escaped) - 1
    return escaped


def _page_number(number: int, total: int, language: str) -> tuple[m.Small, ...]:
    if total == 1:
        return ()
    words = translator(language).gettext("Page {n} of {total}")
    return (m.Small((m.Plain(words.format(n=number, total=total)),)),)


def _where_whole(shown: m.Message) -> m.Small:
    """Says that something was left out, and which of the message's buttons shows all of it."""
    t = translator(shown.language)
    for button in m.buttons_of(shown):
        if isinstance(tokens.read(button.token), tokens.OwnLanguage | tokens.Explain):
            words = t.gettext("Shortened to fit. The button “{button}” shows you all of it.")
            return m.Small((m.Plain(words.format(button=button.label)),))
    return m.Small((m.Plain(t.gettext("Shortened to fit.")),))


# --- pictures --------------------------------------------------------------------------------


def _with_descriptions(given: Iterable[m.Block], files: Mapping[str, str]) -> list[m.Block]:
    """Where Slack does not hold a picture, what it shows stands there in words."""
    out: list[m.Block] = []
    for block in given:
        if not isinstance(block, m.Picture) or block.path in files:
            out.append(block)
        elif block.alt:
            out.append(m.Small((m.Foreign((m.Plain(block.alt),), block.language),)))
    return out


def _can_be_sent(picture: m.Picture) -> bool:
    path = Path(picture.path)
    try:
        return path.suffix.lower() in SHOWN_AS_PICTURES and 0 < path.stat().st_size <= MOST_BYTES
    except OSError:
        return False
