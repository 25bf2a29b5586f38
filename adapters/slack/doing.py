"""What people do on Slack, each as a call, an acknowledgement in time and a private reply."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from adapters.slack import forms, read
from adapters.slack.happening import Happening
from adapters.slack.people import People
from adapters.slack.read import Body
from adapters.slack.replies import Replies
from adapters.slack.workspaces import Workspace
from adapters.under_way import UnderWay, done_by
from bot.app import QuizApp
from bot.calls import Click, Submission, Typed, Where, Who
from bot.messages import Form, Reply
from bot.ports import Clock

_AT_THE_LATEST = timedelta(seconds=1)
"""So soon an answer is acknowledged; Slack gives up after three seconds and tells the person."""

_FORM_LASTS = timedelta(seconds=2)
"""So long a form that was sent, or what is typed in one, waits for what comes of it."""

_ASKING_LASTS = timedelta(seconds=1.5)
"""So long something waits that only some may do: the way to open a form lasts three seconds."""

_NOTED_WITHIN = timedelta(seconds=2)
"""So long an event waits until it is stored; after three seconds Slack tells it again."""

_MOST_REMEMBERED = 5_000
_LAST_WORDS = 3.0

Value = TypeVar("Value")
Carried = Mapping[str, Any]

_NOTHING: Carried = {}

_log = logging.getLogger(__name__)


class Doing:
    """The one dispatch. What was begun goes on, whatever becomes of the waiting for it."""

    def __init__(
        self,
        app: QuizApp,
        clock: Clock,
        people: People,
        replies: Replies,
        happening: Happening,
    ) -> None:
        self._app = app
        self._clock = clock
        self._people = people
        self._replies = replies
        self._happening = happening
        self._working = UnderWay()
        self._last_words = _LAST_WORDS
        self._known: OrderedDict[str, asyncio.Task[Any]] = OrderedDict()

    async def take(self, body: Body, workspace: Workspace) -> Carried | None:
        """Begin what is to be done; returns when Slack may be told that it was heard.

        None: it is not to be told so, since an event that is not stored has to come again.
        """
        match read.kind(body):
            case "block_actions" | "view_submission" | "command" if not read.user(body):
                _log.warning("what came from Slack is by nobody")
            case "block_actions" if read.action(body):
                return await self._pressed(body, workspace)
            case "view_submission":
                return await self._filled(body, workspace)
            case "block_suggestion":
                return await self._suggested(body, workspace)
            case "command":
                self._once(
                    read.key(body),
                    lambda: self._told(body, workspace, lambda: self._typed(body, workspace)),
                )
            case "event_callback":
                heard = self._once(read.key(body), lambda: self._happening.hear(body, workspace))
                if self._happening.is_noted(body) and not await self._was_noted(heard):
                    if heard.done():
                        # It was not stored: the next time it begins anew.
                        self._known.pop(read.key(body), None)
                    return None
            case _:
                pass
        return _NOTHING

    async def finish(self) -> None:
        """Let what is under way be told, for a moment: whoever stops quizbot waits for it."""
        self._happening.finish()
        lasts, self._last_words = self._last_words, 0.0
        await self._working.ended(within=lasts)

    async def give_up(self) -> None:
        """What could not be told by now is not; what was pressed is stored."""
        await self._working.give_up()

    @property
    def is_idle(self) -> bool:
        return not self._working

    # --- presses -------------------------------------------------------------------------

    async def _pressed(self, body: Body, workspace: Workspace) -> Carried:
        pressed, received_at = read.action(body), self._clock.now()
        token = read.token(pressed)
        if token.startswith(read.LINK):
            return _NOTHING
        if not self._app.is_answer(token):
            self._once(
                read.key(body),
                lambda: self._told(
                    body, workspace, lambda: self._press(body, workspace, received_at)
                ),
            )
            return _NOTHING
        # The same press delivered again is told the same again: who saw an error sees it now.
        stored = asyncio.Event()
        self._start(
            self._told(body, workspace, lambda: self._press(body, workspace, received_at, stored))
        )
        await self._clock.wait(stored, received_at + _AT_THE_LATEST)
        return _NOTHING

    async def _press(
        self,
        body: Body,
        workspace: Workspace,
        received_at: datetime,
        stored: asyncio.Event | None = None,
    ) -> Reply:
        try:
            pressed, reach = read.action(body), read.reach(body)
            token = read.token(pressed)
            if stored is None and self._app.asks_standing(token):
                await self._ask_standing(body, workspace)
            who, where = self._surroundings(body, workspace)
            click = Click(
                who,
                where,
                token,
                made_at=read.made_at(pressed, received_at),
                received_at=received_at,
                message=read.message_ts(body),
                on_private=reach.on_private or reach.at_home,
                values=read.values(pressed),
                id=read.key(body) or None,
                at_home=reach.at_home,
            )
            return await self._app.click(click)
        finally:
            if stored is not None:
                stored.set()

    # --- commands ------------------------------------------------------------------------

    async def _typed(self, body: Body, workspace: Workspace) -> Reply:
        text = read.text(body, "text")
        if self._app.asks_standing_of(text, read.PLATFORM):
            await self._ask_standing(body, workspace)
        elif read.is_closed(body):
            # Nothing says whether the bot is in there.
            await self._within(
                _ASKING_LASTS, self._people.ask_channel(read.channel(body), workspace)
            )
        who, where = self._surroundings(body, workspace)
        return await self._app.typed(Typed(who, where, text, id=read.key(body) or None))

    # --- forms ---------------------------------------------------------------------------

    async def _filled(self, body: Body, workspace: Workspace) -> Carried:
        """A form stays open until it is known whether there is something to mend."""
        until = self._clock.now() + _FORM_LASTS
        work = self._once(read.key(body), lambda: self._submit(body, workspace, until))
        return work.result() if await self._came(work, until) else _NOTHING

    async def _submit(self, body: Body, workspace: Workspace, until: datetime) -> Carried:
        """What is said in the form itself, until then; all else where it was opened from."""
        try:
            reply = await self._submitted(body, workspace)
            shown = _mistakes(reply, body) if self._clock.now() < until else _NOTHING
        except Exception as bug:  # noqa: BLE001 - told as any other
            self._start(self._own_up(bug, body, workspace))
            return _NOTHING
        if not shown:
            self._start(self._told(body, workspace, lambda: _given(reply)))
        return shown

    async def _submitted(self, body: Body, workspace: Workspace) -> Reply:
        await self._ask_standing(body, workspace)
        who, where = self._surroundings(body, workspace)
        view, reach = read.part(body, "view"), read.reach(body)
        entered = forms.values(read.part(read.part(view, "state"), "values"))
        return await self._app.submit(
            Submission(
                who, where, read.text(view, "callback_id"), entered,
                id=read.key(body) or None, at_home=reach.at_home,
            )
        )  # fmt: skip

    async def _suggested(self, body: Body, workspace: Workspace) -> Carried:
        source, typed = forms.source(read.text(body, "action_id")), read.text(body, "value")
        if source is None:
            return _NOTHING
        who, where = self._surroundings(body, workspace)
        work = self._start(self._app.suggest(source, typed, who, where))
        came = await self._came(work, self._clock.now() + _FORM_LASTS)
        return forms.suggestions(work.result() if came else (), typed)

    # --- who and where -------------------------------------------------------------------

    def _surroundings(self, body: Body, workspace: Workspace) -> tuple[Who, Where]:
        """As far as it is known at this moment."""
        where = read.where(body, workspace.id, workspace.name)
        user = read.user(body)
        who = self._people.known(read.who(body), where, user, workspace)
        return who, self._people.at(where, workspace)

    async def _ask_standing(self, body: Body, workspace: Workspace) -> None:
        """What somebody may do, where that decides what they are told."""
        asking = [self._people.ask(read.user(body), workspace)]
        channel = read.channel(body)
        more = [self._people.ask_channel(channel, workspace)] if channel else []
        await self._within(_ASKING_LASTS, *asking, *more)

    # --- telling -------------------------------------------------------------------------

    async def _told(
        self, body: Body, workspace: Workspace, work: Callable[[], Awaitable[Reply]]
    ) -> None:
        """What comes of something is told; of a bug on the way there, as the core does of its."""
        reach = self._replies.reach(body)
        try:
            reply = await work()
            await self._replies.tell(reach, reply, workspace)
        except Exception as bug:  # noqa: BLE001 - nobody is left without a word
            await self._own_up(bug, body, workspace)
        await self._happening.meet(body, workspace)

    async def _own_up(self, bug: Exception, body: Body, workspace: Workspace) -> None:
        who, where = self._surroundings(body, workspace)
        said = await self._app.untold(bug, who, where, read.token(read.action(body)))
        await self._replies.tell_plainly(read.reach(body), said, workspace)

    # --- work ----------------------------------------------------------------------------

    def _start(self, work: Coroutine[Any, Any, Value]) -> asyncio.Task[Value]:
        task = self._working.begin(work)
        task.add_done_callback(_say_what_failed)
        return task

    def _once(
        self, key: str, work: Callable[[], Coroutine[Any, Any, Value]]
    ) -> asyncio.Task[Value]:
        """What Slack delivers again was begun already: two commands would be two quizzes."""
        known = self._known.get(key) if key else None
        if known is not None:
            return known
        task = self._start(work())
        if key:
            self._known[key] = task
            if len(self._known) > _MOST_REMEMBERED:
                self._known.popitem(last=False)
        return task

    async def _within(self, lasts: timedelta, *work: Coroutine[Any, Any, Any]) -> None:
        both: asyncio.Future[Any] = asyncio.gather(*work, return_exceptions=True)
        await done_by(self._clock.now() + lasts, both, self._clock)

    async def _was_noted(self, heard: asyncio.Task[bool]) -> bool:
        return await self._came(heard, self._clock.now() + _NOTED_WITHIN) and heard.result()

    async def _came(self, work: asyncio.Task[Any], until: datetime) -> bool:
        """Whether something came of it by then; it goes on if it has not ended."""
        is_done = await done_by(until, work, self._clock)
        return is_done and not work.cancelled() and work.exception() is None


def _mistakes(reply: Reply, body: Body) -> Carried:
    """What stands beside the fields of the form that was sent, if there is something to mend."""
    view = read.part(body, "view")
    return forms.refusal(reply, forms.asked(view)) if isinstance(reply, Form) else _NOTHING


def _say_what_failed(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("what came from Slack could not be handled", exc_info=error)


async def _given(reply: Reply) -> Reply:
    return reply
