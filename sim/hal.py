"""The firmware's `hal` on the simulated machine."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from types import ModuleType

from dovetail.clock import Flag
from dovetail.hal import EDGES

from boards import mechanics
from boards.shuffler_rp2040 import board as default_board
from sim.axis import Axis
from sim.faults import Faults
from sim.line import Uart
from sim.machine import Machine
from sim.parts import Input
from sim.points import FEED_BRINGS, LOOP_HEARS
from sim.profile import Profile, prefix
from sim.world import World

UNIQUE_ID = b"simulate"
TICKS = (1 << 30) - 1  # microseconds turn over here, as clock.py has them


class Moves:
    """Every move that was made with one pair of ramps, in any machine: each is worked out once."""

    def __init__(self, up: Sequence[int], down: Sequence[int]) -> None:
        self._up, self._down = prefix(up), prefix(down)
        self._made: dict[tuple[int, int, int], Profile] = {}

    def profile(self, m: int, k: int, period_us: int) -> Profile:
        """m periods of the ramp up, k of one length, m of the ramp down."""
        key = (m, k, period_us)
        profile = self._made.get(key)
        if profile is None:
            profile = self._made[key] = Profile(self._up, self._down, m, k, period_us)
        return profile


_moves: dict[tuple[bytes, bytes], Moves] = {}


def moves_of(up: Sequence[int], down: Sequence[int]) -> Moves:
    """The moves of these ramps."""
    key = (array("H", up).tobytes(), array("H", down).tobytes())
    if key not in _moves:
        _moves[key] = Moves(up, down)
    return _moves[key]


class Stepper:
    """hal.stepper: whole moves go to the axis as a profile."""

    def __init__(self, axis: Axis, up: Sequence[int], down: Sequence[int]) -> None:
        self.axis = axis
        self.flag = Flag()
        self._profile = moves_of(up, down).profile
        self._done = 0
        self._hung = False  # the hardware says that it goes on, and no step comes

    def run(self, reverse: int, m: int, k: int, period_us: int) -> None:
        """m periods of the ramp up, k of one length, m of the ramp down."""
        if self.busy():
            raise RuntimeError(f"{self.axis.name} is busy")
        self.axis.begin(self._profile(m, k, period_us), bool(reverse), self._end)

    def extend(self, m: int, k: int, period_us: int) -> bool:
        """Another end for a move that still speeds up; False when it does not."""
        return self.axis.extend(self._profile(m, k, period_us))

    def _end(self) -> None:
        self._done = self.axis.total
        self.flag.set()

    def hang(self, cause: str = "") -> None:
        """Make no further step of this move, nor let it end."""
        if self.busy():
            self._done = self.axis.stop_dead(cause) or self._done
            self._hung = True

    def halt(self) -> None:
        """No further step."""
        if self.busy():
            self._done = self._done if self._hung else self.axis.halt() or self._done
            self._hung = False
            self.flag.set()

    def brake(self) -> None:
        """Ramp down from now."""
        if not self._hung:
            self.axis.brake()

    def steps(self) -> int:
        """Steps since run() began."""
        return self._done if self.axis.profile is None else self.axis.steps()

    def busy(self) -> bool:
        """Whether the move goes on."""
        return self.axis.profile is not None or self._hung


class Processor:
    """What a fault of the board's processor may do, while one edge is handled."""

    def __init__(self, world: World, feed: Stepper, faults: Faults) -> None:
        self.late_ns = 0
        self._world, self._feed, self._faults = world, feed, faults

    def hang(self) -> None:
        """Stop the feed's pulses; not within the step that has moved the card."""
        self._world.at(self._world.now_ns(), partial(self._feed.hang, self._faults.acting))


class Edge:
    """hal.edge: what a beam's interrupt writes down."""

    def __init__(self, source: Input, stepper: Stepper, now_us: Callable[[], int]) -> None:
        self.source, self.stepper, self.now_us = source, stepper, now_us
        self.n = 0
        self.level = bytearray(EDGES)
        self.at = array("i", [0] * EDGES)
        self.us = array("i", [0] * EDGES)
        self.flag = Flag()
        self.late: Callable[[bool, Callable[[], None]], None] = lambda dark, wake: wake()
        source.listeners.append(self._seen)

    def dark(self) -> int:
        """1 while something is in front of it."""
        return int(self.source.dark)

    def reset(self) -> None:
        """Forget the edges."""
        self.n = 0
        self.flag.clear()

    def keep(self, n: int) -> None:
        """Only n edges count any more."""
        self.n = n

    def _seen(self, dark: bool) -> None:
        n = self.n
        i = n % EDGES
        self.level[i] = dark
        self.at[i] = self.stepper.steps()
        self.us[i] = self.now_us()
        self.n = n + 1
        self.late(dark, self.flag.set)


