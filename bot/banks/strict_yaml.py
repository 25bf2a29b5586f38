"""YAML as text: every scalar stays what was typed, every value knows its line, nothing is costly.

Standard loaders turn `no` into False, `07` into 7 and `12:30` into 750, let the second of two
equal keys win, and build what aliases multiply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml

from bot.banks.faults import TOP, Loc, Mark, Problem, shortened
from bot.banks.yaml_errors import explain

MOST_BYTES = 4_000_000
MOST_VALUES = 250_000
"""Values in a file with its aliases written out: what later steps take time for."""
DEEPEST = 20

_UNWANTED = re.compile(
    r"[^\t\n\r\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
_UNWANTED_IN_VALUES = re.compile(_UNWANTED.pattern.replace(r"\r", ""))

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain]"
"""A file's content without its places."""


@dataclass(slots=True)
class Node:
    """A value and where it stands. `size` counts the values in it, aliases written out."""

    value: str | list[Node] | dict[str, Node]
    mark: Mark
    keys: dict[str, Mark] = field(default_factory=dict)
    size: int = 1


@dataclass(frozen=True, slots=True)
class Read:
    """What was read. `root` is None where the file cannot be read at all: `problems` says why."""

    root: Node | None
    problems: tuple[Problem, ...]


def read(data: bytes) -> Read:
    """Read one document; whatever the bytes are, the result is a value, within about a second."""
    text = _decoded(data)
    if isinstance(text, Problem):
        return Read(None, (text,))
    try:
        loader = StrictLoader(text)
        root = loader.document()
    except _Stop as stop:
        return Read(None, (stop.problem,))
    except yaml.YAMLError as error:
        return Read(None, (explain(error, text),))
    return Read(root, tuple(loader.problems))


def plain(node: Node) -> Plain:
    """The content of a node as strings, lists and dictionaries."""
    if isinstance(node.value, str):
        return node.value
    if isinstance(node.value, list):
        return [plain(item) for item in node.value]
    return {key: plain(item) for key, item in node.value.items()}


def place(root: Node, loc: Loc) -> Mark:
    """Where a value begins: at its key, if it has one. Of a missing value, where its parent is."""
    node, mark = root, root.mark
    for step in loc:
        if isinstance(node.value, dict) and isinstance(step, str) and step in node.value:
            mark, node = node.keys[step], node.value[step]
        elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            mark = node.mark
        else:
            break
    return mark


class _Stop(Exception):
    """Reading on would make no sense, or take too long."""

    def __init__(self, what: str, mend: str, mark: Mark) -> None:
        super().__init__(what)
        self.problem = Problem((), what, mend, mark)


