"""Step pulses and edges of the HAL, measured at the pins of the emulated board."""

from __future__ import annotations

import ast
from itertools import pairwise
from random import Random

import pytest
from dovetail.hal import EDGES
from dovetail.motion.ramp import (
    ramp,  # pyright: ignore[reportUnknownVariableType]: device code
)

from boards import mechanics
from hil_tests.hal_bench import AXES, TICKS_US, Bench

RAMPS = {name: ramp(*mechanics.AXES[name]) for name in AXES}
FASTEST = {name: RAMPS[name][0][-1] for name in AXES}


def expected_us(name: str, m: int, k: int, period_us: int) -> list[int]:
    """The step periods of a move."""
    up, down = RAMPS[name]
    return [*up[:m], *[period_us] * k, *(down[-m:] if m else ())]


def test_five_axes_at_full_speed(bench: Bench) -> None:
    """No step lost, no period off by 1 %, and the move as a whole within 0.1 %."""
    k = {"pick": 9000, "feed": 9000, "wheel": 6000, "eject": 2500, "deal": 9000}
    moves = [f"axes['{n}'].run(0, {len(RAMPS[n][0])}, {k[n]}, {FASTEST[n]})\n" for n in AXES]
    printed = bench.ask("".join(moves) + f"rest()\nprint([axes[n].steps() for n in {AXES}])")
    for name, steps in zip(AXES, printed, strict=True):
        want = expected_us(name, len(RAMPS[name][0]), k[name], FASTEST[name])
        assert steps == len(want) == len(bench.axes[name].at)
        got = bench.axes[name].periods_us()
        worst = max(abs(a - b) / b for a, b in zip(got, want[:-1], strict=True))
        assert worst < 0.01, f"{name}: {worst:.2%}"
        assert sum(got) == pytest.approx(sum(want[:-1]), rel=0.001)


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
        assert periods[-1] == pytest.approx(RAMPS[name][1][-2], rel=0.01), move
        assert all(max(a, b) < 2.5 * min(a, b) for a, b in pairwise(periods)), move


EXTEND = """
def extend(name, half, m, k, period, wait_us):
    a = axes[name]
    a.run(0, half, 0, period)
    time.sleep_us(wait_us)
    longer = a.extend(m, k, period)
    rest()
    time.sleep_us(200)
    return [int(longer), a.steps(), a.flag.state]
"""


def test_a_move_goes_on_only_on_its_way_up(bench: Bench) -> None:
    """Let go on in time it is the longer move, period by period; too late, it ends as planned."""
    bench.run(EXTEND)
    random = Random(3)
    seen = [0, 0]
    for _ in range(30):
        name = random.choice(AXES)
        up, down = RAMPS[name]
        bench.axes[name].clear()
        m, k, half = len(up), random.choice((0, 100, 900)), random.randrange(12, min(len(up), 90))
        wait_us = random.randrange(2 * sum(up[:half]))
        move = f"'{name}', {half}, {m}, {k}, {up[-1]}, {wait_us}"
        longer, steps, flag = bench.ask(f"print(extend({move}))")
        seen[longer] += 1
        assert steps == len(bench.axes[name].at) == (2 * m + k if longer else 2 * half), move
        assert flag == 1
        wanted = [*up, *[up[-1]] * k, *down] if longer else [*up[:half], *down[-half:]]
        for got, want in zip(bench.axes[name].periods_us(), wanted, strict=False):
            assert got == pytest.approx(want, abs=1.01), move
    assert min(seen) > 5


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
            late = [noted[i % EDGES] - at[i] for i in range(len(at) - EDGES, len(at))]
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


STUCK = """
def stuck(wait_us):
    for name, m, k, period in moves:
        axes[name].run(0, m, k, period)
    time.sleep_us(wait_us)
    state = machine.disable_irq()
    began = time.ticks_us()
    while time.ticks_diff(time.ticks_us(), began) < 1000000: pass
    machine.enable_irq(state)
    rest()
    return [axes[move[0]].steps() for move in moves]
"""


