"""Since when the machine could know of a trouble, by its own truth; docs/motion.md derives it.

`Faults.shown` has the moment at which a sensor first said something else because of a plant
(sim/without.py). Here stands what follows from it: a station judges when its axes stand, and what
takes longer than the mechanics need is late.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from dovetail import faults as table

from boards import mechanics as M
from host_tools.campaign.called import stations, words
from sim.axis import Axis, Profile
from sim.faults import Struck
from sim.machine import Machine
from sim.plants.catalogue import OF_NAME
from sim.plants.record import HARMLESS, PASSING

STATION_AXES = {
    "feeder": ("pick", "feed"),
    "wheel": ("wheel",),
    "ejector": ("eject",),
    "shoe": ("deal",),
    "tray": ("deal",),
    "motion": ("feed",),
}
LANES = {"shoe": "shoe", "tray": "shoe"}  # the others are the wheel's
AXIS_LANES = {"deal": "shoe"}
INTERLOCKS = {table.LID_OPEN, table.DOOR_OPEN, table.NOT_MOUNTED, table.SUPPLY_LOST}
# So late a card of the shoe goes through all the same: the roller turns further than its end.
LATE_UM = M.STAGE_UM
CHUTE_NS = (
    (M.TRAY_UM - M.CARD_LENGTH_UM) * 1_000_000_000 // M.CHUTE_UM_S
)  # until a card can lie in the tray


def move_ns(axis: str, steps: float) -> int:
    """Return the time from rest to rest at the axis' limits."""
    speed, accel = M.AXES[axis]
    ramps_s = speed / accel
    quick = steps >= speed * ramps_s
    return round(1e9 * (steps / speed + ramps_s if quick else 2 * (steps / accel) ** 0.5))


def _roller_ns(axis: str, um: int) -> int:
    return move_ns(axis, um * M.ROLLER_STEPS_M / 1e6)


# What a card needs at most, by the limits of the axes: whoever takes longer is late by that.
# Into the wheel: half a turn to its slot, and from the pick's nip to its seat.
CARD_NS = {
    "wheel": move_ns("wheel", M.WHEEL_STEPS_REV / 2) + _roller_ns("feed", M.SEATED_UM),
    "shoe": _roller_ns("deal", M.CARD_LENGTH_UM + M.STAGE_UM) + CHUTE_NS,
}
# The wheel's home: a turn to find the mark, and as long to go back and cross it.
HOME_NS = 2 * move_ns("wheel", M.WHEEL_STEPS_REV)
# From one word to the next of the same card: what the remedy moves, and the card's way anew.
_AGAIN_NS = CARD_NS["wheel"]
TRY_NS = {
    table.MISFEED: _AGAIN_NS,
    table.FEED_JAM: 2 * _roller_ns("feed", M.CARD_LENGTH_UM) + _AGAIN_NS,  # back, and forth
    table.LOST_STEPS: HOME_NS + _AGAIN_NS,
    table.WHEEL_LOST: HOME_NS + _AGAIN_NS,
    table.SLOT_EMPTY: 2 * move_ns("wheel", M.SLOT_STEPS) + move_ns("eject", M.STROKE_STEPS),
    table.EXIT_JAM: move_ns("eject", M.STROKE_STEPS),
}
# From the last card to a wrong count: the tries that bring none.
NONE_NS = {
    "wheel": 2 * _roller_ns("pick", M.FEED_NIP_UM),
    "shoe": CHUTE_NS + 2 * _roller_ns("deal", M.CARD_LENGTH_UM + M.STAGE_UM),
}
# With both lanes at work one waits for the other, when something is to be written: the wheel's for
# the last two cards of a stack, the shoe's for a card on its way into the wheel.
WAITS_NS = {"wheel": 2 * CARD_NS["shoe"], "shoe": CARD_NS["wheel"]}


@dataclass
class Move:
    """A move of an axis: when it began and ended, and the cards that it may carry on."""

    began: int
    there: object
    ended: int | None = None


