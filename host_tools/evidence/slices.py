"""What a slice of a proof has come to, and how the figures of slices are put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

MOST, LEAST = "worst_", "least_"  # how figures of this name are put together; others are added up

Figures = dict[str, Any]


@dataclass(frozen=True)
class Slice:
    """The figures of a slice, and what speaks against the proof."""

    figures: Figures
    against: list[str]


def fold(total: Figures, more: Mapping[str, Any]) -> None:
    """Put the figures of a slice into those of the run."""
    for name, value in more.items():
        if name not in total:
            total[name] = value
        elif isinstance(value, dict):
            fold(cast(Figures, total[name]), cast(Figures, value))
        elif isinstance(value, list):
            total[name] = [*total[name], *cast(list[Any], value)]
        elif isinstance(value, str):
            total[name] = value
        elif name.startswith(MOST):
            total[name] = max(total[name], value)
        elif name.startswith(LEAST):
            total[name] = min(total[name], value)
        else:
            total[name] += value
