"""Views of the stand-in Slack: modals, which stack, and App Homes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stand_in_slack_messages import named
from stand_in_slack_reading import buttons_of, elements_of, find_element, text_of
from stand_in_slack_state import state_of
from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_people import Person
    from stand_in_slack_workspaces import Workspace


@dataclass(eq=False)
class View:
    """What the bot opened for a person; `below` is what it was pushed on."""

    id: str
    person: Person
    workspace: Workspace
    given: Json
    below: View | None = None
    is_open: bool = True
    state: dict[str, dict[str, Json]] = field(default_factory=dict)
    """What is typed and chosen, as `state.values` has it."""
    errors: dict[str, str] = field(default_factory=dict)
    """What the bot said beside the fields, by block id."""
    updates: int = 0

    def __post_init__(self) -> None:
        self.given = {**self.given, "blocks": named(self.given["blocks"], self.workspace.world)}

    @property
    def title(self) -> str:
        return str(self.given.get("title", {}).get("text", ""))

    @property
    def blocks(self) -> list[Json]:
        return list(self.given["blocks"])

    @property
    def text(self) -> str:
        return text_of(self.blocks, self.workspace.world)

    @property
    def buttons(self) -> list[Json]:
        return buttons_of(self.blocks)

    @property
    def labels(self) -> list[str]:
        return [one["text"]["text"] for one in self.buttons]

    @property
    def elements(self) -> list[Json]:
        return elements_of(self.blocks)

    @property
    def fields(self) -> list[Json]:
        """The input blocks, in their order."""
        return [one for one in self.blocks if one["type"] == "input"]

    @property
    def hash(self) -> str:
        told = json.dumps([self.given, self.updates], sort_keys=True)
        return f"{self.updates}.{hashlib.sha256(told.encode()).hexdigest()[:8]}"

    @property
    def root(self) -> View:
        return self.below.root if self.below else self

    def element(self, wanted: str) -> Json:
        return find_element(self.blocks, wanted)

    def change(self, given: Json) -> None:
        """What is typed stays where block id and action id are the same (documented)."""
        self.given = {**given, "blocks": named(given["blocks"], self.workspace.world)}
        self.updates += 1
        self.errors = {}
        self.person.tell()
        there = {(one["_block"], one["action_id"]) for one in self.elements}
        self.state = {
            block: kept
            for block, values in self.state.items()
            if (kept := {key: one for key, one in values.items() if (block, key) in there})
        }

    def payload(self) -> Json:
        """As the Web API and interactions show it."""
        given = self.given
        shown: Json = {
            "id": self.id,
            "team_id": self.person.workspace.id,
            "type": given["type"],
            "blocks": given["blocks"],
            "private_metadata": given.get("private_metadata", ""),
            "callback_id": given.get("callback_id", ""),
            "external_id": given.get("external_id", ""),
            "state": state_of(self),
            "hash": self.hash,
            "title": given.get("title") or {"type": "plain_text", "text": "View Title"},
            "clear_on_close": bool(given.get("clear_on_close")),
            "notify_on_close": bool(given.get("notify_on_close")),
            "close": given.get("close"),
            "submit": given.get("submit"),
            "previous_view_id": self.below.id if self.below else None,
            "root_view_id": self.root.id,
            "app_id": self.workspace.world.app_id,
            "app_installed_team_id": self.workspace.id,
            "bot_id": self.workspace.bot_id,
        }
        return shown
