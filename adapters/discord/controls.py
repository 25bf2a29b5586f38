"""Buttons and selects as Discord's components, within its limits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, assert_never

from adapters.discord.markup import cleaned, cut, web_address
from bot import messages as m

Component = dict[str, Any]

ROW, BUTTON, SELECT = 1, 2, 3
IN_A_ROW, MOST_ROWS = 5, 5

LABEL, CHOICE, PLACEHOLDER, LINK = 80, 100, 150, 512
MOST_CHOICES = 25

_STYLES = {"answer": 1, "primary": 1, "secondary": 2, "danger": 4}
_LINK_STYLE = 5
_GAPS = re.compile(r"[ \t\n\r\f\v]+")


def rows(controls: Sequence[m.Row]) -> list[Component]:
    """Action rows; of controls that would do the same the first one stays."""
    known: set[str] = set()
    drawn: list[list[Component]] = []
    for row in controls:
        components = [each for each in map(_control, row) if each and _is_new(each, known)]
        drawn += _split(components)
    return [{"type": ROW, "components": row} for row in _packed(drawn)]


def line(text: str, most: int) -> str:
    """A label: one line that is never empty; a space that holds words together stays one."""
    return cut(_GAPS.sub(" ", cleaned(text)).strip(), most) or "…"


def choices(given: Iterable[m.Choice], chosen: str | None = None) -> list[Component]:
    """The options of a select: a value stands there once, and the chosen one always."""
    found = {choice.value: choice for choice in given if 0 < len(choice.value) <= CHOICE}
    shown = list(found.values())[:MOST_CHOICES]
    if chosen in found and found[chosen] not in shown:
        shown[-1] = found[chosen]
    return [_choice(choice, chosen) for choice in shown]


def _choice(choice: m.Choice, chosen: str | None) -> Component:
    drawn: Component = {"label": line(choice.label, CHOICE), "value": choice.value}
    if choice.description.strip():
        drawn["description"] = line(choice.description, CHOICE)
    if choice.value == chosen:
        drawn["default"] = True
    return drawn


def _control(control: m.Control) -> Component | None:
    match control:
        case m.Button(label, token, style, _):
            return {
                "type": BUTTON,
                "style": _STYLES[style],
                "label": line(label, LABEL),
                "custom_id": token,
            }
        case m.LinkButton(label, url):
            address = web_address(url, LINK)
            words = line(label, LABEL)
            drawn = {"type": BUTTON, "style": _LINK_STYLE, "label": words, "url": address}
            return drawn if address else None
        case m.Select(token, placeholder, given, chosen):
            options = choices(given, chosen)
            words = line(placeholder, PLACEHOLDER)
            drawn = {"type": SELECT, "custom_id": token, "placeholder": words, "options": options}
            return drawn if options else None
        case _:
            assert_never(control)


def _is_new(component: Component, known: set[str]) -> bool:
    token = component.get("custom_id")
    if token is None:
        return True
    if token in known:
        return False
    known.add(token)
    return True


def _split(components: list[Component]) -> Iterator[list[Component]]:
    """Rows of five buttons, or of one select."""
    row: list[Component] = []
    for component in components:
        if row and (
            component["type"] == SELECT or row[0]["type"] == SELECT or len(row) == IN_A_ROW
        ):
            yield row
            row = []
        row.append(component)
    if row:
        yield row


def _packed(drawn: list[list[Component]]) -> list[list[Component]]:
    """At most five rows: rows that fit into one are put together from below, then the last go."""
    packed = list(drawn)
    while len(packed) > MOST_ROWS:
        pairs = [
            at
            for at in range(len(packed) - 1, 0, -1)
            if len(packed[at - 1]) + len(packed[at]) <= IN_A_ROW
            and SELECT not in (packed[at - 1][0]["type"], packed[at][0]["type"])
        ]
        if not pairs:
            return packed[:MOST_ROWS]
        packed[pairs[0] - 1 : pairs[0] + 1] = [packed[pairs[0] - 1] + packed[pairs[0]]]
    return packed
