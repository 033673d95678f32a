"""Tables with one transition redirected, and whether the exploration finds each of them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from random import Random
from types import CodeType
from typing import Any

from dovetail.table import decks

from host_tools.build.tell import ROOT
from host_tools.mutate import tested
from host_tools.rules import device
from host_tools.rules.bounds import STATES
from host_tools.rules.events import Bound, events
from host_tools.rules.explained import TESTED
from host_tools.rules.explore import explore

Table = tuple[Any, ...]
SYSTEM = "firmware/dovetail/table/system.py"


@dataclass(frozen=True)
class Mutant:
    """One change of the tables."""

    what: str
    table: Table
    ways: Table
    event: str = ""  # whose rows were changed; none: any event may meet the change


def mutants(seed: int) -> Iterator[Mutant]:
    """Every transition in turn redirected, every refusal in turn left out."""
    random = Random(f"mutants {seed}")
    for what, ways in _ways(random):
        yield Mutant(what, device.table(), ways)
    for i, part in enumerate(device.table()):
        for j, entry in enumerate(part):
            for what, changed in _entry(entry, random):
                table = _with(device.table(), i, _with(part, j, changed))
                yield Mutant(f"{entry[0]}: {what}", table, device.ways(), entry[0])


def _with(row: Table, i: int, item: object) -> Table:
    return (*row[:i], item, *row[i + 1 :])


def _without(row: Table, i: int) -> Table:
    return (*row[:i], *row[i + 1 :])


def _ways(random: Random) -> Iterator[tuple[str, Table]]:
    for i, row in enumerate(device.ways()):
        for j in range(1, len(row)):
            before, after = row[j]
            to = random.choice([n for n in range(len(decks.NAMES)) if n != after])
            changed = _with(device.ways(), i, _with(row, j, (before, to)))
            yield f"deck {row[0]} from {decks.NAMES[before]} to {decks.NAMES[to]}", changed


def _entry(entry: Table, random: Random) -> Iterator[tuple[str, Table]]:
    name, shared, rows = entry
    for i, reason in enumerate(shared):
        yield f"never refused when {reason}", (name, _without(shared, i), rows)
    for i, row in enumerate(rows):
        if isinstance(row[1], str):
            if row[0]:
                yield f"row {i}, {row[1]} left out", (name, shared, _without(rows, i))
            continue
        for j, change in enumerate(row[1]):
            other = _redirected(change, random)
            changed = _with(row, 1, _with(row[1], j, other))
            yield f"row {i}, {change} becomes {other}", (name, shared, _with(rows, i, changed))
        if row[2]:
            yield f"row {i}, no {row[2]}", (name, shared, _with(rows, i, _with(row, 2, ())))


def _redirected(change: tuple[str, str | int], random: Random) -> tuple[str, str | int]:
    field, value = change
    if field == "zero":
        return field, "OF_ROUND" if value == "OF_CARDS" else "OF_CARDS"
    if field.islower():
        return field, random.choice([event for event in decks.EVENTS if event != value])
    if isinstance(value, int):
        return field, 1 - min(value, 1)
    if field == "ROUND":
        return field, random.choice([n for n in ("CLOSED", "DEALT", "VOID") if n != value])
    return field, 0 if value != "CLOSED" else 1


def code_of(mutant: Mutant) -> CodeType:
    """Return the code of SYSTEM with the mutant's tables, to be planted under the tests."""
    text = (ROOT / SYSTEM).read_text(encoding="utf-8")
    text += f"TABLE = {mutant.table!r}\n"
    text += "ENTRIES = {entry[0]: entry for part in TABLE for entry in part}\n"
    text += f"decks.WAYS = {mutant.ways!r}\n"
    return compile(text, str(ROOT / SYSTEM), "exec")


def _happens(bound: Bound, event: str) -> bool:
    """Return whether it does there; else the tables behave as ever, and nothing breaks."""
    p = device.profile(bound.game, bound.by_hand, bound.continuous)
    return not event or any(one.name == event for one in events(bound, p))


def survivor(mutant: Mutant) -> str:
    """Nothing when the mutant is found, else what it is."""
    table, ways = device.table(), device.ways()
    device.put(mutant.table, mutant.ways)
    try:
        for bounds, states in STATES.items():
            there = [bound for bound in bounds if _happens(bound, mutant.event)]
            if any(explore(bound, states).broken for bound in there):
                return ""
        return mutant.what
    finally:
        device.put(table, ways)


def found_by_its_test(what: str, seed: int) -> bool:
    """Tell whether the test that is named for a mutant finds it: it runs with these tables."""
    test = TESTED.get(what)
    if test is None:
        return False
    tested.warm()
    code = code_of(_by_name(seed)[what])
    return bool(tested.run(tested.Order((test,), {}, SYSTEM, code)).failed)


@cache
def _by_name(seed: int) -> dict[str, Mutant]:
    return {mutant.what: mutant for mutant in mutants(seed)}


def hunt(seed: int = 1, workers: int = 2, part: int | None = None) -> tuple[int, list[str]]:
    """Return how many mutants there are, and those that no property finds."""
    every = list(mutants(seed))
    if part is not None:
        every = Random(f"part {seed}").sample(every, min(part, len(every)))
    with ProcessPoolExecutor(workers) as pool:
        left = [what for what in pool.map(survivor, every, chunksize=8) if what]
    return len(every), left
