"""Buttons and selects as elements of Slack's action blocks, within its limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, assert_never

from adapters.slack.markup import LONGEST_ADDRESS, labelled
from adapters.text import label, web_address
from bot import messages as m

Element = dict[str, Any]

LABEL, SPOKEN, PLACEHOLDER = 75, 75, 150
CHOICE, VALUE, MOST_CHOICES = 75, 150, 100
IN_A_BLOCK, MOST_ROWS = 25, 5

LINK = "link:"
"""What the `action_id` of a link begins with: Slack reports its press too, and nobody answers."""

_STYLES = {"primary": "primary", "danger": "danger"}


def rows(controls: Sequence[m.Row]) -> list[Element]:
    """Action blocks; of controls that would do the same the first one stays.

    The letters of a question are one block, however many they are: clients wrap it.
    """
    known: set[str] = set()
    drawn = [
        [each for each in map(_control, row) if each and _is_new(each, known)]
        for row in _letters_together(controls)
    ]
    return [{"type": "actions", "elements": row} for row in _packed(drawn)]


def size(rows: Iterable[Element]) -> int:
    """How much of a message's room the controls take."""
    elements = [element for row in rows for element in row["elements"]]
    return sum(24 + _texts(element) for element in elements)


def choices(given: Iterable[m.Choice]) -> list[Element]:
    """The options of a select; a value stands there once."""
    found = {choice.value: choice for choice in given if 0 < len(choice.value) <= VALUE}
    return [choice(each) for each in list(found.values())[:MOST_CHOICES]]


def choice(given: m.Choice) -> Element:
    drawn: Element = {"text": labelled(given.label, CHOICE), "value": given.value}
    if given.description.strip():
        drawn["description"] = labelled(given.description, CHOICE)
    return drawn


def chosen(options: Iterable[Element], value: str | None) -> Element | None:
    """The option of this value: what is chosen is said with all that it consists of."""
    return next((option for option in options if option["value"] == value), None)


def _control(control: m.Control) -> Element | None:
    match control:
        case m.Button():
            return _button(control)
        case m.LinkButton(words, url):
            address = web_address(url, LONGEST_ADDRESS)
            drawn: Element = {
                "type": "button",
                "action_id": f"{LINK}{address}"[:255],
                "text": labelled(words, LABEL),
                "url": address,
            }
            return drawn if address else None
        case m.Select(token, placeholder, given, value):
            options = choices(given)
            drawn = {
                "type": "static_select",
                "action_id": token,
                "placeholder": labelled(placeholder, PLACEHOLDER),
                "options": options,
            }
            if now := chosen(options, value):
                drawn["initial_option"] = now
            return drawn if options else None
        case _:
            assert_never(control)


def _button(button: m.Button) -> Element:
    drawn: Element = {
        "type": "button",
        "action_id": button.token,
        "text": labelled(button.label, LABEL),
    }
    if button.style in _STYLES:
        drawn["style"] = _STYLES[button.style]
    if button.spoken and button.spoken != button.label:
        drawn["accessibility_label"] = label(button.spoken, SPOKEN)
    return drawn


def _is_new(element: Element, known: set[str]) -> bool:
    if element["action_id"] in known:
        return False
    known.add(element["action_id"])
    return True


def _letters_together(controls: Sequence[m.Row]) -> Iterator[m.Row]:
    letters: m.Row = ()
    for row in controls:
        if row and all(isinstance(each, m.Button) and each.style == "answer" for each in row):
            letters += row
            continue
        if letters:
            yield letters
            letters = ()
        yield row
    if letters:
        yield letters


def _packed(drawn: Iterable[list[Element]]) -> list[list[Element]]:
    """Rows of at most 25; where there are many rows, the last ones become one."""
    packed = [row[at : at + IN_A_BLOCK] for row in drawn for at in range(0, len(row), IN_A_BLOCK)]
    while len(packed) > MOST_ROWS and len(packed[-2]) + len(packed[-1]) <= IN_A_BLOCK:
        packed[-2:] = [packed[-2] + packed[-1]]
    return packed[:MOST_ROWS]


def _texts(element: Element) -> int:
    texts = [element.get("text"), element.get("placeholder")]
    for option in element.get("options", ()):
        texts += [option["text"], option.get("description")]
    spoken = len(element.get("accessibility_label", ""))
    return spoken + sum(len(text["text"]) for text in texts if text)
