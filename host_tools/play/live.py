"""The live view: frames at a person's pace, on the alternate screen of a terminal."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import cache

from rich.color import Color, ColorSystem
from rich.console import Console

from host_tools.play.scene import Scene
from host_tools.play.view import MIN_HEIGHT, MIN_WIDTH, View
from sim.machine import Picture

FRAME_S = 1 / 15
SYSTEMS = {
    "standard": ColorSystem.STANDARD,
    "256": ColorSystem.EIGHT_BIT,
    "truecolor": ColorSystem.TRUECOLOR,
}


def fits(console: Console) -> bool:
    """Whether this is a terminal that a picture goes into."""
    return (
        console.is_terminal
        and not console.is_dumb_terminal
        and console.width >= MIN_WIDTH
        and console.height >= MIN_HEIGHT
    )


class Live:
    """Draws a few times a second, and holds a run back that is faster than `speed`."""

    def __init__(
        self, console: Console, scene: Scene, picture: Callable[[], Picture], speed: float
    ) -> None:
        self.console, self.scene, self.picture, self.speed = console, scene, picture, speed
        self.view = View(console.width, console.height)
        self.system = SYSTEMS.get(console.color_system or "")
        self._anchor = (0, 0.0)
        self._shown = (0, 0.0)
        self._measured = 0.0
        self._paint = cache(self._codes)

    def __enter__(self) -> Live:
        self.console.set_alt_screen(True)
        self.console.show_cursor(False)
        self._anchor = self._shown = self.picture().ns, time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        self.console.show_cursor(True)
        self.console.set_alt_screen(False)

    async def run(self) -> None:
        """Frame after frame in the machine's time, until cancelled."""
        while True:
            self.frame()
            await asyncio.sleep(min(self.speed, max(self._measured, 0.2)) * FRAME_S)

    def frame(self) -> None:
        """Hold back, then draw unless the last frame is too recent."""
        picture = self.picture()
        now = time.monotonic()
        ns, wall = self._anchor
        ahead = (picture.ns - ns) / 1e9 / self.speed - (now - wall)
        if ahead > 0:
            time.sleep(ahead)
            now = time.monotonic()
        else:
            self._anchor = picture.ns, now  # no racing later for what is late now
        if now - self._shown[1] < FRAME_S * 0.7:
            return
        ns, wall = self._shown
        factor = (picture.ns - ns) / 1e9 / (now - wall)
        self._measured += (factor - self._measured) * (0.1 if self._measured else 1.0)
        self._shown = picture.ns, now
        self.draw(picture)

    def draw(self, picture: Picture) -> None:
        """One frame, now."""
        canvas = self.view.canvas
        if (canvas.width, canvas.height) != tuple(self.console.size):
            self.console.file.write("\x1b[0m\x1b[2J")
            self.view = View(*self.console.size)
        changes = self.view.draw(picture, self.scene, self._measured).changes(
            self._paint, colours=self.system is not None
        )
        self.console.file.write(changes)
        self.console.file.flush()

    def _codes(self, colour: int, behind: int) -> str:
        """The escape sequence that starts two colours."""
        assert self.system is not None
        codes: list[str] = []
        for value, front in ((colour, True), (behind, False)):
            rich = Color.from_rgb(value >> 16, value >> 8 & 255, value & 255)
            codes.extend(rich.downgrade(self.system).get_ansi_codes(foreground=front))
        return f"\x1b[{';'.join(codes)}m"
