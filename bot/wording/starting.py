"""The private reply to who asks for a quiz: it begins, or why not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from bot import tokens
from bot.calls import Where
from bot.commands import BY_NAME, BadOption
from bot.messages import (
    Button,
    Control,
    LinkButton,
    Message,
    Paragraph,
    PlaceName,
    Row,
    Spans,
)
from bot.outcomes import (
    CannotStart,
    LiveAlready,
    NothingToAsk,
    Started,
    UnknownLanguage,
    UnknownTopic,
)
from bot.rules import LONGEST_SECONDS, MOST_QUESTIONS, SHORTEST_SECONDS
from bot.state import Round
from bot.wording.lists import unknown_language
from bot.wording.pieces import Reader, all_quizzes
from bot.wording.questions import title
from bot.wording.voice import Voice, joined, quoted


def started(
    outcome: Started
    | LiveAlready
    | UnknownTopic
    | NothingToAsk
    | UnknownLanguage
    | CannotStart
    | BadOption,
    reader: Reader,
    *,
    alone: bool,
) -> Message:
    """The private reply to who asked for a quiz; practice is replied to with its question.

    `alone`: nobody else is here, and what can be begun is practice.
    """
    voice = reader.voice
    match outcome:
        case Started(round_id, name, lacking):
            stop = Button(voice.phrase("Stop it"), tokens.write(tokens.Stop(round_id)))
            lines = [voice.say("{title} begins here.", title=name)]
            if lacking:
                permissions = voice.list_of(lacking)
                lines.append(
                    voice.say(
                        "It has pictures, and here I can only describe them: an admin can allow "
                        "me {permissions}.",
                        permissions=permissions,
                    )
                )
            return Message(tuple(map(Paragraph, lines)), ((stop,),), voice.language)
        case LiveAlready(round_, link):
            return _live_already(round_, link, reader)
        case UnknownTopic():
            return _unknown_topic(outcome, voice, alone=alone)
        case NothingToAsk(name, until) if until is not None:
            line = voice.say(
                "Today’s quiz is asking what {title} has. From {day} {time} you can play it again.",
                title=name,
                day=voice.day(until),
                time=voice.time(until),
            )
            return Message((Paragraph(line),), ((all_quizzes(voice),),), voice.language)
        case NothingToAsk(name):
            line = voice.say(
                "{title} has no question that can be asked yet: the right answers are missing.",
                title=name,
            )
            return Message((Paragraph(line),), ((all_quizzes(voice),),), voice.language)
        case UnknownLanguage(typed, known):
            return unknown_language(typed, known, voice)
        case CannotStart():
            return _cannot_start(outcome, voice)
        case BadOption():
            return bad_option(outcome, voice)
        case _:
            assert_never(outcome)


def bad_option(fault: BadOption, voice: Voice) -> Message:
    """What an option takes, when it was given something else."""
    match fault.option:
        case "count":
            line = voice.say(
                "“{value}” is no number of questions: take one from 1 to {most}.",
                value=quoted(fault.value),
                most=MOST_QUESTIONS,
            )
        case "seconds":
            line = voice.say(
                "“{value}” is no time: take a number of seconds from {least} to {most}, or off.",
                value=quoted(fault.value),
                least=SHORTEST_SECONDS,
                most=LONGEST_SECONDS,
            )
        case "mode":
            line = voice.say(
                "“{value}” is no way to play: take live or solo.", value=quoted(fault.value)
            )
        case "where":
            line = voice.say(
                "“{value}” is no leaderboard: take {choices}.",
                value=quoted(fault.value),
                choices=_or(("here", "everywhere")),
            )
        case "period":
            line = voice.say(
                "“{value}” is no period: take {choices}.",
                value=quoted(fault.value),
                choices=_or(BY_NAME["leaderboard"].options[1].choices),
            )
        case "speed" | "thread":
            line = voice.say(
                "“{value}” is neither on nor off: take one of them.", value=quoted(fault.value)
            )
        case _:
            assert_never(fault.option)
    return Message((Paragraph(line),), language=voice.language)


def _live_already(round_: Round, link: str | None, reader: Reader) -> Message:
    voice = reader.voice
    line = voice.say(
        "{title} is running here; one quiz at a time. Join in, or play alone.",
        title=title(round_, voice, reader.language),
    )
    row: list[Control] = []
    if link is not None:
        row.append(LinkButton(voice.phrase("Go to the question"), link))
    row.append(Button(voice.phrase("Play it alone"), tokens.write(tokens.AgainForMe(round_.id))))
    return Message((Paragraph(line),), (tuple(row),), voice.language)


def _unknown_topic(unknown: UnknownTopic, voice: Voice, *, alone: bool) -> Message:
    topic, suggestions = unknown.topic, unknown.suggestions
    meant = [*(name for _, name in suggestions), *filter(None, [unknown.command])]
    if not topic:
        line = voice.say("Which quiz? Give a topic, for example one of these.")
    elif meant:
        line = voice.say(
            "I know no quiz “{topic}”. Did you mean {names}?",
            topic=quoted(topic),
            names=voice.one_of(meant),
        )
    else:
        line = voice.say("I know no quiz “{topic}”.", topic=quoted(topic))
    mode = "solo" if alone else "live"
    start = tuple(
        Button(voice.phrase("Start {title}", title=name), tokens.write(choice), "primary")
        for choice, name in ((tokens.Start(mode, bank), name) for bank, name in suggestions[:3])
        if tokens.fits(choice)
    )
    return Message((Paragraph(line),), ((*start, all_quizzes(voice)),), voice.language)


def _cannot_start(refused: CannotStart, voice: Voice) -> Message:
    match refused.why:
        case "alone":
            line = voice.say("Here we are alone: a quiz for a group needs a channel.")
        case "absent":
            assert refused.where is not None, "it was asked somewhere"
            return absent(refused.where, voice, _alone(refused.topic, voice))
        case "outside":
            assert refused.where is not None, "it was asked somewhere"
            line = outside(refused.where, voice)
        case "lacking":
            line = voice.say(
                "I may not post in this channel: an admin can allow me {permissions} here.",
                permissions=voice.list_of(refused.lacking),
            )
        case "elsewhere":
            names = [(PlaceName(key, f"#{name or key}"),) for key, name in refused.places]
            line = voice.say("The group plays in {channels}.", channels=joined(names, ", "))
        case "organisers":
            line = voice.say("Here only organisers start a quiz for the group.")
        case _:
            assert_never(refused.why)
    return Message((Paragraph(line),), _alone(refused.topic, voice), voice.language)


def absent(where: Where, voice: Voice, rows: tuple[Row, ...] = ()) -> Message:
    """Why only practice is possible where the bot is no member, and how it becomes one."""
    if where.absent == "conversation":
        line = voice.say(
            "quizbot is no part of this conversation: only you see this, and you play alone. "
            "A quiz for a group needs a server."
        )
        return Message((Paragraph(line),), rows, voice.language)
    line = voice.say(
        "quizbot is not on this server: only you see this, and you play alone. "
        "An admin can add it for everybody."
    )
    if where.invite is not None:
        rows += ((LinkButton(voice.phrase("Add quizbot"), where.invite),),)
    return Message((Paragraph(line),), rows, voice.language)


def outside(where: Where, voice: Voice) -> Spans:
    """Why no quiz for everybody can begin in a place that the bot is not in."""
    if where.invite is None:
        return voice.say(
            "I am not part of this conversation: a quiz for a group needs a channel that I am in."
        )
    return voice.say(
        "I am not in this channel: bring me in with {command}, then ask again.",
        command=where.invite,
    )


def _alone(topic: str, voice: Voice) -> tuple[Row, ...]:
    choice = tokens.Start("solo", topic)
    if not tokens.fits(choice):
        return ()
    return ((Button(voice.phrase("Play it alone"), tokens.write(choice), "primary"),),)


def _or(choices: Sequence[str]) -> str:
    """What can be typed, as it is typed."""
    return " / ".join(choices)
