"""A controller and an operator at one machine: troubles are met, judged, cleared."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from dovetail import faults as table_of_faults

from hil_tests.eye import Eye
from hil_tests.power import records_of
from hil_tests.watch import Watch
from host_tools.campaign.draw import (
    BOTH,
    CLEARING,
    DEALING,
    NOISE,
    SWITCHES,
    TRY,
    Trouble,
    when,
)
from host_tools.campaign.judge import Judge
from host_tools.campaign.met import Met
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
from sim.plants.catalogue import OF_NAME, PLANTS
from sim.points import CARDS
from sim.without import follow, followers

SHUFFLE_S, STACK_S, CLEAR_S = 120.0, 30.0, 60.0
LOOK_S = 0.02


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
        self.eye = Eye(self.rig)
        self.forbidden: set[str] = set()  # what the oracle of the texts has objected to so far
        self.client: Client = self.rig.client(nonce=seed.to_bytes(16, "little"))
        self.watch = Watch(self.rig, CARDS, LOOK_S)
        self.client.on_event.append(self.watch.hear)
        self.client.on_event.append(self._hear)
        self.table = Table(self.client, self.hands, Story(self.rig.now_ms), Plan(players=2))
        self.round = 0
        self.back = self.dealt = "red"  # in the shoe, or there last; in the last round
        self.new = {"red", "blue"}
        self.worn: set[str] = set()  # decks with a card that is not as it was, and good enough
        self.ready = False
        self.judge = Judge(whole)
        self.opening: asyncio.Task[None] | None = None
        self.asked_noise = 0  # samples of a part that has failed
        self.wrong_lock: list[str] = []  # I-7: what a deck that was locked out was good for
        self.records: tuple[Record, ...] = ()  # that were on flash after the last step

    def _hear(self, event: link_pb2.Event) -> None:
        judge = self.judge
        if kind_of(event) == "trying" and not judge.tried and judge.trouble.during == TRY:
            self._second()
        judge.hear(event)

    # -- one trouble ---------------------------------------------------------------------------

    async def meet(self, trouble: Trouble) -> Met:
        """Get there, let it happen, judge, make good.

        Troubles are not met so close to each other: what may be said without play is earned anew.
        """
        self.watch.earned_anew()
        faults = self.machine.faults
        faults.planted.clear()
        in_shoe = trouble.phase in (DEALING, BOTH)
        if in_shoe and not self.ready:
            await self.shuffle()
        if self.ready and not in_shoe:
            await self.empty()
        self.machine.faults.planted.clear()
        self.judge.begin(trouble)
        self.machine.deal.forget()
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
        met = self.judge.met(fault)
        struck = met.struck
        if trouble.switch == NOISE:
            if fault is not None:
                met.wrong += await self._unavailable(fault)
            elif self.asked_noise:
                met.wrong.append("I-9: not noticed")
        elif fault is not None:
            await self.make_good(met, struck)
        else:
            if self.judge.opened_ns:
                await self.hands.switch(trouble.switch, True)
            self.machine.repair()
            if any(OF_NAME[name].spoils for name in struck):
                self.worn = {"red", "blue"}
        self.watch.look()
        met.wrong += self.watch.broken + self.wrong_lock + self._kept() + await self._locked()
        met.wrong += self._forbidden()
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

    def _forbidden(self) -> list[str]:
        """Return what the machine permitted since the last step though the texts forbid it."""
        lines = [line for line in self.eye.lines() if line not in self.forbidden]
        self.forbidden.update(lines)
        return lines

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
        now = trouble.plants[: 1 if trouble.during else None]
        for name, at in now:
            self.machine.faults.plant(name, when(at))
        if self.judge.quick:
            follow(self.machine, self.hands.hands, [name for name, _ in now])
        if self.ready:
            self.machine.lay()

    def _spoil(self, trouble: Trouble) -> None:
        """A switch that is opened, or noise that fails."""
        if trouble.switch == NOISE:
            self.asked_noise = 0
            self.whole.spoil(self._failed_noise)
        elif not trouble.during:
            self._open_later(trouble)

    def _second(self) -> None:
        """What is planted when the first is tried, or cleared."""
        later = self.judge.trouble.plants[1:]
        for name, at in later:
            for one in followers(self.machine):
                one.other.faults.plant(name, when(at))
            self.machine.faults.plant(name, when(at))
        if self.judge.quick and not self.judge.stopped:  # nothing is timed any more then
            follow(self.machine, self.hands.hands, [name for name, _ in later])
        self._open_later(self.judge.trouble)

    def _open_later(self, trouble: Trouble) -> None:
        if trouble.switch not in SWITCHES:
            return

        async def later() -> None:
            await asyncio.sleep(trouble.after_ms / 1000)
            self.judge.opened_ns = self.whole.world.now_ns()
            await self.hands.switch(trouble.switch, False)

        self.opening = asyncio.create_task(later())

    async def ask(self, request: Callable[[], Awaitable[object]], what: str) -> None:
        """Until it is done."""
        await self.table.ask(request, what)
        self.judge.ordered("wheel" if what in ("load", "shuffle") else "shoe")

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
        if back in self.new:
            async with client.acting_as(link_pb2.ROLE_SUPERVISOR):
                await self.ask(lambda: client.load(BACKS[back], True), "load")
        else:
            await self.ask(lambda: client.load(BACKS[back]), "load")
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
        """The decks alternate: not the one in the shoe, nor the one that was dealt last."""
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
        self.watch.bets_closed = True
        await client.no_more_bets(number)
        for position in range(1, self.table.stacks + 1):
            since = len(heard.events)

            def order(position: int = position) -> Any:
                return client.deal(number, position)

            await self.ask(order, "deal")
            self.dealt = self.back
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
        if self.judge.opened_ns:
            await self.hands.switch(met.trouble.switch, True)
        for plant in PLANTS:
            if plant.withdrawn:
                self.machine.faults.planted.pop(plant.name, None)
        told, opened = len(self.machine.faults.struck), self.judge.opened_ns
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
                    met.wrong += self.judge.cleared(told, opened, error.event.fault)
                if self.opening is not None and self.judge.opened_ns:
                    await self.hands.switch(met.trouble.switch, True)
        else:
            met.wrong.append("not cleared after three times")
        if self.opening is not None:
            self.opening.cancel()
        if len(self.machine.faults.struck) > told or self.judge.opened_ns > opened:
            met.within = met.within or CLEARING
        await self.hands.switch(met.trouble.switch or "lid", True)
        self.machine.faults.planted.clear()
        self.machine.repair()  # what struck while it was cleared
        met.wrong += self._kept() + await self._locked()
        await self.renew(struck)

    async def renew(self, struck: tuple[str, ...]) -> None:
        """Decks that are locked out or spoilt go off the table, new ones come."""
        spoilt = any(OF_NAME[name].spoils for name in struck)
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

    def account(self) -> list[str]:
        """At the end: every card is somewhere, once."""
        return self.hands.hands.astray()
