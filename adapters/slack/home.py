"""Messages as the view of quizbot's Home: one below the other, with their buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from adapters.slack import render
from bot import messages as m

Block = dict[str, Any]

MOST_BLOCKS = 100
_NO_FILES: Mapping[str, str] = MappingProxyType({})


def view(
    shown: Sequence[m.Message], carried: str = "", files: Mapping[str, str] = _NO_FILES
) -> Block:
    """The Home of one person; `carried` comes back with what is pressed there.

    A message that has no room any more is left out, and those behind it.
    """
    drawn: list[Block] = []
    for message in shown:
        more = render.on_one(message, files).blocks
        if len(drawn) + 1 + len(more) > MOST_BLOCKS:
            break
        drawn += [*([{"type": "divider"}] if drawn else []), *more]
    view: Block = {"type": "home", "blocks": drawn}
    if carried:
        view["private_metadata"] = carried
    return view
