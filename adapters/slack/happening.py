"""What Slack tells of by itself: somebody opens the Home, the bot comes and goes, people change."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from adapters.slack import read
from adapters.slack.people import People
from adapters.slack.read import Body
from adapters.slack.replies import Replies
from adapters.slack.workspaces import Workspace, Workspaces
from bot.app import QuizApp
from bot.calls import Where
from bot.ports import Clock
from bot.store.addresses import StoreUnavailable

_AGAIN = timedelta(seconds=5)
_MOST_WAITING = 1_000

_NOTED = {"member_joined_channel", "channel_id_changed", "app_uninstalled", "tokens_revoked"}
"""What nothing else would tell later: Slack tells it again until it is stored."""

_log = logging.getLogger(__name__)


class Happening:
    """Each event has its line; the others are only heard."""

    def __init__(
        self,
        app: QuizApp,
        clock: Clock,
        people: People,
        replies: Replies,
        workspaces: Workspaces,
    ) -> None:
        self._app = app
        self._clock = clock
        self._people = people
        self._replies = replies
        self._workspaces = workspaces
        self._in_turn = asyncio.Lock()
        self._waiting = 0
        self._ending = asyncio.Event()

    def is_noted(self, body: Body) -> bool:
        """Whether Slack must not take it for heard before it is stored."""
        return read.text(read.part(body, "event"), "type") in _NOTED

    def finish(self) -> None:
        """What waits for the database has its last try now."""
        self._ending.set()

    async def hear(self, body: Body, workspace: Workspace) -> bool:
        """False: it was not stored, and has to be told again."""
        event = read.part(body, "event")
        match event.get("type"):
            case "app_home_opened" if event.get("tab") == "home":
                await self._home(body, workspace)
            case "member_joined_channel" if event.get("user") == workspace.bot_user:
                return await self._noted(lambda: self._brought(body, workspace))
            case "channel_id_changed":
                return await self._noted(lambda: self._moved(body, workspace))
            case "channel_left" | "group_left" | "channel_rename" | "channel_archive":
                self._people.forget_channel(read.channel(body), workspace)
            case "channel_unarchive" | "group_rename" | "group_archive" | "group_unarchive":
                self._people.forget_channel(read.channel(body), workspace)
            case "user_change":
                self._people.forget_profile(read.user(body), workspace)
            case "app_uninstalled":
                return await self._noted(lambda: self._left(workspace))
            case "tokens_revoked" if read.part(event, "tokens").get("bot"):
                return await self._noted(lambda: self._left(workspace))
            case _:
                pass
        return True

    async def meet(self, body: Body, workspace: Workspace) -> None:
        """Learn who somebody is whom the bot has just met, for the next time."""
        user = read.user(body)
        if not user:
            return
        if not self._people.is_known(user, workspace):
            await self._people.ask(user, workspace)
        where = read.where(body, workspace.id, workspace.name)
        who = self._people.known(read.who(body), where, user, workspace)
        if not self._people.has_news(who, user, workspace):
            return
        identity = self._people.identity(who, user, workspace)
        try:
            if identity is not None:
                await self._app.identified(identity)
            await self._app.met(who)
        except StoreUnavailable:
            # They were told so, and it is tried again when they do something more.
            return
        self._people.passed_on(who, user, workspace)

    async def _home(self, body: Body, workspace: Workspace) -> None:
        user, reach = read.user(body), self._replies.reach(body)
        await self.meet(body, workspace)
        where = read.where(body, workspace.id, workspace.name)
        who = self._people.known(read.who(body), where, user, workspace)
        try:
            page = await self._app.home(who, where)
            await self._replies.show_home(reach, page, workspace)
        except Exception as bug:  # noqa: BLE001 - nobody is left with an empty page
            said = await self._app.untold(bug, who, where)
            await self._replies.tell_plainly(reach, said, workspace)

    async def _brought(self, body: Body, workspace: Workspace) -> None:
        """Who invited the bot leads it there."""
        where = read.where(body, workspace.id, workspace.name)
        self._people.forget_channel(where.place, workspace)
        inviter = read.text(read.part(body, "event"), "inviter")
        by = f"{read.own_team(body)}:{inviter}" if inviter else None
        await self._app.brought(where, by)

    async def _moved(self, body: Body, workspace: Workspace) -> None:
        event = read.part(body, "event")
        before, to = read.text(event, "old_channel_id"), read.text(event, "new_channel_id")
        if not before or not to:
            return
        where = Where(read.PLATFORM, workspace.id, before, community_name=workspace.name)
        await self._app.moved(where, to)

    async def _left(self, workspace: Workspace) -> None:
        where = Where(read.PLATFORM, workspace.id, workspace.id, community_name=workspace.name)
        if await self._workspaces.is_lost(workspace.id):
            await self._app.left(where)
            await self._workspaces.forget(workspace.id)

    async def _noted(self, work: Callable[[], Awaitable[None]]) -> bool:
        """While the database is away it waits, in turn, until it is stored, or quizbot stops."""
        if self._waiting >= _MOST_WAITING:
            _log.error("too much waits for the database: Slack has to tell something again")
            return False
        self._waiting += 1
        try:
            async with self._in_turn:
                return await self._stored(work)
        finally:
            self._waiting -= 1

    async def _stored(self, work: Callable[[], Awaitable[None]]) -> bool:
        is_told = False
        while True:
            try:
                await work()
                return True
            except StoreUnavailable as error:
                if self._ending.is_set():
                    _log.error("what Slack told is not stored; it tells it again: %s", error)
                    return False
                if not is_told:
                    _log.warning("what Slack tells is noted later: %s", error)
                    is_told = True
                await self._clock.wait(self._ending, self._clock.now() + _AGAIN)
