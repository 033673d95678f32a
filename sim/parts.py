"""Small parts: inputs with listeners, and a number that others share."""

from __future__ import annotations

from collections.abc import Callable

from boards import mechanics as M

STEP_UM = 1_000_000 / M.ROLLER_STEPS_M


class Input:
    """A digital sensor: dark while something is in front of it."""

    __slots__ = ("dark", "listeners", "name")

    def __init__(self, name: str, dark: bool = False) -> None:
        self.name = name
        self.dark = dark
        self.listeners: list[Callable[[bool], None]] = []

    def set(self, dark: bool) -> None:
        """Change, and tell."""
        if dark != self.dark:
            self.dark = dark
            for listener in self.listeners:
                listener(dark)
