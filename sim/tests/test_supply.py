"""The motor supply: what the motors draw pulls it down, and what is missing they lack."""

from __future__ import annotations

import pytest
from dovetail.motion.ramp import ramp  # pyright: ignore[reportUnknownVariableType]

from boards import mechanics as M
from sim import supply as S
from sim.axis import Axis
from sim.faults import Faults
from sim.loop import HeapWorld
from sim.profile import Profile, prefix
from sim.supply import Supply

UP = list(ramp(20000, 200000)[0])  # less than any of the axes may


class Rig:
    """Five motors on one supply."""

    def __init__(self) -> None:
        self.world = HeapWorld()
        self.axes = {name: Axis(name, self.world) for name in M.AXES}
        self.supply = Supply(self.world, self.axes, Faults())
        for axis in self.axes.values():
            axis.set_enabled(True)

    def go(self, name: str, cruise: int = 4000) -> Axis:
        """Up the ramp, so many at 20,000 a second, down."""
        up, down = prefix(UP), prefix(UP[::-1])
        axis = self.axes[name]
        axis.begin(Profile(up, down, len(UP), cruise, UP[-1]), False, lambda: None)
        return axis


def test_it_sags_by_what_stands_runs_and_swings() -> None:
    rig = Rig()
    stands = 5 * S.STANDS_A
    assert rig.supply.volts() == pytest.approx(24 - S.SOURCE_OHM * stands)
    rig.go("wheel")
    swings = S.SWINGS_A["wheel"] - S.STANDS_A
    assert rig.supply.volts() == pytest.approx(24 - S.SOURCE_OHM * (stands + swings))
    rig.go("feed")
    swings += S.SWINGS_A["feed"] - S.STANDS_A
    assert rig.supply.volts() == pytest.approx(24 - S.SOURCE_OHM * (stands + swings))
    rig.world.advance(150_000_000)
    runs = S.RUNS_A["wheel"] + S.RUNS_A["feed"] - 2 * S.STANDS_A
    assert rig.supply.volts() == pytest.approx(24 - S.SOURCE_OHM * (stands + runs))
    for axis in rig.axes.values():
        axis.set_enabled(False)
    assert rig.supply.volts() == S.SOURCE_V


def test_all_axes_together_are_far_from_the_threshold_of_a_good_supply() -> None:
    """So that nothing is lost, and nothing told, while the source is what it was meant to be."""
    worst = S.SOURCE_V - S.SOURCE_OHM * sum(S.SWINGS_A.values())
    assert worst > S.FULL_V
    assert worst * S.COUNTS_V > M.SUPPLY_MIN + 300


def test_step_by_step_it_draws_the_same() -> None:
    """At the pins nobody says what a move is: an even step runs, an uneven one swings."""
    rig = Rig()
    axis = rig.axes["wheel"]
    axis.least_us = 1.0
    for us in (0, 400, 300, 200):
        rig.world.advance(rig.world.now_ns() + us * 1000)
        axis.pulse(False)
    assert axis.gait() == "swings"
    for _ in range(3):
        rig.world.advance(rig.world.now_ns() + 200_000)
        axis.pulse(False)
    assert axis.gait() == "runs"
    rig.world.advance(rig.world.now_ns() + 10_000_000)
    assert axis.gait() == "stands"


@pytest.mark.parametrize(("ohm", "loses"), [(S.SOURCE_OHM, False), (0.9, False), (3.0, True)])
def test_an_overloaded_supply_costs_steps(ohm: float, loses: bool) -> None:
    rig = Rig()
    rig.supply.load(ohm)
    wheel = rig.go("wheel")  # at 20,000 steps a second, nine tenths of its speed
    rig.go("feed")
    rig.go("pick")
    rig.world.advance(400_000_000)
    assert (wheel.lost > 0) == loses
    assert (wheel.position == 4000 + 2 * len(UP)) != loses
    assert (rig.supply.least_v < S.FULL_V) == (ohm > S.SOURCE_OHM)


def test_another_source_makes_it_good() -> None:
    rig = Rig()
    rig.supply.load(3.0)
    rig.go("wheel")
    rig.world.advance(400_000_000)
    rig.supply.repair()
    lost = rig.axes["wheel"].lost
    assert lost
    rig.go("wheel")
    rig.world.advance(800_000_000)
    assert rig.axes["wheel"].lost == lost
