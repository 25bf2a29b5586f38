"""What somebody is told of an answer, however often something like it was told before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.content import Question, QuestionText
from bot.memory import Memory
from bot.messages import Message, plain_text
from bot.outcomes import AlreadyAnswered, Answered, AnswerOutcome, Attempt, Practice, TooLate
from bot.state import Place, Round, Step
from bot.wording import verdicts
from bot.wording.pieces import Reader
from bot.wording.voice import Voice

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
KEYS = ("a", "b", "c")


def text(language: str, explain: str | None = "Because of $x$. There is more.") -> QuestionText:
    options = {key: f"{language} {key}" for key in KEYS}
    return QuestionText(f"Which ({language})?", options, explain, {"b": f"It tempts ({language})."})


PLACE = Place(1, 1, "discord", "1", "2", "general", "channel", False, None, None, True)
ROUND = Round(
    1, PLACE, "live", "asking", 1, "q", {"en": "Title"}, "en", None, False, False, 3, 0, None
)
QUESTION = Question("q", "en", KEYS, frozenset("a"), {"en": text("en"), "fr": text("fr")})
STEP = Step(
    1, ROUND, 1, 1, 1, 1, QUESTION, "bank", KEYS, 45, NOW, NOW, None, False, None, "1",
)  # fmt: skip


def reader(language: str, zone: str = "UTC") -> Reader:
    return Reader(language, Voice.of(language, ZoneInfo(zone)))


readers = st.builds(
    reader, st.sampled_from(["en", "fr", "sn", "pt-BR"]), st.sampled_from(["UTC", "Africa/Harare"])
)

# All of one id: repaired, shuffled otherwise, reworded, translated, ended, or as they are.
steps = st.builds(
    lambda correct, order, explain, source, tags, ended, version: replace(
        STEP,
        order=tuple(order),
        key_version=version,
        round=replace(ROUND, ended_at=ended),
        question=replace(
            QUESTION,
            correct=correct,
            language=source,
            texts={tag: text(tag, explain) for tag in {source, *tags}},
        ),
    ),
    correct=st.sampled_from([frozenset("a"), frozenset("b"), frozenset("ab")]),
    order=st.permutations(KEYS),
    explain=st.sampled_from([None, "Because.", "Another reason. With more of it."]),
    source=st.sampled_from(["en", "fr"]),
    tags=st.sets(st.sampled_from(["en", "fr", "sn"])),
    ended=st.sampled_from([None, NOW]),
    version=st.integers(1, 2),
)


@st.composite
def attempts(draw: st.DrawFn, step: Step) -> Attempt:
    chosen = draw(st.sampled_from(KEYS))
    practice: Practice | None = draw(st.sampled_from([None, "solo", "again", "late"]))
    is_right = chosen in step.question.correct
    points = draw(st.sampled_from([5, 10])) if is_right and practice is None else 0
    counts = "2026-W49" if practice is None else None
    return Attempt(
        step.id, draw(st.integers(1, 3)), (chosen,), "en", NOW, "2026-11-30", counts, practice,
        is_right, points, 1,
    )  # fmt: skip


@st.composite
def outcomes(draw: st.DrawFn) -> AnswerOutcome:
    step = draw(steps)
    late = TooLate(step, NOW + timedelta(hours=draw(st.integers(0, 2))))
    attempt = draw(attempts(step))
    found: list[AnswerOutcome] = [Answered(step, attempt), AlreadyAnswered(step, attempt), late]
    return draw(st.sampled_from(found))


def told(asked: Iterable[tuple[AnswerOutcome, Reader]], memory: int) -> list[Message]:
    """All of it, by who remembers so many verdicts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "_TOLD", Memory(memory, 1_000_000))
        found = []
        for outcome, one in asked:
            found.append(verdicts.verdict(outcome, one))
            if isinstance(outcome, Answered):
                found.append(verdicts.explanation(outcome.step, outcome.attempt, one))
                found.append(verdicts.explanation(outcome.step, None, one))
        return found


@given(st.lists(st.tuples(outcomes(), readers), max_size=12))
def test_whatever_was_told_before_everybody_is_told_their_own(
    asked: list[tuple[AnswerOutcome, Reader]],
) -> None:
    alone = told(asked, 0)
    assert told([*asked, *asked], 100) == alone * 2
    assert told([*asked, *asked], 3) == alone * 2


ATTEMPT = Attempt(
    1, 1, ("a",), "en", NOW, "2026-11-30", "2026-W49", None, True, 10, 1
)  # fmt: skip


def test_who_presses_the_same_is_told_the_very_same() -> None:
    first = verdicts.verdict(Answered(STEP, ATTEMPT), reader("en"))
    other = replace(ATTEMPT, player_id=2, pressed_at=NOW + timedelta(seconds=3), language="fr")
    assert verdicts.verdict(Answered(STEP, other), reader("en")) is first


def test_after_a_repair_nobody_is_told_the_key_of_before() -> None:
    assert "Right, 10 points: A" in plain_text(
        verdicts.verdict(Answered(STEP, ATTEMPT), reader("en"))
    )
    repaired = replace(STEP, key_version=2, question=replace(QUESTION, correct=frozenset("b")))
    wrong = replace(ATTEMPT, is_right=False, points=0, marked_by=2)
    said = plain_text(verdicts.verdict(Answered(repaired, wrong), reader("en")))
    assert "you chose A; right is B" in said
    # As in a database where the version of a key were the same: the key itself decides.
    repaired = replace(repaired, key_version=1)
    said = plain_text(verdicts.verdict(AlreadyAnswered(repaired, ATTEMPT), reader("en")))
    assert "already answered A. Right is B" in said
