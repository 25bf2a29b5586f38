"""Draws messages as Slack's blocks: what they say is escaped, fitted and paged only here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Any, assert_never

from adapters.slack import fit, markup
from adapters.slack.controls import rows
from adapters.slack.controls import size as size_of
from adapters.text import cleaned, cut, on_one_line, units
from bot import messages as m
from bot import tokens
from bot.wording.catalogues import translator

Block = dict[str, Any]

# What a message can hold is told only by those who met the end: from about 11,300 characters on.
ROOM = 8_700
MOST_BLOCKS, MOST_IN_CONTEXT = 50, 10
LONGEST_ON_ONE, LONGEST_TEXT = 4_000, 39_000
"""How long the words for notifications may be: in what is edited later, and else."""
MOST_ALT, MOST_HEADER = 2_000, 150
MOST_BYTES = 10_000_000
SHOWN_AS_PICTURES = frozenset({".png", ".jpg", ".jpeg", ".gif"})

LITERAL: Mapping[str, Any] = MappingProxyType(
    {"parse": "none", "link_names": False, "unfurl_links": False, "unfurl_media": False}
)
"""Said with every post: no name in it calls anybody, and no link shows what it leads to."""

_NO_FILES: Mapping[str, str] = MappingProxyType({})
_BAR = "▇"
_LONGEST_BAR = 12
_GAP = "\u2002"


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
    parts = fit.pages(_with_descriptions(shown.blocks, files), ROOM - 60 - size_of(controls))
    drawn = []
    for number, blocks in enumerate(parts, start=1):
        count = _page_number(number, len(parts), shown.language)
        page = replace(shown, blocks=(*blocks, *count))
        is_last = number == len(parts)
        drawn.append(_drawn(page, files, controls if is_last else [], LONGEST_TEXT))
    return drawn


def on_one(shown: m.Message, files: Mapping[str, str] = _NO_FILES) -> Drawn:
    """A message that must stay one: what is too long is cut, and says where the whole is."""
    controls = rows(shown.controls)
    blocks: Sequence[m.Block] = _with_descriptions(shown.blocks, files)
    room = ROOM - size_of(controls)
    if fit.size(blocks) > room:
        note = _where_whole(shown)
        blocks = [*fit.fitted(blocks, room - fit.size([note])), note]
        blocks = fit.pages(blocks, room)[0] if fit.size(blocks) > room else blocks
    return _drawn(replace(shown, blocks=tuple(blocks)), files, controls, LONGEST_ON_ONE)


def pictures(shown: m.Message) -> tuple[m.Picture, ...]:
    """The pictures of a message that can be uploaded, to be shown by their files' ids."""
    return tuple(
        block for block in shown.blocks if isinstance(block, m.Picture) and _can_be_sent(block)
    )


def blocks(
    given: Sequence[m.Block], language: str, files: Mapping[str, str] = _NO_FILES
) -> list[Block]:
    """What stands below one another; blank texts leave no gap."""
    drawn = []
    for block, following in zip_longest(given, given[1:]):
        if (one := _block(_above(block, following), language, files)) is not None:
            drawn.append(one)
    return drawn


def merged(drawn: list[Block], most: int) -> list[Block]:
    """At most so many blocks: texts beside each other are put together from below."""
    at = len(drawn) - 1
    while len(drawn) > most and at > 0:
        if (both := _together(drawn[at - 1], drawn[at])) is not None:
            drawn[at - 1 : at + 1] = [both]
        at -= 1
    return drawn[:most]


def _drawn(page: m.Message, files: Mapping[str, str], controls: list[Block], longest: int) -> Drawn:
    drawn = merged(blocks(page.blocks, page.language, files), MOST_BLOCKS - len(controls))
    return Drawn([*drawn, *controls] or [_nothing()], _words(page, longest))


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


# --- blocks ----------------------------------------------------------------------------------


def _above(block: m.Block, following: m.Block | None) -> m.Block:
    """A heading over a question is the lesser of the two."""
    if not isinstance(block, m.Heading) or not isinstance(following, m.Paragraph):
        return block
    is_question = len(following.spans) == 1 and isinstance(following.spans[0], m.Bold)
    return m.Small(block.spans) if is_question else block


