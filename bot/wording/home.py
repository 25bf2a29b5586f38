"""The words of the page that a platform keeps for each person."""

from __future__ import annotations

from dataclasses import replace

from bot import tokens
from bot.messages import Button, Control, Heading, Message, buttons_of
from bot.wording.dailies import all_dailies
from bot.wording.pieces import Reader, all_quizzes, change_language
from bot.wording.progress import Standing, summary
from bot.wording.voice import Voice


def page(answers: Message, standing: Standing, reader: Reader, *, may_arrange: bool) -> Message:
    """How one is doing, one's answers, newest first, and the ways to everything else."""
    voice = reader.voice
    row: list[Control] = [
        change_language(0, reader),
        Button(voice.phrase("Leaderboard"), tokens.write(tokens.Board("community", "month", 0))),
        Button(voice.phrase("How I am doing"), tokens.write(tokens.Progress())),
        all_quizzes(voice),
        Button(voice.phrase("What is stored"), tokens.write(tokens.WhatIsStored())),
    ]
    if may_arrange:
        row.append(all_dailies(voice))
        row.append(Button(voice.phrase("Settings"), tokens.write(tokens.Settings())))
    shown = {button.token for button in buttons_of(answers)}
    left = [each for each in row if not isinstance(each, Button) or each.token not in shown]
    blocks = (
        *(summary(standing, voice) if standing.ever or standing.streak else ()),
        Heading(voice.say("My answers")),
        *answers.blocks,
    )
    return replace(answers, blocks=blocks, controls=(*answers.controls, tuple(left)))


def with_way_back(reply: Message, voice: Voice) -> Message:
    back = Button(voice.phrase("Back to my page"), tokens.write(tokens.Home()))
    if any(button.token == back.token for button in buttons_of(reply)):
        return reply
    return replace(reply, controls=(*reply.controls, (back,)))
