"""Cuts messages to Slack's room, fairly: the long texts to one length, no short one.

Sizes are taken from the message's own texts, once; nothing is drawn to be measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from adapters.slack.markup import MOST_GROWTH
from adapters.text import before_difference, cut, units
from bot import messages as m

# Slack counts the text of blocks and a little for what holds it, which nobody has published.
_EACH_BLOCK, _EACH_ELEMENT = 24, 2


Run = tuple[m.Paragraph | m.CodeBlock, ...]
"""Paragraphs and code that stand together: one text."""


def size(blocks: Iterable[m.Block]) -> int:
    """How much of a message's room the blocks take, at most."""
    return sum(map(_size, blocks))


def fitted(blocks: Sequence[m.Block], most: int) -> Sequence[m.Block]:
    """The blocks in so much room: the long texts are cut to one length, no short one is."""
    whole = size(blocks)
    if whole <= most:
        return blocks
    parts = list(_runs(blocks))
    lengths = [length for part in parts for length in _lengths(part)]
    # A cut is told by a sign that may need an element of its own.
    told = (_EACH_ELEMENT + 1) * len(lengths)
    longest = _level(lengths, most - (whole - sum(lengths)) - told)
    return [block for part in parts for block in _cut(part, longest)]


def _runs(blocks: Iterable[m.Block]) -> Iterator[m.Block | Run]:
    run: list[m.Paragraph | m.CodeBlock] = []
    for block in blocks:
        if isinstance(block, m.Paragraph | m.CodeBlock):
            run.append(block)
            continue
        if run:
            yield tuple(run)
            run = []
        yield block
    if run:
        yield tuple(run)


# --- sizes -----------------------------------------------------------------------------------


def _size(block: m.Block) -> int:
    return _holders(block) + sum(_lengths(block))


def _holders(block: m.Block) -> int:
    """What a block takes beside its texts."""
    match block:
        case m.Small(spans):
            grows = not all(isinstance(span, m.Plain) for span in spans)
            return _EACH_BLOCK + (MOST_GROWTH if grows else 0)
        case m.Options(options, _):
            return _EACH_BLOCK + sum(
                _EACH_BLOCK * (len(option.body) + (option.mark is not None)) for option in options
            )
        case m.Spread(bars, _):
            return _EACH_BLOCK * (1 + len(bars))
        case m.Ranking(ranks):
            return _EACH_BLOCK + sum(_EACH_BLOCK + 8 * len(rank.names) for rank in ranks)
        case _:
            return _EACH_BLOCK


def _lengths(part: m.Block | Run) -> list[int]:
    """The lengths of the texts that can be cut, each alone."""
    match part:
        case m.Heading(spans) | m.Small(spans) | m.Paragraph(spans):
            return [_length(spans)]
        case m.CodeBlock(text, _):
            return [units(text)]
        case m.Options(options, _):
            return [_body_length(option.body) for option in options]
        case m.Spread(_, words):
            return [units(words)]
        case m.Ranking(ranks):
            return [units(text) for rank in ranks for text in (*rank.names, *rank.notes, rank.note)]
        case m.Picture(_, alt, _):
            return [units(alt)]
        case tuple():
            return [_body_length(part)]
        case _:
            assert_never(part)


def _body_length(body: Run) -> int:
    return sum(
        units(block.text) if isinstance(block, m.CodeBlock) else _length(block.spans)
        for block in body
    )


def _length(spans: m.Spans) -> int:
    total = 0
    for span in spans:
        match span:
            case m.Plain(text) | m.Code(text) | m.Name(text) | m.PlaceName(_, text):
                total += _EACH_ELEMENT + units(text)
            case m.When():
                total += _when(span)
            case m.Bold(inner) | m.Emphasis(inner) | m.Foreign(inner, _) | m.Link(inner, _):
                total += _length(inner)
            case _:
                assert_never(span)
    return total


def _when(when: m.When) -> int:
    return 2 * units(when.text) + 40


def _level(lengths: list[int], most: int) -> int:
    """The longest that every text may be, so that all together are within `most`."""
    left = most
    for more, length in enumerate(sorted(lengths)):
        share = left // (len(lengths) - more)
        if length > share:
            return max(1, share)
        left -= length
    return max(lengths, default=1)


# --- cutting ---------------------------------------------------------------------------------


def _cut(part: m.Block | Run, most: int) -> Iterable[m.Block]:
    match part:
        case tuple():
            return _body(part, most)
        case m.Heading(spans) | m.Small(spans):
            return (replace(part, spans=_spans(spans, most)[0]),)
        case m.Paragraph() | m.CodeBlock():
            return _body((part,), most)
        case m.Options(options, _):
            return (replace(part, options=_options(options, most)),)
        case m.Spread(_, words):
            return (replace(part, words=cut(words, most)),)
        case m.Ranking(ranks):
            return (m.Ranking(tuple(_rank(rank, most) for rank in ranks)),)
        case m.Picture(_, alt, _):
            return (replace(part, alt=cut(alt, most)),)
        case _:
            assert_never(part)


def _rank(rank: m.Rank, most: int) -> m.Rank:
    return replace(
        rank,
        names=tuple(cut(name, most) for name in rank.names),
        notes=tuple(cut(note, most) for note in rank.notes),
        note=cut(rank.note, most),
    )


def _options(options: tuple[m.Option, ...], most: int) -> tuple[m.Option, ...]:
    """Options that were not the same never become the same by being cut."""
    bodies = [_body(option.body, most) for option in options]
    whole = [_words(option.body) for option in options]
    seen = Counter(map(_words, bodies))
    return tuple(
        replace(option, body=body if seen[_words(body)] == 1 else _difference(at, whole, most))
        for at, (option, body) in enumerate(zip(options, bodies, strict=True))
    )


def _difference(at: int, texts: Sequence[str], most: int) -> Run:
    """An option from shortly before where it begins to differ from the one that is most like it."""
    text = texts[at]
    start = before_difference(at, texts, most)
    shown = cut(text, most) if start == 0 else "…" + cut(text[start:], max(most - 1, 4))
    return (m.Paragraph((m.Plain(shown),)),)


def _words(body: Sequence[m.Paragraph | m.CodeBlock]) -> str:
    return m.plain_text(m.Message(tuple(body)))


def _body(body: Run, most: int) -> Run:
    """Paragraphs and code as one text."""
    out: list[m.Paragraph | m.CodeBlock] = []
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
    if len(out) < len(body) and not _words(out[-1:]).endswith("…"):
        # What is left out must be told even where the cut falls between two blocks.
        out.append(m.Paragraph((m.Plain("…"),)))
    return tuple(out)


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
            left = most - units(text) - _EACH_ELEMENT
            fits = left >= 0
            return (part, left) if fits else (replace(part, text=cut(text, most)), -1)
        case m.PlaceName(_, text):
            return part, max(0, most - units(text) - _EACH_ELEMENT)
        case m.When():
            return part, max(0, most - _when(part))
        case m.Bold(inner) | m.Emphasis(inner) | m.Foreign(inner, _) | m.Link(inner, _):
            spans, left = _spans(inner, most)
            return replace(part, spans=spans), left
        case _:
            assert_never(part)
