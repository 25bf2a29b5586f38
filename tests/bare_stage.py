"""The product with no surface but lists: calls go straight in, posts are kept in memory."""

from __future__ import annotations

import asyncio
import copy
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from clock import StandingClock
from conversation import Person, Seen
from prepared import prepare
from sqlalchemy import Connection, update

from bot.app import QuizApp
from bot.banks import load
from bot.calls import Click, Submission, Typed, Where, Who
from bot.library import Library
from bot.messages import (
    Form,
    Message,
    Options,
    Reply,
    Select,
    buttons_of,
    plain_text,
)
from bot.outcomes import Draft, Recorded
from bot.ports import Abilities, Access, Posted, PostResult, Refused, Target
from bot.scheduler import Scheduler
from bot.store import heartbeats
from bot.store.addresses import StoreUnavailable
from bot.store.opening import open_store
from bot.store.schema import steps
from bot.store.store import Store
from bot.wiring import wire


class ListSurface:
    """Keeps what is posted. `answers` are what the next posts come to, before all go well."""

    platform = "bare"

    def __init__(self, clock: StandingClock) -> None:
        self.abilities = Abilities(message_links=True, resend_seconds=120)
        self.posted: dict[str, Message] = {}
        self.edits: list[str] = []
        self.threads: dict[str, str | None] = {}
        self.answers: list[PostResult | Exception] = []
        self.edit_answers: list[PostResult] = []
        self.hangs = False
        self.may_pin = True
        self.pinned: set[str] = set()
        self.begun = asyncio.Event()
        self.after_post: Callable[[], None] | None = None
        self.accesses: dict[str, Access | None] = {}
        self.groups: dict[str, str] = {}
        self.members: dict[str, Who] = {}
        self._clock = clock

    async def post(
        self, target: Target, message: Message, *, nonce: str, silent: bool
    ) -> PostResult:
        self.begun.set()
        if self.answers and (answer := self.answers.pop(0)):
            if isinstance(answer, Exception):
                raise answer
            return answer
        if self.hangs:
            await asyncio.Event().wait()
        self.posted[nonce] = message
        then, self.after_post = self.after_post, None
        if then is not None:
            then()
        self.threads[nonce] = target.thread
        return Posted(nonce, self._clock.now())

    async def edit(self, target: Target, posted: str, message: Message) -> PostResult:
        if self.edit_answers:
            answer = self.edit_answers.pop(0)
            if isinstance(answer, Refused) and answer.gone:
                self.posted.pop(posted, None)
            return answer
        self.edits.append(posted)
        self.posted[posted] = message
        return Posted(posted, self._clock.now())

    def link(self, target: Target, posted: str) -> str | None:
        return f"https://bare.example/{target.place}/{posted}"

    async def pin(self, target: Target, posted: str, *, pinned: bool) -> bool:
        if self.may_pin:
            (self.pinned.add if pinned else self.pinned.discard)(posted)
        return self.may_pin

    async def access(self, target: Target) -> Access | None:
        return self.accesses.get(target.place, Access(name=target.place))

    async def member(self, target: Target) -> Who | None:
        return self.members.get(target.person or "")

    async def group_name(self, target: Target, group: str) -> str | None:
        return self.groups.get(group)


