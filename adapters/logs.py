"""What goes into the log, on standard error: as text or as JSON, and never a secret."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal

Format = Literal["text", "json"]

_NONE = logging.CRITICAL + 1

# They tell of every step, and nobody who looks for a fault of ours could read past them.
_TALKATIVE = ("aiohttp", "aiosqlite", "alembic", "asyncio", "filelock", "sqlalchemy")

_TOKENS = re.compile(
    r"""
    # Addresses that are a token: who knows them may answer, or write, as the bot.
    (?P<before> /interactions/\d+/ | /webhooks/\d+/ | hooks\.slack\.com/[a-z]+/ | [?&]ticket= )
        [^\s'"?&<>)\]]+?  (?= /callback | /messages | /slack | /github | [\s'"?&<>)\]] | \Z )
    # Fields of what comes in and goes out, as Python or JSON writes them.
    | (?P<field> \\*["']
        (?: [a-z_]*token | [a-z_]*secret | authorization | response_url | trigger_id )
        \\*["'] \s*:\s* \\*["'] ) [^"'\\]+
    # What looks like a token, wherever it stands.
    | \b xox[a-z](?:\.xox[a-z])? - [\w-]+ | \b xapp - [\w-]+ | \b Bearer\ [\w.~+/-]+=*
    | \b [\w-]{23,30} \. [\w-]{6,7} \. [\w-]{27,}
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Tokens that are given to quizbot while it runs, so that no setting names them."""


def start_logging(level: str, format_: Format, secrets: Iterable[str] = ()) -> None:
    """Send the log of this process to standard error; `level` is as in QUIZBOT_LOG, or `none`."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines(secrets) if format_ == "json" else _TextLines(secrets))
    number = _NONE if level == "none" else logging.getLevelName(level.upper())
    logging.basicConfig(level=number, handlers=[handler], force=True)
    logging.captureWarnings(True)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel("WARNING")


def as_line(text: str, level: int) -> str:
    """A sentence beside the log, on the same stream: in JSON where there is a log that is."""
    root = logging.getLogger()
    for formatter in [handler.formatter for handler in root.handlers]:
        if isinstance(formatter, _JsonLines) and root.level < _NONE:
            return formatter.format(logging.LogRecord("quizbot", level, "", 0, text, None, None))
    return text


class _Lines(logging.Formatter):
    """Takes secrets out of whatever was written, also out of an exception's text."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        self._secrets = tuple(secret for secret in secrets if secret)

    def said(self, record: logging.LogRecord) -> str:
        return self._clean(record.getMessage())

    def trouble(self, record: logging.LogRecord) -> str:
        return self._clean(self.formatException(record.exc_info)) if record.exc_info else ""

    def _clean(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return _TOKENS.sub(lambda found: f"{found['before'] or found['field'] or ''}***", text)


class _TextLines(_Lines):
    def format(self, record: logging.LogRecord) -> str:
        # One entry a line, whatever a name or a text that was logged holds.
        said = " ".join(self.said(record).splitlines())
        line = f"{_instant(record)} {record.levelname.lower():7} {record.name}: {said}"
        trouble = self.trouble(record)
        return f"{line}\n{trouble}" if trouble else line


class _JsonLines(_Lines):
    def format(self, record: logging.LogRecord) -> str:
        content = {
            "time": _instant(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.said(record),
        }
        trouble = self.trouble(record)
        if trouble:
            content["exception"] = trouble
        return json.dumps(content, ensure_ascii=False)


def _instant(record: logging.LogRecord) -> str:
    at = datetime.fromtimestamp(record.created, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
