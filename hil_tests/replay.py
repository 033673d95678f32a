"""Walk paths of the explored rules at the simulated machine, where an eye watches.

A tour (`host_tools/rules/tour.py`) says what shall happen next: a request, or what the machine
does by itself. `deeds.py` has what a controller says and hands do for it; what the machine answers
is its own. Nothing here knows what is permitted: the eye tells an oracle of the texts what truly
happened. What was planned and did not come is kept with its reason.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, cast
from unittest import mock

from dovetail.table.rulebook import Rulebook  # pyright: ignore[reportUnknownVariableType]

from hil_tests.deeds import DEEDS, CannotError, Walker
from hil_tests.eye import Eye
from hil_tests.powered import Powered
from host_tools.link import link_pb2
from host_tools.link.errors import LinkError, Refused
from host_tools.rigs import Setup
from host_tools.rules import device
from host_tools.rules.events import Event
from host_tools.rules.tour import Edge, Node, Pair, Tours, row_met
from sim.loop import run

TRIES = 3  # of a pair, before it is given up
STEPS = 80  # of a path: a machine's morning
WANDERED = 400  # steps by chance: a dozen rounds
LIMIT_S = 90.0  # longer than whatever the machine does by itself
SEED = 1000


@dataclass(frozen=True)
class Asked:
    """The machine has put an event to its rules."""

    event: Event
    before: bytes
    after: bytes
    no: tuple[str, str] | None


@contextmanager
def overheard(heard: Callable[[Asked], None]) -> Generator[None]:
    """Hear every event that a machine in this process puts to its rules."""
    ask = cast(Any, Rulebook).ask

    def asked(book: Any, name: str, d: int = 0, a: int = 0, b: int = 0, c: int = 0) -> Any:
        before = book.state
        no = ask(book, name, d, a, b, c)
        heard(Asked(Event(name, (d, a, b, c)), before, book.state, no))
        return no

    with mock.patch.object(Rulebook, "ask", asked):
        yield


@dataclass
class Walked:
    """What came of the paths of one bound."""

    paths: int = 0
    steps: int = 0
    rounds: int = 0
    facts: int = 0  # that the oracle was told
    missed: Counter[str] = field(default_factory=Counter[str])  # planned, and did not come: why
    failed: Counter[Pair] = field(default_factory=Counter[Pair])
    differs: list[str] = field(default_factory=list[str])  # the machine is not as explored
    against: list[str] = field(default_factory=list[str])  # what the oracle objects to


class Path:
    """One machine, from its first hello, walked as long as there is something left to cover."""

    def __init__(self, tours: Tours, walked: Walked, seed: int) -> None:
        self.tours, self.walked, self.random = tours, walked, Random(f"path {seed}")
        bound = tours.bound
        setup = Setup(bound.game, bool(bound.by_hand), bool(bound.continuous))
        self.powered = Powered(setup, seed)
        self.asked: list[Asked] = []
        self.at = 0  # of those, seen by the tour so far
        self.last = ""
        self.heard = asyncio.Event()
        self.told: list[str] = []

    def hear(self, asked: Asked) -> None:
        """Keep it, and cover the pair that it makes with the row before."""
        self.asked.append(asked)
        row = row_met(self.tours.p, asked.before, asked.event)
        self.tours.covered.add((self.last, row))
        if asked.before != asked.after:
            self.last = row
        self.heard.set()

    @property
    def node(self) -> Node:
        """Where the machine stands now."""
        return (self.asked[-1].after if self.asked else device.first()), self.last

    async def begin(self, go: Callable[[Walker, int], Awaitable[None]], steps: int) -> None:
        """Switch a machine on, go so many steps there, and have the oracle judge all of it."""
        walked, powered = self.walked, self.powered
        powered.on()
        eye = Eye(powered.rig)
        walker = Walker(powered, self.tours.p)
        await walker.hello()
        walked.paths += 1
        await go(walker, steps)
        if powered.broken() is not None:
            walked.differs.append(f"the firmware has ended: {powered.broken()!r}")
        await walker.client.close()
        await powered.off()
        walked.rounds += eye.round
        walked.facts += len(eye.history)
        walked.against += [f"{line} | {' '.join(self.told[-60:])}" for line in eye.lines()]

    async def wander(self, walker: Walker, steps: int) -> None:
        """Let happen what chance chooses, mostly what leads to the end of a round."""
        while steps > 0 and self.powered.broken() is None:
            steps -= 1
            self.walked.steps += 1
            walker.planned_start = walker.true_start
            edge = self.tours.wander(self.node, self.random)
            if edge is None or await self.step(walker, edge, None):
                self.at = len(self.asked)

    async def walk(self, walker: Walker, steps: int) -> None:
        """Walk to pairs that are left, until there are none within reach, or so many steps."""
        target, way = self.tours.begin(self.random)
        while steps > 0 and way and self.powered.broken() is None:
            walker.planned_start = walker.true_start  # the tour knows it now
            for i, edge in enumerate(way):
                steps -= 1
                self.walked.steps += 1
                ahead = way[i + 1].event if i + 1 < len(way) else None
                why = await self.step(walker, edge, ahead)
                if why:
                    self.at = len(self.asked)
                    if target not in self.tours.covered:
                        self.miss(target, f"{edge.event.name}: {why}")
                    break
            else:
                if target not in self.tours.covered:
                    self.miss(target, f"{target}: something came between")
            target, way = self.tours.nearest(self.node)

    def miss(self, target: Pair, why: str) -> None:
        """Count what did not come; a pair that is missed again and again is given up."""
        self.walked.failed[target] += 1
        self.walked.missed[why] += 1
        if self.walked.failed[target] >= TRIES:
            self.tours.given_up.add(target)

    async def step(self, walker: Walker, edge: Edge, ahead: Event | None) -> str:
        """Let an event come; return why it did not, or nothing."""
        event, last = edge.event, self.last
        since = len(self.asked) if event.name in REQUESTS else self.at
        walker.state, walker.refused = self.node[0], edge.refused
        self.told.append(f"{event.name}{event.numbers}")
        answer = ""
        try:
            if since == len(self.asked) or not self.has_come(event.name, since):
                await DEEDS[event.name](walker, event, ahead)
        except CannotError as error:
            return str(error)
        except Refused as no:
            answer = no.rule if no.outcome == link_pb2.REFUSED else "LATER"
        except LinkError as error:
            return f"the link: {error}"
        mine = await self.come(event.name, since)
        if mine is None:
            others = [one.event.name for one in self.asked[since:] if one.before != one.after]
            return f"instead {others[0]}" if others else f"nothing came, answer {answer or 'done'}"
        self.at = self.asked.index(mine, since) + 1
        row = row_met(self.tours.p, mine.before, mine.event)
        if row != edge.row:
            return f"another row {row}"
        self.tours.covered.add((last, edge.key))
        refused = (mine.no[0] if mine.no else "") if event.name in REQUESTS else ""
        if refused != answer:
            self.walked.differs.append(f"{event}: the rules say {refused}, the link says {answer}")
        return ""

    def show(self) -> str:
        """Name what the machine has put to its rules lately."""
        return " ".join(one.event.name for one in self.asked[-6:])

    def has_come(self, name: str, since: int) -> bool:
        """Tell whether the machine has put this event to its rules by itself."""
        return any(one.event.name == name for one in self.asked[since:])

    async def come(self, name: str, since: int) -> Asked | None:
        """Wait until the machine has put this event to its rules, or another has changed it."""
        try:
            async with asyncio.timeout(LIMIT_S):
                while True:
                    new = self.asked[since:]
                    for one in new:
                        if one.event.name == name:
                            return one
                    if any(one.before != one.after for one in new):
                        return None
                    self.heard.clear()
                    await self.heard.wait()
        except TimeoutError:
            return None


REQUESTS = (
    *("load", "shuffle", "remove_deck", "stub_counted", "open", "no_more_bets", "draw_start"),
    *("deal", "face_up", "remainder", "close", "void_round", "give_back", "deliver", "idle"),
    *("cleared", "in_service", "out_of_service"),
)


def replay(tours: Tours, paths: int, seed: int = SEED, steps: int = STEPS) -> Walked:
    """Walk so many paths, each on a machine of its own, or until nothing is left within reach."""
    walked = Walked()
    for n in range(paths):
        if not tours.left():
            break
        path = Path(tours, walked, seed + n)
        with overheard(path.hear):
            run(path.powered.world, path.begin(path.walk, steps))
    return walked


def wander(tours: Tours, paths: int, seed: int = SEED, steps: int = WANDERED) -> Walked:
    """Wander by chance on so many machines."""
    walked = Walked()
    for n in range(paths):
        path = Path(tours, walked, seed + n)
        with overheard(path.hear):
            run(path.powered.world, path.begin(path.wander, steps))
    return walked
