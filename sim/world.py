"""What the simulated machine takes time from: virtual at both simulated depths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Handle(Protocol):
    """Something that was put off, and can be called off."""

    def cancel(self) -> None:
        """It shall not happen."""
        ...


class World(Protocol):
    """A clock that only jumps forward, and what is due."""

    def now_ns(self) -> int:
        """The present."""
        ...

    def at(self, ns: int, fn: Callable[[], None]) -> Handle:
        """Call fn at that time."""
        ...
