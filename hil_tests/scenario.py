"""What a scenario is: a story with a name, what it needs of its rig, the faults that it plants."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from hil_tests.bench import Bench
from hil_tests.eye import Eye, can_see
from hil_tests.refusals import missed
from host_tools.rigs import Rig, Setup

NEEDS = {
    "dealer": "somebody who loads decks and takes stacks",
    "hands": "somebody who opens doors, removes cards and lays cards aside",
    "faults": "a simulated machine, to plant faults in",
    "noise": "a simulated board, to spoil its noise",
    "clock": "a machine that nobody plays at: its clock is set ahead",
    "quick": "a machine hundreds of times as fast as time: one of many of a kind",
}


@dataclass(frozen=True)
class Scenario:
    """One story; its docstring says what must come out."""

    name: str
    says: str
    needs: tuple[str, ...]
    faults: Mapping[str, set[int] | float]
    setup: Setup
    run: Callable[[Bench], Awaitable[None]] = field(repr=False)


ENTERED: dict[str, Scenario] = {}
LET_IT_RIDE = Setup()

Run = Callable[[Bench], Awaitable[None]]


def scenario(
    *needs: str, faults: dict[str, set[int]] | None = None, setup: Setup = LET_IT_RIDE
) -> Callable[[Run], Run]:
    """Put a function into the list."""
    assert all(need in NEEDS for need in needs)

    def enter(run: Run) -> Run:
        name = getattr(run, "__name__", "")
        says = (run.__doc__ or "").strip().splitlines()[0]
        ENTERED[name] = Scenario(name, says, needs, dict(faults or {}), setup, run)
        return run

    return enter


def lacking(one: Scenario, rig: Rig) -> str:
    """What a rig has not that the scenario needs, in words; empty when it has all."""
    missing = [NEEDS[need] for need in one.needs if need not in rig.has]
    if one.setup != rig.setup:
        missing.append(f"a machine that is set up for {one.setup}")
    return " and ".join(missing)


async def perform(
    one: Scenario, rig: Rig, refused: set[tuple[str, str, str]] | None = None
) -> None:
    """Play the scenario on this rig, with the invariants watched from its first to its last step.

    Where its table can be seen, an oracle that knows the texts alone judges what lay there.
    refused: takes what was refused, for who makes the list of that anew.
    """
    eye = Eye(rig) if can_see(rig) else None
    bench = Bench(rig)
    try:
        await bench.prepare()
        await one.run(bench)
        bench.watch.check()
    finally:
        await bench.close()
    if refused is None:
        assert not missed(one.name, bench.watch.refused)
    else:
        refused |= bench.watch.refused
    if eye is not None:
        assert not eye.objections(), eye.told()
