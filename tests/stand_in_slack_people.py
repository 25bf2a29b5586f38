"""People of the stand-in Slack: what they do in their client, and what they see come of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import stand_in_slack_oauth as oauth
import stand_in_slack_payloads as payloads
from stand_in_slack_deliveries import COMMANDS, INTERACTIVE, Delivery
from stand_in_slack_messages import Message
from stand_in_slack_response_urls import ResponseUrl, new_response_url
from stand_in_slack_seen import Seen
from stand_in_slack_state import chosen, filled
from stand_in_slack_views import View
from stand_in_slack_world import Json, Watched

if TYPE_CHECKING:
    from stand_in_slack_channels import Channel
    from stand_in_slack_workspaces import Enterprise, Workspace


class Person(Watched):
    """Somebody with a Slack client."""

    def __init__(
        self,
        workspace: Workspace,
        name: str,
        *,
        locale: str = "en-US",
        admin: bool = False,
        owner: bool = False,
        guest: bool = False,
    ) -> None:
        super().__init__()
        self.workspace = workspace
        self.world = workspace.world
        self.id = self.world.new_id("W" if workspace.enterprise else "U")
        self.global_id = self.id
        """In an organisation: the same in all its workspaces."""
        self.local_id = self.id
        """In the workspace, where they were there before it came into an organisation."""
        self.name = name
        self.handle = name.lower().replace(" ", "_")
        self.locale = locale
        self.is_admin = admin or owner
        self.is_owner = owner
        self.is_guest = guest
        self.is_away = False
        """Whether no client of theirs is open: ephemerals do not reach them."""
        self.loses_ephemerals = False
        self.received: list[Message] = []
        """The ephemerals that came since the client was loaded."""
        self.home: View | None = None
        self.modals: list[View] = []
        workspace.people.append(self)
        self.world.people[self.id] = self

    @property
    def modal(self) -> View:
        """The form on top."""
        assert self.modals, f"{self.name} has no form open"
        return self.modals[-1]

    @property
    def dm(self) -> Channel:
        """The direct messages with the bot."""
        return self.workspace.direct(self)

    @property
    def sees(self) -> list[Message]:
        """The ephemerals that stand in the client now, the oldest first."""
        return [one for one in self.received if not one.deleted]

    def reads(self, channel: Channel) -> list[Message]:
        """All that stands in a channel for this person."""
        return channel.seen_by(self) if channel.has(self) else []

    def reloads(self) -> None:
        """Reload the client: ephemerals are gone (documented), forms too."""
        for channel in self.world.channels.values():
            channel.lose(self)
        self.received.clear()
        self.loses(*self.modals)

    def can_see_ephemerals(self, channel: Channel) -> bool:
        return channel.has(self) and not self.is_away and not self.loses_ephemerals

    def says(self, channel: Channel, text: str, *, thread_ts: str | None = None) -> Message:
        message = Message(channel, self.world.new_ts(), text, thread_ts=thread_ts, author=self)
        channel.add(message)
        return message

    async def types(self, text: str, channel: Channel | None = None) -> Seen:
        """Type a slash command into a channel; without one into the workspace's first."""
        seen = self.begins_to_type(text, channel)
        await seen.settle()
        return seen

    def begins_to_type(self, text: str, channel: Channel | None = None) -> Seen:
        """The same, without waiting for what comes of it."""
        place, workspace = channel or self.workspace.general, self.workspace
        command, _, rest = text.partition(" ")
        assert command.startswith("/"), f"no command: {text!r}"
        assert place.has(self), f"{self.name} is not in {place.name}"
        # Documented: commands belong to the workspace in which the app is installed.
        is_known = workspace.is_installed and "commands" in workspace.app.scopes
        assert is_known, f"{command} is not a valid command in {workspace.name}"
        payload = payloads.command_payload(self, place, workspace, command, rest.strip())
        url = new_response_url(self.world, self, place, workspace)
        payload["response_url"] = url.url
        return self._do(COMMANDS, payload, workspace, place, url)

    async def presses(self, on: Message | View, wanted: str, *, forged: bool = False) -> Seen:
        """Press a button: by action id, label, or the letter with which its label begins."""
        seen = self.begins_to_press(on, wanted, forged=forged)
        await seen.settle()
        return seen

    def begins_to_press(self, on: Message | View, wanted: str, *, forged: bool = False) -> Seen:
        """The same, without waiting; `forged`: also a button that is not there (any more)."""
        if forged:
            element: Json = {"type": "button", "action_id": wanted, "_block": "forged"}
            element |= {"text": {"type": "plain_text", "text": wanted}}
        else:
            element = on.element(wanted)
            assert element["type"] == "button", f"{wanted} is no button: {element['type']}"
        action: Json = {
            "type": "button",
            "action_id": element["action_id"],
            "block_id": element["_block"],
            "text": element["text"],
            "action_ts": self.world.new_ts(),
        }
        if "value" in element:
            action["value"] = element["value"]
        return self._act(on, action)

    async def chooses(self, on: Message | View, wanted: str, value: object) -> Seen:
        """Choose in a select, or in boxes: values of options, labels, or people and channels."""
        element = on.element(wanted)
        entered = chosen(element, value)
        on.state.setdefault(element["_block"], {})[element["action_id"]] = entered
        action = {
            "action_id": element["action_id"],
            "block_id": element["_block"],
            "action_ts": self.world.new_ts(),
            **entered,
        }
        if "placeholder" in element:
            action["placeholder"] = element["placeholder"]
        seen = self._act(on, action)
        await seen.settle()
        return seen

    async def looks_up(self, on: Message | View, wanted: str, typed: str) -> list[Json]:
        """Type into a select whose options the bot brings; what is offered."""
        element = on.element(wanted)
        assert element["type"].endswith("external_select"), f"{wanted} has its options"
        workspace = on.workspace if isinstance(on, View) else on.by
        assert workspace is not None
        payload = payloads.suggestion(self, workspace, element, typed, on)
        seen = self._do(INTERACTIVE, payload, workspace, None, None, triggers=False)
        await seen.settle(acked_is_enough=True)
        assert seen.failed is None, seen.failed
        answer = seen.delivery.answer or {}
        groups = answer.get("option_groups", [])
        return [*answer.get("options", []), *(one for each in groups for one in each["options"])]

    async def fills(self, view: View, values: dict[str, object] | None = None) -> Seen:
        """Send a form, with values by action id, block id or label; the rest stays as it is."""
        seen = self.begins_to_fill(view, values)
        await seen.settle()
        return seen

    def begins_to_fill(self, view: View, values: dict[str, object] | None = None) -> Seen:
        """The same, without waiting for what comes of it."""
        assert view.is_open, "that form is closed"
        filled(view, values or {})
        payload = payloads.submission(self, view, view.workspace)
        return self._do(INTERACTIVE, payload, view.workspace, None, None, view=view)

    async def closes(self, view: View, *, all_of_them: bool = False) -> Seen | None:
        """Close a form by its cross or Cancel; the bot hears of it only if it asked to."""
        gone = list(self.modals) if all_of_them else [view]
        self.loses(*gone)
        if not view.given.get("notify_on_close"):
            return None
        payload = payloads.closing(self, view, view.workspace, cleared=all_of_them)
        seen = self._do(INTERACTIVE, payload, view.workspace, None, None, triggers=False)
        await seen.settle(acked_is_enough=True)
        return seen

    async def opens_home(self, tab: str = "home") -> View | None:
        """Open the App Home; the view that the bot published comes, or the one of before."""
        before = self.home.updates if self.home else -1
        event: Json = {
            "type": "app_home_opened",
            "user": self.id,
            "channel": self.dm.id,
            "tab": tab,
        }
        if self.home is not None:
            event["view"] = self.home.payload()
        delivery = self.workspace.event(event)
        loop = asyncio.get_running_loop()
        until = loop.time() + self.world.patience
        while (self.home.updates if self.home else -1) == before and loop.time() < until:
            if delivery.failure:
                break
            try:
                async with asyncio.timeout_at(until):
                    await self.world.changed.wait()
            except TimeoutError:
                break
        return self.home

    def allows(self, asked: str, enterprise: Enterprise | None = None) -> str:
        """Allow the app on the page that its `/slack/install` led to; where the browser goes."""
        return oauth.allow(self.world, self, asked, enterprise)

    def cancels(self, asked: str) -> str:
        return oauth.refuse(asked)

    def shows(self, given: Json, workspace: Workspace, below: View | None = None) -> View:
        """A form that the bot opened comes up."""
        view = View(self.world.new_id("V"), self, workspace, given, below)
        self.world.views[view.id] = view
        self.modals.append(view)
        self.tell()
        self.world.tell()
        return view

    def loses(self, *views: View) -> None:
        """Forms go away."""
        for one in views:
            one.is_open = False
        self.modals = [one for one in self.modals if one.is_open]
        self.tell()
        self.world.tell()

    def _act(self, on: Message | View, action: Json) -> Seen:
        if isinstance(on, View):
            assert on.is_open, "that form is closed"
            payload = payloads.view_action(self, on, on.workspace, action)
            return self._do(INTERACTIVE, payload, on.workspace, None, None, view=on)
        assert not on.deleted, "that message was deleted"
        assert on.for_person in (None, self), "only somebody else sees that message"
        assert on.channel.has(self), f"{self.name} is not in {on.channel.name}"
        assert on.by is not None, "a person wrote that message"
        url = new_response_url(self.world, self, on.channel, on.by, on)
        url.thread_ts = on.thread_ts
        payload = payloads.message_action(self, on, url, on.by, action)
        return self._do(INTERACTIVE, payload, on.by, on.channel, url, message=on)

    def _do(
        self,
        kind: str,
        payload: Json,
        workspace: Workspace,
        channel: Channel | None,
        url: ResponseUrl | None,
        *,
        message: Message | None = None,
        view: View | None = None,
        triggers: bool = True,
    ) -> Seen:
        delivery = Delivery(self.world, kind, payload)
        if triggers:
            trigger = self.world.new_trigger(self, workspace, delivery)
            payload["trigger_id"] = trigger.id
        seen = Seen(self, delivery, channel, url, message=message, view=view)
        self.world.deliver(delivery)
        return seen
