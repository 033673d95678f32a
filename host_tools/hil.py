"""The `dovetail hil` command: the scenarios of hil_tests/ against a board on a serial port."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from serial.tools.list_ports import comports

from hil_tests.catalogue import SCENARIOS
from hil_tests.scenario import NEEDS, Scenario, lacking, perform
from host_tools import rigs
from host_tools.arguments import Parser, one_of
from host_tools.build.tell import BuildError, UsageError, stop
from host_tools.hands import DEALERS, Dealer, at_port
from host_tools.link.errors import Faulted, LinkError, Refused

PURPOSE = "Run the scenarios against a board on a serial port, or an emulated one on its pty."
EXAMPLES = (
    "dovetail hil --list                                 what there is, and what it needs",
    "dovetail hil --port /dev/ttyUSB0                    with you as the dealer, asked here",
    "dovetail emulate --decks 2                          afresh in one terminal; in another:",
    "dovetail hil --port <its link> --dealer auto        its dealer works unasked",
)


def parser() -> Parser:
    """The options of the command."""
    p = Parser("hil", PURPOSE, EXAMPLES)
    p.add_argument("--port", help="serial port, or the path that dovetail emulate prints")
    p.add_argument("--keys", type=Path, metavar="FILE", help="its key file; see dovetail keys")
    p.add_argument("--dealer", default="person", help="person, asked here, or auto, unasked")
    p.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="this scenario alone; may be repeated",
    )
    p.add_argument("--list", action="store_true", help="list the scenarios, run none")
    return p


def show_list() -> None:
    """Every scenario with its needs."""
    for one in SCENARIOS.values():
        print(f"{one.name}\n    {one.says}")
        if one.needs:
            print(f"    needs: {'; '.join(NEEDS[need] for need in one.needs)}")


def place_of(error: BaseException) -> str:
    """The line of the scenario, and what stands there, that raised an error."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "hil_tests" in f.filename]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}: {frames[-1].line}"


async def run_all(rig: rigs.Rig, chosen: Sequence[Scenario]) -> int:
    """One after the other on the same line; how many failed."""
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for one in chosen:
        started = time.monotonic()
        missing = lacking(one, rig)
        result, why = "passed", ""
        if missing:
            result, why = "skipped", f"needs {missing}"
        else:
            print(f"running  {one.name}: {one.says}", flush=True)
            try:
                await perform(one, rig)
            except (AssertionError, Faulted, Refused, LinkError) as error:
                result, why = "failed", f"{error} ({place_of(error)})".strip()
        count[result] += 1
        took = "" if missing else f" in {time.monotonic() - started:.1f} s"
        print(f"{result:<8} {one.name}{took}{': ' if why else ''}{why}", flush=True)
    print(", ".join(f"{number} {result}" for result, number in count.items()))
    if count["passed"] + count["failed"] == 0:
        print("nothing was run", file=sys.stderr)
        return 1
    return count["failed"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run them; 0 when none failed."""
    try:
        args = parser().parse_args(argv)
        if args.list:
            show_list()
            return 0
        chosen = [SCENARIOS[one_of("scenario", name, SCENARIOS)] for name in args.only]
        dealer: Dealer | None
        dealer, hands = at_port(one_of("dealer", args.dealer, DEALERS))
        if not args.port:
            there = ", ".join(sorted(port.device for port in comports())) or "none"
            raise UsageError(f"hil: which port? --port PORT; serial ports here: {there}")
        if args.dealer == "person" and not sys.stdin.isatty():
            dealer = hands = None  # nobody there to be asked
        wanted = rigs.Wanted(  # scenarios are work for the bench by nature
            port=args.port, keys=args.keys, bench=True, dealer=dealer, hands=hands
        )
        scenarios = chosen or list(SCENARIOS.values())
        return 1 if rigs.real(wanted, lambda rig: run_all(rig, scenarios)) else 0
    except BuildError as error:
        stop(error)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
