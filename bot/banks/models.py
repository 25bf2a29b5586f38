"""The shapes of `bank.yaml`, of its overlays and of `state.yaml`, with every limit.

What one value cannot show (an option that `correct` names, equal options) is in `checks`.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    RootModel,
    WithJsonSchema,
)
from pydantic import StringConstraints as Length
from pydantic_core import PydanticCustomError

from bot.banks.faults import shortened

TEXT, OPTION, TITLE, SHORT, URL = 4_000, 1_000, 200, 100, 2_000
LEAST_OPTIONS, MOST_OPTIONS = 2, 10
MOST_QUESTIONS = 10_000
MOST_LISTED = 50

SLUG = r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$"
_KEY = r"^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$"

_TYPED = ["string", "number", "boolean"]
"""What an editor may take a text for: `no` and `22` are texts all the same."""
_SHORT_TYPED = [*_TYPED, "null"]
"""The same for texts that may be a single sign: `~`."""


def fault(what: str, mend: str = "") -> PydanticCustomError:
    """What validators raise: `what` follows the name of the field."""
    return PydanticCustomError("quizbot", "{what}", {"what": what, "mend": mend})


def slug_of(text: str) -> str:
    """The id that was probably meant; empty where nothing of the text can be in one."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:64].strip("-")


def _not_blank(text: str) -> str:
    if not text.strip():
        raise fault("is blank", "write it, or delete the name too")
    return text


def _one_line(text: str) -> str:
    """Without the line breaks that a YAML block leaves at its end."""
    if "\n" in text.strip("\n"):
        raise fault("has more than one line", "write it in one, or begin it with >-")
    return text.strip("\n")


def _id(text: str) -> str:
    if not re.fullmatch(SLUG, text):
        meant = slug_of(text)
        raise fault(
            "has other signs than a to z, 0 to 9 and single - or _",
            f"write {meant}" if meant else "write it in these",
        )
    return text


def _key(text: str) -> str:
    if not re.fullmatch(_KEY, text):
        raise fault("has a key that is no short word", "name options a, b, c …")
    return text


def _web(url: str) -> str:
    if not re.fullmatch(r"https?://[^\s/]\S*", url, re.IGNORECASE):
        raise fault(f'is no address: "{shortened(url)}"', "begin with https://")
    return url


