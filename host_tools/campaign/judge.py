"""What came of a trouble, by the machine's own truth: was it told, as what, and how soon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dovetail import faults as table_of_faults

from host_tools.campaign.draw import ALONE, BOTH, HARMLESS, NOISE, TRY, Trouble, stations
from host_tools.campaign.known import (
    AT_THE_END,
    INTERLOCKS,
    LATE_UM,
    STATION_AXES,
    Moves,
    counted_ns,
    first,
    known_ns,
    unseen,
)
from host_tools.campaign.met import Met
from host_tools.campaign.plants import (
    CARDS,
    EVEN,
    EVEN_AT_ONE,
    OF_PLANT,
    OTHERS,
    TOGETHER,
    numbers,
    row,
    words,
)
from host_tools.campaign.whole import Whole
from host_tools.link import link_pb2
from host_tools.link.client import kind_of
from sim.faults import SINCE, Struck, sized
from sim.parts import STEP_UM

SEVERAL = {"deal.double_feed", "deal.triple_feed", "deal.bent_pair", "deal.overlap"}
# Where these have struck the machine's own truth has other numbers for its cards.
MISCOUNTED = {
    *("shoe.lost", "shoe.extra", "shoe.robbed", "hands.rest", "hands.late"),
    "path.jam_at:slot",  # seated, for all that the beams see
}
TRY_NS = 500_000_000  # what follows so soon strikes within the try


class Told(NamedTuple):
    """What was told of a try."""

    ns: int
    number: int
    station: str
    at: bool  # the card is one that was there


class Judge:
    """Hears what the machine tells of the present trouble, and knows what has struck."""

    def __init__(self, whole: Whole) -> None:
        self.machine, self.hands = whole.machine, whole.hands
        self.quick = whole.depth == "in-process"  # else there are steps at the pins, and no moves
        self.now_ns = whole.world.now_ns
        self.moves = Moves(self.machine, self.now_ns)
        # the last order of each lane: before it nobody had to look
        self.order_ns = {"wheel": 0, "shoe": 0}
        self.begin(Trouble(""))

    def begin(self, trouble: Trouble) -> None:
        """Everything before is forgotten."""
        self.trouble = trouble
        self.before = len(self.machine.faults.struck)
        self.told_ns = 0  # its first word
        self.report_ms: float | None = None  # it came so long after it could first be known
        self.opened_ns = 0  # since when its interlock is open
        self.tried: list[Told] = []
        self.full = False  # a whole deck lies in the wheel, and waits for the shoe
        self.moves.forget()

    @property
    def struck(self) -> list[Struck]:
        """Since it began."""
        return self.machine.faults.struck[self.before :]

    def ordered(self, lane: str) -> None:
        """An order to this lane was accepted."""
        self.order_ns[lane] = self.now_ns()

    def hear(self, event: link_pb2.Event) -> None:
        """What the machine tells."""
        if kind_of(event) == "trying":
            said = event.trying
            at = said.card in self._near(said.fault, said.station)
            self.tried.append(Told(self.now_ns(), said.fault, said.station, at))
        if kind_of(event) in ("shuffle_done", "ready"):
            self.full = kind_of(event) == "shuffle_done"
        if kind_of(event) == "remainder" and self.full:
            self.ordered("wheel")  # it is emptied from now on
        if kind_of(event) in ("trying", "fault") and not self.told_ns:
            said = event.fault if kind_of(event) == "fault" else event.trying
            known = self._known_ns(said.fault, said.station)
            if known is not None:
                self.told_ns = self.now_ns()
                self.report_ms = (self.told_ns - known) / 1e6

    # -- since when it could be known ----------------------------------------------------------

    def _known_ns(self, number: int, station: str) -> int | None:
        """The first moment at which it could be known; none where that can't be told."""
        if not self.quick:
            return None  # at the pins there are steps, and no moves
        since = self.struck
        if number in INTERLOCKS:
            return self._open_ns(number, since)
        slid = self.machine.deal.slid  # on a card that has been slick since an earlier trouble
        there = sorted((*since, *slid), key=lambda one: one.ns)
        one = first([one for one in there if not self._slight(one)] or there, number, station)
        if one is None:
            return None
        if station == "count" or one.name in AT_THE_END:
            return counted_ns(self.moves, one.name, self.order_ns)
        if station not in STATION_AXES:
            return None
        if self._together((one.name,), number):  # with a card that comes later: when it has come
            return self.moves.last(STATION_AXES[station])
        both = self.trouble.phase == BOTH
        return known_ns(self.moves, one, station, self.order_ns, both)

    def _slight(self, one: Struck) -> bool:
        """Whether it is a dealt card that is late by no more than goes through all the same."""
        size = self.machine.faults.sizes.get(one.name, 0)
        um = {"deal.slip": 1.0, "deal.lost": STEP_UM}.get(one.name)
        return um is not None and size * um < LATE_UM

    def _open_ns(self, number: int, struck: Sequence[Struck]) -> int | None:
        """Since when an interlock is open, or the supply under its limit."""
        if number == table_of_faults.SUPPLY_LOST:
            return self.machine.motor_supply.low_ns
        opened = [one.ns for one in struck if OF_PLANT[one.name].number == number]
        return min((*opened, *([self.opened_ns] if self.opened_ns else [])), default=None)

    # -- what it was called ---------------------------------------------------------------------

    def met(self, fault: link_pb2.FaultRaised | None) -> Met:
        """What came of the present trouble; the fault that was handed over."""
        trouble, since = self.trouble, self.struck
        struck = tuple(one.name for one in since)
        if fault is None:
            if not struck:
                return Met(trouble, struck, "not struck")
            met = self._got_over(since)
        else:
            met = Met(trouble, struck, "handed over", fault.fault, fault.station, fault.card)
            met.report_ms = self.report_ms
            met.misnamed = self._misnamed(since, fault)
            if not self.opened_ns and trouble.switch != NOISE and not self._may_stop(met):
                met.wrong = [f"false alarm: fault {fault.fault} {fault.name}, {fault.station}"]
        met.misnamed = met.misnamed or self._mistold(since)
        met.opened = self.opened_ns > 0
        if self.tried and any(
            self._in_a_try(at) for at in (*(o.ns for o in since), self.opened_ns)
        ):
            met.within = TRY
        return met

    def _in_a_try(self, ns: int) -> bool:
        return self.tried[0].ns < ns < self.tried[-1].ns + TRY_NS

    def _may_stop(self, met: Met) -> bool:
        """Whether what has struck is more than the machine must bear."""
        if set(met.struck) - HARMLESS:
            return True
        return self._together(met.struck, met.fault)

    def _together(self, struck: Sequence[str], number: int) -> bool:
        """Whether that comes of two that meet; a bent card may be an old one."""
        there = set(struck)
        met = [*self.machine.cards().values(), *self.hands.stacks[-1:]]  # or just taken
        if any(card.bend_um for cards in met for card in cards):
            there.add("card.bent")
        return any(pair <= there and TOGETHER[pair][0] == number for pair in TOGETHER)

    def _got_over(self, since: Sequence[Struck]) -> Met:
        """Nothing was handed over."""
        struck = tuple(one.name for one in since)
        even = {"deal.ahead"} if self.machine.deal.evened else set[str]()  # nothing was off
        for pair in EVEN:
            even |= pair if pair <= set(struck) else set()
        for passage in {one.passage for one in since}:
            there = {one.name for one in since if one.passage == passage}
            even |= set[str]().union(*(pair for pair in EVEN_AT_ONE if pair <= there))
        bad = [one for one in since if one.name not in ALONE | even]
        met = Met(self.trouble, struck, "recovered" if self.tried else "harmless")
        told = {said.number for said in self.tried}
        quiet = [one for one in bad if not told & numbers(one.name)]
        if missed := [one.name for one in quiet if not self._dormant(one)]:
            met.outcome = "missed"
            met.wrong = [f"nobody has noticed: {', '.join(missed)}"]
        elif quiet:
            met.outcome = "dormant"  # nobody had to look there any more
        else:
            met.report_ms = self.report_ms
        return met

    def _dormant(self, one: Struck) -> bool:
        if not self.quick:
            return one.name in SINCE  # no moves are seen there
        return unseen(self.moves, one)

    def _misnamed(self, since: Sequence[Struck], fault: link_pb2.FaultRaised) -> str:
        """What is wrong with its name: the station, or of one plant alone number and card."""
        there = set[str]().union(*(stations(one.name) for one in since))
        if self.opened_ns:
            there.add("interlock")
        if self.trouble.switch == NOISE:
            there.add("chance")
        if fault.station not in there:
            names = tuple(one.name for one in since)
            return "" if self._together(names, fault.fault) else "station"
        if len(since) != 1 or self.trouble.switch:
            return ""
        one, case = since[0], OF_PLANT[since[0].name]
        if self.trouble.during and one.name != sized(self.trouble.plants[0][0])[0]:
            known = fault.fault in numbers(one.name)  # planted when cards had passed already
            there = self._under_way(fault.station)
            return "" if known and fault.card in there else "card" if known else "number"
        cards = [case.told(one.passage)] if fault.fault == case.number else []
        for other in OTHERS.get(one.name, ()):
            if fault.fault == other.number:
                cards.append(None if other.card is None else one.passage + other.card)
        if not cards:
            return "" if self._together((one.name,), fault.fault) else "number"
        if None in cards and fault.station in ("feeder", "wheel", "motion"):
            return "" if fault.card in self._under_way(fault.station) else "card"
        return "" if None in cards or fault.card in cards else "card"

    def _mistold(self, since: Sequence[Struck]) -> str:
        """The same of what was told while it was tried."""
        slid = self.machine.deal.slid  # on a card that has been slick since an earlier trouble
        names = {one.name for one in (*since, *slid)}
        there = set[str]().union(*(stations(name) for name in names))
        counted = names.isdisjoint(MISCOUNTED)
        for said in self.tried:
            if said.station not in there or said.station != row(said.number)[2]:
                return "station"
            if counted and not said.at:
                return "card"
            known = len(names) > 1 or any(said.number in words(name) for name in names)
            if not known and not self._together(tuple(names), said.number):
                return "number"
        return ""

    def _near(self, number: int, station: str) -> set[int]:
        """Cards that a word may name: of several that went at once the first."""
        there = self._under_way(station)
        gone = number == table_of_faults.DEAL_DOUBLE
        gone |= station == "shoe" and any(one.name in SEVERAL for one in self.struck)
        if gone:
            there |= {min(there) - 1, min(there) - 2}
        return there

    def _under_way(self, station: str) -> set[int]:
        """The card that goes into the wheel, out of it, or to the tray: the last, or the next."""
        if station == "tray":
            return {0}
        if station == "shoe":
            deal = self.machine.deal
            dealt = CARDS - len(deal.shoe) - len(deal.held) - (deal.behind is not None)
            return {dealt, dealt + 1}
        inside = self.machine.wheel.count()
        out = CARDS - inside
        return {inside, inside + 1, out, out + 1}  # 0: before the first, while home is looked for

    def cleared(self, told: int, opened: int, fault: link_pb2.FaultRaised) -> list[str]:
        """A fault in the clearing: of what has struck there, or of what was left inside."""
        there = {"machine"} if any(self.machine.cards().values()) else set[str]()
        there |= {"interlock"} if self.opened_ns > opened else set()
        for one in self.machine.faults.struck[told:]:
            there |= stations(one.name) | {"machine"}  # a beam that is dark: it may be a card
        if fault.station in there:
            return []
        return [f"false alarm in the clearing: fault {fault.fault}, {fault.station}"]
