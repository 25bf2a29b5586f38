"""Long lists in pages: what stands on one, and the buttons to those beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot import tokens
from bot.messages import Button, Control, Row
from bot.wording.voice import Voice

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """What stands on a page; `number` counts from 0, of as many as there are `pages`."""

    shown: Sequence[Item]
    number: int
    pages: int


def page_of(found: Sequence[Item], number: int, size: int) -> Page[Item]:
    """The page of this number, or the last one where there are fewer by now."""
    pages = max(1, -(-len(found) // size))
    number = min(number, pages - 1)
    return Page(found[number * size : (number + 1) * size], number, pages)


def turn_pages(
    page: int, pages: int, to: Callable[[int], tokens.Choice], voice: Voice
) -> tuple[Row, ...]:
    """A row to the pages before and after, if there are any."""
    row: list[Control] = []
    if page > 0:
        row.append(Button(voice.phrase("Page before"), tokens.write(to(page - 1))))
    if page + 1 < pages:
        row.append(Button(voice.phrase("Next page"), tokens.write(to(page + 1))))
    return (tuple(row),) if row else ()