@pytest.mark.parametrize("wait_us", [0, 300, 5_000, 20_000, 45_000, 70_000, 100_000, 130_000])
def test_a_processor_that_stands_still_moves_nothing_further(bench: Bench, wait_us: int) -> None:
    """Interrupts off for a second, wherever the moves are: each axis makes its plan, in time."""
    k = {"pick": 4000, "feed": 3000, "wheel": 1500, "eject": 320, "deal": 2000}
    moves = [(name, len(RAMPS[name][0]), k[name], FASTEST[name]) for name in AXES]
    bench.run(STUCK + f"moves = {moves}")
    planned = [2 * m + k for _, m, k, _ in moves]
    assert bench.ask(f"print(stuck({wait_us}))") == planned
    for name, m, steps, period in moves:
        at = bench.axes[name].at
        assert len(at) == 2 * m + steps
        want = sum(expected_us(name, m, steps, period)[:-1])
        assert (at[-1] - at[0]) / TICKS_US == pytest.approx(want, rel=0.001)


STUCK_STOP = """
def stopped(how, wait_us):
    for name, m, k, period in moves:
        axes[name].run(0, m, k, period)
    time.sleep_us(wait_us)
    state = machine.disable_irq()
    for name, *_ in moves:
        getattr(axes[name], how)()
    then = [axes[move[0]].steps() for move in moves]
    began = time.ticks_us()
    while time.ticks_diff(time.ticks_us(), began) < 1000000: pass
    stood = [axes[move[0]].steps() for move in moves]
    machine.enable_irq(state)
    rest()
    return [then, stood, [axes[move[0]].steps() for move in moves]]
"""
IN_FIFO = 6  # words that are fed already when the ramp down is planned


@pytest.mark.parametrize("how", ["halt", "brake"])
@pytest.mark.parametrize("wait_us", [500, 8_000, 40_000, 90_000])
def test_a_processor_that_stands_still_behind_a_stop_has_stopped(
    bench: Bench, how: str, wait_us: int
) -> None:
    """What it has asked of the axes is done without it: no further step, or the ramp down."""
    k = {"pick": 4000, "feed": 3000, "wheel": 3500, "eject": 320, "deal": 5000}
    moves = [(name, len(RAMPS[name][0]), k[name], FASTEST[name]) for name in AXES]
    for name in AXES:
        bench.axes[name].clear()
    bench.run(STUCK_STOP + f"moves = {moves}")
    printed = bench.run(f"print(*(n for row in stopped({how!r}, {wait_us}) for n in row))")
    said = list(map(int, printed.split()))
    then, stood, made = said[: len(AXES)], said[len(AXES) : -len(AXES)], said[-len(AXES) :]
    assert stood == made == [len(bench.axes[name].at) for name in AXES]
    for name, before, steps in zip(AXES, then, made, strict=True):
        ramp_down = min(before + IN_FIFO, len(RAMPS[name][0])) + IN_FIFO if how == "brake" else 0
        assert before <= steps <= before + ramp_down, name


STUCK_LEAN = """
def leant(half, m, k, period, wait_us, longer):
    a = axes['feed']
    a.run(0, half, 0, period)
    time.sleep_us(wait_us)
    went_on = longer and a.extend(m, k, period)
    state = machine.disable_irq()
    began = time.ticks_us()
    while time.ticks_diff(time.ticks_us(), began) < 1000000: pass
    at = a.steps()
    machine.enable_irq(state)
    rest()
    return [int(went_on), at, a.steps()]
"""


@pytest.mark.parametrize("longer", [0, 1])
def test_a_processor_that_stands_still_in_a_lean_moves_the_card_no_further(
    bench: Bench, longer: int
) -> None:
    """Stuck before the wheel is proved, the card stops before the mouth; after it, in its slot."""
    lean_steps = (mechanics.WHEEL_MOUTH_UM - mechanics.STAGED_UM) * mechanics.ROLLER_STEPS_M
    half, m, k = lean_steps // 1_000_000 // 2, len(RAMPS["feed"][0]), 1200
    up = RAMPS["feed"][0]
    bench.run(STUCK_LEAN)
    seen: set[int] = set()
    for wait_us in range(0, sum(up[:half]), 3000):  # from its first step to where it slows down
        bench.axes["feed"].clear()
        move = f"{half}, {m}, {k}, {FASTEST['feed']}, {wait_us}, {longer}"
        went_on, at, steps = bench.ask(f"print(leant({move}))")
        seen.add(went_on)
        planned = 2 * m + k if went_on else 2 * half
        assert at == steps == len(bench.axes["feed"].at) == planned, move
    assert longer in seen
