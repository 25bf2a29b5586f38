"""Cuts blocks to what a message can hold, fairly: the long ones to one length, no short one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from adapters.discord.markup import cut, units
from bot import messages as m

TextBlock = m.Paragraph | m.CodeBlock
Body = tuple[TextBlock, ...]

_BEFORE_DIFFERENCE = 20
"""So many signs of what two options share stand before that in which they differ."""


def fitted(blocks: Sequence[m.Block], most: int) -> list[m.Block]:
    """Every text at most `most` units long; texts that stand together count as one."""
    out: list[m.Block] = []
    run: list[TextBlock] = []
    for block in blocks:
        if isinstance(block, m.Paragraph | m.CodeBlock):
            run.append(block)
            continue
        out += [*_body(tuple(run), most), _block(block, most)]
        run.clear()
    return [*out, *_body(tuple(run), most)]


def _block(
    block: m.Heading | m.Small | m.Options | m.Spread | m.Ranking | m.Picture, most: int
) -> m.Block:
    match block:
        case m.Heading(spans) | m.Small(spans):
            return replace(block, spans=_spans(spans, most)[0])
        case m.Options(options, _):
            return replace(block, options=_options(options, most))
        case m.Spread(_, words):
            return replace(block, words=cut(words, most))
        case m.Ranking(ranks):
            return m.Ranking(tuple(_rank(rank, most) for rank in ranks))
        case m.Picture(_, alt, _):
            return replace(block, alt=cut(alt, most))
        case _:
            assert_never(block)


def _rank(rank: m.Rank, most: int) -> m.Rank:
    return replace(
        rank,
        names=tuple(cut(name, most) for name in rank.names),
        notes=tuple(cut(note, most) for note in rank.notes),
        note=cut(rank.note, most),
    )


# --- options ---------------------------------------------------------------------------------


def _options(options: tuple[m.Option, ...], most: int) -> tuple[m.Option, ...]:
    """Options that were not the same never become the same by being cut."""
    bodies = [_body(option.body, most) for option in options]
    whole = [_words(option.body) for option in options]
    seen = Counter(map(_words, bodies))
    return tuple(
        replace(option, body=body if seen[_words(body)] == 1 else _difference(at, whole, most))
        for at, (option, body) in enumerate(zip(options, bodies, strict=True))
    )


def _difference(at: int, texts: Sequence[str], most: int) -> Body:
    """An option from shortly before where it begins to differ from the one that is most like it."""
    text = texts[at]
    others = [other for index, other in enumerate(texts) if index != at]
    start = max((_shared(text, other) for other in others), default=0)
    # What is cut off behind it must not be that in which they differ.
    start = max(0, start - min(_BEFORE_DIFFERENCE, most // 3))
    if start == 0:
        return (m.Paragraph((m.Plain(cut(text, most)),)),)
    return (m.Paragraph((m.Plain("…" + cut(text[start:], max(most - 1, 4))),)),)


def _shared(text: str, other: str) -> int:
    """How many signs two texts have in common at their beginning."""
    for at, (one, two) in enumerate(zip(text, other, strict=False)):
        if one != two:
            return at
    return min(len(text), len(other))


def _words(body: Body) -> str:
    return m.plain_text(m.Message(body))


# --- texts -----------------------------------------------------------------------------------


def _body(body: Body, most: int) -> Body:
    """Paragraphs and code as one text."""
    out: list[TextBlock] = []
    left = most
    for block in body:
        if left <= 0:
            break
        if isinstance(block, m.CodeBlock):
            out.append(replace(block, text=_code(block.text, left)))
            left -= units(block.text)
        else:
            spans, left = _spans(block.spans, left)
            out.append(m.Paragraph(spans))
        left -= 1
    if len(out) < len(body) and isinstance(out[-1], m.Paragraph) and not _ends_cut(out[-1]):
        out[-1] = m.Paragraph((*out[-1].spans, m.Plain(" …")))
    return tuple(out)


def _ends_cut(paragraph: m.Paragraph) -> bool:
    return m.text_of(paragraph.spans).endswith("…")


def _code(text: str, most: int) -> str:
    """Whole lines, as far as that leaves half of it."""
    if units(text) <= most:
        return text
    short = cut(text, most)
    line_end = short.rfind("\n")
    return f"{short[:line_end]}\n…" if line_end > len(short) // 2 else short


def _spans(parts: m.Spans, most: int) -> tuple[m.Spans, int]:
    """The spans that fit, and what is left of `most`; less than nothing where they were cut."""
    out: list[m.Span] = []
    left = most
    for part in parts:
        if left <= 0:
            # What is left out must be told even where the cut falls between two spans.
            if left == 0:
                out.append(m.Plain("…"))
            return tuple(out), -1
        drawn, left = _span(part, left)
        out.append(drawn)
    return tuple(out), left


def _span(part: m.Span, most: int) -> tuple[m.Span, int]:
    match part:
        case m.Plain(text) | m.Code(text) | m.Name(text):
            left = most - units(text)
            return (part, left) if left >= 0 else (replace(part, text=cut(text, most)), -1)
        case m.PlaceName(_, text) | m.When(_, _, text):
            return part, max(0, most - units(text))
        case m.Bold(inner) | m.Emphasis(inner) | m.Foreign(inner, _) | m.Link(inner, _):
            spans, left = _spans(inner, most)
            return replace(part, spans=spans), left
        case _:
            assert_never(part)
