"""Troubles drawn over kind, station, card, phase and depth of nesting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from dovetail import faults as table

from host_tools.campaign.plants import (
    CARDS,
    CASES,
    DEAL,
    EMPTY,
    FILL,
    OF_PLANT,
    REST,
    Case,
    row,
)
from host_tools.campaign.scenario import (
    LATEST_MS,
    SEEDS,
    Plant,
    keyed,
    listed,
    planted,
    refuse,
    whole,
    word,
)
from sim.faults import BEAMS, INPROCESS, SIZES

NOISY = 0.2  # sessions that end by it
FILLING, EMPTYING, DEALING = "fill", "empty", "deal"
BOTH = "both"  # a deck is shuffled into the wheel while stacks of the other are dealt
TWO_LANES = 0.3  # of all troubles
FILL_MS = 9000  # less than the wheel needs: the round begins so long after its work, or sooner
TICKS, PASSINGS = 780, 14  # of the tick and the home mark, while a deck goes through the wheel
PHASE = {FILL: FILLING, EMPTY: EMPTYING, DEAL: DEALING, REST: DEALING}
PHASES = (FILLING, EMPTYING, DEALING, BOTH)
CONTRARY = {"dead": "full", "full": "dead", "dark": "blind", "blind": "dark"}
NOISE = "noise"  # in place of a switch: the noise part fails, and only a power-on follows
SWITCHES = {"lid": table.LID_OPEN, "door": table.DOOR_OPEN, "mount": table.NOT_MOUNTED}

# Stations by the first word of a plant, for those that the machine gets over alone.
STATIONS = {
    "infeed": "feeder",
    "card": "feeder",
    "path": "feeder",
    "pick": "feeder",
    "feed": "feeder",
    "entry": "feeder",
    "count": "feeder",
    "thickness_in": "feeder",
    "back": "feeder",
    "board": "motion",
    "wheel": "wheel",
    "tick": "wheel",
    "home": "wheel",
    "eject": "ejector",
    "exit": "ejector",
    "crank": "ejector",
    "deal": "shoe",
    "shoe": "shoe",
    "thickness_out": "shoe",
    "tray": "tray",
    "supply": "interlock",
    "lid": "interlock",
    "door": "interlock",
    "hands": "machine",
}
# A second station that may be the first to meet it: a card that is gone or too many is met when
# counted, paper and dead sensors by whoever looks there next, a card half in its slot by the wheel.
ALSO = {
    "shoe.robbed": {"count"},
    "shoe.lost": {"count"},
    "shoe.extra": {"count"},
    "path.jam_at:slot": {"wheel"},
    # the tick is wider than a slot's mouth: what is lost within it card or rod meets as a wall
    "wheel.slip": {"feeder", "ejector"},
    "wheel.stall": {"feeder", "ejector"},
    "feed.heavy": {"wheel"},
    "tray.overlooked": {"tray"},
    "supply.spent": {"feeder", "wheel", "ejector"},  # steps are lost before it is looked at
    "board.busy": {"feeder"},
    "board.hung": {"motion", "feeder"},
}
# The machine can go on: nothing is wrong with what it delivers.
# Three cards at once are too many for a stack; in the rest they are counted like any other.
ALONE = frozenset(case.plant for case in CASES if not case.number) | {
    "tray.overlooked",
    "deal.triple_feed",
}
# Not clearable by trying again, but harmless as such: the sensor reads high, a card is bent.
# One look that overlooks the tray is not believed.
HARMLESS = frozenset(
    (
        "thickness_in.drift",
        "card.bent",
        "card.nicked",
        "card.slick",
        "card.warped",
        "path.slip",
        "pick.lost",
        "feed.lost",
        "deal.lost",
        "infeed.creep",
        "board.busy",
        "tray.overlooked",
        "supply.sag",
        "lid.jolt",
        "door.jolt",
        "back.faded",
        "thickness_out.drift",
        "hands.late",
        "hands.left",
        *(f"{beam}.{way}" for beam in BEAMS for way in ("dust", "glare")),
    )
)
FLICKERS = frozenset(f"{beam}.flicker" for beam in BEAMS)  # nothing is tried
CLEARABLE = ALONE - HARMLESS - FLICKERS - {"deal.triple_feed"}
# A second one strikes while the first is tried, or while the machine looks whether all are out.
TRY, CLEARING = "try", "clearing"
NESTED = 0.15  # of all troubles; not each of them strikes
OPENED = 0.3  # of those: a door, and no plant
USUAL = 0.3  # of what has a size: as ever
TRIED = tuple(
    case
    for case in CASES
    if case.plant in CLEARABLE
    or case.number
    in (table.MISFEED, table.FEED_JAM, table.LOST_STEPS, table.WHEEL_LOST, table.SLOT_EMPTY)
    or case.number in (table.EXIT_JAM, table.DEAL_MISFEED, table.DEAL_JAM)
)
# What passes again while it is tried: not the card itself, which lies on its way already.
AGAIN = ("entry", "count", "exit", "tick", "home", "wheel", "thickness", "back", "board", "tray")
AGAIN_DEAL = tuple(
    f"deal.{way}" for way in ("blind", "dark", "flicker", "dust", "glare", "covered")
)
# What passes while it looks for cards: the wheel turns round, the ejector strikes into each slot.
LOOKED = ("tick", "home", "wheel", "hands.forget", "exit.covered", "entry.covered", "count.covered")


@dataclass(frozen=True)
class Trouble:
    """What goes wrong: plants with the passage at which each strikes, counted from here.

    A float is no passage but how likely it is at each.
    """

    phase: str
    plants: tuple[Plant, ...] = ()
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


def stations(name: str) -> set[str]:
    """Where a plant may be met."""
    case = OF_PLANT[name]
    there = {STATIONS[name.split(".")[0]]} | ALSO.get(name, set())
    if case.number:
        there.add(row(case.number)[2])
    return there


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


def passage(name: str, phase: str, random: Random) -> int:
    """A card of the deck, a slot that passes, a reading: what the plant counts."""
    if name.startswith(("wheel.", "tick.")) or name in ("entry.covered", "count.covered"):
        return random.randint(1, TICKS)
    if name.startswith("home."):
        return random.randint(1, PASSINGS)
    if name.startswith("hands.") and OF_PLANT[name].number not in SWITCHES.values():
        return 1
    if name == "tray.overlooked":
        return random.randint(1, 4)
    return random.randint(1, CARDS)


def contrary(name: str, drawn: Iterable[str]) -> bool:
    """Whether one of those has the same sensor fail the other way: it can't do both."""
    part, _, way = name.partition(".")
    return f"{part}.{CONTRARY.get(way)}" in drawn


