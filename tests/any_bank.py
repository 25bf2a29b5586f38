"""Any bank that loads, with what people would break a message with; and all that is said of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from bot import messages as m
from bot.content import Bank, BankText, Question, QuestionText, Source
from bot.outcomes import AlreadyAnswered, Answered, Attempt, TooLate
from bot.state import Place, Round, Standing, Step, Tally
from bot.wording import questions, results, verdicts
from bot.wording.pieces import Reader as Person
from bot.wording.voice import Voice

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)

HOSTILE = (
    "**bold** __under__ ~~gone~~ ||spoiler|| `code` ```fence``` > quote # head - item 1. one",
    "@everyone @here <@123> <@&123> <#123> <:e:123> <t:1:R> </quiz:1> [a](https://x.y) https://a_b.c",
    "👩‍👩‍👧‍👦🏳️‍🌈👍🏽" * 20,
    "مرحبا \u202eevil\u202c שלום" * 10,
    "e\u0301" * 200 + "\u200d\ufe0f",
    "*" * 1000,
    "\\" * 1000,
    "<!channel> <!here|here> <@U1> <#C1> <https://x.y|a> &amp; &lt;b&gt; :smile: ~gone~ & < >" * 3,
    "<" * 1000,
    "a\u200b\u200c\ufeffb" * 50,
    "x" * 4000,
    "word " * 800,
    "```py\n" + "line = '```'\n" * 100 + "```",
)


def texts(most: int) -> st.SearchStrategy[str]:
    """What may stand in a bank: not blank, and no longer than its field."""
    made = st.text(
        st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n"), min_size=1
    )
    parts = st.lists(st.one_of(made, st.sampled_from(HOSTILE)), min_size=1, max_size=4)
    return parts.map(lambda few: "".join(few)[:most]).filter(lambda text: bool(text.strip()))


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@st.composite
def question_texts(draw: st.DrawFn, keys: tuple[str, ...]) -> QuestionText:
    options = draw(st.lists(texts(1000), min_size=len(keys), max_size=len(keys), unique_by=_folded))
    if draw(st.booleans()):
        # They differ at their very end alone.
        options = [f"{options[0][:990]} {key}" for key in keys]
    return QuestionText(
        draw(texts(4000)),
        dict(zip(keys, options, strict=True)),
        draw(st.none() | texts(4000)),
        {keys[0]: draw(texts(1000))},
        draw(st.none() | texts(1000)),
    )


@st.composite
def steps(draw: st.DrawFn) -> Step:
    keys = tuple("abcdefghij"[: draw(st.integers(2, 10))])
    tags = draw(st.lists(st.sampled_from(["en", "fr", "sn", "ar", "ja"]), min_size=1, unique=True))
    source = draw(
        st.builds(Source, texts(200), st.just("2024"), st.just("https://x.org/" + "a" * 1900))
    )
    question = Question(
        "q", tags[0], keys, frozenset({keys[0]}),
        {tag: draw(question_texts(keys)) for tag in tags}, sources=(source,),
    )  # fmt: skip
    title = draw(texts(200).map(lambda text: " ".join(text.split()) or "x"))
    return step_of(question, title)


def step_of(question: Question, title: str) -> Step:
    place = Place(1, 1, "discord", "1", "2", "general", "channel", False, None, None, True)
    round_ = Round(
        1, place, "live", "asking", 1, "q", {question.language: title}, question.language,
        None, False, False, 50, 0, None,
    )  # fmt: skip
    cutoff = NOW + timedelta(seconds=48)
    return Step(
        1, round_, 3, 1, 1, 1, question, "bank", tuple(question.keys), 45, NOW, NOW, cutoff,
        False, None, "1",
    )  # fmt: skip


def all_messages(step: Step, language: str) -> Iterator[m.Message]:
    """Everything that is said of a question, to a reader of this language."""
    reader = Person(language, Voice.of(language))
    bank = Bank("bank", step.question.language, {step.question.language: BankText("x")}, ())
    chosen = tuple(step.question.keys[:1]), tuple(step.question.keys[1:2])
    tally = Tally(9, dict.fromkeys(step.question.keys, 3), 3)
    yield questions.public_question(step, bank, reader, 1234, step.cutoff_at, NOW)
    yield questions.private_question(step, bank, reader)
    yield questions.reveal(step, bank, reader, tally, NOW, NOW, is_last_asked=True)
    for answer in chosen:
        attempt = Attempt(
            1, 1, answer, language, NOW, "2026-11-30", "2026-W49", None, answer == chosen[0], 10, 1
        )
        for outcome in (Answered(step, attempt), AlreadyAnswered(step, attempt)):
            yield verdicts.verdict(outcome, reader)
    yield verdicts.verdict(TooLate(step, NOW), reader)
    everyone = [Standing(n, "👑*A\u202e_b_*" * 3, False, 50 - n, 1, 1) for n in range(20)]
    result = results.Result(
        step.round, everyone, [(step, tally)], {1: "https://discord.com/channels/1/2/3"}
    )
    yield results.result(result, reader)
    yield results.my_result(result, everyone[0], reader, organiser=True)


LONG = QuestionText("x" * 4000, {key: "y" * 999 + key for key in "abcdefghij"}, "z " * 2000)
WORST = Question("q", "en", tuple("abcdefghij"), frozenset("a"), {"en": LONG})
