"""A machine and a player at it, in their own time: for one trouble after the other."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from host_tools.build.tell import BuildError
from host_tools.campaign.draw import Session, Trouble
from host_tools.campaign.met import Met
from host_tools.campaign.player import Player
from host_tools.campaign.whole import DEPTHS
from host_tools.link.errors import LinkError
from sim.loop import VirtualLoop

T = TypeVar("T")
HELLOS = 4


def broke_off(error: BaseException) -> str:
    """What a session says that could not go on, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    text = " ".join(str(error).split())
    return f"the session broke off by {type(error).__name__}: {text}{at}"


def broken(trouble: Trouble, error: BaseException) -> Met:
    """What comes of a trouble that ends its session."""
    return Met(trouble, (), "broken", wrong=[broke_off(error)])


class Standing:
    """A machine that stands there from one trouble to the next, for whoever brings them."""

    def __init__(self, seed: int, depth: str = "in-process") -> None:
        self.whole = whole = DEPTHS[depth](seed)
        self._runner = asyncio.Runner(loop_factory=lambda: VirtualLoop(whole.world))
        try:
            self.player = self._runner.run(self._begin(seed))
        except BaseException:
            self._runner.close()
            raise

    async def _begin(self, seed: int) -> Player:
        self._firmware = asyncio.create_task(self.whole.start())
        player = Player(self.whole, seed)
        for _ in range(HELLOS):  # a board takes its time to start
            with suppress(LinkError):
                await player.client.hello()
                return player
        if self._firmware.done():
            self._firmware.result()  # it says why
        raise LinkError("the machine does not answer")

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Let it be done there."""
        return self._runner.run(work)

    def meet(self, trouble: Trouble) -> Met:
        """What comes of it."""
        try:
            met = self._runner.run(self.player.meet(trouble))
            if self._firmware.done():
                self._firmware.result()
        except Exception as error:
            ended = self._firmware.done() and self._firmware.exception()
            return broken(trouble, ended or error)  # then nobody has answered
        return met

    def end(self) -> list[str]:
        """What the machine's own truth has against it; then it is switched off."""

        async def leave() -> None:
            await self.player.watch.close()
            await self.player.table.close()
            self._firmware.cancel()
            await asyncio.gather(self._firmware, return_exceptions=True)

        try:
            try:
                wrong = self.player.account()
                self._runner.run(leave())
            finally:
                self._runner.close()
        except Exception as error:
            wrong = [broke_off(error)]
        return wrong


def play(session: Session, depth: str = "in-process") -> list[Met]:
    """All troubles of a session; whatever breaks it off is the last of them."""
    try:
        standing = Standing(session.seed, depth)
    except BuildError:  # no session can be played
        raise
    except Exception as error:
        return [broken(session.troubles[0], error)]
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
