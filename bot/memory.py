"""Remembers what was made of something, as long as that is worth its room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Source = TypeVar("Source")
Value = TypeVar("Value")

_EACH = 60
"""About so many bytes anything takes beside what it holds."""


class Memory(Generic[Key, Source, Value]):
    """The values that were asked for last: at most so many, and of so many bytes together.

    What was made of a source is told again only of one that equals it.
    """

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._kept: OrderedDict[Key, tuple[Source, Value, int]] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Key, source: Source, make: Callable[[], Value]) -> Value:
        """What was made of this source; made now, if it is not known any more."""
        kept = self._kept.get(key)
        if kept is not None and (kept[0] is source or kept[0] == source):
            self._kept.move_to_end(key)
            return kept[1]
        value = make()
        self._keep(key, source, value)
        return value

    def _keep(self, key: Key, source: Source, value: Value) -> None:
        self._drop(key)
        weight = weight_of(value)
        if weight > self._most_bytes:
            return
        self._kept[key] = source, value, weight
        self.bytes += weight
        while len(self._kept) > self._most or self.bytes > self._most_bytes:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: Key) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self.bytes -= kept[2]


def weight_of(value: object) -> int:
    """About how many bytes a structure takes: dataclasses, and what JSON is made of."""
    if isinstance(value, str | bytes):
        return _EACH + len(value)
    if isinstance(value, tuple | list):
        return _EACH + sum(map(weight_of, value))
    if isinstance(value, Mapping):
        return _EACH + sum(weight_of(key) + weight_of(each) for key, each in value.items())
    if is_dataclass(value):
        return _EACH + sum(weight_of(getattr(value, each.name)) for each in fields(value))
    return _EACH
