"""Plants of the motor supply, and jolts that a switch feels: as a card is picked or dealt."""

from __future__ import annotations

from dovetail import faults

from sim.plants.record import BREAKS, DEAL, FILL, HARMLESS, ONWARD, Plant, set_of
from sim.points import DEALT, PICKED, SUPPLY_AT_PICK

SAG_V, _SAG_NS, _DIP_NS = 21.5, 200_000_000, 60_000_000
WEAK_OHM, SPENT_OHM = 1.2, 2.4
_JOLT_US = 2000

SAGS = (
    Plant(
        name="supply.sag",
        sentence="the motor supply gives 21.5 V for 200 ms as this card is picked",
        at=SUPPLY_AT_PICK,
        does=lambda supply, _: supply.sink("sag", SAG_V, _SAG_NS),
        phase=FILL,
        drawn=98,
        wears=1 / 2000,
        station="interlock",
        ends=HARMLESS,
    ),
    Plant(
        name="supply.weak",
        sentence="from this card on the motor supply's source has 1.2 ohm: it sags as axes move",
        lasts=ONWARD,
        at=SUPPLY_AT_PICK,
        does=lambda supply, _: supply.load(WEAK_OHM),
        phase=FILL,
        drawn=99,
        station="interlock",
        number=faults.SUPPLY_LOST,
    ),
    Plant(
        name="supply.spent",
        sentence="from this card on it has 2.4 ohm: motors lose torque, and with it steps",
        lasts=ONWARD,
        at=SUPPLY_AT_PICK,
        does=lambda supply, _: supply.load(SPENT_OHM),
        phase=FILL,
        drawn=100,
        station="interlock",
        also=set_of("feeder", "wheel", "ejector"),  # steps are lost before it is looked at
        number=faults.SUPPLY_LOST,
    ),
    Plant(
        name="supply.dip",
        sentence="the motor supply fails for 60 ms as this card is picked",
        at=SUPPLY_AT_PICK,
        turn=-1,
        does=lambda supply, _: supply.sink("dip", 0.0, _DIP_NS),
        phase=FILL,
        drawn=97,
        station="interlock",
        number=faults.SUPPLY_LOST,
    ),
)
JOLTS = (
    Plant(
        name="lid.jolt",
        sentence="a jolt opens the lid's switch for 2 ms as this card is picked",
        at=PICKED,
        does=lambda machine, _: machine.jolt("lid", _JOLT_US),
        phase=FILL,
        drawn=101,
        wears=1 / 2000,
        station="interlock",
        ends=HARMLESS,
    ),
    Plant(
        name="door.jolt",
        sentence="a jolt opens the shoe door's switch for 2 ms as this card is dealt",
        at=DEALT,
        does=lambda machine, _: machine.jolt("door", _JOLT_US),
        phase=DEAL,
        tried_at=frozenset({2}),
        drawn=102,
        wears=1 / 2000,
        station="interlock",
        ends=HARMLESS,
    ),
)
FAILS = (
    Plant(
        name="supply.lost",
        sentence="the motor supply fails as this card is picked",
        lasts=BREAKS,
        at=SUPPLY_AT_PICK,
        turn=-2,
        does=lambda supply, _: supply.sink("lost", 0.0),
        phase=FILL,
        drawn=96,
        thin=True,
        station="interlock",
        number=faults.SUPPLY_LOST,
    ),
)
