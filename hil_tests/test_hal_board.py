"""The HAL of the bench image on its emulated board, measured at the pins. Nothing but the HAL runs on the board."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random

import pytest
from dovetail.motion.ramp import ramp

from boards import mechanics
from boards.shuffler_rp2040 import board as pins
from host_tools.build.tell import BUILD
from sim.emulated.board import EmulatedBoard
from sim.emulated.raw import END, READY, RawPrompt
from sim.emulated.wiring import SENSORS, SWITCHES

IMAGE = BUILD / "shuffler_rp2040-bench" / "dovetail.uf2"
AXES = tuple(mechanics.AXES)
RAMPS = {name: ramp(*mechanics.AXES[name]) for name in AXES}
FASTEST = {name: RAMPS[name][0][-1] for name in AXES}
SECOND_NS = 1_000_000_000
TICKS_US = 16_000  # of the emulator's clock

SETUP = """
import asyncio, gc, machine, micropython, time, board, mechanics
from dovetail.hal.rp2 import Hal
from dovetail.motion.ramp import ramp
hal = Hal(board, mechanics)
tables = {limits: ramp(*limits) for limits in mechanics.AXES.values()}
axes = {name: hal.stepper(name, *tables[limits]) for name, limits in mechanics.AXES.items()}
def rest():
    while any(a.busy() for a in axes.values()): time.sleep_ms(1)
"""


class Axis:
    """Notes when its driver sees a step, and calls somebody at chosen steps."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self.at: list[int] = []
        self.reverse: list[bool] = []
        self.calls: dict[int, Callable[[], None]] = {}

    def pulse(self, reverse: bool) -> None:
        """One step."""
        self.at.append(self._now())
        self.reverse.append(reverse)
        call = self.calls.get(len(self.at))
        if call is not None:
            call()

    def clear(self) -> None:
        """Forget the steps."""
        self.at.clear()
        self.reverse.clear()
        self.calls.clear()

    def periods_us(self) -> list[float]:
        """Between a step and the next."""
        return [(b - a) / TICKS_US for a, b in pairwise(self.at)]


class Input:
    """A beam or a switch."""

    def __init__(self) -> None:
        self.dark = False
        self.listeners: list[Callable[[bool], None]] = []

    def turn(self) -> None:
        """Dark becomes light, light dark."""
        self.dark = not self.dark
        for listener in self.listeners:
            listener(self.dark)


class Bench:
    """A board with nothing but test gear at its pins, and its prompt."""

    def __init__(self) -> None:
        self.board = EmulatedBoard(IMAGE, pins, seed=2)
        clock = self.board.chip.mcu.clock
        self.axes = {name: Axis(lambda: clock.ticks) for name in AXES}
        self.inputs = {name: Input() for name in SENSORS + SWITCHES}
        self.levels: dict[str, int] = {}
        self.lamps: dict[str, bool] = {}
        self.enabled: bool | None = None
        self.board.wire(self)
        self.board.power_on()
        self.prompt = Fresh(self.board)
        self.run = self.prompt.run

    def enable(self, on: bool) -> None:
        """Current in the motors."""
        self.enabled = on

    def lamp(self, name: str, on: bool) -> None:
        """A lamp or the buzzer."""
        self.lamps[name] = on

    def level(self, channel: str) -> int:
        """What was set for this channel."""
        return self.levels[channel]

    def ask(self, source: str) -> list[int]:
        """Run source that ends by printing a list."""
        found: list[int] = ast.literal_eval(self.run(source).splitlines()[-1])
        return found


class Fresh(RawPrompt):
    """The prompt of an interpreter that was started anew and does not run main.py."""

    def __init__(self, board: EmulatedBoard) -> None:
        super().__init__(board)
        self._came.clear()
        board.prompt.write(END)
        self._until(READY, 5 * SECOND_NS)
        self.run(SETUP)


@pytest.fixture(scope="module")
def powered() -> Bench:
    """One board for the tests of this file: each leaves it as it was."""
    return Bench()


