"""Every fault that can be planted: when it strikes, and what the machine must call it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from dovetail import faults

FILL, EMPTY, DEAL, REST = "the wheel is filled", "it is emptied", "a stack is dealt", "the rest"
CARDS = 52
AT = 20  # the card that is struck, where any will do


@dataclass(frozen=True)
class Case:
    """What is planted, at which passages, and what comes of it."""

    plant: str
    at: set[int]
    phase: str
    number: int
    card: int | None  # None: which one it is hangs on the order of the cards
    spoilt: bool = False  # the cards themselves: new decks are needed
    thin: bool = False  # also on the emulated board, as one of its kind
    tried: tuple[int, ...] = ()  # what it is called while the machine gets over it

    def told(self, passage: int) -> int | None:
        """The card that is named when this passage is struck; None where that can't be said."""
        if self.card is None or self.card == 0 or self.number == faults.WRONG_DECK:
            return self.card  # a count is what was found, wherever the card was lost
        # ahead of the first one there is none, nor behind the last
        return min(max(self.card + passage - max(self.at), 1), CARDS)

    @property
    def name(self) -> str:
        """Of its scenario."""
        return f"planted_{self.plant.replace('.', '_').replace(':', '_')}"


CASES = (
    Case("infeed.stuck", {AT}, FILL, faults.MISFEED, AT, thin=True),
    Case("path.jam", {AT}, FILL, faults.FEED_JAM, AT),
    Case("path.hold", {AT}, FILL, 0, None, tried=(faults.FEED_JAM,)),
    Case("path.jam_at:entry", {17}, FILL, faults.FEED_JAM, 17, thin=True),
    Case("path.jam_at:nip", {AT}, FILL, faults.FEED_JAM, AT),
    Case("path.jam_at:count", {AT}, FILL, faults.FEED_JAM, AT),
    Case("path.jam_at:mouth", {AT}, FILL, faults.FEED_JAM, AT),
    # beyond the beams: the wheel is the first to meet it
    Case("path.jam_at:slot", {AT}, FILL, faults.LOST_STEPS, AT + 1),
    Case("infeed.double_feed", {AT}, FILL, faults.DOUBLE_FEED, AT, thin=True),
    Case("infeed.overlap", {AT}, FILL, faults.DOUBLE_FEED, AT),
    Case("card.short", {AT}, FILL, faults.WRONG_LENGTH, AT, spoilt=True),
    Case("card.long", {AT}, FILL, faults.WRONG_LENGTH, AT, spoilt=True),
    Case("card.foreign", {AT}, FILL, faults.FOREIGN_BACK, AT, spoilt=True, thin=True),
    Case("card.face_up", {AT}, FILL, faults.FACE_UP, AT, spoilt=True),
    Case("card.skewed", {AT}, FILL, faults.WRONG_LENGTH, AT, spoilt=True),
    *(Case(f"{beam}.dust", {2}, FILL, 0, None) for beam in ("entry", "count")),
    *(Case(f"{beam}.glare", {2}, FILL, 0, None) for beam in ("entry", "count")),
    Case("card.nicked", {AT}, FILL, 0, None, spoilt=True),
    Case("card.creased", {AT}, FILL, faults.DOUBLE_FEED, AT, spoilt=True),
    Case("card.warped", {AT}, FILL, 0, None, spoilt=True),
    Case("card.curled", {AT}, FILL, faults.FEED_JAM, AT, spoilt=True),
    Case("card.slick", {AT}, FILL, 0, None, spoilt=True, tried=(faults.DEAL_JAM,)),
    Case("card.greasy", {AT}, FILL, faults.SLIP, AT, spoilt=True),
    Case("card.sticky", {AT}, FILL, faults.DOUBLE_FEED, AT, spoilt=True),
    Case("back.faded", {AT}, FILL, 0, None),
    Case("back.dead", {AT}, FILL, faults.BACK_UNREAD, AT),
    Case("entry.covered", {500}, FILL, faults.PATH_BLOCKED, None),
    Case("count.covered", {500}, FILL, faults.FEED_JAM, None),
    Case("thickness_in.dead", {AT}, FILL, faults.THICKNESS, AT, thin=True),
    Case("board.busy", {AT}, FILL, 0, None),
    Case("thickness_in.drift", {1}, FILL, 0, None),
    Case("card.bent", {AT}, FILL, 0, None, spoilt=True),
    Case("entry.blind", {AT}, FILL, faults.BEAM_BLIND, AT),
    Case("count.blind", {AT}, FILL, faults.BEAM_BLIND, AT),
    Case("entry.dark", {AT}, FILL, faults.PATH_BLOCKED, AT + 1),
    Case("count.dark", {AT}, FILL, faults.FEED_JAM, AT),
    Case("entry.flicker", {AT}, FILL, 0, None),
    Case("count.flicker", {AT}, FILL, 0, None),
    Case("pick.lost", {AT}, FILL, 0, None),
    Case("feed.heavy", {AT}, FILL, faults.FEED_JAM, AT - 1),  # on its way into the slot
    Case("feed.lost", {AT}, FILL, 0, None),
    Case("path.slip", {AT}, FILL, 0, None),
    Case("infeed.creep", {AT}, FILL, 0, None),
    Case("path.skid", {AT}, FILL, faults.SLIP, AT),
    Case("infeed.misfeed", {AT}, FILL, 0, None, tried=(faults.MISFEED,)),
    Case("infeed.dead", {AT}, FILL, faults.INFEED_SENSOR, None),
    Case("infeed.full", {AT}, FILL, faults.INFEED_SENSOR, None),
    # In the middle of a turn. At the tick of the slot that is wanted the card meets the wall first.
    # Within the tick a card, or the ejector's rod, is the first to meet the wall.
    Case(
        "wheel.slip",
        {504},
        FILL,
        0,
        None,
        thin=True,
        tried=(faults.LOST_STEPS, faults.FEED_JAM, faults.SLOT_EMPTY),
    ),
    Case("wheel.heavy", {504}, FILL, faults.LOST_STEPS, None),
    Case("wheel.stall", {504}, FILL, faults.LOST_STEPS, None, tried=(faults.SLOT_EMPTY,)),
    Case("tick.dark", {500}, FILL, faults.LOST_STEPS, None),
    Case("tick.blind", {500}, FILL, faults.LOST_STEPS, None),
    Case("tick.missed", {500}, FILL, 0, None, tried=(faults.LOST_STEPS,)),
    Case("home.blind", {1}, FILL, faults.WHEEL_HOME, 0, thin=True),
    Case("home.dark", {6}, FILL, faults.WHEEL_LOST, None),
    Case("exit.jam", {AT}, EMPTY, faults.EXIT_JAM, AT, thin=True),
    Case("exit.hold", {AT}, EMPTY, 0, None, tried=(faults.EXIT_JAM,)),
    Case("exit.torn", {AT}, EMPTY, faults.EXIT_JAM, AT, spoilt=True),
    Case("exit.drag", {AT}, EMPTY, faults.EXIT_JAM, AT),
    Case("exit.dark", {AT}, EMPTY, faults.EXIT_JAM, AT),
    Case("exit.flicker", {AT}, EMPTY, 0, None),
    Case("exit.dust", {AT}, EMPTY, 0, None),
    Case("exit.glare", {AT}, EMPTY, 0, None),
    Case("eject.lost", {AT}, EMPTY, faults.ROD_LOST, AT),
    Case("eject.missed", {AT}, EMPTY, 0, None, tried=(faults.SLOT_EMPTY,)),
    Case("crank.dead", {AT}, EMPTY, faults.ROD_LOST, AT),
    Case("exit.blind", {AT}, EMPTY, faults.SLOT_EMPTY, AT),
    Case("exit.covered", {AT}, EMPTY, faults.EXIT_BLOCKED, AT + 1),
    Case("deal.stuck", {2}, DEAL, faults.DEAL_MISFEED, 2, thin=True),
    Case("deal.misfeed", {2}, DEAL, 0, None, tried=(faults.DEAL_MISFEED,)),
    Case("deal.jam", {2}, DEAL, faults.DEAL_JAM, 2),
    Case("deal.double_feed", {3}, DEAL, 0, None, tried=(faults.DEAL_DOUBLE,)),
    Case("deal.triple_feed", {3}, DEAL, faults.MISDEAL, 5, tried=(faults.DEAL_DOUBLE,)),
    Case("deal.bent_pair", {2}, DEAL, faults.DEAL_DOUBLE, 2, spoilt=True, thin=True),
    Case("deal.overlap", {2}, DEAL, faults.DEAL_JAM, 2),
    Case("deal.dust", {2}, DEAL, 0, None),
    Case("deal.glare", {2}, DEAL, 0, None),
    Case("deal.torn", {2}, DEAL, faults.DEAL_LENGTH, 2, spoilt=True, thin=True),
    Case("deal.covered", {3}, DEAL, faults.DEAL_BLOCKED, 4),
    Case("deal.lost", {2}, DEAL, 0, None, tried=(faults.DEAL_JAM,)),
    Case("deal.slip", {2}, DEAL, 0, None, tried=(faults.DEAL_JAM,)),
    Case("deal.ahead", {2}, DEAL, faults.DEAL_SLIP, 2),
    Case("deal.blind", {2}, DEAL, faults.DEAL_BLIND, 2),
    Case("deal.dark", {2}, DEAL, faults.DEAL_JAM, 2),
    Case("deal.flicker", {2}, DEAL, 0, None),
    Case("thickness_out.drift", {2}, DEAL, 0, None),
    Case("thickness_out.dead", {2}, DEAL, faults.DEAL_THICKNESS, 2),
    Case("shoe.dead", {2}, DEAL, faults.SHOE_SENSOR, 2),
    Case("shoe.full", {30}, REST, faults.SHOE_SENSOR, None, tried=(faults.DEAL_MISFEED,)),
    Case("shoe.robbed", {2}, DEAL, faults.SHOE_SHORT, 3, spoilt=True),
    Case(
        "shoe.lost",
        {30},
        REST,
        faults.WRONG_DECK,
        CARDS - 1,
        spoilt=True,
        tried=(faults.SHOE_SHORT,),
    ),
    Case("shoe.extra", {30, 31}, REST, faults.WRONG_DECK, CARDS + 1, spoilt=True, thin=True),
    Case("tray.overlooked", {5, 6, 7, 8}, DEAL, faults.TRAY_FULL, 0),
    Case("tray.dead", {1}, DEAL, faults.TRAY_BLIND, 0, thin=True),
    Case("supply.lost", {AT}, FILL, faults.SUPPLY_LOST, None, thin=True),
    Case("supply.dip", {AT}, FILL, faults.SUPPLY_LOST, None),
    Case("supply.sag", {AT}, FILL, 0, None),
    Case("supply.weak", {AT}, FILL, faults.SUPPLY_LOST, None),
    Case("supply.spent", {AT}, FILL, faults.SUPPLY_LOST, None),
    Case("lid.jolt", {AT}, FILL, 0, None),
    Case("door.jolt", {2}, DEAL, 0, None),
    Case("hands.lid", {AT}, FILL, faults.LID_OPEN, None),
    Case("hands.door", {2}, DEAL, faults.DOOR_OPEN, None),
    Case("hands.lid_out", {AT}, EMPTY, faults.LID_OPEN, None),
    Case("hands.lid_deal", {2}, DEAL, faults.LID_OPEN, None),
    Case("hands.mount", {AT}, FILL, faults.NOT_MOUNTED, None),
    Case("hands.late", {1}, FILL, 0, None),
    Case("hands.rest", {1}, FILL, faults.WRONG_DECK, CARDS - 10, spoilt=True),
    Case("hands.other_deck", {1}, FILL, faults.FOREIGN_BACK, 1),
    Case("hands.left", {1}, DEAL, 0, None),
    # the move that brings it takes the one ahead into its slot
    Case("board.hung", {AT}, FILL, faults.MOVE_LATE, AT - 1, thin=True),
    Case("hands.forget", {1}, FILL, faults.INSIDE, 0, thin=True),
)
OF_PLANT = {case.plant: case for case in CASES}


