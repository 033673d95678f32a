"""One simulated table: decks come and go, whole rounds are played, step by step or in one call.

Tests of what the rules answer over many rounds use it: `at_a_table()` runs a story from power-on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from hil_tests.asked_table import MOMENT_S, AskedTable, Planted
from host_tools.link import link_pb2
from host_tools.play.table import SHUFFLE_S
from host_tools.rigs import Setup
from host_tools.rules.device import value
from sim.loop import run

RED, BLUE = link_pb2.RED, link_pb2.BLUE
COLOURS = {RED: "red", BLUE: "blue"}
PLAYERS = 2


class OneTable(AskedTable):
    """A table with its dealer and two players."""

    # -- decks -----------------------------------------------------------------------------------

    async def lay_in(self, back: link_pb2.Back) -> None:
        """Put a deck into the infeed, if it does not lie there."""
        if not self.machine.infeed.stack:
            self.hands.load(COLOURS[back])

    async def take_out(self) -> None:
        """Take all cards out of the infeed, at a pace at which the machine sees that."""
        self.hands.clear()
        await asyncio.sleep(MOMENT_S)

    async def load(self, back: link_pb2.Back, **how: Any) -> None:
        """Put a deck into the infeed and declare it."""
        await self.lay_in(back)
        await self.done("load", back=back, **how)

    async def new_deck(self, back: link_pb2.Back, **how: Any) -> None:
        """Bring a new deck; the supervisor declares it."""
        self.hands.renew(COLOURS[back])
        self.hands.load(COLOURS[back])
        await self.supervisor("load", back=back, new_deck=True, **how)

    async def shuffle(self, back: link_pb2.Back) -> None:
        """Shuffle the deck that was declared, until it waits to be dealt; a single stack is out."""
        await self.shuffle_only(back)
        if self.setup.by_hand:
            await self.come_out("deliver", "whole_deck")

    async def shuffle_only(self, back: link_pb2.Back) -> None:
        """Shuffle the deck that was declared, until it lies in the shoe, or in the wheel."""
        since = len(self.told)
        await self.done("shuffle", back=back)
        await self.wait("shuffle_done" if self.setup.continuous else "ready", since, SHUFFLE_S)
        await asyncio.sleep(MOMENT_S)

    async def ready(self, back: link_pb2.Back) -> None:
        """Load and shuffle a deck, until it waits to be dealt."""
        await self.load(back)
        await self.shuffle(back)

    async def come_out(self, name: str, kind: str, **fields: Any) -> None:
        """Ask for cards, and take them from the tray when this event has told them."""
        since = len(self.told)
        await self.done(name, **fields)
        await self.wait(kind, since, SHUFFLE_S)
        await asyncio.sleep(MOMENT_S)
        self.hands.take()
        await asyncio.sleep(MOMENT_S)

    async def clear(self) -> None:
        """Take all cards out after a fault and say so."""
        self.hands.clear()
        since = len(self.told)
        await self.done("cleared")
        await self.wait("cleared", since, SHUFFLE_S)

    # -- rounds ----------------------------------------------------------------------------------

    async def open(self) -> None:
        """Open the next round."""
        await self.done("open_round", **await self.next_round())
        self.number += 1

    async def not_opened(self, rule: str, words: str) -> None:
        """Ask for the next round, which this rule must refuse with these words."""
        await self.refused(rule, words, "open_round", **await self.next_round())

    async def next_round(self) -> dict[str, int]:
        """Return the fields of a request to open the next round."""
        self.number = (await self.client.status()).last_round
        return {"round": self.number + 1, "players": PLAYERS}

    async def bets(self) -> None:
        """Open the next round and close its bets, once."""
        await self.open()
        await self.done("no_more_bets", round=self.number)

    async def void(self, **why: Any) -> None:
        """Declare the round void; what lies in the shoe comes out."""
        await self.done("void_round", round=self.number, **why)
        if not self.setup.by_hand:
            await self.rest()

    async def deal(self, position: int) -> None:
        """Deal a stack; the dealer takes it."""
        await self.come_out("deal", "stack", round=self.number, position=position)

    async def rest(self) -> None:
        """Let the remainder out; the dealer takes it."""
        await self.come_out("remainder", "remainder", round=self.number)

    async def stacks(self) -> None:
        """Deal every stack that is owed from the shoe."""
        for position in range(1, (await self.client.status()).owed + 1):
            await self.deal(position)

    async def close(self) -> None:
        """Play a round whose bets are closed to its end."""
        if not self.setup.by_hand:
            await self.stacks()
        await self.later_bets()
        if not self.setup.by_hand and not self.setup.continuous:
            await self.rest()
        await self.done("close_round", round=self.number)

    async def later_bets(self) -> None:
        """Close the bets of this game's later stages."""
        for _ in range(value(self.setup.game, "stages") - 1):
            await self.done("no_more_bets", round=self.number)

    async def play(self, back: link_pb2.Back) -> None:
        """Load a deck, shuffle it and play a whole round with it."""
        await self.ready(back)
        await self.bets()
        await self.close()


Story = Callable[[OneTable], Awaitable[None]]


def at_a_table(story: Story, setup: Setup | None = None, planted: Planted | None = None) -> None:
    """Run a story, from power-on, at a machine that the house has set up for this game."""
    table = OneTable(setup or Setup(), planted)

    async def body() -> None:
        await table.start()
        await story(table)
        assert table.broken() is None

    run(table.world, body())
