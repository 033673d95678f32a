"""The simulated machine: its parts put together, and its own truth about every card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from boards import mechanics as M
from sim.axis import Axis
from sim.axis import Follower as AxisFollower
from sim.beam import Beam
from sim.card import Card
from sim.deal import Deal
from sim.faults import Faults
from sim.infeed import Infeed
from sim.levels import Levels
from sim.outfeed import Outfeed
from sim.parts import Input
from sim.points import CRANK_SENSOR, DEALT, EJECTED, INFEED_SENSOR, PICKED, SHOE_SENSOR
from sim.supply import Supply
from sim.traits import Traits
from sim.wheel import Wheel
from sim.world import World

AXES = ("pick", "feed", "wheel", "eject", "deal")
SENSORS = ("entry", "count", "home", "tick", "exit", "deal")
SWITCHES = ("lid", "door", "mount")
FREE_STEPS_S2 = 60000  # what friction alone takes from the wheel's speed
# When a switch that is moved says what: microseconds, and whether it has the new state then.
BOUNCE = ((0, True), (400, False), (700, True), (1500, False), (1800, True))
LAMPS: tuple[str, ...] = ("green", "amber", "red", "buzzer")


class Follower(AxisFollower, Protocol):
    """A machine that runs beside this one and is told the same."""

    def read(self, channel: str, counts: int) -> None:
        """Hear what the firmware reads."""
        ...


@dataclass
class Picture:
    """What a camera over the machine sees: for people and tests, never for the firmware."""

    ns: int
    infeed: list[Card]
    path: list[tuple[Card, float]]
    angle: int
    slots: list[list[Card]]
    pushed: tuple[list[Card], float]
    shoe: list[Card]
    dealing: tuple[Card, float] | None
    chute: int
    tray: list[Card]
    lamps: dict[str, bool]
    enabled: bool
    switches: dict[str, bool] = field(default_factory=dict[str, bool])


class Machine:
    """Driven by step edges or whole moves; answers with sensor edges and analog levels."""

    def __init__(self, world: World, seed: int = 0, faults: Faults | None = None) -> None:
        self.world = world
        self.random = Random(f"machine {seed}")
        self.faults = faults or Faults()
        self.faults.now_ns = world.now_ns
        self.axes = {name: Axis(name, world) for name in AXES}
        self.axes["wheel"].free_steps_s2 = FREE_STEPS_S2
        self.motor_supply = Supply(world, self.axes, self.faults)
        self.motor_supply.on_power = self._drive
        self.beams = {name: Beam(name, self.faults) for name in SENSORS}
        self.inputs: dict[str, Input] = dict(self.beams)
        self.inputs |= {name: Input(name, dark=True) for name in SWITCHES}  # closed, mounted
        self.lamps = dict.fromkeys(LAMPS, False)
        self.level_listeners: list[Callable[[], None]] = []
        self.enabled = False
        self.followers: list[Follower] = []  # machines beside this one: sim/without.py
        start = self.random.randrange(M.WHEEL_STEPS_REV)
        axes, inputs = self.axes, self.inputs
        self.wheel = Wheel(axes["wheel"], inputs["home"], inputs["tick"], start, self.faults)
        self.infeed = Infeed(
            axes["pick"], axes["feed"], self.wheel, inputs["entry"], inputs["count"], self.faults
        )
        self.deal = Deal(world, axes["deal"], self.beams["deal"], self.faults)
        self.outfeed = Outfeed(
            axes["eject"], self.wheel, self.deal, self.beams["exit"], self.faults
        )
        self.levels = Levels(
            self.infeed,
            self.outfeed,
            self.deal,
            self.beams,
            self.faults,
            Traits(seed),
            self.motor_supply,
        )
        self.wheel.on_paper = self._cover
        self.infeed.on_picked = self._picked
        self.deal.on_dealt = self._dealt
        self.outfeed.on_ejected = self._ejected

    # -- what the board does to the machine ----------------------------------------------------

    def enable(self, on: bool) -> None:
        """All five drivers."""
        self._tell_followers(lambda machine: machine.enable(on))
        if on != self.enabled:
            self.enabled = on
            self._drive()

    def lamp(self, name: str, on: bool) -> None:
        """A lamp or the buzzer."""
        self.lamps[name] = on

    def level(self, channel: str) -> int:
        """What the converter reads on a multiplexer channel."""
        counts = self.levels.true(channel)
        for one in tuple(self.followers):
            one.read(channel, counts)
        return self.levels.traits.noisy(counts)

    def supply(self, on: bool) -> None:
        """The motor supply: without it the drivers have no current."""
        self._tell_followers(lambda machine: machine.supply(on))
        self.motor_supply.switch(on)

    def switch(self, name: str, safe: bool) -> None:
        """Open or close lid or door, mount or unmount it."""
        self._tell_followers(lambda machine: machine.switch(name, safe))
        self._move_switch(name, safe)

    def lay(self) -> None:
        """Lay the first card of the shoe to its roller anew."""
        self._tell_followers(lambda machine: machine.lay())
        self.deal.lay()

    def resume(self) -> None:
        """Go on, after this machine was copied in the middle of something."""
        self.wheel.on_paper = self._cover
        for axis in self.axes.values():
            axis.resume()
        self.deal.resume()
        self.motor_supply.resume()

    def _tell_followers(self, act: Callable[[Machine], object]) -> None:
        for one in tuple(self.followers):
            one.do(act)

    def _cover(self, beam: str) -> None:
        self.beams[beam].cover()

    def _move_switch(self, name: str, safe: bool) -> None:
        """Move a switch, which bounces."""
        for us, settled in BOUNCE:
            if us:
                self._later(us, name, settled == safe)
            else:
                self.inputs[name].set(safe)

    def _later(self, us: int, name: str, closed: bool) -> None:
        self.world.at(self.world.now_ns() + us * 1000, lambda: self.inputs[name].set(closed))

    def _picked(self) -> None:
        """Ask what strikes the machine as a card is picked."""
        self.motor_supply.picked()
        self.faults.at(PICKED, self)
        self.faults.at(INFEED_SENSOR, self)

    def _dealt(self) -> None:
        """Ask what strikes the machine as a card is dealt."""
        self.faults.at(DEALT, self)
        self.faults.at(SHOE_SENSOR, self)

    def _ejected(self) -> None:
        """Ask what strikes the machine as a card is ejected."""
        self.faults.at(EJECTED, self)
        self.faults.at(CRANK_SENSOR, self)

    def jolt(self, name: str, us: int) -> None:
        """Open a switch for a few microseconds."""
        self._later(0, name, False)
        self._later(us, name, True)

    def open_for(self, name: str, ns: int) -> None:
        """Open a lid or a door, and close it so much later."""
        self._move_switch(name, False)
        self.world.at(self.world.now_ns() + ns, lambda: self._move_switch(name, True))

    def repair(self) -> None:
        """Somebody has cleaned and checked it: what had failed for good works again."""
        self.faults.repair()
        for beam in self.beams.values():
            beam.repair()
        self.axes["wheel"].block(False)
        for axis in self.axes.values():
            axis.heavy_us = 0.0
        self.wheel.paper = False
        self.motor_supply.repair()

    def _drive(self) -> None:
        for axis in self.axes.values():
            axis.set_enabled(self.enabled and self.motor_supply.source_v > 0)

    # -- the truth -----------------------------------------------------------------------------

    def cards(self) -> dict[str, list[Card]]:
        """Every card that is inside, by place."""
        deal = self.deal
        return {
            "infeed": list(self.infeed.stack),
            "path": [p.card for p in self.infeed.path],
            "wheel": [card for slot in self.wheel.slots for card in slot],
            "exit": list(self.outfeed.pushed),
            "shoe": list(deal.held) + ([deal.behind] if deal.behind else []) + list(deal.shoe),
            "chute": [card for card, _ in deal.chute],
            "tray": list(deal.tray),
        }

    def moving(self) -> bool:
        """Whether any axis is in a move (in-process depth)."""
        return any(axis.profile is not None for axis in self.axes.values())

    def picture(self) -> Picture:
        """The present state of everything, for a view."""
        infeed, deal = self.infeed, self.deal
        for p in infeed.path:
            p.follow()
        return Picture(
            ns=self.world.now_ns(),
            infeed=list(infeed.stack),
            path=[(p.card, p.x) for p in infeed.path],
            angle=self.wheel.angle(),
            slots=[list(slot) for slot in self.wheel.slots],
            pushed=(list(self.outfeed.pushed), self.outfeed.x),
            shoe=list(deal.shoe),
            dealing=(deal.held[0], deal.x) if deal.held else None,
            chute=len(deal.chute),
            tray=list(deal.tray),
            lamps=dict(self.lamps),
            enabled=self.enabled,
            switches={name: self.inputs[name].dark for name in SWITCHES},
        )