def measured(name: str, random: Random) -> str:
    """The plant with a size, where it has one."""
    size = SIZES.get(name)
    if size is None or random.random() < USUAL:
        return name
    return f"{name}@{random.randint(size.least, size.most)}"


def within(random: Random, cases: Sequence[Case]) -> Trouble:
    """A second one while the first is got over, or cleared."""
    during = random.choice((TRY, CLEARING))
    met = [case for case in cases if case in TRIED or (during == CLEARING and case.number)]
    first = random.choice([case for case in met if case.plant != "hands.forget"])
    own = PHASE[first.phase]
    both = random.random() < TWO_LANES
    plants = ((measured(first.plant, random), passage(first.plant, own, random)),)
    begin_ms = random.randint(0, FILL_MS) if both else 0
    phase = BOTH if both else own
    if random.random() < OPENED:
        after_ms = random.randint(0, 60 if during == TRY else 1500)
        return Trouble(phase, plants, random.choice(list(SWITCHES)), after_ms, begin_ms, during)
    if during == CLEARING:
        names = [case.plant for case in cases if case.plant.startswith(LOOKED)]
        at = random.randint(1, 20)
    else:
        there = AGAIN_DEAL + AGAIN[-1:] + ("thickness_out",) if own == DEALING else AGAIN
        names = [case.plant for case in cases if case.plant.startswith(there)]
        at = random.randint(1, 2)
    drawn = {first.plant}
    second = random.choice([n for n in names if n not in drawn and not contrary(n, drawn)])
    if second.startswith(("home.", "hands.")):
        at = 1
    return Trouble(phase, (*plants, (measured(second, random), at)), "", 0, begin_ms, during)


def trouble(random: Random, cases: Sequence[Case] = CASES) -> Trouble:
    """One, with a second in every fifth, and a third in every fifth of those."""
    if random.random() < NESTED:
        return within(random, cases)
    both = random.random() < TWO_LANES
    begin_ms = random.randint(0, FILL_MS) if both else 0
    if random.random() < 0.05:
        phase = BOTH if both else random.choice((FILLING, DEALING))
        switch, after_ms = random.choice(list(SWITCHES)), random.randint(50, 15000)
        return Trouble(phase, (), switch, after_ms, begin_ms)
    first = random.choice(cases)
    own = PHASE[first.phase]
    plants = [(measured(first.plant, random), passage(first.plant, own, random))]
    drawn = {first.plant}
    same = [case for case in cases if (both or PHASE[case.phase] == own) and not case.spoilt]
    while len(plants) < 3 and random.random() < 0.2:
        case = random.choice(same)
        if case.plant not in drawn and not contrary(case.plant, drawn):
            near = min(plants[0][1] + random.randint(0, 1), CARDS)
            is_card = case.plant.split(".")[0] == first.plant.split(".")[0]
            at = near if is_card else passage(case.plant, PHASE[case.phase], random)
            plants.append((measured(case.plant, random), at))
            drawn.add(case.plant)
    if first.plant == "hands.forget":
        plants.append(("path.jam", random.randint(1, CARDS)))  # for there to be a clearing
    return Trouble(BOTH if both else own, tuple(plants), begin_ms=begin_ms)


def session(seed: int, count: int, depth: str = "in-process") -> Session:
    """So many troubles in a row; of a real image those that its machine can have."""
    random = Random(f"campaign {seed}")
    quick = depth == "in-process"
    cases = CASES if quick else tuple(case for case in CASES if case.plant not in INPROCESS)
    troubles = [trouble(random, cases) for _ in range(count)]
    if random.random() < NOISY:
        troubles[-1] = Trouble(FILLING, (), NOISE)
    return Session(seed, tuple(troubles))
