"""Messages of the stand-in Discord: what was sent, what is seen now, and how they are told."""

from __future__ import annotations

import copy
import itertools
import mimetypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from stand_in_discord_channels import Channel
from stand_in_discord_component_rules import BUTTON, SELECTS, walk
from stand_in_discord_rules import COMPONENTS_V2, EPHEMERAL, LOADING, texts
from stand_in_discord_world import EPOCH, MESSAGE_CONTENT, User

if TYPE_CHECKING:
    from stand_in_discord_interactions import Interaction
    from stand_in_discord_people import Person

COMPONENT_DEFAULTS: dict[int, dict[str, Any]] = {
    3: {"min_values": 1, "max_values": 1},
    11: {"description": None, "spoiler": False},
    13: {"spoiler": False},
    14: {"spacing": 1, "divider": True},
    17: {"accent_color": None, "spoiler": False},
}


@dataclass(frozen=True, slots=True)
class Attachment:
    id: int
    name: str
    description: str | None
    content: bytes
    url: str

    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = {
            "id": str(self.id),
            "filename": self.name,
            "size": len(self.content),
            "url": self.url,
            "proxy_url": self.url,
            "content_type": mimetypes.guess_type(self.name)[0] or "application/octet-stream",
        }
        if self.description is not None:
            payload["description"] = self.description
        return payload


@dataclass(frozen=True, slots=True)
class Version:
    """A payload that was accepted for a message, and when."""

    at: datetime
    payload: Mapping[str, Any]


