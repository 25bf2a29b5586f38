"""What came of a round, for everybody and for one; and practice, up to its summary."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot import tokens
from bot.content import Bank
from bot.markdown import spans_of
from bot.messages import (
    Block,
    Bold,
    Button,
    Control,
    Heading,
    Link,
    LinkButton,
    Message,
    Paragraph,
    Plain,
    Rank,
    Ranking,
    Row,
    Small,
    Spans,
)
from bot.outcomes import (
    SoloDone,
    SoloQuestion,
)
from bot.reading import read_bank, read_question
from bot.rules import SPREAD_FROM
from bot.state import Round, Standing, Step, Tally
from bot.wording.pieces import Reader, again_for_me, all_quizzes, leaderboard, not_named
from bot.wording.questions import private_question, title
from bot.wording.voice import Voice, joined, plain

RANKS_SHOWN, NAMES_SHOWN = 3, 6
NAMES_FOR_ORGANISERS = 50


@dataclass(frozen=True, slots=True)
class Result:
    """A round that is over: everybody's points and every question's answers.

    `links` lead to its questions by their positions, where the platform has links.
    """

    round: Round
    standings: Sequence[Standing]
    tallies: Sequence[tuple[Step, Tally]]
    links: Mapping[int, str]
    left_out: int = 0
    """How many questions it would have asked, had a daily not taken them."""
    kept: Collection[int] = ()
    """The ids of questions of which nothing is told yet, since a daily asks them."""


def result(result: Result, reader: Reader, *, names: bool = True) -> Message:
    """How a round went, for everybody who was there. `names` False shows only the group."""
    voice = reader.voice
    answered = sum(tally.answered for _, tally in result.tallies)
    right = sum(tally.right for _, tally in result.tallies)
    people = len(result.standings)
    line = voice.many(
        "{title}: {n} person, {share} right.",
        "{title}: {n} people, {share} right.",
        people,
        title=title(result.round, voice, reader.language),
        share=voice.percent(right / answered if answered else 0),
    )
    blocks: list[Block] = [Heading(line)]
    if names:
        blocks += _podium(result.standings, voice)
    told = [pair for pair in result.tallies if pair[0].question_id not in result.kept]
    blocks += _hardest(told, voice)
    blocks += _links(result.links, voice)
    if result.left_out:
        blocks.append(Small(_left_out(result.left_out, voice)))
    controls: tuple[Row, ...] = (
        (
            Button(
                voice.phrase("My result"), tokens.write(tokens.MyResult(result.round.id)), "primary"
            ),
            again_for_me(result.round.id, voice),
            leaderboard(voice),
        ),
    )
    return Message(tuple(blocks), controls, voice.language)


def _left_out(count: int, voice: Voice) -> Spans:
    return voice.many(
        "{n} question was left out: a quiz of today asks it.",
        "{n} questions were left out: quizzes of today ask them.",
        count,
    )


def my_result(result: Result, mine: Standing | None, reader: Reader, *, organiser: bool) -> Message:
    """One's own place in a round, with a button to each of its questions."""
    voice = reader.voice
    name = title(result.round, voice, reader.language)
    everybody = _everybody(result.standings, voice) if organiser else []
    if mine is None:
        line = voice.say("You answered no question of {title}.", title=name)
        return Message((Paragraph(line), *everybody), language=voice.language)
    rank = 1 + sum(1 for other in result.standings if other.points > mine.points)
    line = voice.many(
        "{title}: {right} of {n} right, {points}, rank {rank} of {people}.",
        "{title}: {right} of {n} right, {points}, rank {rank} of {people}.",
        mine.answered,
        title=name,
        right=mine.right,
        points=voice.many("{n} point", "{n} points", mine.points),
        rank=rank,
        people=len(result.standings),
    )
    asked = [step for step, _ in result.tallies]
    see = [Button(str(step.position), tokens.write(tokens.Explain(step.id))) for step in asked]
    rows = tuple(tuple(see[at : at + 5]) for at in range(0, min(len(see), 20), 5))
    again = again_for_me(result.round.id, voice)
    return Message(
        (
            Paragraph(line),
            *everybody,
            Small(voice.say("Read a question and its answer again:")),
        ),
        (*rows, (again,)),
        voice.language,
    )


def solo_question(outcome: SoloQuestion, bank: Bank | None, reader: Reader) -> Message:
    """The next question of somebody's practice."""
    step, voice = outcome.step, reader.voice
    above = joined(
        [
            title(step.round, voice, reader.language),
            voice.say("Question {n} of {total}", n=step.position, total=step.round.length),
            *([voice.say("{n} right so far", n=outcome.right)] if step.position > 1 else []),
        ],
        " · ",
    )
    return private_question(step, bank, reader, above)


def next_solo(step: Step, voice: Voice) -> Button:
    """The way on, below a verdict in one's practice."""
    last = step.position == step.round.length
    label = voice.phrase("How it went") if last else voice.phrase("Next question")
    return Button(label, tokens.write(tokens.NextSolo(step.round.id)), "primary")


