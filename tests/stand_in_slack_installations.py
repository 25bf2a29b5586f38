"""Installations of the bot in the stand-in Slack: their tokens, rotation, consents of OAuth.

Documented: the answer of `oauth.v2.access`, that with rotation a token lives twelve hours and a
refresh token serves once. Assumed: that the old access token goes on until its own end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stand_in_slack_people import Person
    from stand_in_slack_workspaces import Enterprise, Workspace
    from stand_in_slack_world import World

TOKEN_LIVES = timedelta(hours=12)
CODE_LIVES = timedelta(minutes=10)


@dataclass(eq=False)
class Installation:
    """The bot in one workspace, or in a whole organisation."""

    world: World
    team: Workspace | None
    enterprise: Enterprise | None
    scopes: set[str]
    installer: Person | None = None
    tokens: dict[str, datetime | None] = field(default_factory=dict)
    """The access tokens that work, and until when."""
    refresh_token: str | None = None
    revoked: str | None = None
    """The error that its tokens get since they were revoked."""

    def __post_init__(self) -> None:
        self.bot_user_id = self.world.new_id("U")
        self.bot_id = self.world.new_id("B")
        self.world.installations.append(self)
        self.renew()

    @property
    def id(self) -> str:
        place = self.team or self.enterprise
        assert place is not None
        return place.id

    @property
    def is_org_wide(self) -> bool:
        return self.team is None

    @property
    def token(self) -> str:
        """The newest."""
        return list(self.tokens)[-1]

    def renew(self) -> None:
        """A new access token, and with rotation a new refresh token for the next."""
        number = self.world.new_id("")
        if self.world.rotates:
            self.tokens[f"xoxe.xoxb-stand-in-{self.id}-{number}"] = self.world.now() + TOKEN_LIVES
            self.refresh_token = f"xoxe-stand-in-{self.id}-{number}"
        else:
            self.tokens[f"xoxb-stand-in-{self.id}-{number}"] = None

    def trouble_with(self, token: str) -> str | None:
        """The error that a call with this token gets."""
        if self.revoked:
            return self.revoked
        until = self.tokens[token]
        return "token_expired" if until is not None and self.world.now() >= until else None

    def end(self, error: str) -> None:
        """The tokens work no more: `token_revoked`, or `account_inactive` when it is removed."""
        self.revoked = error


@dataclass(eq=False)
class Consent:
    """What somebody allowed in the browser, to be fetched with a code, once."""

    person: Person
    enterprise: Enterprise | None
    scopes: set[str]
    redirect_uri: str
    at: datetime
    used: bool = False
