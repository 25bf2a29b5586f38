"""What organisers are told of a daily quiz, once a matter: what happened, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from bot import tokens
from bot.messages import Button, Control, Message, Paragraph, Row, Spans
from bot.schedules import NoticeKind
from bot.wording import plans
from bot.wording.names import CommandNames
from bot.wording.voice import Voice

_MOST_NAMED = 7
"""More days than these are told by the first and the last."""


def notice(args: Mapping[str, Any], voice: Voice, names: CommandNames) -> Message:
    """Arguments as they were noted, and the kind among them."""
    kind: NoticeKind = args["kind"]
    here = plans.channel_of(args["place"], args.get("place_name") or "", voice)
    lines: list[Spans] = _LINES[kind](args, here, voice, names)
    row = _buttons(kind, args, voice)
    return Message(tuple(map(Paragraph, lines)), (row,) if row else (), voice.language)


def _missed(args: Mapping[str, Any], here: Spans, voice: Voice, names: CommandNames) -> list[Spans]:
    missed: Sequence[str] = args["dates"]
    if len(missed) > _MOST_NAMED:
        line = voice.say(
            "{n} quizzes in {channel}, from {first} to {last}, were left out: I was not there in "
            "time.",
            n=voice.number(len(missed)),
            channel=here,
            first=_day(missed[0], voice),
            last=_day(missed[-1], voice),
        )
    else:
        line = voice.many(
            "The quiz of {days} in {channel} was left out: I was not there in time.",
            "The quizzes of {days} in {channel} were left out: I was not there in time.",
            len(missed),
            days=_days(args, voice),
            channel=here,
        )
    return [line, _now(voice)]


def _unknown(
    args: Mapping[str, Any], here: Spans, voice: Voice, names: CommandNames
) -> list[Spans]:
    return [
        voice.say(
            "I cannot tell whether the quiz of {days} has come to {channel}. "
            "Please look there; if it is missing, I post it again.",
            days=_days(args, voice),
            channel=here,
        )
    ]


def _refused(
    args: Mapping[str, Any], here: Spans, voice: Voice, names: CommandNames
) -> list[Spans]:
    line = voice.say(
        "The quiz of {days} could not be posted in {channel}, for something failed again and "
        "again. Who runs quizbot finds why in its log.",
        days=_days(args, voice),
        channel=here,
    )
    return [line, _now(voice)]


def _paused(args: Mapping[str, Any], here: Spans, voice: Voice, names: CommandNames) -> list[Spans]:
    lacking: Sequence[str] = args.get("lacking") or ()
    if args.get("why") == "gone":
        why = voice.say(
            "The daily quiz in {channel} is paused: the channel was deleted, or I cannot see it "
            "any more. Under {command} it can go to another channel.",
            channel=here,
            command=names.of("daily list"),
        )
        return [why]
    if args.get("why") == "archived":
        why = voice.say(
            "The daily quiz in {channel} is paused: the channel is archived.", channel=here
        )
    elif lacking:
        why = voice.say(
            "The daily quiz in {channel} is paused: three times I was not allowed {permissions} "
            "there.",
            channel=here,
            permissions=voice.list_of(lacking),
        )
    else:
        why = voice.say(
            "The daily quiz in {channel} is paused: three times my post was refused there.",
            channel=here,
        )
    return [
        why,
        voice.say("Once that is mended, press “{button}”.", button=voice.phrase("Resume")),
    ]


def _few_left(
    args: Mapping[str, Any], here: Spans, voice: Voice, names: CommandNames
) -> list[Spans]:
    left = int(args["left"])
    if left:
        first = voice.many(
            "The daily quiz in {channel} has new questions for {n} more day.",
            "The daily quiz in {channel} has new questions for {n} more days.",
            left,
            channel=here,
        )
    else:
        first = voice.say(
            "The daily quiz in {channel} has asked all of its questions.", channel=here
        )
    then = voice.say(
        "Afterwards those that were missed most return. You can leave it at that, add questions, "
        "choose more quizzes under {command}, or pause it.",
        command=names.of("daily list"),
    )
    return [first, then]


def _empty(args: Mapping[str, Any], here: Spans, voice: Voice, names: CommandNames) -> list[Spans]:
    topics: Sequence[str] = args.get("topics") or ()
    if topics:
        first = voice.say(
            "There was no quiz in {channel} today: I find no questions of {topics} any more.",
            channel=here,
            topics=voice.list_of(topics),
        )
    else:
        first = voice.say(
            "There was no quiz in {channel} today, for there are no questions yet.", channel=here
        )
    return [first, _now(voice)]


def _no_role(
    args: Mapping[str, Any], here: Spans, voice: Voice, names: CommandNames
) -> list[Spans]:
    return [
        voice.say(
            "The quiz in {channel} rings for nobody: I may not mention the group that was chosen, "
            "or it is gone.",
            channel=here,
        ),
        voice.say(
            "Under {command} you can choose another, or none.", command=names.of("daily list")
        ),
    ]


def _board_gone(
    args: Mapping[str, Any], here: Spans, voice: Voice, names: CommandNames
) -> list[Spans]:
    return [
        voice.say(
            "The leaderboard that stood in {channel} was deleted, or can be changed no more. With "
            "{command} another can stand there.",
            channel=here,
            command=names.of("leaderboard"),
        )
    ]


_LINES = {
    "missed": _missed,
    "unknown": _unknown,
    "refused": _refused,
    "paused": _paused,
    "few-left": _few_left,
    "empty": _empty,
    "no-role": _no_role,
    "board-gone": _board_gone,
}


def posted_again(voice: Voice, *, done: bool) -> Message:
    """The reply to the button of a post of which nothing was known."""
    if done:
        line = voice.say("I post it once more.")
    else:
        line = voice.say(
            "It stands in the channel by now, or its time is over: nothing was posted."
        )
    return Message((Paragraph(line),), language=voice.language, replaces=False)


def _buttons(kind: NoticeKind, args: Mapping[str, Any], voice: Voice) -> Row:
    """What can be decided at once; from a direct message too."""
    match kind:
        case "unknown":
            return (_post_again(args, voice),)
        case "missed" | "refused" | "empty":
            return (_do("now", voice.phrase("Post now"), args),)
        case "paused" if args.get("why") != "gone":
            return (_do("resume", voice.phrase("Resume"), args),)
        case "few-left":
            return (
                _do("repeat", voice.phrase("Repeat the most missed"), args),
                _do("adding", voice.phrase("Add questions"), args),
                _do("pause", voice.phrase("Pause"), args),
            )
        case _:
            return ()


def _do(do: str, label: str, args: Mapping[str, Any]) -> Button:
    return Button(label, tokens.write(tokens.Daily(int(args["schedule"]), do)))


def _post_again(args: Mapping[str, Any], voice: Voice) -> Control:
    return Button(
        voice.phrase("Post now"), tokens.write(tokens.PostAgain(int(args["round"]))), "primary"
    )


def _days(args: Mapping[str, Any], voice: Voice) -> str:
    return voice.list_of(_day(day, voice) for day in args["dates"])


def _day(day: str, voice: Voice) -> str:
    return voice.written_date(date.fromisoformat(day))


def _now(voice: Voice) -> Spans:
    return voice.say("To post today’s at once, press “{button}”.", button=voice.phrase("Post now"))
