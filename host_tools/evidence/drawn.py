"""A share of many cases, drawn anew for each commit; `make prove` takes all of them.

`make test` proves by a sample what `make prove` proves whole. What is drawn depends on DRAW alone:
by default the commit that is checked out. `DRAW=all` takes everything, `DRAW=<word>` repeats a run.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import TypeVar

import pytest

from host_tools.build.tell import ROOT, output_of

ALL = "all"
Case = TypeVar("Case")


@cache
def draw() -> str:
    """Return the word that all draws of this run begin with, or ALL."""
    return os.environ.get("DRAW") or output_of(["git", "-C", ROOT, "rev-parse", "HEAD"])[:12] or "0"


def whole() -> bool:
    """Tell whether this run takes every case."""
    return draw() == ALL


def drawn(name: str, cases: Sequence[Case], count: int) -> list[Case]:
    """Return `count` of the cases, in their order; all of them where the run is whole."""
    if whole() or count >= len(cases):
        return list(cases)
    chosen = sorted(Random(f"{draw()} {name}").sample(range(len(cases)), count))
    return [cases[i] for i in chosen]


def amount(full: int, share: int) -> int:
    """Return how much of a long proof this run does: `share`, or `full` where the run is whole."""
    return full if whole() else min(share, full)


def seed(name: str) -> int:
    """Return a seed that is another one for each commit; 1 where the run is whole."""
    return 1 if whole() else Random(f"{draw()} {name}").randrange(1, 2**31)


def pytest_report_header(config: pytest.Config) -> str:
    """Tell how to repeat this run's draws."""
    if whole():
        return "drawn: every case is taken"
    return f"drawn: a share of the long proofs; DRAW={draw()} repeats it, make prove runs all"
