"""A leaderboard as one person sees it: the ways to other boards, and what can be done with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from bot import tokens
from bot.commands import PERIODS
from bot.messages import Bold, Button, Message, Name, Paragraph, Row
from bot.state import OwnRank
from bot.wording import boards
from bot.wording.boards import BoardView, Scope, token
from bot.wording.pieces import all_quizzes
from bot.wording.voice import Voice


@dataclass(frozen=True, slots=True)
class Beside:
    """The first days of the seasons before and after, if there are any.

    That of today is not among them: there is a button to it in any case.
    """

    before: date | None = None
    after: date | None = None


@dataclass(frozen=True, slots=True)
class Offers:
    """What else can be done with a board: put it into the channel, or have it stand there.

    `drop` ends that one stands there; `season`: a new one may be begun.
    """

    show: bool = False
    keep: bool = False
    drop: bool = False
    season: bool = False


def private(
    view: BoardView,
    own: OwnRank | None,
    beside: Beside,
    offers: Offers,
    voice: Voice,
) -> Message:
    """The board with one's own rank."""
    lines = list(boards.blocks(view, voice))
    if view.alone:
        return Message(tuple(lines), ((all_quizzes(voice),),), voice.language, replaces=True)
    if own is not None:
        lines.append(Paragraph((Bold(boards.own_line(own, voice)),)))
    show = _row([(voice.phrase("Show in the channel"), _show(view) if offers.show else None)])
    rows = (
        _periods(view, voice),
        (*_turns(view, voice), *show),
        _seasons(view, beside, voice),
        _offered(view, offers, voice),
    )
    return Message(tuple(lines), tuple(filter(None, rows)), voice.language, replaces=True)


def no_leaderboard(topic: str, titles: Mapping[str, str], scope: Scope, voice: Voice) -> Message:
    """There is none of what was asked for, but perhaps of these: titles by a bank's id."""
    if not titles:
        line = voice.say("I know no quiz “{topic}”.", topic=Name(topic))
    else:
        line = voice.say(
            "I have no leaderboard of “{topic}”. Did you mean {names}?",
            topic=Name(topic),
            names=voice.one_of(titles.values()),
        )
    tokens_ = ((title, token(scope, "month", topic=bank)) for bank, title in titles.items())
    row = _row(tokens_)
    return Message((Paragraph(line),), (row,) if row else (), voice.language)


def sure_of_season(voice: Voice) -> Message:
    """Asked before a season begins, since it ends the one that runs for everybody."""
    line = voice.say(
        "Begin a new season today? The one that runs now ends, and can still be read under "
        "“{before}”.",
        before=voice.phrase("The season before"),
    )
    button = Button(voice.phrase("Begin the season"), tokens.write(tokens.NewSeason(1)), "primary")
    return Message((Paragraph(line),), ((button,),), voice.language)


# --- the buttons -----------------------------------------------------------------------------


def _periods(view: BoardView, voice: Voice) -> Row:
    return _row(
        (boards.period_name(period, voice), token(view.scope, period, topic=view.topic))
        for period in PERIODS
        if period != view.period or view.over
    )


def _turns(view: BoardView, voice: Voice) -> Row:
    other: Scope = "community" if view.scope == "place" else "place"
    label = voice.phrase("Everywhere") if other == "community" else boards.here(view, voice)
    day, topic = view.day if view.over else None, view.topic
    turns = [(label, token(other, view.period, topic=topic, day=day))]
    if view.page.below is not None:
        below = token(view.scope, view.period, view.page.below, topic=topic, day=day)
        turns.insert(0, (voice.phrase("Next page"), below))
    return _row(turns)


def _seasons(view: BoardView, beside: Beside, voice: Voice) -> Row:
    to = (
        (voice.phrase("The season before"), beside.before),
        (voice.phrase("The season after"), beside.after),
    )
    return _row(
        (label, token(view.scope, "season", topic=view.topic, day=day))
        for label, day in to
        if day is not None
    )


def _offered(view: BoardView, offers: Offers, voice: Voice) -> Row:
    row: list[tuple[str, str | None]] = []
    if offers.keep:
        keep = tokens.KeepBoard(view.scope, view.period, view.topic)
        row.append((voice.phrase("Keep it in the channel"), _written(keep)))
    if offers.drop:
        row.append((voice.phrase("Stop updating it"), _written(tokens.DropBoard())))
    if offers.season:
        row.append((voice.phrase("Begin a new season"), _written(tokens.NewSeason(0))))
    return _row(row)


def _show(view: BoardView) -> str | None:
    if not view.topic and not view.over:
        return _written(tokens.ShowBoard(view.scope, view.period))
    day = view.day.isoformat() if view.over else ""
    return _written(tokens.ShowBoardOf(view.scope, view.period, view.topic, day))


def _written(choice: tokens.Choice) -> str | None:
    return tokens.write(choice) if tokens.fits(choice) else None


def _row(buttons: Iterable[tuple[str, str | None]]) -> Row:
    return tuple(Button(label, to) for label, to in buttons if to is not None)
