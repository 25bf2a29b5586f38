"""A quiz in the terminal: a line comes in, and what is to be shown goes out."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.local.room_core import App
from adapters.local.terminal_forms import Filling
from adapters.local.terminal_keys import MORE, STOP, Key, Keys, keys_of
from bot.calls import Click, Command, Submission, Typed, Where, Who
from bot.commands import BY_NAME
from bot.messages import Form, Message, Name, Option, Options, Paragraph, Reply
from bot.ports import Clock
from bot.spelling import fold
from bot.wording.voice import Voice


@dataclass(frozen=True, slots=True)
class Turn:
    """What is to be shown now: messages, or every key with what it does; `over` ends it all."""

    messages: tuple[Message, ...] = ()
    lists_keys: bool = False
    over: bool = False


def alone(person: str, locale: str | None) -> tuple[Who, Where]:
    """Somebody at their own machine, in the place that is theirs alone."""
    who = Who("terminal", person, person, locale, organiser=True)
    return who, Where("terminal", person, person, kind="direct", personal=True)


class Session:
    """One person's turn after turn. `course` is where their quiz stands, also behind a list."""

    def __init__(self, app: App, clock: Clock, who: Who, where: Where) -> None:
        self.keys = Keys()
        self.language = "en"
        self.has_played = False
        self.filling: Filling | None = None
        self._app = app
        self._clock = clock
        self._who = who
        self._where = where
        self._count: int | None = None
        self._message = Message(())
        self._course: Message | None = None

    # --- what starts it --------------------------------------------------------------------

    async def begin(self, topic: str, count: int | None = None) -> Turn:
        """Play a topic, alone; of none, all quizzes are shown to choose from."""
        self._count = count
        if not topic:
            return await self._ask("quizzes")
        options = {} if count is None else {"count": str(count)}
        return await self._ask("quiz", topic=topic, **options)

    async def speak(self, language: str) -> tuple[Turn, bool]:
        """Read in a language from now on; False if there is none of that name."""
        turn = await self._ask("language", language=language)
        now = await self._app.language_of(self._who, self._where)
        names = {fold(now), *(fold(name) for tag, name in self._app.languages() if tag == now)}
        return turn, fold(language) in names

    # --- what goes on ----------------------------------------------------------------------

    async def enter(self, line: str) -> Turn:
        """A line was typed."""
        typed = " ".join(line.split())
        if self.filling is not None:
            return await self._fill(self.filling, typed)
        if typed.casefold() == STOP:
            return Turn(over=True)
        if typed == MORE:
            return Turn(lists_keys=True)
        if not typed:
            return await self._go_on()
        key = self.keys.find(typed, _options(self._message))
        if key is not None:
            return await self._press(key)
        if typed.startswith("/") or typed.split()[0].casefold() in BY_NAME:
            return self._shown(await self._app.typed(Typed(self._who, self._where, typed)))
        if self.keys.asks_for_quiz:
            return await self.begin(typed, self._count)
        return Turn((self._not_understood(typed),))

    @property
    def is_under_way(self) -> bool:
        """Whether a quiz has begun and not come to its end."""
        return self._course is not None

    @property
    def has_way_back(self) -> bool:
        """Whether Enter leads from a list back to the quiz."""
        return self._course is not None and self._course is not self._message

    def menu(self) -> tuple[tuple[str, str], ...]:
        """The commands that can be typed as well, each with what it does."""
        return tuple(
            (each.usage, each.description) for each in self._app.menu(self.language, alone=True)
        )

    # --- inside ----------------------------------------------------------------------------

    async def _ask(self, name: str, **options: str) -> Turn:
        command = Command(self._who, self._where, name, options)
        return self._shown(await self._app.command(command))

    async def _go_on(self) -> Turn:
        """Enter alone: what is plainly next, else back to the quiz."""
        if self.keys.first is not None:
            return await self._press(self.keys.first)
        if self._course is not None:
            return self._shown(self._course)
        return Turn(lists_keys=True)

    async def _press(self, key: Key) -> Turn:
        if key.starts is not None:
            return await self.begin(key.starts, self._count)
        if self._message is self._course and (key.kind == "answer" or key == self.keys.first):
            self._course = None
        now = self._clock.now()
        click = Click(
            self._who, self._where, key.token, made_at=now, received_at=now, on_private=True,
            values=key.values,
        )  # fmt: skip
        return self._shown(await self._app.click(click))

    async def _fill(self, filling: Filling, typed: str) -> Turn:
        if typed.casefold() == STOP:
            self.filling = None
            return self._shown(self._message)
        if not filling.enter(typed) or not filling.is_done:
            return Turn((filling.question(),))
        self.filling = None
        token = filling.form.token
        return self._shown(
            await self._app.submit(Submission(self._who, self._where, token, filling.values))
        )

    def _shown(self, reply: Reply) -> Turn:
        self.language = reply.language
        if isinstance(reply, Form):
            self.filling = Filling(reply)
            return Turn((self.filling.question(),))
        keys = keys_of(reply)
        if keys.all or self._course is None:
            self._message, self.keys = reply, keys
        if keys.of("answer") or (keys.first is not None and keys.first.starts is None):
            self._course = reply
            self.has_played = self.has_played or bool(keys.of("answer"))
        return Turn((reply,))

    def _not_understood(self, typed: str) -> Message:
        voice = Voice.of(self.language)
        answers = self.keys.of("answer")
        if answers:
            line = voice.say(
                "“{typed}” is none of the answers: type a letter from {first} to {last}, "
                "or {more} for more.",
                typed=Name(typed), first=answers[0].key, last=answers[-1].key, more=MORE,
            )  # fmt: skip
        else:
            line = voice.say(
                "“{typed}” does nothing here: {more} lists what does.", typed=Name(typed), more=MORE
            )
        return Message((Paragraph(line),), language=self.language)


def _options(message: Message) -> tuple[Option, ...]:
    blocks = (block for block in message.blocks if isinstance(block, Options))
    return tuple(option for block in blocks for option in block.options)