@dataclass(frozen=True)
class Other:
    """What a plant may be called beside its own number, and why."""

    number: int
    card: int | None  # the card named, beyond the passage struck; None: not to be said
    why: str


# Where it depends on more than the plant what the machine meets first.
OTHERS: dict[str, tuple[Other, ...]] = {
    "path.skid": (
        Other(faults.FEED_JAM, 0, "it has slid so far that it is not in the count station"),
    ),
    "infeed.overlap": (
        Other(faults.WRONG_LENGTH, 0, "one behind the other they are longer than a card"),
        Other(faults.FEED_JAM, 0, "the second stands in the count beam when the first is seated"),
    ),
    "path.jam_at:slot": (
        Other(faults.LOST_STEPS, 1 - CARDS, "behind the last one the wheel turns to be emptied"),
    ),
    "count.covered": (
        Other(faults.SLIP, None, "the paper falls while a card comes, which seems to be too early"),
    ),
    "board.hung": (
        Other(faults.MOVE_LATE, 0, "with both lanes at work a card takes one move, or two"),
    ),
    "wheel.slip": (
        Other(faults.LOST_STEPS, None, "at the tick of the wanted slot the card meets the wall"),
        Other(faults.WHEEL_HOME, None, "in the home mark, which measures too much or too little"),
        Other(faults.WHEEL_LOST, None, "behind the home mark: it stands beside its slot"),
    ),
    "wheel.stall": (
        Other(faults.WHEEL_HOME, None, "on the way to the home mark no slot is known"),
        Other(faults.FEED_JAM, None, "it binds within the tick: the card meets the wall first"),
    ),
    "deal.overlap": (
        Other(faults.DEAL_SLIP, 1, "so far behind it looks like the next, come too far"),
        Other(faults.DEAL_DOUBLE, 0, "so close behind both are in the station: they read as two"),
        Other(faults.DEAL_JAM, 1, "just before the beam: the one after it stands there"),
    ),
    "wheel.heavy": (
        Other(faults.WHEEL_HOME, None, "on the way to the home mark no slot is known"),
        Other(faults.WHEEL_LOST, None, "behind the home mark: it stands beside its slot"),
    ),
    "tick.dark": (Other(faults.WHEEL_LOST, None, "at the home mark it is proved, not counted"),),
    "tick.blind": (Other(faults.WHEEL_LOST, None, "at the home mark it is proved, not counted"),),
    "home.dark": (Other(faults.WHEEL_HOME, None, "while it is looked for, its width is measured"),),
    "home.blind": (
        Other(faults.WHEEL_LOST, None, "on the way to a slot the mark is proved, not looked for"),
    ),
    "deal.covered": (
        Other(faults.DEAL_JAM, 1, "the paper falls while the next card is in the beam"),
    ),
    "shoe.robbed": (
        Other(faults.WRONG_DECK, 0, "the remainder ends with an empty shoe, and its count"),
    ),
}
# Two that make each other good: nothing is wrong in the end, and nothing has to be told.
EVEN: dict[frozenset[str], str] = {
    frozenset(("shoe.lost", "shoe.extra")): "one card out, one in: the count is right",
}
# The same of two that strike the same card.
EVEN_AT_ONE: dict[frozenset[str], str] = {
    frozenset(("deal.torn", "deal.double_feed")): "a whole card covers the short one's end",
    frozenset(
        ("deal.torn", "deal.overlap")
    ): "a whole card close behind covers the short one's end",
    frozenset(("deal.torn", "deal.triple_feed")): "two whole cards cover the short one's end",
}
# Two that are another thing together than each alone: the fault that comes of both.
TOGETHER: dict[frozenset[str], tuple[int, str]] = {
    frozenset(("thickness_in.drift", "card.bent")): (
        faults.DOUBLE_FEED,
        "a third too much of a third too much reads as two",
    ),
    frozenset(("thickness_out.drift", "card.bent")): (
        faults.DEAL_DOUBLE,
        "a quarter too much of a third too much is neither one card nor two",
    ),
    frozenset(("deal.double_feed", "card.bent")): (
        faults.DEAL_DOUBLE,
        "two, one of which reads a third too much, are not clearly two",
    ),
    frozenset(("deal.triple_feed", "card.bent")): (
        faults.DEAL_DOUBLE,
        "three, one of which reads a third too much, are not clearly three",
    ),
    frozenset(("infeed.dead", "infeed.stuck")): (
        faults.WRONG_DECK,
        "nothing is seen there, and nothing comes: a deck that ends looks the same",
    ),
    frozenset(("pick.lost", "infeed.creep")): (
        faults.SLIP,
        "late in the pick and late in the nip: more than the window in all",
    ),
}


def numbers(plant: str) -> set[int]:
    """What it may be called when it is handed over."""
    return {OF_PLANT[plant].number, *(other.number for other in OTHERS.get(plant, ()))} - {0}


def words(plant: str) -> set[int]:
    """The same, or while the machine gets over it."""
    return numbers(plant) | set(OF_PLANT[plant].tried)


def together(names: Iterable[str], number: int) -> bool:
    """Whether two of these that meet are called so."""
    there = set(names)
    return any(pair <= there and TOGETHER[pair][0] == number for pair in TOGETHER)


def called(names: Iterable[str], number: int) -> bool:
    """Whether one of these may be called so, or two of them together."""
    there = set(names)
    return any(number in words(name) for name in there) or together(there, number)


def row(number: int) -> tuple[int, str, str, int, str]:
    """A line of the firmware's table of faults."""
    return cast(tuple[int, str, str, int, str], faults.row(number))  # pyright: ignore[reportUnknownMemberType]