def _one_or_more(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _text(most: int) -> Any:
    """For editors; what is checked stands beside it."""
    return WithJsonSchema({"type": _TYPED, "minLength": 1, "maxLength": most})


def _maybe(most: int) -> Any:
    """The same for a text that may be left blank."""
    return WithJsonSchema({"type": _SHORT_TYPED, "maxLength": most})


def _word(pattern: str, most: int) -> Any:
    return WithJsonSchema({"type": _TYPED, "pattern": pattern, "maxLength": most})


_Blank = AfterValidator(_not_blank)
_Line = AfterValidator(_one_line)
Text = Annotated[str, Length(max_length=TEXT), _Blank, _text(TEXT)]
OptionText = Annotated[str, Length(max_length=OPTION), _Blank, _maybe(OPTION)]
Title = Annotated[str, Length(max_length=TITLE), _Blank, _Line, _text(TITLE)]
Short = Annotated[str, Length(max_length=SHORT), _Blank, _Line, _text(SHORT)]
Id = Annotated[str, Length(max_length=64), _Blank, AfterValidator(_id), _word(SLUG, 64)]
Key = Annotated[str, Length(max_length=16), _Blank, AfterValidator(_key), _word(_KEY, 16)]
Web = Annotated[str, Length(max_length=URL), _Blank, AfterValidator(_web), _word("^https?://", URL)]
Tag = Annotated[str, Length(max_length=24), _Blank, WithJsonSchema({"type": _TYPED})]

_One = Annotated[
    list[Short], BeforeValidator(_one_or_more), Field(min_length=1, max_length=MOST_OPTIONS)
]
Correct = Annotated[
    _One,
    WithJsonSchema(
        {
            "anyOf": [
                {"type": _TYPED, "pattern": _KEY},
                {"type": "array", "items": {"type": _TYPED, "pattern": _KEY}, "minItems": 1},
            ]
        }
    ),
]
Words = Annotated[list[Short], Field(max_length=MOST_LISTED)]
Options = Annotated[dict[Key, OptionText], Field(min_length=LEAST_OPTIONS, max_length=MOST_OPTIONS)]


class Part(BaseModel):
    """No field but those named, and nothing changed on reading."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


# --- bank.yaml ---------------------------------------------------------------------------------


class GuidePart(Part):
    title: Title
    url: Web | None = None


class SourcePart(Part):
    title: Title
    year: Short | None = None
    url: Web | None = None


class ImagePart(Part):
    file: Title
    """Inside the bank's folder: images/NAME."""
    alt: OptionText
    """What the picture shows, for who cannot see it."""


class OriginPart(Part):
    """Where an imported question came from."""

    format: Short
    file: Title | None = None
    item: Short | None = None
    licence: Short | None = None


class QuestionPart(Part):
    id: Id
    """Never changed and never used again: a new id is a new question."""
    kind: Literal["choice"] = "choice"
    text: Text
    options: Options
    """Texts by key: {a: …, b: …}. They are shown shuffled, and lettered anew."""
    correct: Correct | None = None
    """The key of the right option, or a list of keys. Without it the question is a draft."""
    explain: Text | None = None
    """Why the right option is right. Its first sentence is shown alone first."""
    why: Annotated[dict[str, OptionText], Field(max_length=MOST_OPTIONS)] = {}
    """Why a wrong option tempts, by its key."""
    hint: OptionText | None = None
    tags: Words = []
    sources: Annotated[list[SourcePart], Field(max_length=MOST_LISTED)] = []
    image: ImagePart | None = None
    origin: OriginPart | None = None


class BankFile(Part):
    schema_: Annotated[Literal["quizbot/1"], Field(alias="schema")]
    language: Tag
    """The language of all texts here: en, sn, pt-BR. Others have a file each beside this one."""
    title: Title
    description: OptionText | None = None
    level: Literal["beginner", "intermediate", "advanced"] | None = None
    topics: Words = []
    """Words that lead to all of the bank's questions."""
    aliases: Words = []
    """Other names of the bank, in no other bank."""
    guide: GuidePart | None = None
    """What to read on the subject."""
    licence: Short | None = None
    attribution: Title | None = None
    questions: Annotated[list[QuestionPart], Field(min_length=1, max_length=MOST_QUESTIONS)]


# --- an overlay: fr.yaml -----------------------------------------------------------------------

# A blank text is one that is still to be written, not a fault.
MaybeText = Annotated[str, Length(max_length=TEXT), _maybe(TEXT)]
MaybeOption = Annotated[str, Length(max_length=OPTION), _maybe(OPTION)]
MaybeTitle = Annotated[str, Length(max_length=TITLE), _Line, _maybe(TITLE)]
MaybeOptions = Annotated[dict[str, MaybeOption], Field(max_length=MOST_OPTIONS)]


class GuideOverlay(Part):
    title: MaybeTitle | None = None


class ImageOverlay(Part):
    alt: MaybeOption | None = None


class QuestionOverlay(Part):
    text: MaybeText | None = None
    options: MaybeOptions = {}
    explain: MaybeText | None = None
    why: MaybeOptions = {}
    hint: MaybeOption | None = None
    image: ImageOverlay | None = None


class OverlayFile(Part):
    title: MaybeTitle | None = None
    description: MaybeOption | None = None
    guide: GuideOverlay | None = None
    questions: dict[str, QuestionOverlay] = {}


# --- state.yaml --------------------------------------------------------------------------------

Status = Literal["machine", "human", "reviewed"]


class Prints(Part):
    """Fingerprints of the source's parts when they were translated."""

    ask: str
    explain: str | None = None
    key: str | None = None
    hint: str | None = None


class Entry(Part):
    status: Status
    of: Prints


class StateFile(RootModel[dict[str, dict[str, Entry]]]):
    """By language, then by question; `bank` is the bank's own texts."""
