"""What is said when something did not work: what happened, and what to do."""

from __future__ import annotations

from typing import Literal

from bot.commands import UnknownCommand
from bot.messages import Message, Name, Paragraph
from bot.state import Step
from bot.wording.names import CommandNames
from bot.wording.pieces import all_quizzes
from bot.wording.voice import Voice, quoted

Fate = Literal["counted", "not-counted", "unknown", "none"]
"""What became of an answer; `none` where the call was no answer."""


def incident(number: str, fate: Fate, voice: Voice) -> Message:
    """A failure of ours; the number stands in the log too."""
    what = voice.say("Something went wrong on my side (incident {number}).", number=number)
    match fate:
        case "counted":
            then = voice.say("Your answer was counted.")
        case "not-counted":
            then = voice.say("Your answer was not counted; please press again.")
        case "unknown":
            then = voice.say("Press again to be sure: an answer counts only once.")
        case "none":
            then = voice.say("Please try again.")
    return Message((Paragraph(what), Paragraph(then)), language=voice.language)


def database_away(voice: Voice, *, is_answer: bool) -> Message:
    """What is stored cannot be reached; who runs quizbot finds why in the log."""
    what = voice.say("What I have stored is out of reach for the moment.")
    if is_answer:
        then = voice.say("Please press again in a moment: an answer counts only once.")
    else:
        then = voice.say("Please try again in a moment.")
    return Message((Paragraph(what), Paragraph(then)), language=voice.language)


def unknown_command(fault: UnknownCommand, names: CommandNames, voice: Voice) -> Message:
    help_command = names.of("help")
    if not fault.word:
        line = voice.say("Type a command, for example {command}.", command=help_command)
    elif fault.suggestion:
        line = voice.say(
            "I know no command “{word}”. Did you mean {command}?",
            word=quoted(fault.word),
            command=names.of(fault.suggestion),
        )
    else:
        line = voice.say(
            "I know no command “{word}”. {command} lists them all.",
            word=quoted(fault.word),
            command=help_command,
        )
    button = all_quizzes(voice)
    return Message((Paragraph(line),), ((button,),), voice.language)


def still_open(step: Step, voice: Voice) -> Message:
    line = voice.say("This question is still open: answer it first, then I explain it to you.")
    return Message((Paragraph(line),), language=voice.language)


def not_yours_to_lead(starter: str | None, voice: Voice) -> Message:
    if starter is None:
        line = voice.say("Only an organiser can do that.")
    else:
        line = voice.say(
            "Only {name}, who began this quiz, or an organiser can do that.", name=Name(starter)
        )
    return Message((Paragraph(line),), language=voice.language)
