"""What the stand-in Slack sends to the bot, and what is answered: commands, presses, events.

Documented: an acknowledgement within three seconds; that an event which is not acknowledged is
repeated three times, at once, after a minute and after five; commands and presses never are.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from stand_in_slack_world import ACK_WITHIN, Json, Watched

if TYPE_CHECKING:
    from stand_in_slack_world import World

COMMANDS, INTERACTIVE, EVENTS = "slash_commands", "interactive", "events_api"
# What may be answered with more than "received"; that a press may not is seen in payloads.
ANSWERABLE = {"view_submission", "view_closed", "block_suggestion"}
RETRIES = (timedelta(0), timedelta(minutes=1), timedelta(minutes=5))


def nothing_to_take(answer: Json) -> None:
    pass


class Delivery(Watched):
    """One thing that the bot is to acknowledge within three seconds."""

    def __init__(self, world: World, kind: str, payload: Json) -> None:
        super().__init__()
        self.world = world
        self.kind = kind
        self.payload = payload
        self.envelope_id = _new_envelope_id(world)
        """Assumed: a repetition has another; its `event_id` is the same (documented)."""
        self.at: datetime = world.now()
        """When it was sent, the last time."""
        self.tries = 0
        """How often it was repeated."""
        self.due: datetime | None = None
        """When it is repeated next."""
        self.reason = ""
        self.acked = False
        self.acks = 0
        self.late_acks = 0
        self.answer: Json | None = None
        """What the acknowledgement carried."""
        self.failure: str | None = None
        """Why the bot was not reached, or answered nothing."""
        self.takes: Callable[[Json], None] = nothing_to_take
        """What an acknowledgement does in Slack, given what it carried."""
        world.deliveries.append(self)

    @property
    def may_be_answered(self) -> bool:
        return self.kind == COMMANDS or self.payload.get("type") in ANSWERABLE

    @property
    def is_late(self) -> bool:
        return self.world.now() - self.at >= ACK_WITHIN

    @property
    def is_over(self) -> bool:
        return self.acked or self.failure is not None

    def envelope(self) -> Json:
        """As it goes through a socket."""
        envelope: Json = {
            "payload": self.payload,
            "envelope_id": self.envelope_id,
            "type": self.kind,
            "accepts_response_payload": self.may_be_answered,
        }
        if self.kind == EVENTS:
            envelope |= {"retry_attempt": self.tries, "retry_reason": self.reason}
        return envelope

    def ack(self, answer: Json | None = None) -> None:
        self.acks += 1
        if self.is_late or self.failure or self.due:
            self.late_acks += 1
        elif not self.acked:
            self.acked, self.answer = True, answer or None
            if answer and not self.may_be_answered:
                what = self.payload.get("type")
                self.world.slips.append(f"{what} takes no answer, and got one: {answer}")
            else:
                self.takes(answer or {})
        self.tell()
        self.world.tell()

    def miss(self, reason: str, *, again: bool = True) -> None:
        """It did not arrive, or was not acknowledged in time."""
        if self.is_over or self.due:
            return
        if self.kind != EVENTS or not again or self.tries == len(RETRIES):
            self.failure = reason
        else:
            self.reason = reason
            self.due = self.world.now() + RETRIES[self.tries]
            self.send_again()
        self.tell()
        self.world.tell()

    def send_again(self) -> None:
        """If it is time."""
        if self.due is None or self.due > self.world.now():
            return
        self.due, self.at = None, self.world.now()
        self.tries += 1
        self.envelope_id = _new_envelope_id(self.world)
        self.world.deliver(self)

    def time_passed(self) -> None:
        self.send_again()
        if not self.is_over and self.is_late:
            self.miss("http_timeout" if self.kind == EVENTS else "operation_timeout")


def _new_envelope_id(world: World) -> str:
    return str(uuid.UUID(int=int(world.new_id(""))))
