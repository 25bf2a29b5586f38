"""The words of the form that asks for a quiz."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot import tokens
from bot.content import Language
from bot.messages import Choice, ChoiceField, Field, Form, SearchField, TextField
from bot.rules import LONGEST_SECONDS, MOST_QUESTIONS, SHORTEST_SECONDS
from bot.wording.voice import Voice, own_name

AS_USUAL = "-"
"""The choice of nothing in particular."""


def form(
    values: Mapping[str, str],
    errors: tuple[tuple[str, str], ...],
    languages: Sequence[Language],
    voice: Voice,
    *,
    alone: bool,
) -> Form:
    """Filled with what was entered before; `alone`: there is nobody to play with."""
    fields: tuple[Field, ...] = (
        SearchField(
            "topic", voice.phrase("What about"), "topic", values.get("topic", ""),
            voice.phrase("The name of a quiz, or a subject"),
        ),
        TextField(
            "count", voice.phrase("How many questions"), values.get("count", ""),
            voice.phrase("From 1 to {most}; left out: ten at most", most=MOST_QUESTIONS),
            required=False, longest=6,
        ),
        ChoiceField(
            "language",
            voice.phrase("The language of the questions"),
            (
                Choice(AS_USUAL, voice.phrase("as usual here")),
                *(Choice(tag, own_name(tag)) for tag in languages),
            ),
            values.get("language", AS_USUAL),
        ),
        TextField(
            "seconds", voice.phrase("Seconds for each question"), values.get("seconds", ""),
            voice.phrase(
                "From {least} to {most}, or off; left out: as long as each question takes to read",
                least=SHORTEST_SECONDS, most=LONGEST_SECONDS,
            ),
            required=False, longest=6,
        ),
    )  # fmt: skip
    if not alone:
        modes = (
            Choice("live", voice.phrase("together, in this channel")),
            Choice("solo", voice.phrase("only for you")),
        )
        label = voice.phrase("Together, or only for you")
        fields += (ChoiceField("mode", label, modes, values.get("mode", "live")),)
    token = tokens.write(tokens.QuizForm())
    title = voice.phrase("Start a quiz")
    return Form(token, title, fields, voice.phrase("Start"), voice.language, errors)
