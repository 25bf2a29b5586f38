"""What a daily quiz asks next."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.drawing import REST, Key, Past, draw_daily

_TODAY = date(2026, 12, 1)


def _library(count: int) -> list[Key]:
    return [("bank", f"q{number}") for number in range(count)]


def _asked(days_ago: int, answered: int = 10, missed: int = 0) -> Past:
    return Past(_TODAY - timedelta(days=days_ago), answered, missed)


def test_in_order_it_follows_the_library() -> None:
    library = _library(5)
    past = {library[0]: _asked(2), library[1]: _asked(1)}

    drawn = draw_daily(library, past, _TODAY, 2, seed=None)

    assert drawn.questions == (library[2], library[3])
    assert drawn.draws_left == 0


@given(st.integers(1, 40), st.integers(1, 5), st.text(max_size=5))
def test_shuffled_it_asks_everything_once_before_anything_again(
    size: int, count: int, seed: str
) -> None:
    library, past, asked = _library(size), dict[Key, Past](), list[Key]()
    for number in range(-(-size // count)):
        today = _TODAY + timedelta(days=number)
        drawn = draw_daily(library, past, today, count, seed=seed)
        asked += [key for key in drawn.questions if key not in drawn.again]
        past |= {key: Past(today, 1, 0) for key in drawn.questions}

    assert sorted(asked) == sorted(library)


@given(st.integers(2, 30), st.data())
def test_a_question_that_is_added_moves_no_other(size: int, data: st.DataObject) -> None:
    library = _library(size)
    added = data.draw(st.sampled_from(library))
    without = [key for key in library if key != added]

    longer = draw_daily(library, {}, _TODAY, size, seed="s").questions
    shorter = draw_daily(without, {}, _TODAY, size, seed="s").questions

    assert [key for key in longer if key != added] == list(shorter)


def test_it_says_how_many_draws_are_left() -> None:
    assert draw_daily(_library(10), {}, _TODAY, 3, seed="s").draws_left == 2


def test_when_all_were_asked_the_most_missed_return_first() -> None:
    library = _library(3)
    past = {
        library[0]: _asked(40, missed=1),
        library[1]: _asked(41, missed=9),
        library[2]: _asked(42, missed=5),
    }

    drawn = draw_daily(library, past, _TODAY, 2, seed="s")

    assert drawn.questions == (library[1], library[2])
    assert drawn.again == {library[1], library[2]}


def test_none_returns_within_thirty_days_while_another_is_left() -> None:
    library = _library(3)
    past = {
        library[0]: _asked(REST.days - 1, missed=10),
        library[1]: _asked(REST.days, missed=0),
        library[2]: _asked(5, missed=10),
    }

    assert draw_daily(library, past, _TODAY, 1, seed="s").questions == (library[1],)
    # With nothing else left, what rests longest comes first.
    assert draw_daily(library, past, _TODAY, 3, seed="s").questions == (
        library[1],
        library[0],
        library[2],
    )


def test_what_is_open_elsewhere_waits() -> None:
    library = _library(2)
    for open_there in library:
        drawn = draw_daily(library, {}, _TODAY, 1, seed="s", elsewhere={open_there})
        assert open_there not in drawn.questions


def test_what_is_open_elsewhere_is_asked_where_the_order_is_the_librarys() -> None:
    library = _library(2)

    drawn = draw_daily(library, {}, _TODAY, 1, seed=None, elsewhere={library[0]})

    assert drawn.questions == (library[0],)


def test_an_empty_library_asks_nothing() -> None:
    assert draw_daily([], {}, _TODAY, 3, seed="s").questions == ()
