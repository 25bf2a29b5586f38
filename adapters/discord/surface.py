"""Discord as the scheduler sees it: posts, edits, threads, and what came of them."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import takewhile

import aiohttp
import discord

from adapters.discord import ready, render
from adapters.discord.delivery import SOON, TIMEOUT, Delivery
from adapters.discord.forms import IDS, is_id
from adapters.discord.markup import cleaned, cut
from adapters.discord.read import CREATE_THREADS, DIRECT, PLATFORM, SEND, lacking, member_of
from adapters.discord.views import NOBODY, View
from bot.calls import Who
from bot.messages import Heading, Message, Picture, Plain, plain_text, text_of
from bot.ports import (
    Abilities,
    Access,
    Clock,
    Failed,
    Later,
    Posted,
    PostResult,
    Target,
    Unknown,
)

_SENT_AGAIN_FOR = timedelta(seconds=100)
"""Shorter than Discord remembers a nonce, so that what is sent again never stands there twice."""

_WITH_MESSAGES = (discord.TextChannel, discord.VoiceChannel, discord.StageChannel, discord.Thread)
_WithMessages = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread

_THREAD_NAME = 100
_MOST_REMEMBERED = 10_000

_log = logging.getLogger(__name__)


class DiscordSurface:
    """Posts through the bot's own token, never through an interaction's."""

    platform = PLATFORM
    abilities = Abilities(
        silent=True,
        welcomes=True,
        threads=True,
        several_places=True,
        message_links=True,
        edits_per_second=20,
        resend_seconds=120,
        ids=IDS,
        localised_commands=True,
        picks_groups=True,
        direct=True,
    )

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._delivery = Delivery(client, clock)
        self._begun: dict[str, datetime] = {}
        self._threads: set[int] = set()

    def opened(self, channel_id: int) -> None:
        """The bot may post there: what Discord refused before is worth another try."""
        self._delivery.opened(channel_id)

    async def post(
        self, target: Target, message: Message, *, nonce: str, silent: bool
    ) -> PostResult:
        message = await self._mentioning(target, message)
        first = self._begun.setdefault(nonce, self._clock.now())
        if len(self._begun) > _MOST_REMEMBERED:
            # What was given up in the outbox is never heard of again.
            del self._begun[next(iter(self._begun))]
        result = await self._post(target, message, nonce=nonce, silent=silent)
        if isinstance(result, Unknown) and self._clock.now() - first < _SENT_AGAIN_FOR:
            return Later(SOON)
        if not isinstance(result, Later):
            self._begun.pop(nonce, None)
        return result

    async def edit(self, target: Target, posted: str, message: Message) -> PostResult:
        channel_id = int(target.thread or target.place)
        message = await self._mentioning(target, message)

        async def send(*, pictures: bool) -> PostResult:
            drawn = render.message(message, pictures=pictures)
            partial = self._client.get_partial_messageable(channel_id)
            # A picture stays where it is; what has none any more loses it.
            attachments = discord.utils.MISSING if drawn.files else []
            await partial.get_partial_message(int(posted)).edit(
                view=View(drawn.components), attachments=attachments, allowed_mentions=NOBODY
            )
            return Posted(posted, self._clock.now())

        pictures = self._draws_pictures(message, channel_id)
        result = await self._delivery.tried(send, channel_id, pictures=pictures)
        # What may have been changed can be changed again.
        return Failed(SOON) if isinstance(result, Unknown) else result

    def link(self, target: Target, posted: str) -> str | None:
        server = target.community if target.community.isdigit() else "@me"
        return f"https://discord.com/channels/{server}/{target.thread or target.place}/{posted}"

    async def pin(self, target: Target, posted: str, *, pinned: bool) -> bool:
        channel = self._channel(target)
        if channel is None:
            return False
        may = channel.permissions_for(channel.guild.me)
        if not (may.pin_messages or may.manage_messages):
            return False
        call = self._client.http.pin_message if pinned else self._client.http.unpin_message
        try:
            async with asyncio.timeout(TIMEOUT):
                await call(channel.id, int(posted))
        except discord.HTTPException as error:
            # The channel has as many as it may, or one of the two permissions is not enough.
            _log.info("%s was not pinned: %s", posted, error.text)
            return False
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            _log.warning("Discord may or may not have pinned a message: %r", error)
            return False
        return True

    async def access(self, target: Target) -> Access | None:
        channel = self._channel(target)
        if channel is None:
            return None
        may = channel.permissions_for(channel.guild.me)
        missing = lacking(may, in_thread=isinstance(channel, discord.Thread))
        return Access(missing, name=channel.name)

    async def member(self, target: Target) -> Who | None:
        guild = self._client.get_guild(int(target.community)) if is_id(target.community) else None
        if guild is None or target.person is None or not is_id(target.person):
            return None
        try:
            async with asyncio.timeout(TIMEOUT):
                member = await guild.fetch_member(int(target.person))
        except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as error:
            _log.info("Discord did not say who somebody is: %r", error)
            return None
        return member_of(member)

    async def group_name(self, target: Target, group: str) -> str | None:
        channel = self._channel(target)
        role = channel.guild.get_role(int(group)) if channel is not None and is_id(group) else None
        # The role that everybody has, and those of bots, ring for nobody whom one would want.
        if channel is None or role is None or role.is_default() or role.is_bot_managed():
            return None
        may = role.mentionable or channel.permissions_for(channel.guild.me).mention_everyone
        return role.name if may else None

    def _channel(self, target: Target) -> _WithMessages | None:
        """A channel of this very server that messages can stand in."""
        found = self._client.get_channel(int(target.place)) if is_id(target.place) else None
        if not isinstance(found, _WITH_MESSAGES):
            return None
        return found if str(found.guild.id) == target.community else None

    # --- sending -------------------------------------------------------------------------

    async def _post(
        self, target: Target, message: Message, *, nonce: str, silent: bool
    ) -> PostResult:
        place, needs = int(target.place), SEND
        if target.person is not None:
            # Ids of people and of channels are of one kind: none is both.
            opened = await self._delivery.tried(
                lambda pictures: self._direct(target), int(target.person), needs=DIRECT
            )
            if not isinstance(opened, Posted):
                return opened
            place, needs = int(opened.message), DIRECT
        elif target.thread is not None:
            opened = await self._thread(target, message)
            if not isinstance(opened, Posted):
                return opened
            place = int(target.thread)

        async def send(*, pictures: bool) -> PostResult:
            made = await ready.made(message, with_pictures=pictures)
            sent = await self._client.get_partial_messageable(place).send(
                view=made.view,
                files=made.files,
                nonce=nonce,
                silent=silent,
                allowed_mentions=_heard(message),
            )
            return Posted(str(sent.id), sent.created_at)

        return await self._delivery.tried(
            send, place, needs=needs, pictures=self._draws_pictures(message, place)
        )

    async def _mentioning(self, target: Target, message: Message) -> Message:
        """The message without a group that is gone, or for which the bot cannot ring."""
        group = message.mention
        if group is None or await self.group_name(target, group.id) is not None:
            return message
        return replace(message, mention=None)

    async def _direct(self, target: Target) -> PostResult:
        channel = await self._client.create_dm(discord.Object(int(target.person or 0)))
        return Posted(str(channel.id), self._clock.now())

    async def _thread(self, target: Target, message: Message) -> PostResult:
        """The thread of a message has the message's id; it is opened where there is none yet."""
        thread = int(target.thread or 0)
        there = Posted(str(thread), self._clock.now())
        if thread in self._threads:
            return there

        async def open_it(*, pictures: bool) -> PostResult:
            await self._client.http.start_thread_with_message(
                int(target.place), thread, name=_thread_name(message), auto_archive_duration=1440
            )
            return there

        result = await self._delivery.tried(open_it, int(target.place), needs=CREATE_THREADS)
        if isinstance(result, Posted):
            if len(self._threads) >= _MOST_REMEMBERED:
                self._threads.clear()
            self._threads.add(thread)
        return result

    def _draws_pictures(self, message: Message, channel_id: int) -> bool:
        """Not where no file may be attached: there their descriptions are posted."""
        if not any(isinstance(block, Picture) for block in message.blocks):
            return False
        channel = self._client.get_channel(channel_id)
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return True
        return channel.permissions_for(channel.guild.me).attach_files


def _heard(message: Message) -> discord.AllowedMentions:
    """By nobody but the one role that the message names."""
    if message.mention is None:
        return NOBODY
    role = discord.Object(int(message.mention.id), type=discord.Role)
    return discord.AllowedMentions(everyone=False, users=False, roles=[role], replied_user=False)


def _thread_name(message: Message) -> str:
    """What the round is about: the first part of the question's heading."""
    for block in message.blocks:
        if isinstance(block, Heading):
            title = takewhile(lambda span: span != Plain(" · "), block.spans)
            return cut(" ".join(cleaned(text_of(title)).split()), _THREAD_NAME) or "…"
    return cut(plain_text(message).split("\n")[0], _THREAD_NAME) or "…"
