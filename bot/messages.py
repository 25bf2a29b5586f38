"""A message as structure: adapters draw it, escape it and fit it to their limits.

Nothing here knows a platform's markup. Texts are raw: what a person typed or a bank holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

# --- spans: what stands in a line ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plain:
    """Literal text; line breaks in it are kept."""

    text: str


@dataclass(frozen=True, slots=True)
class Bold:
    spans: Spans


@dataclass(frozen=True, slots=True)
class Emphasis:
    spans: Spans


@dataclass(frozen=True, slots=True)
class Code:
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    spans: Spans
    url: str


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name: never a mention, isolated from the direction of the text around it."""

    text: str


@dataclass(frozen=True, slots=True)
class PlaceName:
    """A place of the platform, which a surface may turn into a link; `text` is its name."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class When:
    """An instant in the reader's own clock; `text` is what a surface without live times shows.

    `relative` counts down: its text is the whole of "in 48 s", as live times say it too. `time`
    is an hour, `date` a day.
    """

    at: datetime
    style: Literal["relative", "time", "date"]
    text: str


@dataclass(frozen=True, slots=True)
class Foreign:
    """Spans of a bank, in a language of their own; surfaces set language and direction."""

    spans: Spans
    language: str


Span = Plain | Bold | Emphasis | Code | Link | Name | PlaceName | When | Foreign
Spans = tuple[Span, ...]

# --- blocks: what stands below one another ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class Heading:
    spans: Spans


@dataclass(frozen=True, slots=True)
class Paragraph:
    spans: Spans


@dataclass(frozen=True, slots=True)
class Small:
    """A line of lesser weight: a count, a source, a note on the language."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class CodeBlock:
    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """One lettered option. `mark` says in a reveal or verdict what it was; never before."""

    letter: str
    body: tuple[Paragraph | CodeBlock, ...]
    mark: Literal["right", "chosen", "chosen-right"] | None = None


@dataclass(frozen=True, slots=True)
class Options:
    options: tuple[Option, ...]
    language: str


@dataclass(frozen=True, slots=True)
class Bar:
    letter: str
    count: int
    right: bool


@dataclass(frozen=True, slots=True)
class Spread:
    """How the answers were spread; `words` says the same for who sees no bars."""

    bars: tuple[Bar, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Rank:
    """One rank of a board with everybody who shares it.

    `notes` has something on each name, in their order, or is empty; `note` is on the rank.
    """

    rank: int
    names: tuple[str, ...]
    points: int
    note: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    ranks: tuple[Rank, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """An image file of a bank; `alt` stands in for it where it cannot be shown."""

    path: str
    alt: str
    language: str


Block = Heading | Paragraph | Small | CodeBlock | Options | Spread | Ranking | Picture

# --- controls: what can be pressed -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Button:
    """`token` comes back in a `Click`. `spoken` is the label for who hears it, if it says more.

    An `answer` button belongs to the question's letters: surfaces may give it a key (A, B, …).
    """

    label: str
    token: str
    style: Literal["answer", "primary", "secondary", "danger"] = "secondary"
    spoken: str | None = None


@dataclass(frozen=True, slots=True)
class LinkButton:
    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Select:
    """One of a few choices, the likeliest first; the value comes back in `Click.values`.

    A surface that shows fewer than there are leaves out the last, and never the chosen one.
    """

    token: str
    placeholder: str
    choices: tuple[Choice, ...]
    chosen: str | None = None


Control = Button | LinkButton | Select
Row = tuple[Control, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """A role or group, by the platform's id, for which a post rings: only what a schedule names."""

    id: str


@dataclass(frozen=True, slots=True)
class Message:
    """What is said, once, for every surface.

    `language` is that of the words around the content. `replaces` asks, in the reply to a click
    on a private message, to stand in that message's stead; elsewhere it changes nothing. `mention`
    is heard in a post alone; a surface that has no such group leaves it out. `passing`
    says that it is soon changed again: where it cannot be, it is not said anew.
    """

    blocks: tuple[Block, ...]
    controls: tuple[Row, ...] = ()
    language: str = "en"
    replaces: bool = False
    passing: bool = False
    mention: Mention | None = None


# --- forms -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TextField:
    name: str
    label: str
    value: str = ""
    hint: str = ""
    required: bool = True
    longest: int = 200
    many_lines: bool = False


@dataclass(frozen=True, slots=True)
class ChoiceField:
    name: str
    label: str
    choices: tuple[Choice, ...]
    value: str | None = None


@dataclass(frozen=True, slots=True)
class SearchField:
    """Text with suggestions, which the surface asks `QuizApp.suggest(source, typed)` for."""

    name: str
    label: str
    source: str
    value: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class PersonField:
    """People, and with `groups` roles or user groups; comes back as ids with commas between.

    Without `people` it is groups alone, where a surface has such.
    """

    name: str
    label: str
    required: bool = False
    groups: bool = False
    several: bool = False
    chosen: tuple[str, ...] = ()
    people: bool = True


@dataclass(frozen=True, slots=True)
class PlaceField:
    """Places of the community; comes back as ids with commas between."""

    name: str
    label: str
    required: bool = False
    several: bool = False
    chosen: tuple[str, ...] = ()


Field = TextField | ChoiceField | SearchField | PersonField | PlaceField


@dataclass(frozen=True, slots=True)
class Form:
    """At most five fields; what was entered comes back in a `Submission` with this `token`.

    `again` opens it once more with what was typed: for a button where no form can follow a form.
    """

    token: str
    title: str
    fields: tuple[Field, ...]
    submit: str
    language: str = "en"
    errors: tuple[tuple[str, str], ...] = field(default=())
    """Field name and what to mend, when the form is shown again."""
    again: str = ""


Reply = Message | Form

# --- reading a message without drawing it ----------------------------------------------------


def text_of(spans: Iterable[Span]) -> str:
    """The words of some spans, with no markup."""
    return "".join(_span_text(span) for span in spans)


def plain_text(message: Message) -> str:
    """The whole message as lines of plain words: what a screen reader or a notification gets."""
    return "\n".join(line for block in message.blocks for line in _block_lines(block))


def buttons_of(message: Message) -> tuple[Button, ...]:
    """Every button of a message, in order."""
    return tuple(c for row in message.controls for c in row if isinstance(c, Button))


def _span_text(span: Span) -> str:
    match span:
        case Plain(text) | Code(text) | Name(text) | PlaceName(_, text):
            return text
        case Bold(spans) | Emphasis(spans) | Foreign(spans, _) | Link(spans, _):
            return text_of(spans)
        case When(_, _, text):
            return text


def _block_lines(block: Block) -> list[str]:
    match block:
        case Heading(spans) | Paragraph(spans) | Small(spans):
            return [text_of(spans)]
        case CodeBlock(text, _):
            return [text]
        case Options(options, _):
            return [_option_line(option) for option in options]
        case Spread(_, words):
            return [words]
        case Ranking(ranks):
            return [_rank_line(rank) for rank in ranks]
        case Picture(_, alt, _):
            return [alt]


def _option_line(option: Option) -> str:
    lines = [line for block in option.body for line in _block_lines(block)]
    return f"{option.letter}  " + "\n".join(lines)


def _rank_line(rank: Rank) -> str:
    notes = rank.notes or ("",) * len(rank.names)
    names = [
        f"{name} ({note})" if note else name for name, note in zip(rank.names, notes, strict=True)
    ]
    more = [rank.note] if rank.note else []
    return f"{rank.rank}. {', '.join([*names, *more])}: {rank.points}"
