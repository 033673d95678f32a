"""Axes: a move as a profile is the same as the move step by step."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards import mechanics as M
from sim.axis import FAR, Axis
from sim.beam import Beam
from sim.card import new_deck
from sim.faults import Faults
from sim.infeed import Infeed
from sim.loop import HeapWorld
from sim.profile import Profile, prefix
from sim.wheel import Wheel

UP = [900, 500, 300, 200, 150, 120, 100, 90]
DOWN = UP[::-1]


def _periods(m: int, k: int, period: int) -> list[int]:
    return UP[:m] + [period] * k + DOWN[len(DOWN) - m :]


@given(st.integers(0, 8), st.integers(0, 40), st.integers(90, 900))
def test_a_profile_is_its_list_of_periods(m: int, k: int, period: int) -> None:
    periods = _periods(m, k, period)
    if not periods:
        return
    profile = Profile(prefix(UP), prefix(DOWN), m, k, period)
    assert profile.total == len(periods)
    edges = [sum(periods[:n]) for n in range(len(periods))]
    assert [profile.edge_us(n + 1) for n in range(len(periods))] == edges
    assert profile.sum_us(profile.total) == sum(periods)
    for us in range(0, sum(periods) + 100, 37):
        assert profile.steps_at(us) == sum(edge <= us for edge in edges)


@given(st.integers(1, 8), st.integers(0, 40), st.integers(90, 900), st.integers(1, 60))
def test_braking_ends_by_the_ramp(m: int, k: int, period: int, at: int) -> None:
    whole = Profile(prefix(UP), prefix(DOWN), m, k, period)
    at = min(at, whole.total)
    braked = whole.braked(at)
    assert braked.total <= whole.total
    assert [braked.edge_us(n) for n in range(1, at + 1)] == [
        whole.edge_us(n) for n in range(1, at + 1)
    ]
    if at < m + k:  # as many steps down as there were up
        assert braked.total == at + min(at, m)


class Rig:
    """Pick, feed and wheel alone; notes every edge of the beams with the roller's steps."""

    def __init__(self) -> None:
        self.world = HeapWorld()
        self.axes = {name: Axis(name, self.world) for name in ("pick", "feed", "wheel")}
        self.inputs = {name: Beam(name, Faults()) for name in ("entry", "count", "home", "tick")}
        wheel = Wheel(self.axes["wheel"], self.inputs["home"], self.inputs["tick"], 0, Faults())
        self.infeed = Infeed(
            self.axes["pick"],
            self.axes["feed"],
            wheel,
            self.inputs["entry"],
            self.inputs["count"],
            Faults(),
        )
        for axis in self.axes.values():
            axis.set_enabled(True)
        self.infeed.stack = new_deck("red", 3, Random(1))
        self.infeed.loaded()
        self.edges: list[tuple[str, bool, int]] = []
        for name in ("entry", "count"):
            self.inputs[name].listeners.append(
                lambda dark, name=name: self.edges.append((name, dark, self.feed_steps()))
            )

    def feed_steps(self) -> int:
        """Where the feed roller is."""
        self.axes["feed"].sync()
        return self.axes["feed"].position


def _by_profile() -> Rig:
    rig = Rig()
    up, down = prefix([100] * 4), prefix([100] * 4)
    rig.axes["pick"].begin(Profile(up, down, 0, 663, 33), False, lambda: None)
    rig.axes["feed"].begin(Profile(up, down, 0, 3825, 33), False, lambda: None)
    rig.world.advance(200_000_000)
    return rig


def _by_pulses() -> Rig:
    rig = Rig()
    for step in range(3825):
        if step < 663:
            rig.axes["pick"].pulse(False)
        rig.axes["feed"].pulse(False)
    return rig


def test_pulses_and_profiles_meet_the_same_edges() -> None:
    pulses, profile = _by_pulses(), _by_profile()
    assert len(pulses.edges) == 4
    assert [edge[:2] for edge in pulses.edges] == [edge[:2] for edge in profile.edges]
    for one, other in zip(pulses.edges, profile.edges, strict=True):
        assert abs(one[2] - other[2]) <= 1
    assert pulses.infeed.wheel.count() == profile.infeed.wheel.count() == 1


def test_beams_stand_where_the_mechanics_say() -> None:
    length = M.CARD_LENGTH_UM
    places = {
        ("entry", True): M.ENTRY_BEAM_UM,
        ("count", True): M.COUNT_BEAM_UM,
        ("entry", False): M.ENTRY_BEAM_UM + length,
        ("count", False): M.COUNT_BEAM_UM + length,
    }
    edges = {edge[:2]: edge[2] for edge in _by_pulses().edges}
    assert edges.keys() == places.keys()
    for key, um in places.items():
        assert abs(edges[key] - um * M.ROLLER_STEPS_M / 1e6) <= 1.5


@pytest.mark.parametrize(("to_rest", "there"), [(True, 85), (False, 70)])
@pytest.mark.parametrize("pulses", [True, False])
def test_steps_are_lost_until_it_stands(pulses: bool, to_rest: bool, there: int) -> None:
    """Fifteen of the thirty that slip belong to this move; a motor that has stood holds again."""
    world = HeapWorld()
    axis = Axis("wheel", world)
    axis.set_enabled(True)
    for steps, slips in ((50, 35), (50, FAR)):
        if pulses:
            for step in range(steps):
                if step == slips:
                    axis.slip(30, to_rest)
                axis.pulse(False)
                world.advance(world.now_ns() + 1_000_000)
        else:
            axis.begin(Profile([0], [0], 0, steps, 1000), False, lambda: None)
            if slips < steps:
                world.advance(world.now_ns() + (slips - 1) * 1_000_000)
                axis.slip(30, to_rest)
            world.advance(world.now_ns() + steps * 1_000_000)
        world.advance(world.now_ns() + 3_000_000)
    axis.sync()
    assert abs(axis.position - there) <= 1


def test_without_current_steps_are_lost() -> None:
    world = HeapWorld()
    axis = Axis("feed", world)
    axis.pulse(False)
    assert (axis.position, axis.lost) == (0, 1)
    axis.set_enabled(True)
    axis.begin(Profile(prefix([]), prefix([]), 0, 100, 1000), False, lambda: None)
    world.advance(50_000_000)
    axis.set_enabled(False)
    world.advance(80_000_000)
    axis.set_enabled(True)
    world.advance(200_000_000)
    assert axis.profile is None
    assert axis.position in range(68, 73)  # thirty of a hundred fell while the drivers were off


@given(st.integers(1, 8), st.integers(0, 40), st.integers(90, 900), st.integers(80, 500))
def test_a_motor_that_is_overdriven_stands(m: int, k: int, period: int, least: int) -> None:
    """It follows up to the first step that comes too soon, alike as a move and step by step."""
    world = HeapWorld()
    whole, single = Axis("whole", world), Axis("single", world)
    for axis in (whole, single):
        axis.least_us = least
        axis.set_enabled(True)
    profile = Profile(prefix(UP), prefix(DOWN), m, k, period)
    whole.begin(profile, False, lambda: None)
    for n in range(1, profile.total + 1):
        world.at(profile.edge_us(n) * 1000, lambda: single.pulse(False))
    while world.advance(None):
        pass
    gaps = _periods(m, k, period)[:-1]
    made = next((n for n, gap in enumerate(gaps, 1) if gap < least), profile.total)
    assert (whole.position, whole.lost) == (made, profile.total - made)
    assert (single.position, single.lost) == (made, profile.total - made)
