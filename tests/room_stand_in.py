"""A small world for the room's tests: a scripted front door, a clock that stands, some banks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from adapters.local.room import Room
from adapters.server import Server
from bot import messages as m
from bot.calls import Click, Command, Submission, Typed, Where, Who
from bot.content import Bank, BankText, Question, QuestionText, Source
from bot.library import Library
from bot.ports import Target

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
HERE = Target("room", "room")


@dataclass
class StandingClock:
    """Shows the same instant until a test moves it."""

    at: datetime = NOON

    def now(self) -> datetime:
        return self.at

    def move(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)

    async def wait(self, event: asyncio.Event, until: datetime | None) -> None:
        await event.wait()


@dataclass(frozen=True)
class Post:
    id: int
    message_id: str
    posted_at: datetime
    message: m.Message


@dataclass(frozen=True)
class CommandLine:
    name: str
    usage: str
    description: str


MENU = (
    CommandLine("quiz", "topic [count] [language] [30s]", "Start a quiz"),
    CommandLine("leaderboard", "", "Who has how many points"),
    CommandLine("quizzes", "", "All quizzes"),
    CommandLine("language", "[language]", "The language in which you read"),
    CommandLine("help", "", "What quizbot can do"),
)


def say(*lines: str, replaces: bool = False, controls: tuple[m.Row, ...] = ()) -> m.Message:
    """A message of plain paragraphs."""
    blocks = tuple(m.Paragraph((m.Plain(line),)) for line in lines)
    return m.Message(blocks, controls, replaces=replaces)


@dataclass
class StandIn:
    """Answers as it is told to, and remembers what it was asked."""

    clicks: list[Click] = field(default_factory=list)
    lines: list[Typed] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    forms: list[Submission] = field(default_factory=list)
    sent: list[Post] = field(default_factory=list)
    spoken: dict[str, str] = field(default_factory=dict)
    answer: Callable[[Click], m.Reply] = lambda click: say(f"You pressed {click.token}.")
    on_line: Callable[[Typed], m.Reply] = lambda typed: say(f"You typed {typed.text}")
    on_form: Callable[[Submission], m.Reply] = lambda form: say(f"Saved {dict(form.values)}.")
    gate: asyncio.Event | None = None
    daily: frozenset[tuple[str, str]] = frozenset()
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    """A line has come in."""

    async def typed(self, typed: Typed) -> m.Reply:
        self.lines.append(typed)
        self.asked.set()
        await self._wait()
        return self.on_line(typed)

    async def command(self, command: Command) -> m.Reply:
        self.commands.append(command)
        if command.name == "language":
            self.spoken[command.who.id] = command.options["language"]
        return say(f"Done: {command.name}")

    async def click(self, click: Click) -> m.Reply:
        self.clicks.append(click)
        await self._wait()
        return self.answer(click)

    async def submit(self, submission: Submission) -> m.Reply:
        self.forms.append(submission)
        return self.on_form(submission)

    async def suggest(
        self, source: str, typed: str, who: Who, where: Where
    ) -> tuple[m.Choice, ...]:
        topics = (
            m.Choice("pipeline-parallelism", "Model and pipeline parallelism"),
            m.Choice("networks", "Network basics", "12 questions"),
        )
        return tuple(t for t in topics if typed.lower() in t.label.lower())

    async def asked_now(self, where: Where) -> frozenset[tuple[str, str]]:
        return self.daily

    def menu(self, language: str, *, alone: bool = False) -> tuple[CommandLine, ...]:
        return MENU

    async def posts(
        self, where: Where, *, before: int | None = None, limit: int = 50
    ) -> tuple[Post, ...]:
        wanted = [post for post in self.sent if before is None or post.id < before]
        return tuple(wanted[-limit:])

    def languages(self) -> tuple[tuple[str, str], ...]:
        return (("en", "English"), ("fr", "Français"), ("sn", "chiShona"))

    async def language_of(self, who: Who, where: Where) -> str:
        return self.spoken.get(who.id) or (who.locale or "en").split("-")[0]

    async def _wait(self) -> None:
        if self.gate is not None:
            await self.gate.wait()


def question(
    number: int = 1,
    *,
    text: str = "Which TCP port does an SSH server listen on by default?",
    options: tuple[str, ...] = ("21", "22", "2222", "8080"),
    language: str = "en",
    labels: bool = True,
    answered: int = 0,
    until: datetime | None = NOON + timedelta(seconds=48),
) -> m.Message:
    """A public question as the core composes it."""
    letters = "ABCDEFGHIJ"
    when = (m.Plain(" · closes "), m.When(until, "relative", "in 48 s")) if until else ()
    return m.Message(
        (
            m.Heading((m.Plain(f"Network basics · question {number} of 8"),)),
            m.Paragraph((m.Bold((m.Foreign((m.Plain(text),), language),)),)),
            m.Options(
                tuple(
                    m.Option(letter, (m.Paragraph((m.Plain(option),)),))
                    for letter, option in zip(letters, options, strict=False)
                ),
                language,
            ),
            m.Small((m.Plain(f"{answered} answered"), *when)),
        ),
        (
            tuple(
                m.Button(
                    f"{a} · {o}" if labels else a, f"answer:{number}:{a}", "answer", f"{a}: {o}"
                )
                for a, o in zip(letters, options, strict=False)
            ),
            (
                m.Button("Français · chiShona", f"language:{number}"),
                m.Button("More", f"more:{number}"),
            ),
        ),
    )


def reveal(number: int = 1) -> m.Message:
    """What a question becomes when it closes."""
    bars = (m.Bar("A", 2, False), m.Bar("B", 9, True), m.Bar("C", 1, False), m.Bar("D", 0, False))
    return m.Message(
        (
            m.Heading((m.Plain(f"Network basics · question {number} of 8"),)),
            m.Paragraph(
                (m.Bold((m.Plain("Which TCP port does an SSH server listen on by default?"),)),)
            ),
            m.Paragraph((m.Bold((m.Plain("Right: B · 22"),)),)),
            m.Spread(bars, "A 2 · B 9 · C 1 · D 0"),
            m.Paragraph((m.Plain("22 is the registered port for SSH."),)),
        ),
        ((m.Button("Explain to me", f"explain:{number}", "primary"),),),
    )


def verdict() -> m.Message:
    """A private reply to a wrong answer."""
    return m.Message(
        (
            m.Paragraph((m.Bold((m.Plain("Not this time: you chose A; right is B, 22."),)),)),
            m.Paragraph((m.Plain("22 is the registered port for SSH. 21 is FTP’s control port."),)),
            m.Paragraph(
                (m.Bold((m.Plain("Why A tempts: "),)), m.Plain("FTP is as old, and as common."))
            ),
            m.Small((m.Plain("Source: "), m.Link((m.Plain("RFC 4253"),), "https://example.org/"))),
        ),
        ((m.Button("Language: English", "pick"), m.Button("Something wrong?", "wrong")),),
    )


def board() -> m.Message:
    """A leaderboard."""
    return m.Message(
        (
            m.Heading((m.Plain("Leaderboard · November"),)),
            m.Small((m.Plain("We: 71 % right this week, 23 of 40 took part"),)),
            m.Ranking(
                (
                    m.Rank(1, ("Tariro",), 120, notes=("12 of 12",)),
                    m.Rank(2, ("Inès", "Kenji", "نور"), 110, notes=("11 of 12", "", "12 of 12")),
                    m.Rank(5, ("Rumbidzai",), 40, "and 9 more"),
                )
            ),
        ),
        ((m.Button("Week", "w"), m.Button("All", "a"), m.Button("Show in the channel", "s")),),
    )


def form(errors: tuple[tuple[str, str], ...] = ()) -> m.Form:
    """A form with a field of every kind but one."""
    return m.Form(
        "form:1",
        "Settings",
        (
            m.TextField("zone", "Time zone", "Mars", "For example Africa/Harare"),
            m.ChoiceField("language", "Language", (m.Choice("en", "English"),), "en"),
            m.SearchField("topic", "Topic", "topic"),
            m.PersonField("person", "Organiser"),
            m.TextField("about", "What is wrong?", required=False, many_lines=True),
        ),
        "Save",
        errors=errors,
    )


def banks() -> Library:
    """Two quizzes: one in three languages and not all translated, one in Arabic."""
    return Library([_networks(), _arabic()])


def _networks() -> Bank:
    port = Question(
        "ssh",
        "en",
        ("a", "b", "c"),
        frozenset({"b"}),
        {
            "en": QuestionText(
                "Which TCP port does an SSH server listen on by default?",
                {"a": "21", "b": "22", "c": "2222"},
                "22 is the registered port for SSH. 21 is FTP's control port.",
                {"c": "Often chosen by hand to hide the server; it is nobody's default."},
            ),
            "fr": QuestionText(
                "Sur quel port TCP un serveur SSH écoute-t-il par défaut ?",
                {"a": "21", "b": "22", "c": "2222"},
            ),
        },
        sources=(Source("RFC 4253", "2006", "https://example.org/rfc4253"),),
    )
    code = Question(
        "code",
        "en",
        ("a", "b"),
        frozenset({"a"}),
        {
            "en": QuestionText(
                "What does this print?\n\n```python\nprint('<b>' + \"&amp;\")\n```",
                {"a": "`<b>&amp;`", "b": "<script>alert(1)</script>"},
                "Nothing is escaped by *print*.",
            )
        },
    )
    return Bank(
        "networks",
        "en",
        {
            "en": BankText("Network basics", "Ports, names and routes.", "How names are found"),
            "fr": BankText("Bases des réseaux", "Ports, noms et routes."),
            "sn": BankText("Nheyo dzenetiweki"),
        },
        (port, code),
        level="beginner",
        aliases=("net",),
        guide_url="https://example.org/guides/dns",
    )


def _arabic() -> Bank:
    texts = QuestionText(
        "ما هو المنفذ الافتراضي لخادم SSH؟",
        {"a": "المنفذ 21", "b": "المنفذ 22"},
        "المنفذ 22 مسجل لـ SSH.",
    )
    only = Question("ssh", "ar", ("a", "b"), frozenset({"b"}), {"ar": texts})
    title = BankText("أساسيات الشبكات", "المنافذ والأسماء.")
    return Bank("shabakat", "ar", {"ar": title}, (only,), level="advanced")


async def publish(room: Room, app: StandIn, shown: m.Message, nonce: str = "n1") -> str:
    """Post as the scheduler does: on the surface, then noted by the outbox."""
    posted = await room.channel.post(HERE, shown, nonce=nonce, silent=True)
    key = posted.message  # type: ignore[union-attr]
    app.sent = [post for post in app.sent if post.message_id != key]
    app.sent.append(Post(len(app.sent) + 1, key, posted.at, shown))  # type: ignore[union-attr]
    return key


async def change(room: Room, app: StandIn, key: str, shown: m.Message) -> None:
    """Edit as the scheduler does."""
    app.sent = [replace(p, message=shown) if p.message_id == key else p for p in app.sent]
    await room.channel.edit(HERE, key, shown)


class OpenRoom(Room):
    """A room with a server of its own."""

    def __init__(
        self, app: StandIn, library: Library, clock: StandingClock, *, port: int = 0, **options: Any
    ) -> None:
        super().__init__(app, library, clock, **options)
        self._server = Server(options.get("host", "127.0.0.1"), port)
        self._server.add(self.routes(), self.finish)

    @property
    def port(self) -> int:
        return self._server.port

    async def start(self) -> None:
        await self._server.start()

    async def stop(self) -> None:
        await self._server.stop()


@asynccontextmanager
async def open_room(app: StandIn, clock: StandingClock, **options: Any) -> AsyncIterator[OpenRoom]:
    """A room that listens on a free port."""
    room = OpenRoom(app, banks(), clock, **options)
    await room.start()
    try:
        yield room
    finally:
        await room.stop()
