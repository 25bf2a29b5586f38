"""What the stand-in Slack sends to the bot: commands, interactions, events; and what was answered."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from stand_in_slack_world import ACK_WITHIN, Json

if TYPE_CHECKING:
    from stand_in_slack_world import World

COMMANDS, INTERACTIVE, EVENTS = "slash_commands", "interactive", "events_api"
# What may be answered with more than "received". Assumed for block_actions.
ANSWERABLE = {"view_submission", "view_closed", "block_suggestion"}


def nothing_to_take(answer: Json) -> None:
    pass


class Delivery:
    """One thing that the bot is to acknowledge within three seconds."""

    def __init__(self, world: World, kind: str, payload: Json) -> None:
        self.world = world
        self.kind = kind
        self.payload = payload
        self.envelope_id = str(uuid.UUID(int=int(world.new_id(""))))
        self.at: datetime = world.now()
        self.tries = 0
        self.acked = False
        self.late_acks = 0
        self.answer: Json | None = None
        """What the acknowledgement carried."""
        self.failure: str | None = None
        """Why the bot was not reached."""
        self.takes: Callable[[Json], None] = nothing_to_take
        """What an acknowledgement does in Slack, given what it carried."""
        self.changed = asyncio.Event()
        world.deliveries.append(self)

    @property
    def may_be_answered(self) -> bool:
        return self.kind == COMMANDS or self.payload.get("type") in ANSWERABLE

    @property
    def is_late(self) -> bool:
        return self.world.now() - self.at >= ACK_WITHIN

    def envelope(self) -> Json:
        """As it goes through a socket."""
        envelope: Json = {
            "payload": self.payload,
            "envelope_id": self.envelope_id,
            "type": self.kind,
            "accepts_response_payload": self.may_be_answered,
        }
        if self.kind == EVENTS:
            envelope |= {
                "retry_attempt": self.tries,
                "retry_reason": "timeout" if self.tries else "",
            }
        return envelope

    def ack(self, answer: Json | None = None) -> None:
        if self.is_late or self.failure:
            self.late_acks += 1
            return
        if not self.acked:
            self.acked, self.answer = True, answer or None
            self.takes(answer or {})
        self.tell()

    def fail(self, failure: str) -> None:
        if not self.acked and not self.failure:
            self.failure = failure
        self.tell()

    def tell(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()
        self.world.tell()
