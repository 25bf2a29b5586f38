"""Forms as Discord's modals; and as a message with a button, where none can open."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from adapters.discord.controls import CHOICE, MOST_CHOICES, PLACEHOLDER, choices, line
from adapters.discord.markup import cleaned, cut
from bot import messages as m
from bot.wording.catalogues import translator

Component = dict[str, Any]
IsGroup = Callable[[str], bool]
"""Whether an id is a role's: a list of people and roles has to say which of them is which."""

_INPUT, _LABEL = 4, 18
_SELECT, _PEOPLE, _ROLES, _MENTIONABLE, _CHANNELS = 3, 5, 6, 7, 8
_PICKERS = (_PEOPLE, _ROLES, _MENTIONABLE, _CHANNELS)
_TEXT, _VOICE, _NEWS, _STAGE, _FORUM = 0, 2, 5, 13, 15

IDS = "[0-9]{1,20}"
_LONGEST_NAME = 100
_MOST_COMPONENTS = 100
"""Many times what a form of Discord's has: a forged one is not read any further."""

TITLE, NAME, HINT, MOST_FIELDS, LONGEST = 45, 45, 100, 5, 4000


def modal(form: m.Form, is_group: IsGroup = lambda key: False) -> dict[str, Any]:
    """The form as the data of a modal."""
    errors = dict(form.errors)
    return {
        "title": line(form.title, TITLE),
        "custom_id": form.token,
        "components": [
            _label(field, errors.get(field.name), is_group) for field in form.fields[:MOST_FIELDS]
        ],
    }


def as_message(form: m.Form) -> m.Message:
    """A form that cannot open now: what is wrong with it, and a button that opens it.

    What was typed is in the button.
    """
    speaks = translator(form.language)
    if form.errors:
        lines = [error for _, error in form.errors]
        label = speaks.gettext("Correct it")
    else:
        said = speaks.gettext("“{form}” did not open by itself: press the button, or ask again.")
        lines = [said.format(form=form.title)]
        label = form.title
    button = m.Button(label, form.again or form.token, "primary")
    return m.Message(
        tuple(m.Paragraph((m.Plain(text),)) for text in lines), ((button,),), form.language
    )


def values(components: object) -> dict[str, str]:
    """What was entered, by the names of the fields; of several ids with commas between.

    Of people, roles and channels only what can be an id of Discord's: a forged form has any text.
    """
    found: dict[str, str] = {}
    waiting = _each(components)
    for _ in range(_MOST_COMPONENTS):
        if not waiting:
            break
        component = waiting.pop(0)
        inner = _each([component.get("component")]) + _each(component.get("components"))
        waiting = inner + waiting
        name = component.get("custom_id")
        if isinstance(name, str):
            found[name[:_LONGEST_NAME]] = _value(component)
    return found


def _each(components: object) -> list[Mapping[str, Any]]:
    found = components if isinstance(components, list) else []
    return [one for one in found if isinstance(one, Mapping)]


def _value(component: Mapping[str, Any]) -> str:
    chosen = component.get("values")
    if not isinstance(chosen, list):
        value = component.get("value")
        return value[:LONGEST] if isinstance(value, str) else ""
    is_picker = component.get("type") in _PICKERS
    known = [
        one
        for one in chosen
        if isinstance(one, str) and len(one) <= CHOICE and (is_id(one) or not is_picker)
    ]
    return ",".join(known[:MOST_CHOICES])


def is_id(text: str) -> bool:
    """Whether this is written as Discord writes ids."""
    return re.fullmatch(IDS, text) is not None


def _label(field: m.Field, error: str | None, is_group: IsGroup) -> Component:
    label: Component = {
        "type": _LABEL,
        "label": line(field.label, NAME),
        "component": _field(field, is_group),
    }
    if error:
        label["description"] = line(error, HINT)
    return label


def _field(field: m.Field, is_group: IsGroup) -> Component:
    match field:
        case m.TextField():
            return _input(
                field.name, field.value, field.hint, field.longest,
                required=field.required, many_lines=field.many_lines,
            )  # fmt: skip
        case m.SearchField():
            return _input(field.name, field.value, field.hint, CHOICE)
        case m.ChoiceField(name, _, given, value):
            options = choices(given, value)
            return {"type": _SELECT, "custom_id": name, "options": options, "required": True}
        case m.PersonField():
            kind = _MENTIONABLE if field.groups else _PEOPLE
            chosen = [(key, "role" if is_group(key) else "user") for key in field.chosen]
            if not field.people:
                kind, chosen = _ROLES, [(key, "role") for key in field.chosen]
            return _picker(field, kind, chosen)
        case m.PlaceField():
            drawn = _picker(field, _CHANNELS, [(key, "channel") for key in field.chosen])
            return drawn | {"channel_types": [_TEXT, _VOICE, _NEWS, _STAGE, _FORUM]}
        case _:
            assert_never(field)


def _input(
    name: str,
    value: str,
    hint: str,
    longest: int,
    *,
    required: bool = True,
    many_lines: bool = False,
) -> Component:
    longest = max(1, min(longest, LONGEST))
    drawn: Component = {
        "type": _INPUT,
        "custom_id": name,
        "style": 2 if many_lines else 1,
        "required": required,
        "max_length": longest,
    }
    if hint:
        drawn["placeholder"] = line(hint, min(HINT, PLACEHOLDER))
    if value:
        drawn["value"] = cut(cleaned(value), longest)
    return drawn


def _picker(
    field: m.PersonField | m.PlaceField, kind: int, chosen: Sequence[tuple[str, str]]
) -> Component:
    most = MOST_CHOICES if field.several else 1
    drawn: Component = {
        "type": kind,
        "custom_id": field.name,
        "min_values": 1 if field.required else 0,
        "max_values": most,
        "required": field.required,
    }
    known = [{"id": key, "type": what} for key, what in chosen if is_id(key)]
    if known:
        drawn["default_values"] = known[:most]
    return drawn
