"""Leaderboards: "we" above the names, ties together, and one's own rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal

from pydantic import TypeAdapter

from bot import tokens
from bot.command_specs import N_
from bot.content import Language
from bot.messages import (
    Block,
    Button,
    Heading,
    Message,
    Paragraph,
    Rank,
    Ranking,
    Row,
    Small,
    Spans,
)
from bot.state import BoardPage, BoardRank, OwnRank, Period, Share
from bot.wording.pieces import not_named
from bot.wording.voice import Voice, joined, plain

Scope = Literal["place", "community"]

NAMES_ON_A_PAGE = 10


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board as it was read: its own share, and those of this week and of the last one.

    There are no weeks of a time that is `over`. `topic` is a bank's key, `title`
    what it is called. `first` and `last` are the days of the period, where it has such.
    Where one person is `alone`, no quiz gives points. `direct`: the place is messages
    between people, and no channel.
    """

    scope: Scope
    period: Period
    day: date
    place_name: str
    names_shown: bool
    page: BoardPage
    share: Share
    week: Share | None
    week_before: Share | None
    over: bool = False
    first: date | None = None
    last: date | None = None
    topic: str = ""
    title: str = ""
    title_language: Language = ""
    alone: bool = False
    direct: bool = False


_VIEW = TypeAdapter(BoardView)


def shown(args: Mapping[str, Any], voice: Voice) -> Message:
    """The board as it was put into a channel, from what `snapshot` kept."""
    view = _VIEW.validate_python(args["view"])
    return Message(blocks(view, voice), _my_rank(view, voice), voice.language)


def standing(view: BoardView, voice: Voice) -> Message:
    """The board that stands in a channel, as it is now."""
    note = Small(voice.say("Kept up to date."))
    said = (*blocks(view, voice), note)
    return Message(said, _my_rank(view, voice), voice.language, passing=True)


def stood(args: Mapping[str, Any], voice: Voice) -> Message:
    """A board that is kept up to date no more, from what `snapshot` kept."""
    view = _VIEW.validate_python(args["view"])
    day = voice.written_date(view.day)
    note = Small(voice.say("As it was on {date}; it is kept up to date no more.", date=day))
    said = (*blocks(view, voice), note)
    return Message(said, _my_rank(view, voice), voice.language, passing=True)


def snapshot(view: BoardView, language: Language) -> dict[str, Any]:
    """What a board looked like, as JSON."""
    kept = replace(view, page=replace(view.page, below=None))
    return {"language": language, "view": _VIEW.dump_python(kept, mode="json")}


def blocks(view: BoardView, voice: Voice) -> tuple[Block, ...]:
    """What a board says, to whomever."""
    if view.alone:
        return (Paragraph(voice.say(_nobody(view))),)
    heading = Heading(
        joined([_name(view, voice), *_title(view, voice), period(view, voice)], " · ")
    )
    if not view.share.players and not (view.week and view.week.players):
        return heading, Paragraph(voice.say(_nobody(view)))
    said: list[Block] = [heading, Paragraph(_we(view, voice))]
    if view.names_shown and view.page.ranks:
        ranks = tuple(_rank(rank, view.page.asked, voice) for rank in view.page.ranks)
        said.append(Ranking(ranks))
    return tuple(said)


def kept(voice: Voice) -> Message:
    """To the organiser who had a board stand in the channel."""
    line = voice.say(
        "It stands in the channel from now on, and is brought up to date every ten minutes."
    )
    button = Button(voice.phrase("Stop updating it"), tokens.write(tokens.DropBoard()))
    return Message((Paragraph(line),), ((button,),), voice.language)


def organisers_keep(voice: Voice) -> Message:
    """To who may not."""
    line = voice.say("Only organisers choose which leaderboard stands in the channel.")
    return Message((Paragraph(line),), language=voice.language)


def own_line(own: OwnRank, voice: Voice) -> Spans:
    return voice.many(
        "You: rank {rank} with {n} point (answered {answered} of {asked})",
        "You: rank {rank} with {n} points (answered {answered} of {asked})",
        own.points,
        rank=own.rank,
        answered=own.answered,
        asked=own.asked,
    )