class Noise:
    """Raw noise from the run's seed, or from another source."""

    def __init__(self, seed: int) -> None:
        self._random = Random(f"noise {seed}")
        self._source: Callable[[], int] | None = None

    def use(self, source: Callable[[], int]) -> None:
        """What the noise part gives from now on."""
        self._source = source

    def bits(self, buf: bytearray) -> None:
        """One bit a byte."""
        n = len(buf)
        if self._source is not None:
            buf[:] = bytes(self._source() for _ in range(n))
            return
        drawn = self._random.getrandbits(n)
        buf[:] = format(drawn, f"0{n}b").encode().translate(_BITS)


_BITS = bytes.maketrans(b"01", b"\x00\x01")


PROGRAM = bytes(range(256)) * 20  # no image runs here: so that there is something to verify


class Store:
    """Flash in memory: erased to ones, programmed to zeros."""

    SECTOR = 4096
    PAGE = 256

    def __init__(self, size: int) -> None:
        self.size = size
        self.cells = bytearray(b"\xff" * size)
        self.view = memoryview(self.cells).toreadonly()

    def read(self, offset: int, buf: bytearray) -> None:
        """Into buf."""
        buf[:] = self.cells[offset : offset + len(buf)]

    def erase(self, sector: int) -> None:
        """One sector to ones."""
        at = sector * self.SECTOR
        self.cells[at : at + self.SECTOR] = b"\xff" * self.SECTOR

    def program(self, offset: int, buf: bytes) -> None:
        """Ones to zeros, never back."""
        for i, byte in enumerate(buf):
            self.cells[offset + i] &= byte


class Hal:
    """The firmware's one interface to hardware, on the simulated machine."""

    def __init__(self, machine: Machine, world: World, store: Store, seed: int) -> None:
        self.machine, self.world, self.store = machine, world, store
        self.board: ModuleType = default_board
        self.mechanics: ModuleType = mechanics
        self.uart = Uart(world, default_board.UART_BAUD)
        self.noise = Noise(seed)
        self.unique_id = UNIQUE_ID
        self.program_size = len(PROGRAM)
        self.reset_cause = "power"
        self.interlock = Flag()
        for name in ("lid", "door", "mount"):
            machine.inputs[name].listeners.append(lambda dark: self.interlock.set())

    def stepper(self, name: str, up: Sequence[int], down: Sequence[int]) -> Stepper:
        """One of the five axes."""
        return Stepper(self.machine.axes[name], up, down)

    def edge(self, name: str, stepper: Stepper) -> Edge:
        """One of the beams and marks."""
        edge = Edge(self.machine.inputs[name], stepper, self._now_us)
        if name == "count":
            edge.late = partial(self._late, stepper)
            edge.source.listeners.append(lambda dark: self._entered(dark, stepper))
        return edge

    def _entered(self, dark: bool, feed: Stepper) -> None:
        """A card has come as far as the count beam, or something else has."""
        if dark and feed.busy():
            self.machine.faults.at(FEED_BRINGS, Processor(self.world, feed, self.machine.faults))

    def _now_us(self) -> int:
        return self.world.now_ns() // 1000 & TICKS

    def _late(self, stepper: Stepper, dark: bool, wake: Callable[[], None]) -> None:
        """The loop hears of an edge: at once, or when the processor has time."""
        processor = Processor(self.world, stepper, self.machine.faults)
        if dark:
            self.machine.faults.at(LOOP_HEARS, processor)
        if processor.late_ns:
            self.world.at(self.world.now_ns() + processor.late_ns, wake)
        else:
            wake()

    def switch(self, name: str) -> int:
        """1 when it is safe."""
        return int(self.machine.inputs[name].dark)

    def level(self, channel: str) -> int:
        """A channel of the multiplexer."""
        return self.machine.level(channel)

    def enable(self, on: bool) -> None:
        """All motor drivers."""
        self.machine.enable(bool(on))

    def lamp(self, name: str, on: bool) -> None:
        """A lamp."""
        self.machine.lamp(name, bool(on))

    def buzzer(self, on: bool) -> None:
        """The buzzer."""
        self.machine.lamp("buzzer", bool(on))

    def feed(self) -> None:
        """The watchdog."""

    def program(self, offset: int, n: int) -> bytes:
        """What stands for program flash."""
        return PROGRAM[offset : offset + n]

    def free(self) -> int:
        """Bytes of heap; CPython does not say: as many as a board has at rest, so no lane waits."""
        return 150_000

    def collect(self) -> None:
        """CPython frees what is left by itself."""

    def wipe(self, thing: bytes) -> None:
        """CPython's own copies are not the device's."""
