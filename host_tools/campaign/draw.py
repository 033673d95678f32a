"""Troubles drawn over kind, station, card, phase and depth of nesting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from dovetail import faults as table

from host_tools.campaign.scenario import (
    LATEST_MS,
    SEEDS,
    Planted,
    keyed,
    listed,
    planted,
    refuse,
    whole,
    word,
)
from sim.plants.catalogue import DRAWN, INPROCESS, OF_NAME, SIZES
from sim.plants.record import (
    CLEARABLE,
    DEAL,
    EMPTY,
    FILL,
    REST,
    SHOE_LANE,
    WHEEL_LANE,
    Plant,
)
from sim.points import CARDS

NOISY = 0.2  # sessions that end by it
FILLING, EMPTYING, DEALING = "fill", "empty", "deal"
BOTH = "both"  # a deck is shuffled into the wheel while stacks of the other are dealt
TWO_LANES = 0.3  # of all troubles
FILL_MS = 9000  # less than the wheel needs: the round begins so long after its work, or sooner
PHASE = {FILL: FILLING, EMPTY: EMPTYING, DEAL: DEALING, REST: DEALING}
PHASES = (FILLING, EMPTYING, DEALING, BOTH)
NOISE = "noise"  # in place of a switch: the noise part fails, and only a power-on follows
SWITCHES = {"lid": table.LID_OPEN, "door": table.DOOR_OPEN, "mount": table.NOT_MOUNTED}

# A second one strikes while the first is tried, or while the machine looks whether all are out.
TRY, CLEARING = "try", "clearing"
NESTED = 0.15  # of all troubles; not each of them strikes
OPENED = 0.3  # of those: a door, and no plant
USUAL = 0.3  # of what has a size: as ever
TRIED = tuple(
    plant
    for plant in DRAWN
    if plant.ends == CLEARABLE
    or plant.number
    in (table.MISFEED, table.FEED_JAM, table.LOST_STEPS, table.WHEEL_LOST, table.SLOT_EMPTY)
    or plant.number in (table.EXIT_JAM, table.DEAL_MISFEED, table.DEAL_JAM)
)
# What passes while the machine looks for cards: the wheel turns round, the ejector strikes into
# each slot.
LOOKED = tuple(plant.name for plant in DRAWN if plant.looked)


@dataclass(frozen=True)
class Trouble:
    """What goes wrong: plants with the passage at which each strikes, counted from here.

    A float is no passage but how likely it is at each.
    """

    phase: str
    plants: tuple[Planted, ...] = ()
    switch: str = ""  # opened
    after_ms: int = 0
    begin_ms: int = 0  # with both lanes at work: when the round begins
    during: str = (
        ""  # TRY, CLEARING: the first alone is planted now, the others and the switch then
    )

    def as_json(self) -> dict[str, Any]:
        """For a scenario file: what nobody would read is not in it."""
        return {
            "phase": self.phase,
            "plants": [list(plant) for plant in self.plants],
            "switch": self.switch,
            "after_ms": self.after_ms if self.switch else 0,
            "begin_ms": self.begin_ms if self.phase == BOTH else 0,
            "during": self.during if len(self.plants) + bool(self.switch) > 1 else "",
        }

    @classmethod
    def of(cls, said: object, where: str = "a trouble") -> Trouble:
        """From a scenario file; raises UsageError."""
        needed = ("phase", "plants", "switch", "after_ms", "begin_ms")
        found = keyed(said, where, needed, ("during",))
        during = word(found.get("during", ""), f"{where}.during", ("", TRY, CLEARING))
        one = cls(
            word(found["phase"], f"{where}.phase", PHASES),
            planted(found["plants"], f"{where}.plants", during),
            word(found["switch"], f"{where}.switch", ("", *SWITCHES, NOISE)),
            whole(found["after_ms"], f"{where}.after_ms", 0, LATEST_MS),
            whole(found["begin_ms"], f"{where}.begin_ms", 0, LATEST_MS),
            during,
        )
        for key, read in one.as_json().items():
            if key in UNREAD and getattr(one, key) != read:
                raise refuse(f"{where}.{key}", getattr(one, key), UNREAD[key])
        return one


# What must stand where nobody reads it
UNREAD = {
    "after_ms": "no switch is opened: wanted is 0",
    "begin_ms": 'the round begins by itself in "both" alone: wanted is 0',
    "during": 'there is nothing to happen then, one plant or switch is all: wanted is ""',
}


def when(at: int | float) -> set[int] | float:
    """The passage of a plant, or how likely it is, as the machine takes it."""
    return {at} if isinstance(at, int) else at


@dataclass(frozen=True)
class Session:
    """Troubles, one after the other, on one machine."""

    seed: int
    troubles: tuple[Trouble, ...] = field(default_factory=tuple[Trouble, ...])

    def as_json(self) -> dict[str, Any]:
        """A scenario file."""
        return {"seed": self.seed, "troubles": [one.as_json() for one in self.troubles]}

    @classmethod
    def of(cls, said: object) -> Session:
        """From a scenario file; raises UsageError."""
        found = keyed(said, "a scenario", ("seed", "troubles"))
        seed = whole(found["seed"], "seed", 0, SEEDS - 1)
        troubles = listed(found["troubles"], "troubles", "what goes wrong, one after the other")
        if not troubles:
            raise refuse("troubles", troubles, "wanted is at least one")
        return cls(seed, tuple(Trouble.of(one, f"troubles[{n}]") for n, one in enumerate(troubles)))


def passage(plant: Plant[Any], random: Random) -> int:
    """Draw a passage: a card of the deck, a slot that passes, a reading."""
    return 1 if plant.drawn_from == 1 else random.randint(1, plant.drawn_from)


def contrary(name: str, drawn: Iterable[str]) -> bool:
    """Return whether one of those has the same sensor fail the other way: it can't do both."""
    other = OF_NAME[name].contrary
    return bool(other) and other in drawn


