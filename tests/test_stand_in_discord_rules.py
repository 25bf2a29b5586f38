"""What the stand-in Discord refuses in messages, forms and commands, and by which code."""

from __future__ import annotations

from typing import Any

import pytest
from stand_in_discord_command_rules import check_choices, check_commands
from stand_in_discord_component_rules import check_modal
from stand_in_discord_errors import invalid_form
from stand_in_discord_rules import COMPONENTS_V2, EPHEMERAL, IN_CHANNEL, IN_REPLY, check_message

V2 = {"flags": COMPONENTS_V2}
QUIET: dict[str, Any] = {"allowed_mentions": {"parse": []}}


def button(**parts: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "A", "custom_id": "a"} | parts


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def select(*values: str, **parts: Any) -> dict[str, Any]:
    options = [{"label": value, "value": value} for value in values]
    return {"type": 3, "custom_id": "s", "options": options} | parts


def text(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


def rows(*components: dict[str, Any]) -> dict[str, Any]:
    return {"components": [row(*components)]}


def embeds(*embeds: dict[str, Any]) -> dict[str, Any]:
    return {"embeds": list(embeds)}


def field(label: str, **component: Any) -> dict[str, Any]:
    return {"type": 18, "label": label, "component": {"custom_id": label} | component}


TEN = [{"label": str(number), "value": str(number)} for number in range(11)]
FIVE_ROWS = [row(button(custom_id=str(number))) for number in range(6)]
DUPLICATE = "COMPONENT_CUSTOM_ID_DUPLICATED"

AT = "components.0.components.0."
LENGTH, MOST = "BASE_TYPE_BAD_LENGTH", "BASE_TYPE_MAX_LENGTH"
DUPLICATE_VALUE = "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"

MESSAGES: list[tuple[dict[str, Any], str, str]] = [
    ({"content": "x" * 2001}, "content", MOST),
    (rows(button(label="x" * 81)), AT + "label", LENGTH),
    (rows(button(label="")), AT + "label", LENGTH),
    (rows(button(custom_id="x" * 101)), AT + "custom_id", LENGTH),
    (rows(button(), button()), AT + "custom_id", DUPLICATE),
    (rows(button(emoji={"name": "A"})), AT + "emoji.name", "BUTTON_COMPONENT_INVALID_EMOJI"),
    (rows(button(style=5)), AT + "url", "BASE_TYPE_REQUIRED"),
    (rows(*(button(custom_id=str(n)) for n in range(6))), "components.0.components", LENGTH),
    (rows(select("a"), button()), "components.0.components", LENGTH),
    ({"components": FIVE_ROWS}, "components", LENGTH),
    (rows(select("a", "a")), AT + "options.0.value", DUPLICATE_VALUE),
    (rows(select(*map(str, range(26)))), AT + "options", LENGTH),
    (rows(select("x" * 101)), AT + "options.0.label", LENGTH),
    (rows(select("a", placeholder="x" * 151)), AT + "placeholder", LENGTH),
    (rows(select("a", max_values=2)), AT + "max_values", "SELECT_COMPONENT_MAX_VALUES"),
    ({"components": [text("x")]}, "components.0.type", "UNION_TYPE_CHOICES"),
    (
        V2 | {"components": [text("x" * 4000), text("x")]},
        "components",
        "COMPONENT_MAX_DISPLAYABLE_TEXT_SIZE",
    ),
    (V2 | {"components": [text("x")] * 41}, "components", MOST),
    (V2 | {"components": [text("")]}, "components.0.content", LENGTH),
    (
        V2 | {"content": "x", "components": [text("x")]},
        "content",
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    (
        V2 | {"components": [{"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}]},
        "components.0.items.0.media.url",
        "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ),
    (embeds({"title": "x" * 257}), "embeds.0.title", MOST),
    (embeds({"description": "x" * 4097}), "embeds.0.description", MOST),
    (embeds({"fields": [{"name": "x", "value": "x" * 1025}]}), "embeds.0.fields.0.value", MOST),
    (
        embeds({"fields": [{"name": "x", "value": " "}]}),
        "embeds.0.fields.0.value",
        "BASE_TYPE_REQUIRED",
    ),
    (embeds({"footer": {"text": "x" * 2049}}), "embeds.0.footer.text", MOST),
    (embeds(*[{"description": "x" * 3001}] * 2), "embeds", "MAX_EMBED_SIZE_EXCEEDED"),
    (
        embeds({"image": {"url": "attachment://a.png"}}),
        "embeds.0.image.url",
        "URL_TYPE_INVALID_URL",
    ),
    ({"content": "x", "nonce": "x" * 26}, "nonce", "NONCE_TYPE_TOO_LONG"),
    ({"content": "x", "flags": EPHEMERAL}, "flags", "BASE_TYPE_INVALID_FLAGS"),
]

FORMS: list[tuple[dict[str, Any], str]] = [
    ({"title": "x" * 46}, "title"),
    ({"custom_id": ""}, "custom_id"),
    ({"components": [field(str(n), type=4, style=1) for n in range(6)]}, "components"),
    ({"components": []}, "components"),
    ({"components": [field("x" * 46, type=4, style=1)]}, "components.0.label"),
    (
        {"components": [field("x", type=4, style=1, value="x" * 4001)]},
        "components.0.component.value",
    ),
    ({"components": [field("x", type=21, options=TEN[:1])]}, "components.0.component.options"),
    ({"components": [field("x", type=22, options=TEN)]}, "components.0.component.options"),
    ({"components": [row(button())]}, "components.0.components.0.type"),
]

COMMANDS: list[tuple[dict[str, Any], str, str]] = [
    ({"name": "Quiz"}, "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
    ({"name": "a quiz"}, "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
    ({"description": "x" * 101}, "0.description", "BASE_TYPE_BAD_LENGTH"),
    ({"name_localizations": {"sn": "mibvunzo"}}, "0.name_localizations.sn", "BASE_TYPE_CHOICES"),
    (
        {"options": [{"type": 3, "name": str(n), "description": "x"} for n in range(26)]},
        "0.options",
        "BASE_TYPE_MAX_LENGTH",
    ),
    (
        {
            "options": [
                {"type": 3, "name": "a", "description": "x"},
                {"type": 3, "name": "b", "description": "x", "required": True},
            ]
        },
        "0.options.1",
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
]


def codes_at(body: dict[str, Any], path: str) -> list[str]:
    """The codes at a place in the errors as Discord nests them."""
    place = body.get("errors", {})
    for step in path.split("."):
        place = place.get(step, {})
    return [error["code"] for error in place.get("_errors", [])]


@pytest.mark.parametrize(("payload", "path", "code"), MESSAGES)
def test_a_message_over_a_limit_is_refused(payload: dict[str, Any], path: str, code: str):
    problems = check_message(payload | QUIET, flags=IN_CHANNEL)
    body = invalid_form(problems).body
    assert codes_at(body, path) == [code]


@pytest.mark.parametrize(
    "payload",
    [
        {"content": "x" * 2000},
        {"content": "\U0001f600" * 2000},
        rows(button(label="x" * 80), button(custom_id="b", label=None, emoji={"name": "▶️"})),
        rows(button(style=5, custom_id=None, url="https://example.org")),
        rows(select(*map(str, range(25)), max_values=25)),
        V2 | {"components": [{"type": 17, "components": [text("x" * 4000), row(button())]}]},
        V2 | {"components": [{"type": 9, "components": [text("x")], "accessory": button()}]},
        embeds(*[{"description": "x" * 3000}] * 2),
        {"content": "x", "flags": EPHEMERAL},
    ],
)
def test_a_message_at_its_limits_is_taken(payload: dict[str, Any]):
    assert check_message(payload | QUIET, flags=IN_REPLY) == []


@pytest.mark.parametrize(("parts", "path"), FORMS)
def test_a_form_over_a_limit_is_refused(parts: dict[str, Any], path: str):
    form = {
        "title": "Settings",
        "custom_id": "form",
        "components": [field("Name", type=4, style=1), field("Mode", type=21, options=TEN[:10])],
    }
    assert list(check_modal(form)) == []
    assert codes_at(invalid_form(check_modal(form | parts)).body, path)


@pytest.mark.parametrize(("parts", "path", "code"), COMMANDS)
def test_a_command_over_a_limit_is_refused(parts: dict[str, Any], path: str, code: str):
    command = {"name": "питання", "description": "x" * 100}
    assert list(check_commands([command])) == []
    assert codes_at(invalid_form(check_commands([command | parts])).body, path) == [code]


def test_of_a_command_all_texts_count_and_of_each_the_longest_language():
    choices = [{"name": "x" * 100, "value": "x" * 100} for _ in range(25)]
    option = {"type": 3, "name": "topic", "description": "x" * 100, "choices": choices}
    command = {"name": "quiz", "description": "x"}
    options = [option, option | {"name": "other", "choices": choices[:12]}]
    assert list(check_commands([command | {"options": options}])) == []
    longer = {"description_localizations": {"fr": "x" * 100}, "options": [*options, option]}
    codes = {problem.code for problem in check_commands([command | longer])}
    assert "APPLICATION_COMMAND_TOO_LARGE" in codes


def test_autocomplete_offers_twenty_five_of_a_hundred_signs():
    choices = [{"name": "x" * 100, "value": "x" * 100} for _ in range(25)]
    assert list(check_choices(choices, ())) == []
    assert list(check_choices([*choices, choices[0]], ()))
    assert list(check_choices([{"name": "x" * 101, "value": "x"}], ()))
