"""Why quizbot is not on Discord, in a sentence each."""

from __future__ import annotations

from math import ceil

from discord import HTTPException, PrivilegedIntentsRequired, RateLimited

from adapters.findings import OutOfReach

_SHUT_OUT_FOR = 60.0


class WrongToken(Exception):
    """Discord does not know the token."""

    mend = (
        "copy it anew into DISCORD_TOKEN, from the page Bot of your application at "
        "https://discord.com/developers/applications"
    )

    def __init__(self) -> None:
        super().__init__(f"Discord does not know the token: {self.mend}.")


class DiscordUnavailable(OutOfReach):
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
        OutOfReach.__init__(
            self, f"Discord asks us to wait {ceil(seconds)} s: start again after that, not before."
        )


def unavailable(error: Exception) -> DiscordUnavailable:
    """What somebody is told who asked Discord for something and got this."""
    if isinstance(error, RateLimited):
        return DiscordBusy(error.retry_after)
    if isinstance(error, HTTPException) and error.status == 429:
        # From what stands before Discord, which shuts out the whole host.
        return DiscordBusy(float(error.response.headers.get("Retry-After", _SHUT_OUT_FOR)))
    return DiscordUnavailable(error)


def why_it_ended(error: Exception) -> str:
    """What discord.py gave up with, since Discord would end the next connection too."""
    code = 4014 if isinstance(error, PrivilegedIntentsRequired) else getattr(error, "code", None)
    # What is none of Discord's answers is a fault of ours, or of the library.
    broken = f"The connection to Discord broke ({error!r}): start quizbot again."
    return _ENDINGS.get(code or 0, broken)


_NEWER = "Discord refuses what this version of quizbot asks of it: install a newer one."
_ENDINGS = {
    4004: f"Discord no longer knows the token: {WrongToken.mend}, and start quizbot again.",
    4010: (
        "Discord does not take the shards of this process: mend QUIZBOT_SHARD_IDS and "
        "QUIZBOT_SHARD_COUNT, and start quizbot again."
    ),
    4011: (
        "Discord wants quizbot to use more shards: leave QUIZBOT_SHARD_COUNT unset or raise it, "
        "and start quizbot again."
    ),
    4012: _NEWER,
    4013: _NEWER,
    4014: _NEWER,
}
