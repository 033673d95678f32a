"""The `dovetail faults` command: what can be planted in the simulated machine."""

from __future__ import annotations

from collections.abc import Sequence

from host_tools.arguments import Parser
from sim.parts import Faults

PURPOSE = "List the faults that can be planted in the simulated machine."
EXAMPLES = ("dovetail play --fault path.jam=20    the 20th card jams on its way to the wheel",)


def main(argv: Sequence[str] | None = None) -> int:
    """One line a fault."""
    Parser("faults", PURPOSE, EXAMPLES).parse_args(argv)
    for name, what in Faults.NAMES.items():
        print(f"{name:<20} {what}")
    return 0
