"""Draw messages for a terminal: structure in, rich's renderables out.

The only place that makes texts of banks and people harmless there: what a terminal takes for
a command never reaches it, and nothing is read as markup.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from rich.box import ROUNDED
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.style import Style
from rich.table import Table
from rich.text import Text

from adapters import marks
from adapters.local.render import safe_url
from adapters.local.turns import TURNS
from bot import messages as m
from bot.wording.voice import Voice

KEY = Style(color="cyan", bold=True)
WEAK = Style(dim=True)
_HEADING = Style(color="cyan")
_RIGHT = Style(color="green", bold=True)
_CODE = Style(color="magenta")
_ADDRESS = Style(dim=True, underline=True)

# Rich breaks lines at every white space. These are in no text: Unicode keeps them for programs.
_BOUND = {0x00A0: 0xFDD0, 0x2007: 0xFDD1, 0x202F: 0xFDD2}
_UNBOUND = {stand_in: space for space, stand_in in _BOUND.items()}

_BAR_CELLS = 30
_LINE = 80


def clean(text: str) -> str:
    """The text without signs that a terminal obeys; line breaks stay."""
    lines = "\n".join(text.splitlines()) + ("\n" if text.endswith("\n") else "")
    return "".join(sign for sign in lines.expandtabs(4) if _is_harmless(sign))


def bound(text: str) -> str:
    """The same, kept together where no line may break until `unbound` gives the spaces back."""
    return clean(text).translate(_BOUND)


def unbound(text: str) -> str:
    """Text whose lines are made, with its spaces as they were."""
    return text.translate(_UNBOUND)


def message(shown: m.Message, *, bars: bool, keys: Mapping[str, str] | None = None) -> Group:
    """A message's blocks with air between them.

    `bars` draws where else words stand. `keys` are those of choices that the message names
    itself, each in a line of its own: they are put before that line.
    """
    voice, keys = Voice.of(shown.language), keys or {}
    drawn: list[RenderableType] = []
    margin = max(map(len, keys.values())) + 2 if keys else 0
    for before, part in zip((None, *shown.blocks), shown.blocks, strict=False):
        if before is not None and not _belongs_to(before, part):
            drawn.append("")
        key = keys.get(words_of(part))
        body = block(part, voice, bars=bars)
        drawn.append(body if not keys else _with_margin(key or "", body, margin))
    return Group(*drawn)


def words_of(part: m.Block) -> str:
    """The words of a block that is nothing but a line."""
    return m.text_of(part.spans) if isinstance(part, m.Paragraph | m.Heading) else ""


def block(part: m.Block, voice: Voice, *, bars: bool = False) -> RenderableType:
    """One block; `voice` says what is added around it."""
    match part:
        case m.Heading(parts):
            return line(parts, _HEADING)
        case m.Paragraph(parts):
            return line(parts)
        case m.Small(parts):
            return line(parts, WEAK)
        case m.CodeBlock(text, _):
            code = Text(bound(text), style=_CODE, overflow="fold")
            return Panel(code, box=ROUNDED, border_style=WEAK, expand=False)
        case m.Options(options, _):
            return _options(options, voice)
        case m.Spread(all_bars, words):
            return _spread(all_bars) if bars else Text(bound(words))
        case m.Ranking(ranks):
            return _ranking(ranks)
        case m.Picture(path, alt, _):
            said = voice.phrase("Picture: {description}", description=alt)
            return Text(bound(f"{said}\n{path}"), style=WEAK)
        case _:
            assert_never(part)


def line(parts: m.Spans, style: Style | str = "") -> Text:
    """Spans as one text."""
    text = Text(style=style, overflow="fold")
    for piece, of_piece in _pieces(parts, Style.null()):
        text.append(bound(piece), of_piece)
    return text


def is_web(url: str) -> bool:
    """Whether it leads to a page that can be opened from here."""
    return safe_url(url) is not None and not url.startswith("/")


def _belongs_to(before: m.Block, part: m.Block) -> bool:
    """A small line says something of the line above it; below a longer text it stands alone."""
    if not isinstance(part, m.Small):
        return False
    return isinstance(before, m.Small) or 0 < len(words_of(before)) <= _LINE


def _with_margin(key: str, body: RenderableType, width: int) -> RenderableType:
    grid = Table.grid()
    grid.add_column(width=width)
    grid.add_column()
    grid.add_row(Text(key, KEY), body)
    return grid


# --- inside ----------------------------------------------------------------------------------


def _is_harmless(sign: str) -> bool:
    if sign == "\n":
        return True
    return (
        unicodedata.category(sign) not in ("Cc", "Cs")
        and sign not in TURNS
        and ord(sign) not in _UNBOUND
    )


def _pieces(parts: Iterable[m.Span], style: Style) -> Iterator[tuple[str, Style]]:
    for part in parts:
        match part:
            case m.Plain(text) | m.Name(text) | m.PlaceName(_, text) | m.When(_, _, text):
                yield text, style
            case m.Code(text):
                yield text, style + _CODE
            case m.Bold(inner):
                yield from _pieces(inner, style + Style(bold=True))
            case m.Emphasis(inner):
                yield from _pieces(inner, style + Style(italic=True))
            case m.Foreign(inner, _):
                yield from _pieces(inner, style)
            case m.Link(inner, url):
                yield from _pieces(inner, style)
                yield from _address(inner, url, style)
            case _:
                assert_never(part)


def _address(inner: m.Spans, url: str, style: Style) -> Iterator[tuple[str, Style]]:
    """A link is shown, since it cannot be pressed everywhere."""
    if is_web(url) and m.text_of(inner) != url:
        yield " ", style
        yield url, style + _ADDRESS


def _options(options: Iterable[m.Option], voice: Voice) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for each in options:
        body: list[RenderableType] = [block(part, voice) for part in each.body]
        style = KEY
        if each.mark is not None:
            style = KEY if each.mark == "chosen" else _RIGHT
            body.append(Text(marks.in_words(each.mark, voice.language), style=style))
        grid.add_row(Text(each.letter, style=style), Group(*body))
    return Padding(grid, (0, 0, 0, 2))


def _spread(bars: Iterable[m.Bar]) -> RenderableType:
    bars = tuple(bars)
    most = max((bar.count for bar in bars), default=0) or 1
    grid = Table.grid(padding=(0, 2))
    for bar in bars:
        style = _RIGHT if bar.right else KEY
        length = round(bar.count / most * _BAR_CELLS)
        drawn = Text("█" * length + " " * bool(length) + str(bar.count), style=style)
        grid.add_row(Text(bar.letter, style=style), drawn)
    return Padding(grid, (0, 0, 0, 2))


def _ranking(ranks: Iterable[m.Rank]) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_column(justify="right", no_wrap=True)
    for rank in ranks:
        grid.add_row(f"{rank.rank}.", Text(bound(_names(rank))), Text(str(rank.points), KEY))
    return Padding(grid, (0, 0, 0, 2))


def _names(rank: m.Rank) -> str:
    notes = rank.notes or ("",) * len(rank.names)
    named = [
        f"{name} ({note})" if note else name for name, note in zip(rank.names, notes, strict=True)
    ]
    return ", ".join([*named, *([rank.note] if rank.note else [])])
