"""The `dovetail faults` command: what can be planted in the simulated machine."""

from __future__ import annotations

from collections.abc import Sequence

from host_tools.arguments import Parser
from sim.faults import written
from sim.plants.catalogue import NAMES, SIZES

PURPOSE = "List the faults that can be planted in the simulated machine."
EXAMPLES = (
    "dovetail play --fault path.jam=20             the 20th card jams on its way to the wheel",
    "dovetail play --fault path.jam_at=entry:17    the 17th sticks at the entry beam",
    "dovetail play --fault deal.overlap@5000=17    a size: the next card comes 5 mm behind",
    "dovetail play --fault infeed.double_feed=0.02 one pick in fifty takes two cards",
)


def main(argv: Sequence[str] | None = None) -> int:
    """One line a fault."""
    Parser("faults", PURPOSE, EXAMPLES).parse_args(argv)
    for name, what in NAMES.items():
        size = SIZES.get(name)
        measures = (
            f"; {name}@{size.least} to @{size.most} {size.unit}, else {size.usual}" if size else ""
        )
        print(f"{written(name):<20} {what}{measures}")
    return 0