@dataclass
class Moves:
    """Every move since the last trouble, and when a card has gone on by one, in each lane."""

    machine: Machine
    now_ns: Callable[[], int]
    of: dict[str, list[Move]] = field(default_factory=dict[str, list[Move]])
    passed_ns: dict[str, int] = field(default_factory=lambda: {"wheel": 0, "shoe": 0})
    passings: dict[str, list[int]] = field(default_factory=lambda: {"wheel": [], "shoe": []})

    def __post_init__(self) -> None:
        """Listen to every axis."""
        for name, axis in self.machine.axes.items():
            self.of[name] = []
            self._listen(name, axis)

    def forget(self) -> None:
        """Forget what was before the present trouble."""
        for made in self.of.values():
            del made[:-1]
        for passed in self.passings.values():
            passed.clear()

    def moved(self, axes: Iterable[str], since: int) -> bool:
        """Return whether one of these axes moves at this moment, or has begun a move since."""
        made = [move for axis in axes for move in self.of[axis]]
        return any(move.ended is None or move.ended >= since for move in made)

    def _end(self, name: str) -> None:
        last = self.of[name][-1] if self.of[name] else None
        if last is None or last.ended is not None:
            return
        last.ended = self.now_ns()
        if last.there != self._there(name):
            lane = AXIS_LANES.get(name, "wheel")
            self.passed_ns[lane] = last.ended
            self.passings[lane].append(last.ended)

    def _there(self, name: str) -> object:
        """Return what is another thing when a card has gone on by this axis."""
        machine = self.machine
        if name == "deal":
            return [id(card) for card in machine.deal.held], len(machine.deal.shoe)
        return machine.wheel.count(), len(machine.outfeed.pushed)

    def _listen(self, name: str, axis: Axis) -> None:
        begin, stop_dead = axis.begin, axis.stop_dead

        def noted(profile: Profile, reverse: bool, on_end: Callable[[], None]) -> None:
            def ended() -> None:
                self._end(name)
                on_end()

            self._end(name)
            self.of[name].append(Move(self.now_ns(), self._there(name)))
            begin(profile, reverse, ended)

        def stopped(cause: str = "") -> int:
            self._end(name)
            return stop_dead(cause)

        for method, own in (("begin", noted), ("stop_dead", stopped)):
            setattr(axis, method, own)

    def last(self, axes: Iterable[str]) -> int:
        """Return the end of the last move of any of them; now, when one moves."""
        now = self.now_ns()
        ends = [self.of[axis][-1].ended for axis in axes if self.of[axis]]
        return max((now if end is None else end for end in ends), default=0)

    def stand(self, axes: Sequence[str], since: int) -> int:
        """Return the first moment, from this one on, at which none of these axes moves."""
        now, at = self.now_ns(), since
        made = [(move.began, move.ended or now) for axis in axes for move in self.of[axis]]
        while ends := [ended for began, ended in made if began < at < ended]:
            at = max(ends)
        return at

    def next_began(self, axes: Sequence[str], since: int) -> int:
        """Return when the next move of one of these axes began; this moment if there is none."""
        made = [move.began for axis in axes for move in self.of[axis] if move.began >= since]
        return min(made, default=since)

    def passed(self, lane: str, since: int, until: int) -> int:
        """Return how many cards have gone on in this lane meanwhile."""
        return sum(since < ns <= until for ns in self.passings[lane])


def first(struck: Iterable[Struck], number: int, station: str) -> Struck | None:
    """Return the plant that a first word is about; a wrong count is told as that alone."""
    there = [one for one in struck if station in stations(one.name)]
    by_number = [one for one in there if OF_NAME[one.name].number == number]
    by_other = [one for one in there if number in words(one.name)]
    there = [one for one in there if OF_NAME[one.name].number != table.WRONG_DECK]
    # of these nothing is tried, nothing told
    loud = [one for one in there if OF_NAME[one.name].ends not in (HARMLESS, PASSING)]
    just = there[::-1]  # of quiet ones the one just struck
    return next(iter(by_number or by_other or loud or just), None)


def latest_ns(one: Struck, lane: str, ordered: int, passed: int, both: bool, busy: int) -> int:
    """Return the latest moment by the mechanics, however long the firmware dawdles.

    passed: cards that have gone on before it showed; busy: until when what is tried takes.
    """
    at = max(one.ns, ordered, busy) + (1 + passed) * CARD_NS[lane]
    at += WAITS_NS[lane] if both else 0
    return at + (HOME_NS if lane == "wheel" and one.ns <= ordered + HOME_NS else 0)


def unseen(moves: Moves, one: Struck) -> bool:
    """Return whether nobody could know: nothing has shown, or no station had to look any more."""
    faults = moves.machine.faults
    shown = faults.shown.get(one)
    if shown is None:
        both = faults.together.get(one)
        others = [other for other, its in faults.together.items() if its == both]
        if not any(other in faults.shown for other in others):
            shown = both  # none has shown by itself: each hides another
    if shown is None:
        return True
    axes = STATION_AXES.get(OF_NAME[one.name].station, ())
    return bool(axes) and not shown.read and not moves.moved(axes, shown.ns)


def known_ns(
    moves: Moves,
    one: Struck,
    station: str,
    order_ns: dict[str, int],
    both: bool = False,
    busy: int = 0,
) -> int:
    """Return the first moment at which this station could know of it; now at the latest."""
    axes, now = STATION_AXES[station], moves.now_ns()
    lane = LANES.get(station, "wheel")
    ordered = order_ns[lane]
    faults = moves.machine.faults
    shown = faults.shown.get(one) or faults.together.get(one)
    # What was not planted has nothing to be compared with: it shows in the next move.
    shows = moves.next_began(axes, one.ns) if shown is None else shown.ns
    # An edge at the first step of a move belongs to it; what is read before it does not.
    at = moves.stand(axes, shows if shown is not None and shown.read else shows + 1)
    latest = latest_ns(one, lane, ordered, moves.passed(lane, one.ns, shows), both, busy)
    # Hidden behind what is tried, it shows with the next card at the latest.
    at = latest if one.ns < busy else min(at, latest)
    if not any(move.began > ordered for axis in axes for move in moves.of[axis]):
        at = max(at, ordered)  # before the order nobody had to look
    return min(at, now)


def counted_ns(moves: Moves, name: str, order_ns: dict[str, int], both: bool = False) -> int:
    """Return the end of the last card, of the try that brings none, or the order that finds none.

    It is no later than the mechanics need for the tries behind the last card, or behind the order.
    """
    shoe = OF_NAME[name].station == "shoe"
    lane, axes = ("shoe", ("deal",)) if shoe else ("wheel", ("pick", "feed", "eject"))
    ordered = order_ns[lane]
    latest = max(moves.passed_ns[lane], ordered) + NONE_NS[lane] + (WAITS_NS[lane] if both else 0)
    return min(max(moves.last(axes), ordered), latest)
