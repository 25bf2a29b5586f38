"""The page that a platform keeps for each person: what is theirs, wherever it was said."""

from __future__ import annotations

from bot.desk import Desk
from bot.messages import Message
from bot.progress import Streaks
from bot.readers import Here
from bot.wording import home as words


class Home:
    """Private replies vanish on some platforms; what was in them is found again here."""

    def __init__(self, desk: Desk, streaks: Streaks) -> None:
        self._desk = desk
        self._streaks = streaks

    async def page(self, here: Here) -> Message:
        answers = await self._desk.answers(0, here)
        standing = await self._streaks.standing(here)
        return words.page(answers, standing, here.reader(), may_arrange=here.may_arrange)

    def with_way_back(self, reply: Message, here: Here) -> Message:
        """A reply that takes the place of the page for a while."""
        return words.with_way_back(reply, here.reader().voice)
