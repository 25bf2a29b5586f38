"""Why quizbot is not on Discord, in a sentence each."""

from __future__ import annotations

from math import ceil


class WrongToken(Exception):
    """Discord does not know the token."""

    mend = (
        "copy it anew into DISCORD_TOKEN, from the page Bot of your application at "
        "https://discord.com/developers/applications"
    )

    def __init__(self) -> None:
        super().__init__(f"Discord does not know the token: {self.mend}.")


class DiscordUnavailable(Exception):
    """Discord cannot be reached."""

    def __init__(self, reason: object) -> None:
        why = f" ({reason})" if str(reason) else ""
        super().__init__(
            f"Discord cannot be reached{why}: check the network and https://discordstatus.com, "
            "and try again."
        )


class DiscordBusy(DiscordUnavailable):
    """Discord is there, and takes no such request for a while."""

    def __init__(self, seconds: float) -> None:
        Exception.__init__(
            self, f"Discord asks us to wait {ceil(seconds)} s: start again after that, not before."
        )