def measured(plant: Plant[Any], random: Random) -> str:
    """Return the plant's name with a size, where it has one."""
    size = SIZES.get(plant.name)
    if size is None or random.random() < USUAL:
        return plant.name
    return f"{plant.name}@{random.randint(size.least, size.most)}"


def within(random: Random, plants: Sequence[Plant[Any]]) -> Trouble:
    """Draw a trouble with a second plant while the first is got over, or cleared."""
    during = random.choice((TRY, CLEARING))
    met = [plant for plant in plants if plant in TRIED or (during == CLEARING and plant.number)]
    first = random.choice([plant for plant in met if not plant.needs])
    own = PHASE[first.phase]
    both = random.random() < TWO_LANES
    drawn = ((measured(first, random), passage(first, random)),)
    begin_ms = random.randint(0, FILL_MS) if both else 0
    phase = BOTH if both else own
    if random.random() < OPENED:
        after_ms = random.randint(0, 60 if during == TRY else 1500)
        return Trouble(phase, drawn, random.choice(list(SWITCHES)), after_ms, begin_ms, during)
    if during == CLEARING:
        there = [plant for plant in plants if plant.looked]
        at = random.randint(1, 20)
    else:
        lane = SHOE_LANE if own == DEALING else WHEEL_LANE
        there = [plant for plant in plants if lane in plant.again]
        at = random.randint(1, 2)
    names = {first.name}
    second = random.choice([p for p in there if p is not first and not contrary(p.name, names)])
    if second.at.seldom:
        at = 1
    return Trouble(phase, (*drawn, (measured(second, random), at)), "", 0, begin_ms, during)


def trouble(random: Random, plants: Sequence[Plant[Any]] = DRAWN) -> Trouble:
    """Draw one, with a second plant in every fifth, and a third in every fifth of those."""
    if random.random() < NESTED:
        return within(random, plants)
    both = random.random() < TWO_LANES
    begin_ms = random.randint(0, FILL_MS) if both else 0
    if random.random() < 0.05:
        phase = BOTH if both else random.choice((FILLING, DEALING))
        switch, after_ms = random.choice(list(SWITCHES)), random.randint(50, 15000)
        return Trouble(phase, (), switch, after_ms, begin_ms)
    first = random.choice(plants)
    own = PHASE[first.phase]
    drawn = [(measured(first, random), passage(first, random))]
    names = {first.name}
    same = [one for one in plants if (both or PHASE[one.phase] == own) and not one.spoils]
    while len(drawn) < 3 and random.random() < 0.2:
        other = random.choice(same)
        if other.name not in names and not contrary(other.name, names):
            near = min(drawn[0][1] + random.randint(0, 1), CARDS)
            at = near if other.part == first.part else passage(other, random)
            drawn.append((measured(other, random), at))
            names.add(other.name)
    if first.needs:
        drawn.append((first.needs, random.randint(1, CARDS)))
    return Trouble(BOTH if both else own, tuple(drawn), begin_ms=begin_ms)


def session(seed: int, count: int, depth: str = "in-process") -> Session:
    """Draw so many troubles in a row; of a real image those that its machine can have."""
    random = Random(f"campaign {seed}")
    quick = depth == "in-process"
    plants = DRAWN if quick else tuple(one for one in DRAWN if one.name not in INPROCESS)
    troubles = [trouble(random, plants) for _ in range(count)]
    if random.random() < NOISY:
        troubles[-1] = Trouble(FILLING, (), NOISE)
    return Session(seed, tuple(troubles))
