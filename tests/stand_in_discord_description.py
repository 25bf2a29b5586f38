"""Payloads against Discord's own OpenAPI description of its API, where that file is at hand.

It is looked for where QUIZBOT_DISCORD_SPEC says, else beside the repository, in
`../shared/spec/discord-openapi.json`.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs
from stand_in_discord_errors import Problem

VARIABLE = "QUIZBOT_DISCORD_SPEC"
BESIDE = Path(__file__).parents[2] / "shared" / "spec" / "discord-openapi.json"
MISSING = f"Discord's OpenAPI description is not here: say in {VARIABLE} where it is"

# A callback's body is described as any of seven; naming the one gives errors that say something.
CALLBACKS = {
    4: "CreateMessageInteractionCallbackRequest",
    5: "CreateMessageInteractionCallbackRequest",
    6: "UpdateMessageInteractionCallbackRequest",
    7: "UpdateMessageInteractionCallbackRequest",
    8: "ApplicationCommandAutocompleteCallbackRequest",
    9: "ModalInteractionCallbackRequest",
}


def find() -> Description | None:
    path = Path(os.environ.get(VARIABLE) or BESIDE)
    return _read(path) if path.is_file() else None


class Description:
    """The description, of what is asked and what is answered."""

    def __init__(self, text: str) -> None:
        self._spec: dict[str, Any] = json.loads(text)
        self._asked = Validators(_with_numbers_as_ids(self._spec))
        self._answered = Validators(self._spec)

    def request(self, method: str, template: str, body: object) -> list[Problem]:
        """What is wrong with a request's body; a path with `{names}`, as the description has it."""
        if template.startswith("/interactions/") and isinstance(body, Mapping):
            name = CALLBACKS.get(body.get("type", 0))
            if name is not None:
                return self._asked.check(f"#/components/schemas/{name}", body)
        operation = self._operation(method, template)
        if "requestBody" not in operation:
            return [Problem((), "DESCRIPTION", f"{method} {template} takes no body")]
        return self._asked.check(_pointer(method, template, "requestBody"), body)

    def response(self, method: str, template: str, status: int, body: object) -> list[Problem]:
        """What is wrong with an answer of the stand-in itself."""
        responses = self._operation(method, template)["responses"]
        if str(status) not in responses:
            return [Problem((), "DESCRIPTION", f"{method} {template} never answers {status}")]
        if "content" not in responses[str(status)]:
            return []
        pointer = _pointer(method, template, "responses", str(status))
        return self._answered.check(pointer, body)

    def _operation(self, method: str, template: str) -> dict[str, Any]:
        operation: dict[str, Any] = self._spec["paths"][template][method.lower()]
        return operation


class Validators:
    """One for each part of the description that was asked for."""

    def __init__(self, spec: dict[str, Any]) -> None:
        draft = jsonschema_rs.Draft202012
        self._registry = jsonschema_rs.Registry([("urn:discord", spec)], draft=draft)
        self._made: dict[str, jsonschema_rs.Draft202012Validator] = {}

    def check(self, pointer: str, body: object) -> list[Problem]:
        validator = self._made.get(pointer)
        if validator is None:
            validator = self._made[pointer] = jsonschema_rs.Draft202012Validator(
                {"$ref": f"urn:discord{pointer}"}, registry=self._registry
            )
        if validator.is_valid(body):
            return []
        return [
            Problem(tuple(error.instance_path), "DESCRIPTION", error.message[-500:])
            for error in validator.iter_errors(body)
        ]


def _with_numbers_as_ids(spec: dict[str, Any]) -> dict[str, Any]:
    """Discord takes ids as numbers too, which its description leaves out."""
    schemas = dict(spec["components"]["schemas"])
    number = {"type": "integer", "minimum": 0}
    schemas["SnowflakeType"] = {"anyOf": [schemas["SnowflakeType"], number]}
    return spec | {"components": spec["components"] | {"schemas": schemas}}


def _pointer(method: str, template: str, *steps: str) -> str:
    names = ("paths", template, method.lower(), *steps, "content", "application/json", "schema")
    escaped = (quote(name.replace("~", "~0").replace("/", "~1"), safe="~@") for name in names)
    return "#/" + "/".join(escaped)


@functools.cache
def _read(path: Path) -> Description:
    return Description(path.read_text(encoding="utf-8"))
