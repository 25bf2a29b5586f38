"""Keeps what is stored unreadable without the key of the settings."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from datetime import datetime, timedelta
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from adapters.credentials import split_keys

# The same for everybody: with one of its own, a database could not be read from the setting alone.
_SALT = b"quizbot: what Slack gave, at rest"
_MEMORY, _BLOCK, _LANES = 2**15, 8, 1
_KEY_BYTES = 32


class Unreadable(Exception):
    """It was written with another key, or it is no text of ours."""


class Seal:
    """`keys`: one, or several with commas between them, the newest first.

    All can read; the newest writes. A key of Fernet's own form is taken as it is, anything else
    is stretched to one.
    """

    def __init__(self, keys: str) -> None:
        fernets = [Fernet(_key(each)) for each in split_keys(keys)]
        self._newest = fernets[0]
        self._all = MultiFernet(fernets)

    def close(self, text: str) -> str:
        return self._newest.encrypt(text.encode()).decode("ascii")

    def open(self, sealed: str) -> str:
        """Raises Unreadable."""
        return _opened(self._all, sealed)

    def stamp(self, text: str, at: datetime) -> str:
        """As `close`, with the instant, for an address: made of letters, digits, - and _."""
        stamped = self._newest.encrypt_at_time(text.encode(), int(at.timestamp()))
        return stamped.decode("ascii").rstrip("=")

    def is_stamped(self, stamp: str, text: str, now: datetime, lasts: timedelta) -> bool:
        """Whether it was made here of that text, less than so long ago."""
        sealed = (stamp + "=" * (-len(stamp) % 4)).encode("utf-8")
        # Of whole seconds, the last one is over when it begins.
        seconds, at = int(lasts.total_seconds()) - 1, int(now.timestamp())
        try:
            return self._all.decrypt_at_time(sealed, seconds, at) == text.encode()
        except InvalidToken:
            return False

    def is_newest(self, sealed: str) -> bool:
        """Whether it was written with the newest key."""
        try:
            _opened(self._newest, sealed)
        except Unreadable:
            return False
        return True


def _opened(key: Fernet | MultiFernet, sealed: str) -> str:
    try:
        return key.decrypt(sealed.encode("utf-8")).decode()
    except (InvalidToken, UnicodeDecodeError):
        # What failed must not carry what it failed at.
        raise Unreadable from None


@cache
def _key(given: str) -> bytes:
    try:
        if len(urlsafe_b64decode(given)) == _KEY_BYTES and len(given) % 4 == 0:
            return given.encode("ascii")
    except (Error, ValueError):
        pass
    stretched = Scrypt(salt=_SALT, length=_KEY_BYTES, n=_MEMORY, r=_BLOCK, p=_LANES)
    return urlsafe_b64encode(stretched.derive(given.encode()))
