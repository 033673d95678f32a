"""A day at a table with two decks: rounds, faults at nominal rates, decks changed in time."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random

from hil_tests.eye import Eye
from hil_tests.watch import Watch
from host_tools.link import link_pb2
from host_tools.link.errors import Faulted, Refused
from host_tools.play.story import Record, Story
from host_tools.play.table import BACKS, SHUFFLE_S, Plan, Table
from host_tools.rigs import Rig, Wanted
from sim.plants.catalogue import PLANTS

CARDS = 52
PAUSE_S = (18.0, 28.0)  # between two rounds: bets, and what is won and lost; 65 rounds an hour
MORNING = 1_800_000_000  # seconds since 1970
# How often each plant comes: a stop every twenty rounds or so. Nominal by the house: nobody
# publishes such a figure of a shuffler, and a table would send this machine back.
NOMINAL: dict[str, set[int] | float] = {
    plant.name: plant.nominal for plant in PLANTS if plant.nominal
}


def wanted(seed: int) -> Wanted:
    """A rig whose faults come by chance, each at its rate."""
    return Wanted(seed, NOMINAL)


@dataclass
class Day:
    """What happened."""

    rig: Rig
    rounds: int = 0
    faults: list[str] = field(default_factory=list[str])
    changed: int = 0  # decks that were replaced because of their age
    stopped: bool = False
    wrong: list[str] = field(default_factory=list[str])

    async def play(self, hours: float) -> None:
        """From the first hello to the last card on the table."""
        assert self.rig.dealer is not None
        self.eye = Eye(self.rig)
        self.client = self.rig.client()
        self.watch = Watch(self.rig, CARDS)
        self.client.on_event.append(self.watch.hear)
        self.client.on_event.append(self.hear)
        story = Story(self.rig.now_ms)
        story.listeners.append(self.heed)
        self.table = Table(self.client, self.rig.dealer, story, Plan(players=5))
        self.random = Random("pauses")
        self.last, self.number = "blue", 0
        self.new: set[str] = set()
        self.begin()
        await self.table.hello()
        await self.client.request("set_clock", link_pb2.SetClock(time=MORNING))
        end = asyncio.get_running_loop().time() + hours * 3600
        while asyncio.get_running_loop().time() < end:
            try:
                await self.shift(end)
            except Faulted:
                await self.recover()
            except Refused as no:
                if no.rule.startswith("CL-"):
                    await self.change()
                elif no.rule in ("DS-8", "EL-2"):
                    await self.recover()
                elif no.rule == "TD-4":  # a round that was refused had not made it this deck's turn
                    await self.recover(stopped=False)
                else:
                    raise
        self.wrong += self.table.played.wrong + self.watch.broken
        self.wrong += [self.eye.told()] if self.eye.objections() else []
        await self.watch.close()
        await self.table.close()

    def begin(self) -> None:
        """Nothing more is heard or asked than the day needs."""

    async def pause(self) -> None:
        """Wait as players do between two rounds."""
        await asyncio.sleep(self.random.uniform(*PAUSE_S))

    def heed(self, record: Record) -> None:
        """For the watch: from "no more bets" of a round to its end cards may leave."""
        if record["who"] == "controller" and record["what"] == "no_more_bets":
            if not self.stopped:
                self.watch.opened()
            self.watch.bets_closed = True
        elif record["what"] == "close_round":
            self.watch.bets_closed = False

    def hear(self, event: link_pb2.Event) -> None:
        """Faults are counted here: not every one of them meets a table that waits for something."""
        if event.HasField("fault"):
            self.stopped = True
            self.faults.append(f"{event.fault.station} {event.fault.name}")
        elif event.HasField("cleared"):
            self.stopped = False

    async def shift(self, end: float) -> None:
        """Rounds, deck by deck, until something stops them."""
        loop = asyncio.get_running_loop()
        back = _other(self.last)
        since = len(self.table.heard.events)
        await self.shuffle(back)
        while loop.time() < end:
            event = await self.table.heard.wait("ready", since, SHUFFLE_S, back=BACKS[back])
            since = self.table.heard.events.index(event, since) + 1
            self.table.count(back, event.ready)
            await self.shuffle(_other(back))
            await self.pause()
            self.number += 1
            self.last = back
            await self.table.round(self.number, back)
            self.rounds += 1
            back = _other(back)
        await self.recover(stopped=False)

    async def shuffle(self, back: str) -> None:
        """Load and shuffle; a deck that was replaced is declared as new."""
        await self.table.dealer.load(back)
        await self.table.load(back, back in self.new)
        self.new.discard(back)
        await self.table.ask(lambda: self.client.shuffle(BACKS[back]), "shuffle")

    async def recover(self, stopped: bool = True) -> None:
        """Every card out of the machine; it looks for itself."""
        assert self.rig.hands is not None
        if not stopped:
            await self.table.ask(self.client.out_of_service, "out_of_service")
        self.watch.clearing()
        since = len(self.table.heard.events)
        await self.rig.hands.clear()
        request = self.client.cleared if stopped else self.client.in_service
        await self.table.ask(request, "cleared")
        if stopped or (await self.client.status()).state != link_pb2.IDLE:
            await self.table.heard.wait("cleared", since, SHUFFLE_S)
        status = await self.client.status()
        for deck in status.decks:
            if deck.locked_out:
                await self.replace(deck.back)
        if status.decks[0].counted_in or status.round:
            self.wrong.append("cards in the ledger of an empty machine")

    async def change(self) -> None:
        """Both decks are over their time: out of the machine, and new ones."""
        await self.recover(stopped=False)
        for back in BACKS.values():
            await self.replace(back)
            self.changed += 1

    async def replace(self, back: link_pb2.Back) -> None:
        """One deck off the table, a new one in its place."""
        assert self.rig.hands is not None
        name = link_pb2.Back.Name(back).lower()
        await self.client.remove_deck(back)
        await self.rig.hands.renew(name)
        self.new.add(name)


def _other(back: str) -> str:
    return "blue" if back == "red" else "red"
