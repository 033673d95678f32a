"""Every state that can be reached within a bound, each step held against each rule."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.table.system import NoSuch

from host_tools.rules import device, history
from host_tools.rules.events import Bound, events
from host_tools.rules.properties import DONE, STATE, broken

MOST = 10_000_000  # states: no bound has so many


@dataclass
class Explored:
    """What came of it."""

    bound: Bound
    states: int = 0
    steps: int = 0
    refused: int = 0
    broken: str = ""  # the first step that breaks a rule


def explore(bound: Bound, limit: int = MOST) -> Explored:
    """Breadth first; ends at the first step that breaks a rule."""
    p = device.profile(bound.game, bound.by_hand, bound.continuous)
    entries = {entry[0]: entry for part in device.table() for entry in part}
    all_events = [(entries[e.name], e.name, *e.numbers) for e in events(bound, p)]
    found = Explored(bound)
    t = history.Step(p)
    first = (device.first(), history.begin())
    seen = {first}
    todo = [first]
    for s, h in todo:
        t.s, t.h = s, h
        for entry, t.name, t.d, t.a, t.b, t.c in all_events:
            found.steps += 1
            try:
                t.after, t.actions, t.no = device.decide(entry, p, s, t.d, t.a, t.b, t.c)
                t.h2 = h if t.no else history.follow(t)
                why = broken(t, t.name)
                if t.no:
                    found.refused += 1
                    if t.after is not s or t.actions:
                        why = "EL-2 a refusal has changed something"
                else:
                    after = (t.after, t.h2)
                    why = why or broken(t, DONE)
                    if after not in seen:
                        why = why or broken(t, STATE)
                        seen.add(after)
                        todo.append(after)
            except (NoSuch, IndexError, ValueError) as error:
                t.after, why = s, repr(error)
            if why:
                found.broken = f"{why}: {told(t)}"
                found.states = len(seen)
                return found
        if len(seen) > limit:
            break
    found.states = len(seen)
    return found


def told(t: history.Step) -> str:
    """A step in words."""
    answer = t.no if t.no is not None else t.actions
    return (
        f"{t.name}{t.d, t.a, t.b, t.c} at [{device.told(t.s)}] gives [{device.told(t.after)}]"
        f" {answer}; history {list(t.h)}, then {list(t.h2)}"
    )
