"""The shelf: bounded, made once, and no bar to others."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from engines.kit.shelf import Shelf


def test_it_keeps_what_was_asked_for_last() -> None:
    shelf: Shelf[int, str] = Shelf(2)
    made: list[int] = []

    def make(key: int) -> str:
        def search() -> str:
            made.append(key)
            return str(key)

        return shelf.get(key, search)

    assert [make(1), make(2), make(1), make(3)] == ["1", "2", "1", "3"]
    assert (1 in shelf, 2 in shelf, 3 in shelf, len(shelf)) == (True, False, True, 2)
    make(2)
    assert made == [1, 2, 3, 2]
    assert (shelf.hits, shelf.made) == (1, 4)


def test_what_was_made_elsewhere_is_kept() -> None:
    shelf: Shelf[str, int] = Shelf(1)
    shelf.put("a", 1)
    assert shelf.get("a", lambda: 2) == 1


def test_threads_that_ask_for_the_same_wait_for_one_search() -> None:
    shelf: Shelf[str, int] = Shelf(4)
    began, go_on, searches = Event(), Event(), []

    def search() -> int:
        searches.append(1)
        began.set()
        assert go_on.wait(20)
        return 7

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(shelf.get, "pond", search)
        assert began.wait(20)
        others = [pool.submit(shelf.get, "pond", search) for _ in range(6)]
        go_on.set()
        assert [each.result(20) for each in (first, *others)] == [7] * 7
    assert searches == [1]
    assert (shelf.hits, shelf.made) == (6, 1)


def test_threads_that_ask_for_others_do_not_wait() -> None:
    """Both searches must be under way at once, or neither gets through the barrier."""
    shelf: Shelf[str, int] = Shelf(4)
    both = Barrier(2)

    def search() -> int:
        both.wait(20)
        return 1

    with ThreadPoolExecutor(2) as pool:
        results = [pool.submit(shelf.get, name, search) for name in ("here", "there")]
        assert [result.result(30) for result in results] == [1, 1]


def test_a_search_that_fails_is_tried_again() -> None:
    shelf: Shelf[str, int] = Shelf(4)

    def fail() -> int:
        raise RuntimeError("no pond")

    with pytest.raises(RuntimeError):
        shelf.get("pond", fail)
    assert "pond" not in shelf
    assert (shelf.hits, shelf.made) == (0, 0)
    assert shelf.get("pond", lambda: 3) == 3
