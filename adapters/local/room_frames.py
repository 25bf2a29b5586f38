"""Read what a browser sends over the socket: bounded, cleaned, and never believed."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import parse_qsl

from adapters.local.turns import is_seen, straight

LARGEST = 64 * 1024
"""Bytes of one frame; a larger one closes the socket."""

MESSAGE_ID = re.compile(r"m[0-9a-f]{20}")
"""Of a message of the channel."""

_SECRET = re.compile(r"[A-Za-z0-9-]{20,64}")
_REQUEST = re.compile(r"[A-Za-z0-9-]{1,64}")
_TAG = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,4}")


@dataclass(frozen=True, slots=True)
class Hello:
    """Who sits at this tab from now on; nobody yet (`secret` None) may look on.

    `name` is empty where nothing of what was given can be seen.
    """

    id: str
    secret: str | None
    name: str
    locale: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """A command as it was typed."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A command from a button or list of the page itself."""

    id: str
    name: str
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Press:
    """`at` is the browser's claim of the instant, in milliseconds of the server's clock.

    `message` is the channel's message that was pressed; None for what only the presser saw.
    """

    id: str
    token: str
    at: float | None
    message: str | None
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Filled:
    """A form that was sent."""

    id: str
    token: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Typing:
    """What stands in a field that has suggestions."""

    id: str
    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Earlier:
    """The messages before this one are wanted."""

    id: str
    before: int


@dataclass(frozen=True, slots=True)
class Ping:
    id: str


@dataclass(frozen=True, slots=True)
class Broken:
    """No frame of ours. `id` is there if at least that could be read."""

    id: str | None


Work = Line | Ask | Press | Filled
"""What may change something, so that it must happen once, however often it is sent."""

Frame = Hello | Work | Typing | Earlier | Ping | Broken


def read(raw: str) -> Frame:
    """One frame of text. Whatever is wrong with it, the result says so and nothing is raised."""
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        return Broken(None)
    if not isinstance(data, dict):
        return Broken(None)
    request = data.get("id")
    if not isinstance(request, str) or not _REQUEST.fullmatch(request):
        return Broken(None)
    reader = _READERS.get(data["do"]) if isinstance(data.get("do"), str) else None
    frame = reader(request, data) if reader else None
    return Broken(request) if frame is None else frame


def fields(body: bytes) -> dict[str, str]:
    """The fields of a page's own form; whatever is none is left out."""
    try:
        pairs = parse_qsl(body.decode("utf-8", "replace"), max_num_fields=10)
    except ValueError:
        return {}
    return {name: clean(value, 200) for name, value in pairs}


def message_id(nonce: str) -> str:
    """The same post, tried twice, is the same message."""
    return "m" + sha256(nonce.encode()).hexdigest()[:20]


def person_id(secret: str) -> str:
    """The id that the rest of the program knows a person by; it does not give the secret away."""
    return sha256(b"quizbot-room:" + secret.encode()).hexdigest()[:24]


def clean(text: str, longest: int) -> str:
    """Text without what breaks storage or lines: control signs and halves of characters."""
    kept = "".join(c for c in text[:longest] if c == "\n" or unicodedata.category(c) not in _BAD)
    return unicodedata.normalize("NFC", kept)


def clean_name(name: str) -> str:
    """A person's name on one line, without signs that would turn the text around it.

    Empty if it has no letter, number or symbol that can be seen.
    """
    cleaned = straight(" ".join(clean(name, 200).split()))[:40].strip()
    return cleaned if is_seen(cleaned) else ""


_BAD = frozenset({"Cc", "Cs"})

Data = Mapping[str, object]


def _hello(request: str, data: Data) -> Frame | None:
    secret, name, locale = data.get("person"), data.get("name"), data.get("locale")
    tag = locale if isinstance(locale, str) and _TAG.fullmatch(locale) else None
    if secret is None:
        return Hello(request, None, "", tag)
    if not isinstance(secret, str) or not _SECRET.fullmatch(secret) or not isinstance(name, str):
        return None
    return Hello(request, secret, clean_name(name), tag)


def _line(request: str, data: Data) -> Frame | None:
    text = _text(data.get("text"), 2000)
    return None if text is None else Line(request, text)


def _ask(request: str, data: Data) -> Frame | None:
    name, options = _text(data.get("name"), 64), _texts(data.get("options", {}))
    return None if name is None or options is None else Ask(request, name, options)


def _press(request: str, data: Data) -> Frame | None:
    token, values = _text(data.get("token"), 300), data.get("values", [])
    if token is None or not isinstance(values, list) or len(values) > 25:
        return None
    chosen = [_text(value, 1000) for value in values]
    message = data.get("message")
    here = message if isinstance(message, str) and MESSAGE_ID.fullmatch(message) else None
    return Press(request, token, _instant(data.get("at")), here, tuple(c for c in chosen if c))


def _filled(request: str, data: Data) -> Frame | None:
    token, values = _text(data.get("token"), 300), _texts(data.get("values"))
    return None if token is None or values is None else Filled(request, token, values)


def _typing(request: str, data: Data) -> Frame | None:
    source, text = _text(data.get("source"), 64), _text(data.get("text"), 200)
    return None if source is None or text is None else Typing(request, source, text)


def _earlier(request: str, data: Data) -> Frame | None:
    before = data.get("before")
    if not isinstance(before, int) or isinstance(before, bool):
        return None
    return Earlier(request, before) if 0 < before < 2**53 else None


def _ping(request: str, data: Data) -> Frame | None:
    return Ping(request)


def _text(value: object, longest: int) -> str | None:
    return clean(value, longest) if isinstance(value, str) else None


def _texts(value: object) -> Mapping[str, str] | None:
    if not isinstance(value, dict) or len(value) > 10:
        return None
    texts = {clean(str(name), 64): _text(given, 4000) for name, given in value.items()}
    return {name: text for name, text in texts.items() if text is not None}


def _instant(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if math.isfinite(value) and 0 < value < 2**53 else None


_READERS: Mapping[str, Callable[[str, Data], Frame | None]] = {
    "hello": _hello,
    "line": _line,
    "ask": _ask,
    "press": _press,
    "fill": _filled,
    "suggest": _typing,
    "earlier": _earlier,
    "ping": _ping,
}
