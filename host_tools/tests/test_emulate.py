"""The dealer of an emulated board that keeps running: nobody gives it orders."""

from __future__ import annotations

from typing import cast

from host_tools.emulate import Dealer
from sim.emulated.board import EmulatedBoard
from sim.loop import HeapWorld
from sim.machine import Machine

SECOND = 1_000_000_000


def test_a_stopped_machine_is_emptied_and_not_loaded() -> None:
    world = HeapWorld()
    machine = Machine(world, 1)
    Dealer(cast(EmulatedBoard, world), machine, 1)  # of a board it needs the clock

    def after(seconds: float) -> dict[str, int]:
        world.advance(world.now_ns() + round(seconds * SECOND))
        return {place: len(cards) for place, cards in machine.cards().items() if cards}

    assert sum(after(0.5).values()) == 52
    machine.wheel.slots[3].append(machine.infeed.stack.pop())
    machine.lamp("red", True)
    assert sum(after(1.5).values()) == 52  # it may be service's lamp, that blinks
    assert after(1.0) == {}
    assert after(60.0) == {}
    machine.lamp("red", False)
    assert sum(after(0.5).values()) == 52
