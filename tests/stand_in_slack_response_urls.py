"""Response URLs of the stand-in Slack: five uses in thirty minutes, for whoever holds one.

Documented: the five uses, the thirty minutes. Seen by others: 404 `used_url`, 404 for what Slack
refuses, and that `replace_original` does nothing for a slash command's URL. Assumed: 404
`expired_url` after the time, and that a refused use does not count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import stand_in_slack_rules as rules
from stand_in_slack_messages import Message
from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_channels import Channel
    from stand_in_slack_people import Person
    from stand_in_slack_workspaces import Workspace
    from stand_in_slack_world import World

USES = 5
LIVES = timedelta(minutes=30)


@dataclass(eq=False)
class ResponseUrl:
    id: str
    person: Person
    channel: Channel
    workspace: Workspace
    at: datetime
    original: Message | None = None
    """The message that was pressed; a command has none."""
    thread_ts: str | None = None
    uses: int = 0
    messages: list[Message] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"{self.channel.world.base}/response/{self.id}"

    def use_up(self) -> None:
        """As if it had been used five times."""
        self.uses = USES

    def use(self, payload: Json) -> tuple[int, str]:
        """What an HTTP request to it comes to: the status, and the words."""
        world = self.channel.world
        if world.now() - self.at >= LIVES:
            return 404, "expired_url"
        if self.uses >= USES:
            return 404, "used_url"
        error = self._check(payload)
        if error:
            return 404, error
        self.uses += 1
        self.take(payload)
        world.tell()
        return 200, "ok"

    def _check(self, payload: Json) -> str:
        if payload.get("delete_original") and not (payload.get("text") or payload.get("blocks")):
            return "" if self.original else "stand_in_nothing_to_delete"
        if self.original is not None and "replace_original" not in payload:
            # Sources disagree on what happens then.
            self.channel.world.slips.append("a press was answered without replace_original")
        return rules.refusal_of_message(self.channel.world, payload, where=rules.RESPONSE)[0]

    def take(self, payload: Json) -> None:
        original = self.original
        if payload.get("delete_original"):
            assert original is not None
            original.delete()
            return
        text, blocks = payload.get("text", ""), payload.get("blocks") or []
        if payload.get("replace_original") and original is not None:
            if not original.deleted:
                original.change(text, blocks)
            return
        private = payload.get("response_type", "ephemeral") != "in_channel"
        message = Message(
            self.channel,
            self.channel.world.new_ts(),
            text,
            blocks,
            thread_ts=payload.get("thread_ts"),
            by=self.workspace,
            for_person=self.person if private else None,
        )
        self.messages.append(message)
        if private and not self.person.can_see_ephemerals(self.channel):
            self.person.tell()
            return
        self.channel.add(message)


def new_response_url(
    world: World,
    person: Person,
    channel: Channel,
    workspace: Workspace,
    original: Message | None = None,
) -> ResponseUrl:
    url = ResponseUrl(world.new_id("R"), person, channel, workspace, world.now(), original)
    world.response_urls[url.id] = url
    return url
