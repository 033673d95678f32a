"""The `dovetail certify` command."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import AbstractContextManager
from errno import EDQUOT, EIO, ENOSPC
from pathlib import Path

from rich.console import Console

from host_tools.arguments import Parser, one_of, whole_number
from host_tools.build.tell import BuildError, UsageError, stop
from host_tools.certify import report, speed
from host_tools.certify.bad_shufflers import PLANTS
from host_tools.certify.judge import LEVELS, Finding, passes
from host_tools.certify.plan import Plan, fingerprint, write
from host_tools.certify.report import p_text
from host_tools.certify.results import Results, results, word
from host_tools.certify.run import begin, label, only_one, work_off
from host_tools.certify.work import Workers, cluster, here

PURPOSE = """Test the randomness of what is dealt: decks from the device's own code, and orders that
the whole simulated machine delivered. Writes plan.json before the first deck, then results.json
and report.html, and ends in PASS or FAIL."""
EXAMPLES = (
    "dovetail certify --decks 1000000 --cards 52 --out build/certify",
    "dovetail certify --delivered 2000             and 2,000 orders of the whole machine",
    "dovetail certify --cards 54 --delivered 2000  the same with two jokers",
    "dovetail certify --plant shelf10              must end in FAIL: a ten-shelf machine",
    "dovetail certify --decks 1000000 --resume     go on where a run was stopped",
)
MOST = 10**9  # decks of a source: more than a life takes
MOST_WORKERS = 1024
STOPPED = 130
FULL = (ENOSPC, EDQUOT, EIO)  # told for every command


def parser() -> Parser:
    """The options of the command."""
    p = Parser("certify", PURPOSE, EXAMPLES)
    p.add_argument(
        "--decks",
        type=whole_number(1000, MOST),
        default=100_000,
        metavar="N",
        help="decks of the device's code",
    )
    p.add_argument(
        "--cards", type=whole_number(52, 54), default=52, metavar="N", help="52, 53 or 54 a deck"
    )
    p.add_argument(
        "--delivered",
        type=whole_number(0, MOST),
        default=0,
        metavar="N",
        help="orders of the whole machine, 100 or more",
    )
    p.add_argument(
        "--continuous",
        type=whole_number(0, MOST),
        default=0,
        metavar="N",
        help="decks of continuous play, 100 or more: each card drawn is uniform over those inside",
    )
    p.add_argument("--plant", metavar="NAME", help=f"in place of the device: {', '.join(PLANTS)}")
    p.add_argument(
        "--beside",
        type=whole_number(1000, MOST),
        default=2000,
        metavar="N",
        help="decks of each plant, shown beside",
    )
    p.add_argument(
        "--confidence",
        type=int,
        choices=LEVELS,
        default=99,
        metavar="95|99",
        help="that decides, in %%",
    )
    p.add_argument("--seed", type=whole_number(0), default=1, metavar="N", help="seed of the run")
    p.add_argument(
        "--out", type=Path, default=Path("build/certify"), metavar="DIR", help="where to write"
    )
    cores = os.cpu_count() or 1
    p.add_argument(
        "--workers",
        type=whole_number(1, MOST_WORKERS),
        default=cores,
        metavar="K",
        help="processes",
    )
    p.add_argument(
        "--scheduler",
        metavar="URL",
        help="a Dask scheduler, tcp://host:port, in place of processes",
    )
    p.add_argument("--resume", action="store_true", help="go on with the stopped run in DIR")
    return p


def planned(args: Namespace) -> Plan:
    """The plan that the options ask for; raises UsageError."""
    if args.plant is not None:
        one_of("plant", args.plant, PLANTS)
    if 0 < args.delivered < 100:
        raise UsageError(f"--delivered {args.delivered}: the tests need 100 or more, or 0 for none")
    if 0 < args.continuous < 100:
        raise UsageError(
            f"--continuous {args.continuous}: the tests need 100 or more, or 0 for none"
        )
    return Plan(
        decks=args.decks,
        cards=args.cards,
        delivered=args.delivered,
        beside=args.beside,
        plant=args.plant or "",
        seed=args.seed,
        confidence=args.confidence,
        code=fingerprint(bool(args.delivered)),
        continuous=args.continuous,
    )


def engaged(args: Namespace) -> AbstractContextManager[Workers]:
    """Who does the work."""
    return cluster(args.scheduler) if args.scheduler is not None else here(args.workers)


def certify(args: Namespace, console: Console) -> Results:
    """Do the run and write everything down."""
    plan = planned(args)
    folder: Path = args.out
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--out {folder}: {error.strerror}") from None
    with only_one(folder):
        with engaged(args) as workers:
            state = begin(folder, plan, args.resume)
            rates = speed.measure(plan.cards)
            work_off(state, workers, console)
        found = results(plan, state.totals)
        write(folder / "results.json", found.as_json())
        write(folder / "speed.json", rates)
        report.write(folder / "report.html", found, state.totals, rates)
        state.path.unlink()
    for line in lines(found, rates, folder):
        console.print(line, highlight=False)
    return found


def _worst(tests: Sequence[Finding]) -> str:
    test = min(tests, key=lambda test: test.p)
    return f"smallest p {p_text(test.p)} ({test.name} {test.kind}), corrected {p_text(test.holm)}"


def lines(found: Results, rates: dict[str, float], folder: Path) -> list[str]:
    """The result in short; the last line is the verdict."""
    plan = found.plan
    told: list[str] = []
    for source in plan.judged:
        tests = [test for test in found.tests if test.source == source]
        what = f"{tests[0].n} decks of {plan.cards}, {len(tests)} tests"
        told.append(f"{label(source):<14} {what}, {_worst(tests)}")
    level = plan.confidence
    beside = ", ".join(
        f"{label(name)} {word(passes(tests, level))}" for name, tests in found.beside.items()
    )
    told.append(f"{'beside':<14} {beside}")
    told.append(
        f"{'speed':<14} {rates['device_decks_s']:.0f} decks/s a core, "
        f"{rates['ratio']:.1f} × random.SystemRandom().shuffle"
    )
    told.append(f"{'report':<14} {folder / 'report.html'}")
    told.append(f"{'at 95 %':<14} {word(found.good(95))}")
    told.append(f"{'at 99 %':<14} {word(found.good(99))}")
    if unseen := found.unseen(level):
        told.append(
            f"{'not seen':<14} {', '.join(unseen)}: give the plants more decks with --beside"
        )
    return [*told, word(found.passed)]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 for PASS, 1 for FAIL."""
    args = parser().parse_args(argv)
    try:
        return 0 if certify(args, Console(soft_wrap=True)).passed else 1
    except BuildError as error:
        stop(error)
    except OSError as error:
        if error.errno in FULL or error.filename is None:
            raise
        stop(UsageError(f"--out {args.out}: {error.filename}: {error.strerror}"))
    except KeyboardInterrupt:
        print("stopped; go on with --resume", file=sys.stderr)
        return STOPPED


if __name__ == "__main__":
    sys.exit(main())
