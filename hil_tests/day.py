"""A day at a table with two decks: rounds, jams at their nominal rates, decks changed in time."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random

from hil_tests.watch import Watch
from host_tools.link import link_pb2
from host_tools.link.errors import Faulted, Refused
from host_tools.play.story import Story
from host_tools.play.table import BACKS, SHUFFLE_S, Plan, Table
from host_tools.rigs import Rig, Wanted

CARDS = 52
PAUSE_S = (25.0, 35.0)  # between two rounds: bets, and what is won and lost
MORNING = 1_800_000_000  # seconds since 1970
# One in so many passages. Chosen by the house: no text says how often a machine may fail.
RATES = {
    "infeed.misfeed": 20_000,
    "infeed.double_feed": 40_000,
    "path.jam": 20_000,
    "exit.jam": 20_000,
    "deal.misfeed": 20_000,
    "deal.jam": 20_000,
}


def wanted(seed: int, passages: int = 100_000) -> Wanted:
    """A rig whose faults come by chance, each at its rate."""
    random = Random(f"day {seed}")
    faults = {
        name: {n for n in range(1, passages) if random.random() * one_in < 1}
        for name, one_in in RATES.items()
    }
    return Wanted(seed, faults)


@dataclass
class Day:
    """What happened."""

    rig: Rig
    rounds: int = 0
    faults: list[str] = field(default_factory=list[str])
    changed: int = 0  # decks that were replaced because of their age
    wrong: list[str] = field(default_factory=list[str])

    async def play(self, hours: float) -> None:
        """From the first hello to the last card on the table."""
        assert self.rig.dealer is not None
        self.client = self.rig.client()
        self.watch = Watch(self.rig, CARDS)
        self.client.on_event.append(self.watch.hear)
        self.table = Table(self.client, self.rig.dealer, Story(self.rig.now_ms), Plan(players=5))
        self.random = Random("pauses")
        self.last, self.number = "blue", 0
        self.new: set[str] = set()
        await self.table.hello()
        await self.client.request("set_clock", link_pb2.SetClock(time=MORNING))
        end = asyncio.get_running_loop().time() + hours * 3600
        while asyncio.get_running_loop().time() < end:
            try:
                await self.shift(end)
            except Faulted as fault:
                self.faults.append(fault.event.fault.name)
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
        await self.watch.close()
        await self.table.close()

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
            await asyncio.sleep(self.random.uniform(*PAUSE_S))
            self.number += 1
            self.last = back
            self.watch.bets_closed = True  # the table declares it before it deals
            await self.table.round(self.number, back)
            self.rounds += 1
            back = _other(back)
        await self.recover(stopped=False)

    async def shuffle(self, back: str) -> None:
        """Load and shuffle; a deck that was replaced is declared as new."""
        await self.table.dealer.load(back)
        await self.table.ask(lambda: self.client.load(BACKS[back], back in self.new), "load")
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
