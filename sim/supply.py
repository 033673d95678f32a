"""The motor supply: a source with a resistance, loaded by what the motors draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from boards import mechanics as M
from sim.axis import Axis
from sim.faults import Faults
from sim.points import SUPPLY_AT_PICK
from sim.world import World

SOURCE_V = 24.0
COUNTS_V = 3200 / 24  # of the divider
SOURCE_OHM = 0.15  # with its wires
FULL_V = 20.0  # down to here a driver brings its motor's current up at full speed
FOLLOWS = 1.15  # then a motor follows so much more than the speed of its axis; below, in proportion
PULLS = 1.3  # and so much more than its acceleration
STANDS_A = 0.3  # what one motor takes from the supply: under current at rest,
RUNS_A = {"pick": 0.8, "feed": 0.8, "wheel": 1.5, "eject": 0.8, "deal": 0.8}  # at one speed,
SWINGS_A = {"pick": 1.2, "feed": 1.2, "wheel": 3.0, "eject": 1.2, "deal": 1.2}  # on a ramp
TEND_NS = 500_000  # what the capacitors behind the source bridge


class Supply:
    """`source_v` behind `source_ohm`; motors that get too little lose torque, and with it steps."""

    def __init__(self, world: World, axes: Mapping[str, Axis], faults: Faults) -> None:
        self.world, self.axes, self.faults = world, axes, faults
        self.source_v = SOURCE_V
        self._until: dict[str, int] = {}  # by cause: when it ends
        self._tended_ns = 0
        self._sinks: dict[str, float] = {}  # what holds it down, and to how many volts
        self.source_ohm = SOURCE_OHM
        self.least_v = SOURCE_V  # so far, since it became weak
        self.low_ns: int | None = None  # since when it is under the limit
        self.on_power: Callable[[], None] = lambda: None  # it has gone, or come back
        self._tending = False
        self._share = 0.0  # of its torque that each motor has
        for name, (speed, accel) in M.AXES.items():
            axes[name].pull_s = PULLS * accel / (FOLLOWS * speed)
        self.repair()

    def volts(self) -> float:
        """At the drivers."""
        amperes = sum(self._amperes(name) for name in self.axes) if self.source_v else 0.0
        return max(self.source_v - self.source_ohm * amperes, 0.0)

    def counts(self) -> int:
        """The same, as the converter reads it."""
        return round(self.volts() * COUNTS_V)

    def _amperes(self, name: str) -> float:
        axis = self.axes[name]
        if not axis.powered:
            return 0.0
        return {"stands": STANDS_A, "runs": RUNS_A[name], "swings": SWINGS_A[name]}[axis.gait()]

    def load(self, ohm: float) -> None:
        """The source's resistance from now on."""
        self.source_ohm = ohm
        if ohm > SOURCE_OHM and not self._tending:
            self._tending = True
            self._tend()

    def switch(self, on: bool) -> None:
        """The source, on or off; on, nothing holds it down any more."""
        self._sinks = {} if on else {"off": 0.0}
        self._feed()

    def sink(self, cause: str, volts: float, ns: int = 0) -> None:
        """Give no more than this, for good or so long; of several the lowest holds."""
        self._sinks[cause] = volts
        self._feed()
        if ns:
            self._until[cause] = self.world.now_ns() + ns
            self.world.at(self._until[cause], lambda: self._recover(cause))

    def resume(self) -> None:
        """Go on, after this part was copied."""
        for cause, ns in self._until.items():
            self.world.at(ns, lambda cause=cause: self._recover(cause))
        if self._tending:
            self.world.at(self._tended_ns + TEND_NS, self._tend)

    def _recover(self, cause: str) -> None:
        self._until.pop(cause, None)
        self._sinks.pop(cause, None)
        self._feed()

    def _feed(self) -> None:
        self.source_v = min(self._sinks.values(), default=SOURCE_V)
        self._note_low()
        self.on_power()

    def repair(self) -> None:
        """Another source."""
        self.source_ohm, self.least_v = SOURCE_OHM, SOURCE_V
        self._share = 0.0
        self._give(1.0)
        self.switch(True)

    def picked(self) -> None:
        """Ask what strikes the supply as a card is picked."""
        self.faults.at(SUPPLY_AT_PICK, self)

    def _tend(self) -> None:
        """While the source is weak: what the motors draw now is what they have."""
        if self.source_ohm == SOURCE_OHM:
            self._tending = False
            return
        self._tended_ns = self.world.now_ns()
        volts = self.volts()
        self.least_v = min(self.least_v, volts)
        self._give(min(volts / FULL_V, 1.0))
        self._note_low()
        self.world.at(self.world.now_ns() + TEND_NS, self._tend)

    def _note_low(self) -> None:
        if self.counts() >= M.SUPPLY_MIN:
            self.low_ns = None
        elif self.low_ns is None:
            self.low_ns = self.world.now_ns()

    def _give(self, share: float) -> None:
        """Every motor has so much of its torque from now on."""
        if share == self._share:
            return
        self._share = share
        for name, axis in self.axes.items():
            axis.follow(M.AXES[name][0] * FOLLOWS * share)
