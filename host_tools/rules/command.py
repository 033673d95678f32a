"""The `dovetail rules` command."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from host_tools.arguments import Parser, whole_number
from host_tools.build.tell import BuildError, stop
from host_tools.mutate.command import NO_REASON, hunt_code
from host_tools.rules.bounds import COMPLETE
from host_tools.rules.explained import HARMLESS
from host_tools.rules.explore import explore
from host_tools.rules.graph import graph
from host_tools.rules.mutants import found_by_its_test, hunt
from host_tools.rules.texts.shown import tell_texts

MOST_ALIVE = 3  # per cent of all mutants, each with its reason
PURPOSE = "Explore, prove and draw the rules of the table."
EXAMPLES = (
    "dovetail rules                        explore every bound, each rule a property",
    "dovetail rules --mutants              redirect each transition, and see it found",
    "dovetail rules --mutants --all        and change the code, one place after another",
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
    p.add_argument("--all", action="store_true", help="mutants of the code as well")
    p.add_argument("--part", type=whole_number(1), metavar="N", help="so many of each, drawn")
    p.add_argument("--workers", type=whole_number(1), default=2, metavar="N", help="processes")
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
        try:
            return try_mutants(args.seed, args.part, args.workers, args.all)
        except BuildError as error:
            stop(error)
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


def try_mutants(seed: int, part: int | None, workers: int, code: bool) -> int:
    """Hunt mutants of the tables, and of the code; 0 when all are found or explained."""
    began = time.monotonic()
    total, left = hunt(seed, workers, part)
    alive = [what for what in left if not found_by_its_test(what, seed)]
    for what in alive:
        print(f"  not found  {what}\n             {HARMLESS.get(what, NO_REASON)}")
    seconds = time.monotonic() - began
    print(f"  tables     {total - len(alive)} of {total} found, {seconds:.0f} s", flush=True)
    unexplained = [what for what in alive if what not in HARMLESS]
    if code:
        found = hunt_code(seed, part, workers)
        total, alive = total + found.total, [*alive, *found.left]
        unexplained += found.unexplained
        seconds = time.monotonic() - began
        print(f"  mutants    {total - len(alive)} of {total} found, {seconds:.0f} s")
    return 1 if unexplained or len(alive) * 100 > MOST_ALIVE * total else 0


if __name__ == "__main__":
    sys.exit(main())
