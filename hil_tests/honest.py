"""An honest controller and its dealer, one step at a time: what both would do as things are now.

It asks the machine how it stands and goes on from there, whatever somebody else has said or done in
between. Waits end with the event that is waited for, or when nothing more can be expected.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from host_tools import rigs
from host_tools.hands import SimulatedHands
from host_tools.link import link_pb2
from host_tools.link.client import Client, kind_of
from host_tools.link.errors import Refused
from host_tools.play.table import BACKS as NUMBERS
from host_tools.rules.device import value

BACKS = ("red", "blue")
MORNING = 1_800_000_000  # when the machine was first switched on
SHUFFLE_S, STACK_S, LITTLE_S, LOOK_S = 90.0, 10.0, 0.5, 0.1
PLAYERS = 2


class Honest:
    """A controller with the table's key, a dealer, and a supervisor who comes when called."""

    def __init__(self, rig: rigs.Rig) -> None:
        assert isinstance(rig.hands, SimulatedHands)
        self.rig, self.hands, self.game = rig, rig.hands, rig.setup.game
        self.by_hand, self.cards = rig.setup.by_hand, rig.setup.cards
        self.continuous = rig.setup.continuous
        self.round = 0
        self.waiting: set[str] = set()  # kinds of events; it is empty once one has come
        self.patient = True  # else it goes on before what it has asked for is over
        self.refusals: list[Refused] = []
        self.done = self.rounds = 0
        self.meet()

    def meet(self) -> None:
        """Meet the machine anew, after its power was off."""
        self.client: Client = self.rig.client()
        self.client.on_event.append(self._hear)

    def _hear(self, event: link_pb2.Event) -> None:
        self.waiting.discard(kind_of(event))
        if kind_of(event) == "fault":
            self.waiting.clear()

    def now(self) -> int:
        """Return the true time."""
        return MORNING + int(self.rig.now_s() or 0.0)

    async def ask(self, request: Awaitable[object]) -> bool:
        """Ask for something, and tell whether the machine has done it."""
        try:
            await request
        except Refused as no:
            self.refusals.append(no)
            return False
        self.done += 1
        return True

    async def wait(self, kind: str, limit_s: float = SHUFFLE_S) -> None:
        """Wait for such an event, a fault, or so long."""
        self.waiting = {kind}
        end = asyncio.get_running_loop().time() + (limit_s if self.patient else 0)
        while self.waiting and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(LOOK_S)

    def inside(self, back: str) -> bool:
        """Tell whether a card of this deck lies in the machine; nobody changes half of one."""
        assert self.rig.machine is not None
        cards = [card for cards in self.rig.machine.cards().values() for card in cards]
        return any(card.back == back for card in cards)

    async def step(self) -> None:
        """Do what comes next."""
        status = await self.client.status()
        self.round = status.last_round
        if status.fault or status.state == link_pb2.OUT_OF_SERVICE:
            self.hands.hands.clear()
            again = self.client.cleared if status.fault else self.client.in_service
            if await self.ask(again()):
                await self.wait("cleared", limit_s=STACK_S)
        elif status.tray:
            self.hands.hands.take()
            await asyncio.sleep(LITTLE_S)
        elif status.state == link_pb2.WORKING:
            await self.wait("ready", limit_s=STACK_S)
        elif link_pb2.PHASE_BETS <= status.phase <= link_pb2.PHASE_RELEASED:
            await self._go_on(status)
        elif not await self._open(status):
            await self._shuffle()

    async def _open(self, status: link_pb2.Status) -> bool:
        if status.state == link_pb2.READY and self.by_hand:
            if await self.ask(self.client.deliver()):
                await self.wait("whole_deck")
                self.hands.hands.take()
                return True
            return await self._given_back()
        players = max(value(self.game, "fewest"), PLAYERS)
        if await self.ask(self.client.open_round(self.round + 1, players)):
            self.round += 1
            self.rounds += 1
            return True
        if self.refusals[-1].rule == "CT-1":
            return await self._counted()
        if self.refusals[-1].rule == "DS-8":
            return await self._released()
        return status.state == link_pb2.READY and await self._given_back()

    async def _counted(self) -> bool:
        """Count the stub: here all cards of a deck that lie on the table, as there are."""
        for back in BACKS:
            number = len(self.hands.hands.table[back])
            if number and await self.ask(self.client.stub_counted(NUMBERS[back], number)):
                return True
        return False

    async def _released(self) -> bool:
        """Have the rest of a void round come out."""
        if not await self.ask(self.client.remainder(self.round)):
            return False
        await self.wait("remainder")
        self.hands.hands.take()
        return True

    async def _given_back(self) -> bool:
        if not await self.ask(self.client.give_back()):
            return False
        await self.wait("whole_deck")
        self.hands.hands.take()
        return True

    async def _shuffle(self) -> None:
        """Load the deck whose turn it is, or any other, new ones where the old must go."""
        two = bool(value(self.game, "two_decks")) and not self.continuous
        turns = BACKS[::-1] if two and self.round % 2 else BACKS if two else BACKS[:1]
        for back in turns:
            if self.rig.machine is not None and not self.rig.machine.infeed.stack:
                self.hands.hands.load(back)
            again = self.continuous and await self.ask(self.client.shuffle(NUMBERS[back]))
            if again:  # discards go back in, and nobody declares them
                await self.wait("shuffle_done")
                return
            if await self._declared(back):
                if await self.ask(self.client.shuffle(NUMBERS[back])):
                    await self.wait("shuffle_done" if self.continuous else "ready")
                return

    async def _declared(self, back: str) -> bool:
        """Declare a deck, and do what the machine asks for first."""
        if await self.ask(self.client.load(NUMBERS[back])):
            return True
        no = self.refusals[-1]
        if no.rule == "CL-5" and "sequence" in no.text:
            return await self.ask(self.client.load(NUMBERS[back], in_order=True))
        if no.rule == "CT-1":
            return await self._counted() and await self.ask(self.client.load(NUMBERS[back]))
        if no.rule == "TD-1":  # the other one goes
            other = next(one for one in BACKS if one != back)
            await self.ask(self.client.remove_deck(NUMBERS[other]))
            return await self.ask(self.client.load(NUMBERS[back])) or await self._renewed(back)
        if no.rule == "CT-3" or no.rule.startswith("CL-"):
            return await self._renewed(back)
        return False

    async def _renewed(self, back: str) -> bool:
        """Have a supervisor come with a new deck and the true time."""
        number = NUMBERS[back]
        self.hands.hands.clear()
        await self.ask(self.client.remove_deck(number))
        self.hands.hands.renew(back)
        self.hands.hands.load(back)
        async with self.client.acting_as(link_pb2.ROLE_SUPERVISOR):
            time = link_pb2.SetClock(time=self.now())
            await self.ask(self.client.request("set_clock", time))
            return await self.ask(self.client.load(number, new_deck=True))

    async def _go_on(self, status: link_pb2.Status) -> None:
        number, phase = self.round, status.phase
        if phase == link_pb2.PHASE_BETS:
            await self.ask(self.client.no_more_bets(number))
        elif phase == link_pb2.PHASE_RELEASED:
            await self.ask(self.client.close_round(number))
        elif self.by_hand or status.stacks == status.owed:
            await self._end(phase - link_pb2.PHASE_STACKS + 1)
        elif value(self.game, "start") and not status.start:
            await self.ask(self.client.draw_start(number))
        else:
            position = ((status.start or 1) - 1 + status.stacks) % status.owed + 1
            if await self.ask(self.client.deal(number, position)):
                await self.wait("stack", limit_s=STACK_S)
                self.hands.hands.take()

    async def _end(self, said: int) -> None:
        """Say what is still to be said, then let the remainder out and close."""
        if said < value(self.game, "stages"):
            await self.ask(self.client.no_more_bets(self.round))
        elif self.by_hand or self.continuous:
            await self.ask(self.client.close_round(self.round))
        elif await self.ask(self.client.remainder(self.round)):
            await self.wait("remainder", limit_s=SHUFFLE_S)
            self.hands.hands.take()
