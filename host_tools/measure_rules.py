"""Measurements of the table of rules on the emulated board's bench image: time and heap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from dovetail.table import system

from hil_tests.hal_bench import Bench
from host_tools.rules import device
from host_tools.rules.events import Bound, events

BOUNDS = (
    Bound("two decks", "let_it_ride"),
    Bound("draws", "double_draw", decks=(1,), players=(2,)),
    Bound("start", "pai_gow_poker", decks=(1,)),
    Bound("by hand", "double_down_stud", 1, decks=(1,)),
    Bound("continuous", "plain", continuous=1, decks=(1,)),
    Bound("ages", "caribbean_stud", decks=(1,), ages=(0, 1, 2)),
)
BATCH = 8
STATES = 3000  # looked at in each bound, for an example of every row

# What the tables would take, built on the heap: a tuple has two words before its items
TABLES = """
def built(thing):
    if not isinstance(thing, tuple): return 0
    return 8 + 4 * len(thing) + sum([built(one) for one in thing])
"""
FREE = "gc.collect(); print([gc.mem_free()])"
IMPORT = """
from dovetail.cards import profiles
from dovetail.table import registry, rows_deck, rows_machine, rows_round
"""
SIZE = """
tables = (rows_deck.ROWS, rows_round.ROWS, rows_machine.ROWS, registry.RULES, profiles.GAMES)
print([sum([built(one) for one in tables])])
"""

SETUP = """
from dovetail.cards.profile import Profile
from dovetail.table.rulebook import Rulebook
from dovetail.table.system import step
def took(book, state, event, d, a, b, c):
    book.state, profile = state, book.profile
    gc.collect()
    began = time.ticks_us()
    step(profile, state, event, d, a, b, c)
    decided = time.ticks_us()
    gc.collect()
    asked = time.ticks_us()
    book.ask(event, d, a, b, c)
    return time.ticks_diff(decided, began), time.ticks_diff(time.ticks_us(), asked)
"""

Case = tuple[bytes, str, int, int, int, int]


def cases(bound: Bound, known: set[tuple[str, int]]) -> list[Case]:
    """A state and an event for every row of the table that this bound reaches first."""
    p = device.profile(bound.game, bound.by_hand, bound.continuous)
    found: dict[tuple[str, int], Case] = {}
    seen = {device.first()}
    todo = list(seen)
    for s in todo:
        for event in events(bound, p):
            entry = device.find(event.name)
            case = (s, event.name, *event.numbers)
            try:
                after, _, no = device.decide(entry, p, s, *event.numbers)
            except system.NoSuch:
                continue
            found.setdefault((event.name, _row(entry, no, p, s, event.numbers)), case)
            if after not in seen and len(seen) < STATES:
                seen.add(after)
                todo.append(after)
    new = [case for row, case in found.items() if row not in known]
    known |= set(found)
    return new


def _row(
    entry: device.Entry,
    no: device.Refusal | None,
    p: device.Profile,
    s: bytes,
    numbers: tuple[int, int, int, int],
) -> int:
    """Which row it was; the reasons shared by events are below nothing."""
    for i, row in enumerate(entry[2]):
        if device.holds(row, p, s, *numbers):
            return i if no is None or no == row[1:] else -1
    return -1


def decision_us() -> tuple[float, int, int, int]:
    """Device time of one decision: mean, worst, how many rows; worst with a refusal in words."""
    bench = Bench()
    bench.run(SETUP)
    times: list[tuple[int, int]] = []
    known: set[tuple[str, int]] = set()
    for bound in BOUNDS:
        config = (bound.game, bound.by_hand, bound.continuous)
        bench.run(f"book = Rulebook(Profile{config!r})")
        for some in batched(cases(bound, known)):
            calls = ", ".join(f"took(book, {', '.join(map(repr, case))})" for case in some)
            times += cast(list[tuple[int, int]], bench.ask(f"print([{calls}])"))
    decided = [one for one, _ in times]
    told = [one for _, one in times]
    return sum(decided) / len(times), max(decided), len(times), max(told)


def batched(some: list[Case]) -> Iterator[list[Case]]:
    """A few at a time."""
    for i in range(0, len(some), BATCH):
        yield some[i : i + BATCH]


def heap_bytes() -> tuple[int, int]:
    """How large the tables are, and what of the heap the import of their files takes."""
    bench = Bench()
    bench.run(TABLES)
    before = bench.ask(FREE)[0]
    bench.run(IMPORT)
    taken = before - bench.ask(FREE)[0]
    return bench.ask(SIZE)[0], taken