def solo_summary(done: SoloDone, bank: Bank | None, reader: Reader) -> Message:
    """What came of somebody's practice, and what to read again."""
    voice = reader.voice
    right = sum(1 for _, attempt in done.answers if attempt.is_right)
    missed = [step for step, attempt in done.answers if not attempt.is_right]
    line = voice.say(
        "{title}: {right} of {total}.",
        title=title(done.round, voice, reader.language),
        right=right,
        total=len(done.answers),
    )
    blocks: list[Block] = [Paragraph((Bold(line),))]
    if missed:
        blocks.append(Small(voice.say("To read again:")))
        blocks += [Paragraph(missed_line(step, reader)) for step in missed[:10]]
    blocks += _guide(bank, reader)
    see = [
        Button(str(step.position), tokens.write(tokens.Explain(step.id))) for step in missed[:10]
    ]
    rows = [tuple(see[at : at + 5]) for at in range(0, len(see), 5)]
    again = Button(voice.phrase("Once more"), tokens.write(tokens.AgainForMe(done.round.id)))
    links = _guide_link(bank, reader)
    return Message(
        tuple(blocks), (*rows, (again, *links, all_quizzes(voice))), voice.language, replaces=True
    )


def _links(links: Mapping[int, str], voice: Voice) -> list[Block]:
    if not links:
        return []
    numbers = [(Link(plain(str(position)), url),) for position, url in sorted(links.items())]
    return [Small(voice.say("The questions: {links}", links=joined(numbers, " · ")))]


def _podium(standings: Sequence[Standing], voice: Voice) -> list[Block]:
    """The first three ranks, six names at most; nobody is named with zero."""
    scored = [standing for standing in standings if standing.points > 0]
    ranks = [one for one in _ranks(scored, NAMES_SHOWN, voice) if one.rank <= RANKS_SHOWN]
    blocks: list[Block] = [Ranking(tuple(ranks))] if ranks else []
    shown = sum(1 for standing in standings if ranks and standing.points >= ranks[-1].points)
    rest = len(standings) - shown
    if rest > 0:
        others = standings[len(standings) - rest :]
        low, high = others[-1].points, others[0].points
        span = str(low) if low == high else f"{low}–{high}"
        blocks.append(
            Small(
                voice.many(
                    "and {n} more with {points} points",
                    "and {n} more with {points} points",
                    rest,
                    points=span,
                )
            )
        )
    return blocks


def _everybody(standings: Sequence[Standing], voice: Voice) -> list[Block]:
    """The points of all who took part, as organisers see them; hidden names stay hidden."""
    if not standings:
        return []
    ranking = Ranking(tuple(_ranks(standings, NAMES_FOR_ORGANISERS, voice)))
    return [Small(voice.say("Everybody’s points, which only organisers see:")), ranking]


def _ranks(standings: Sequence[Standing], room: int, voice: Voice) -> Iterator[Rank]:
    """Rank by rank while there is room for a name."""
    rank = 1
    for points, group in groupby(standings, key=lambda standing: standing.points):
        everyone = list(group)
        names = [s.name for s in everyone if s.name and not s.hidden]
        shown = names[:room]
        if names and not shown:
            return
        note = not_named(len(everyone) - len(shown), voice, beside=bool(shown))
        yield Rank(rank, tuple(shown), points, note)
        room -= len(shown)
        rank += len(everyone)


def _hardest(tallies: Sequence[tuple[Step, Tally]], voice: Voice) -> list[Block]:
    """The question that the fewest got right, where enough answered to say so."""
    asked = [(step, tally) for step, tally in tallies if tally.answered >= SPREAD_FROM]
    if not asked:
        return []
    step, tally = min(asked, key=lambda pair: pair[1].right / pair[1].answered)
    share = tally.right / tally.answered
    if share == 1:
        return []
    most = max(tally.chosen, key=lambda key: tally.chosen[key])
    if most in step.question.correct:
        line = voice.say(
            "Hardest: question {n} ({share} right).", n=step.position, share=voice.percent(share)
        )
    else:
        line = voice.say(
            "Hardest: question {n} ({share} right), most chose {letter}.",
            n=step.position,
            share=voice.percent(share),
            letter=step.letter(most),
        )
    return [Small(line)]


def missed_line(step: Step, reader: Reader) -> Spans:
    shown = read_question(step.question, reader.language)
    stem = reader.voice.content(spans_of(shown.ask.text), shown.ask.language)
    return (Plain(f"{step.position}. "), *stem)


def _guide(bank: Bank | None, reader: Reader) -> list[Block]:
    guide = None if bank is None else read_bank(bank, reader.language).guide_title
    if guide is None:
        return []
    name = reader.voice.content(plain(guide.text), guide.language)
    return [Small(reader.voice.say("Related guide: {guide}", guide=name))]


def _guide_link(bank: Bank | None, reader: Reader) -> tuple[Control, ...]:
    if bank is None or bank.guide_url is None:
        return ()
    return (LinkButton(reader.voice.phrase("Open the guide"), bank.guide_url),)
