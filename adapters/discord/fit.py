"""Cuts blocks to what a message can hold, fairly: the long ones to one length, no short one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from adapters.discord.widths import cut_code, cut_spans, cut_text, of_body, of_spans, of_text
from adapters.text import before_difference
from bot import messages as m

TextBlock = m.Paragraph | m.CodeBlock
Body = tuple[TextBlock, ...]
OtherBlock = m.Heading | m.Small | m.Options | m.Spread | m.Ranking | m.Picture


_DOTS = len(" …")


def widths(blocks: Sequence[m.Block]) -> list[int]:
    """How much room each text takes as it is drawn; texts that stand together count as one."""
    return [width for part in _texts(blocks) for width in _widths(part)]


def length_for(widths: Sequence[int], room: int) -> int:
    """To how much the long ones must be cut so that all together take no more than the room."""
    left = room - _DOTS * len(widths)
    for at, width in enumerate(sorted(widths)):
        share = left // (len(widths) - at)
        if width > share:
            return max(share, 1)
        left -= width
    return max(widths, default=1)


def fitted(blocks: Sequence[m.Block], most: int) -> list[m.Block]:
    """Every text taking at most `most` of the room."""
    out: list[m.Block] = []
    for part in _texts(blocks):
        if isinstance(part, tuple):
            out += _body(part, most)
        else:
            out.append(_block(part, most))
    return out


def _texts(blocks: Sequence[m.Block]) -> Iterator[Body | OtherBlock]:
    """Paragraphs and code that follow each other together, every other block alone."""
    run: list[TextBlock] = []
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


def _widths(part: Body | OtherBlock) -> list[int]:
    match part:
        case m.Heading(spans) | m.Small(spans):
            return [of_spans(spans)]
        case m.Options(options, _):
            return [of_body(option.body) for option in options]
        case m.Spread(_, words):
            return [of_text(words)]
        case m.Ranking(ranks):
            return [of_text(text) for rank in ranks for text in (*rank.names, *rank.notes)]
        case m.Picture():
            return []
        case _:
            return [of_body(part)]


def _block(block: OtherBlock, most: int) -> m.Block:
    match block:
        case m.Heading(spans) | m.Small(spans):
            return replace(block, spans=cut_spans(spans, most)[0])
        case m.Options(options, _):
            return replace(block, options=_options(options, most))
        case m.Spread(_, words):
            return replace(block, words=cut_text(words, most))
        case m.Ranking(ranks):
            return m.Ranking(tuple(_rank(rank, most) for rank in ranks))
        case m.Picture():
            return block
        case _:
            assert_never(block)


def _rank(rank: m.Rank, most: int) -> m.Rank:
    return replace(
        rank,
        names=tuple(cut_text(name, most) for name in rank.names),
        notes=tuple(cut_text(note, most) for note in rank.notes),
    )


def _body(body: Body, most: int) -> Body:
    """Paragraphs and code as one text."""
    out: list[TextBlock] = []
    left = most
    for block in body:
        if left <= 0:
            break
        if isinstance(block, m.CodeBlock):
            out.append(cut_code(block, left))
            left -= of_body((block,))
        else:
            spans, left = cut_spans(block.spans, left)
            out.append(m.Paragraph(spans))
            left -= 1
    if len(out) < len(body) and isinstance(out[-1], m.Paragraph) and not _ends_cut(out[-1]):
        out[-1] = m.Paragraph((*out[-1].spans, m.Plain(" …")))
    return tuple(out)


def _ends_cut(paragraph: m.Paragraph) -> bool:
    return m.text_of(paragraph.spans).endswith("…")


# --- options ---------------------------------------------------------------------------------


def _options(options: tuple[m.Option, ...], most: int) -> tuple[m.Option, ...]:
    """Options that were not the same never become the same by being cut."""
    bodies = [_body(option.body, most) for option in options]
    seen = Counter(map(_words, bodies))
    if len(seen) == len(options):
        return tuple(
            replace(option, body=body) for option, body in zip(options, bodies, strict=True)
        )
    whole = [_words(option.body) for option in options]
    return tuple(
        replace(option, body=body if seen[_words(body)] == 1 else _difference(at, whole, most))
        for at, (option, body) in enumerate(zip(options, bodies, strict=True))
    )


def _difference(at: int, texts: Sequence[str], most: int) -> Body:
    """An option from before where it begins to differ from the one that is most like it."""
    text = texts[at]
    start = before_difference(at, texts, most)
    # A sign takes two units at most.
    start = max(0, start - max(0, most - 1 - of_text(text[start:])) // 2)
    if start == 0:
        return (m.Paragraph((m.Plain(cut_text(text, most)),)),)
    return (m.Paragraph((m.Plain("…" + cut_text(text[start:], max(most - 1, 4))),)),)


def _words(body: Body) -> str:
    return m.plain_text(m.Message(body))