@dataclass(eq=False)
class Message:
    """One message. `for_person` is who alone sees it, if it is private."""

    id: int
    channel: Channel
    author: User
    kind: int = 0
    for_person: Person | None = None
    interaction: Interaction | None = None
    refers_to: Message | None = None
    flags: int = 0
    content: str = ""
    embeds: list[dict[str, Any]] = field(default_factory=list)
    components: list[dict[str, Any]] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    nonce: str | None = None
    enforces_nonce: bool = False
    edited_at: datetime | None = None
    deleted: bool = False
    pinned: bool = False
    thread: Channel | None = None
    history: list[Version] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All that is to be read, line by line, but the labels on what can be pressed."""
        seen = {"content": self.content, "embeds": self.embeds, "components": self.components}
        return "\n".join(texts(seen))

    @property
    def buttons(self) -> list[dict[str, Any]]:
        return [one for _, one in walk(self.components) if one["type"] == BUTTON]

    @property
    def selects(self) -> list[dict[str, Any]]:
        return [one for _, one in walk(self.components) if one["type"] in SELECTS]

    @property
    def labels(self) -> list[str]:
        return [button.get("label", "") for button in self.buttons]

    @property
    def is_private(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    @property
    def is_loading(self) -> bool:
        return bool(self.flags & LOADING)

    @property
    def is_v2(self) -> bool:
        return bool(self.flags & COMPONENTS_V2)

    @property
    def edits(self) -> list[Version]:
        return self.history[1:]

    @property
    def link(self) -> str:
        return f"{self.channel.link}/{self.id}"

    def button(self, label: str) -> str:
        """The custom id of the button that is labelled so."""
        for button in self.buttons:
            if button.get("label") == label:
                return str(button["custom_id"])
        raise AssertionError(f"no button {label!r} among {self.labels}")

    def component(self, custom_id: str) -> dict[str, Any] | None:
        found = (one for _, one in walk(self.components) if one.get("custom_id") == custom_id)
        return next(found, None)

    def change(self, payload: Mapping[str, Any], files: Mapping[str, tuple[str, bytes]]) -> None:
        """Take over a payload that was accepted, of a new message or of an edit."""
        world = self.channel.world
        self.history.append(Version(world.now(), copy.deepcopy(payload)))
        self._attach(payload, files)
        if "content" in payload:
            self.content = payload["content"] or ""
        if "embeds" in payload:
            self.embeds = [self._embed(one) for one in payload["embeds"] or ()]
        if "components" in payload:
            self.components = copy.deepcopy(list(payload["components"] or ()))
            self._complete(self.components)
        keep = EPHEMERAL | LOADING | COMPONENTS_V2
        if payload.get("flags") is not None:
            self.flags = (self.flags & keep) | payload["flags"]

    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = {
            "id": str(self.id),
            "channel_id": str(self.channel.id),
            "type": self.kind,
            "author": self.author.payload(),
            "content": self.content,
            "embeds": self.embeds,
            "components": self.components,
            "attachments": [one.payload() for one in self.attachments],
            "flags": self.flags,
            "timestamp": (EPOCH + timedelta(milliseconds=self.id >> 22)).isoformat(),
            "edited_timestamp": self.edited_at.isoformat() if self.edited_at else None,
            "mentions": [],
            "mention_roles": [],
            "mention_everyone": False,
            "pinned": self.pinned,
            "tts": False,
        }
        if self.nonce is not None:
            payload["nonce"] = self.nonce
        if self.thread is not None and not self.thread.deleted:
            payload["thread"] = self.thread.payload()
        if self.refers_to is not None:
            payload["message_reference"] = {
                "type": 0,
                "channel_id": str(self.refers_to.channel.id),
                "message_id": str(self.refers_to.id),
            }
        if self.interaction is not None:
            application = str(self.channel.world.application_id)
            payload |= {"application_id": application, "webhook_id": application}
            payload["interaction_metadata"] = self.interaction.metadata()
        return payload

    def tell(self, event: str = "MESSAGE_CREATE") -> None:
        """Let the gateway tell it, if it is in a channel that the bot sees."""
        channel = self.channel
        sees = channel.permissions(channel.world.bot)
        if self.for_person is not None or not sees:
            return
        payload = self.payload()
        if self.author is not channel.world.bot and channel.guild and self._content_is_hidden:
            payload |= {"content": "", "embeds": [], "components": [], "attachments": []}
        if event == "MESSAGE_DELETE":
            payload = {key: payload[key] for key in ("id", "channel_id")}
        guild = channel.guild.id if channel.guild else None
        if guild is not None:
            payload["guild_id"] = str(guild)
        channel.world.emit(event, payload, guild=guild, intent=channel.intent)

    def delete(self) -> None:
        """A moderator deletes it, the bot does, or its reader dismisses a private one."""
        self.deleted = True
        self.tell("MESSAGE_DELETE")

    @property
    def _content_is_hidden(self) -> bool:
        return not self.channel.world.privileged & MESSAGE_CONTENT

    def _attach(self, payload: Mapping[str, Any], files: Mapping[str, tuple[str, bytes]]) -> None:
        described = payload.get("attachments")
        if described is not None:
            kept = {str(one.get("id")) for one in described}
            self.attachments = [one for one in self.attachments if str(one.id) in kept]
        descriptions = {str(one.get("id")): one.get("description") for one in described or ()}
        world = self.channel.world
        for number, (name, content) in files.items():
            id = world.new_id()
            path = f"attachments/{self.channel.id}/{id}/{name}"
            world.files[path] = content
            url = f"{world.files_at}/{path}"
            self.attachments.append(Attachment(id, name, descriptions.get(number), content, url))

    def _embed(self, embed: Mapping[str, Any]) -> dict[str, Any]:
        seen = {key: value for key, value in copy.deepcopy(dict(embed)).items() if value}
        for key in ("image", "thumbnail"):
            if key in seen:
                seen[key] = self._medium(seen[key]["url"])
        return seen | {"type": "rich"}

    def _complete(self, components: list[dict[str, Any]]) -> None:
        numbers = itertools.count(1)
        taken = {one.get("id") for _, one in walk(components)}
        for _, one in walk(components):
            if not one.get("id"):
                one["id"] = next(number for number in numbers if number not in taken)
            for key in [key for key, value in one.items() if value is None]:
                del one[key]
            for key, value in COMPONENT_DEFAULTS.get(one["type"], {}).items():
                one.setdefault(key, value)
            for place in _media(one):
                key = "file" if "file" in place else "media"
                place[key] = self._medium(place[key]["url"])

    def _medium(self, url: str) -> dict[str, Any]:
        for one in self.attachments:
            if url in (f"attachment://{one.name}", one.url):
                return {
                    "id": str(one.id),
                    "url": one.url,
                    "proxy_url": one.url,
                    "content_type": one.payload()["content_type"],
                    "attachment_id": str(one.id),
                }
        return {"id": str(self.channel.world.new_id()), "url": url, "proxy_url": url}


def _media(component: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if component["type"] == 12:
        for item in component["items"]:
            item.setdefault("description", None)
            item.setdefault("spoiler", False)
            yield item
    elif component["type"] in (11, 13):
        yield component
