"""A machine and a player at it, in their own time: for one trouble after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from host_tools.campaign.draw import Session, Trouble
from host_tools.campaign.met import Met
from host_tools.campaign.player import Player
from host_tools.campaign.whole import DEPTHS
from host_tools.link.errors import Faulted, LinkError, Refused
from sim.loop import VirtualLoop

T = TypeVar("T")
HELLOS = 4


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

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Let it be done there."""
        return self._runner.run(work)

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
