"""Draw a form as the inside of a dialog."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from adapters.local.render import choice, direction
from adapters.local.room_html import Attributes, Child, Html, el
from adapters.local.room_words import translator
from bot import messages as m


def form(shown: m.Form, people: Sequence[m.Choice], places: Sequence[m.Choice]) -> Html:
    """A form with its errors at the fields; people and places are the room's own."""
    t = translator(shown.language)
    errors = dict(shown.errors)
    fields = [_field(f, errors.get(f.name), people, places) for f in shown.fields]
    named = {f.name for f in shown.fields}
    others = [
        el("p", {"class": "wrong"}, what) for name, what in errors.items() if name not in named
    ]
    return el(
        "form",
        {
            "method": "dialog",
            "class": "form",
            "novalidate": True,
            "data-token": shown.token,
            "lang": shown.language,
            "dir": direction(shown.language),
        },
        el("h2", {"id": "form-title", "dir": "auto"}, shown.title),
        el("div", {"role": "alert"}, others) if others else None,
        fields,
        el(
            "div",
            {"class": "row"},
            el("button", {"type": "submit", "class": "button primary"}, shown.submit),
            el(
                "button",
                {"type": "button", "class": "button secondary", "data-close": True},
                t.gettext("Cancel"),
            ),
        ),
    )


def _field(
    field: m.Field, error: str | None, people: Sequence[m.Choice], places: Sequence[m.Choice]
) -> Html:
    match field:
        case m.TextField():
            return _labelled(field.name, field.label, field.hint, error, _text(field, error))
        case m.ChoiceField(name, label, given, value):
            return _labelled(name, label, "", error, _list(name, given, value, error, True))
        case m.SearchField():
            return _labelled(field.name, field.label, field.hint, error, _search(field, error))
        case m.PersonField(name, label, required):
            return _labelled(name, label, "", error, _list(name, people, None, error, required))
        case m.PlaceField(name, label, required):
            return _labelled(name, label, "", error, _list(name, places, None, error, required))
        case _:
            assert_never(field)


def _labelled(name: str, label: str, hint: str, error: str | None, control: Html) -> Html:
    wrong = el("p", {"class": "wrong", "id": f"wrong-{name}", "dir": "auto"}, error)
    return el(
        "div",
        {"class": "field"},
        el("label", {"for": f"field-{name}", "dir": "auto"}, label),
        el("p", {"class": "hint", "id": f"hint-{name}", "dir": "auto"}, hint) if hint else None,
        control,
        wrong if error else None,
    )


def _common(
    name: str, hint: str, error: str | None, required: bool
) -> dict[str, str | bool | None]:
    described = [f"hint-{name}"] * bool(hint) + [f"wrong-{name}"] * bool(error)
    return {
        "id": f"field-{name}",
        "name": name,
        "required": required,
        "aria-invalid": "true" if error else None,
        "aria-describedby": " ".join(described) or None,
    }


def _text(field: m.TextField, error: str | None) -> Html:
    attributes: Attributes = {
        **_common(field.name, field.hint, error, field.required),
        "maxlength": str(field.longest),
        "dir": "auto",
        "autocomplete": "off",
    }
    if field.many_lines:
        return el("textarea", {**attributes, "rows": "5"}, field.value)
    return el("input", {**attributes, "type": "text", "value": field.value})


def _search(field: m.SearchField, error: str | None) -> Html:
    attributes: Attributes = {
        **_common(field.name, field.hint, error, True),
        "type": "text",
        "value": field.value,
        "data-source": field.source,
        "dir": "auto",
        "autocomplete": "off",
    }
    return el("div", {"class": "search"}, el("input", attributes))


def _list(
    name: str, given: Sequence[m.Choice], value: str | None, error: str | None, required: bool
) -> Html:
    items: list[Child] = [choice(each, value) for each in given]
    if not required or value is None:
        items.insert(0, el("option", {"value": ""}, "–"))
    return el("select", _common(name, "", error, required), items)
