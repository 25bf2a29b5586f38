"""The room as a channel: posts and edits go to every open tab, private replies to one person."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from aiohttp import WSCloseCode, WSMessage, WSMsgType

from adapters.local import room_frames as f
from adapters.local.render import Address, direction, message
from adapters.local.room_core import HERE, App, Post
from adapters.local.room_forms import form
from adapters.local.room_tab import MOST_REFUSED, Sitter, Tab, encode
from adapters.local.room_words import clock, interface_language, interface_languages, page
from adapters.local.room_work import Desk
from adapters.local.turns import balanced
from bot.calls import Who
from bot.messages import Choice, Form, Message, Reply
from bot.ports import Abilities, Access, Clock, Later, Posted, PostResult, Target

log = logging.getLogger(__name__)

_FRESH = timedelta(minutes=2)
_PAGE = 50


class Channel:
    """The `Surface` of the room, and everybody who has it open."""

    platform = "room"
    # A nonce makes the message's id, so that one that is posted again never stands there twice.
    abilities = Abilities(silent=True, message_links=True, resend_seconds=7 * 24 * 3600)

    def __init__(self, app: App, clock: Clock, picture: Address) -> None:
        self._app = app
        self._clock = clock
        self._picture = picture
        self._desk = Desk(app, clock)
        self._tabs: set[Tab] = set()
        self._answering: set[asyncio.Task[None]] = set()
        self._fresh: OrderedDict[str, tuple[datetime, Message]] = OrderedDict()
        self._people: OrderedDict[str, str] = OrderedDict()

    # --- what the scheduler does ---------------------------------------------------------------

    async def post(
        self, target: Target, message: Message, *, nonce: str, silent: bool
    ) -> PostResult:
        now = self._clock.now()
        if target.person is not None:
            return self._deliver(target.person, message, nonce, now)
        for old in [old for old, (at, _) in self._fresh.items() if at < now - _FRESH]:
            del self._fresh[old]
        key = f.message_id(nonce)
        at, _ = self._fresh.get(key, (now, message))
        self._fresh[key] = (at, message)
        self._broadcast({"is": "post", **self._drawn(key, at, message)})
        return Posted(key, at)

    async def edit(self, target: Target, posted: str, message: Message) -> PostResult:
        now = self._clock.now()
        if posted in self._fresh:
            self._fresh[posted] = (self._fresh[posted][0], message)
        self._broadcast({"is": "edit", **self._drawn(posted, now, message)})
        return Posted(posted, now)

    def link(self, target: Target, posted: str) -> str | None:
        return f"/#{posted}"

    async def pin(self, target: Target, posted: str, *, pinned: bool) -> bool:
        return False

    async def access(self, target: Target) -> Access | None:
        return Access()

    async def member(self, target: Target) -> Who | None:
        return None

    async def group_name(self, target: Target, group: str) -> str | None:
        return None

    # --- what a tab does -----------------------------------------------------------------------

    @property
    def tabs(self) -> int:
        """How many tabs are open."""
        return len(self._tabs)

    async def hold(self, tab: Tab) -> None:
        """Serve a tab whose socket is open until it is closed."""
        self._tabs.add(tab)
        sending = asyncio.create_task(tab.send(self.snapshot))
        asked: set[asyncio.Task[None]] = set()
        try:
            async for received in tab.socket:
                if (frame := self._admitted(tab, received)) is not None:
                    task = asyncio.create_task(self._served(tab, frame))
                    for tasks in (asked, self._answering):
                        tasks.add(task)
                        task.add_done_callback(tasks.discard)
                elif tab.refused > MOST_REFUSED:
                    await tab.close(WSCloseCode.POLICY_VIOLATION)
        finally:
            self._tabs.discard(tab)
            # The work itself goes on: its reply waits for the next socket of this person.
            for task in (*asked, sending):
                task.cancel()

    async def close(self) -> None:
        """Let running work end and be told, then tell every tab that the program stops."""
        await self._desk.finish(3)
        if self._answering:
            await asyncio.wait(self._answering, timeout=1)
        tabs = tuple(self._tabs)
        await asyncio.gather(*(tab.sent(1) for tab in tabs))
        await asyncio.gather(*(tab.close(WSCloseCode.GOING_AWAY) for tab in tabs))

    async def snapshot(self, tab: Tab, request: str | None = None) -> str:
        """All that a tab shows, as it stands now."""
        posts = await self._app.posts(HERE, limit=_PAGE)
        rows = [*map(self._row, posts), *self._unnoted(posts)]
        return encode(
            {
                "is": "welcome",
                "id": request,
                "posts": rows,
                "more": len(posts) >= _PAGE,
                **self._speech(tab.sitter),
            }
        )

    # --- the requests --------------------------------------------------------------------------

    def _admitted(self, tab: Tab, received: WSMessage) -> f.Frame | None:
        is_text = received.type is WSMsgType.TEXT
        frame = f.read(received.data) if is_text else f.Broken(None)
        if not tab.may_ask():
            tab.say(frame.id, tab.gettext("That was too fast; wait a moment."), again=True)
            return None
        if isinstance(frame, f.Broken):
            tab.say(frame.id, tab.gettext("This page sent something that cannot be read."))
            return None
        return frame

    async def _served(self, tab: Tab, frame: f.Frame) -> None:
        """Answer, or have the page begin anew: it would wait for ever for an answer that fails."""
        try:
            await self._answer(tab, frame)
        except Exception as fault:  # noqa: BLE001 - whatever it was, the page must not hang
            log.error("a tab of the room could not be answered, it connects anew: %r", fault)
            await tab.close(WSCloseCode.TRY_AGAIN_LATER)

    async def _answer(self, tab: Tab, frame: f.Frame) -> None:
        match frame:
            case f.Hello():
                await self._seat(tab, frame)
            case f.Ping(request):
                tab.offer(encode({"is": "pong", "id": request, "now": self._milliseconds()}))
            case f.Earlier(request, before):
                await self._earlier(tab, request, before)
            case f.Broken():
                pass
            case _ if tab.sitter.who is None:
                tab.say(frame.id, tab.gettext("Say first what the others should call you."))
            case f.Typing():
                await self._suggest(tab, tab.sitter.who, frame)
            case _:
                await self._work(tab, tab.sitter.who, frame)

    async def _seat(self, tab: Tab, hello: f.Hello) -> None:
        if hello.secret is None:
            tab.sitter = Sitter(None, hello.locale or tab.sitter.language)
        elif not hello.name:
            tab.sitter = Sitter(None, hello.locale or tab.sitter.language)
            tab.say(hello.id, page(interface_language(tab.sitter.language))["name-unseen"])
        else:
            who = Who(
                self.platform,
                f.person_id(hello.secret),
                hello.name,
                locale=hello.locale,
                organiser=tab.organiser,
            )
            tab.sitter = Sitter(who, await self._app.language_of(who, HERE))
            self._remember(who)
        tab.offer(await self.snapshot(tab, hello.id))

    async def _work(self, tab: Tab, who: Who, work: f.Work) -> None:
        reply = await self._desk.reply(who, work)
        if reply is None:
            sentence = tab.gettext("Something went wrong on my side; please try again.")
            tab.say(work.id, sentence)
            return
        tab.offer(encode(self._reply(work.id, reply)))
        await self._follow_language(who)

    async def _follow_language(self, who: Who) -> None:
        """Speak the person's language in all their tabs, if it is another one now."""
        language = await self._app.language_of(who, HERE)
        for tab in self._tabs_of(who.id):
            if tab.sitter.language != language:
                tab.sitter = replace(tab.sitter, language=language)
                tab.offer(encode({"is": "speech", **self._speech(tab.sitter)}))

    async def _suggest(self, tab: Tab, who: Who, typing: f.Typing) -> None:
        found = await self._app.suggest(typing.source, typing.text, who, HERE)
        tab.offer(encode({"is": "choices", "id": typing.id, "choices": [*map(_choice, found)]}))

    async def _earlier(self, tab: Tab, request: str, before: int) -> None:
        posts = await self._app.posts(HERE, before=before, limit=_PAGE)
        more = len(posts) >= _PAGE
        rows = [*map(self._row, posts)]
        tab.offer(encode({"is": "earlier", "id": request, "posts": rows, "more": more}))

    # --- how things are written ----------------------------------------------------------------

    def _reply(self, request: str, reply: Reply) -> dict[str, object]:
        if isinstance(reply, Form):
            people = [Choice(key, name) for key, name in self._people.items()]
            drawn = form(reply, people, [Choice(HERE.place, page(reply.language)["title"])])
            return {"is": "form", "id": request, "html": drawn}
        return {
            "is": "reply",
            "id": request,
            "replaces": reply.replaces,
            "at": self._milliseconds(),
            **self._message(reply),
        }

    def _unnoted(self, posts: Sequence[Post]) -> list[dict[str, object]]:
        """What stands here already and the outbox has yet to note as sent: only the newest can."""
        known = {post.message_id for post in posts}
        since = self._clock.now() - _FRESH
        newest = max(since, posts[-1].posted_at) if posts else since
        fresh = [
            (key, at, shown)
            for key, (at, shown) in self._fresh.items()
            if at >= newest and key not in known
        ]
        return [self._drawn(*each) for each in fresh[-_PAGE:]]

    def _row(self, post: Post) -> dict[str, object]:
        return {"row": post.id, **self._drawn(post.message_id, post.posted_at, post.message)}

    def _drawn(self, key: str, at: datetime, shown: Message) -> dict[str, object]:
        return {"key": key, "at": round(at.timestamp() * 1000), **self._message(shown)}

    def _message(self, shown: Message) -> dict[str, object]:
        html = message(shown, self._picture)
        return {"html": html, "lang": shown.language, "dir": direction(shown.language)}

    def _speech(self, sitter: Sitter) -> dict[str, object]:
        # One may read quizzes in a language that the room itself does not speak.
        voice = interface_language(sitter.language)
        return {
            "now": self._milliseconds(),
            "me": sitter.who.id if sitter.who else None,
            "language": sitter.language,
            "voice": voice,
            "dir": direction(voice),
            "words": page(voice),
            "clocks": {tag: clock(tag) for tag in interface_languages()},
            "languages": [[tag, name] for tag, name in self._app.languages()],
            "menu": [
                {"name": each.name, "usage": each.usage, "description": each.description}
                for each in self._app.menu(voice)
            ],
        }

    # --- who is there --------------------------------------------------------------------------

    def _deliver(self, person: str, shown: Message, nonce: str, now: datetime) -> PostResult:
        tabs = [*self._tabs_of(person)]
        if not tabs:
            return Later(60)
        key = f.message_id(nonce)
        frame = encode({"is": "private", **self._drawn(key, now, shown)})
        for tab in tabs:
            tab.offer(frame)
        return Posted(key, now)

    def _tabs_of(self, person: str) -> Iterable[Tab]:
        return [t for t in self._tabs if t.sitter.who is not None and t.sitter.who.id == person]

    def _broadcast(self, frame: dict[str, object]) -> None:
        text = encode(frame)
        for tab in self._tabs:
            tab.offer(text)

    def _remember(self, who: Who) -> None:
        self._people[who.id] = who.name
        self._people.move_to_end(who.id)
        while len(self._people) > 100:
            self._people.popitem(last=False)

    def _milliseconds(self) -> int:
        return round(self._clock.now().timestamp() * 1000)


def _choice(choice: Choice) -> dict[str, str]:
    label, description = balanced(choice.label), balanced(choice.description)
    return {"value": choice.value, "label": label, "description": description}
