"""The rules of buttons, selects, inputs and images.

Documented: the keys, the lengths, the counts. Assumed: that an initial option that is none of the
options is refused, and that values of options must differ.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from stand_in_slack_checks import (
    STRICT,
    Fault,
    Faults,
    Shape,
    check_flags,
    check_keys,
    check_length,
    check_many,
    check_number,
    check_one_of,
    check_text,
    inside,
    items,
    objects,
    strangers,
)

LONGEST_ID = 255
FILE = re.compile(r"F[A-Z0-9]{8,}")  # seen in what Slack says
CONFIRMED = "action_id confirm"
FOCUSED = f"{CONFIRMED} focus_on_load placeholder"
TYPED = "action_id focus_on_load placeholder initial_value dispatch_action_config"
OPTIONS = "options option_groups"
CONVERSATIONS = "default_to_current_conversation response_url_enabled filter"

ELEMENTS = {
    "button": Shape.of("text", f"{CONFIRMED} value url style accessibility_label"),
    "overflow": Shape.of("options", CONFIRMED),
    "checkboxes": Shape.of("options", f"{CONFIRMED} focus_on_load initial_options"),
    "radio_buttons": Shape.of("options", f"{CONFIRMED} focus_on_load initial_option"),
    "static_select": Shape.of("", f"{FOCUSED} {OPTIONS} initial_option"),
    "external_select": Shape.of("", f"{FOCUSED} initial_option min_query_length"),
    "users_select": Shape.of("", f"{FOCUSED} initial_user"),
    "conversations_select": Shape.of("", f"{FOCUSED} initial_conversation {CONVERSATIONS}"),
    "channels_select": Shape.of("", f"{FOCUSED} initial_channel response_url_enabled"),
    "multi_static_select": Shape.of(
        "", f"{FOCUSED} {OPTIONS} initial_options max_selected_items"
    ),
    "multi_external_select": Shape.of(
        "", f"{FOCUSED} initial_options min_query_length max_selected_items"
    ),
    "multi_users_select": Shape.of("", f"{FOCUSED} initial_users max_selected_items"),
    "multi_conversations_select": Shape.of(
        "", f"{FOCUSED} initial_conversations max_selected_items {CONVERSATIONS}"
    ),
    "multi_channels_select": Shape.of("", f"{FOCUSED} initial_channels max_selected_items"),
    "datepicker": Shape.of("", f"{FOCUSED} initial_date"),
    "timepicker": Shape.of("", f"{FOCUSED} initial_time timezone"),
    "datetimepicker": Shape.of("", f"{CONFIRMED} focus_on_load initial_date_time"),
    "plain_text_input": Shape.of("", f"{TYPED} multiline min_length max_length"),
    "number_input": Shape.of("is_decimal_allowed", f"{TYPED} min_value max_value"),
    "email_text_input": Shape.of("", TYPED),
    "url_text_input": Shape.of("", TYPED),
}  # fmt: skip
SELECTS = {name for name in ELEMENTS if name.endswith("_select")}
IN_ACTIONS = {"button", "overflow", "checkboxes", "radio_buttons", "datepicker", "timepicker"}
IN_ACTIONS |= {"datetimepicker"} | SELECTS
IN_SECTION = (IN_ACTIONS - {"datetimepicker"}) | {"image"}
IN_INPUT = set(ELEMENTS) - {"button", "overflow"}
MOST_OPTIONS = {"checkboxes": 10, "radio_buttons": 10, "overflow": 5}


def check_element(element: object, allowed: Collection[str], at: str) -> Faults:
    """An interactive element, or an image where one may stand."""
    if not isinstance(element, Mapping):
        yield Fault(at, f"{element!r} is no object")
        return
    kind = str(element.get("type"))
    if kind not in allowed:
        yield Fault(f"{at}/type", f"{kind!r} cannot stand here")
        return
    if kind == "image":
        yield from check_keys(element, Shape.of("alt_text", "image_url slack_file"), at)
        yield from check_image(element, at)
        return
    yield from check_keys(element, ELEMENTS[kind], at)
    if "action_id" in element:
        yield from check_length(element["action_id"], f"{at}/action_id", LONGEST_ID)
    else:
        yield Fault(at, "without an action_id nobody can tell what it was", STRICT)
    if "confirm" in element:
        yield from _check_confirm(element["confirm"], f"{at}/confirm")
    if "placeholder" in element:
        yield from check_text(element["placeholder"], f"{at}/placeholder", 150, plain=True)
    yield from check_flags(element, at, "focus_on_load", "multiline", "is_decimal_allowed")
    if kind == "button":
        yield from _check_button(element, at)
    elif "options" in ELEMENTS[kind].needs | ELEMENTS[kind].may:
        yield from _check_choice(element, kind, at)
    else:
        yield from _check_entry(element, kind, at)


def check_image(image: Mapping[str, Any], at: str) -> Faults:
    """What image blocks and image elements have in common."""
    if "alt_text" in image:
        yield from check_length(image["alt_text"], f"{at}/alt_text", 2000)
    if ("image_url" in image) == ("slack_file" in image):
        yield Fault(at, "it has one of image_url and slack_file")
    if "image_url" in image:
        yield from check_length(image["image_url"], f"{at}/image_url", 3000)
    if "slack_file" in image:
        file = image["slack_file"]
        if not isinstance(file, Mapping) or file.keys() not in ({"id"}, {"url"}):
            yield Fault(f"{at}/slack_file", f"{file!r} has not one of id and url")
        elif not FILE.fullmatch(str(file.get("id", "F00000000"))):
            yield Fault(f"{at}/slack_file/id", f"{file['id']!r} is not {FILE.pattern}")


def _check_button(button: Mapping[str, Any], at: str) -> Faults:
    if "text" in button:
        yield from check_text(button["text"], f"{at}/text", 75, plain=True)
    if "value" in button:
        yield from check_length(button["value"], f"{at}/value", 2000, least=0)
    if "url" in button:
        yield from check_length(button["url"], f"{at}/url", 3000)
    if "style" in button:
        yield from check_one_of(button["style"], ("primary", "danger"), f"{at}/style")
    if "accessibility_label" in button:
        yield from check_length(button["accessibility_label"], f"{at}/accessibility_label", 75)


def _check_choice(element: Mapping[str, Any], kind: str, at: str) -> Faults:
    grouped = "option_groups" in element
    if grouped == ("options" in element):
        yield Fault(at, "it has one of options and option_groups")
    if grouped:
        groups = element["option_groups"]
        yield from check_many(groups, f"{at}/option_groups", 100)
        for where, group in items(groups, f"{at}/option_groups"):
            yield from check_keys(group, Shape.of("label options"), where)
            yield from check_text(group.get("label"), f"{where}/label", 75, plain=True)
            yield from _check_options(group.get("options"), kind, f"{where}/options")
    elif "options" in element:
        yield from _check_options(element["options"], kind, f"{at}/options")
    offered = _offered(element)
    if "initial_option" in element and element["initial_option"] not in offered:
        yield Fault(f"{at}/initial_option", "it is none of the options")
    chosen = element.get("initial_options", [])
    if "initial_options" in element:
        yield from check_many(chosen, f"{at}/initial_options", 100)
    if any(one not in offered for one in inside(chosen)):
        yield Fault(f"{at}/initial_options", "one of them is none of the options")
    yield from check_number(element, "max_selected_items", at, 1, 100)


def _check_options(options: object, kind: str, at: str) -> Faults:
    yield from check_many(options, at, MOST_OPTIONS.get(kind, 100))
    yield from strangers(options, at)
    values = []
    for where, option in items(options, at):
        may = "description url" if kind == "overflow" else "description"
        yield from check_keys(option, Shape.of("text value", may), where)
        plain = kind not in ("checkboxes", "radio_buttons")
        yield from check_text(option.get("text"), f"{where}/text", 75, plain=plain)
        yield from check_length(option.get("value"), f"{where}/value", 150)
        if "description" in option:
            yield from check_text(option["description"], f"{where}/description", 75, plain=plain)
        values.append(option.get("value"))
    if len({str(one) for one in values}) < len(values):
        yield Fault(at, "two options have the same value")


def _offered(element: Mapping[str, Any]) -> list[object]:
    options = [*inside(element.get("options"))]
    for group in objects(inside(element.get("option_groups"))):
        options += inside(group.get("options"))
    return options


def _check_entry(element: Mapping[str, Any], kind: str, at: str) -> Faults:
    yield from check_number(element, "min_length", at, 0, 3000)
    yield from check_number(element, "max_length", at, 1, 3000)
    yield from check_number(element, "max_selected_items", at, 1, 100)
    if "initial_value" in element:
        longest = element.get("max_length", 3000)
        most = longest if isinstance(longest, int) else 3000
        yield from check_length(element["initial_value"], f"{at}/initial_value", most)
    for key, pattern in (("initial_date", r"\d{4}-\d\d-\d\d"), ("initial_time", r"\d\d:\d\d")):
        if key in element and not re.fullmatch(pattern, str(element[key])):
            yield Fault(f"{at}/{key}", f"{element[key]!r} is not {pattern}")
    for key in ("initial_user", "initial_conversation", "initial_channel"):
        if key in element:
            yield from check_length(element[key], f"{at}/{key}", LONGEST_ID)
    for key in ("initial_users", "initial_conversations", "initial_channels"):
        if key in element:
            yield from check_many(element[key], f"{at}/{key}", 100)
    if "dispatch_action_config" in element:
        yield from _check_dispatch(
            element["dispatch_action_config"], f"{at}/dispatch_action_config"
        )


def _check_dispatch(config: object, at: str) -> Faults:
    on = config.get("trigger_actions_on") if isinstance(config, Mapping) else None
    yield from check_many(on, at, 2)
    for one in inside(on):
        yield from check_one_of(one, ("on_enter_pressed", "on_character_entered"), at)


def _check_confirm(confirm: object, at: str) -> Faults:
    if not isinstance(confirm, Mapping):
        yield Fault(at, f"{confirm!r} is no object")
        return
    yield from check_keys(confirm, Shape.of("title text confirm deny", "style"), at)
    for key, most in (("title", 100), ("text", 300), ("confirm", 30), ("deny", 30)):
        if key in confirm:
            yield from check_text(confirm[key], f"{at}/{key}", most, plain=key != "text")
