"""What is said around an open question, in private."""

from __future__ import annotations

from bot import tokens
from bot.markdown import spans_of
from bot.messages import (
    Button,
    Control,
    Message,
    Paragraph,
)
from bot.reading import read_question
from bot.state import Step
from bot.wording.pieces import Reader, said
from bot.wording.voice import Voice


def more(step: Step, reader: Reader, *, may_lead: bool) -> Message:
    """What else can be done with an open question, by who asks."""
    voice = reader.voice
    row: list[Control] = []
    if step.seconds and not step.more_time:
        row.append(Button(voice.phrase("A minute more"), tokens.write(tokens.MoreTime(step.id))))
    if read_question(step.question, reader.language).hint is not None:
        row.append(Button(voice.phrase("Hint"), tokens.write(tokens.Hint(step.id))))
    if may_lead:
        row.append(Button(voice.phrase("Next"), tokens.write(tokens.Next(step.id))))
        row.append(
            Button(
                voice.phrase("Stop the quiz"), tokens.write(tokens.Stop(step.round.id)), "danger"
            )
        )
    if not row:
        line = voice.say("There is nothing more for this question.")
        return Message((Paragraph(line),), language=voice.language)
    return Message((Paragraph(voice.say("For this question:")),), (tuple(row),), voice.language)


def more_time(voice: Voice, *, done: bool) -> Message:
    if done:
        return said(voice, voice.say("Everybody has a minute more."))
    return said(voice, voice.say("This question gets no more time."))


def gone_on(voice: Voice, *, done: bool) -> Message:
    """Said to who leads; not `done`: somebody, or the clock, was faster."""
    if done:
        return said(voice, voice.say("On we go."))
    return said(voice, voice.say("The quiz has gone on already."))


def hint(step: Step, reader: Reader) -> Message:
    voice = reader.voice
    found = read_question(step.question, reader.language).hint
    if found is None:
        return said(voice, voice.say("This question has no hint."))
    text = voice.content(spans_of(found.text), found.language)
    return said(voice, voice.say("Hint: {hint}", hint=text))