@pytest.fixture
def bench(powered: Bench) -> Iterator[Bench]:
    """The board, with all axes still and their steps forgotten."""
    for axis in powered.axes.values():
        axis.clear()
    yield powered
    complaints = [line for line in powered.board.chip.complaints.lines if "PIO" in line]
    assert complaints == []


def expected_us(name: str, m: int, k: int, period_us: int) -> list[int]:
    """The step periods of a move."""
    up, down = RAMPS[name]
    return [*up[:m], *[period_us] * k, *(down[-m:] if m else ())]


def test_five_axes_at_full_speed(bench: Bench) -> None:
    """No step lost, no period off by 1 %, and the move as a whole within 20 us."""
    k = {"pick": 9000, "feed": 9000, "wheel": 6000, "eject": 2500, "deal": 9000}
    moves = [f"axes['{n}'].run(0, {len(RAMPS[n][0])}, {k[n]}, {FASTEST[n]})\n" for n in AXES]
    printed = bench.ask("".join(moves) + f"rest()\nprint([axes[n].steps() for n in {AXES}])")
    for name, steps in zip(AXES, printed, strict=True):
        want = expected_us(name, len(RAMPS[name][0]), k[name], FASTEST[name])
        assert steps == len(want) == len(bench.axes[name].at)
        got = bench.axes[name].periods_us()
        worst = max(abs(a - b) / b for a, b in zip(got, want[:-1], strict=True))
        assert worst < 0.01, f"{name}: {worst:.2%}"
        assert abs(sum(got) - sum(want[:-1])) < 20


@pytest.mark.parametrize("m", [0, 1, 2, 40])
@pytest.mark.parametrize("k", [0, 1, 2, 5])
def test_short_moves(bench: Bench, m: int, k: int) -> None:
    """Every mix of blocks ends by itself after exactly its steps, with its flag set."""
    found = bench.ask(
        f"a = axes['eject']\na.run(0, {m}, {k}, 200)\nrest()\n"
        "print([a.steps(), a.flag.state, a.busy()])"
    )
    assert found == [2 * m + k, 1, 0]
    assert len(bench.axes["eject"].at) == 2 * m + k
    want = expected_us("eject", m, k, 200)
    for got, asked in zip(bench.axes["eject"].periods_us(), want, strict=False):
        assert got == pytest.approx(asked, abs=0.5)


def test_direction_and_refusals(bench: Bench) -> None:
    """The direction is the one asked for; a busy axis and a move beyond the table are refused."""
    printed = bench.run("""
a = axes['pick']
a.run(1, 3, 50, 100)
try: a.run(0, 0, 1, 100)
except RuntimeError: print('busy')
rest()
for bad in ((0, a.ramp + 1, 0, 100), (0, 0, 1, 7)):
    try: a.run(*bad)
    except ValueError: print('no')
a.run(0, 3, 0, 100)
rest()
""")
    assert printed.split() == ["busy", "no", "no"]
    assert bench.axes["pick"].reverse == [True] * 56 + [False] * 6


STOP = """
def stop(name, m, k, period, wait_us, halt, again_us):
    a = axes[name]
    a.run(0, m, k, period)
    time.sleep_us(wait_us)
    before = a.steps()
    if halt: a.halt()
    else: a.brake()
    if again_us:
        time.sleep_us(again_us)
        a.brake()
    at_once = a.steps()
    rest()
    time.sleep_us(200)
    return [before, at_once, a.steps(), a.flag.state]
"""


def test_halt_is_exact(bench: Bench) -> None:
    """Wherever an axis is halted, steps() is what its driver saw, and no step follows."""
    bench.run(STOP)
    random = Random(1)
    for _ in range(60):
        name = random.choice(AXES)
        bench.axes[name].clear()
        m, k = random.choice((0, 1, 20, len(RAMPS[name][0]))), random.choice((0, 1, 7, 900))
        m = min(m, len(RAMPS[name][0]))
        wait = random.choice((0, random.randrange(300), random.randrange(40_000)))
        move = f"'{name}', {m}, {k}, {FASTEST[name]}, {wait}, 1, 0"
        _, at_once, later, flag = bench.ask(f"print(stop({move}))")
        assert at_once == later == len(bench.axes[name].at), move
        assert flag == 1


