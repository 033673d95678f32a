"""Since when a trouble could be known, by the machine's own truth; docs/motion.md derives it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from dovetail import faults as table

from boards import mechanics as M
from host_tools.campaign.called import stations, words
from sim.axis import Axis, Profile
from sim.faults import Struck
from sim.machine import Machine
from sim.plants.catalogue import OF_NAME, PLANTS
from sim.plants.record import (
    HARMLESS,
    HOME_FREE,
    NEXT_FEED,
    NEXT_MOVE,
    NEXT_PICK,
    PASSING,
    QUICK_MOVE,
    TICK_FREE,
)

STATION_AXES = {
    "feeder": ("pick", "feed"),
    "wheel": ("wheel",),
    "ejector": ("eject",),
    "shoe": ("deal",),
    "tray": ("deal",),
    "motion": ("feed",),
}
FEEDER = STATION_AXES["feeder"]
LANES = {"shoe": "shoe", "tray": "shoe"}  # the others are the wheel's
AXIS_LANES = {"deal": "shoe"}
INTERLOCKS = {table.LID_OPEN, table.DOOR_OPEN, table.NOT_MOUNTED, table.SUPPLY_LOST}
# So late a card of the shoe goes through all the same: the roller turns further than its end.
LATE_UM = M.STAGE_UM
# Plants that a second card, or the end of a card, hides: where these stand is noted for them alone.
HIDDEN_AT = frozenset(plant.name for plant in PLANTS if plant.shows.hidden)
CHUTE_NS = (
    (M.TRAY_UM - M.CARD_LENGTH_UM) * 1_000_000_000 // M.CHUTE_UM_S
)  # until a card can lie in the tray
# From between the last two ticks of a turn to its end.
LAST_TICK_NS = round(1e9 * (2 * (M.SLOT_STEPS - M.TICK_HALF_STEPS) / M.AXES["wheel"][1]) ** 0.5)


def move_ns(axis: str, steps: float) -> int:
    """From rest to rest at the axis' limits."""
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
    """Of an axis; what it could show."""

    began: int
    fell: bool  # quicker than what drags at it follows
    ended: int | None = None
    turn: bool = True  # of the wheel: from slot to slot, and not to find its home
    at_home: bool = False  # it ended within the home mark, which is dark there
    pair: bool = False  # with two cards in the count station
    entered: bool = True  # with something in the entry beam
    there: object = None  # the cards that it may carry on, as it began


