"""A language to speak in: sentences with their parts put in, as spans."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from functools import cache, lru_cache

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time
from babel.lists import format_list
from babel.localedata import locale_identifiers
from babel.numbers import format_decimal, format_percent

from bot.content import Language
from bot.messages import Foreign, Name, Plain, Span, Spans, When, text_of
from bot.wording.catalogues import interface_language, translator

Part = str | int | Span | Spans
_LONGEST_QUOTE = 60
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Voice:
    """Speaks the interface in `language`; `zone` is where the clock of plain times stands."""

    language: Language
    zone: tzinfo = UTC

    @classmethod
    def of(cls, language: Language, zone: tzinfo = UTC) -> Voice:
        """The voice for a reader of this language: English where there is no catalogue."""
        return cls(interface_language(language), zone)

    def say(self, sentence: str, **parts: Part) -> Spans:
        """A sentence of the catalogues, with its `{parts}` in place."""
        return _fill(translator(self.language).gettext(sentence), parts)

    def phrase(self, sentence: str, **parts: Part) -> str:
        """The same as plain words: for labels and notices."""
        return text_of(self.say(sentence, **parts))

    def many(self, one: str, more: str, n: int, **parts: Part) -> Spans:
        """The form for `n` things; `{n}` is the number as the language writes it."""
        sentence = translator(self.language).ngettext(one, more, n)
        return _fill(sentence, {"n": self.number(n), **parts})

    def many_phrase(self, one: str, more: str, n: int, **parts: Part) -> str:
        return text_of(self.many(one, more, n, **parts))

    def number(self, number: int) -> str:
        return _number(number, self.language)

    def percent(self, share: float) -> str:
        """`68 %` as the language writes it; `share` is between 0 and 1."""
        return str(format_percent(share, format=None, locale=self._locale))

    def list_of(self, items: Iterable[str]) -> str:
        """`A, B and C`."""
        return str(format_list(list(items), locale=self._locale))

    def one_of(self, items: Iterable[str]) -> str:
        """`A, B or C`."""
        return str(format_list(list(items), style="or", locale=self._locale))

    def until(self, at: datetime, now: datetime) -> When:
        """A countdown of less than an hour, with its own words: `in 48 s`, `dans 48 s`."""
        left = max(0, round((at - now).total_seconds()))
        if left >= 120:
            return When(at, "relative", self.phrase("in {n} min", n=self.number(round(left / 60))))
        return When(at, "relative", self.phrase("in {n} s", n=self.number(left)))

    def time(self, at: datetime) -> When:
        """The hour and minute, in the voice's zone where the surface has no live times."""
        words = format_time(at, format="short", tzinfo=self.zone, locale=self._locale)
        return When(at, "time", str(words))

    def day(self, at: datetime) -> When:
        words = format_date(at.astimezone(self.zone), format="medium", locale=self._locale)
        return When(at, "date", str(words))

    def written_date(self, day: date) -> str:
        """`30 Nov 2026`: a day of a calendar, the same in every zone."""
        return str(format_date(day, format="medium", locale=self._locale))

    def month(self, day: date) -> str:
        """`November 2026`."""
        return str(format_date(day, "LLLL y", locale=self._locale))

    def content(self, spans: Spans, language: Language) -> Spans:
        """Spans of a bank, marked with their language, so that surfaces can set them apart."""
        return (Foreign(spans, language),)

    def language_name(self, language: Language) -> str:
        """The name of a language in this one: `French`, `anglais`; its tag if it has none."""
        return name_in(language, self.language) or language

    @property
    def _locale(self) -> Locale:
        return _locale_of(self.language)


def own_name(language: Language) -> str:
    """A language by its own name: `Français`, `chiShona`; its tag if that is not known."""
    name = name_in(language, language)
    if name is None:
        return language
    # Babel writes names as they stand within a sentence; as a label most begin with a capital.
    first = name.split()[0]
    return name if any(sign.isupper() for sign in first) else name[:1].upper() + name[1:]


@cache
def language_codes() -> frozenset[str]:
    """The codes (`fr`) of all languages that a locale is known of."""
    return frozenset(name.split("_")[0] for name in locale_identifiers())


def is_language(tag: Language) -> bool:
    """Whether there is a language of this tag."""
    return name_in(tag, "en") is not None


# People may type any tag, so not all are kept.
@lru_cache(64)
def _locale_of(language: Language) -> Locale:
    return Locale.parse(language, sep="-")


@lru_cache(1024)
def _number(number: int, language: Language) -> str:
    """Kept: points, days and counts are small, and babel takes long over each of them."""
    return str(format_decimal(number, locale=_locale_of(language)))


@lru_cache(1024)
def name_in(language: Language, reader: Language) -> str | None:
    """The name of a language in the reader's, or None where nobody knows it."""
    try:
        locale = Locale.parse(language, sep="-")
        return locale.get_display_name(Locale.parse(reader, sep="-"))
    except (UnknownLocaleError, ValueError):
        return None


def plain(text: str) -> Spans:
    return (Plain(text),)


def quoted(text: str) -> Name:
    """What somebody typed, as far as it leaves room for what is said of it."""
    text = " ".join(text.split())
    if len(text) <= _LONGEST_QUOTE:
        return Name(text)
    return Name(f"{text[: _LONGEST_QUOTE - 1].rstrip()}…")


def joined(groups: Iterable[Spans], separator: str) -> Spans:
    """Spans set in a row: `a · b`."""
    row: list[Span] = []
    for group in groups:
        if row:
            row.append(Plain(separator))
        row.extend(group)
    return tuple(row)


def _fill(sentence: str, parts: dict[str, Part]) -> Spans:
    spans: list[Span] = []
    position = 0
    for found in _PLACEHOLDER.finditer(sentence):
        if found.start() > position:
            spans.append(Plain(sentence[position : found.start()]))
        spans.extend(_spans(parts[found[1]]))
        position = found.end()
    if position < len(sentence):
        spans.append(Plain(sentence[position:]))
    return tuple(spans)


def _spans(part: Part) -> Spans:
    if isinstance(part, str | int):
        return (Plain(str(part)),)
    return part if isinstance(part, tuple) else (part,)
