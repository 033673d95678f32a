"""The dealer's hands at a machine: simulated ones, or a person who is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Protocol

from sim.hands import Hands

TAKE_S = (0.8, 1.5)  # how long a dealer needs to take a stack
LOAD_S = (1.5, 2.5)  # to square a deck and put it in


class DealerHands(Protocol):
    """What a dealer does at the machine. Numbers of cards are None where nobody counts."""

    async def load(self, back: str) -> int | None:
        """Put the deck of this back into the infeed."""
        ...

    async def take(self) -> int | None:
        """Take what lies in the tray."""
        ...

    async def switch(self, name: str, safe: bool) -> None:
        """Open or close lid or door, mount or unmount the machine."""
        ...

    async def clear(self) -> int | None:
        """Take every card out of the machine."""
        ...

    async def lose(self, back: str) -> None:
        """Lay one card of this deck aside."""
        ...


class SimulatedHands:
    """The hands of the simulated machine, at a person's pace."""

    def __init__(self, hands: Hands, seed: int) -> None:
        self.hands = hands
        self._random = Random(f"dealer {seed}")

    async def load(self, back: str) -> int:
        """Put the deck of this back into the infeed."""
        await asyncio.sleep(self._random.uniform(*LOAD_S))
        return self.hands.load(back)

    async def take(self) -> int:
        """Take what lies in the tray."""
        await asyncio.sleep(self._random.uniform(*TAKE_S))
        return self.hands.take()

    async def switch(self, name: str, safe: bool) -> None:
        """Open or close, at once."""
        self.hands.switch(name, safe)

    async def clear(self) -> int:
        """Take every card out of the machine."""
        await asyncio.sleep(self._random.uniform(*LOAD_S))
        return self.hands.clear()

    async def lose(self, back: str) -> None:
        """Lay one card of this deck aside."""
        self.hands.lose(back)


class Person:
    """Somebody at the machine, asked line by line. `ask` shows a line and returns when it is done."""

    def __init__(self, ask: Callable[[str], object] = input) -> None:
        self._ask = ask

    async def _do(self, what: str) -> None:
        await asyncio.to_thread(self._ask, f"  {what}, then press Enter ")

    async def load(self, back: str) -> None:
        """Put the deck of this back into the infeed."""
        await self._do(f"put the {back} deck into the infeed")

    async def take(self) -> None:
        """Take what lies in the tray."""
        await self._do("take the cards out of the tray")

    async def switch(self, name: str, safe: bool) -> None:
        """Open or close lid or door, mount or unmount the machine."""
        verb = ("set" if safe else "lift") if name == "mount" else ("close" if safe else "open")
        await self._do(f"{verb} the {'machine' if name == 'mount' else name}")

    async def clear(self) -> None:
        """Take every card out of the machine."""
        await self._do("take every card out of the machine")

    async def lose(self, back: str) -> None:
        """Lay one card of this deck aside."""
        await self._do(f"lay one card of the {back} deck aside")