@dataclass
class Moves:
    """Every move since the last trouble."""

    machine: Machine
    now_ns: Callable[[], int]
    of: dict[str, list[Move]] = field(default_factory=dict[str, list[Move]])
    passed_ns: dict[str, int] = field(default_factory=lambda: {"wheel": 0, "shoe": 0})

    def __post_init__(self) -> None:
        """Listen."""
        self.passings: dict[str, list[int]] = {"wheel": [], "shoe": []}
        for name, axis in self.machine.axes.items():
            self.of[name] = []
            self._listen(name, axis)

    def forget(self) -> None:
        """What was before the present trouble."""
        for made in self.of.values():
            del made[:-1]
        for passed in self.passings.values():
            passed.clear()

    def moving(self, axes: Iterable[str]) -> bool:
        """Whether any of them is in a move."""
        return any(self.of[axis] and self.of[axis][-1].ended is None for axis in axes)

    def _end(self, name: str) -> None:
        if self.moving((name,)):
            last = self.of[name][-1]
            last.ended = self.now_ns()
            last.at_home = self.machine.beams["home"].blocked
            if last.there != self._there(name):
                lane = AXIS_LANES.get(name, "wheel")
                self.passed_ns[lane] = last.ended
                self.passings[lane].append(last.ended)
            if name == "feed" and not HIDDEN_AT.isdisjoint(self.machine.faults.planted):
                last.pair = len(self.machine.infeed.over_count()) > 1
                last.entered = self.machine.beams["entry"].blocked

    def _there(self, name: str) -> object:
        """What is another thing when a card has gone on by this axis."""
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
            slots, between = divmod(profile.total, M.SLOT_STEPS)
            self.of[name].append(
                Move(
                    self.now_ns(),
                    axis.follows(profile) < profile.total,
                    turn=name != "wheel" or (not between and 2 * slots <= M.SLOTS),
                    there=self._there(name),
                )
            )
            begin(profile, reverse, ended)

        def stopped(cause: str = "") -> int:
            self._end(name)
            return stop_dead(cause)

        for method, own in (("begin", noted), ("stop_dead", stopped)):
            setattr(axis, method, own)

    def last(self, axes: Iterable[str]) -> int:
        """The end of the last move of any of them; now, when one moves."""
        now = self.now_ns()
        ends = [self.of[axis][-1].ended for axis in axes if self.of[axis]]
        return max((now if end is None else end for end in ends), default=0)

    def stands(self, axes: Sequence[str], since: int) -> int:
        """Return the first moment, from this one on, at which none of these axes moves."""
        now, at = self.now_ns(), since
        made = [(move.began, move.ended or now) for axis in axes for move in self.of[axis]]
        while ends := [ended for began, ended in made if began < at < ended]:
            at = max(ends)
        return at

    def passed(self, lane: str, since: int, until: int) -> int:
        """Return how many cards have gone on in this lane meanwhile."""
        return sum(since < ns <= until for ns in self.passings[lane])

    def stand(self, axes: Sequence[str], shows: Callable[[str, Move], bool]) -> int | None:
        """When all of them first stand after a move that shows it; none: that is still to come."""
        later = self.now_ns() + 1
        moves = [(axis, move, move.ended or later) for axis in axes for move in self.of[axis]]
        at = min((ended for axis, move, ended in moves if shows(axis, move)), default=None)
        while at is not None and at < later:
            longer = max(ended for _, move, ended in moves if move.began < at)
            if longer <= at:
                return at
            at = longer
        return None


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


def shown(one: Struck, own: Sequence[str]) -> Callable[[str, Move], bool]:
    """Return what tells whether a move of these axes shows this plant."""
    move_that_shows, since = OF_NAME[one.name].shows.move, one.ns
    if move_that_shows == HOME_FREE:  # where the mark is, it is dark anyway
        return lambda _, move: (move.ended is None or move.ended >= since) and not move.at_home
    if move_that_shows == TICK_FREE:  # at the last tick of a turn: it is to be dark there
        return lambda _, move: (
            move.turn and (move.ended is None or move.ended >= since + LAST_TICK_NS)
        )
    if move_that_shows == NEXT_PICK:
        return lambda axis, move: axis == "pick" and move.began > since
    if move_that_shows == NEXT_FEED:
        return _begun("feed", since)
    if move_that_shows == QUICK_MOVE:
        return lambda _, move: move.began >= since and move.fell
    if move_that_shows == NEXT_MOVE:
        by = "pick" if own == FEEDER else own[0]
        return lambda axis, move: move.began >= since and axis == by
    return lambda _, move: move.ended is None or move.ended >= since


def _later(moves: Moves, one: Struck, at: int | None) -> int:
    """Return how many stands more it takes."""
    shows = OF_NAME[one.name].shows
    if shows.later_above is not None:
        return moves.machine.faults.sizes[one.name] > shows.later_above
    if shows.hidden and at is not None:
        stood = [move for move in moves.of["feed"] if move.ended is not None and move.ended <= at]
        last = stood[-1] if stood else None
        return last is not None and (last.entered if shows.hidden == "the end" else not last.pair)
    return shows.later


