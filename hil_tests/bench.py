"""A rig with a controller on its line: the steps that scenarios are made of, each one watched."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import TypeVar

from hil_tests.watch import Watch
from host_tools.hands import AutomaticDealer, Hands
from host_tools.heard import Heard
from host_tools.link import link_pb2
from host_tools.link.errors import LinkError, Refused
from host_tools.play.story import Record, Story
from host_tools.play.table import BACKS, SHUFFLE_S, STACK_S, Plan, Table
from host_tools.rigs import Rig
from host_tools.tap import Tap

T = TypeVar("T")

CARDS = 52
PLAYERS = 2
CLEAR_S = 60.0

GREETINGS = 6  # each five tries of half a second


class Bench:
    """One controller at one machine, for one scenario."""

    def __init__(self, rig: Rig, watch: Watch | None = None) -> None:
        """watch: of the controller that was there before."""
        self.rig = rig
        self.tap = Tap(rig.transport)
        self.client = rig.client(self.tap)
        setup = rig.setup
        self.cards = setup.cards
        self.watch = watch or Watch(rig, self.cards)
        self._dealt = 0  # how many events there were when the last stack was ordered
        self.story = Story(rig.now_ms)
        self.story.listeners.append(self._heed)
        dealer = rig.dealer or AutomaticDealer()
        plan = Plan(setup.game, 1, PLAYERS, 1, setup.by_hand, continuous=setup.continuous)
        self.table = Table(self.client, dealer, self.story, plan)
        self.client.on_event.append(self.watch.hear)

    @property
    def heard(self) -> Heard:
        """Every event so far."""
        return self.table.heard

    @property
    def round(self) -> int:
        """The round that is open, or was open last."""
        return self.rig.last_round

    @property
    def hands(self) -> Hands:
        """Somebody at the machine, in scenarios that need one."""
        assert self.rig.hands is not None
        return self.rig.hands

    def _heed(self, record: Record) -> None:
        """What the table declares when it plays a round by itself."""
        if record["who"] == "controller" and record["what"] == "open_round":
            self.watch.opened()
        elif record["who"] == "controller" and record["what"] == "no_more_bets":
            self.watch.bets_closed = True

    async def step(self, doing: Awaitable[T]) -> T:
        """Anything that is done; afterwards everything that is watched must have held."""
        done = await doing
        self.watch.check()
        return done

    # -- before and after ----------------------------------------------------------------------

    async def _greet(self) -> None:
        """Say hello to a machine that may only just have been switched on."""
        for _ in range(GREETINGS):
            with suppress(LinkError):
                await self.client.hello()
                return
        await self.client.hello()

    async def prepare(self) -> None:
        """Say hello; bring a machine that has a past to rest, empty and without a fault."""
        await self.step(self._greet())
        if self.rig.machine is not None:
            return
        status = await self.at_rest()
        self.rig.last_round = status.last_round
        if self.rig.hands is None and not self.rig.last_back:
            used = any(deck.counted_in for deck in status.decks)
            assert not used, "which deck its dealer loads next is not known: start it afresh"
        if status.tray:
            await self.table.dealer.take()
        if status.fault:
            assert self.rig.hands is not None, f"the machine is stopped by fault {status.fault}"
            await self.rig.hands.clear()
            await self.cleared()
        for deck in status.decks:
            if deck.locked_out:
                await self.client.remove_deck(deck.back)
        if status.state == link_pb2.READY:
            self.watch.ready = True
            await self.open()
            await self.no_more_bets()
            await self.finish_round(0)
        elif status.state == link_pb2.DEALING:
            if not status.no_more_bets:
                await self.no_more_bets()
            await self.finish_round(status.stacks)

    async def close(self) -> None:
        """Leave the machine as it is."""
        await self.watch.close()
        await self.table.close()

    async def at_rest(self) -> link_pb2.Status:
        """When nothing is shuffled, and what was dealt has been taken."""
        async with asyncio.timeout(SHUFFLE_S):
            while True:
                status = await self.client.status()
                if status.state != link_pb2.WORKING and not (
                    status.tray and self.rig.hands is None
                ):
                    return status
                await asyncio.sleep(0.5)

    # -- steps ---------------------------------------------------------------------------------

    def next_back(self) -> str:
        """The deck whose turn it is."""
        return "blue" if self.rig.last_back == "red" else "red"

    async def shuffle(self, back: str | None = None) -> str:
        """Load a deck and begin to shuffle it."""
        self.rig.last_back = back = back or self.next_back()
        await self.step(self.table.shuffle(back))
        return back

    async def ready(self, back: str | None = None) -> str:
        """A deck is shuffled, counted and in the shoe."""
        since = len(self.heard.events)
        back = await self.shuffle(back)
        await self.step(self.heard.wait("ready", since, SHUFFLE_S, back=BACKS[back]))
        return back

    async def open(self) -> None:
        """The next round."""
        self.rig.last_round += 1
        await self.step(self.client.open_round(self.round, self.table.plan.players))
        self.watch.opened()

    async def no_more_bets(self) -> None:
        """From here stacks may leave."""
        self.watch.bets_closed = True
        await self.step(self.client.no_more_bets(self.round))

    async def deal(self, position: int, cards: int = 0) -> link_pb2.StackDealt:
        """One stack, or so many cards that are drawn, until they lie in the tray."""
        since = self._dealt = len(self.heard.events)
        await self.step(
            self.table.ask(lambda: self.client.deal(self.round, position, cards), "deal")
        )
        event = await self.heard.wait("stack", since, STACK_S, round=self.round, position=position)
        self.watch.check()
        return event.stack

    async def take(self, position: int) -> None:
        """The dealer takes the stack of a position."""
        await self.step(self.table.dealer.take())
        taken = self.heard.wait("taken", self._dealt, STACK_S, round=self.round, position=position)
        await self.step(taken)

    async def later_calls(self) -> None:
        """Every "no more bets" that the game asks for before its remainder leaves."""
        phase = (await self.client.status()).phase
        if link_pb2.PHASE_STACKS <= phase <= link_pb2.PHASE_THIRD_CALL:
            said = phase - link_pb2.PHASE_STACKS + 1
            await self.table.later_calls(self.round, said)

    async def rest(self) -> link_pb2.RemainderDone:
        """The remainder, until the dealer has it."""
        await self.later_calls()
        since = len(self.heard.events)
        await self.step(self.table.ask(lambda: self.client.remainder(self.round), "remainder"))
        event = await self.heard.wait("remainder", since, SHUFFLE_S, round=self.round)
        self.watch.check()
        await self.step(self.table.dealer.take())
        return event.remainder

    async def whole_round(self) -> None:
        """From open to closed, every stack and the stub."""
        await self.open()
        await self.no_more_bets()
        await self.finish_round(0)

    async def played(self, back: str) -> None:
        """The same as the table plays it, by the rules of its game; every count adds up."""
        self.rig.last_round += 1
        await self.step(self.table.round(self.round, back))
        assert not self.table.played.wrong, self.table.played.wrong

    async def finish_round(self, stacks: int) -> None:
        """The stacks that are still owed, the stub, closed."""
        for position in range(stacks + 1, self.table.stacks + 1):
            await self.deal(position)
            await self.take(position)
        rest = await self.rest()
        assert rest.delivered + rest.dealt == rest.expected == self.cards
        await self.step(self.client.close_round(self.round))

    async def cleared(self) -> None:
        """Say that every card is out; the machine looks for itself and lets the fault go."""
        since = len(self.heard.events)
        self.watch.clearing()
        await self.step(self.table.ask(self.client.cleared, "cleared"))
        await self.step(self.heard.wait("cleared", since, CLEAR_S))

    async def anew(self, back: str) -> None:
        """The same after a jam: cards out, cleared; the deck is counted again before a round."""
        await self.hands.clear()
        await self.cleared()
        await self.refused(self.client.open_round(self.round + 1, self.table.plan.players), "SH-1")
        since = len(self.heard.events)
        await self.ready(back)
        assert self.heard.all("ready", since)[0].ready.text == f"{self.cards} of {self.cards}"

    # -- what must be said ---------------------------------------------------------------------

    async def refused(self, request: Awaitable[object], rule: str, fault: int = 0) -> None:
        """The machine refuses this, by this rule, and nothing happens."""
        no = await refusal(request)
        assert no is not None, f"not refused, where {rule} forbids it"
        self.watch.refused.add((no.request, no.rule, no.text))
        assert no.outcome == link_pb2.REFUSED, no
        assert no.rule == rule, f"refused by {no.rule}, not {rule}: {no.text}"
        assert no.fault == fault, no
        self.watch.check()

    async def answered(self, request: Awaitable[object], word: str) -> None:
        """The machine says no in this word: a rule, or an outcome where it names no rule."""
        no = await refusal(request)
        assert no is not None, f"done, where {word} forbids it"
        self.watch.refused.add((no.request, said(no), no.text))
        assert said(no) == word, f"{no}, not {word}"
        self.watch.check()

    async def fault(self, since: int, station: str, name: str, limit_s: float) -> link_pb2.Event:
        """The fault that must come next."""
        event = await self.heard.wait("fault", since, limit_s)
        raised = event.fault
        assert (raised.station, raised.name) == (station, name), raised
        self.watch.check()
        return event

    async def nothing_goes_on(self, back: str, fault: int) -> None:
        """I-5: stopped by a fault, the machine only waits for its cards to be removed."""
        await self.refused(self.client.shuffle(BACKS[back]), "EL-2", fault)
        await self.refused(self.client.open_round(self.round + 1, 2), "EL-2", fault)
        status = await self.client.status()
        assert status.state == link_pb2.STOPPED
        assert status.fault == fault


def said(no: Refused) -> str:
    """Return a refusal in one word: its rule, or its outcome."""
    return no.rule or link_pb2.Outcome.Name(no.outcome)


async def refusal(request: Awaitable[object]) -> Refused | None:
    try:
        await request
    except Refused as no:
        return no
    return None
