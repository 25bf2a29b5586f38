"""The one table of commands, and the one reader of commands that are typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal, cast

from bot.command_specs import N_, CommandSpec, OptionSpec
from bot.daily_command import DAILY, DAILY_PARTS
from bot.rules import LONGEST_SECONDS, MOST_QUESTIONS, SHORTEST_SECONDS
from bot.state import Period

SCOPES = ("place", "community")
PERIODS: tuple[Period, ...] = ("today", "week", "month", "season", "all")

COMMANDS: tuple[CommandSpec, ...] = (
    CommandSpec(
        "quiz",
        N_("Start a quiz"),
        N_("topic [count] [language] [30s]"),
        (
            OptionSpec("topic", N_("What about"), required=True, suggests="topic"),
            OptionSpec(
                "count", N_("How many questions"), kind="whole", least=1, most=MOST_QUESTIONS
            ),
            OptionSpec("language", N_("The language of the questions"), suggests="language"),
            OptionSpec("seconds", N_("Seconds for each question, or off")),
            OptionSpec("mode", N_("Together, or only for you"), choices=("live", "solo")),
            OptionSpec("speed", N_("More points for quick answers"), kind="switch"),
            OptionSpec("thread", N_("The questions in a thread"), kind="switch", needs="threads"),
        ),
    ),
    CommandSpec(
        "leaderboard",
        N_("Who has how many points"),
        N_("[topic] [where] [period]"),
        (
            OptionSpec("where", N_("This channel, or everywhere"), choices=SCOPES),
            OptionSpec("period", N_("Since when"), choices=PERIODS),
            OptionSpec("topic", N_("Of one quiz alone"), suggests="bank"),
        ),
        for_groups=True,
    ),
    CommandSpec(
        "progress", N_("How you are doing: points, streak, the last 30 days"), for_groups=True
    ),
    CommandSpec(
        "away",
        N_("Keep your streak while you are away"),
        N_("[until DATE | off]"),
        (OptionSpec("until", N_("The last day, for example 2026-12-24, or off")),),
        for_groups=True,
    ),
    CommandSpec("quizzes", N_("All quizzes")),
    CommandSpec("answers", N_("Your answers, with their explanations")),
    CommandSpec(
        "language",
        N_("The language in which you read"),
        N_("[language]"),
        (OptionSpec("language", N_("A language, for example sn"), suggests="language"),),
    ),
    CommandSpec("stop", N_("End the quiz that is running here"), for_groups=True),
    DAILY,
    CommandSpec("settings", N_("How quizbot behaves here"), organiser=True, for_groups=True),
    CommandSpec("help", N_("What quizbot can do")),
)

BY_NAME: Mapping[str, CommandSpec] = {spec.name: spec for spec in COMMANDS}

SWITCHED_ON, SWITCHED_OFF = ("on", "yes", "true", "1"), ("off", "no", "false", "0")


@dataclass(frozen=True, slots=True)
class Read:
    """A typed command. `whole` is all of its words: a topic may end like an option.

    `near` is the command that its topic is spelt like, or empty.
    """

    name: str
    options: Mapping[str, str]
    whole: str = ""
    near: str = ""


@dataclass(frozen=True, slots=True)
class UnknownCommand:
    """No such command; `suggestion` is the nearest name, or empty."""

    word: str
    suggestion: str


@dataclass(frozen=True, slots=True)
class BadOption:
    """An option, and a value that it cannot have."""

    option: Literal["count", "seconds", "mode", "where", "period", "speed", "thread"]
    value: str


@dataclass(frozen=True, slots=True)
class QuizWish:
    """What `/quiz` asks for. `seconds`: None by the questions' lengths, 0 until Next.

    `mode`: None as it fits the place; `thread`: None as the community has set it. `near` is a
    command that may have been meant, as it is typed.
    """

    topic: str
    whole: str
    count: int | None
    language: str | None
    seconds: int | None
    mode: Literal["live", "solo"] | None = None
    speed: bool = False
    thread: bool | None = None
    near: str = ""


def read_typed(text: str, languages: Container[str]) -> Read | UnknownCommand:
    """`/quiz pipeline 5 fr` as a command; the slash may be left out.

    `languages` are the codes and names that are languages (`fr`, `français`): `git` at the end
    is a topic's word.
    """
    word, _, rest = text.strip().removeprefix("/").partition(" ")
    name, words = word.casefold(), rest.split()
    if name not in BY_NAME:
        near = get_close_matches(name, BY_NAME, n=1, cutoff=_NEAR)
        return UnknownCommand(word, near[0] if near else "")
    match name:
        case "quiz":
            return _quiz(words, languages)
        case "leaderboard":
            return Read(name, _board_words(words))
        case "away":
            return Read(name, _away_words(words))
        case "daily":
            return _daily(words)
        case "language":
            return Read(name, {"language": words[0]} if words else {})
        case _:
            return Read(name, {})


def read_behind(text: str, languages: Container[str], is_topic: Callable[[str], bool]) -> Read:
    """What is typed behind the one command of a surface: `leaderboard week`, or a topic.

    Several words that `is_topic` knows are one, whatever they begin with. `play` and a topic reach
    a quiz that is called like a command.
    """
    words = text.split()
    first = words[0].casefold() if words else ""
    if first == "play" or (first == "quiz" and len(words) > 1):
        words = words[1:]
    elif len(words) > 1 and is_topic(" ".join(words)):
        return _quiz(words, languages)
    elif first in BY_NAME and first != "quiz" and _takes(first, words[1:]):
        read = read_typed(text, languages)
        assert isinstance(read, Read), "its name is known"
        return read
    else:
        near = get_close_matches(first, BY_NAME, n=1, cutoff=_NEARER)
        if near:
            return replace(_quiz(words, languages), near=near[0])
    return _quiz(words, languages)


def read_wish(options: Mapping[str, str], whole: str = "", near: str = "") -> QuizWish | BadOption:
    """The options of `/quiz`, each checked against its range."""
    count = _whole(options.get("count", ""), 1, MOST_QUESTIONS)
    seconds = _seconds(options.get("seconds", ""))
    mode = _MODES.get(options.get("mode", "").casefold())
    speed, thread = _switch("speed", options), _switch("thread", options)
    for read in (count, seconds, speed, thread):
        if isinstance(read, BadOption):
            return read
    if mode is None and options.get("mode"):
        return BadOption("mode", options["mode"])
    topic = options.get("topic", "").strip()
    return QuizWish(
        topic=topic,
        whole=whole.strip() or topic,
        count=cast("int | None", count),
        language=options.get("language") or None,
        seconds=cast("int | None", seconds),
        mode=mode,
        speed=speed is True,
        thread=cast("bool | None", thread),
        near=near,
    )


_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?", re.IGNORECASE)
_SECONDS = re.compile(r"[0-9]+s|off", re.IGNORECASE)
# A minus or more digits than make sense is still meant as a count, and told what is wrong with it.
_COUNT = re.compile(r"[+-]?[0-9]+")
_MODES: Mapping[str, Literal["live", "solo"]] = {"live": "live", "solo": "solo"}
# What may be a quiz has to be nearer to a command than what can be nothing else.
_NEAR, _NEARER = 0.5, 0.75


def _quiz(words: list[str], languages: Container[str]) -> Read:
    return Read("quiz", _quiz_words(words, languages), " ".join(words))


def _takes(name: str, words: list[str]) -> bool:
    """Whether these words can stand behind a command: those behind `stop` are a topic."""
    if name == "language":
        return len(words) < 2
    if name == "daily":
        return not words or words[0].casefold() in DAILY_PARTS
    if name == "away":
        return not words or words[0].casefold() in ("off", "until") or words[0][0].isdecimal()
    return name == "leaderboard" or not words


def _quiz_words(words: list[str], languages: Container[str]) -> dict[str, str]:
    """Options in any order from the end; the rest is the topic; a lone word is the topic."""
    found: dict[str, str] = {}
    topic = list(words)
    while len(topic) > 1:
        kind = _kind_of(topic[-1], languages)
        if kind is None or kind in found:
            break
        found[kind] = topic.pop()
    if "speed" in found:
        found["speed"] = "on"
    if seconds := found.get("seconds"):
        found["seconds"] = _without_unit(seconds)
    return {"topic": " ".join(topic), **found}


def _daily(words: list[str]) -> Read:
    """One of its parts, and the words behind that; nothing is to set it."""
    part = words[0].casefold() if words else "set"
    rest = " ".join(words[1:])
    return Read(f"daily {part}", {"words": rest} if rest else {})


def _without_unit(seconds: str) -> str:
    return seconds if seconds.casefold() == "off" else seconds[:-1]


def _kind_of(word: str, languages: Container[str]) -> str | None:
    if _COUNT.fullmatch(word):
        return "count"
    if _SECONDS.fullmatch(word):
        return "seconds"
    if word.casefold() in _MODES:
        return "mode"
    if word.casefold() == "speed":
        return "speed"
    code = word.split("-")[0] if _LANGUAGE.fullmatch(word) else word
    return "language" if code.casefold() in languages else None


_PLACES = {"here": "place", "channel": "place", "everywhere": "community", "server": "community"}


def _board_words(words: list[str]) -> dict[str, str]:
    """Where and since when, in any order; the topic is what is left."""
    found: dict[str, str] = {}
    topic = []
    for word in words:
        value = _PLACES.get(word.casefold(), word.casefold())
        kind = "where" if value in SCOPES else "period" if value in PERIODS else ""
        if kind and kind not in found:
            found[kind] = value
        else:
            topic.append(word)
    return found | ({"topic": " ".join(topic)} if topic else {})


def _away_words(words: list[str]) -> dict[str, str]:
    """A date, which `until` may stand before."""
    until = " ".join(words[1:] if words[:1] and words[0].casefold() == "until" else words)
    return {"until": until} if until else {}


def _switch(
    name: Literal["speed", "thread"], options: Mapping[str, str]
) -> bool | BadOption | None:
    word = options.get(name, "").casefold()
    if not word:
        return None
    if word not in SWITCHED_ON + SWITCHED_OFF:
        return BadOption(name, word)
    return word in SWITCHED_ON


def _whole(text: str, least: int, most: int) -> int | BadOption | None:
    if not text:
        return None
    if not _COUNT.fullmatch(text) or len(text) > 6 or not least <= int(text) <= most:
        return BadOption("count", text)
    return int(text)


def _seconds(text: str) -> int | BadOption | None:
    if not text:
        return None
    if text.casefold() == "off":
        return 0
    digits = text.casefold().removesuffix("s")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 6:
        return BadOption("seconds", text)
    if not SHORTEST_SECONDS <= int(digits) <= LONGEST_SECONDS:
        return BadOption("seconds", text)
    return int(digits)
