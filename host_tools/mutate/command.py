"""Hunts mutants of the code: `dovetail rules --mutants --all`, and this module by itself."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from host_tools.arguments import Parser, whole_number
from host_tools.build.tell import BuildError, say, stop
from host_tools.mutate import areas
from host_tools.mutate.change import Mutant
from host_tools.mutate.explained import ALIVE
from host_tools.mutate.hunt import (
    STATE,
    Hunt,
    Make,
    Reach,
    Verdicts,
    keep,
    kept,
    key,
    of_code,
    reach,
    recorded,
)

RECORD = Path(__file__).with_name("found_by.json")  # which test has found which mutant
NO_REASON = "NO REASON IS KNOWN: it wants a test"
PURPOSE = "Change the machine's code, one place after another, and see that the tests notice."
EXAMPLES = (
    "python -m host_tools.mutate                    all mutants of seed 1; goes on where it was",
    "python -m host_tools.mutate --part 4           four of them, drawn",
    "python -m host_tools.mutate --file firmware/dovetail/stations/shoe.py --count 40",
)


@dataclass(frozen=True)
class Result:
    """What a hunt has come to."""

    total: int
    left: tuple[str, ...]  # found by no test
    seconds: float

    @property
    def unexplained(self) -> list[str]:
        """Return the survivors without a reason."""
        return [name for name in self.left if name not in ALIVE]


def parser() -> Parser:
    """Return the options."""
    p = Parser("mutate", PURPOSE, EXAMPLES)
    p.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the mutants")
    p.add_argument("--part", type=whole_number(1), metavar="N", help="so many, drawn by --draw")
    p.add_argument("--draw", default="0", metavar="WORD", help="what the part is drawn by")
    p.add_argument("--slice", metavar="I/N", help="every N-th, from the I-th")
    p.add_argument("--file", action="append", metavar="PATH", help="of this file, not of all")
    p.add_argument("--count", type=whole_number(1), default=40, help="mutants of --file")
    p.add_argument("--only", metavar="TEXT", help="those with this in their name")
    p.add_argument("--workers", type=whole_number(1), default=1, metavar="N", help="at a time")
    p.add_argument("--old-map", action="store_true", help="take a map of other code, if there")
    p.add_argument("--hasty", action="store_true", help="leave out what is slow of the tests")
    p.add_argument("--record", action="store_true", help=f"write {RECORD.name} anew")
    p.add_argument("--json", action="store_true", help="print the result as JSON")
    return p


def hunt(
    chosen: Sequence[Mutant],
    known: Reach,
    make: Make,
    workers: int = 1,
    tell: bool = True,
    path: Path = STATE,
    hasty: bool = False,
) -> Result:
    """Hunt these mutants, those with a verdict on this very code excepted."""
    began = time.monotonic()
    now, state = key(), kept(path)
    done: Verdicts = state.get("verdicts", {}) if state.get("key") == now else {}
    hints: Verdicts = kept(RECORD) | state.get("hints", {}) | state.get("verdicts", {})
    hints = {name: test for name, test in hints.items() if test}
    one = Hunt(known, make, hints, workers, hasty, done)
    waiting = [mutant for mutant in chosen if mutant.name not in done]
    for n, (mutant, test) in enumerate(one.run(waiting), 1):
        keep(path, {"key": now, "verdicts": one.found, "hints": hints})
        if tell:
            verdict = f"found by {test}" if test else "NOT FOUND"
            print(f"{n}/{len(waiting)} line {mutant.line} {mutant.name}\n    {verdict}", flush=True)
    left = tuple(mutant.name for mutant in chosen if not one.found[mutant.name])
    return Result(len(chosen), left, time.monotonic() - began)


def part(count: int, word: str, seed: int) -> list[Mutant]:
    """Return some mutants of which the record says how they are found, drawn by a word."""
    known = kept(RECORD)
    there = [mutant for mutant in areas.drawn(seed) if known.get(mutant.name)]
    return Random(f"mutants {word}").sample(there, min(count, len(there)))


def hunt_code(seed: int, count: int | None, workers: int) -> Result:
    """Hunt all mutants of the code, or so many of those that a test is known to find."""
    chosen = part(count, str(seed), seed) if count else areas.drawn(seed)
    known = recorded() if count else reach()
    found = hunt(chosen, known, of_code(seed), workers)
    tell_result(found)
    return found


def leave(number: int, frame: object) -> None:
    """End as after a mistake, so that the children are ended too."""
    del number, frame
    sys.exit(1)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 when every mutant is found or explained."""
    signal.signal(signal.SIGTERM, leave)
    try:
        args = parser().parse_args(argv)
        if args.part:  # their tests are known, so nothing needs a map
            chosen = part(args.part, args.draw, args.seed)
            known = recorded()
        else:
            named = areas.of_files(args.file, args.count, args.seed) if args.file else None
            chosen = named or areas.drawn(args.seed)
            known = reach(args.old_map)
        if args.only:
            chosen = [mutant for mutant in chosen if args.only in mutant.name]
        if args.slice:
            first, of = map(int, args.slice.split("/"))
            chosen = chosen[first::of]
        word = args.slice.replace("/", "_of_") if args.slice else f"{args.part or ''}"
        path = STATE.with_stem(f"{STATE.stem}{word}")
        make = of_code(args.seed)
        found = hunt(chosen, known, make, args.workers, not args.json, path, args.hasty)
    except BuildError as error:
        stop(error)
    if args.record:
        write_record()
    if args.json:
        print(json.dumps({"total": found.total, "left": found.left}))
    else:
        tell_result(found)
    return 1 if found.unexplained else 0


def tell_result(found: Result) -> None:
    """Print the survivors, each with its reason, and how many were found."""
    for name in found.left:
        print(f"  not found  {name}\n             {ALIVE.get(name, NO_REASON)}")
    share = found.total - len(found.left)
    say(f"  code       {share} of {found.total} found, {found.seconds:.0f} s")


def write_record() -> None:
    """Write which test has found which mutant, for the part that is drawn in `make test`."""
    state = kept(STATE)
    verdicts: Verdicts = state["hints"] | state["verdicts"]
    keep(RECORD, {name: test for name, test in verdicts.items() if test})


if __name__ == "__main__":
    sys.exit(main())
