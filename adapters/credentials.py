"""What is looked at in tokens and keys when they are read, before anything is asked with them."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import SecretStr

SHORTEST_KEY = 16
"""Characters: a shorter one could be guessed by who has stolen the database."""

MAKE_A_KEY = 'python3 -c "import secrets; print(secrets.token_urlsafe(32))" makes one'

# What tokens of each kind begin with; Slack shows several kinds on one page.
_KINDS = {
    "xoxb": "a bot's token",
    "xoxe.xoxb": "a bot's token",
    "xapp": "an app-level token",
    "xoxp": "a person's token",
    "xoxe": "a refresh token",
}


def slack_token(*begins: str, where: str) -> Callable[[object], object]:
    """Takes a token that begins so, or as nothing that is known. Raises ValueError."""

    def read(given: object) -> object:
        text = _text(given)
        begin = text.partition("-")[0]
        if begin in _KINDS and begin not in begins:
            raise ValueError(
                f"that is {_KINDS[begin]}; the one that belongs here begins with {begins[0]}- "
                f"and stands under {where} on your app's page at https://api.slack.com/apps"
            )
        return text

    return read


def encryption_key(given: object) -> object:
    """Takes keys with commas between them. Raises ValueError."""
    text = _text(given)
    keys = split_keys(text)
    if not keys or any(len(key) < SHORTEST_KEY for key in keys):
        raise ValueError(
            f"write {SHORTEST_KEY} characters or more; to change it, the new one before the old "
            f"one with a comma between them; {MAKE_A_KEY}"
        )
    return text


def split_keys(text: str) -> list[str]:
    return [key.strip() for key in text.split(",") if key.strip()]


def _text(given: object) -> str:
    return (given.get_secret_value() if isinstance(given, SecretStr) else str(given)).strip()
