"""The commands by the names under which a person finds them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.wording.catalogues import COMMAND_NAME, OPTION_NAME, translator


@dataclass(frozen=True, slots=True)
class CommandNames:
    """`locale` is that of a client which shows names in its language; None: those of the table.

    A prefix that ends with a space is the one command of a surface, and a quiz stands behind it.
    """

    prefix: str
    locale: str | None = None

    def of(self, command: str) -> str:
        """As it is typed: `/leaderboard`, `/classement`, `/quiz leaderboard`, `/daily set`."""
        if command == "quiz" and self.prefix.endswith(" "):
            return self.prefix.strip()
        if self.locale is None:
            return f"{self.prefix}{command}"
        name, *part = command.split(" ", 1)
        speaks = translator(self.locale)
        words = [speaks.pgettext(COMMAND_NAME, name), *map(self.part, part)]
        return f"{self.prefix}{' '.join(words)}"

    def part(self, name: str) -> str:
        """A part of a command, as it stands behind it: `list` of `/daily list`."""
        return name if self.locale is None else translator(self.locale).pgettext(OPTION_NAME, name)
