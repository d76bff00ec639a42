"""A bounded store for results that are costly to make and depend on their key alone.

Keeping one changes nothing but time. Threads that ask for the same missing result wait for the first of them to make
it; threads that ask for others do not wait.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Shelf(Generic[K, V]):
    """Keeps the `size` results that were asked for last.

    `hits` counts the calls of `get` that found their result or waited for it, `made` those that made it.
    """

    def __init__(self, size: int) -> None:
        self.hits = 0
        self.made = 0
        self._size = size
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._making: dict[K, Lock] = {}
        self._lock = Lock()

    def __contains__(self, key: K) -> bool:
        with self._lock:
            return key in self._kept

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The result for a key, made now if it is not at hand."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                self.hits += 1
                return self._kept[key]
            making = self._making.setdefault(key, Lock())
        with making:
            with self._lock:
                if key in self._kept:
                    self.hits += 1
                    return self._kept[key]
            try:
                made = make()
                self.put(key, made)
                with self._lock:
                    self.made += 1
            finally:
                with self._lock:
                    self._making.pop(key, None)
            return made

    def put(self, key: K, value: V) -> None:
        """Keep a result that was made elsewhere."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
