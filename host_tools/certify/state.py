"""What is done of a run, kept in a file, so that a run that was stopped can go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from host_tools.build.tell import UsageError
from host_tools.certify.plan import Plan, Unit, write
from host_tools.certify.tally import Tally, add, shapes

NAME = "state.json"


class State:
    """Totals of each source, and which pieces of work are in them."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.path = folder / NAME
        self.plan = plan
        self.totals: dict[str, Tally] = {}
        self.done: dict[str, set[int]] = {}

    def has(self, unit: Unit) -> bool:
        """Whether this piece is in the totals."""
        return unit.number in self.done.get(unit.source, ())

    def take(self, unit: Unit, tally: Tally) -> None:
        """Add a piece."""
        add(self.totals.setdefault(unit.source, {}), tally)
        self.done.setdefault(unit.source, set()).add(unit.number)

    def decks(self, source: str) -> int:
        """How many are in the totals."""
        total = self.totals.get(source)
        return 0 if total is None else int(total["decks"][0])

    def save(self) -> None:
        """Into the file, whole or not at all."""
        content = {
            "plan": self.plan.as_json(),
            "done": {source: sorted(numbers) for source, numbers in self.done.items()},
            "totals": {
                source: {name: counts.tolist() for name, counts in total.items()}
                for source, total in self.totals.items()
            },
        }
        write(self.path, content)

    def load(self) -> None:
        """What a run of the same plan has done; raises UsageError for any other file."""
        try:
            content: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
            other: dict[str, Any] = content["plan"]
            if told := self.plan.differs(other):
                raise UsageError(f"{self.path} is the state of another run: {'; '.join(told)}")
            self.done = {source: set(numbers) for source, numbers in content["done"].items()}
            self.totals = {
                source: {name: np.array(counts, np.int64) for name, counts in total.items()}
                for source, total in content["totals"].items()
            }
            self._check()
        except FileNotFoundError:
            raise UsageError(
                f"--resume: no {NAME} in {self.path.parent}; leave --resume out to begin"
            ) from None
        except (OSError, ValueError, LookupError, TypeError, AttributeError, OverflowError):
            raise UsageError(
                f"{self.path} cannot be read as a state; remove it and begin again"
            ) from None

    def _check(self) -> None:
        """Raise ValueError unless the totals can be those of the pieces said to be done."""
        counts = {(unit.source, unit.number): unit.count for unit in self.plan.units()}
        sizes = shapes(self.plan.cards)
        if set(self.totals) != {source for source, numbers in self.done.items() if numbers}:
            raise ValueError
        for source, total in self.totals.items():
            numbers = self.done[source]
            decks = sum(counts[source, number] for number in numbers)
            if {name: len(seen) for name, seen in total.items()} != sizes:
                raise ValueError
            for name, seen in total.items():
                if name in ("decks", "serial"):
                    continue
                all_of_them = {
                    "position_card": decks * self.plan.cards,
                    "same_places": decks - len(numbers),
                }.get(name, decks)
                if seen.min() < 0 or int(seen.sum()) != all_of_them:
                    raise ValueError
            if int(total["decks"][0]) != decks:
                raise ValueError
