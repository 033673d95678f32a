"""Scenarios of noise that fails in play: nothing is dealt, and nothing but a power-on helps."""

from __future__ import annotations

from hil_tests.bench import Bench
from hil_tests.scenario import scenario
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S
from sim.emulated.noise import Noise, alternating, biased, good, stuck, vanishing

WINDOW = 1024  # samples of a plan; each is judged before the plan is drawn
NOISE = 801


@scenario("dealer", "noise")
async def noise_that_stands_still(bench: Bench) -> None:
    """I-9 EL-4: the same bit for ever."""
    await unavailable_with(bench, stuck(1))


@scenario("dealer", "noise")
async def noise_that_alternates(bench: Bench) -> None:
    """I-9 EL-4: 0101..., which the tests of the standard do not see."""
    await unavailable_with(bench, alternating())


@scenario("dealer", "noise")
async def noise_that_is_biased(bench: Bench) -> None:
    """I-9 EL-4: nine ones of ten."""
    await unavailable_with(bench, biased(1, 0.9))


@scenario("dealer", "noise")
async def noise_that_vanishes(bench: Bench) -> None:
    """I-9 EL-4: good noise that ends in the middle of the window."""
    await unavailable_with(bench, vanishing(1, WINDOW // 2))


async def unavailable_with(bench: Bench, noise: Noise) -> None:
    """Found within the window, before a card moves; good noise and orders change nothing."""
    assert bench.rig.spoil is not None
    assert bench.rig.machine is not None
    taken = 0

    def counted() -> int:
        nonlocal taken
        taken += 1
        return noise()

    bench.rig.spoil(counted)
    since = len(bench.heard.events)
    back = await bench.shuffle()
    await bench.fault(since, "chance", "randomness failed its test", SHUFFLE_S)
    assert taken <= WINDOW
    bench.rig.spoil(good(2))
    status = await bench.step(bench.client.status())
    assert (status.state, status.fault) == (link_pb2.UNAVAILABLE, NOISE)
    await bench.refused(bench.client.cleared(), "EL-2", NOISE)
    await bench.refused(bench.client.load(BACKS[back]), "EL-2", NOISE)
    await bench.refused(bench.client.shuffle(BACKS[back]), "EL-2", NOISE)
    await bench.refused(bench.client.open_round(bench.round + 1, 2), "EL-2", NOISE)
    assert not bench.rig.machine.wheel.seated
    assert not bench.heard.all("ready", since)
