"""Spreads a message over pages: nothing is left out, and no page has the last line alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from adapters.slack.fit import fitted, size
from bot import messages as m

Pages = list[list[m.Block]]

MOST_BLOCKS = 40
_TRIES = 8


def pages(blocks: Sequence[m.Block], most: int, below: int) -> Pages:
    """The blocks on as few pages as have so much room each, all about as long.

    What stands `below` the last page takes some of its room.
    """
    pieces = [
        piece if size([piece]) <= most - below else fitted([piece], most - below)[0]
        for piece in _pieces(blocks)
    ]
    sizes = [size([piece]) for piece in pieces]
    fewest = len(_filled(pieces, sizes, most))
    least = max([sum(sizes) // fewest, *sizes])
    for part in range(_TRIES + 1):
        filled = _filled(pieces, sizes, least + (most - least) * part // _TRIES)
        if len(filled) == fewest and size(filled[-1]) <= most - below:
            return filled
    return _filled(pieces, sizes, most - below)


def _filled(pieces: Sequence[m.Block], sizes: Sequence[int], most: int) -> Pages:
    out: Pages = [[]]
    room = most
    for piece, needed in zip(pieces, sizes, strict=True):
        if out[-1] and (needed > room or len(out[-1]) >= MOST_BLOCKS):
            out.append([])
            room = most
        _join(out[-1], piece)
        room -= needed
    return out


def _pieces(blocks: Iterable[m.Block]) -> Iterator[m.Block]:
    """What stays together on a page: a block, one option, one rank."""
    for block in blocks:
        match block:
            case m.Options(options, _):
                yield from (replace(block, options=(option,)) for option in options)
            case m.Ranking(ranks):
                yield from (m.Ranking((rank,)) for rank in ranks)
            case _:
                yield block


def _join(page: list[m.Block], piece: m.Block) -> None:
    last = page[-1] if page else None
    if isinstance(last, m.Options) and isinstance(piece, m.Options):
        page[-1] = replace(last, options=(*last.options, *piece.options))
    elif isinstance(last, m.Ranking) and isinstance(piece, m.Ranking):
        page[-1] = m.Ranking((*last.ranks, *piece.ranks))
    else:
        page.append(piece)
