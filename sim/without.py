"""The machine as it would be without one of its plants, to tell when anybody could know of it.

Beside the machine runs a copy in which that plant is not planted. The copy is given the same
commands of the firmware, the same hands and all other plants, in a time of its own that never runs
ahead. As long as the sensors of both say the same, nobody can know of the plant. The first moment
at which one says something else, or ought to have said it, is noted in `Faults.shown`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from copy import deepcopy
from typing import Any, cast

from boards import mechanics as M
from sim.faults import Shown, sized
from sim.hands import Hands
from sim.loop import HeapWorld
from sim.machine import Machine

Edges = dict[str, deque[tuple[int, object]]]
# What can be read of the cards that a move has left before a sensor, whoever reads it. Whether the
# shoe is empty is asked before a card is dealt, and not before it is ordered.
READABLE = {
    "pick": ("thickness_in", "back"),
    "feed": ("thickness_in", "back"),
    "eject": ("crank",),
    "deal": ("thickness_out",),
}
UNJUDGED = "level_"  # the light of a beam is watched over decks, and no move is judged by it


def means(channel: str, counts: int) -> object:
    """Return what the firmware can make of a reading, at the best."""
    if channel == "supply":
        return counts < M.SUPPLY_MIN
    if channel.startswith("thickness"):
        return round((counts - M.THICKNESS_BASE) / M.THICKNESS_CARD)  # cards
    if channel == "back":
        if counts < M.BACK_NONE:
            return None
        return min((*M.BACKS.values(), M.FACE), key=lambda colour: abs(colour - counts))
    return counts > M.PRESENT


def _nothing() -> None:
    pass


def copied(machine: Machine, hands: Hands) -> tuple[Machine, Hands, HeapWorld]:
    """Return a copy of both in a world of its own, at the same moment; nobody listens to it."""
    world = HeapWorld(machine.world.now_ns())
    shared = (machine.levels.traits, machine.random)
    memo: dict[int, Any] = {id(one): one for one in shared}
    memo[id(machine.world)] = world
    for last in (hands.brought, hands.gone, hands.stacks, hands.delivered, machine.faults.struck):
        memo[id(last)] = []
    for listeners in (
        machine.followers,
        machine.level_listeners,
        hands.followers,
        *(one.listeners for one in machine.inputs.values()),
        *(axis.followers for axis in machine.axes.values()),
    ):
        memo[id(listeners)] = []
    for axis in machine.axes.values():
        memo |= axis.unshared(_nothing)
    other, its_hands = deepcopy((machine, hands), memo)
    other.resume()
    return other, its_hands, world


class _Ends:
    """Hears when an axis of the copy has ended a move."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self.names = ()
        self._note = note

    def stood(self, axis: str) -> None:
        """Note the end of a move."""
        self._note(axis)

    def do(self, act: Callable[[Machine], object]) -> None:
        """Leave the copy's own commands alone."""


