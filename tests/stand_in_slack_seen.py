"""What came of one thing that a person did in the stand-in Slack."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import takewhile
from typing import TYPE_CHECKING

import stand_in_slack_rules as rules
from stand_in_slack_deliveries import COMMANDS, Delivery
from stand_in_slack_messages import Message
from stand_in_slack_views import View
from stand_in_slack_world import Json, watching

if TYPE_CHECKING:
    from stand_in_slack_channels import Channel
    from stand_in_slack_people import Person
    from stand_in_slack_response_urls import ResponseUrl


LOOKS_EVERY = 0.25  # seconds, at what nobody tells of


class Seen:
    """It goes on changing with what the bot sends."""

    def __init__(
        self,
        person: Person,
        delivery: Delivery,
        channel: Channel | None,
        url: ResponseUrl | None,
        *,
        message: Message | None = None,
        view: View | None = None,
    ) -> None:
        self.person = person
        self.delivery = delivery
        self.channel = channel
        self._url = url
        self.pressed = message
        """The message that was pressed."""
        self.view = view
        """The view that was pressed or sent."""
        delivery.takes = self._take_answer
        self._since = person.world.new_number()
        self._edits = message.edits if message else 0
        self._gone = message.deleted if message else False
        self._views = {id(one) for one in person.modals}
        self._updates = view.updates if view else 0

    @property
    def failed(self) -> str | None:
        """What the client says where the bot did not answer in time."""
        delivery = self.delivery
        if delivery.acked:
            return None
        why = delivery.failure or "operation_timeout"
        if delivery.kind == COMMANDS:
            # The wording of Slack's client is assumed; tests need only that it failed.
            return f"{delivery.payload['command']} failed with the error “{why}”"
        return f"Slack had trouble connecting ({why})"

    @property
    def url(self) -> ResponseUrl:
        """The response URL that came along."""
        assert self._url is not None, "none comes with a form"
        return self._url

    @property
    def address(self) -> str:
        return self.url.url

    @property
    def private(self) -> list[Message]:
        """The new ephemerals to this person, also those that reached nobody, oldest first."""
        new = takewhile(lambda one: one.number > self._since, reversed(self.person.received))
        mine = [one for one in new if not one.deleted]
        lost = [one for one in (self._url.messages if self._url else ()) if one.is_private]
        mine += [one for one in lost if one not in mine and not one.deleted]
        return sorted(mine, key=lambda one: one.number)

    @property
    def public(self) -> list[Message]:
        """The public messages that came in that channel since, by whomever."""
        return self.channel.since(self._since) if self.channel else []

    @property
    def is_updated(self) -> bool:
        """Whether the message or the view that was pressed changed, or is gone."""
        if self.pressed is not None:
            return self.pressed.edits > self._edits or self.pressed.deleted != self._gone
        return self.view is not None and self.view.updates > self._updates

    @property
    def modal(self) -> View:
        """The form that came up."""
        view = self._new_view()
        assert view is not None, f"no form came: {self.failed or self.text}"
        return view

    @property
    def has_modal(self) -> bool:
        return self._new_view() is not None

    @property
    def errors(self) -> dict[str, str]:
        """What stands beside the fields of the form that was sent."""
        return self.view.errors if self.view else {}

    @property
    def message(self) -> Message:
        """The newest private message; else the changed one; else the newest public one."""
        if self.private:
            return self.private[-1]
        if self.pressed is not None and self.is_updated:
            return self.pressed
        assert self.public, f"no message came: {self.failed or self.delivery.answer}"
        return self.public[-1]

    @property
    def text(self) -> str:
        return self.message.text

    @property
    def came(self) -> bool:
        """Whether anything came that this person sees."""
        return bool(
            self.private
            or self.is_updated
            or self.has_modal
            or self.errors
            or self.public
            or (self.view is not None and not self.view.is_open)
        )

    async def settle(self, *, acked_is_enough: bool = False) -> None:
        """Wait until there is an answer, or none can come any more."""
        await self.until(lambda: acked_is_enough or self.came)
        if not self.delivery.acked:
            self.delivery.miss("operation_timeout")

    async def until_private(self) -> Message:
        """Wait for what only this person sees: a new ephemeral, or the pressed one changed."""
        await self.until(lambda: self._own() is not None)
        own = self._own()
        assert own is not None, f"nothing private came: {self.failed}"
        return own

    async def until(self, condition: Callable[[], object]) -> None:
        """Until it is acknowledged and so; at the longest as long as people wait."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self.person.world.patience
        with watching(self.person, self.delivery, self.channel, self.pressed) as changed:
            while not self._is_over() and (left := until - loop.time()) > 0:
                if self.delivery.acked and condition():
                    return
                changed.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(left, LOOKS_EVERY)):
                        await changed.wait()

    def _is_over(self) -> bool:
        delivery = self.delivery
        return bool(delivery.failure) or (not delivery.acked and delivery.is_late)

    def _own(self) -> Message | None:
        if self.private:
            return self.private[-1]
        pressed = self.pressed
        return pressed if pressed is not None and pressed.is_private and self.is_updated else None

    def _new_view(self) -> View | None:
        new = [one for one in self.person.modals if id(one) not in self._views]
        return new[-1] if new else None

    def _take_answer(self, answer: Json) -> None:
        if self.delivery.kind == COMMANDS:
            if answer:
                self._say(answer)
        elif self.delivery.payload["type"] == "view_submission":
            self._submitted(answer)

    def _say(self, answer: Json) -> None:
        url, world = self.url, self.person.world
        error, said = rules.refusal_of_message(world, answer, where=rules.ACK)
        if error:
            world.slips.append(f"the acknowledgement of a command: {said}")
            return
        url.take(answer)
        world.tell()

    def _submitted(self, answer: Json) -> None:
        view, person, world = self.view, self.person, self.person.world
        assert view is not None
        view.errors = {}
        match answer.get("response_action"):
            case None:
                if answer:
                    world.slips.append(f"a form was acknowledged with {answer}")
                person.loses(view)
            case "errors":
                view.errors = dict(answer["errors"])
                unknown = set(view.errors) - {one["block_id"] for one in view.fields}
                if unknown or not view.errors:
                    world.slips.append(f"errors beside fields that are none: {sorted(unknown)}")
            case "clear":
                person.loses(*person.modals)
            case "update" | "push" as action:
                self._shown(view, answer["view"], push=action == "push")
            case other:
                world.slips.append(f"response_action {other!r}")
        person.tell()
        world.tell()

    def _shown(self, view: View, given: Json, *, push: bool) -> None:
        world = self.person.world
        error, said = rules.refusal_of_view(world, given)
        if error:
            world.slips.append(f"a view in an acknowledgement: {said}")
        elif push:
            self.person.shows(given, view.workspace, below=view)
        else:
            view.change(given)
