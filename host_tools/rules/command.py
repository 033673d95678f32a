"""The `dovetail rules` command."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from host_tools.arguments import Parser
from host_tools.build.tell import BuildError, stop
from host_tools.rules.bounds import COMPLETE
from host_tools.rules.explore import explore
from host_tools.rules.graph import graph
from host_tools.rules.mutants import hunt
from host_tools.rules.texts.shown import tell_texts

PURPOSE = "Explore, prove and draw the rules of the table."
EXAMPLES = (
    "dovetail rules                        explore every bound, each rule a property",
    "dovetail rules --mutants              redirect each transition, and see it found",
    "dovetail rules --graph > rules.dot    the transitions, for Graphviz",
    "dovetail rules --texts                what the texts ask, row by row, and who does it",
    "dovetail rules --texts let_it_ride    the rows of one chapter",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 when every rule holds."""
    p = Parser("rules", PURPOSE, EXAMPLES)
    p.add_argument("--graph", action="store_true", help="print the transitions in Graphviz's words")
    p.add_argument("--mutants", action="store_true", help="try mutants of the table")
    p.add_argument(
        "--texts", nargs="?", const="", metavar="GAME", help="print the rows of the texts"
    )
    p.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the mutants")
    try:
        args = p.parse_args(argv)
        if args.texts is not None:
            return tell_texts(args.texts)
    except BuildError as error:
        stop(error)
    if args.graph:
        print(graph())
        return 0
    began = time.monotonic()
    if args.mutants:
        total, left = hunt(args.seed)
        for what in left:
            print(f"  not found  {what}")
        print(
            f"  mutants    {total - len(left)} of {total} found, {time.monotonic() - began:.0f} s"
        )
        return 0 if len(left) * 20 <= total else 1
    good = True
    with ProcessPoolExecutor(2) as pool:
        for found in pool.map(explore, COMPLETE):
            good = good and not found.broken
            print(
                f"  {found.bound.name:<22} {found.states:>8} states, {found.steps:>9} steps",
                flush=True,
            )
            if found.broken:
                print(f"    broken: {found.broken}")
    print(
        f"  result     {'every rule holds' if good else 'broken'}, {time.monotonic() - began:.0f} s"
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
