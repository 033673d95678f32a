"""What must hold whatever happens, judged by the machine's own truth where the rig shows it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, cast

from dovetail import start  # pyright: ignore[reportUnknownVariableType]: device code

from hil_tests import blinking
from host_tools.link import link_pb2
from host_tools.link.client import kind_of
from host_tools.rigs import Rig

ROLLERS = ("pick", "feed", "eject", "deal")
ROLLERS_MS, WHEEL_MS = 50, 120  # I-6
OFF_MS = 300  # then nobody holds a motor any more
LOOK_S = 0.005


class _Planned(Protocol):
    """The firmware's machine; its own file carries no types."""

    plan: bytearray
    service: bool
    lamps_tried: bool
    hal: Any

    def filling(self) -> bool: ...


class Watch:
    """Looks every few milliseconds of the machine's time, at every event and after every step."""

    def __init__(self, rig: Rig, cards: int, look_s: float | None = None) -> None:
        self.rig, self.machine, self.cards = rig, rig.machine, cards
        self.look_s = look_s or LOOK_S
        self.broken: list[str] = []  # what did not hold
        self.refused: set[tuple[str, str, str]] = set()  # request, rule or outcome, text
        self.bets_closed = False  # "no more bets" was declared for the round that is open
        self.ready = False  # a counted deck has been announced, and no round was played with it
        self.looks = 0
        self.stuck_ns: int | None = None  # when a card first stuck on the path
        self.told_ns: int | None = None  # when the first fault was heard
        self._reported: set[int] = set()  # cards in the tray that belong to the stack before
        self._dealt = 0  # cards that have left the shoe by the machine's truth
        self._unsafe_ns: dict[str, int] = {}
        self._stopped_ns: int | None = None
        self._at: dict[str, int] = {}
        self._blinks_ns: int | None = None  # since when it is in service
        self._task: asyncio.Task[None] | None = None
        if self.machine is not None:
            for name in ("lid", "door", "mount"):
                self.machine.inputs[name].listeners.append(self._switched(name))
            self._task = asyncio.create_task(self._keep_looking())

    def _switched(self, name: str) -> Callable[[bool], None]:
        def note(safe: bool) -> None:
            if safe:
                self._unsafe_ns.pop(name, None)
            else:
                self._unsafe_ns[name] = self._now()

        return note

    def _now(self) -> int:
        assert self.rig.now_ns is not None
        return self.rig.now_ns()

    async def _keep_looking(self) -> None:
        while True:
            self.look()
            await asyncio.sleep(self.look_s)

    def earned_anew(self) -> None:
        """Let enough time pass that all of what may be said without play is earned anew: I-12."""
        machine = cast(Any, start.machine)
        if self.rig.depth == "in-process" and machine is not None:
            machine.memory.said[:] = bytes(len(machine.memory.said))

    # -- what was said -------------------------------------------------------------------------

    def hear(self, event: link_pb2.Event) -> None:
        """An event of the machine."""
        if kind_of(event) in ("shuffle_done", "ready", "fault"):
            self._forgotten(kind_of(event))
        if kind_of(event) == "ready":
            self._ready(event.ready)
        elif kind_of(event) == "stack":
            self._stack(event.stack)
        elif kind_of(event) == "trying" and self.machine is not None:
            self.told_ns = self.told_ns or self._now()
        elif kind_of(event) == "fault":
            self.ready = self.bets_closed = False
            if self.machine is not None:
                self._stopped_ns = self._now()
                self.told_ns = self.told_ns or self._stopped_ns
        self.look()

    def _forgotten(self, kind: str) -> None:
        """I-8, where the firmware runs in this process: the plan is gone when it was used."""
        if self.rig.depth != "in-process":
            return
        machine = cast(_Planned, start.machine)
        if any(machine.plan) and not machine.filling():
            self.broken.append(f"I-8: at {kind} the order lies in the plan")

    def opened(self) -> None:
        """A round was opened: it needs a deck that was announced since the last one."""
        if not self.ready:
            self.broken.append("I-2: a second round from one shuffle")
        self.ready = self.bets_closed = False

    def clearing(self) -> None:
        """From here the machine may move to look for cards."""
        self._stopped_ns = None

    def _ready(self, said: link_pb2.ReadyToDeal) -> None:
        self.ready = True
        if not said.counted_in == said.counted_out == said.expected == self.cards:
            self.broken.append(f"I-1: ready with counts {said.counted_in}, {said.counted_out}")
        if self.machine is not None:
            shoe = self.machine.cards()["shoe"]
            backs = {card.back for card in shoe}
            if len(shoe) != self.cards or len(backs) != 1 or len(set(map(id, shoe))) != self.cards:
                self.broken.append(f"I-1: ready with {len(shoe)} cards of {backs} in the shoe")

    def _stack(self, said: link_pb2.StackDealt) -> None:
        if self.machine is not None:
            cards = self.machine.cards()
            out = [id(card) for card in cards["tray"] + cards["chute"]]
            there = sum(card not in self._reported for card in out)
            self._reported = set(out)
            more = there > said.delivered and said.verdict == link_pb2.NOT_COUNTED
            if there != said.delivered and not more:
                self.broken.append(
                    f"I-3: position {said.position}: {said.delivered} reported, {there} in the tray"
                )

    # -- what is seen --------------------------------------------------------------------------

    def look(self) -> None:
        """One look at the machine."""
        if self.machine is None:
            return
        self.looks += 1
        self._look_for_early_cards()
        self._look_for_motion()
        self._look_for_jams()
        self._look_for_blinking()

    def _look_for_early_cards(self) -> None:
        assert self.machine is not None
        out = len(self.machine.deal.tray) + len(self.machine.deal.chute)
        if out > self._dealt and not self.bets_closed:
            self.broken.append(f"I-2: {out} cards out of the shoe before no more bets")
        self._dealt = out
        if self._reported:
            there = [*self.machine.deal.tray, *(card for card, _ in self.machine.deal.chute)]
            self._reported &= {id(card) for card in there}

    def _look_for_motion(self) -> None:
        """I-6, and that a stopped machine stays still until somebody says that it is cleared."""
        assert self.machine is not None
        now = self._now()
        since = list(self._unsafe_ns.values())
        for ns in (self._stopped_ns, self.machine.motor_supply.low_ns):
            if ns is not None:
                since.append(ns)
        places: dict[str, int] = {}
        for name, axis in self.machine.axes.items():
            axis.sync()
            places[name] = axis.position
            limit = (ROLLERS_MS if name in ROLLERS else WHEEL_MS) * 1_000_000
            if since and now > min(since) + limit + self.look_s * 1e9:
                moved = places[name] - self._at.get(name, places[name])
                if moved:
                    self.broken.append(f"I-6: {name} moved {moved} steps when it had to be still")
        self._at = places
        if since and now > min(since) + OFF_MS * 1_000_000 and self.machine.enabled:
            self.broken.append("I-6: the drivers are still on when all had to be still")
        overrun = self.machine.axes["wheel"].overrun
        if overrun:
            self.broken.append(f"I-6: the wheel was stopped dead and ran on for {overrun} steps")

    def _look_for_jams(self) -> None:
        assert self.machine is not None
        for under_way in self.machine.infeed.path:
            if under_way.limit is not None and under_way.x >= under_way.limit:
                self.stuck_ns = self.stuck_ns or self._now()

    def _look_for_blinking(self) -> None:
        """In service no lamp stays lit, also while something moves: a steady red is a stop."""
        assert self.machine is not None
        if self.rig.depth != "in-process":
            return
        machine = cast(_Planned | None, start.machine)
        if machine is None or machine.hal.machine is not self.machine or not machine.service:
            self._blinks_ns = None
            return
        now = self._now()
        turns = blinking.of(self.machine, self._now)
        self._blinks_ns = self._blinks_ns or now
        if now - self._blinks_ns > blinking.TURN_MS * 1_000_000 and not turns.goes_on():
            self.broken.append("in service the lamps are steady")
            self._blinks_ns = now

    def check(self) -> None:
        """After a step: all that is watched has held so far."""
        self.look()
        assert not self.broken, "; ".join(self.broken)

    async def close(self) -> None:
        """Stop looking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
