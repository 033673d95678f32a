"""A motor has so much torque and no more: ramps within it lose nothing, steeper ones lose steps."""

from __future__ import annotations

import pytest
from dovetail.motion.ramp import ramp  # pyright: ignore[reportUnknownVariableType]

from boards import mechanics as M
from sim import supply as S
from sim.axis import Axis
from sim.faults import Faults
from sim.loop import HeapWorld
from sim.plants.supply import SAG_V
from sim.profile import TURN, Profile, prefix
from sim.supply import Supply

CRUISE = 300
HEAVY = 1.2  # so much slower than it otherwise follows: five sixths of its torque are left


def move(name: str, times: float = 1.0, most: int | None = None) -> Profile:
    """Up to full speed and down, with so many times the acceleration of the axis."""
    speed, accel = M.AXES[name]
    up, down = ramp(speed, int(accel * times))
    m = min(len(up), most or len(up))
    return Profile(prefix(up), prefix(down), m, 0 if most else CRUISE, up[m - 1])


class Rig:
    """Each axis twice, on one supply each: by whole moves, and step by step."""

    def __init__(self) -> None:
        self.world = HeapWorld()
        self.whole, self.single = ({n: Axis(n, self.world) for n in M.AXES} for _ in range(2))
        self.faults = [Faults(), Faults()]
        self.supplies = [
            Supply(self.world, axes, faults)
            for axes, faults in zip((self.whole, self.single), self.faults, strict=True)
        ]
        for axis in (*self.whole.values(), *self.single.values()):
            axis.set_enabled(True)

    def go(self, name: str, profile: Profile) -> None:
        """The same move of both, beginning now."""
        self.whole[name].begin(profile, False, lambda: None)
        begun = self.world.now_ns()
        for n in range(1, profile.total + 1):
            at = begun + profile.edge_us(n) * 1000
            self.world.at(at, lambda: self.single[name].pulse(False))

    def ends(self, ms: int = 400) -> None:
        """Everything stands."""
        self.world.advance(self.world.now_ns() + ms * 1_000_000)

    def made(self, name: str) -> tuple[int, int]:
        """Steps made by this axis, and lost: alike by whole moves and step by step."""
        whole, single = self.whole[name], self.single[name]
        whole.sync()
        assert (whole.position, whole.lost) == (single.position, single.lost)
        return whole.position, whole.lost


@pytest.mark.parametrize("most", [None, 200, 60, 9, 3])
@pytest.mark.parametrize("name", M.AXES)
def test_the_ramp_of_an_axis_loses_nothing(name: str, most: int | None) -> None:
    rig, profile = Rig(), move(name, 1.0, most)
    rig.go(name, profile)
    rig.ends()
    assert rig.made(name) == (profile.total, 0)


@pytest.mark.parametrize("volts", [S.SOURCE_V, SAG_V])
def test_nor_do_all_of_them_together_on_a_supply_that_sags(volts: float) -> None:
    rig = Rig()
    for supply in rig.supplies:
        supply.source_v = volts
        supply.load(S.SOURCE_OHM * 1.001)  # it is looked at while they move
    for name in M.AXES:
        rig.go(name, move(name))
    rig.ends()
    for name in M.AXES:
        assert rig.made(name) == (move(name).total, 0)
    assert min(supply.least_v for supply in rig.supplies) < volts - 1


@pytest.mark.parametrize("times", [2, 10, 100])
@pytest.mark.parametrize("name", M.AXES)
def test_a_steeper_ramp_loses_steps(name: str, times: int) -> None:
    rig, profile = Rig(), move(name, times)
    rig.go(name, profile)
    rig.ends()
    made, lost = rig.made(name)
    assert 0 < made <= max(profile.m, TURN + 1)
    assert lost == profile.total - made
    rig.go(name, move(name))  # it has stood: with the right ramp it follows
    rig.ends()
    assert rig.made(name) == (made + move(name).total, lost)


@pytest.mark.parametrize("name", M.AXES)
def test_a_jump_to_full_speed_loses_all_but_a_few(name: str) -> None:
    rig = Rig()
    period = 1_000_000 // M.AXES[name][0] + 1
    rig.go(name, Profile([0], [0], 0, 400, period))
    rig.ends()
    made, lost = rig.made(name)
    assert made <= TURN + 1
    assert lost == 400 - made


@pytest.mark.parametrize("name", [name for name in M.AXES if name != "eject"])
def test_what_brakes_too_hard_loses_steps(name: str) -> None:
    """Up as it may, down four times as steep: the load runs on.

    The crank, which has no weight, stands sooner than that is felt.
    """
    speed, accel = M.AXES[name]
    up, steep = ramp(speed, accel)[0], ramp(speed, 4 * accel)[1]
    down = prefix([steep[0]] * (len(up) - len(steep)) + list(steep))
    rig, profile = Rig(), Profile(prefix(up), down, len(up), 0, up[-1])
    rig.go(name, profile)
    rig.ends()
    made, lost = rig.made(name)
    assert len(up) < made < profile.total
    assert made + lost == profile.total


@pytest.mark.parametrize(("times", "loses"), [(1.0, False), (1.2, True)])
def test_a_load_takes_its_share(times: float, loses: bool) -> None:
    """What remains of 1.3 times the acceleration is 1.08."""
    rig, profile = Rig(), move("wheel", times, 200)
    for axis in (rig.whole["wheel"], rig.single["wheel"]):
        axis.drag(axis.least_us * HEAVY)
    rig.go("wheel", profile)
    rig.ends()
    assert (rig.made("wheel")[1] > 0) == loses


@pytest.mark.parametrize(("share", "loses"), [(0.9, False), (0.7, True)])
def test_and_so_does_a_supply_that_gives_too_little(share: float, loses: bool) -> None:
    rig, profile = Rig(), move("eject", 1.0, 10)  # it stays far under full speed
    for supply in rig.supplies:
        supply.source_v = S.FULL_V * share
        supply.load(S.SOURCE_OHM + 0.001)
    rig.go("eject", profile)
    rig.ends()
    assert (rig.made("eject")[1] > 0) == loses


def test_a_mechanical_stop() -> None:
    """Steps are commanded and lost, and the position stands; turned back from it, it follows."""
    rig, profile = Rig(), move("wheel")
    rig.go("wheel", profile)
    rig.ends(40)
    for axis in (rig.whole["wheel"], rig.single["wheel"]):
        axis.block(True)
    at, _ = rig.whole["wheel"].position, rig.ends(0)
    assert 0 < at < profile.total
    rig.ends()
    assert rig.made("wheel") == (at, profile.total - at)
    rig.go("wheel", profile)
    rig.ends()
    assert rig.made("wheel") == (at, 2 * profile.total - at)
    for axis in (rig.whole["wheel"], rig.single["wheel"]):
        axis.block(False)
    rig.go("wheel", profile)
    rig.ends()
    assert rig.made("wheel") == (at + profile.total, 2 * profile.total - at)


def test_a_stop_that_gives_way_in_the_middle_of_a_move() -> None:
    rig, profile = Rig(), move("wheel")
    rig.go("wheel", profile)
    for axis in (rig.whole["wheel"], rig.single["wheel"]):
        rig.world.at(20_000_000, lambda axis=axis: axis.block(True))
        rig.world.at(40_000_000, lambda axis=axis: axis.block(False))
    rig.ends()
    made, lost = rig.made("wheel")
    assert lost > 0
    assert made + lost == profile.total
