"""Everything that is pressed around a question, each as one reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot import tokens
from bot.calls import Click
from bot.commands import BadOption, QuizWish
from bot.content import Language
from bot.endings import Endings
from bot.engine import Engine, leads, reader_of
from bot.kept import Kept
from bot.library import Library
from bot.messages import Message
from bot.open_play import OpenPlay
from bot.outcomes import (
    AlreadyAnswered,
    Answered,
    CannotStart,
    LiveAlready,
    SoloDone,
    SoloQuestion,
    StaleButton,
    Started,
    StartOutcome,
    TooLate,
)
from bot.ports import Surface, Target
from bot.posts import Posts
from bot.practice import Practice
from bot.progress import Streaks
from bot.readers import Here, Readers
from bot.reading import read_ask
from bot.starting import Starting
from bot.state import Round, Step
from bot.store import people, posted
from bot.store.store import Store
from bot.wording import open_play as open_words
from bot.wording import questions as question_words
from bot.wording import results as result_words
from bot.wording import rounds as round_words
from bot.wording import starting as starting_words
from bot.wording import troubles, verdicts


class Play:
    """Replies to who answers, reads, starts and leads."""

    def __init__(
        self,
        store: Store,
        library: Library,
        engine: Engine,
        starting: Starting,
        practice: Practice,
        endings: Endings,
        posts: Posts,
        open_play: OpenPlay,
        kept: Kept,
        readers: Readers,
        streaks: Streaks,
        surfaces: Mapping[str, Surface],
    ) -> None:
        self._store = store
        self._library = library
        self._engine = engine
        self._starting = starting
        self._practice = practice
        self._endings = endings
        self._posts = posts
        self._open_play = open_play
        self._kept = kept
        self._readers = readers
        self._streaks = streaks
        self._surfaces = surfaces

    def stale(self, here: Here) -> Message:
        """For a button that nobody of ours wrote."""
        return verdicts.stale(here.reader())

    # --- answering and reading -----------------------------------------------------------

    async def answer(self, click: Click, choice: tokens.Answer, here: Here) -> Message:
        outcome = await self._engine.answer(click, choice, here)
        if isinstance(outcome, StaleButton):
            return verdicts.verdict(outcome, here.reader())
        if isinstance(outcome, TooLate) and outcome.step.round.mode == "open":
            return await self._open_play.answered_late(outcome.step, click, choice.option, here)
        reader = reader_of(outcome.step.round, here, outcome.step.question.language)
        message = verdicts.verdict(outcome, reader)
        if isinstance(outcome, Answered | AlreadyAnswered) and outcome.step.round.mode == "solo":
            following = result_words.next_solo(outcome.step, reader.voice)
            return verdicts.with_buttons(message, following)
        if outcome.step.round.mode == "open":
            message = open_words.goes_on(message, outcome.step, reader.voice)
            if isinstance(outcome, Answered) and _is_last(outcome.step):
                return await self._streaks.said_with(message, here)
            return message
        return await self._endings.told(message, outcome.step.round, here)

    async def own_language(self, step_id: int, here: Here) -> Message | None:
        """The question in the reader's language; None where they have yet to choose one.

        What their platform reports is as good as a choice where it is another language than
        the post's and the question has it.
        """
        step = await self._engine.step(step_id, here)
        if step is None:
            return verdicts.stale(here.reader())
        wanted = here.reader(step.question.language).language
        is_known = here.language_is_chosen or _offers_another(step, wanted)
        return await self._in_own_language(step, here) if is_known else None

    async def explain(self, step_id: int, here: Here) -> Message:
        """One's own answer, the right one and why: once it is answered, or closed."""
        step = await self._engine.known_step(step_id, here)
        if step is None:
            return verdicts.stale(here.reader())
        return await self._explanation(step, here)

    async def more(self, step_id: int, here: Here) -> Message:
        step = await self._open_step(step_id, here)
        if isinstance(step, Message):
            return step
        if step.round.mode == "solo":
            return verdicts.stale(here.reader())
        may_lead = step.round.mode == "live" and leads(step.round, here)
        return round_words.more(step, here.reader(step.question.language), may_lead=may_lead)

    async def hint(self, step_id: int, here: Here) -> Message:
        step = await self._open_step(step_id, here)
        if isinstance(step, Message):
            return step
        return round_words.hint(step, here.reader(step.question.language))

    async def my_result(self, round_id: int, here: Here) -> Message:
        round_ = await self._engine.round(round_id, here)
        if round_ is None:
            return verdicts.stale(here.reader())
        result = await self._posts.result_of(round_)
        player = await self._player(here)
        mine = next((one for one in result.standings if one.player_id == player), None)
        reader = here.reader(_source(round_))
        return result_words.my_result(result, mine, reader, organiser=here.is_organiser)

    # --- starting ------------------------------------------------------------------------

    async def quiz(self, wish: QuizWish | BadOption, here: Here) -> Message:
        """A quiz was asked for, by a command or a button."""
        if isinstance(wish, BadOption):
            return starting_words.bad_option(wish, here.reader().voice)
        here = await self._with_person(here)
        before = await self._endings.broken_off_here(here)
        outcome = await self._starting.start(wish, here)
        message = await self._started(outcome, here)
        is_for_all = isinstance(outcome, Started | LiveAlready | CannotStart)
        if not is_for_all:
            return message
        return await self._endings.told(message, before, here, about="before")

    async def try_one(self, here: Here) -> Message:
        """One question of the first quiz that has any, for whoever wants to see how it goes."""
        bank = next((bank for bank in self._library.banks if bank.playable), None)
        topic = "" if bank is None else bank.id
        return await self.quiz(QuizWish(topic, topic, 1, None, None, mode="solo"), here)

    async def again_for_me(self, round_id: int, here: Here) -> Message:
        round_ = await self._engine.round(round_id, here)
        if round_ is None:
            return verdicts.stale(here.reader())
        here = await self._with_person(here)
        return await self._started(await self._starting.again_solo(round_, here), here)

    async def next_solo(self, round_id: int, here: Here) -> Message:
        outcome = await self._practice.next(round_id, here)
        if isinstance(outcome, StaleButton):
            return verdicts.stale(here.reader())
        return await self._started(outcome, here)

    # --- dailies -------------------------------------------------------------------------

    async def begin(self, round_id: int, click: Click, here: Here) -> Message:
        """A daily at one's own pace, from wherever one stopped."""
        await self._engine.learn_daily(round_id, click, here)
        return await self._open_play.begin(round_id, here)

    async def late(self, round_id: int, here: Here) -> Message:
        """What was left out of a daily that has closed, as practice."""
        practice = await self._open_play.late(round_id, here)
        if practice is None:
            return verdicts.stale(here.reader())
        return await self.next_solo(practice, await self._with_person(here))

    # --- inside --------------------------------------------------------------------------

    async def in_chosen_language(self, step_id: int, here: Here) -> Message | None:
        """What a reader came from when they chose a language, in that language."""
        step = await self._engine.known_step(step_id, here)
        if step is None:
            return None
        return await self._in_own_language(await self._engine.in_own_language(step), here)

    async def _in_own_language(self, step: Step, here: Here) -> Message:
        answered = await self._engine.attempt(step, here) is not None
        if answered or step.closed_at is not None:
            return await self._explanation(step, here)
        if step.round.mode == "solo":
            return await self.next_solo(step.round.id, here)
        if step.round.mode == "open" and step.round.length > 1:
            return await self._open_play.begin(step.round.id, here)
        reader = here.reader(step.question.language)
        return question_words.private_question(step, self._library.bank(step.bank), reader)

    async def _explanation(self, step: Step, here: Here) -> Message:
        attempt = await self._engine.attempt(step, here)
        reader = reader_of(step.round, here, step.question.language)
        if attempt is None and step.closed_at is None:
            return troubles.still_open(step, reader.voice)
        kept = await self._kept.of(step, here)
        if kept is not None:
            return open_words.kept_back(kept.closes_at, reader.voice)
        message = verdicts.explanation(step, attempt, reader)
        if step.round.mode == "solo" and step.round.ended_at is None:
            return verdicts.with_buttons(message, result_words.next_solo(step, reader.voice))
        return await self._endings.told(message, step.round, here)

    async def _open_step(self, step_id: int, here: Here) -> Step | Message:
        step = await self._engine.step(step_id, here)
        if step is None:
            return verdicts.stale(here.reader())
        if step.closed_at is not None:
            return await self._explanation(step, here)
        return step

    async def _started(self, outcome: StartOutcome, here: Here) -> Message:
        if isinstance(outcome, SoloQuestion | SoloDone):
            return self._solo(outcome, here)
        if isinstance(outcome, LiveAlready):
            outcome = replace(outcome, link=await self._link(outcome.round))
        return starting_words.started(outcome, here.reader(), alone=here.where.personal)

    def _solo(self, outcome: SoloQuestion | SoloDone, here: Here) -> Message:
        if isinstance(outcome, SoloQuestion):
            bank = self._library.bank(outcome.step.bank)
            reader = reader_of(outcome.step.round, here, outcome.step.question.language)
            return result_words.solo_question(outcome, bank, reader)
        bank = self._library.bank(outcome.round.topic)
        return result_words.solo_summary(
            outcome, bank, reader_of(outcome.round, here, _source(outcome.round))
        )

    async def _link(self, round_: Round) -> str | None:
        """The address of the question at which a round stands."""
        surface = self._surfaces.get(round_.place.platform)
        entry = await self._store.read(lambda c: posted.last_question_of(c, round_.id))
        if surface is None or entry is None or entry.message_id is None:
            return None
        target = Target(round_.place.community, round_.place.place, thread=entry.thread)
        return surface.link(target, entry.message_id)

    async def _player(self, here: Here) -> int | None:
        person = here.person
        if person is None:
            return None
        community = here.place.community_id
        return await self._store.read(lambda c: people.find_player(c, community, person.id))

    async def _with_person(self, here: Here) -> Here:
        return here.with_person(await self._readers.known_person(here.who))


def _offers_another(step: Step, wanted: Language) -> bool:
    """Whether the question has this language, and stands in the channel in another."""
    shown = read_ask(step.question, step.round.language).language
    return read_ask(step.question, wanted).language not in (shown, step.question.language)


def _source(round_: Round) -> Language:
    """The language in which a round's title was written first."""
    return next(iter(round_.title))


def _is_last(step: Step) -> bool:
    return step.position == step.round.length
