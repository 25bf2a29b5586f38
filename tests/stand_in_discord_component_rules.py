"""The rules of buttons, selects, forms and layouts: Discord's components, old and V2."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from stand_in_discord_errors import Problem

Path = tuple[str | int, ...]
Component = dict[str, Any]

ROW, BUTTON, SELECT, TEXT_INPUT = 1, 2, 3, 4
SELECTS = frozenset({3, 5, 6, 7, 8})
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 9, 10, 11, 12, 13, 14, 17
LABEL, UPLOAD, RADIO, CHECKBOXES, CHECKBOX = 18, 19, 21, 22, 23

VARIANT = "\ufe0f"  # it makes an emoji of what can also be a sign

IN_LABEL = SELECTS | {TEXT_INPUT, UPLOAD, RADIO, CHECKBOXES, CHECKBOX}
IN_CONTAINER = frozenset({ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR})
AT_TOP = {
    "legacy": frozenset({ROW}),
    "v2": IN_CONTAINER | {CONTAINER},
    "modal": frozenset({ROW, TEXT, LABEL}),
}


def walk(
    components: Iterable[Component], path: Path = ("components",)
) -> Iterator[tuple[Path, Component]]:
    """Every component with the place where it stands, the outer before the inner."""
    for number, component in enumerate(components):
        yield from _walk_one((*path, number), component)


def _walk_one(path: Path, component: Component) -> Iterator[tuple[Path, Component]]:
    yield path, component
    yield from walk(component.get("components") or (), (*path, "components"))
    for key in ("accessory", "component"):
        if component.get(key):
            yield from _walk_one((*path, key), component[key])


def check_components(
    components: Sequence[Component], *, v2: bool, files: set[str]
) -> Iterator[Problem]:
    every = list(walk(components))
    if v2:
        if len(every) > 40:
            yield Problem(("components",), "BASE_TYPE_MAX_LENGTH", "At most 40 components in all.")
        if sum(len(one.get("content", "")) for _, one in every if one["type"] == TEXT) > 4000:
            message = "Total displayable text must be 4000 or fewer in length."
            yield Problem(("components",), "COMPONENT_MAX_DISPLAYABLE_TEXT_SIZE", message)
    elif len(components) > 5:
        yield Problem(("components",), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
    yield from _check_types(components, AT_TOP["v2" if v2 else "legacy"], ("components",))
    yield from _check_ids(every)
    for path, component in every:
        yield from _check_one(path, component)
        for place, url in _media(path, component):
            if url.startswith("attachment://") and url.removeprefix("attachment://") not in files:
                message = f"{url} is not among the attachments."
                yield Problem(place, "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", message)


def check_modal(data: Mapping[str, Any]) -> Iterator[Problem]:
    yield from _check_length(("title",), data.get("title"), 1, 45)
    yield from _check_length(("custom_id",), data.get("custom_id"), 1, 100)
    components = data.get("components") or ()
    yield from _check_count(("components",), components, 1, 5)
    yield from _check_types(components, AT_TOP["modal"], ("components",))
    every = list(walk(components))
    yield from _check_ids(every)
    for path, component in every:
        yield from _check_one(path, component, modal=True)


def _check_ids(every: list[tuple[Path, Component]]) -> Iterator[Problem]:
    custom = Counter(one["custom_id"] for _, one in every if one.get("custom_id") is not None)
    numbers = Counter(one["id"] for _, one in every if one.get("id"))
    for path, component in every:
        if custom[component.get("custom_id")] > 1:
            message = "Component custom id cannot be duplicated"
            yield Problem((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", message)
        if numbers[component.get("id")] > 1:
            message = "Component id cannot be duplicated"
            yield Problem((*path, "id"), "COMPONENT_ID_DUPLICATED", message)


def _check_one(path: Path, component: Component, *, modal: bool = False) -> Iterator[Problem]:
    kind = component["type"]
    if kind in SELECTS or kind in (TEXT_INPUT, UPLOAD, RADIO, CHECKBOXES, CHECKBOX):
        yield from _check_length((*path, "custom_id"), component.get("custom_id"), 1, 100)
    if kind == BUTTON:
        yield from _check_button(path, component)
    elif kind == ROW:
        yield from _check_row(path, component, modal)
    elif kind in SELECTS:
        yield from _check_select(path, component, modal)
    elif kind == TEXT_INPUT:
        yield from _check_text_input(path, component)
    elif kind == LABEL:
        yield from _check_length((*path, "label"), component.get("label"), 1, 45)
        if component.get("description") is not None:
            yield from _check_length((*path, "description"), component["description"], 1, 100)
        yield from _check_types([component.get("component") or {}], IN_LABEL, path)
    elif kind in (RADIO, CHECKBOXES):
        yield from _check_options(path, component, 2 if kind == RADIO else 1, 10)
    else:
        yield from _check_layout(path, component)


def _check_layout(path: Path, component: Component) -> Iterator[Problem]:
    inner = component.get("components") or ()
    match component["type"]:
        case 9:
            yield from _check_count((*path, "components"), inner, 1, 3)
            yield from _check_types(inner, frozenset({TEXT}), (*path, "components"))
            accessory = component.get("accessory") or {}
            yield from _check_types([accessory], frozenset({BUTTON, THUMBNAIL}), path)
        case 10:
            yield from _check_length((*path, "content"), component.get("content"), 1, 4000)
        case 11:
            yield from _check_most((*path, "description"), component.get("description"), 1024)
        case 12:
            items = component.get("items") or ()
            yield from _check_count((*path, "items"), items, 1, 10)
            for number, item in enumerate(items):
                place = (*path, "items", number, "description")
                yield from _check_most(place, item.get("description"), 1024)
        case 17:
            yield from _check_count((*path, "components"), inner, 1, 39)
            yield from _check_types(inner, IN_CONTAINER, (*path, "components"))
        case _:
            pass


def _check_row(path: Path, row: Component, modal: bool) -> Iterator[Problem]:
    inner = row.get("components") or ()
    kinds = {component.get("type") for component in inner}
    if modal:
        yield from _check_count((*path, "components"), inner, 1, 1)
        yield from _check_types(inner, frozenset({TEXT_INPUT}), (*path, "components"))
        for number, one in enumerate(inner):
            yield from _check_length(
                (*path, "components", number, "label"), one.get("label"), 1, 45
            )
    elif kinds & SELECTS:
        yield from _check_count((*path, "components"), inner, 1, 1)
    else:
        yield from _check_count((*path, "components"), inner, 1, 5)
        yield from _check_types(inner, frozenset({BUTTON}), (*path, "components"))


def _check_button(path: Path, button: Component) -> Iterator[Problem]:
    style, emoji = button.get("style"), button.get("emoji")
    if button.get("label") or not emoji:
        yield from _check_length((*path, "label"), button.get("label"), 1, 80)
    if emoji:
        yield from _check_emoji((*path, "emoji"), emoji)
    if style == 5:
        if not button.get("url") or button.get("custom_id"):
            yield Problem((*path, "url"), "BASE_TYPE_REQUIRED", "A url and no custom id, please.")
        yield from _check_most((*path, "url"), button.get("url"), 512)
    elif style in (1, 2, 3, 4):
        yield from _check_length((*path, "custom_id"), button.get("custom_id"), 1, 100)
        if button.get("url"):
            yield Problem((*path, "url"), "BUTTON_COMPONENT_URL_NOT_ALLOWED", "Not with a url.")
    elif style != 6:
        yield Problem((*path, "style"), "BASE_TYPE_CHOICES", "Value must be one of (1, …, 6).")


def _check_select(path: Path, select: Component, modal: bool) -> Iterator[Problem]:
    yield from _check_most((*path, "placeholder"), select.get("placeholder"), 150)
    least, most = select.get("min_values"), select.get("max_values")
    least, most = 1 if least is None else least, 1 if most is None else most
    if not 0 <= least <= 25 or not 1 <= most <= 25 or least > most:
        yield Problem((*path, "min_values"), "NUMBER_TYPE_RANGE", "0 ≤ min ≤ max ≤ 25, 1 ≤ max.")
    if modal and select.get("disabled"):
        yield Problem((*path, "disabled"), "BASE_TYPE_CHOICES", "Not in a modal.")
    if select["type"] == SELECT:
        yield from _check_options(path, select, 1, 25)
        options = select.get("options") or ()
        if most > len(options):
            message = f"There are only {len(options)} options."
            yield Problem((*path, "max_values"), "SELECT_COMPONENT_MAX_VALUES", message)
        if sum(bool(option.get("default")) for option in options) > most:
            message = "More defaults than can be chosen."
            yield Problem((*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULTS", message)


def _check_options(path: Path, component: Component, least: int, most: int) -> Iterator[Problem]:
    options = component.get("options") or ()
    yield from _check_count((*path, "options"), options, least, most)
    values = Counter(option.get("value") for option in options)
    for number, option in enumerate(options):
        place = (*path, "options", number)
        yield from _check_length((*place, "label"), option.get("label"), 1, 100)
        yield from _check_length((*place, "value"), option.get("value"), 1, 100)
        yield from _check_most((*place, "description"), option.get("description"), 100)
        if option.get("emoji"):
            yield from _check_emoji((*place, "emoji"), option["emoji"])
        if values[option.get("value")] > 1:
            message = "The specified option value is already used"
            yield Problem((*place, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message)


def _check_text_input(path: Path, text: Component) -> Iterator[Problem]:
    least, most = text.get("min_length") or 0, text.get("max_length") or 4000
    if not 0 <= least <= most <= 4000:
        yield Problem((*path, "min_length"), "NUMBER_TYPE_RANGE", "0 ≤ min ≤ max ≤ 4000.")
    yield from _check_most((*path, "placeholder"), text.get("placeholder"), 100)
    value = text.get("value")
    yield from _check_most((*path, "value"), value, most)


def _check_emoji(path: Path, emoji: Component) -> Iterator[Problem]:
    name = emoji.get("name") or ""
    known = any(
        unicodedata.category(sign) in ("So", "Sk", "Me") or sign == VARIANT for sign in name
    )
    if not emoji.get("id") and not (known and not any(map(str.isalpha, name))):
        yield Problem((*path, "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")


def _check_types(
    components: Sequence[Component], allowed: frozenset[int], path: Path
) -> Iterator[Problem]:
    for number, component in enumerate(components):
        if component.get("type") not in allowed:
            message = f'Value of field "type" must be one of {tuple(sorted(allowed))}.'
            yield Problem((*path, number, "type"), "UNION_TYPE_CHOICES", message)


def _check_length(path: Path, text: object, least: int, most: int) -> Iterator[Problem]:
    if not isinstance(text, str):
        yield Problem(path, "BASE_TYPE_REQUIRED", "This field is required")
    elif not least <= len(text) <= most:
        message = f"Must be between {least} and {most} in length."
        yield Problem(path, "BASE_TYPE_BAD_LENGTH", message)


def _check_most(path: Path, text: object, most: int) -> Iterator[Problem]:
    if text is not None:
        yield from _check_length(path, text, 0, most)


def _check_count(path: Path, items: Sequence[object], least: int, most: int) -> Iterator[Problem]:
    if not least <= len(items) <= most:
        message = f"Must be between {least} and {most} in length."
        yield Problem(path, "BASE_TYPE_BAD_LENGTH", message)


def _media(path: Path, component: Component) -> Iterator[tuple[Path, str]]:
    if component["type"] == THUMBNAIL:
        yield (*path, "media", "url"), component["media"]["url"]
    elif component["type"] == FILE:
        yield (*path, "file", "url"), component["file"]["url"]
    elif component["type"] == GALLERY:
        for number, item in enumerate(component.get("items") or ()):
            yield (*path, "items", number, "media", "url"), item["media"]["url"]
