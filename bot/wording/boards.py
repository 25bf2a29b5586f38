"""Leaderboards: "we" above the names, ties together, and one's own rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any, Literal

from pydantic import TypeAdapter

from bot import tokens
from bot.messages import (
    Block,
    Bold,
    Button,
    Heading,
    Message,
    Paragraph,
    Rank,
    Ranking,
    Row,
    Spans,
)
from bot.state import BoardPage, BoardRank, OwnRank, Period, Share
from bot.wording.pieces import not_named
from bot.wording.voice import Voice, joined, plain

Scope = Literal["place", "community"]

PERIODS: tuple[Period, ...] = ("today", "week", "month", "all")
NAMES_ON_A_PAGE = 10


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board as it was read: its own share, and those of this week and of the last one."""

    scope: Scope
    period: Period
    day: date
    place_name: str
    names_shown: bool
    page: BoardPage
    share: Share
    week: Share
    week_before: Share


_VIEW = TypeAdapter(BoardView)


def private(view: BoardView, own: OwnRank | None, voice: Voice, *, can_show: bool) -> Message:
    """The board as one person sees it, with their own rank and the ways to other boards."""
    blocks = _blocks(view, voice)
    if own is not None:
        blocks.append(Paragraph((Bold(_own_line(own, voice)),)))
    row = tuple(
        Button(_period_name(period, voice), _token(view.scope, period))
        for period in PERIODS
        if period != view.period
    )
    other: Scope = "community" if view.scope == "place" else "place"
    label = voice.phrase("Everywhere") if other == "community" else voice.phrase("This channel")
    turn = [Button(label, _token(other, view.period))]
    if view.page.below is not None:
        token = tokens.write(tokens.Board(view.scope, view.period, view.page.below))
        turn.insert(0, Button(voice.phrase("Next page"), token))
    if can_show:
        show = tokens.write(tokens.ShowBoard(view.scope, view.period))
        turn.append(Button(voice.phrase("Show in the channel"), show))
    rows: tuple[Row, ...] = (row, tuple(turn))
    return Message(tuple(blocks), rows, voice.language, replaces=True)


def shown(args: Mapping[str, Any], voice: Voice) -> Message:
    """The board as it was put into a channel, from what `snapshot` kept."""
    view = _VIEW.validate_python(args["view"])
    button = Button(voice.phrase("My rank"), _token(view.scope, view.period))
    return Message(tuple(_blocks(view, voice)), ((button,),), voice.language)


def snapshot(view: BoardView, language: str) -> dict[str, Any]:
    """What a board looked like, as JSON."""
    kept = replace(view, page=replace(view.page, below=None))
    return {"language": language, "view": {**asdict(kept), "day": view.day.isoformat()}}


def _blocks(view: BoardView, voice: Voice) -> list[Block]:
    name = (
        plain(view.place_name)
        if view.scope == "place" and view.place_name
        else voice.say("This channel")
        if view.scope == "place"
        else voice.say("Everywhere")
    )
    blocks: list[Block] = [Heading(joined([name, _period(view, voice)], " · "))]
    if not view.share.players and not view.week.players:
        blocks.append(
            Paragraph(voice.say("Nobody has points here yet: they come with the first quiz."))
        )
        return blocks
    blocks.append(Paragraph(_we(view, voice)))
    if view.names_shown and view.page.ranks:
        ranks = tuple(_rank(rank, view.page.asked, voice) for rank in view.page.ranks)
        blocks.append(Ranking(ranks))
    return blocks


def _we(view: BoardView, voice: Voice) -> Spans:
    """How the group does this week, whatever the board's period; of a quiet week, in that."""
    week, before = view.week, view.week_before
    if not week.answered:
        return voice.many(
            "We: {share} right, {n} took part",
            "We: {share} right, {n} took part",
            view.share.players,
            share=_percent(view.share, voice),
        )
    if not before.answered:
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


def _own_line(own: OwnRank, voice: Voice) -> Spans:
    return voice.many(
        "You: rank {rank} with {n} point (answered {answered} of {asked})",
        "You: rank {rank} with {n} points (answered {answered} of {asked})",
        own.points,
        rank=own.rank,
        answered=own.answered,
        asked=own.asked,
    )


def _period(view: BoardView, voice: Voice) -> Spans:
    """`November 2026` for a month; the name of the period for the others."""
    if view.period == "month":
        return plain(voice.month(view.day))
    return plain(_period_name(view.period, voice))


def _period_name(period: Period, voice: Voice) -> str:
    match period:
        case "today":
            return voice.phrase("Today")
        case "week":
            return voice.phrase("This week")
        case "month":
            return voice.phrase("This month")
        case "season":
            return voice.phrase("This quarter")
        case "all":
            return voice.phrase("Since the beginning")


def _token(scope: Scope, period: Period) -> str:
    return tokens.write(tokens.Board(scope, period, 0))