class BareStage:
    """One place of one community, and whoever is in it."""

    name = "bare"

    def __init__(self, database: str, banks: Sequence[Path], place: str = "room") -> None:
        self.clock = StandingClock()
        self.surface = ListSurface(self.clock)
        self.chance = random.Random(20)
        self.prefixes: dict[str, str] = {}
        self.alone = True
        """Whether no other process serves its database."""

        self.where = Where("bare", "group", place, "Study group", place)
        self._database = database
        self._banks = banks
        self._up: tuple[Store, QuizApp, Scheduler, asyncio.Task[None]] | None = None

    async def start(self) -> None:
        prepare(self._database)
        store = await open_store(self._database, zone=ZoneInfo("UTC"), clock=self.clock)
        library = Library(load(self._banks).banks)
        surfaces = {self.surface.platform: self.surface}
        wired = wire(store, library, surfaces, self.clock, self.chance, prefixes=self.prefixes)
        app = QuizApp(wired)
        scheduler = app.scheduler("test", alone=self.alone)
        await scheduler.recover()
        self._up = store, app, scheduler, asyncio.create_task(scheduler.run())
        await self.settle()

    async def stop(self, *, patience: float = 10.0) -> None:
        store, _, scheduler, task = self._running()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await scheduler.close(patience)
        await store.close()
        self._up = None

    async def restart(self, away: float = 0.0, *, patience: float = 10.0) -> None:
        """`patience`: the seconds in which what is being sent may still arrive."""
        await self.stop(patience=patience)
        self.clock.move(away)
        await self.start()

    @property
    def app(self) -> QuizApp:
        return self._running()[1]

    @property
    def store(self) -> Store:
        return self._running()[0]

    async def live_until(self, at: datetime) -> None:
        await self.store.write(lambda c: heartbeats.beat(c, at), wakes=False)

    def beside(self, place: str) -> BareStage:
        """Another place of the same community."""
        other = copy.copy(self)
        other.where = replace(self.where, place=place, place_name=place)
        return other

    def lose_disk(self, writes: int) -> None:
        """The next writes find no room."""
        store, room = self.store, self.store.write
        left = writes

        async def full(work: Callable[[Connection], Any], **how: Any) -> Any:
            nonlocal left
            if left == 0:
                return await room(work, **how)
            left -= 1
            raise StoreUnavailable("The disk is full.")

        async def full_too(draft: Draft) -> Recorded:
            return await full(lambda _: None) or await keep(draft)

        keep = store.record
        store.write = full  # type: ignore[method-assign]
        store.record = full_too  # type: ignore[method-assign]

    async def spoil_step(self, step_id: int) -> None:
        """A row that nothing can be made of any more."""
        spoilt = update(steps).where(steps.c.id == step_id).values(option_order="no list")
        await self.store.write(lambda c: c.execute(spoilt))

    async def settle(self) -> None:
        _, _, scheduler, task = self._running()
        began = self.clock.waits
        while True:
            # Counted before it is looked at: a wait that begins in between is not missed.
            seen = self.clock.waits
            if scheduler.is_idle and self.clock.is_waited_for:
                break
            assert seen - began < 1_000, "the schedule does not come to rest"
            waiting = asyncio.create_task(self.clock.next_wait(seen))
            await asyncio.wait({waiting, task}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if task.done():
                task.result()

    def who(self, person: Person) -> Who:
        return Who("bare", person.name, person.name, person.locale, person.organiser)

    async def type(self, person: Person, text: str) -> Seen:
        return seen(await self.app.typed(Typed(self.who(person), self.where, text)))

    async def press(self, person: Person, message: Seen, token: str, private: bool) -> Seen:
        return await self._click(person, message, token, private=private)

    async def choose(self, person: Person, message: Seen, token: str, value: str) -> Seen:
        return await self._click(person, message, token, private=True, values=(value,))

    async def fill(self, person: Person, form: Seen, values: Mapping[str, str]) -> Seen:
        submission = Submission(self.who(person), self.where, form.form, values)
        return seen(await self.app.submit(submission))

    async def channel(self) -> list[Seen]:
        return [seen(message, posted) for posted, message in self.surface.posted.items()]

    async def _click(
        self,
        person: Person,
        message: Seen,
        token: str,
        *,
        private: bool,
        values: tuple[str, ...] = (),
    ) -> Seen:
        now = self.clock.now()
        click = Click(
            self.who(person), self.where, token, now, now, message.id or None, private, values
        )
        return seen(await self.app.click(click))

    def _running(self) -> tuple[Store, QuizApp, Scheduler, asyncio.Task[None]]:
        assert self._up is not None, "it has not been started"
        return self._up


def seen(reply: Reply, posted: str = "") -> Seen:
    """A reply as somebody sees it, without drawing it."""
    if isinstance(reply, Form):
        lines = [reply.title, *(field.label for field in reply.fields)]
        lines += [error for _, error in reply.errors]
        return Seen("\n".join(lines), form=reply.token)
    options = [block for block in reply.blocks if isinstance(block, Options)]
    selects = [c for row in reply.controls for c in row if isinstance(c, Select)]
    return Seen(
        plain_text(reply),
        {
            option.letter: plain_text(Message(option.body))
            for block in options
            for option in block.options
        },
        {button.label: button.token for button in buttons_of(reply)},
        {
            choice.label: (select.token, choice.value)
            for select in selects
            for choice in select.choices
        },
        id=posted,
    )
