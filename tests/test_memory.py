"""What is remembered is bounded, and never told of anything but what it was made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from bot.memory import Memory, weight_of


def test_what_was_asked_for_last_is_remembered() -> None:
    made: list[int] = []
    memory: Memory[int, str, str] = Memory(2, 10_000)

    def make(key: int) -> str:
        made.append(key)
        return f"value {key}"

    def ask(key: int) -> str:
        return memory.get(key, "", partial(make, key))

    assert [ask(key) for key in (1, 2, 1, 3, 1)] == [f"value {key}" for key in (1, 2, 1, 3, 1)]
    assert made == [1, 2, 3]
    # 2 was asked for longest ago.
    ask(1), ask(3), ask(2)
    assert made == [1, 2, 3, 2]


def test_of_a_source_that_has_changed_it_is_made_anew() -> None:
    memory: Memory[int, list[int], str] = Memory(2, 10_000)
    assert [memory.get(1, source, partial(str, source)) for source in ([1], [1], [2], [1])] == [
        "[1]", "[1]", "[2]", "[1]",
    ]  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2), st.integers(0, 300))))
def test_it_tells_what_would_have_been_made_and_stays_within_its_bounds(
    asked: list[tuple[int, int, int]],
) -> None:
    memory: Memory[int, tuple[int, int], str] = Memory(4, 800)
    for key, source, length in asked:
        value = f"{key}{source}" * length
        assert memory.get(key, (source, length), partial(str, value)) == value
        assert len(memory) <= 4
        assert memory.bytes <= 800


def test_what_is_heavier_than_all_room_is_told_and_not_kept() -> None:
    memory: Memory[int, str, str] = Memory(4, 800)
    assert memory.get(1, "", lambda: "x" * 2_000) == "x" * 2_000
    assert (len(memory), memory.bytes) == (0, 0)


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    parts: tuple[_Part, ...] = ()


def test_every_text_weighs_however_deep_it_lies() -> None:
    deep = _Part("", (_Part("", (_Part("x" * 5_000),)),))
    assert weight_of(deep) > 5_000
    assert weight_of([{"components": [{"content": "x" * 5_000}]}]) > 5_000
