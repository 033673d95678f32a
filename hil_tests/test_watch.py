"""The watch sees what it is there to see: each invariant, broken on purpose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from hil_tests.watch import ROLLERS_MS, WHEEL_MS, Watch
from host_tools.hands import SimulatedHands
from host_tools.link import link_pb2
from host_tools.rigs import Rig
from sim.hands import Hands
from sim.line import Line, Uart
from sim.loop import HeapWorld, run
from sim.machine import Machine

Break = Callable[[Watch, Machine], None]


def watched(break_it: Break, then_ms: int = 0, again: Break | None = None) -> list[str]:
    """What a watch says of a machine without firmware, to which something is done."""
    world = HeapWorld()
    machine = Machine(world)
    hands = SimulatedHands(Hands(machine, ("red", "blue")), 1)
    line = Line(world, Uart(world, 115200))

    async def look() -> list[str]:
        watch = Watch(Rig("in-process", line, hands, hands, machine, world.now_ns), 52)
        await asyncio.sleep(0.02)
        break_it(watch, machine)
        await asyncio.sleep(then_ms / 1000)
        if again is not None:
            again(watch, machine)
        await asyncio.sleep(0.02)
        await watch.close()
        return watch.broken

    return run(world, look())


def put_into_shoe(machine: Machine, count: int, back: str = "red") -> None:
    """Cards appear in the shoe."""
    deck = Hands(machine, (back,)).decks[back]
    machine.deal.shoe = deck[:count]


def ready(watch: Watch, counted: int = 52) -> None:
    """The machine says that a deck is ready."""
    said = link_pb2.ReadyToDeal(
        back=link_pb2.RED, counted_in=52, counted_out=counted, expected=52, text="52 of 52"
    )
    watch.hear(link_pb2.Event(number=1, ready=said))


def test_a_machine_at_rest_breaks_nothing() -> None:
    assert watched(lambda watch, machine: None, 300) == []


def test_ready_with_all_cards_breaks_nothing() -> None:
    def do(watch: Watch, machine: Machine) -> None:
        put_into_shoe(machine, 52)
        ready(watch)
        watch.opened()

    assert watched(do) == []


def test_ready_with_a_card_missing() -> None:
    def do(watch: Watch, machine: Machine) -> None:
        put_into_shoe(machine, 51)
        ready(watch)

    assert "I-1" in watched(do)[0]


def test_ready_with_two_counts_that_differ() -> None:
    def do(watch: Watch, machine: Machine) -> None:
        put_into_shoe(machine, 52)
        ready(watch, counted=51)

    assert "I-1" in watched(do)[0]


def test_a_second_round_from_one_shuffle() -> None:
    def do(watch: Watch, machine: Machine) -> None:
        put_into_shoe(machine, 52)
        ready(watch)
        watch.opened()
        watch.opened()

    assert "I-2" in watched(do)[0]


def test_a_card_before_no_more_bets() -> None:
    def do(watch: Watch, machine: Machine) -> None:
        put_into_shoe(machine, 1)
        machine.deal.tray = machine.deal.shoe

    assert "I-2" in watched(do)[0]


def test_a_stack_that_is_not_what_is_said() -> None:
    def do(watch: Watch, machine: Machine) -> None:
        watch.bets_closed = True
        stack = link_pb2.StackDealt(round=1, position=4, ordered=3, delivered=3)
        watch.hear(link_pb2.Event(number=1, stack=stack))

    assert "I-3: position 4" in watched(do)[0]


@pytest.mark.parametrize(
    ("axis", "after_ms", "broken"),
    [
        ("feed", ROLLERS_MS - 20, False),
        ("feed", ROLLERS_MS + 30, True),
        ("wheel", ROLLERS_MS + 30, False),
        ("wheel", WHEEL_MS + 30, True),
    ],
)
def test_motion_while_the_lid_is_open(axis: str, after_ms: int, broken: bool) -> None:
    def lid(watch: Watch, machine: Machine) -> None:
        machine.inputs["lid"].set(False)

    def move(watch: Watch, machine: Machine) -> None:
        machine.axes[axis].position += 7

    said = watched(lid, after_ms, move)
    assert bool(said) == broken, said
    assert not broken or f"I-6: {axis} moved 7 steps" in said[0]


def test_motion_after_a_fault() -> None:
    def fault(watch: Watch, machine: Machine) -> None:
        watch.hear(link_pb2.Event(number=1, fault=link_pb2.FaultRaised(fault=102)))

    def move(watch: Watch, machine: Machine) -> None:
        machine.axes["pick"].position += 1

    assert "I-6: pick" in watched(fault, 200, move)[0]


def test_motion_when_the_machine_looks_for_cards_is_allowed() -> None:
    def cleared(watch: Watch, machine: Machine) -> None:
        watch.hear(link_pb2.Event(number=1, fault=link_pb2.FaultRaised(fault=102)))
        watch.clearing()

    def move(watch: Watch, machine: Machine) -> None:
        machine.axes["pick"].position += 1

    assert watched(cleared, 200, move) == []
