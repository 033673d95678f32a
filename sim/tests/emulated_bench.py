"""What the tests of the emulated board share: the images, and a machine that only takes notes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from boards.shuffler_rp2040 import board as shuffler
from sim.emulated.board import EmulatedBoard
from sim.emulated.raw import RawPrompt
from sim.emulated.wiring import SENSORS, SWITCHES
from sim.faults import Faults
from sim.tests.images import image

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MS = 1_000_000
SECOND = 1_000 * MS


class NotedAxis:
    """Notes when each step edge came, and the direction."""

    def __init__(self, now_ns: Callable[[], int]) -> None:
        self._now_ns = now_ns
        self.at_ns: list[int] = []
        self.reverse: list[bool] = []

    def pulse(self, reverse: bool) -> None:
        """One rising edge."""
        self.at_ns.append(self._now_ns())
        self.reverse.append(reverse)

    def periods_us(self) -> list[float]:
        """From each edge to the next."""
        return [(b - a) / 1000 for a, b in pairwise(self.at_ns)]


class NotedInput:
    """An input that the test sets."""

    def __init__(self, dark: bool) -> None:
        self.dark = dark
        self.listeners: list[Callable[[bool], None]] = []

    def set(self, dark: bool) -> None:
        """Change, and tell."""
        self.dark = dark
        for listener in self.listeners:
            listener(dark)


class Notes:
    """Stands where the simulated machine stands."""

    def __init__(self, now_ns: Callable[[], int]) -> None:
        self.axes = {name: NotedAxis(now_ns) for name in ("pick", "feed", "wheel", "eject", "deal")}
        self.inputs = {name: NotedInput(dark=name in SWITCHES) for name in SENSORS + SWITCHES}
        self.enabled: list[bool] = []
        self.lamps: dict[str, bool] = {}
        self.levels: dict[str, int] = {}
        self.faults = Faults()
        self.asked: list[str] = []

    def enable(self, on: bool) -> None:
        """Noted."""
        self.enabled.append(on)

    def lamp(self, name: str, on: bool) -> None:
        """Noted."""
        self.lamps[name] = on

    def level(self, channel: str) -> int:
        """What the test said."""
        self.asked.append(channel)
        return self.levels.get(channel, 0)


def make(path: Path, seed: int = 1) -> tuple[EmulatedBoard, Notes]:
    """A board with notes for a machine, not powered yet."""
    board = EmulatedBoard(path, shuffler, seed)
    notes = Notes(board.now_ns)
    board.wire(notes)
    return board, notes


def at_prompt(board: EmulatedBoard) -> RawPrompt:
    """The raw prompt, with the firmware's HAL made and nothing else running."""
    prompt = RawPrompt(board)
    prompt.run("import board, mechanics\nfrom dovetail.hal.rp2 import Hal")
    prompt.run("hal = Hal(board, mechanics)")
    return prompt


def bench() -> tuple[EmulatedBoard, Notes, RawPrompt]:
    """A bench image, booted, at its raw prompt."""
    board, notes = make(image())
    board.power_on()
    return board, notes, at_prompt(board)


def run_for(board: EmulatedBoard, ns: int) -> None:
    """Let so much time pass, whatever stops the world on the way."""
    end = board.now_ns() + ns
    while board.now_ns() < end and board.advance(end):
        pass
