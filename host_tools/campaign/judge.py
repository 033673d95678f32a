"""What came of a trouble, by the machine's own truth: was it told, as what, and how soon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from dovetail import faults as table_of_faults

from host_tools.campaign.called import called, card_told, numbers, row, stations, together, words
from host_tools.campaign.draw import BOTH, NOISE, TRY, Trouble
from host_tools.campaign.known import (
    CARD_NS,
    HOME_NS,
    INTERLOCKS,
    LANES,
    LATE_UM,
    STATION_AXES,
    TRY_NS,
    WAITS_NS,
    Moves,
    counted_ns,
    first,
    known_ns,
    unseen,
)
from host_tools.campaign.met import Met
from host_tools.campaign.whole import Whole
from host_tools.link import link_pb2
from host_tools.link.client import kind_of
from sim.faults import Struck, sized
from sim.plants.catalogue import OF_NAME, ONWARDS
from sim.plants.pairs import BENT, EVEN, EVEN_AT_ONE
from sim.plants.record import HARMLESS
from sim.points import CARDS
from sim.without import leave, sync

SOON_NS = 500_000_000  # what follows so soon strikes within the try
MOST_TRIES = 3  # of one card


class Word(NamedTuple):
    """Of a trouble: a try, or the fault that stops the machine."""

    ns: int
    number: int
    card: int


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
        self.report_ms: float | None = None  # the latest word came so long after it could be known
        self.words: dict[str, Word] = {}  # the last one of each lane, while its card is not through
        self.busy_ns = {"wheel": 0, "shoe": 0}  # until when what is tried may take
        self.tries: Counter[tuple[str, int]] = Counter()  # of each card
        self.too_many: list[str] = []
        self.told: set[Struck] = set()  # there was a word of it
        self.stopped = False
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
        self._through(lane)

    def _through(self, lane: str) -> None:
        """The cards of this lane begin anew: no word is of the same card as one before."""
        self.words.pop(lane, None)
        for key in [key for key in self.tries if key[0] == lane]:
            del self.tries[key]

    def hear(self, event: link_pb2.Event) -> None:
        """What the machine tells."""
        kind = kind_of(event)
        if kind == "trying":
            said = event.trying
            at = said.card in self._near(said.fault, said.station)
            self.tried.append(Told(self.now_ns(), said.fault, said.station, at))
            self._count(said)
        if kind in ("shuffle_done", "ready"):
            self.full = kind == "shuffle_done"
            self._through("wheel")
        if kind == "remainder" and self.full:
            self.ordered("wheel")  # it is emptied from now on
        if kind in ("trying", "fault") and not self.stopped:
            said = event.fault if kind == "fault" else event.trying
            self.stopped = kind == "fault"
            self._time(Word(self.now_ns(), said.fault, said.card), said.station)

    def _count(self, said: link_pb2.Trying) -> None:
        """A card is tried three times at most, by what is said and by how often it is said."""
        key = LANES.get(said.station, "wheel"), said.card
        if said.tries == 1 and said.card == 1:
            del self.tries[key]  # the first one is staged by itself: two moves, each with its tries
        self.tries[key] += said.tries > 0
        if max(said.tries, self.tries[key]) > MOST_TRIES and not self.too_many:
            self.too_many = [f"more than {MOST_TRIES} tries: fault {said.fault}, card {said.card}"]

    # -- since when it could be known ----------------------------------------------------------

    def _time(self, word: Word, station: str) -> None:
        """Each word: since its plant could be known, and since the word before of the same card."""
        if not self.quick:
            return  # at the pins there are steps, and no moves
        sync(self.machine)
        one = None if word.number in INTERLOCKS else self._about(word.number, station)
        lane = self._lane(word.number, station)
        since = self._tried_ns(lane, word)
        if since is None:
            since = self._known_ns(word.number, station, one)
        self.words[lane] = word
        self.busy_ns[lane] = self._again_ns(lane, word)
        if one is not None:
            self.told.add(one)
        if since is not None:
            self.told_ns = self.told_ns or word.ns
            self.report_ms = max((word.ns - since) / 1e6, self.report_ms or 0.0, 0.0)

    def _lane(self, number: int, station: str) -> str:
        """That of a station; of a count by what has struck."""
        one = first(self.struck, number, station) if station == "count" else None
        return LANES.get(OF_NAME[one.name].station if one else station, "wheel")

    def _tried_ns(self, lane: str, word: Word) -> int | None:
        """When what was tried has ended, by the limits of the axes; none if it is another card's.

        What strikes while it is tried shows then: a wheel that looks for its home counts no ticks.
        """
        last = self.words.get(lane)
        if last is None or word.number in INTERLOCKS:
            return None
        same = last.card == word.card or self.moves.passed_ns[lane] <= last.ns
        return self._again_ns(lane, last) if same else None

    def _again_ns(self, lane: str, last: Word) -> int:
        """When the try of which that was said has ended, by the limits of the axes."""
        at = last.ns + TRY_NS.get(last.number, CARD_NS[lane])
        if lane == "wheel" and last.card <= 1:  # it was staged; it goes in when the home is found
            at += HOME_NS + (WAITS_NS[lane] if self.trouble.phase == BOTH else 0)
        return at

    def _about(self, number: int, station: str) -> Struck | None:
        """The plant that a word is about; none when it was told before, and is met again."""
        slid = self.machine.deal.slid  # on a card that has been slick since an earlier trouble
        there = [one for one in self.struck if not self._slight(one)]
        there = sorted((*there, *slid), key=lambda one: one.ns) or list(self.struck)
        shown = self.machine.faults.shown
        there = [one for one in there if one in shown or not one.passage] or there
        if self.told:
            there = [o for o in there if o not in self.told and number in words(o.name)]
        return first(there, number, station)

    def _known_ns(self, number: int, station: str, one: Struck | None) -> int | None:
        """The first moment at which it could be known; none where that can't be told."""
        if number in INTERLOCKS:
            return self._open_ns(number, self.struck)
        if one is None:
            return None
        both = self.trouble.phase == BOTH
        if station == "count" or OF_NAME[one.name].by_tries:
            return counted_ns(self.moves, one.name, self.order_ns, both)
        if station not in STATION_AXES:
            return None
        if self._together((one.name,), number):  # with a card that comes later: when it has come
            return self.moves.last(STATION_AXES[station])
        busy = self.busy_ns[LANES.get(station, "wheel")]
        return known_ns(self.moves, one, station, self.order_ns, both, busy)

    def _slight(self, one: Struck) -> bool:
        """Whether it is a dealt card that is late by no more than goes through all the same."""
        lags_um = OF_NAME[one.name].lags_um
        return bool(lags_um) and self.machine.faults.sizes[one.name] * lags_um < LATE_UM

    def _open_ns(self, number: int, struck: Sequence[Struck]) -> int | None:
        """Since when an interlock is open, or the supply under its limit."""
        if number == table_of_faults.SUPPLY_LOST:
            return self.machine.motor_supply.low_ns
        opened = [one.ns for one in struck if OF_NAME[one.name].number == number]
        return min((*opened, *([self.opened_ns] if self.opened_ns else [])), default=None)

    # -- what it was called ---------------------------------------------------------------------

    def met(self, fault: link_pb2.FaultRaised | None) -> Met:
        """What came of the present trouble; the fault that was handed over."""
        leave(self.machine)
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
        met.wrong += self.too_many
        met.opened = self.opened_ns > 0
        if self.tried and any(
            self._in_a_try(at) for at in (*(o.ns for o in since), self.opened_ns)
        ):
            met.within = TRY
        return met

    def _in_a_try(self, ns: int) -> bool:
        return self.tried[0].ns < ns < self.tried[-1].ns + SOON_NS

    def _may_stop(self, met: Met) -> bool:
        """Whether what has struck is more than the machine must bear."""
        if any(OF_NAME[name].ends != HARMLESS for name in met.struck):
            return True
        return self._together(met.struck, met.fault)

    def _together(self, struck: Sequence[str], number: int) -> bool:
        """Whether that comes of two that meet; a bent card may be an old one."""
        there = set(struck)
        met = [*self.machine.cards().values(), *self.hands.stacks[-1:]]  # or just taken
        if any(card.bend_um for cards in met for card in cards):
            there.add(BENT)
        return together(there, number)

    def _got_over(self, since: Sequence[Struck]) -> Met:
        """Nothing was handed over."""
        struck = tuple(one.name for one in since)
        even = set(self.machine.deal.evened)  # nothing was off
        for pair in EVEN:
            even |= pair if pair <= set(struck) else set()
        for passage in {one.passage for one in since}:
            there = {one.name for one in since if one.passage == passage}
            even |= set[str]().union(*(pair for pair in EVEN_AT_ONE if pair <= there))
        bad = [one for one in since if not OF_NAME[one.name].alone and one.name not in even]
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
            return one.name in ONWARDS  # no moves are seen there
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
            return "" if self._known(since, fault.fault) else "number"
        one, plant = since[0], OF_NAME[since[0].name]
        if self.trouble.during and one.name != sized(self.trouble.plants[0][0])[0]:
            known = fault.fault in numbers(one.name)  # planted when cards had passed already
            there = self._under_way(fault.station)
            return "" if known and fault.card in there else "card" if known else "number"
        cards = [card_told(plant, one.passage)] if fault.fault == plant.number else []
        for other in plant.others:
            if fault.fault == other.number:
                cards.append(None if other.card is None else one.passage + other.card)
        if not cards:
            return "" if self._together((one.name,), fault.fault) else "number"
        if None in cards and fault.station in ("feeder", "wheel", "motion"):
            return "" if fault.card in self._under_way(fault.station) else "card"
        return "" if None in cards or fault.card in cards else "card"

    def _known(self, since: Sequence[Struck], number: int) -> bool:
        """Whether one of several may be called so, or two of them together."""
        if self.opened_ns and number in INTERLOCKS:
            return True
        if self.trouble.switch == NOISE and number == table_of_faults.NOISE:
            return True
        names = [one.name for one in since]
        return called(names, number) or self._together(names, number)

    def _mistold(self, since: Sequence[Struck]) -> str:
        """The same of what was told while it was tried."""
        slid = self.machine.deal.slid  # on a card that has been slick since an earlier trouble
        names = {one.name for one in (*since, *slid)}
        there = set[str]().union(*(stations(name) for name in names))
        counted = not any(OF_NAME[name].miscounts for name in names)
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
        gone |= station == "shoe" and any(OF_NAME[one.name].several for one in self.struck)
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
