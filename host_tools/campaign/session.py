"""One session of a campaign: troubles at one machine, each met, judged, cleared."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from dovetail import faults as table_of_faults

from hil_tests.planted import OF_PLANT
from hil_tests.power import records_of
from hil_tests.watch import Watch
from host_tools.campaign.draw import (
    ALONE,
    CARDS,
    DEALING,
    HARMLESS,
    NOISE,
    Session,
    Trouble,
)
from host_tools.campaign.whole import DEPTHS, Whole
from host_tools.hands import SimulatedHands
from host_tools.journal.segments import Record
from host_tools.link import link_pb2
from host_tools.link.client import Client, kind_of
from host_tools.link.errors import Faulted, LinkError, Refused
from host_tools.link.keys import of_seed
from host_tools.play.story import Story
from host_tools.play.table import BACKS, Plan, Table
from host_tools.rigs import Rig
from sim.axis import Axis
from sim.emulated.noise import good, stuck
from sim.faults import SINCE
from sim.loop import VirtualLoop

SHUFFLE_S, STACK_S, CLEAR_S = 120.0, 30.0, 60.0
LOOK_S = 0.02
HELLOS = 4
STATION_AXES = {
    "feeder": ("pick", "feed"),
    "wheel": ("wheel",),
    "ejector": ("eject",),
    "shoe": ("deal",),
    "tray": ("deal",),
    "count": ("feed", "eject", "deal"),
    "motion": ("feed",),
}


@dataclass
class Met:
    """What came of a trouble."""

    trouble: Trouble
    struck: tuple[str, ...]
    outcome: str  # "recovered", "handed over", "harmless", "not struck"
    fault: int = 0
    station: str = ""
    card: int = 0
    named: bool = True  # by a station where it may be met
    report_ms: float | None = None  # after the end of the move that showed it
    wrong: list[str] = field(default_factory=list[str])


class Ends:
    """When the last move of each axis ended: what its sensors say is known from then on."""

    def __init__(self, axes: dict[str, Axis], now_ns: Callable[[], int]) -> None:
        self.at: dict[str, int] = dict.fromkeys(axes, 0)
        self.moving: set[str] = set()
        for name, axis in axes.items():
            self._listen(name, axis, now_ns)

    def _listen(self, name: str, axis: Axis, now_ns: Callable[[], int]) -> None:
        begin = axis.begin

        def noted(profile: Any, reverse: bool, on_end: Callable[[], None]) -> None:
            def ended() -> None:
                self.at[name] = now_ns()
                self.moving.discard(name)
                on_end()

            self.moving.add(name)
            begin(profile, reverse, ended)

        setattr(axis, "begin", noted)  # noqa: B010


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
        self.client: Client = self.rig.client()
        self.watch = Watch(self.rig, CARDS, LOOK_S)
        self.client.on_event.append(self.watch.hear)
        self.client.on_event.append(self._hear)
        self.table = Table(self.client, self.hands, Story(self.rig.now_ms), Plan(players=2))
        self.ends = Ends(self.machine.axes, world.now_ns)
        self.round = 0
        self.back = "red"
        self.new = {"red", "blue"}
        self.ready = False
        self.told_ns = 0  # the first word of the present trouble
        self.told_at = ""  # the station that it names
        self.asked_ns = 0  # the last order: before it nobody had to look
        self.opening: asyncio.Task[None] | None = None
        self.asked_noise = 0  # samples of a part that has failed
        self.wrong_lock: list[str] = []  # I-7: what a deck that was locked out was good for
        self.records: tuple[Record, ...] = ()  # that were on flash after the last step
        self.ends_then: dict[str, int] = {}

    def _hear(self, event: link_pb2.Event) -> None:
        if kind_of(event) in ("trying", "fault") and not self.told_ns:
            self.told_ns = self.whole.world.now_ns()
            said = event.fault if kind_of(event) == "fault" else event.trying
            self.told_at = said.station
            now = self.told_ns
            self.ends_then = {
                name: now if name in self.ends.moving else max(at, self.asked_ns)
                for name, at in self.ends.at.items()
            }

    # -- one trouble ---------------------------------------------------------------------------

    async def meet(self, trouble: Trouble) -> Met:
        """Get there, let it happen, judge, make good."""
        faults = self.machine.faults
        faults.planted.clear()
        if trouble.phase == DEALING and not self.ready:
            await self.shuffle()
        if trouble.phase != DEALING and self.ready:
            await self.empty()
        faults = self.machine.faults
        faults.planted.clear()
        before = len(faults.struck)
        self.told_ns = 0
        since = len(self.table.heard.events)
        self._begin()
        fault: link_pb2.FaultRaised | None = None
        try:
            if trouble.phase == DEALING:
                self._arm(trouble)
                await self.deal()
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
        met = self._judge(trouble, struck, fault)
        if trouble.switch == NOISE:
            if fault is not None:
                met.wrong += await self._unavailable(fault)
            elif self.asked_noise:
                met.wrong.append("I-9: not noticed")
        elif fault is not None:
            await self.make_good(met, struck)
        else:
            if trouble.switch:
                await self.hands.switch(trouble.switch, True)
            self.machine.repair()
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
        for name, at in trouble.plants:
            self.machine.faults.plant(name, {at})
        self.opening = self._open_later(trouble)

    def _open_later(self, trouble: Trouble) -> asyncio.Task[None] | None:
        if trouble.switch == NOISE:
            self.asked_noise = 0
            self.whole.spoil(self._failed_noise)
        if trouble.switch in ("", NOISE):
            return None

        async def later() -> None:
            await asyncio.sleep(trouble.after_ms / 1000)
            await self.hands.switch(trouble.switch, False)

        return asyncio.create_task(later())

    def _judge(
        self, trouble: Trouble, struck: tuple[str, ...], fault: link_pb2.FaultRaised | None
    ) -> Met:
        if fault is None:
            if not struck:
                return Met(trouble, struck, "not struck")
            bad = [name for name in struck if name not in ALONE]
            met = Met(trouble, struck, "harmless" if set(struck) <= HARMLESS else "recovered")
            if bad and all(name in SINCE or name.endswith(".covered") for name in bad):
                met.outcome = "dormant"  # nobody had to look there any more
            elif bad and len(struck) > 1:
                met.outcome = "harmless"  # two that make each other good; the watch has counted
            elif bad:
                met.outcome = "missed"
                met.wrong = [f"nobody has noticed: {', '.join(bad)}"]
            elif self.told_ns:
                met.report_ms = self._report_ms(self.told_at)
            return met
        met = Met(trouble, struck, "handed over", fault.fault, fault.station, fault.card)
        if not struck and not trouble.switch:
            met.wrong = [f"false alarm: fault {fault.fault} {fault.name}, {fault.station}"]
        met.named = fault.station in trouble.stations()
        met.report_ms = self._report_ms(self.told_at)
        return met

    def _report_ms(self, station: str) -> float | None:
        axes = STATION_AXES.get(station)
        if axes is None or not self.ends_then or self.whole.depth != "in-process":
            return None  # at the pins there are steps, and no moves
        return max((self.told_ns - max(self.ends_then[name] for name in axes)) / 1e6, 0.0)

    async def ask(self, request: Callable[[], Awaitable[object]], what: str) -> None:
        """Until it is done."""
        await self.table.ask(request, what)
        self.asked_ns = self.whole.world.now_ns()

    # -- what a table does ---------------------------------------------------------------------

    async def shuffle(self, trouble: Trouble | None = None) -> None:
        """Until the deck is ready; raises Faulted. A trouble begins when the deck is declared."""
        self.back = "blue" if self.back == "red" else "red"
        back, client, heard = self.back, self.client, self.table.heard
        self.hands.hands.load(back)
        await self.ask(lambda: client.load(BACKS[back], back in self.new), "load")
        self.new.discard(back)
        since = len(heard.events)
        if trouble is not None:
            self._arm(trouble)
        await self.ask(lambda: client.shuffle(BACKS[back]), "shuffle")
        await heard.wait("ready", since, SHUFFLE_S, back=BACKS[back])
        self.ready = True

    async def deal(self) -> None:
        """A round with the deck in the shoe; raises Faulted."""
        client, heard = self.client, self.table.heard
        self.round += 1
        self.ready = False
        number = self.round
        await self.ask(lambda: client.open_round(number, 2), "open_round")
        self.watch.opened()
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
        for event in heard.all("fault", since):
            raise Faulted(event)
        self.hands.hands.take()
        await self.ask(lambda: client.close_round(number), "close_round")

    async def empty(self) -> None:
        """The deck in the shoe is taken out by hand."""
        since = len(self.table.heard.events)
        await self.ask(self.client.out_of_service, "out_of_service")
        self.hands.hands.clear()
        self.watch.clearing()
        await self.ask(self.client.in_service, "in_service")
        await self.table.heard.wait("cleared", since, CLEAR_S)
        self.ready = self.watch.ready = False
        self.back = "blue" if self.back == "red" else "red"

    async def make_good(self, met: Met, struck: tuple[str, ...]) -> None:
        """Stopped, it does nothing until every card is out and it has seen so itself."""
        client, heard = self.client, self.table.heard
        self.ready = False
        met.wrong += await self._refused(client.shuffle(BACKS[self.back]), "I-5: shuffle")
        met.wrong += await self._refused(client.open_round(self.round + 1, 2), "I-5: open_round")
        met.wrong += await self._refused(client.deal(self.round, 1), "I-5: deal")
        if met.trouble.switch:
            await self.hands.switch(met.trouble.switch, True)
        self.machine.faults.planted.pop("path.hold", None)
        for _ in range(3):
            await asyncio.sleep(0.4)
            self.hands.hands.clear()
            self.watch.clearing()
            since = len(heard.events)
            await self.ask(client.cleared, "cleared")
            try:
                await heard.wait("cleared", since, CLEAR_S)
                break
            except Faulted:
                continue
        else:
            met.wrong.append("not cleared after three times")
        self.machine.faults.planted.clear()
        self.machine.repair()  # what struck while it was cleared
        met.wrong += self._kept() + await self._locked()
        await self.renew(struck)

    async def renew(self, struck: tuple[str, ...]) -> None:
        """Decks that are locked out or spoilt go off the table, new ones come."""
        spoilt = any(OF_PLANT[name].spoilt for name in struck)
        for deck in (await self.client.status()).decks:
            name = link_pb2.Back.Name(deck.back).lower()
            if not spoilt and not deck.locked_out:
                continue
            self.hands.hands.renew(name)
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


class Standing:
    """A machine that stands there from one trouble to the next, for whoever brings them."""

    def __init__(self, seed: int, depth: str = "in-process") -> None:
        self.whole = whole = DEPTHS[depth](seed)
        self._runner = asyncio.Runner(loop_factory=lambda: VirtualLoop(whole.world))
        self.player = self._runner.run(self._begin(seed))

    async def _begin(self, seed: int) -> Player:
        self._firmware = asyncio.create_task(self.whole.start())
        player = Player(self.whole, seed)
        for _ in range(HELLOS):  # a board takes its time to start
            with suppress(LinkError):
                await player.client.hello()
                return player
        raise LinkError("the machine does not answer")

    def meet(self, trouble: Trouble) -> Met:
        """What comes of it."""
        try:
            met = self._runner.run(self.player.meet(trouble))
        except (LinkError, Refused, Faulted, AssertionError) as error:
            met = Met(trouble, (), "broken")
            met.wrong = [f"the session broke off: {error}"]
        if self._firmware.done():
            self._firmware.result()
        return met

    def end(self) -> list[str]:
        """What the machine's own truth has against it; then it is switched off."""

        async def leave() -> None:
            await self.player.watch.close()
            await self.player.table.close()
            self._firmware.cancel()
            await asyncio.gather(self._firmware, return_exceptions=True)

        wrong = self.player.account()
        self._runner.run(leave())
        self._runner.close()
        return wrong


def play(session: Session, depth: str = "in-process") -> list[Met]:
    """All troubles of a session."""
    standing = Standing(session.seed, depth)
    met: list[Met] = []
    try:
        for trouble in session.troubles:
            met.append(standing.meet(trouble))
            if met[-1].outcome == "broken":
                break
    finally:
        wrong = standing.end()
    if met:
        met[-1].wrong += wrong
    return met
