"""Discord's Markdown as somebody reads it, by the rules of Discord's clients."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from babel.dates import format_date, format_time

_FENCE = re.compile(r"```[A-Za-z0-9_+#.-]*\n(.*?)\n?```", re.DOTALL)
_CODE = re.compile(r"(`+) ?(.+?) ?\1(?!`)", re.DOTALL)
_WHEN = re.compile(r"<t:(-?\d+):([RtD])>")
_LINK = re.compile(r"\[((?:\\.|[^\[\]\\])*)\]\(<([^<>\s]*)>\)")
_ADDRESS = re.compile(r"<(https?://[^<>\s]*)>")
_SMALL = re.compile(r"^-# ", re.MULTILINE)
_ESCAPED = re.compile(r"\\([^0-9A-Za-z\s])")
_MARK = re.compile(r"\*\*|\*")
_UNSEEN = re.compile("[\u200b\u2068\u2069]")
_OPTION = re.compile(r"^\*\*([A-Z])\*\*[\u2002\n]", re.MULTILINE)
_KEPT = 0xE000
"""Signs of the private area stand for what is not read as Markdown any more."""


class Reader:
    def __init__(self, now: datetime) -> None:
        self._now = now

    def plain(self, markdown: str) -> str:
        """The words, without what draws them."""
        kept: list[str] = []

        def keep(text: str) -> str:
            kept.append(text)
            return chr(_KEPT + len(kept) - 1)

        text = _FENCE.sub(lambda found: keep(found[1]), markdown)
        text = _ESCAPED.sub(lambda found: keep(found[1]), text)
        text = _CODE.sub(lambda found: keep(found[2]), text)
        text = _WHEN.sub(lambda found: self._when(int(found[1]), found[2]), text)
        text = _LINK.sub(lambda found: found[1], text)
        text = _ADDRESS.sub(lambda found: keep(found[1]), text)
        text = _MARK.sub("", _SMALL.sub("", text))
        for number in reversed(range(len(kept))):
            text = text.replace(chr(_KEPT + number), kept[number])
        return _UNSEEN.sub("", text).replace("\u2002", "  ")

    def options(self, markdown: str) -> dict[str, str]:
        """The lettered options, by letter."""
        found = list(_OPTION.finditer(markdown))
        ends: list[int | None] = [one.start() for one in found[1:]]
        # The options are a component of their own; what follows it stands below an empty line.
        texts = [markdown[one.end() : end] for one, end in zip(found, [*ends, None], strict=False)]
        if texts:
            texts[-1] = texts[-1].split("\n-# ")[0]
        return {one[1]: self.plain(text).strip() for one, text in zip(found, texts, strict=True)}

    def _when(self, seconds: int, style: str) -> str:
        at = datetime.fromtimestamp(seconds, UTC)
        if style == "t":
            return str(format_time(at, format="short", tzinfo=UTC, locale="en"))
        if style == "D":
            return str(format_date(at, format="medium", locale="en"))
        left = round((at - self._now).total_seconds())
        if left < 0:
            return f"{-left} s ago"
        return f"in {left} s" if left < 120 else f"in {round(left / 60)} min"
