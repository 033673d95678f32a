"""A controller and an operator at one machine: troubles are met, judged, cleared."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from dovetail import faults as table_of_faults

from hil_tests.power import records_of
from hil_tests.watch import Watch
from host_tools.campaign.draw import (
    ALONE,
    BOTH,
    CLEARING,
    DEALING,
    HARMLESS,
    NOISE,
    SWITCHES,
    TRY,
    Trouble,
    stations,
)
from host_tools.campaign.known import (
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
from host_tools.campaign.plants import CARDS, EVEN, OF_PLANT, OTHERS, TOGETHER, numbers
from host_tools.campaign.whole import Whole
from host_tools.hands import SimulatedHands
from host_tools.journal.segments import Record
from host_tools.link import link_pb2
from host_tools.link.client import Client, kind_of
from host_tools.link.errors import Faulted, Refused
from host_tools.link.keys import of_seed
from host_tools.play.story import Story
from host_tools.play.table import BACKS, Plan, Table
from host_tools.rigs import Rig
from sim.emulated.noise import good, stuck
from sim.faults import SINCE, Struck, sized
from sim.parts import STEP_UM

SHUFFLE_S, STACK_S, CLEAR_S = 120.0, 30.0, 60.0
LOOK_S = 0.02
TRY_NS = 500_000_000  # what follows so soon strikes within the try


class Player:
    """A controller and an operator at a machine in trouble."""

    def __init__(self, whole: Whole, seed: int) -> None:
        self.whole = whole
        self.hands = SimulatedHands(whole.hands, seed)
        world = whole.world
        self.rig = Rig(whole.depth, whole.transport, self.hands, self.hands, whole.machine)
        self.rig.now_ns = world.now_ns
        self.rig.keys = of_seed(seed)
        self.machine = whole.machine
        self.client: Client = self.rig.client(nonce=seed.to_bytes(16, "little"))
        self.watch = Watch(self.rig, CARDS, LOOK_S)
        self.client.on_event.append(self.watch.hear)
        self.client.on_event.append(self._hear)
        self.table = Table(self.client, self.hands, Story(self.rig.now_ms), Plan(players=2))
        self.moves = Moves(self.machine, world.now_ns)
        self.round = 0
        self.back = self.dealt = "red"  # in the shoe, or there last; in the last round
        self.new = {"red", "blue"}
        self.worn: set[str] = set()  # decks with a card that is not as it was, and good enough
        self.ready = False
        self.told_ns = 0  # the first word of the present trouble
        self.report_ms: float | None = None  # it came so long after it could first be known
        self.order_ns = {
            "wheel": 0,
            "shoe": 0,
        }  # the last of each lane: before it nobody had to look
        self.full = False  # a whole deck lies in the wheel, and waits for the shoe
        self.opened_ns = 0  # since when the trouble's interlock is open
        self.struck_before = 0  # plants, before the present trouble
        self.trouble = Trouble("")  # the present one
        self.tried: list[tuple[int, int]] = []  # what it has told of it: when, and which fault
        self.opening: asyncio.Task[None] | None = None
        self.asked_noise = 0  # samples of a part that has failed
        self.wrong_lock: list[str] = []  # I-7: what a deck that was locked out was good for
        self.records: tuple[Record, ...] = ()  # that were on flash after the last step

    def _hear(self, event: link_pb2.Event) -> None:
        if kind_of(event) == "trying":
            if not self.tried and self.trouble.during == TRY:
                self._second()
            self.tried.append((self.whole.world.now_ns(), event.trying.fault))
        if kind_of(event) in ("shuffle_done", "ready"):
            self.full = kind_of(event) == "shuffle_done"
        if kind_of(event) == "remainder" and self.full:  # the wheel is emptied from now on
            self.order_ns["wheel"] = self.whole.world.now_ns()
        if kind_of(event) in ("trying", "fault") and not self.told_ns:
            said = event.fault if kind_of(event) == "fault" else event.trying
            known = self._known_ns(said.fault, said.station)
            if known is not None:
                self.told_ns = self.whole.world.now_ns()
                self.report_ms = (self.told_ns - known) / 1e6

    def _known_ns(self, number: int, station: str) -> int | None:
        """The first moment at which it could be known; none where that can't be told."""
        if self.whole.depth != "in-process":
            return None  # at the pins there are steps, and no moves
        since = self.machine.faults.struck[self.struck_before :]
        if number in INTERLOCKS:
            return self._open_ns(number, since)
        slid = self.machine.deal.slid  # on a card that has been slick since an earlier trouble
        there = sorted((*since, *slid), key=lambda one: one.ns)
        one = first([one for one in there if not self._slight(one)] or there, number, station)
        if one is None:
            return None
        if station == "count":
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

    # -- one trouble ---------------------------------------------------------------------------

    async def meet(self, trouble: Trouble) -> Met:
        """Get there, let it happen, judge, make good."""
        faults = self.machine.faults
        faults.planted.clear()
        in_shoe = trouble.phase in (DEALING, BOTH)
        if in_shoe and not self.ready:
            await self.shuffle()
        if self.ready and not in_shoe:
            await self.empty()
        faults = self.machine.faults
        faults.planted.clear()
        before = self.struck_before = len(faults.struck)
        self.told_ns = self.opened_ns = 0
        self.report_ms = None
        self.trouble = trouble
        self.tried.clear()
        self.full = False
        self.machine.deal.forget()
        self.moves.forget()
        since = len(self.table.heard.events)
        self._begin()
        fault: link_pb2.FaultRaised | None = None
        try:
            if trouble.phase == DEALING:
                self._arm(trouble)
                self._spoil(trouble)
                await self.deal()
            elif trouble.phase == BOTH:
                await self.both(trouble)
            else:
                await self.shuffle(trouble)
            if self.opening is not None and self.ready:
                await self.opening
                await self.table.heard.wait("cleared", since, 5.0)  # the fault comes before it
        except Faulted as error:
            fault = error.event.fault
        except Refused:  # the fault was quicker than the next order
            fault = (await self.table.heard.wait("fault", since, 1.0)).fault
        if self.opening is not None:
            self.opening.cancel()
        struck = tuple(one.name for one in faults.struck[before:])
        met = self._judge(trouble, faults.struck[before:], fault)
        if trouble.switch == NOISE:
            if fault is not None:
                met.wrong += await self._unavailable(fault)
            elif self.asked_noise:
                met.wrong.append("I-9: not noticed")
        elif fault is not None:
            await self.make_good(met, struck)
        else:
            if self.opened_ns:
                await self.hands.switch(trouble.switch, True)
            self.machine.repair()
            if any(OF_PLANT[name].spoilt for name in struck):
                self.worn = {"red", "blue"}
        self.watch.look()
        met.wrong += self.watch.broken + self.wrong_lock + self._kept() + await self._locked()
        self.watch.broken, self.wrong_lock = [], []
        return met

    # -- what must hold after each step --------------------------------------------------------

    def _kept(self) -> list[str]:
        """I-10: every record that was on flash is there as it was, and none is missing since."""
        before, self.records = self.records, records_of(self.whole.cells())
        there = {record.number: record for record in self.records}
        wrong: list[str] = []
        if list(there) != list(range(min(there), min(there) + len(there))):
            wrong.append("I-10: records of the journal are missing, or out of order")
        first = min(there)  # older ones may have made room
        if any(one.number >= first and there.get(one.number) != one for one in before):
            wrong.append("I-10: a record of the journal is another now")
        return wrong

    async def _locked(self) -> list[str]:
        """I-7: a deck that the journal has locked out stays so until it is removed."""
        told: set[int] = set()
        for record in self.records:
            back = int(record.fields.get("back", 0))
            if record.kind == "locked_out":
                told.add(back)
            elif record.kind == "removed" or (record.kind == "declared" and record.fields["new"]):
                told.discard(back)
        said = {deck.back for deck in (await self.client.status()).decks if deck.locked_out}
        return [] if said == told else [f"I-7: locked out by the journal {told}, by status {said}"]

    def _failed_noise(self) -> int:
        self.asked_noise += 1
        return stuck(1)()

    async def _refused(self, request: Awaitable[object], what: str) -> list[str]:
        try:
            await request
        except Refused:
            return []
        return [f"{what} was done"]

    async def _unavailable(self, fault: link_pb2.FaultRaised) -> list[str]:
        """I-9: randomness has failed its tests, and nothing but a power-on is an answer to that."""
        wrong = [] if fault.fault == table_of_faults.NOISE else [f"I-9: it became {fault.fault}"]
        if (await self.client.status()).state != link_pb2.UNAVAILABLE:
            wrong.append("I-9: available, though randomness has failed")
        self.whole.spoil(good(1))  # the part recovers, the machine does not trust it
        self.hands.hands.clear()
        client, back = self.client, BACKS[self.back]
        for request, what in (
            (client.cleared(), "cleared"),
            (client.load(back), "load"),
            (client.shuffle(back), "shuffle"),
            (client.open_round(self.round + 1, 2), "open_round"),
        ):
            wrong += await self._refused(request, f"I-9: {what}")
        return wrong

    def _begin(self) -> None:
        self.opening = None

    def _arm(self, trouble: Trouble) -> None:
        """Before the first card lies under its roller; that in the shoe is laid there anew."""
        for name, at in trouble.plants[: 1 if trouble.during else None]:
            self.machine.faults.plant(name, {at})
        if self.ready:
            self.machine.deal.lay()

    def _spoil(self, trouble: Trouble) -> None:
        """A switch that is opened, or noise that fails."""
        if trouble.switch == NOISE:
            self.asked_noise = 0
            self.whole.spoil(self._failed_noise)
        elif not trouble.during:
            self._open_later(trouble)

    def _second(self) -> None:
        """What is planted when the first is tried, or cleared."""
        for name, at in self.trouble.plants[1:]:
            self.machine.faults.plant(name, {at})
        self._open_later(self.trouble)

    def _open_later(self, trouble: Trouble) -> None:
        if trouble.switch not in SWITCHES:
            return

        async def later() -> None:
            await asyncio.sleep(trouble.after_ms / 1000)
            self.opened_ns = self.whole.world.now_ns()
            await self.hands.switch(trouble.switch, False)

        self.opening = asyncio.create_task(later())

    # -- the judgement -------------------------------------------------------------------------

    def _judge(
        self, trouble: Trouble, since: Sequence[Struck], fault: link_pb2.FaultRaised | None
    ) -> Met:
        struck = tuple(one.name for one in since)
        if fault is None:
            if not struck:
                return Met(trouble, struck, "not struck")
            met = self._got_over(trouble, since)
        else:
            met = Met(trouble, struck, "handed over", fault.fault, fault.station, fault.card)
            met.report_ms = self.report_ms
            met.misnamed = self._misnamed(since, fault)
            if not self.opened_ns and trouble.switch != NOISE and not self._may_stop(met):
                met.wrong = [f"false alarm: fault {fault.fault} {fault.name}, {fault.station}"]
        met.opened = self.opened_ns > 0
        if self.tried and any(
            self._in_a_try(at) for at in (*(o.ns for o in since), self.opened_ns)
        ):
            met.within = TRY
        return met

    def _in_a_try(self, ns: int) -> bool:
        return self.tried[0][0] < ns < self.tried[-1][0] + TRY_NS

    def _may_stop(self, met: Met) -> bool:
        """Whether what has struck is more than the machine must bear."""
        if set(met.struck) - HARMLESS:
            return True
        return self._together(met.struck, met.fault)

    def _together(self, struck: Sequence[str], number: int) -> bool:
        """Whether that comes of two that are harmless alone; a bent card may be an old one."""
        there = set(struck)
        met = [*self.machine.cards().values(), *self.hands.hands.stacks[-1:]]  # or just taken
        if any(card.bend_um for cards in met for card in cards):
            there.add("card.bent")
        return any(pair <= there and TOGETHER[pair][0] == number for pair in TOGETHER)

    def _got_over(self, trouble: Trouble, since: Sequence[Struck]) -> Met:
        """Nothing was handed over."""
        struck = tuple(one.name for one in since)
        even = {"deal.ahead"} if self.machine.deal.evened else set[str]()  # nothing was off
        for pair in EVEN:
            even |= pair if pair <= set(struck) else set()
        bad = [one for one in since if one.name not in ALONE | even]
        met = Met(trouble, struck, "recovered" if self.tried else "harmless")
        told = {number for _, number in self.tried}
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
        if self.whole.depth != "in-process":
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
            return "station"
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

    async def ask(self, request: Callable[[], Awaitable[object]], what: str) -> None:
        """Until it is done."""
        await self.table.ask(request, what)
        self.order_ns["wheel" if what in ("load", "shuffle") else "shoe"] = (
            self.whole.world.now_ns()
        )

    def _open_ns(self, number: int, struck: Sequence[Struck]) -> int | None:
        """Since when an interlock is open, or the supply under its limit."""
        if number == table_of_faults.SUPPLY_LOST:
            return self.machine.motor_supply.low_ns
        opened = [one.ns for one in struck if OF_PLANT[one.name].number == number]
        return min((*opened, *([self.opened_ns] if self.opened_ns else [])), default=None)

    # -- what a table does ---------------------------------------------------------------------

    async def shuffle(self, trouble: Trouble | None = None) -> None:
        """Until the deck is ready; raises Faulted. A trouble begins when the deck is declared."""
        since = await self.fill(trouble)
        await self.filled(since)

    async def fill(self, trouble: Trouble | None = None) -> int:
        """The other deck is loaded, and its shuffle ordered."""
        back, client, heard = self._other(), self.client, self.table.heard
        if back in self.worn:
            await self.change(back)
        if trouble is not None:
            self._arm(trouble)
        self.hands.hands.load(back)
        await self.ask(lambda: client.load(BACKS[back], back in self.new), "load")
        self.new.discard(back)
        since = len(heard.events)
        if trouble is not None:
            self._spoil(trouble)
        await self.ask(lambda: client.shuffle(BACKS[back]), "shuffle")
        return since

    async def filled(self, since: int) -> None:
        """That deck is ready in the shoe."""
        back = self._other()
        await self.table.heard.wait("ready", since, SHUFFLE_S, back=BACKS[back])
        self.back, self.ready = back, True

    async def both(self, trouble: Trouble) -> None:
        """A round is dealt while the other deck is shuffled into the wheel; raises Faulted."""
        since = await self.fill(trouble)
        await asyncio.sleep(trouble.begin_ms / 1000)
        await self.deal()
        await self.filled(since)

    async def change(self, back: str) -> None:
        """A new deck in place of one that lies on the table."""
        self.hands.hands.renew(back)
        self.worn.discard(back)
        if back not in self.new:
            await self.ask(lambda: self.client.remove_deck(BACKS[back]), "remove_deck")
            self.new.add(back)

    def _other(self) -> str:
        """The decks alternate: not the one in the shoe, nor that of the last round."""
        return "blue" if (self.back if self.ready else self.dealt) == "red" else "red"

    async def deal(self) -> None:
        """A round with the deck in the shoe; raises Faulted."""
        client, heard = self.client, self.table.heard
        self.round += 1
        self.ready = False
        number = self.round
        ready = self.watch.ready
        await self.ask(lambda: client.open_round(number, 2), "open_round")
        self.watch.ready = (
            ready  # as it was when the round was opened: a fault may be told before the answer
        )
        self.watch.opened()
        self.dealt = self.back
        self.watch.bets_closed = True
        await client.no_more_bets(number)
        for position in range(1, self.table.stacks + 1):
            since = len(heard.events)

            def order(position: int = position) -> Any:
                return client.deal(number, position)

            await self.ask(order, "deal")
            await heard.wait("stack", since, STACK_S, position=position)
            await asyncio.sleep(0.2)
            self.hands.hands.take()
            await heard.wait("taken", since, STACK_S, position=position)
        since = len(heard.events)
        await self.ask(lambda: client.remainder(number), "remainder")
        await heard.wait("remainder", since, SHUFFLE_S)
        await asyncio.sleep(0.2)
        faults = heard.all("fault", since)
        if not faults:
            self.hands.hands.take()
        if not heard.all("round_void", since):  # also when the other lane has stopped meanwhile
            await self.ask(lambda: client.close_round(number), "close_round")
        for event in faults:
            raise Faulted(event)

    async def empty(self) -> None:
        """The deck in the shoe is taken out by hand."""
        since = len(self.table.heard.events)
        await self.ask(self.client.out_of_service, "out_of_service")
        self.hands.hands.clear()
        self.watch.clearing()
        await self.ask(self.client.in_service, "in_service")
        await self.table.heard.wait("cleared", since, CLEAR_S)
        self.ready = self.watch.ready = False

    async def make_good(self, met: Met, struck: tuple[str, ...]) -> None:
        """Stopped, it does nothing until every card is out and it has seen so itself."""
        client, heard = self.client, self.table.heard
        self.ready = False
        met.wrong += await self._refused(client.shuffle(BACKS[self.back]), "I-5: shuffle")
        met.wrong += await self._refused(client.open_round(self.round + 1, 2), "I-5: open_round")
        met.wrong += await self._refused(client.deal(self.round, 1), "I-5: deal")
        if self.opened_ns:
            await self.hands.switch(met.trouble.switch, True)
        self.machine.faults.planted.pop("path.hold", None)
        told, opened = len(self.machine.faults.struck), self.opened_ns
        for attempt in range(3 + bool(met.trouble.during)):
            await asyncio.sleep(0.4)
            self.hands.hands.clear()
            self.watch.clearing()
            if not attempt and met.trouble.during == CLEARING:
                self._second()
            since = len(heard.events)
            try:
                await self.ask(client.cleared, "cleared")
                await heard.wait("cleared", since, CLEAR_S)
                break
            except (Faulted, Refused) as error:  # refused: a door stands open
                if isinstance(error, Faulted):
                    met.wrong += self._looked(told, opened, error.event.fault)
                if self.opening is not None and self.opened_ns:
                    await self.hands.switch(met.trouble.switch, True)
        else:
            met.wrong.append("not cleared after three times")
        if self.opening is not None:
            self.opening.cancel()
        if len(self.machine.faults.struck) > told or self.opened_ns > opened:
            met.within = met.within or CLEARING
        await self.hands.switch(met.trouble.switch or "lid", True)
        self.machine.faults.planted.clear()
        self.machine.repair()  # what struck while it was cleared
        met.wrong += self._kept() + await self._locked()
        await self.renew(struck)

    def _looked(self, told: int, opened: int, fault: link_pb2.FaultRaised) -> list[str]:
        """A fault in the clearing: of what has struck there, or of what was left inside."""
        there = {"machine"} if any(self.machine.cards().values()) else set[str]()
        there |= {"interlock"} if self.opened_ns > opened else set()
        for one in self.machine.faults.struck[told:]:
            there |= stations(one.name) | {"machine"}  # a beam that is dark: it may be a card
        if fault.station in there:
            return []
        return [f"false alarm in the clearing: fault {fault.fault}, {fault.station}"]

    async def renew(self, struck: tuple[str, ...]) -> None:
        """Decks that are locked out or spoilt go off the table, new ones come."""
        spoilt = any(OF_PLANT[name].spoilt for name in struck)
        for deck in (await self.client.status()).decks:
            name = link_pb2.Back.Name(deck.back).lower()
            if not spoilt and not deck.locked_out:
                continue
            self.hands.hands.renew(name)
            self.worn.discard(name)
            if name not in self.new:
                if deck.locked_out:
                    load = self.client.load(deck.back)
                    self.wrong_lock += await self._refused(load, "I-7: load of a locked deck")
                await self.client.remove_deck(deck.back)
                self.new.add(name)
        if spoilt:
            self.machine.deal.robbed.clear()

    def account(self) -> list[str]:
        """At the end: every card is somewhere, once."""
        there = [card for cards in self.machine.cards().values() for card in cards]
        there += [card for cards in self.hands.hands.table.values() for card in cards]
        wrong: list[str] = []
        if len(there) != len({id(card) for card in there}):
            wrong.append("a card is in two places")
        return wrong
