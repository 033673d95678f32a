"""Who stands at a machine: a dealer who loads and takes, hands that open doors and remove cards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Protocol

from sim import hands as machine_hands

TAKE_S = (0.8, 1.5)  # how long a dealer needs to take a stack
LOAD_S = (1.5, 2.5)  # to square a deck and put it in


class Dealer(Protocol):
    """What play needs. Numbers of cards are None where nobody counts."""

    async def load(self, back: str) -> int | None:
        """Put the deck of this back into the infeed."""
        ...

    async def take(self) -> int | None:
        """Take what lies in the tray."""
        ...

    def found(self) -> int:
        """Cards that were left there and have been taken since; once told, they are forgotten."""
        ...


class Hands(Protocol):
    """What only happens when something is wrong."""

    async def switch(self, name: str, safe: bool) -> None:
        """Open or close lid or door, mount or unmount the machine."""
        ...

    async def clear(self) -> int | None:
        """Take every card out of the machine; how many were found."""
        ...

    async def lose(self, back: str) -> None:
        """Lay one card of this deck aside."""
        ...

    async def renew(self, back: str) -> None:
        """Replace the deck of this back by a new one, complete."""
        ...

    async def lay(self) -> None:
        """One good card into the infeed, for a calibration."""
        ...


class SimulatedHands:
    """Both, at the simulated machine, at a person's pace."""

    def __init__(self, hands: machine_hands.Hands, seed: int) -> None:
        self.hands = hands
        self._random = Random(f"dealer {seed}")
        self._aside: dict[str, int] = {}

    async def _work(self, seconds: tuple[float, float]) -> None:
        await asyncio.sleep(self._random.uniform(*seconds))

    async def load(self, back: str) -> int:
        """Put the deck of this back into the infeed."""
        await self._work(LOAD_S)
        return self.hands.load(back)

    async def take(self) -> int:
        """Take what lies in the tray."""
        await self._work(TAKE_S)
        return self.hands.take()

    def found(self) -> int:
        """Cards that were left there and have been taken since."""
        found, self.hands.found = self.hands.found, 0
        return found

    async def switch(self, name: str, safe: bool) -> None:
        """Open or close, at once."""
        self.hands.switch(name, safe)

    async def clear(self) -> int:
        """Take every card out of the machine; how many were found."""
        await self._work(LOAD_S)
        return self.hands.clear()

    async def lose(self, back: str) -> None:
        """Lay one card of this deck aside."""
        self.hands.lose(back)

    async def renew(self, back: str) -> None:
        """A new deck in place of what is left of the old one."""
        self.hands.renew(back)

    async def lay(self) -> None:
        """One good card into the infeed, for a calibration."""
        await self._work(LOAD_S)
        self.hands.lay(next(iter(self.hands.table)))


class Person:
    """Both, by somebody who is asked line by line. `ask` returns when it is done."""

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

    def found(self) -> int:
        """Nobody counts."""
        return 0

    async def switch(self, name: str, safe: bool) -> None:
        """Open or close lid or door, mount or unmount the machine."""
        verb = ("set down" if safe else "lift") if name == "mount" else "close" if safe else "open"
        await self._do(f"{verb} the {'machine' if name == 'mount' else name}")

    async def clear(self) -> None:
        """Take every card out of the machine."""
        await self._do("take every card out of the machine")

    async def lose(self, back: str) -> None:
        """Lay one card of this deck aside."""
        await self._do(f"lay one card of the {back} deck aside")

    async def renew(self, back: str) -> None:
        """Replace the deck of this back by a new one."""
        await self._do(f"have a complete {back} deck at hand")

    async def lay(self) -> None:
        """One good card into the infeed, for a calibration."""
        await self._do("lay one good card into the infeed, and nothing else")


class AutomaticDealer:
    """A dealer who needs no orders, as `dovetail emulate` has one: loads red and blue in turn."""

    async def load(self, back: str) -> None:
        """It will be loaded."""

    async def take(self) -> None:
        """It will be taken."""

    def found(self) -> int:
        """Nobody counts."""
        return 0


DEALERS = ("person", "auto")


def at_port(dealer: str) -> tuple[Dealer, Hands | None]:
    """Who stands at a real machine, by a name of DEALERS."""
    if dealer == "auto":
        return AutomaticDealer(), None
    person = Person()
    return person, person
