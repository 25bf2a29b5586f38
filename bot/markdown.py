"""Bank texts read as Markdown's small common part; everything else in them is literal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from bot.messages import (
    Bold,
    Code,
    CodeBlock,
    Emphasis,
    Link,
    Paragraph,
    Plain,
    Span,
    Spans,
    text_of,
)

_DEEPEST = 8
"""Emphasis within emphasis; what lies deeper keeps its words and loses its weight."""

_MATH = re.compile(
    r"\$\$(?:\\.|[^$\\])++\$\$"
    r"|\$(?![\s$])(?:\\.|[^$\\])++(?<!\s)\$(?!\d)",  # not "$5 or 6$", nor "$5 and $10"
    re.DOTALL,
)


@lru_cache(maxsize=4096)
def blocks_of(text: str) -> tuple[Paragraph | CodeBlock, ...]:
    """Paragraphs and fenced code, in order; a line break stays one."""
    blocks: list[Paragraph | CodeBlock] = []
    for token in _READER.parse(text):
        if token.type == "inline" and (spans := _spans(token.children or ())):
            blocks.append(Paragraph(spans))
        elif token.type == "fence":
            blocks.append(CodeBlock(token.content.removesuffix("\n"), _language(token.info)))
    return tuple(blocks)


@lru_cache(maxsize=4096)
def spans_of(text: str) -> Spans:
    """The text as one line, for where no block fits."""
    spans: list[Span] = []
    for block in blocks_of(text):
        if spans:
            _add_plain(spans, " ")
        inner = (Code(block.text),) if isinstance(block, CodeBlock) else block.spans
        for span in map(_on_one_line, inner):
            _add(spans, span)
    return tuple(spans)


@lru_cache(maxsize=4096)
def first_sentence(text: str) -> tuple[str, str]:
    """The text's first sentence and the rest, both still Markdown; never ends inside markup.

    Without a sentence to begin with (a fence comes first), the first part is empty.
    """
    opening = _opening(text.strip())
    rest = text.strip()[len(opening) :].strip()
    for end in _sentence_ends(opening):
        first, after = opening[:end], opening[end:]
        if _same_words(words_of(first) + words_of(after), words_of(opening)):
            return first.strip(), "\n\n".join(filter(None, (after.strip(), rest)))
    return opening.strip(), rest


def words_of(text: str) -> str:
    """What is read of the text once its markup is gone."""
    return "\n".join(
        block.text if isinstance(block, CodeBlock) else text_of(block.spans)
        for block in blocks_of(text)
    )


def _spans(tokens: Sequence[Token]) -> Spans:
    """A stack of the marks that are open, each with its spans so far."""
    open_marks: list[tuple[Token | None, list[Span]]] = [(None, [])]
    for token in tokens:
        spans = open_marks[-1][1]
        if token.nesting == 1:
            open_marks.append((token, []))
        elif token.nesting == -1:
            mark, inner = open_marks.pop()
            _close(mark, inner, open_marks[-1][1], depth=len(open_marks))
        elif token.type == "code_inline":
            spans.append(Code(token.content))
        else:
            _add_plain(spans, "\n" if token.type.endswith("break") else token.content)
    return tuple(open_marks[0][1])


def _close(mark: Token | None, inner: list[Span], outer: list[Span], depth: int) -> None:
    if mark is None:
        return
    if mark.type == "link_open":
        url = str(mark.attrs["href"])
        outer.append(Link(tuple(inner) or (Plain(url),), url))
    elif inner and depth <= _DEEPEST:
        outer.append((Bold if mark.type == "strong_open" else Emphasis)(tuple(inner)))
    else:
        for span in inner:
            _add(outer, span)


def _add(spans: list[Span], span: Span) -> None:
    if isinstance(span, Plain):
        _add_plain(spans, span.text)
    else:
        spans.append(span)


def _add_plain(spans: list[Span], text: str) -> None:
    if spans and isinstance(spans[-1], Plain):
        spans[-1] = Plain(spans[-1].text + text)
    elif text:
        spans.append(Plain(text))


def _on_one_line(span: Span) -> Span:
    match span:
        case Plain(text):
            return Plain(text.replace("\n", " "))
        case Code(text):
            return Code(" ".join(text.split("\n")))
        case Bold(spans):
            return Bold(tuple(map(_on_one_line, spans)))
        case Emphasis(spans):
            return Emphasis(tuple(map(_on_one_line, spans)))
        case Link(spans, url):
            return Link(tuple(map(_on_one_line, spans)), url)
        case _:
            return span


def _language(info: str) -> str:
    words = info.split()
    return words[0] if words else ""


def _math(state: StateInline, silent: bool) -> bool:
    """`$…$` and `$$…$$` stay as written: nothing in a formula is markup."""
    found = _MATH.match(state.src, state.pos) if state.src[state.pos] == "$" else None
    if not found:
        return False
    if not silent:
        state.pending += found.group()
    state.pos = found.end()
    return True


def _picture(state: StateInline, silent: bool) -> bool:
    """`![` is literal, and so is what would else be a link behind it."""
    if not state.src.startswith("![", state.pos):
        return False
    if not silent:
        state.pending += "!["
    state.pos += 2
    return True


def _is_web(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))


def _reader() -> MarkdownIt:
    reader = MarkdownIt("zero")
    reader.enable(["fence", "newline", "escape", "backticks", "emphasis", "balance_pairs", "link"])
    reader.inline.ruler.before("escape", "math", _math)
    reader.inline.ruler.before("link", "picture", _picture)
    reader.validateLink = _is_web  # type: ignore[method-assign]  # how the library is told
    return reader


_READER = _reader()

# --- sentences ---------------------------------------------------------------------------------

_FENCE_OR_GAP = re.compile(r"(?:\A|\n)[ \t]*(?:```|~~~)|\n[ \t]*\n")
_CODE_OR_MATH = re.compile(
    rf"(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)|(?<!\\)(?:{_MATH.pattern})", re.DOTALL
)

_CLOSERS = r"""[\"'”’»›)\]}*_」』）】]*"""
_END = re.compile(
    rf"[。！？｡]{_CLOSERS}"  # what follows these in Chinese and Japanese is no space
    rf"|(?:[.!?…‽]+|[।॥؟۔።։။]){_CLOSERS}(?=\s)"
)
_GOES_ON = "=<>≤≥≠→+×÷/|&,;:)"  # "n! = …", "(what?), then"
_MOST_ENDS = 6  # tried before a text whose markup spans them all is taken whole

# In German a capital follows most of these.
_SHORTENED = re.compile(
    r"""e\.g|i\.e|cf|vs|(?-i:Ms)|mr|mrs|dr|prof|st|sr|sra|dra|z|z\.b|d|d\.h|u|u\.a|v|bzw|ca|vgl|bspw
    |sog|ex|p\.ex|c\.-à-d|ej|p\.ej|т|т\.е|напр|см""",
    re.VERBOSE | re.IGNORECASE,
)
_BEFORE_NUMBERS = re.compile(
    r"no|nr|fig|eq|sec|ch|chap|vol|p|pp|art|abb|tab|núm|pág|рис|стр|п", re.IGNORECASE
)


def _opening(text: str) -> str:
    """All before the first blank line or fence: a sentence goes no further."""
    found = _FENCE_OR_GAP.search(text)
    return text[: found.start()] if found else text


def _sentence_ends(text: str) -> Iterator[int]:
    # Digits stand in for code and formulas: they end no sentence and are in no case.
    masked = _CODE_OR_MATH.sub(lambda found: "0" * len(found.group()), text)
    ends = (end.end() for end in _END.finditer(masked) if _ends_sentence(masked, end))
    return islice(ends, _MOST_ENDS)


def _ends_sentence(text: str, end: re.Match[str]) -> bool:
    following = text[end.end() : end.end() + 20].lstrip(" \t\n\"'“„«‹([*_¿¡")
    if following[:1].islower() or (following and following[0] in _GOES_ON):
        return False
    if end.group().rstrip("\"'”’»›)]}*_") != ".":
        return True
    return not _is_shortened(text[max(0, end.start() - 60) : end.start()], following)


def _is_shortened(before: str, following: str) -> bool:
    """Whether the full stop between these belongs to the last word: "e.g", "Donald E", "1"."""
    *others, last = before.split() or [""]
    word = last.lstrip("\"'“„«‹([*_")
    previous = others[-1] if others else ""
    if len(word) == 1 and word.isupper():
        return not previous or previous[0].isupper() or previous[-1] == "."
    if word.isdecimal() and not previous:
        return True
    if _BEFORE_NUMBERS.fullmatch(word):
        return following[:1].isdecimal()
    return bool(_SHORTENED.fullmatch(word))


def _same_words(one: str, other: str) -> bool:
    return "".join(one.split()) == "".join(other.split())