def test_brake_comes_down_the_ramp(bench: Bench) -> None:
    """A braked axis comes to rest without a jump in speed, in the steps its speed needs."""
    bench.run(STOP)
    random = Random(2)
    fed_ahead = 6  # the words that the FIFO and the state machine hold
    for _ in range(40):
        name = random.choice(AXES)
        bench.axes[name].clear()
        m, k = len(RAMPS[name][0]), random.choice((0, 100, 900))
        again = random.choice((0, 0, random.randrange(1, 5000)))
        move = f"'{name}', {m}, {k}, {FASTEST[name]}, {random.randrange(60_000)}, 0, {again}"
        before, _, steps, flag = bench.ask(f"print(stop({move}))")
        assert steps == len(bench.axes[name].at), move
        assert flag == 1
        assert steps <= min(2 * m + k, before + fed_ahead + min(m, before + fed_ahead)), move
        # A step from rest takes 2.42 times the second; nowhere else do two periods differ by more.
        periods = bench.axes[name].periods_us()
        assert all(max(a, b) < 2.5 * min(a, b) for a, b in pairwise(periods)), move


def test_edges(bench: Bench) -> None:
    """With all axes at full speed an edge is noted within two steps of where it was."""
    sensors = dict(zip(("entry", "count", "tick", "exit", "deal"), AXES, strict=True))
    names = ", ".join(f"'{s}': hal.edge('{s}', axes['{a}'])" for s, a in sensors.items())
    bench.run(f"edges = {{{names}}}")
    runs = "".join(f"axes['{n}'].run(0, 40, 1500, {FASTEST[n]})\n" for n in AXES)
    random = Random(3)
    for _ in range(10):
        want: dict[str, list[int]] = {}
        for sensor, name in sensors.items():
            bench.axes[name].clear()
            want[sensor] = [100 + 150 * i + random.randrange(100) for i in range(10)]
            for step in want[sensor]:
                bench.axes[name].calls[step] = bench.inputs[sensor].turn
        found = ast.literal_eval(
            bench.run(
                "for e in edges.values(): e.reset()\n" + runs + "rest()\n"
                "print({s: (e.n, list(e.level), list(e.at), e.flag.state, e.dark())"
                " for s, e in edges.items()})"
            )
        )
        for sensor, at in want.items():
            n, level, noted, flag, dark = found[sensor]
            assert (n, level, flag, dark) == (10, [1, 0] * 4, 1, 0), sensor
            late = [b - a for a, b in zip(at, noted, strict=False)]
            assert all(0 <= steps <= 2 for steps in late), (sensor, late)


def test_no_allocation(bench: Bench) -> None:
    """Moves, stops, positions and edges work while the heap is locked; interrupts print nothing."""
    printed = bench.run("""
e = hal.edge('home', axes['wheel'])
def all_of_it():
    a = axes['wheel']
    micropython.heap_lock()
    e.reset()
    a.run(0, 100, 1000, 45)
    a.steps()
    e._edge(e.pin)
    a.brake()
    while a.busy(): e.dark()
    a.run(1, 100, 1000, 45)
    a.halt()
    micropython.heap_unlock()
    print('done', e.n)
all_of_it()
""")
    assert printed == "done 1"


def test_levels(bench: Bench) -> None:
    """Every channel of the multiplexer reads what lies on it, to the count."""
    bench.levels = {name: 64 + 250 * number for name, number in pins.MUX.items()}
    names = list(pins.MUX)
    found = bench.ask(f"print([hal.level(name) for name in {names}])")
    assert found == [bench.levels[name] for name in names]


