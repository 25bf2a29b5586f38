"""Asking for a quiz: a topic is found, questions are drawn, and a round begins."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Set
from dataclasses import replace

from sqlalchemy import Connection

from bot import languages, rules
from bot.commands import QuizWish
from bot.content import Bank, Language, Question
from bot.drawing import Key
from bot.library import Found, Library, Topic, Unknown
from bot.live import LiveRounds
from bot.outcomes import (
    CannotStart,
    LiveAlready,
    NothingToAsk,
    SoloQuestion,
    StaleButton,
    Started,
    StartOutcome,
    UnknownLanguage,
    UnknownTopic,
)
from bot.ports import Clock, Surface
from bot.practice import Practice
from bot.readers import Here
from bot.reading import title_in
from bot.schedules import OpenQuestion
from bot.state import Mode, Round
from bot.store import lookups, occurrences, people, rounds
from bot.store.rounds import NewRound, NewStep
from bot.store.store import Store
from bot.store.versions import ensure_versions


class Starting:
    """Begins rounds, or says why not."""

    def __init__(
        self,
        store: Store,
        library: Library,
        live: LiveRounds,
        practice: Practice,
        surfaces: Mapping[str, Surface],
        clock: Clock,
        chance: random.Random,
    ) -> None:
        self._store = store
        self._library = library
        self._surfaces = surfaces
        self._live = live
        self._practice = practice
        self._clock = clock
        self._chance = chance

    async def start(self, wish: QuizWish, here: Here) -> StartOutcome:
        """Begin a round, or say why not. `here.person` is known.

        A call that is delivered again finds the round that it began.
        """
        return await self._begun(here) or await self._start(wish, here)

    async def _start(self, wish: QuizWish, here: Here) -> StartOutcome:
        found, wish = self._found(wish, here)
        if not isinstance(found, Found):
            return found
        asked = await self._open_questions(here)
        if not _free(found, {one.key for one in asked}):
            return self._taken(found, asked, here)
        if (wish.mode or ("solo" if here.where.personal else "live")) == "solo":
            return await self._start_solo(found, wish, here)
        refusal = await self._refusal(found.id, wish, here)
        return refusal or await self._start_live(found, wish, here)

    def fault(
        self, wish: QuizWish, here: Here
    ) -> UnknownTopic | NothingToAsk | UnknownLanguage | None:
        """What is wrong with the topic or the language of a wish, before anything begins."""
        found, _ = self._found(wish, here)
        return None if isinstance(found, Found) else found

    async def again_solo(self, round_: Round, here: Here) -> StartOutcome:
        """The topic of a round once more, as practice."""
        topic, language = round_.topic, None
        if round_.mode == "solo":
            language = round_.language or None
        return await self.start(QuizWish(topic, topic, None, language, None, mode="solo"), here)

    async def _refusal(self, topic: str, wish: QuizWish, here: Here) -> CannotStart | None:
        """Why no live round can begin here, if that is so."""
        where, place = here.where, here.place
        if where.absent:
            return CannotStart(topic, "absent", where=where)
        if where.outside:
            return CannotStart(topic, "outside", where=where)
        if where.personal:
            return CannotStart(topic, "alone")
        if place.start_places and not {where.place, where.parent} & set(place.start_places):
            names = await self._store.read(
                lambda c: people.place_names(c, place.community_id, place.start_places)
            )
            return CannotStart(topic, "elsewhere", places=names)
        if place.starters == "organisers" and not here.is_organiser:
            return CannotStart(topic, "organisers")
        in_thread = self._in_thread(wish, here)
        lacking = where.lacking + (where.lacking_in_threads if in_thread else ())
        if lacking:
            return CannotStart(topic, "lacking", lacking=lacking)
        return None

    def _found(
        self, wish: QuizWish, here: Here
    ) -> tuple[Found | UnknownTopic | NothingToAsk | UnknownLanguage, QuizWish]:
        """What can be asked, and the wish with its language by tag; or why nothing can."""
        found, wish = self._find(wish)
        if isinstance(found, Unknown):
            return self._unknown(wish, found, here.reader().language), wish
        if not found.questions:
            return NothingToAsk(title_in(found.title, here.reader().language)), wish
        if wish.language is None:
            return found, wish
        language = languages.meant(wish.language, self._library)
        if language is None:
            return UnknownLanguage(wish.language, languages.known(self._library)), wish
        return found, replace(wish, language=language)

    def _find(self, wish: QuizWish) -> tuple[Found | Unknown, QuizWish]:
        """A topic may end in what looks like an option: then all the words are the topic."""
        whole = self._library.find(wish.whole) if wish.whole != wish.topic else None
        if isinstance(whole, Found):
            return whole, QuizWish(wish.whole, wish.whole, None, None, None)
        return self._library.find(wish.topic), wish

    def _unknown(self, wish: QuizWish, unknown: Unknown, language: Language) -> UnknownTopic:
        near = [
            (found.id, title_in(found.title, language))
            for found in unknown.suggestions
            # A tag that is spelt like a bank's name would lead to the bank.
            if _leads_to(self._library.find(found.id), found)
        ]
        if not wish.topic:
            near = [(title.id, title.title) for title in self._library.titles(language)[:3]]
        return UnknownTopic(wish.topic, tuple(near), wish.near)

    async def _begun(self, here: Here) -> StartOutcome | None:
        """The reply to this call when it was delivered before, as things stand now."""
        community, call = here.place.community_id, here.call
        if call is None:
            return None
        round_ = await self._store.read(lambda c: lookups.find_round_of_call(c, community, call))
        if round_ is None:
            return None
        if round_.mode == "live":
            return Started(round_.id, title_in(round_.title, here.reader().language))
        outcome = await self._practice.next(round_.id, here)
        return None if isinstance(outcome, StaleButton) else outcome

    async def _start_live(self, found: Found, wish: QuizWish, here: Here) -> StartOutcome:
        begun = await self._store.write(
            lambda connection: self._insert_live(connection, found, wish, here)
        )
        if begun is None:
            return self._taken(found, await self._open_questions(here), here)
        if isinstance(begun, Round):
            return LiveAlready(begun, None)
        has_pictures = any(question.image for _, question in found.questions)
        lacking = here.where.lacking_for_pictures if has_pictures else ()
        return Started(begun, title_in(found.title, here.reader().language), lacking)

    def _insert_live(
        self, connection: Connection, found: Found, wish: QuizWish, here: Here
    ) -> int | Round | None:
        """The id of the round that this call begins, or has begun; or another that runs here.

        None where dailies ask all that there is.
        """
        now = self._clock.now()
        taken = _begun_in(connection, here) or rounds.live_round_of(connection, here.place.id)
        if isinstance(taken, Round) and taken.state == "paused":
            self._live.stop(connection, taken, now)
        elif taken is not None:
            return taken
        new = self._draw(connection, found, wish, here, "live")
        if new is None:
            return None
        round_id = rounds.insert_round(connection, new, now)
        if round_id is None:
            taken = _begun_in(connection, here) or rounds.live_round_of(connection, here.place.id)
            assert taken is not None, "a unique index refused the round for it"
            return taken
        first = rounds.step_at(connection, round_id, 1)
        assert first is not None, "a round is drawn from at least one question"
        self._live.ask(connection, first, now)
        return round_id

    async def _start_solo(self, found: Found, wish: QuizWish, here: Here) -> StartOutcome:
        """Goes on where this person stopped, unless a number of questions is asked for."""
        person = here.person
        assert person is not None, "who starts a round is known"
        community = here.place.community_id
        unfinished = await self._store.read(
            lambda c: lookups.find_unfinished_solo(c, community, person.id, found.id)
        )
        if unfinished is not None and wish.count is None:
            goes_on = await self._go_on_solo(unfinished, wish.language, here)
            if goes_on is not None:
                return goes_on
        round_id = await self._store.write(
            lambda connection: self._insert_solo(connection, found, wish, here), wakes=False
        )
        if round_id is None:
            return self._taken(found, await self._open_questions(here), here)
        outcome = await self._practice.next(round_id, here)
        assert not isinstance(outcome, StaleButton), "it was just made"
        return outcome

    async def _go_on_solo(
        self, round_: Round, language: Language | None, here: Here
    ) -> SoloQuestion | None:
        """Where a practice stands; None where only its summary was never looked at."""
        if language is not None:
            await self._store.write(
                lambda c: rounds.set_language(c, round_.id, language), wakes=False
            )
        outcome = await self._practice.next(round_.id, here)
        return outcome if isinstance(outcome, SoloQuestion) else None

    def _insert_solo(
        self, connection: Connection, found: Found, wish: QuizWish, here: Here
    ) -> int | None:
        begun = _begun_in(connection, here)
        if begun is not None:
            return begun
        new = self._draw(connection, found, wish, here, "solo")
        if new is None:
            return None
        round_id = rounds.insert_round(connection, new, self._clock.now())
        begun = _begun_in(connection, here) if round_id is None else round_id
        assert begun is not None, "nothing keeps a practice from beginning but its own call"
        return begun

    def _draw(
        self, connection: Connection, found: Found, wish: QuizWish, here: Here, mode: Mode
    ) -> NewRound | None:
        """None where dailies ask all that there is."""
        asked = occurrences.open_keys(connection, here.place.community_id)
        questions = _free(found, asked)
        if not questions:
            return None
        drawn = rules.draw(questions, wish.count, self._chance)
        versions = ensure_versions(connection, drawn, self._clock.now())
        steps = [
            NewStep(
                version,
                rules.shuffle(question, self._chance),
                None if mode == "solo" else rules.time_for(question, wish.seconds),
            )
            for version, (_, question) in zip(versions, drawn, strict=True)
        ]
        return NewRound(
            place=here.place,
            mode=mode,
            starter=here.person.id if here.person else None,
            topic=found.id,
            title=found.title,
            language=_language(wish, mode, here, drawn[0][0].language),
            seconds=wish.seconds,
            speed=wish.speed and mode == "live",
            thread=mode == "live" and self._in_thread(wish, here),
            steps=steps,
            call=here.call,
        )

    def _taken(self, found: Found, asked: Iterable[OpenQuestion], here: Here) -> NothingToAsk:
        """With when the last of what dailies ask of it is free again."""
        title = title_in(found.title, here.reader().language)
        return NothingToAsk(
            title, max((one.closes_at for one in asked if one.closes_at), default=None)
        )

    async def _open_questions(self, here: Here) -> list[OpenQuestion]:
        """What the dailies of the community ask now."""
        community = here.place.community_id
        return await self._store.read(lambda c: occurrences.read_open_questions(c, community))

    def _in_thread(self, wish: QuizWish, here: Here) -> bool:
        surface, where = self._surfaces.get(here.where.platform), here.where
        if surface is None or not surface.abilities.threads:
            return False
        if where.kind != "channel" or not where.takes_threads:
            return False
        return here.place.threads if wish.thread is None else wish.thread


def _begun_in(connection: Connection, here: Here) -> int | None:
    """The id of the round that this call began when it was delivered before."""
    begun = rounds.round_of_call(connection, here.place.community_id, here.call)
    return None if begun is None else begun.id


def _free(found: Found, asked: Set[Key]) -> tuple[tuple[Bank, Question], ...]:
    """The questions of a topic that no daily is asking, so that their keys are shown nowhere."""
    return tuple(pair for pair in found.questions if (pair[0].key, pair[1].id) not in asked)


def _leads_to(found: Found | Unknown, topic: Topic) -> bool:
    return isinstance(found, Found) and found.topic_kind == topic.topic_kind


def _language(wish: QuizWish, mode: Mode, here: Here, source: Language) -> Language:
    """Of the public posts; practice is in its player's own unless one was asked for: empty."""
    if mode == "solo":
        return wish.language or ""
    return wish.language or here.place.language or here.where.locale or source
