"""Why a quiz could not go on, and who can mend that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, assert_never

from bot.messages import Message, Paragraph, Spans
from bot.state import BrokenOff, Round
from bot.wording.lists import below
from bot.wording.pieces import Reader
from bot.wording.questions import title

About = Literal["it", "before", "yours"]
"""Whether a message is about that quiz, or where it stands to what the message is about."""


def with_why(
    message: Message,
    round_: Round,
    why: BrokenOff,
    lacking_now: Sequence[str],
    reader: Reader,
    *,
    about: About,
) -> Message:
    """A message, and below it why this round broke off.

    `lacking_now` is what the platform says by itself, if the refusal did not name it.
    """
    line = _why(round_, why, lacking_now, reader)
    match about:
        case "it":
            pass
        case "before":
            line = reader.voice.say("The quiz before: {why}", why=line)
        case "yours":
            line = reader.voice.say("The quiz that you began before: {why}", why=line)
        case _:
            assert_never(about)
    return below(message, Message((Paragraph(line),), language=reader.voice.language))


def _why(round_: Round, why: BrokenOff, lacking_now: Sequence[str], reader: Reader) -> Spans:
    voice = reader.voice
    name = title(round_, voice, reader.language)
    lacking = why.lacking or lacking_now
    match why.why:
        case "refused" if lacking:
            return voice.say(
                "{title} could not go on here, for I was not allowed {permissions}. "
                "An admin can allow it in this channel.",
                title=name,
                permissions=voice.list_of(lacking),
            )
        case "refused":
            return voice.say(
                "{title} could not go on here, for my message was refused. "
                "Who runs quizbot finds why in its log.",
                title=name,
            )
        case "gone":
            return voice.say(
                "{title} could not go on, for its question was deleted, or I can no longer write "
                "there. You can start it again.",
                title=name,
            )
        case "archived":
            return voice.say(
                "{title} could not go on, for this channel is archived. Once it is open again, you "
                "can start it anew.",
                title=name,
            )
        case "failed":
            return voice.say(
                "{title} could not go on here, for something failed again and again. "
                "Please start it anew; who runs quizbot finds why in its log.",
                title=name,
            )
        case _:
            assert_never(why.why)
