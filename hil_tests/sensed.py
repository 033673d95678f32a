"""Which sensors the firmware reads before and after each move: every call at its hal, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sim.hal import Edge, Stepper
from sim.inprocess import InProcess

Reading = tuple[str, str]  # a sensor, and what was asked of it


@dataclass(frozen=True)
class Call:
    """At the hal: a move that starts, or a sensor that is read."""

    ns: int
    what: str  # "move", or what was asked: "dark", "edges", "level"
    name: str


class Trace:
    """Put between the firmware and its hal; before the firmware starts."""

    def __init__(self, rig: InProcess) -> None:
        self.rig = rig
        self.calls: list[Call] = []
        hal = rig.hal
        stepper, edge, level = hal.stepper, hal.edge, hal.level

        def traced_stepper(name: str, up: Sequence[int], down: Sequence[int]) -> Stepper:
            made = stepper(name, up, down)
            run = made.run

            def started(*plan: int) -> None:
                self.note("move", name)
                run(*plan)

            setattr(made, "run", started)  # noqa: B010
            return made

        def traced_edge(name: str, on: Stepper) -> Any:
            return TracedEdge(edge(name, on), name, self)

        def traced_level(channel: str) -> int:
            self.note("level", channel)
            return level(channel)

        setattr(hal, "stepper", traced_stepper)  # noqa: B010
        setattr(hal, "edge", traced_edge)  # noqa: B010
        setattr(hal, "level", traced_level)  # noqa: B010

    def note(self, what: str, name: str) -> None:
        """One call."""
        self.calls.append(Call(self.rig.world.now_ns(), what, name))


class TracedEdge:
    """A beam or mark as the firmware has it; its interrupt goes past the trace."""

    def __init__(self, edge: Edge, name: str, trace: Trace) -> None:
        self._edge, self._name, self._trace = edge, name, trace

    def dark(self) -> int:
        """Asked by the firmware."""
        self._trace.note("dark", self._name)
        return self._edge.dark()

    @property
    def n(self) -> int:
        """The same."""
        self._trace.note("edges", self._name)
        return self._edge.n

    def __getattr__(self, name: str) -> Any:
        return getattr(self._edge, name)


# What docs/motion.md says of each axis: read at the instant of its start; and read from then on,
# before the axis that is named starts.
BEFORE: dict[str, set[Reading]] = {
    "pick": {("entry", "dark")},
    "feed": {("count", "dark")},
    "wheel": {("tick", "dark"), ("home", "dark")},
    "eject": {("exit", "dark"), ("crank", "level")},
    "deal": {("deal", "dark")},
}
AFTER: dict[str, tuple[str, set[Reading]]] = {
    "pick": ("pick", {("entry", "edges")}),
    "feed": ("wheel", {("count", "edges")}),
    "wheel": ("wheel", {("tick", "edges"), ("home", "edges"), ("tick", "dark"), ("home", "dark")}),
    "eject": ("wheel", {("crank", "level"), ("exit", "edges"), ("exit", "dark")}),
    "deal": ("deal", {("deal", "edges"), ("deal", "dark"), ("thickness_out", "level")}),
}

CLOSE = {"deal"}  # the last reading alone counts: the card before was proved at the same instant


def unsensed(calls: Sequence[Call]) -> set[tuple[str, str, Reading]]:
    """(axis, before or after, what was not read) of any move."""
    missing: set[tuple[str, str, Reading]] = set()
    starts = [i for i, call in enumerate(calls) if call.what == "move"]
    for i in starts:
        axis, ns = calls[i].name, calls[i].ns
        j = i
        while j and calls[j - 1].ns == ns and (axis not in CLOSE or j == i):
            j -= 1
        read = {(call.name, call.what) for call in calls[j:i]}
        missing |= {(axis, "before", one) for one in BEFORE[axis] - read}
        ends, wanted = AFTER[axis]
        k = next((s for s in starts if s > i and calls[s].name in (ends, axis)), None)
        if k is None:
            continue  # what was told last is not part of the trace
        after = [call for call in calls[i + 1 : k] if ends != axis or call.ns < calls[k].ns]
        read = {(call.name, call.what) for call in after if call.ns > ns}
        missing |= {(axis, "after", one) for one in wanted - read}
    return missing
