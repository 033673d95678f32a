"""`dovetail campaign`: faults by chance, on all cores, judged by the machine's own truth."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from host_tools.arguments import Parser, one_of, whole_number
from host_tools.build.tell import BUILD, ROOT, BuildError, UsageError, stop
from host_tools.campaign.draw import CLEARING, TRY, Session
from host_tools.campaign.met import REPORT_MS
from host_tools.campaign.run import EACH, THIN, Results, campaign, failing, shrink, small
from host_tools.campaign.scenario import read
from host_tools.campaign.sessions import play
from host_tools.campaign.whole import DEPTHS

PURPOSE = "Plant faults drawn by chance in the in-process machine, and judge what it does."
EXAMPLES = (
    "dovetail campaign --faults 1000 --seed 1          a thousand faults, on all cores",
    "dovetail campaign --faults 100000 --seed 1 --json the results as JSON, progress on stderr",
    "dovetail campaign --replay build/campaign/1.json  a failing case once more",
    "dovetail campaign --shrink build/campaign/1.json  the same as small as it goes: 1.small.json",
)
CASES = BUILD / "campaign"
MOST = 64  # processes
KEPT = 5  # failing cases that are made small: each takes two to seven times as long as it did
NAMED, RECOVERED = 0.999, 0.95
MOST_SEED = 2**64 - 1  # of which each session makes one of its own


def parser() -> Parser:
    """The options of the command."""
    p = Parser("campaign", PURPOSE, EXAMPLES)
    p.add_argument("--faults", type=whole_number(1), default=1000, metavar="N", help="how many")
    p.add_argument(
        "--first",
        type=whole_number(0),
        default=0,
        metavar="N",
        help=f"a part of them: begin with this one, a multiple of {EACH}",
    )
    p.add_argument("--most", type=whole_number(1), metavar="N", help="and play so many")
    p.add_argument(
        "--seed", type=whole_number(0, MOST_SEED), default=1, metavar="S", help="of what is drawn"
    )
    p.add_argument(
        "--cores", type=whole_number(1, MOST), metavar="N", help="processes; all cores else"
    )
    p.add_argument("--depth", default="in-process", help="in-process, or emulated: slow, so a few")
    p.add_argument("--json", action="store_true", help="print the results as JSON")
    one = p.add_mutually_exclusive_group()
    one.add_argument(
        "--replay",
        type=Path,
        metavar="FILE",
        help=f"play a scenario file: every failing session is one, the first {KEPT} made small",
    )
    one.add_argument(
        "--shrink",
        type=Path,
        metavar="FILE",
        help="make a failing scenario file as small as it goes; the smaller one lies beside it",
    )
    return p


class Progress:
    """A line on stderr, now and then; and what is against the machine, as soon as it is known."""

    def __init__(self, total: int) -> None:
        self.total, self.shown, self.started = total, 0.0, time.monotonic()

    def __call__(self, done: int, against: Sequence[str] = ()) -> None:
        for line in against:
            print(f"\n{line}", file=sys.stderr, flush=True)
        now = time.monotonic()
        if now - self.shown < 2 and done < self.total:
            return
        self.shown = now
        left = (now - self.started) * (self.total - done) / max(done, 1)
        end = "\n" if done >= self.total else ""
        text = f"\rcampaign: {done} of {self.total}, {left / 60:.0f} minutes left  "
        print(text, end=end, file=sys.stderr, flush=True)


def tell(results: Results) -> list[str]:
    """For people."""
    said: dict[str, Any] = results.as_json()
    lines = [f"{said['met']} faults met, seed {results.seed}"]
    for name in ("handed over", "recovered", "harmless", "dormant", "missed", "broken"):
        lines.append(f"  {name:<18} {results.outcomes[name]}")
    lines.append(f"  named rightly      {said['named_rightly']:.4%} (at least {NAMED:.1%})")
    for name in ("station", "number", "card"):
        lines.append(f"    wrong {name:<12} {results.wrong[name]}")
    lines.append(f"  recovered alone    {said['recovered_share']:.2%} of {said['clearable']}")
    share, of = said["recovered_share_nested"], said["clearable_nested"]
    lines.append(f"    with nested ones {share:.2%} of {of}")
    tried, cleared = (results.within[when] for when in (TRY, CLEARING))
    lines.append(f"  struck in a try    {tried}, in a clearing {cleared}")
    worst = said["worst_report_ms"]
    told = "not measured at the pins" if worst is None else f"{worst} ms (under {REPORT_MS})"
    lines.append(f"  worst time to tell {told}")
    if worst is not None:
        lines.append(f"    {said['worst_report']}")
    lines.append(f"  violations         {results.violations}")
    lines.extend(f"    {line}" for line in (said["said"] + said["misnamed"])[:KEPT])
    lines.extend(f"  NOT MET            {line}" for line in unmet(results))
    return lines


def keep(results: Results, cores: int, depth: str) -> list[Path]:
    """Every failing session as a file; then the first ones as small as they go."""
    CASES.mkdir(parents=True, exist_ok=True)
    paths = [write(case) for case in results.cases]
    for case in small(results.cases[:KEPT], cores, depth):
        write(case)
    return paths


def write(case: Session, path: Path | None = None) -> Path:
    """A scenario file."""
    path = path or CASES / f"{case.seed}.json"
    path.write_text(json.dumps(case.as_json(), indent=1) + "\n", encoding="utf-8")
    return path


def scenario(option: str, path: Path) -> Session:
    """What stands in the file; raises UsageError with the option and the file."""
    try:
        return Session.of(read(path))
    except UsageError as error:
        way = "" if path.is_file() else f"; failing cases are in {CASES.relative_to(ROOT)}"
        raise UsageError(f"{option} {path}: {error}{way}") from error


def smaller(path: Path, depth: str) -> int:
    """The smallest session that fails in the same way, beside this file; 1 if it does not fail."""
    case = scenario("--shrink", path)
    if not failing(case, depth):
        print(f"{path}: nothing is wrong in it")
        return 1
    small_path = path.with_name(f"{path.stem}.small.json")
    try:
        write(shrink(case, depth), small_path)
    except OSError as error:
        raise UsageError(f"--shrink {path}: {small_path}: {error.strerror}") from error
    print(small_path)
    return 0


def replay(path: Path, depth: str) -> int:
    """One scenario file at this depth; 0 when nothing is wrong in it any more."""
    wrong = 0
    for met in play(scenario("--replay", path), depth):
        struck = ", ".join(met.struck) or met.trouble.switch or "nothing"
        fault = f": fault {met.fault} at {met.station}, card {met.card}" if met.fault else ""
        print(f"{struck}: {met.outcome}{fault}")
        misnamed = [f"misnamed: the {met.misnamed} is not right"] if met.misnamed else []
        for line in met.against + misnamed:
            print(f"  wrong: {line}")
            wrong += 1
    return 1 if wrong else 0


def unmet(results: Results) -> list[str]:
    """What a campaign must show, and this one did not."""
    said = results.as_json()
    lines: list[str] = []
    if results.violations:
        lines.append(f"violations: {results.violations}, none is allowed")
    if said["named_rightly"] < NAMED:
        lines.append(f"named rightly: {said['named_rightly']:.4%}, at least {NAMED:.1%}")
    if said["recovered_share"] < RECOVERED:
        share, most = said["recovered_share"], f"at least {RECOVERED:.0%} of {said['clearable']}"
        lines.append(f"recovered alone: {share:.2%}, {most}; handed over:")
        lines.extend(f"  {line}" for line in results.gave_up[:KEPT])
    if (results.latest or (0, ""))[0] >= REPORT_MS:
        lines.append(f"worst time to tell: {said['worst_report_ms']} ms, under {REPORT_MS}")
    return lines


def main(argv: Sequence[str] | None = None) -> int:
    """0 when all that must hold has held."""
    try:
        args = parser().parse_args(argv)
        depth = one_of("depth", args.depth, DEPTHS)
        if args.replay:
            return replay(args.replay, depth)
        if args.shrink:
            return smaller(args.shrink, depth)
        cores = args.cores or os.cpu_count() or 1
        each = EACH if depth == "in-process" else THIN
        if args.first % each or args.first >= args.faults or (args.most or each) % each:
            raise UsageError(
                f"--first {args.first}, --most {args.most}: a part of {args.faults} faults begins "
                f"below that and is cut at multiples of {each}, for so many share a machine"
            )
        part = min(args.most or args.faults, args.faults - args.first)
        results = campaign(
            args.faults, args.seed, cores, Progress(part), depth, args.first, args.most
        )
        paths = keep(results, cores, depth)
        said = {**results.as_json(), "cases": [str(path) for path in paths]}
        said["not_met"] = unmet(results)
        said["good"] = not said["not_met"]
        if args.json:
            print(json.dumps(said, indent=1))
        else:
            print("\n".join(tell(results)))
            for path in paths[:KEPT]:
                at = "" if depth == "in-process" else f" --depth {depth}"
                print(f"  replay             dovetail campaign --replay {path}{at}")
            if len(paths) > KEPT:
                print(f"  as they were       {len(paths) - KEPT} more failing sessions in {CASES}")
        return 0 if said["good"] else 1
    except BuildError as error:
        stop(error)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
