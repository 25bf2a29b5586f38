"""What people type and choose, in the shape that `state.values` and `actions` give it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_messages import Message
    from stand_in_slack_views import View

# What a value is called, by the kind of element.
SINGLE = {
    "static_select": "selected_option",
    "external_select": "selected_option",
    "radio_buttons": "selected_option",
    "overflow": "selected_option",
    "users_select": "selected_user",
    "conversations_select": "selected_conversation",
    "channels_select": "selected_channel",
    "datepicker": "selected_date",
    "timepicker": "selected_time",
}
MANY = {
    "multi_static_select": "selected_options",
    "multi_external_select": "selected_options",
    "checkboxes": "selected_options",
    "multi_users_select": "selected_users",
    "multi_conversations_select": "selected_conversations",
    "multi_channels_select": "selected_channels",
}
TYPED = {"plain_text_input", "number_input", "email_text_input", "url_text_input"}
LONGEST = {"plain_text_input": 3000}


def chosen(element: Json, value: Any) -> Json:
    """The value of an element: an option's value or label, a person, a channel, or words."""
    kind = element["type"]
    if kind in TYPED:
        _check_typed(element, value)
        return {"type": kind, "value": value or None}
    if kind in MANY:
        return {"type": kind, MANY[kind]: [_one(element, one) for one in value]}
    assert kind in SINGLE, f"nothing can be chosen in a {kind}"
    return {"type": kind, SINGLE[kind]: None if value is None else _one(element, value)}


def filled(view: View, values: dict[str, Any]) -> None:
    """Put values into a form, and the initial ones where nothing was entered yet."""
    left = dict(values)
    for block in view.fields:
        element = block["element"]
        names = (element["action_id"], block["block_id"], block["label"]["text"])
        given = [left.pop(name) for name in names if name in left]
        entered = view.state.setdefault(block["block_id"], {})
        if given:
            entered[element["action_id"]] = chosen(element, given[0])
        elif element["action_id"] not in entered:
            entered[element["action_id"]] = initial(element)
        if not block.get("optional") and _is_empty(entered[element["action_id"]]):
            raise AssertionError(f"Slack's client asks for {block['label']['text']!r} to be filled")
    assert not left, f"there is no {sorted(left)} in it: {[one['block_id'] for one in view.fields]}"


def state_of(on: Message | View) -> Json:
    """`state`: all that can hold a value, with what it holds now (documented)."""
    values: dict[str, Json] = {}
    for element in on.elements:
        if element["type"] in (SINGLE.keys() | MANY.keys() | TYPED) - {"overflow"}:
            entered = on.state.get(element["_block"], {}).get(element["action_id"])
            block = values.setdefault(element["_block"], {})
            block[element["action_id"]] = entered or initial(element)
    return {"values": values}


def initial(element: Json) -> Json:
    kind = element["type"]
    if kind in TYPED:
        return {"type": kind, "value": element.get("initial_value")}
    if kind in MANY:
        return {
            "type": kind,
            MANY[kind]: element.get(MANY[kind].replace("selected", "initial"), []),
        }
    return {"type": kind, SINGLE[kind]: element.get(SINGLE[kind].replace("selected", "initial"))}


def _check_typed(element: Json, value: Any) -> None:
    longest = element.get("max_length", LONGEST.get(element["type"]))
    assert isinstance(value, str), f"typed words are text, not {value!r}"
    assert longest is None or len(value) <= longest, "Slack's client takes no more characters"
    assert not value or len(value) >= element.get("min_length", 0), "Slack's client asks for more"


def _one(element: Json, value: Any) -> Any:
    if isinstance(value, dict):
        # An option that was looked up.
        return value
    options = [*element.get("options", ())]
    for group in element.get("option_groups", ()):
        options.extend(group["options"])
    if not options:
        return value if isinstance(value, str) else value.id
    found = [one for one in options if value in (one.get("value"), one["text"]["text"])]
    assert found, f"{value!r} is not offered: {[one['text']['text'] for one in options]}"
    return found[0]


def _is_empty(entered: Json) -> bool:
    return not next(one for key, one in entered.items() if key != "type")
