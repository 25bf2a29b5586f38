"""Draws messages as Discord's components: what they say is escaped and fitted only here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, assert_never

from adapters import marks
from adapters.discord import markup
from adapters.discord.controls import rows
from adapters.discord.fit import fitted, length_for, widths
from adapters.discord.pictures import can_be_sent
from adapters.text import units
from bot import messages as m

Component = dict[str, Any]

TEXT, GALLERY, CONTAINER = 10, 12, 17
MOST_TEXT, MOST_COMPONENTS = 4000, 40
MOST_ALT = 1024

_MOST_CUTS = 3
"""Once is nearly always enough; what is between texts is not measured before it is drawn."""

_ASKED = 0x5865F2
"""The edge of a message whose buttons wait for an answer; the others have none."""

_BAR = "▇"
_LONGEST_BAR = 12


@dataclass(frozen=True, slots=True)
class File:
    """A picture to send along, under the name by which the components call it."""

    path: Path
    name: str
    alt: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A message as Discord takes it."""

    components: list[Component]
    files: tuple[File, ...] = ()


def message(shown: m.Message, *, pictures: bool = True) -> Drawn:
    """The components of a message; without `pictures` their descriptions stand in for them."""
    blocks = _ranked(_with_descriptions(shown.blocks, pictures=pictures))
    above = [] if shown.mention is None else [_text(f"<@&{shown.mention.id}>")]
    most = MOST_TEXT - sum(units(one["content"]) for one in above)
    parts = _within(blocks, shown.language, most)
    controls = rows(shown.controls)
    parts = _merged(
        parts,
        MOST_COMPONENTS - 1 - len(above) - sum(1 + len(row["components"]) for row in controls),
    )
    inner = [_text(part) if isinstance(part, str) else _gallery(part) for part in parts]
    container: Component = {"type": CONTAINER, "components": [*inner, *controls]}
    if any(b.style == "answer" for b in m.buttons_of(shown)):
        container["accent_color"] = _ASKED
    files = tuple(part for part in parts if isinstance(part, File))
    return Drawn([*above, container], files)


def _text(content: str) -> Component:
    return {"type": TEXT, "content": content}


def _gallery(file: File) -> Component:
    media = {"url": f"attachment://{file.name}"}
    return {"type": GALLERY, "items": [{"media": media, "description": file.alt or None}]}


# --- fitting ---------------------------------------------------------------------------------


def _within(blocks: Sequence[m.Block], language: str, most: int) -> list[str | File]:
    """The parts of a message; its long texts are cut to the one length with which all fits."""
    parts = _parts(blocks, language)
    over = _size(parts) - most
    if over <= 0:
        return parts
    taken = widths(blocks)
    room = sum(taken) - over
    for _ in range(_MOST_CUTS):
        parts = _parts(fitted(blocks, length_for(taken, room)), language)
        over = _size(parts) - most
        if over <= 0:
            break
        room -= over
    return parts


def _size(parts: Sequence[str | File]) -> int:
    # What is merged later is parted by a line break.
    return sum(units(part) + 1 for part in parts if isinstance(part, str))


def _merged(parts: list[str | File], most: int) -> list[str | File]:
    """At most so many parts: texts beside each other are put together from below."""
    while len(parts) > most:
        pairs = (
            at
            for at in range(len(parts) - 1, 0, -1)
            if isinstance(parts[at], str) and isinstance(parts[at - 1], str)
        )
        at = next(pairs, None)
        if at is None:
            break
        parts[at - 1 : at + 1] = [f"{parts[at - 1]}\n{parts[at]}"]
    return parts


def _parts(blocks: Sequence[m.Block], language: str) -> list[str | File]:
    """What stands below one another; each is a component of its own, with room around it."""
    parts = [
        part
        for part in (_part(block, language) for block in blocks)
        if isinstance(part, File) or part.strip()
    ]
    return parts or ["…"]


def _ranked(blocks: Sequence[m.Block]) -> list[m.Block]:
    """A heading over a question is the lesser of the two."""
    ranked = list(blocks)
    for at, (block, following) in enumerate(pairwise(blocks)):
        if isinstance(block, m.Heading) and _is_question(following):
            ranked[at] = m.Small(block.spans)
    return ranked


def _is_question(block: m.Block) -> bool:
    return (
        isinstance(block, m.Paragraph)
        and len(block.spans) == 1
        and isinstance(block.spans[0], m.Bold)
    )


def _part(block: m.Block, language: str) -> str | File:
    match block:
        case m.Heading(spans):
            return f"**{markup.spans(_unbold(spans), language)}**"
        case m.Paragraph(spans):
            return markup.spans(spans, language)
        case m.Small(spans):
            return _small(markup.spans(spans, language))
        case m.CodeBlock():
            return markup.code_block(block)
        case m.Options(options, _):
            return "\n".join(_option(option, language) for option in options)
        case m.Spread(bars, words):
            return _spread(bars, words)
        case m.Ranking(ranks):
            return "\n".join(map(_rank, ranks))
        case m.Picture(path, alt, _):
            return File(
                Path(path), f"picture{Path(path).suffix.lower()}", markup.cut(alt, MOST_ALT)
            )
        case _:
            assert_never(block)


# --- blocks ----------------------------------------------------------------------------------


def _small(text: str) -> str:
    return "\n".join(f"-# {line}" for line in text.split("\n") if line.strip())


def _unbold(spans: m.Spans) -> m.Spans:
    return tuple(
        inner for span in spans for inner in (span.spans if isinstance(span, m.Bold) else (span,))
    )


def _option(option: m.Option, language: str) -> str:
    lines = [
        markup.code_block(part)
        if isinstance(part, m.CodeBlock)
        else markup.spans(part.spans, language)
        for part in option.body
    ]
    begins_with_code = bool(option.body) and isinstance(option.body[0], m.CodeBlock)
    gap = "\n" if begins_with_code else "\u2002"
    mark = f" ({marks.in_words(option.mark, language)})" if option.mark else ""
    return f"**{markup.escaped(option.letter)}**{gap}" + "\n".join(lines) + mark


def _spread(bars: tuple[m.Bar, ...], words: str) -> str:
    """The words first; bars below them for who likes to see them, in the order of the letters."""
    most = max((bar.count for bar in bars), default=0)
    if not most:
        return markup.escaped(words)
    drawn = [f"`{bar.letter}` {_BAR * round(bar.count / most * _LONGEST_BAR)}" for bar in bars]
    return "\n".join([markup.escaped(words), *(bar.rstrip() for bar in drawn)])


def _rank(rank: m.Rank) -> str:
    notes = rank.notes or ("",) * len(rank.names)
    names = [
        f"{markup.name(name)} ({markup.escaped(note)})" if note else markup.name(name)
        for name, note in zip(rank.names, notes, strict=True)
    ]
    if rank.note:
        names.append(markup.escaped(rank.note))
    return rf"{rank.rank}\. {', '.join(names)}: **{rank.points}**"


# --- pictures --------------------------------------------------------------------------------


def _with_descriptions(blocks: Sequence[m.Block], *, pictures: bool) -> list[m.Block]:
    """Where a picture cannot be sent, what it shows stands there in words."""
    out: list[m.Block] = []
    for block in blocks:
        if not isinstance(block, m.Picture) or (pictures and can_be_sent(Path(block.path))):
            out.append(block)
        elif block.alt:
            out.append(m.Small((m.Foreign((m.Plain(block.alt),), block.language),)))
    return out
