"""The form that asks for a quiz: for who types the command alone, or would rather choose."""

from __future__ import annotations

from collections.abc import Mapping

from bot import languages
from bot.commands import BadOption, QuizWish, read_wish
from bot.library import Library
from bot.messages import Form, Reply, plain_text
from bot.outcomes import UnknownLanguage
from bot.play import Play
from bot.ports import Surface
from bot.readers import Here
from bot.starting import Starting
from bot.wording import asking as words
from bot.wording import starting as starting_words


class Asking:
    """A wish that cannot be granted comes back as the form, with what to mend beside its field."""

    def __init__(
        self, play: Play, starting: Starting, library: Library, surfaces: Mapping[str, Surface]
    ) -> None:
        self._play = play
        self._starting = starting
        self._library = library
        self._surfaces = surfaces

    def asks(self, here: Here) -> bool:
        """Whether the command alone is replied to with the form."""
        surface = self._surfaces.get(here.where.platform)
        return surface is not None and surface.abilities.asks_by_form

    def form(self, here: Here) -> Form:
        return self._form({}, (), here)

    async def submit(self, values: Mapping[str, str], here: Here) -> Reply:
        """Begin what was asked for."""
        options = {name: value for name, value in values.items() if value != words.AS_USUAL}
        wish = read_wish(options)
        mistake = self._mistake(wish, here)
        if mistake is not None:
            return self._form(values, (mistake,), here)
        return await self._play.quiz(wish, here)

    def _mistake(self, wish: QuizWish | BadOption, here: Here) -> tuple[str, str] | None:
        """The field that has to be mended, and how."""
        reader, alone = here.reader(), here.where.personal
        if isinstance(wish, BadOption):
            message = starting_words.bad_option(wish, reader.voice)
            return wish.option, plain_text(message)
        fault = self._starting.fault(wish, here)
        if fault is None:
            return None
        name = "language" if isinstance(fault, UnknownLanguage) else "topic"
        return name, plain_text(starting_words.started(fault, reader, alone=alone))

    def _form(
        self, values: Mapping[str, str], errors: tuple[tuple[str, str], ...], here: Here
    ) -> Form:
        known = languages.known(self._library)
        return words.form(values, errors, known, here.reader().voice, alone=here.where.personal)