def latest_ns(one: Struck, lane: str, ordered: int, later: int, both: bool, busy: int = 0) -> int:
    """The same as the mechanics have it: however long the firmware dawdles before it looks.

    busy: until when what is tried takes, by the limits of the axes.
    """
    at = max(one.ns, ordered, busy) + (1 + later) * CARD_NS[lane] + (WAITS_NS[lane] if both else 0)
    return at + (HOME_NS if lane == "wheel" and one.ns <= ordered + HOME_NS else 0)


def unseen(moves: Moves, one: Struck) -> bool:
    """Return whether nothing has moved since that would have shown it: nobody could know."""
    shows = OF_NAME[one.name].shows
    if not shows.unseen:
        return False
    made = moves.of[shows.unseen]
    if shows.move == QUICK_MOVE:
        return not any(move.began >= one.ns and move.fell for move in made)
    return not any(move.began > one.ns for move in made)


def known_ns(
    moves: Moves,
    one: Struck,
    station: str,
    order_ns: dict[str, int],
    both: bool = False,
    busy: int = 0,
) -> int:
    """The first moment at which this station could know of it; now at the latest."""
    axes, now = STATION_AXES[station], moves.now_ns()
    plant = OF_NAME[one.name]
    own = STATION_AXES.get(plant.station, axes)
    at = moves.stand(own, shown(one, own))
    later = _later(moves, one, at)
    for _ in range(later):
        following = at if at is None else moves.stand(own, _begun(own[-1], at))
        if following is None and not moves.moving(own):
            break  # told at rest, before the move that would have shown it
        at = following
    if at is None:  # the same, or in the middle of a move
        at = now if moves.moving(own) else one.ns
    elif own != axes:
        stood = at
        at = moves.stand(axes, lambda _, move: (move.ended or now) >= stood) or at
    if plant.shows.by_chute:
        at += CHUTE_NS
    lane = LANES.get(station, "wheel")
    ordered = order_ns[lane]
    latest = latest_ns(one, lane, ordered, later, both, busy)
    # What drags is felt in a quick move alone: when one comes the drawn order says, and no limit.
    unbound = plant.shows.move == QUICK_MOVE
    if one.ns < busy:  # hidden behind what is tried, it shows with the next card at the latest
        at = max(at, latest) if unbound else latest
    elif not unbound:
        at = min(at, latest)
    if not any(move.began > ordered for axis in axes for move in moves.of[axis]):
        at = max(at, ordered)  # before the order nobody had to look
    return min(at, now)


def known_since(
    moves: Moves,
    one: Struck,
    station: str,
    order_ns: dict[str, int],
    both: bool = False,
    busy: int = 0,
) -> int:
    """Return the first moment at which this station could know of it; now at the latest.

    The station judges when its axes stand, after a sensor has said something else.
    """
    now, axes = moves.now_ns(), STATION_AXES[station]
    shows = moves.machine.faults.shown.get(one, one.ns)
    lane = LANES.get(station, "wheel")
    ordered = order_ns[lane]
    at = moves.stands(axes, shows)
    latest = latest_ns(one, lane, ordered, moves.passed(lane, one.ns, shows), both, busy)
    at = latest if one.ns < busy else min(at, latest)
    if not any(move.began > ordered for axis in axes for move in moves.of[axis]):
        at = max(at, ordered)  # before the order nobody had to look
    return min(at, now)


def _begun(by: str, since: int) -> Callable[[str, Move], bool]:
    return lambda axis, move: axis == by and move.began >= since


def counted_ns(moves: Moves, name: str, order_ns: dict[str, int], both: bool = False) -> int:
    """With the last card, with the try that brings none, or with the order that finds none left.

    No later than the mechanics need for the tries behind the last card, or behind the order.
    """
    shoe = OF_NAME[name].station == "shoe"
    lane, axes = ("shoe", ("deal",)) if shoe else ("wheel", ("pick", "feed", "eject"))
    ordered = order_ns[lane]
    latest = max(moves.passed_ns[lane], ordered) + NONE_NS[lane] + (WAITS_NS[lane] if both else 0)
    return min(max(moves.last(axes), ordered), latest)
