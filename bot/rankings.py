"""A leaderboard as it is read: its page, how the group did, and what it is called."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy.ext.asyncio import AsyncConnection

from bot import rules
from bot.commands import PERIODS, SCOPES
from bot.content import Language
from bot.library import Library
from bot.reading import Words, read_bank
from bot.schedules import StandingBoard
from bot.state import Period, Place, Share
from bot.store import boards, seasons
from bot.store.boards import Board
from bot.wording.boards import NAMES_ON_A_PAGE, BoardView


@dataclass(frozen=True, slots=True)
class Wanted:
    """A board as a button names it; nothing of it is believed yet.

    `below` are the points under which the page begins, 0 for the top. `topic` is a bank's key,
    empty for all; `day` any date of the period, empty for today.
    """

    scope: str
    period: str
    below: int = 0
    topic: str = ""
    day: str = ""


def which(wanted: Wanted, place: Place, today: date) -> Board | None:
    """The board that is meant; None for what no button of ours says."""
    known: Period | None = next((one for one in PERIODS if one == wanted.period), None)
    day = _date(wanted.day) if wanted.day else today
    if wanted.scope not in SCOPES or known is None or day is None or day > today:
        return None
    place_id = place.id if wanted.scope == "place" else None
    return Board(place.community_id, place_id, known, day, wanted.topic or None)


def board_of(standing: StandingBoard, today: date) -> Board:
    """What a board that stands in a place shows on a day."""
    place = standing.place
    place_id = place.id if standing.scope == "place" else None
    return Board(place.community_id, place_id, standing.period, today, standing.topic)


async def read_view(
    connection: AsyncConnection,
    board: Board,
    place: Place,
    today: date,
    title: Words | None,
    below: int | None = None,
) -> BoardView:
    """A page of a board, from the top or `below` these points; `title` is that of its topic."""
    page = await boards.read_page(connection, board, below=below, most=NAMES_ON_A_PAGE)
    share = await boards.read_share(connection, board)
    first = last = None
    if board.period == "season":
        begun = await seasons.find_seasons(connection, board.community_id)
        first, last = rules.season(board.day, begun)
    over = last is not None and last < today
    week: Share | None = None
    week_before: Share | None = None
    if not over:
        of_week = replace(board, period="week", day=today)
        week, week_before = await boards.read_shares(connection, of_week)
    return BoardView(
        scope="community" if board.place_id is None else "place",
        period=board.period,
        day=board.day,
        place_name=place.name,
        names_shown=place.names_shown,
        direct=place.kind == "direct",
        page=page,
        share=share,
        week=week,
        week_before=week_before,
        over=over,
        first=first,
        last=last,
        topic=board.topic or "",
        title="" if title is None else title.text,
        title_language="" if title is None else title.language,
    )


def title_of(topic: str | None, library: Library, language: Language) -> Words | None:
    """What a quiz is called, by its bank's key; None for one that is there no more."""
    found = next((bank for bank in library.banks if bank.key == topic), None) if topic else None
    return None if found is None else read_bank(found, language).title


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