class Without:
    """One machine without one plant, or several, until it differs from the machine that has it."""

    def __init__(self, machine: Machine, hands: Hands, *names: str) -> None:
        self.machine, self.hands, self.names = machine, hands, names
        self.other, self._its_hands, self._world = copied(machine, hands)
        for name in names:
            self.other.faults.forget(name)
        self.since = len(machine.faults.struck)
        self._infeed_empty = False  # it seems so, and is not in the copy
        self._brought_ns = 0  # when the pick brought a card out of it all the same
        self._empty_ns = 0  # since when the tray seems empty, and is not in the copy
        self._true: Edges = {}
        self._copy: Edges = {}
        self._listeners: list[tuple[list[Callable[[bool], None]], Callable[[bool], None]]] = []
        for side, edges, now_ns in (
            (machine, self._true, machine.world.now_ns),
            (self.other, self._copy, self._world.now_ns),
        ):
            for key, one in side.inputs.items():
                edges[key] = deque()
                hear = _noting(edges[key], now_ns)
                one.listeners.append(hear)
                self._listeners.append((one.listeners, hear))
            for key in side.axes:
                edges[f"{key} stands"] = deque()
        entry = machine.inputs["entry"].listeners
        entry.append(self._entered)
        self._listeners.append((entry, self._entered))
        for axis in self.other.axes.values():
            axis.followers.append(_Ends(self._copy_stood))
        for followers in self._followed():
            followers.append(self)
        hands.followers.append(self.act)

    def _followed(self) -> list[list[Any]]:
        machine = self.machine
        return [machine.followers, *(axis.followers for axis in machine.axes.values())]

    # -- what the machine is told and says -----------------------------------------------------

    def do(self, act: Callable[[Machine], object]) -> None:
        """Let the same be done to the copy."""
        if self.sync():
            act(self.other)

    def act(self, act: Callable[[Hands], object]) -> None:
        """Let the copy's hands do the same."""
        if self.sync():
            act(self._its_hands)

    def stood(self, axis: str) -> None:
        """Hear that an axis of the machine has ended a move: its sensors could be read now."""
        now = self.machine.world.now_ns()
        self._true[f"{axis} stands"].append((now, None))
        if not self.sync():
            return
        here, there = self.machine.levels.lies_there, self.other.levels.lies_there
        if any(here(channel) != there(channel) for channel in READABLE.get(axis, ())):
            self._show(now, True)

    def _entered(self, dark: bool) -> None:
        """Hear that the pick has brought a card, also out of an infeed that seems empty."""
        if dark and self._infeed_empty and not self._brought_ns:
            self._brought_ns = self.machine.world.now_ns()

    def _copy_stood(self, axis: str) -> None:
        self._copy[f"{axis} stands"].append((self._world.now_ns(), None))

    def read(self, channel: str, counts: int) -> None:
        """Hear what the firmware reads, and compare what it would read."""
        if not self.sync():
            return
        its = self.other.levels.true(channel)
        if channel.startswith(UNJUDGED) or means(channel, its) == means(channel, counts):
            return
        shows = self._world.now_ns()
        if channel == "infeed" and not means(channel, counts):
            self._infeed_empty = True  # cards may be brought late: a pick that brings one shows it
            return
        if channel == "tray":
            shows = self._tray_shows(shows)
        if shows:
            self._show(shows, True)

    def _tray_shows(self, now: int) -> int:
        """Return when an empty tray showed the plant; 0 as long as it shows nothing.

        A hand may have taken what was there when the tray seemed empty first, also a card that was
        on its way. So it shows when a card lies there that the roller has let go since.
        """
        self._empty_ns = self._empty_ns or now
        cards = self.other.deal.arrivals
        return next((ns for since, ns in cards if since >= self._empty_ns), 0)

    # -- the comparison ------------------------------------------------------------------------

    def sync(self) -> bool:
        """Bring the copy up to the present; return whether it is still the same."""
        now = self.machine.world.now_ns()
        self._world.advance(now)
        first = min(
            (ns for key in self._true for ns in _unmatched(self._true[key], self._copy[key])),
            default=now,
        )
        if first < now:
            self._show(first, False)
        elif self._brought_ns:
            self._show(self._brought_ns, True)
        else:
            return True
        return False

    def _show(self, ns: int, read: bool) -> None:
        """Note the moment with what has struck, each plant once, and be done."""
        self.leave()
        faults = self.machine.faults
        struck = [one for one in faults.struck[self.since :] if one.ns <= ns]
        first = {one.name: one for one in reversed(struck) if one.name in self.names}
        noted = faults.shown if len(self.names) == 1 else faults.together
        noted |= {one: Shown(ns, read) for one in first.values()}
        if not first:
            faults.astray.append((" and ".join(self.names), ns))

    def leave(self) -> None:
        """Follow the machine no more."""
        for listeners, hear in self._listeners:
            listeners.remove(hear)
        for followers in self._followed():
            followers.remove(self)
        self.hands.followers.remove(self.act)


def _noting(edges: deque[tuple[int, object]], now_ns: Callable[[], int]) -> Callable[[bool], None]:
    return lambda dark: edges.append((now_ns(), dark))


def _unmatched(true: deque[tuple[int, object]], copy: deque[tuple[int, object]]) -> list[int]:
    """Drop what both have said; return when the first of what is left was said."""
    while true and copy and true[0] == copy[0]:
        true.popleft()
        copy.popleft()
    return [edges[0][0] for edges in (true, copy) if edges]


def follow(machine: Machine, hands: Hands, plants: list[str]) -> None:
    """Let a machine without each of these run beside this one, and one without all of them.

    Of two that do the same, a machine without either shows nothing: the other does it too.
    """
    names = [sized(plant)[0] for plant in plants]
    for one in followers(machine):
        if not set(names).isdisjoint(one.names):
            one.leave()  # it is planted anew
    for name in names:
        Without(machine, hands, name)
    if len(names) > 1:
        Without(machine, hands, *names)


def followers(machine: Machine) -> list[Without]:
    """Return the machines that still run beside this one."""
    return list(cast(list[Without], machine.followers))


def sync(machine: Machine) -> None:
    """Note what has shown up to the present."""
    for one in followers(machine):
        one.sync()


def leave(machine: Machine) -> None:
    """Let none run beside it any more."""
    for one in followers(machine):
        one.sync()
    for one in followers(machine):
        one.leave()
