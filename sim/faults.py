"""Faults that can be planted: each is a named parameter of one simulated part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from random import Random

from sim.card import WRONG

Plants = Mapping[str, "set[int] | float"]

BEAMS = ("entry", "count", "exit", "deal")
PLACES = ("entry", "nip", "count", "mouth", "slot")  # where a card on the path can stick

# A fault strikes one passage, or from one passage on for good where the sentence says "from".
# What a passage is stands in the sentence too: a card, a slot, a move, a reading.
_PARTS = {
    "infeed.misfeed": "the pick roller slips on a card once, and takes it at the next try",
    "infeed.stuck": "the card holds on to the next one, and no try brings it out",
    "infeed.double_feed": "the pick roller takes two cards at once, edge on edge",
    "infeed.overlap": "the next card comes along 20 mm behind this one",
    "infeed.creep": "the card comes late into the nip, by 5 mm of travel",
    "pick.lost": "the pick roller's motor loses 200 steps as it takes a card",
    **{name: says for name, (says, _) in WRONG.items()},
    "feed.heavy": "from this card on the feed rollers drag: they follow 20,000 steps a second",
    "feed.lost": "the feed rollers' motor loses 200 steps as they take a card",
    "path.slip": "the card slips by 8 mm in the feed rollers",
    "path.skid": "the card slips by 25 mm in the feed rollers",
    "path.jam": "the card sticks between the count station and the wheel's mouth",
    "path.hold": "the card sticks before the mouth until the rollers are turned back once",
    "wheel.slip": "the wheel's motor loses 30 steps of its turn as a slot passes the tick",
    "wheel.heavy": "from this slot on the wheel drags: it follows 12,000 steps a second",
    "wheel.stall": "the wheel binds as a slot passes the tick, and stays so until it is cleared",
    "eject.lost": "the ejector's motor loses 40 steps as it takes a card",
    "eject.missed": "the ejector's rod misses the card, which stays in its slot",
    "exit.jam": "the ejected card sticks in the exit beam",
    "exit.hold": "the ejected card sticks in the exit beam until it is pushed once more",
    "exit.torn": "the card was torn in the wheel: 8 mm of its front are gone",
    "exit.drag": "a scrap comes with the ejected card: the beam clears 8 mm late",
    "deal.misfeed": "the deal roller slips on a card once, and takes it at the next try",
    "deal.stuck": "the card stays in the shoe, and no try brings it out",
    "deal.double_feed": "the deal roller takes two cards at once, edge on edge",
    "deal.triple_feed": "the deal roller takes three cards at once, edge on edge",
    "deal.overlap": "the next card comes along 20 mm behind the dealt one",
    "deal.bent_pair": "the deal roller takes two cards at once, one of them badly bent",
    "deal.torn": "the card was torn in the shoe: 12 mm of its end are gone",
    "deal.jam": "the dealt card sticks in the deal beam",
    "deal.lost": "the deal roller's motor loses 200 steps as it takes a card",
    "deal.slip": "the dealt card slips by 8 mm under the roller",
    "deal.ahead": "the card has come 6 mm too far out of the shoe with the last one",
    "shoe.robbed": "somebody has taken all cards but this one out of the shoe",
    "shoe.lost": "somebody has taken the card behind this one out of the shoe",
    "shoe.extra": "somebody has put a card of the same back behind this one into the shoe",
    "infeed.dead": "from this card on the infeed's sensor sees nothing",
    "infeed.full": "from this card on the infeed's sensor sees a card, whether one is there or not",
    "shoe.dead": "from this card on the shoe's sensor sees nothing",
    "shoe.full": "from this card on the shoe's sensor sees a card, whether one is there or not",
    "crank.dead": "from this stroke on the crank's sensor does not see it at rest",
    "tray.overlooked": "the tray's sensor overlooks what lies there, at one reading",
    "tray.dead": "from this reading on the tray's sensor sees nothing",
    "thickness_in.dead": "from this reading on the sensor in the count station reads no card",
    "thickness_in.drift": "from this reading on it reads a third too much",
    "thickness_out.drift": "from this reading on the sensor at the shoe reads a quarter too much",
    "thickness_out.dead": "from this reading on the sensor at the shoe reads no card",
    "back.dead": "from this reading on the colour sensor reads no card",
    "back.faded": "from this reading on the colour sensor reads 200 counts too little",
    "supply.sag": "the motor supply gives 21.5 V for 200 ms as this card is picked",
    "supply.weak": "from this card on the motor supply's source has 1.2 ohm: it sags as axes move",
    "supply.spent": "from this card on it has 2.4 ohm: motors lose torque, and with it steps",
    "supply.dip": "the motor supply fails for 60 ms as this card is picked",
    "lid.jolt": "a jolt opens the lid's switch for 2 ms as this card is picked",
    "door.jolt": "a jolt opens the shoe door's switch for 2 ms as this card is dealt",
    "supply.lost": "the motor supply fails as this card is picked",
    "hands.lid": "the lid is opened for 0.3 s as this card is picked",
    "hands.door": "the shoe door is opened for 0.3 s as this card is dealt",
    "hands.lid_out": "the lid is opened for 0.3 s as this card is ejected",
    "hands.lid_deal": "the lid is opened for 0.3 s as this card is dealt",
    "hands.mount": "the machine is lifted from its mount for 0.3 s as this card is picked",
    "hands.late": "ten cards are put in three seconds late, when a deck is loaded for the nth time",
    "hands.rest": "ten cards stay on the table when a deck is loaded for the nth time",
    "hands.other_deck": "the other deck is put in when one is loaded for the nth time",
    "hands.left": "a card lies in the tray three seconds longer when a stack is taken the nth time",
    "hands.forget": "a card is forgotten when the machine is emptied by hand for the nth time",
    "board.busy": "the processor is busy elsewhere for 150 ms as a card enters the count station",
    "board.hung": "as a card enters the count station the feed's steps stop, its move never ends",
}
_SLOT = "a slot passes the tick"
_FALLS = (
    ("entry", _SLOT),
    ("count", _SLOT),
    ("exit", "the wheel turns on after this card"),
    ("deal", "a card arrives in the tray"),
)
NAMES: dict[str, str] = (
    _PARTS
    | {f"path.jam_at:{place}": f"the card sticks with its front at the {place}" for place in PLACES}
    | {f"{beam}.dark": f"from this card on the {beam} beam stays dark" for beam in BEAMS}
    | {f"{beam}.blind": f"from this card on the {beam} beam sees nothing" for beam in BEAMS}
    | {
        f"{beam}.dust": f"from this card on dust dims the {beam} beam by 700 counts"
        for beam in BEAMS
    }
    | {
        f"{beam}.glare": f"from this card on daylight adds 600 counts to the {beam} beam"
        for beam in BEAMS
    }
    | {f"{beam}.covered": f"paper falls before the {beam} beam as {when}" for beam, when in _FALLS}
    | {f"{beam}.flicker": f"the {beam} beam flickers once as a card comes" for beam in BEAMS}
    | {
        "home.dark": "from this passing on the home mark is seen everywhere",
        "home.blind": "from this passing on the home mark is not seen",
        "tick.dark": "from this slot on the tick is seen everywhere",
        "tick.blind": "from this slot on no tick is seen",
        "tick.missed": "the tick of one slot is not seen",
    }
)


@dataclass(frozen=True)
class Size:
    """What a fault measures: the least and the most that may be asked for, and what it is else."""

    unit: str
    least: int
    usual: int
    most: int


# Planted as `deal.overlap@5000`. What another size would make another fault is no size of this.
SIZES: dict[str, Size] = {
    "infeed.overlap": Size("um", 200, 20000, 60000),
    "card.short": Size("um", 5000, 18500, 30000),
    "card.nicked": Size("um", 500, 2000, 2500),
    "card.long": Size("um", 5000, 8500, 20000),
    "infeed.creep": Size("um", 500, 5000, 8000),
    "pick.lost": Size("steps", 20, 200, 200),
    "feed.lost": Size("steps", 20, 200, 200),
    "path.slip": Size("um", 500, 8000, 8000),
    "path.skid": Size("um", 20000, 25000, 30000),
    "path.jam": Size("um", 41000, 60000, 79000),
    "path.hold": Size("um", 42000, 60000, 75000),
    "wheel.slip": Size("steps", 15, 30, 300),
    "eject.lost": Size("steps", 10, 40, 390),
    "exit.jam": Size("um", 11000, 41750, 72000),
    "exit.hold": Size("um", 11000, 41750, 72000),
    "exit.torn": Size("um", 5000, 8000, 40000),
    "exit.drag": Size("um", 5000, 8000, 40000),
    "deal.overlap": Size("um", 200, 20000, 55000),
    "deal.torn": Size("um", 6500, 12000, 23000),
    "deal.jam": Size("um", 41000, 50000, 63000),
    "deal.lost": Size("steps", 20, 200, 200),
    "deal.slip": Size("um", 500, 8000, 8000),
    "deal.ahead": Size("um", 5000, 6000, 30000),
    # with more, the beam of one board or another would fail
    **{f"{beam}.dust": Size("counts", 50, 700, 1000) for beam in BEAMS},
    **{f"{beam}.glare": Size("counts", 50, 600, 1000) for beam in BEAMS},
}
DIGITS = 12
SINCE = frozenset(name for name, says in NAMES.items() if says.startswith("from"))
INPROCESS = frozenset(("board.busy",))  # a real image has its own times


@dataclass(frozen=True)
class Struck:
    """A fault that has happened."""

    name: str
    passage: int
    ns: int


class Faults:
    """Planted faults: at which passages (from 1) each strikes, or how likely at each."""

    def __init__(self, planted: Plants | None = None, seed: int = 0) -> None:
        self.sizes = {name: size.usual for name, size in SIZES.items()}
        self.planted: dict[str, set[int] | float] = {}
        for text, at in (planted or {}).items():
            self.planted[self._sized(text)] = at
        self.passages = dict.fromkeys(self.planted, 0)
        self.struck: list[Struck] = []
        self.now_ns: Callable[[], int] = lambda: 0
        self.failed: set[str] = set()  # for good, until it is repaired
        self._chance = {name: Random(f"{name} {seed}") for name in self.planted}

    def _sized(self, text: str) -> str:
        """The name of what is planted; its size, given or usual, is kept."""
        name, size = sized(text)
        if name in SIZES:
            self.sizes[name] = SIZES[name].usual if size is None else size
        return name

    def plant(self, text: str, at: set[int] | float) -> None:
        """One more; its passages are counted from here."""
        name = self._sized(text)
        self.planted[name] = at
        self.passages[name] = 0
        self.failed.discard(name)
        self._chance[name] = Random(name)

    def strikes(self, name: str, able: bool = True) -> bool:
        """Count one passage; whether the fault strikes it. Not able: there is nothing to strike."""
        at = self.planted.get(name)
        if at is None or name in self.failed:
            return name in self.failed
        self.passages[name] += 1
        n = self.passages[name]
        hit = n in at if isinstance(at, set) else self._chance[name].random() < at
        if hit and able:
            self.struck.append(Struck(name, n, self.now_ns()))
            if name in SINCE:
                self.failed.add(name)
        return hit and able

    def repair(self) -> None:
        """What had failed for good works again, and is not planted any more."""
        for name in self.failed:
            self.planted.pop(name, None)
        self.failed.clear()


def _number(text: str) -> bool:
    """Plain digits, and no more of them than anything here can measure."""
    return text.isascii() and text.isdecimal() and len(text) <= DIGITS


def sized(text: str) -> tuple[str, int | None]:
    """`deal.overlap@5000`: name and size; raises ValueError."""
    name, at, size = text.partition("@")
    if name not in NAMES:
        raise ValueError(f"no fault {name!r}; there are: {', '.join(NAMES)}")
    if not at:
        return name, None
    limits = SIZES.get(name)
    if limits is None:
        raise ValueError(f"{text}: {name} has no size")
    if not _number(size) or not limits.least <= int(size) <= limits.most:
        shown = f"{limits.least} to {limits.most} {limits.unit}"
        raise ValueError(f"{text}: {name} may measure {shown}, a whole number")
    return name, int(size)


def written(name: str) -> str:
    """A name as it stands on a command line, before its passage."""
    return name.replace(":", "=")


def read(text: str) -> tuple[str, set[int] | float]:
    """`name=17` a passage, `name=0.02` a chance; `path.jam_at=entry:17` with a place.

    `deal.overlap@5000=17` with a size.

    Raises ValueError with a sentence that says how it is written.
    """
    name, _, value = text.partition("=")
    place, colon, rest = value.partition(":")
    if colon:
        name, value = f"{name}:{place}", rest
    if "@" in name:
        sized(name)
    elif name not in NAMES:
        here = [known for known in NAMES if known.startswith(name.split(":")[0] + ":")]
        near = here or get_close_matches(name, NAMES, 3)
        choices = f"; there is: {', '.join(written(known) for known in near)}" if near else ""
        raise ValueError(f"{text}: no fault {written(name)!r}{choices}; dovetail faults lists all")
    if _number(value) and int(value) > 0:
        return name, {int(value)}
    try:
        rate = float(value) if value.isascii() and len(value) <= DIGITS else 0.0
    except ValueError:
        rate = 0.0
    if not 0 < rate <= 1:
        shown = written(name) + (":" if colon else "=")
        raise ValueError(
            f"{text}: say at which passage, a whole number from 1, or how likely it is, up to 1.0: "
            f"{shown}20 or {shown}0.02"
        )
    return name, rate