class StrictLoader:
    """Builds nodes from the events of PyYAML's C parser."""

    def __init__(self, text: str) -> None:
        self.problems: list[Problem] = []
        self._parser = yaml.CBaseLoader(text)
        self._anchors: dict[str, Node | None] = {}
        self._unused: dict[str, Problem] = {}
        self._count = 0

    def document(self) -> Node:
        """The only document of the file."""
        self._next()
        start = self._next()
        if not isinstance(start, yaml.DocumentStartEvent):
            raise _Stop("the file is empty", "begin with a name and its value, or delete it", TOP)
        root = self._value(self._next(), ())
        self._next()
        after = self._next()
        if isinstance(after, yaml.DocumentStartEvent):
            what = "a second document begins here, and a file holds one"
            raise _Stop(
                what, "delete the line ---, or put what follows in its own file", _at(after)
            )
        self.problems += self._unused.values()
        return root

    def _next(self) -> Any:
        """The next event; its type stubs know less of it than what follows."""
        return self._parser.get_event()

    def _value(self, event: Any, loc: Loc) -> Node:
        mark = _at(event)
        self._count += 1
        if self._count > MOST_VALUES:
            what = f"the file holds more than {MOST_VALUES:,} values"
            raise _Stop(what, "divide it into several banks", mark)
        if len(loc) > DEEPEST:
            raise _Stop("nested too deep", "write it flatter", mark)
        if isinstance(event, yaml.AliasEvent):
            return self._named(event)
        anchor: str | None = event.anchor
        if anchor is not None:
            self._anchors[anchor] = None
            self._unused[anchor] = Problem(
                loc, f'"&{shortened(anchor)}" names a value that nothing uses', _QUOTE, mark
            )
        node = self._node(event, loc, mark)
        if anchor is not None:
            self._anchors[anchor] = node
        return node

    def _node(self, event: Any, loc: Loc, mark: Mark) -> Node:
        if event.tag is not None and event.tag != "!":
            tag = shortened(event.tag.replace("tag:yaml.org,2002:", "!!"))
            self._note(loc, f'"{tag}" is a tag, and tags are not used', _QUOTE, mark)
        if isinstance(event, yaml.ScalarEvent):
            self._check_signs(event.value, loc, mark)
            return Node(event.value, mark)
        node = Node([], mark) if isinstance(event, yaml.SequenceStartEvent) else Node({}, mark)
        if isinstance(node.value, list):
            self._fill_list(node, node.value, loc)
        elif isinstance(node.value, dict):
            self._fill_mapping(node, node.value, loc)
        if node.size > MOST_VALUES:
            what = f"aliases make more than {MOST_VALUES:,} values of this"
            raise _Stop(what, "write out what is meant, without & and *", mark)
        return node

    def _fill_list(self, node: Node, items: list[Node], loc: Loc) -> None:
        for event in self._until(yaml.SequenceEndEvent):
            item = self._value(event, (*loc, len(items)))
            items.append(item)
            node.size += item.size

    def _fill_mapping(self, node: Node, entries: dict[str, Node], loc: Loc) -> None:
        for event in self._until(yaml.MappingEndEvent):
            key = self._value(event, (*loc, "?"))
            mark = _at(event)
            if not isinstance(key.value, str):
                what = "a list or mapping stands where a name should"
                raise _Stop(what, "put texts that begin with { or [ in quotes", mark)
            value = self._value(self._next(), (*loc, key.value))
            node.size += value.size + 1
            if key.value in entries:
                first = node.keys[key.value].line
                what = f'"{shortened(key.value)}" is there twice (first in line {first})'
                self._note((*loc, key.value), what, "delete one of the two", mark)
            else:
                entries[key.value], node.keys[key.value] = value, mark

    def _until(self, end: type[yaml.Event]) -> Iterator[Any]:
        while not isinstance(event := self._next(), end):
            yield event

    def _named(self, event: Any) -> Node:
        name: str = event.anchor
        self._unused.pop(name, None)
        if name not in self._anchors:
            raise _Stop(f'"*{shortened(name)}" names nothing', _QUOTE, _at(event))
        node = self._anchors[name]
        if node is None:
            raise _Stop(f'"*{shortened(name)}" stands inside what it names', _QUOTE, _at(event))
        return node

    def _check_signs(self, text: str, loc: Loc, mark: Mark) -> None:
        if found := _UNWANTED_IN_VALUES.search(text):
            self._note(loc, f"the text holds {_sign(found.group())}", "delete it", mark)

    def _note(self, loc: Loc, what: str, mend: str, mark: Mark) -> None:
        self.problems.append(Problem(loc, what, mend, mark))


_QUOTE = 'put a text that begins with such a sign in quotes: "…"'


def _at(event: Any) -> Mark:
    return Mark(event.start_mark.line + 1, event.start_mark.column + 1)


def _decoded(data: bytes) -> str | Problem:
    if len(data) > MOST_BYTES:
        what = f"the file is larger than {MOST_BYTES // 1_000_000} MB"
        return Problem((), what, "divide it into several banks", TOP)
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        name = "UTF-8 with a byte order mark" if data[0] == 0xEF else "UTF-16"
        return Problem((), f"the file is stored as {name}", "save it as UTF-8 without BOM", TOP)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        what = f"byte 0x{data[error.start]:02x} is not UTF-8"
        return Problem((), what, "save the file as UTF-8", _after(before))
    if found := _UNWANTED.search(text):
        what = f"{_sign(found.group())} stands here"
        return Problem((), what, "delete it; it may be invisible", _after(text[: found.start()]))
    return text


def _after(before: str) -> Mark:
    lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return Mark(len(lines), len(lines[-1]) + 1)


def _sign(sign: str) -> str:
    names = {"\0": "a NUL byte", "\u2028": "a line separator", "\r": "a carriage return"}
    return f"{names.get(sign, 'a control character')} (U+{ord(sign):04X})"
