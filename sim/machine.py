"""The simulated machine: its parts put together, and its own truth about every card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from boards import mechanics as M
from sim.axis import Axis
from sim.deal import Deal
from sim.infeed import Infeed
from sim.outfeed import Outfeed
from sim.parts import Card, Faults, Input
from sim.wheel import Wheel
from sim.world import World

AXES = ("pick", "feed", "wheel", "eject", "deal")
SENSORS = ("entry", "count", "home", "tick", "exit", "deal")
SWITCHES = ("lid", "door", "mount")
LAMPS: tuple[str, ...] = ("green", "amber", "red", "buzzer")


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
        self.axes = {name: Axis(name, world) for name in AXES}
        self.inputs = {name: Input(name) for name in SENSORS}
        self.inputs |= {name: Input(name, dark=True) for name in SWITCHES}  # closed, mounted
        self.lamps = dict.fromkeys(LAMPS, False)
        self.level_listeners: list[Callable[[], None]] = []
        self.enabled = False
        self.supply = 3200
        start = self.random.randrange(M.WHEEL_STEPS_REV)
        axes, inputs = self.axes, self.inputs
        self.wheel = Wheel(axes["wheel"], inputs["home"], inputs["tick"], start)
        self.infeed = Infeed(
            axes["pick"], axes["feed"], self.wheel, inputs["entry"], inputs["count"], self.faults
        )
        self.deal = Deal(world, axes["deal"], inputs["deal"], self.faults)
        self.outfeed = Outfeed(axes["eject"], self.wheel, self.deal, inputs["exit"], self.faults)

    # -- what the board does to the machine ----------------------------------------------------

    def enable(self, on: bool) -> None:
        """All five drivers."""
        if on != self.enabled:
            self.enabled = on
            for axis in self.axes.values():
                axis.set_enabled(on)

    def lamp(self, name: str, on: bool) -> None:
        """A lamp or the buzzer."""
        self.lamps[name] = on

    def level(self, channel: str) -> int:
        """What the converter reads on a multiplexer channel."""
        if channel == "thickness_in":
            return M.THICKNESS_BASE + sum(card.layer for card in self.infeed.over_count())
        if channel == "thickness_out":
            return M.THICKNESS_BASE + sum(card.layer for card in self.deal.over_beam())
        if channel == "back":
            cards = self.infeed.over_count()
            return M.BACKS[cards[-1].back] if cards else 100
        if channel == "supply":
            return self.supply
        if channel == "infeed":
            return _presence(self.infeed.present())
        if channel == "shoe":
            return _presence(self.deal.present())
        if channel == "tray":
            return _presence(bool(self.deal.tray))
        if channel.startswith("level_"):
            return 600 if self.inputs[channel[6:]].dark else 3400
        return 0

    # -- the truth -----------------------------------------------------------------------------

    def cards(self) -> dict[str, list[Card]]:
        """Every card that is inside, by place."""
        deal = self.deal
        return {
            "infeed": list(self.infeed.stack),
            "path": [p.card for p in self.infeed.path],
            "wheel": [card for slot in self.wheel.slots for card in slot],
            "exit": list(self.outfeed.pushed),
            "shoe": ([deal.held] if deal.held is not None else []) + list(deal.shoe),
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
            dealing=None if deal.held is None else (deal.held, deal.x),
            chute=len(deal.chute),
            tray=list(deal.tray),
            lamps=dict(self.lamps),
            enabled=self.enabled,
            switches={name: self.inputs[name].dark for name in SWITCHES},
        )


def _presence(there: bool) -> int:
    return 3000 if there else 300