def token(
    scope: Scope, period: Period, below: int = 0, *, topic: str = "", day: date | None = None
) -> str | None:
    """Of a board; None for a quiz whose id is too long for a button. `day` None is today."""
    if not topic and day is None:
        return tokens.write(tokens.Board(scope, period, below))
    of = tokens.BoardOf(scope, period, below, topic, "" if day is None else day.isoformat())
    return tokens.write(of) if tokens.fits(of) else None


def period_name(period: Period, voice: Voice) -> str:
    """Of the one that it is now."""
    match period:
        case "today":
            return voice.phrase("Today")
        case "week":
            return voice.phrase("This week")
        case "month":
            return voice.phrase("This month")
        case "season":
            return voice.phrase("This season")
        case "all":
            return voice.phrase("Since the beginning")


def period(view: BoardView, voice: Voice) -> Spans:
    """`November 2026` for a month; the name or the days of another period."""
    if view.period == "month":
        return plain(voice.month(view.day))
    if view.over and view.first is not None and view.last is not None:
        return plain(f"{voice.written_date(view.first)} – {voice.written_date(view.last)}")
    if view.period == "season" and view.first is not None:
        return since(view.first, voice)
    return plain(period_name(view.period, voice))


def since(first: date, voice: Voice) -> Spans:
    """The season of today, by its first day."""
    return voice.say("This season, since {date}", date=voice.written_date(first))


# --- its parts -------------------------------------------------------------------------------


def _my_rank(view: BoardView, voice: Voice) -> tuple[Row, ...]:
    mine = token(view.scope, view.period, topic=view.topic, day=view.day if view.over else None)
    return () if mine is None else ((Button(voice.phrase("My rank"), mine),),)


def here(view: BoardView, voice: Voice) -> str:
    """The place in which somebody looks at it, without its name."""
    return voice.phrase("This conversation") if view.direct else voice.phrase("This channel")


def _name(view: BoardView, voice: Voice) -> Spans:
    if view.scope == "community":
        return voice.say("Everywhere")
    return plain(f"#{view.place_name}") if view.place_name else plain(here(view, voice))


def _title(view: BoardView, voice: Voice) -> tuple[Spans, ...]:
    if not view.topic:
        return ()
    return (voice.content(plain(view.title or view.topic), view.title_language or voice.language),)


def _nobody(view: BoardView) -> str:
    if view.alone:
        return N_(
            "Playing alone gives no points: they come with quizzes for a group, in a channel."
        )
    if view.over:
        return N_("Nobody had points here then.")
    return N_("Nobody has points here yet: they come with the first quiz.")


def _we(view: BoardView, voice: Voice) -> Spans:
    """How the group does this week, whatever the board's period; of a quiet week, in that."""
    week, before = view.week, view.week_before
    if week is None or not week.answered:
        return voice.many(
            "We: {share} right, {n} took part",
            "We: {share} right, {n} took part",
            view.share.players,
            share=_percent(view.share, voice),
        )
    if before is None or not before.answered:
        return voice.many(
            "We: {share} right this week, {n} took part",
            "We: {share} right this week, {n} took part",
            week.players,
            share=_percent(week, voice),
        )
    return voice.many(
        "We: {share} right this week ({before} last week), {n} took part",
        "We: {share} right this week ({before} last week), {n} took part",
        week.players,
        share=_percent(week, voice),
        before=_percent(before, voice),
    )


def _percent(share: Share, voice: Voice) -> str:
    return voice.percent(share.right / share.answered)


def _rank(rank: BoardRank, asked: int, voice: Voice) -> Rank:
    notes = tuple(
        voice.phrase("{n} of {total}", n=line.answered, total=asked) for line in rank.named
    )
    more = not_named(rank.more, voice, beside=bool(rank.named))
    return Rank(rank.rank, tuple(line.name for line in rank.named), rank.points, more, notes)