def test_switches_lamps_and_enable(bench: Bench) -> None:
    """Inputs are safe when low; outputs do what is asked; a changed switch sets the flag."""
    for name in SWITCHES:
        bench.run("hal.interlock.clear()")
        seen: list[int] = []
        for _ in range(2):
            bench.inputs[name].turn()
            asked = f"print([hal.switch('{name}'), hal.interlock.state])"
            seen += bench.ask(asked)
        assert seen == [1, 1, 0, 1], name
    for on in (True, False):
        bench.run(f"hal.enable({on})\nhal.buzzer({on})")
        for name in ("green", "amber", "red"):
            bench.run(f"hal.lamp('{name}', {on})")
            assert bench.lamps[name] is on
        assert bench.enabled is on
        assert bench.lamps["buzzer"] is on


def test_uart(bench: Bench) -> None:
    """Bursts both ways, longer than the port's own buffers, lose nothing."""
    sent = bytes(Random(4).randrange(256) for _ in range(4000))
    back = bytearray()
    bench.board.line.on_bytes = back.extend
    bench.prompt.start("""
async def echo(n):
    buf = bytearray(300)
    while n:
        got = await hal.uart.read(buf)
        await hal.uart.write(buf, got)
        n -= got
    while not hal.uart.uart.txdone(): await asyncio.sleep_ms(1)
asyncio.run(echo(4000))
print('done')
""")
    bench.board.line.write(sent)
    assert bench.prompt.result() == "done"
    assert bytes(back) == sent


def test_store(bench: Bench) -> None:
    """Sectors are erased, pages programmed; what lies outside is refused."""
    printed = bench.run("""
s = hal.store
page = bytes(i ^ 0x5A for i in range(256))
last = s.size // s.SECTOR - 1
buf = bytearray(600)
for sector in (0, last):
    s.erase(sector)
    s.program(sector * s.SECTOR + 512, page)
    s.read(sector * s.SECTOR + 400, buf)
    print(buf == bytes([255]) * 112 + page + bytes([255]) * 232)
for bad in (lambda: s.erase(last + 1), lambda: s.program(1, page), lambda: s.program(0, page[1:]),
            lambda: s.read(s.size - 1, buf), lambda: s.program(-256, page)):
    try: bad()
    except ValueError: print('refused')
""")
    assert printed.split() == ["True"] * 2 + ["refused"] * 5


def test_noise(bench: Bench) -> None:
    """The bits are the ring oscillator's, in order, and at least 10 us apart."""
    random = Random(5)
    given: list[int] = []
    at: list[int] = []

    def bit() -> int:
        given.append(random.getrandbits(1))
        at.append(bench.board.now_ns())
        return given[-1]

    bench.board.noise(bit)
    found = bench.ask("buf = bytearray(500)\nhal.noise.bits(buf)\nprint(list(buf))")
    assert found == given
    assert min(b - a for a, b in pairwise(at)) >= 10_000


def test_wipe(bench: Bench) -> None:
    """A secret's bytes are overwritten where they lay."""
    printed = bench.run("""
secret = bytes(bytearray(b'not for the log'))
alias = memoryview(secret)
hal.wipe(secret)
print(bytes(alias) == bytes(15))
""")
    assert printed == "True"


def test_watchdog_and_reset_causes() -> None:
    """Each way to start is told from the others, and a hung loop is restarted."""
    bench = Bench()
    assert bench.run("print(hal.reset_cause, len(hal.unique_id))") == "power 8"
    bench.prompt.start("hal.watch(300)\nfor _ in range(9):\n time.sleep_ms(200)\n hal.feed()\nwhile 1: pass")
    start = bench.board.now_ns()
    bench.board.advance(start + 3 * SECOND_NS)
    assert Fresh(bench.board).run("print(hal.reset_cause)") == "watchdog"
    bench.board.chip.reset()
    assert Fresh(bench.board).run("print(hal.reset_cause)") == "reset"
