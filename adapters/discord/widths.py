"""How much room texts take once they are drawn, and how they are cut to so much of it.

What is drawn is longer than what is said: by the signs that escape and mark it, and by where its
links lead. So a text is measured as it will be drawn, and cut in one go.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from adapters.discord import markup
from adapters.text import break_in, cleaned, cut, units
from bot import messages as m

_BOLD, _EMPHASIS, _ISOLATION = 4, 2, 2
_CODE = 2
_LINK = len("[](<>)")
_SHORTEST_NAME = 10
"""A link with room for less of its name leads nowhere: then its words are all that is shown."""


def of_spans(parts: Iterable[m.Span]) -> int:
    return sum(map(_of_span, parts))


def of_text(text: str) -> int:
    """Once it is escaped."""
    return units(markup.escaped(text))


def of_body(body: Iterable[m.Paragraph | m.CodeBlock]) -> int:
    """Paragraphs and code as one text."""
    return sum(
        1 + (of_code(part) if isinstance(part, m.CodeBlock) else of_spans(part.spans))
        for part in body
    )


def of_code(block: m.CodeBlock) -> int:
    return units(markup.code_block(block))


def _of_span(part: m.Span) -> int:
    match part:
        case m.Plain(text):
            return of_text(text)
        case m.Code(text):
            return units(markup.code(text))
        case m.Name() | m.PlaceName() | m.When():
            return units(markup.spans((part,), ""))
        case m.Bold(inner):
            return _BOLD + of_spans(inner)
        case m.Emphasis(inner):
            return _EMPHASIS + of_spans(inner)
        case m.Foreign(inner, _):
            return of_spans(inner)
        case m.Link(inner, url):
            return _of_address(url) + of_spans(inner)
        case _:
            assert_never(part)


def _of_address(url: str) -> int:
    leads = markup.address(url)
    return 0 if leads is None else _LINK + len(leads)


# --- cutting ---------------------------------------------------------------------------------


def cut_text(text: str, most: int) -> str:
    """At most so many units once it is escaped."""
    text = cleaned(text)
    return _cut(text, most, markup.growth(text))


def cut_spans(parts: m.Spans, most: int) -> tuple[m.Spans, int]:
    """The spans that fit, and what is left of `most`; less than nothing where they were cut."""
    out: list[m.Span] = []
    left = most
    for part in parts:
        if left <= 0:
            # What is left out must be told even where the cut falls between two spans.
            if left == 0:
                out.append(m.Plain("…"))
            return tuple(out), -1
        drawn, left = _cut_span(part, left)
        out += drawn
    return tuple(out), left


def cut_code(block: m.CodeBlock, most: int) -> m.CodeBlock:
    """Whole lines, as far as that leaves half of it."""
    text = cleaned(block.text)
    around = of_code(replace(block, text=""))
    short = _cut(text, max(1, most - around), markup.growth_of_code(text))
    line_end = short.rfind("\n")
    if short == text or line_end <= len(short) // 2:
        return replace(block, text=short)
    return replace(block, text=f"{short[:line_end]}\n…")


def _cut(text: str, most: int, grows_at: list[int]) -> str:
    """At most so many units of a text that grows by a unit at these signs when it is drawn."""
    more = grows_at
    if not text.isascii():
        more = more + [at for at, sign in enumerate(text) if sign > "\uffff"]
    if len(text) + len(more) <= most:
        return text
    more.sort()
    # The most signs that take no more, with all that grows among them, than leaves a unit.
    fit = bisect_right(range(len(text)), most - 1, key=lambda at: at + bisect_left(more, at)) - 1
    end = break_in(text, units(text[: max(fit, 0)]))
    return f"{text[:end].rstrip()}…"


def _cut_span(part: m.Span, most: int) -> tuple[m.Spans, int]:
    match part:
        case m.Plain(text):
            left = most - of_text(text)
            return ((part,), left) if left >= 0 else ((m.Plain(cut_text(text, most)),), -1)
        case m.Code(text):
            left = most - units(markup.code(text))
            short = cut(text, max(1, most - _CODE))
            return ((part,), left) if left >= 0 else ((m.Code(short),), -1)
        case m.Name() | m.PlaceName() | m.When():
            left = most - _of_span(part)
            return ((part,), left) if left >= 0 else ((m.Plain("…"),), -1)
        case m.Bold(inner):
            return _cut_inside(part, inner, _BOLD, most)
        case m.Emphasis(inner):
            return _cut_inside(part, inner, _EMPHASIS, most)
        case m.Foreign(inner, _):
            return _cut_inside(part, inner, 0, most)
        case m.Link(inner, url):
            around = _of_address(url)
            if inner and around + min(of_spans(inner), _SHORTEST_NAME) > most:
                return cut_spans(inner, most)
            return _cut_inside(part, inner, around, most)
        case _:
            assert_never(part)


def _cut_inside(
    part: m.Bold | m.Emphasis | m.Foreign | m.Link, inner: m.Spans, around: int, most: int
) -> tuple[m.Spans, int]:
    if most <= around:
        return (m.Plain("…"),), -1
    spans, left = cut_spans(inner, most - around)
    return (replace(part, spans=spans),), left
