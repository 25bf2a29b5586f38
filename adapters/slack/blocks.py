"""Draws what a message consists of as Slack's blocks, literal whatever it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, assert_never

from adapters import marks
from adapters.slack import markup
from adapters.text import cleaned, cut, on_one_line, units
from bot import messages as m

Block = dict[str, Any]

MOST_ALT, MOST_HEADER = 2_000, 150

_BAR = "▇"
_LONGEST_BAR = 12
_GAP = "\u2002"


def blocks(given: Sequence[m.Block], language: str, files: Mapping[str, str]) -> list[Block]:
    """What stands below one another. `files` has the ids of pictures by their paths.

    Texts beside each other are one, with a line between them, as people write them.
    """
    drawn: list[Block] = []
    for block, following in zip_longest(given, given[1:]):
        one = _block(_above(block, following), language, files)
        if one is None:
            continue
        if drawn and one["type"] == drawn[-1]["type"] == "rich_text":
            gap = "\n" if isinstance(block, m.Spread) else "\n\n"
            _append(drawn[-1]["elements"], one["elements"], gap)
        else:
            drawn.append(one)
    return drawn


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
            return _rich(_spread(bars, words))
        case m.Ranking(ranks):
            return _rich([_section(_rank(rank)) for rank in ranks])
        case m.Picture(path, alt, _):
            words = cut(on_one_line(alt), MOST_ALT) or "…"
            return {"type": "image", "slack_file": {"id": files[path]}, "alt_text": words}
        case _:
            assert_never(block)


def _rich(parts: list[Block]) -> Block | None:
    """A rich text: each part that has a word in it on a line of its own."""
    lines: list[Block] = []
    _append(lines, [part for part in parts if any(map(_is_seen, part["elements"]))], "\n")
    return {"type": "rich_text", "elements": lines} if lines else None


def _append(upper: list[Block], lower: list[Block], gap: str) -> None:
    """Sections become one, in which the gap is seen; code stands apart by itself."""
    for part in lower:
        if upper and part["type"] == upper[-1]["type"] == "rich_text_section":
            between = [markup.text(gap)] if gap else []
            upper[-1]["elements"] += [*between, *part["elements"]]
        else:
            upper.append(part)


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
    parts: list[Block] = [
        _section([markup.text(cleaned(option.letter), bold=True), markup.text(_GAP)])
    ]
    for number, body in enumerate(option.body):
        if isinstance(body, m.CodeBlock):
            parts.append(markup.preformatted(body))
        else:
            line = _section(markup.elements(body.spans, language))
            _append(parts, [line], "\n" if number else "")
    if option.mark:
        _append(parts, [_section([markup.text(f" ({marks.in_words(option.mark, language)})")])], "")
    return parts


def _spread(bars: tuple[m.Bar, ...], words: str) -> list[Block]:
    """The words first; bars below them for who likes to see them, which the text leaves out."""
    most = max((bar.count for bar in bars), default=0)
    lines = [_section([markup.text(cleaned(words))])]
    for bar in bars if most else ():
        letter = {"type": "text", "text": bar.letter, "style": {"code": True}}
        length = round(bar.count / most * _LONGEST_BAR)
        lines.append(_section([letter, markup.text(f" {_BAR * length}")]))
    return lines


def _rank(rank: m.Rank) -> list[Block]:
    notes = rank.notes or ("",) * len(rank.names)
    names = [
        f"{markup.name(name)} ({cleaned(note)})" if note else markup.name(name)
        for name, note in zip(rank.names, notes, strict=True)
    ]
    if rank.note:
        names.append(cleaned(rank.note))
    line = f"{rank.rank}. {', '.join(names)}: "
    return [markup.text(line), markup.text(str(rank.points), bold=True)]
