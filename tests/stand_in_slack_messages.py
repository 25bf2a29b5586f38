"""Messages of the stand-in Slack, public and ephemeral, and how a person reads them."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stand_in_slack_reading import buttons_of, elements_of, find_element, mrkdwn, text_of
from stand_in_slack_world import Json, Watched

if TYPE_CHECKING:
    from stand_in_slack_channels import Channel
    from stand_in_slack_people import Person
    from stand_in_slack_workspaces import Workspace
    from stand_in_slack_world import World


def named(blocks: list[Json], world: World) -> list[Json]:
    """The blocks as Slack keeps them: those that came without an id have got one."""
    blocks = deepcopy(blocks)
    for block in blocks:
        block.setdefault("block_id", world.new_id("b"))
    return blocks


@dataclass(eq=False)
class Message(Watched):
    """What stands in a channel; `for_person` alone sees an ephemeral one."""

    channel: Channel
    ts: str
    fallback: str
    """The top-level text: what a notification shows and a screen reader says."""
    blocks: list[Json] = field(default_factory=list)
    thread_ts: str | None = None
    author: Person | None = None
    by: Workspace | None = None
    """The workspace whose installation of the bot wrote it."""
    for_person: Person | None = None
    broadcast: bool = False
    edited: bool = False
    deleted: bool = False
    edits: int = 0
    unfurls: bool = True
    state: dict[str, dict[str, Json]] = field(default_factory=dict)
    """What is chosen in it at the moment, as `state.values` has it."""

    def __post_init__(self) -> None:
        super().__init__()
        self.number = self.channel.world.new_number()
        self.blocks = named(self.blocks, self.channel.world)

    @property
    def is_private(self) -> bool:
        return self.for_person is not None

    @property
    def text(self) -> str:
        """What is to be read in it: the blocks, or the text where there are none."""
        world = self.channel.world
        return text_of(self.blocks, world) if self.blocks else mrkdwn(self.fallback, world)

    @property
    def buttons(self) -> list[Json]:
        return buttons_of(self.blocks)

    @property
    def elements(self) -> list[Json]:
        """All that can be pressed, chosen or filled in."""
        return elements_of(self.blocks)

    @property
    def labels(self) -> list[str]:
        return [one["text"]["text"] for one in self.buttons]

    @property
    def replies(self) -> list[Message]:
        """The messages in the thread under it."""
        return [
            one for one in self.channel.messages if one.thread_ts == self.ts and one.ts != self.ts
        ]

    def element(self, wanted: str) -> Json:
        """What has that action id, or shows that label, or whose label begins with that letter."""
        return find_element(self.blocks, wanted)

    def change(self, text: str, blocks: list[Json]) -> None:
        self.fallback, self.blocks = text, named(blocks, self.channel.world)
        self.edited, self.edits = True, self.edits + 1
        self.state = {}
        self._tell_of_it()

    def delete(self) -> None:
        self.deleted = True
        self._tell_of_it()

    def _tell_of_it(self) -> None:
        self.tell()
        if self.for_person is not None:
            self.for_person.tell()
        self.channel.world.tell()

    def payload(self) -> Json:
        """As the Web API and interactions show it."""
        payload: Json = {"type": "message", "ts": self.ts, "text": self.fallback}
        if self.author is not None:
            payload |= {"user": self.author.id, "team": self.author.workspace.id}
        elif self.by is not None:
            payload |= {
                "user": self.by.bot_user_id,
                "bot_id": self.by.bot_id,
                "app_id": self.channel.world.app_id,
                "team": self.by.id,
                "bot_profile": {
                    "id": self.by.bot_id,
                    "app_id": self.channel.world.app_id,
                    "user_id": self.by.bot_user_id,
                    "name": "quizbot",
                    "deleted": False,
                    "team_id": self.by.id,
                },
            }
        if self.blocks:
            payload["blocks"] = self.blocks
        if self.thread_ts:
            payload["thread_ts"] = self.thread_ts
        if self.edited and self.by is not None:
            payload["edited"] = {"user": self.by.bot_user_id, "ts": self.ts}
        return payload