def _block(block: m.Block, language: str, files: Mapping[str, str]) -> Block | None:
    match block:
        case m.Heading(spans):
            return _heading(spans, language)
        case m.Paragraph(spans):
            return _rich([_section(markup.elements(spans, language))])
        case m.Small(spans):
            return _small(spans, language)
        case m.CodeBlock():
            return _rich([markup.preformatted(block)])
        case m.Options(options, _):
            return _rich([part for one in options for part in _option(one, language)])
        case m.Spread(bars, words):
            return _spread(bars, words)
        case m.Ranking(ranks):
            return _rich([_section(_rank(rank, language)) for rank in ranks])
        case m.Picture(path, alt, _):
            words = cut(on_one_line(alt), MOST_ALT) or "…"
            return {"type": "image", "slack_file": {"id": files[path]}, "alt_text": words}
        case _:
            assert_never(block)


def _rich(parts: list[Block]) -> Block | None:
    """A rich text of the parts that have a word in them."""
    spoken = [part for part in parts if any(map(_is_seen, part["elements"]))]
    return {"type": "rich_text", "elements": spoken} if spoken else None


def _is_seen(element: Block) -> bool:
    return element["type"] != "text" or bool(element["text"].strip())


def _section(elements: list[Block]) -> Block:
    return {"type": "rich_text_section", "elements": elements}


def _heading(spans: m.Spans, language: str) -> Block | None:
    words = on_one_line(markup.literal(spans, language))
    if not words:
        return None
    element = markup.plain(words)
    is_live = any(isinstance(span, m.Link | m.When | m.PlaceName) for span in spans)
    if units(element["text"]) <= MOST_HEADER and not is_live:
        return {"type": "header", "text": element}
    return _rich([_section(markup.elements(spans, language, bold=True))])


def _small(spans: m.Spans, language: str) -> Block | None:
    if not m.text_of(spans).strip():
        return None
    element = markup.small(spans, language)
    if element is None:
        return _rich([_section(markup.elements(spans, language))])
    return {"type": "context", "elements": [element]}


def _option(option: m.Option, language: str) -> list[Block]:
    """The letter and its text; code has lines of its own below the letter."""
    parts: list[Block] = []
    line = [markup.text(cleaned(option.letter), bold=True), markup.text(_GAP)]
    for body in option.body:
        if isinstance(body, m.CodeBlock):
            parts += [_section(line)] if line else []
            parts.append(markup.preformatted(body))
            line = []
            continue
        line += [markup.text("\n")] if len(line) > 2 else []
        line += markup.elements(body.spans, language)
    if option.mark:
        line.append(markup.text(f" ({_mark(option.mark, language)})"))
    return [*parts, _section(line)] if line else parts


def _mark(mark: str, language: str) -> str:
    """What an option was, in words."""
    t = translator(language)
    match mark:
        case "right":
            return t.gettext("Right answer")
        case "chosen-right":
            return t.gettext("Your answer, and right")
        case _:
            return t.gettext("Your answer")


def _spread(bars: tuple[m.Bar, ...], words: str) -> Block | None:
    """The words first; bars below them for who likes to see them, which the text leaves out."""
    most = max((bar.count for bar in bars), default=0)
    lines = [_section([markup.text(cleaned(words))])] if words.strip() else []
    for bar in bars if most else ():
        letter = {"type": "text", "text": bar.letter, "style": {"code": True}}
        length = round(bar.count / most * _LONGEST_BAR)
        lines.append(_section([letter, markup.text(f" {_BAR * length}")]))
    return _rich(lines)


def _rank(rank: m.Rank, language: str) -> list[Block]:
    notes = rank.notes or ("",) * len(rank.names)
    names = [
        f"{markup.name(name)} ({cleaned(note)})" if note else markup.name(name)
        for name, note in zip(rank.names, notes, strict=True)
    ]
    if rank.note:
        names.append(cleaned(rank.note))
    line = f"{rank.rank}. {', '.join(names)}: "
    return [markup.text(line), markup.text(str(rank.points), bold=True)]


def _together(upper: Block, lower: Block) -> Block | None:
    """Two blocks as one, if that is possible: lines of rich text, or of a context."""
    if upper["type"] != lower["type"] or upper["type"] not in ("rich_text", "context"):
        return None
    elements = [*upper["elements"], *lower["elements"]]
    if upper["type"] == "context" and len(elements) > MOST_IN_CONTEXT:
        return None
    return {"type": upper["type"], "elements": elements}


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
