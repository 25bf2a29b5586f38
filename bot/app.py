"""The front door: every call of every platform comes in here and leaves as a reply."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot import languages, tokens
from bot.calls import Click, Command, Identity, Submission, Typed, Where, Who
from bot.commands import COMMANDS, Read, UnknownCommand, read_behind, read_typed
from bot.dispatch import asks_standing
from bot.drawing import Key
from bot.library import Found
from bot.messages import Choice, Form, Message, Reply
from bot.posts import Post
from bot.readers import Here
from bot.scheduler import Scheduler
from bot.store import people
from bot.store.addresses import StoreUnavailable
from bot.wiring import UseCases, new_scheduler
from bot.wording import troubles
from bot.wording.catalogues import SOURCE
from bot.wording.troubles import Fate
from bot.wording.voice import Voice, language_codes, own_name

_log = logging.getLogger(__name__)

_LOGGED_AGAIN = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command for a menu: its name, how it is typed, and what it does, in one language."""

    name: str
    usage: str
    description: str


class QuizApp:
    """The product, on whatever surfaces there are."""

    def __init__(self, use_cases: UseCases) -> None:
        self._parts = parts = use_cases.parts
        self._store = parts.store
        self._library = parts.library
        self._clock = parts.clock
        self._readers = parts.readers
        self._desk = parts.desk
        self._home = parts.home
        self._dispatch = use_cases.dispatch
        self._meeting = use_cases.meeting
        self._membership = use_cases.membership
        self._logged: dict[str, datetime] = {}

    def scheduler(self, name: str, *, alone: bool) -> Scheduler:
        """What does the due work of this process."""
        return new_scheduler(self._parts, name, alone=alone)

    # --- calls ---------------------------------------------------------------------------

    async def command(self, command: Command) -> Reply:
        return await self._reply(
            command.who,
            command.where,
            lambda here: self._dispatch.command(command.name, command.options, here),
            call=command.id,
        )

    async def typed(self, typed: Typed) -> Reply:
        read = self._read(typed.text, typed.where.platform)
        return await self._reply(
            typed.who,
            typed.where,
            lambda here: self._dispatch.typed(read, here),
            call=typed.id,
        )

    async def click(self, click: Click) -> Reply:
        choice = tokens.read(click.token)
        return await self._reply(
            click.who,
            click.where,
            lambda here: self._dispatch.press(click, choice, here),
            choice,
            call=click.id,
            at_home=click.at_home and not isinstance(choice, tokens.Home),
        )

    async def submit(self, submission: Submission) -> Reply:
        choice = tokens.read(submission.token)
        return await self._reply(
            submission.who,
            submission.where,
            lambda here: self._dispatch.submit(submission, choice, here),
            call=submission.id,
            at_home=submission.at_home,
        )

    async def home(self, who: Who, where: Where) -> Message:
        """The page that a platform keeps for each person; `where` is what they say to the bot."""
        reply = await self._reply(who, where, self._home.page, tokens.Home(), call=None)
        assert isinstance(reply, Message), "the page is no form"
        return reply

    # --- coming and going ----------------------------------------------------------------

    async def joined(self, where: Where) -> None:
        """The bot was added to a community, or is there again; `where` is where it may greet."""
        await self._membership.joined(where)

    async def left(self, where: Where) -> None:
        """The bot was removed: what runs there ends, what is stored stays."""
        await self._membership.left(where)

    async def reconcile(
        self, platform: str, there: Collection[str], concerns: Callable[[str], bool]
    ) -> None:
        """Make up for what was missed: a list of the communities that the bot is in.

        Of others, those that the list `concerns` are taken to have removed it.
        """
        await self._membership.reconcile(platform, there, concerns)

    async def moved(self, where: Where, to: str) -> None:
        """The platform calls a place otherwise from now on, by the id `to`."""
        await self._membership.moved(where, to)

    async def brought(self, where: Where, by: str | None) -> None:
        """Somebody brought the bot into a place, by the platform's id."""
        place = await self._readers.place(where)
        await self._store.write(lambda c: people.set_brought_by(c, place.id, by), wakes=False)
        self._readers.forget_places()

    async def met(self, who: Who) -> None:
        """What the platform says of somebody was learnt: who is known is called so from now on."""
        await self._readers.learnt(who)

    async def identified(self, identity: Identity) -> None:
        """The platform says that several ids are one person's."""
        await self._readers.unite(identity)

    # --- what surfaces ask ---------------------------------------------------------------

    async def untold(self, bug: Exception, who: Who, where: Where, token: str = "") -> Message:
        """What is said instead of a reply that a bug of the surface keeps from being told.

        `token` is what was pressed, for whether an answer was counted.
        """
        return await self._incident(bug, tokens.read(token), who, where)

    async def posts(
        self, where: Where, *, before: int | None = None, limit: int = 50
    ) -> tuple[Post, ...]:
        """The messages of a place as they stand now, oldest first."""
        return await self._parts.posts.standing_in(where, before=before, limit=limit)

    async def asked_now(self, where: Where) -> frozenset[Key]:
        """What the dailies of a community ask now: what is right is shown nowhere meanwhile.

        Nothing while the database is away: then nobody can answer them either.
        """
        try:
            place = await self._readers.place(where)
            return await self._parts.kept.asked(place.community_id)
        except StoreUnavailable as error:
            self._log_once(str(error))
            return frozenset()

    async def suggest(self, source: str, typed: str, who: Who, where: Where) -> tuple[Choice, ...]:
        """What may be meant by an option or field that names this source.

        Nothing, where something goes wrong: it is only there to help.
        """
        try:
            return self._desk.suggest(source, typed, await self._readers.here(who, where))
        except StoreUnavailable as error:
            self._log_once(str(error))
        except Exception as error:  # noqa: BLE001 - who types is not to be held up by a bug
            self._log_once(f"nothing could be suggested for a {source}", error)
        return ()

    def is_answer(self, token: str) -> bool:
        """Whether a press on this answers a question."""
        return isinstance(tokens.read(token), tokens.Answer)

    def asks_standing(self, token: str) -> bool:
        """Whether the reply to a press on this depends on what somebody may do there."""
        return asks_standing(tokens.read(token))

    def asks_standing_of(self, text: str, platform: str) -> bool:
        """The same of a typed line."""
        return asks_standing(self._read(text, platform))

    def menu(self, language: str, *, alone: bool = False) -> tuple[CommandLine, ...]:
        voice = Voice.of(language)
        lines = []
        for spec in COMMANDS:
            if alone and spec.for_groups:
                continue
            usage = f" {voice.phrase(spec.usage)}" if spec.usage else ""
            typed = f"/{spec.name}{usage}"
            lines.append(CommandLine(spec.name, typed, voice.phrase(spec.description)))
        return tuple(lines)

    def languages(self) -> tuple[tuple[str, str], ...]:
        """Every language that something can be read in, with its own name."""
        return tuple((tag, own_name(tag)) for tag in languages.known(self._library))

    async def language_of(self, who: Who, where: Where) -> str:
        """The language in which this person reads here."""
        return (await self._readers.here(who, where)).reader().language

    # --- the catch-all -------------------------------------------------------------------

    async def _reply(
        self,
        who: Who,
        where: Where,
        work: Callable[[Here], Awaitable[Reply]],
        choice: tokens.Choice | None = None,
        *,
        call: str | None,
        at_home: bool = False,
    ) -> Reply:
        """A bug, or a database that is away, becomes a polite sentence and a number in the log."""
        try:
            here = await self._readers.here(who, where, call)
            if here.place.removed:
                await self._membership.returned(here.place)
            reply = await work(here)
            # The reply may be to a choice of language: what is added to it is in that one.
            here = await self._readers.here(who, where)
            if isinstance(choice, tokens.Home):
                return (
                    reply if isinstance(reply, Form) else await self._meeting.welcomed(reply, here)
                )
            reply = await self._meeting.introduced(reply, here)
            if not isinstance(choice, tokens.Answer):
                reply = await self._parts.telling.told(reply, here)
                reply = await self._parts.streaks.told_of_freezes(reply, here)
            if at_home and isinstance(reply, Message):
                return self._home.with_way_back(reply, here)
            return reply
        except StoreUnavailable as error:
            self._log_once(str(error))
            voice = Voice.of(who.locale or where.locale or SOURCE)
            return troubles.database_away(voice, is_answer=isinstance(choice, tokens.Answer))
        except Exception as bug:  # noqa: BLE001 - the one place where a bug becomes a sentence
            return await self._incident(bug, choice, who, where)

    async def _incident(
        self, bug: Exception, choice: tokens.Choice | None, who: Who, where: Where
    ) -> Message:
        number = f"{self._parts.chance.getrandbits(20):05X}"
        _log.error("incident %s", number, exc_info=bug)
        fate = await self._fate(choice, who, where)
        return troubles.incident(number, fate, Voice.of(who.locale or where.locale or SOURCE))

    def _log_once(self, matter: str, bug: Exception | None = None) -> None:
        """One line a minute for each matter: a rush of presses must not fill the disk as well."""
        now = self._clock.now()
        last = self._logged.get(matter)
        if last is None or now - last > _LOGGED_AGAIN:
            self._logged = {matter: now}
            _log.error("%s", matter, exc_info=bug)

    async def _fate(self, choice: tokens.Choice | None, who: Who, where: Where) -> Fate:
        """Whether an answer was counted before something went wrong."""
        if not isinstance(choice, tokens.Answer):
            return "none"
        try:
            here = await self._readers.here(who, where)
            step = await self._parts.engine.step(choice.step, here)
            counted = step is not None and await self._parts.engine.attempt(step, here) is not None
            return "counted" if counted else "not-counted"
        except Exception:  # noqa: BLE001 - then that is what is said
            _log.exception("it cannot be told whether the answer was counted")
            return "unknown"

    def _read(self, text: str, platform: str) -> Read | UnknownCommand:
        """What was typed, in the way in which commands are typed there."""
        if self._parts.prefixes.get(platform, "").endswith(" "):
            return read_behind(text, self._language_codes(), self._is_topic)
        return read_typed(text, self._language_codes())

    def _is_topic(self, words: str) -> bool:
        return isinstance(self._library.find(words), Found)

    def _language_codes(self) -> frozenset[str]:
        """Codes and own names, as somebody may type them."""
        known = languages.known(self._library)
        codes = {tag.split("-")[0].casefold() for tag in known}
        return language_codes() | codes | {own_name(tag).casefold() for tag in known}
