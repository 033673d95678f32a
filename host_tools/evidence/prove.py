"""`dovetail prove`: long proofs in slices, resumable, with records in docs/evidence/.

The proof whose record is oldest comes first. A slice is a process of its own; slices are taken into
the record in their order, so that a run which is stopped, by whatever, goes on where it was.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from host_tools.arguments import Parser, one_of, whole_number
from host_tools.build.tell import BUILD, ROOT, BuildError, say, stop
from host_tools.evidence import page
from host_tools.evidence.drawn import ALL
from host_tools.evidence.proofs import BY_NAME, PROOFS, Proof
from host_tools.evidence.record import FOLDER, Record, Run, begin, load, now
from host_tools.evidence.slices import Slice, fold

PURPOSE = """Run the long proofs, those with the oldest records first, and write what came of them
to docs/evidence/. A run that is stopped goes on where it was, as long as the code is the same."""
EXAMPLES = (
    "dovetail prove --minutes 30            the proofs with the oldest records, for half an hour",
    "dovetail prove --only faults           one proof, to its end",
    "dovetail prove --list                  every proof, and what its record says",
)
LOOK_S = 0.2
LEAST_S = 20  # nothing is begun with less time left
OVER_S = 120  # so long a slice may go on when time is up
PARTS = 10  # of the time that is given: no proof takes more
REASONS = 20  # of what is against a proof, that a record keeps


def parser() -> Parser:
    """Return the options of the command."""
    p = Parser("prove", PURPOSE, EXAMPLES)
    p.add_argument("--minutes", type=whole_number(1), metavar="N", help="stop after so long")
    p.add_argument("--only", metavar="NAME", help="one proof")
    p.add_argument("--cores", type=whole_number(1), metavar="N", help="processes; all cores else")
    p.add_argument("--list", action="store_true", help="show them, and run nothing")
    p.add_argument("--slice", nargs=2, metavar=("NAME", "SLICE"), help="one slice, as JSON")
    return p


class Going:
    """A proof that is under way, with the slices that are out."""

    def __init__(self, proof: Proof, cores: int) -> None:
        self.proof, self.cores = proof, cores
        self.record: Record = load(proof.name, proof.claim)
        self.slices = proof.slices()
        self.folder = BUILD / "prove" / proof.name
        run, anew = self.record.under_way, self._anew()
        if run is None or not run.goes_on(anew) or (proof.stoppable and not self._kept()):
            run = anew
            shutil.rmtree(self.folder, ignore_errors=True)
        self.run: Run = run
        self.out: dict[int, tuple[subprocess.Popen[bytes], float]] = {}
        self.ready: dict[int, tuple[Slice, float]] = {}
        self.next = run.done
        self.worked = False

    def _anew(self) -> Run:
        """Return a run that begins now."""
        return begin(self.proof.command, self.proof.code(), self.slices, self.proof.seed)

    def _kept(self) -> bool:
        """Tell whether a command that was stopped has left its state."""
        return (self.folder / "state.json").is_file()

    def go_on(self, until: float | None) -> None:
        """Run slices until the proof is at its end, or time is up."""
        if self.proof.stoppable is not None:
            self._whole(until)
        else:
            try:
                self._slices(until)
            finally:
                for process, _ in self.out.values():
                    _end(process)
        if self.worked:
            self.save()

    def _whole(self, until: float | None) -> None:
        """Run a proof that is one command, as far as time allows."""
        assert self.proof.stoppable is not None
        began = time.monotonic()
        left = 1e9 if until is None else max(until - began, 1.0)
        done = self.proof.stoppable(left)
        self.worked = True
        self.run.seconds += (time.monotonic() - began) * self.cores
        if done is not None:
            self._take(done, 0.0)

    def _slices(self, until: float | None) -> None:
        """Keep every core at a slice; take them in their order."""
        while self.run.done < self.run.of:
            late = until is not None and time.monotonic() + max(self.run.longest_s, 1.0) > until
            while not late and len(self.out) < self.cores and self.next < self.run.of:
                self.out[self.next] = (self._start(self.slices[self.next]), time.monotonic())
                self.next += 1
            if not self.out:
                return
            if until is not None and time.monotonic() > until + OVER_S:
                return  # what is out is not done, and is begun again the next time
            time.sleep(LOOK_S)
            for n in [n for n, (process, _) in self.out.items() if process.poll() is not None]:
                process, began = self.out.pop(n)
                took_s = time.monotonic() - began
                self.run.longest_s = round(max(self.run.longest_s, took_s), 1)
                self.ready[n] = self._ended(self.slices[n], process), took_s
            before = self.run.done
            while self.run.done in self.ready:
                self._take(*self.ready.pop(self.run.done))
            if self.run.done > before:
                self.worked = True
                self.save()
                self._tell()

    def _said(self, name: str) -> Path:
        """Return where a slice prints to: a pipe that nobody reads would stop it."""
        return self.folder / f"{self.slices.index(name)}.log"

    def _command(self, name: str) -> list[str]:
        return [sys.executable, "-m", "host_tools.evidence.prove", "--slice", self.proof.name, name]

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._said(name).open("wb") as said:
            return subprocess.Popen(
                self._command(name),
                cwd=ROOT,
                env={**os.environ, "DRAW": ALL},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _ended(self, name: str, process: subprocess.Popen[bytes]) -> Slice:
        printed = self._said(name).read_text(encoding="utf-8", errors="replace")
        with suppress(ValueError, TypeError, IndexError):
            if not process.returncode:
                return Slice(**json.loads(printed.splitlines()[-1]))
        return Slice({}, [f"{name}: exit status {process.returncode}: {printed[-1500:]}"])

    def _take(self, slice_: Slice, took_s: float) -> None:
        """Put a slice into the run."""
        run = self.run
        fold(run.figures, slice_.figures)
        room = REASONS - len(run.against)
        run.against += slice_.against[: max(room, 0)]
        run.done += 1
        run.seconds += took_s
        if run.done == run.of:
            run.against += self.proof.judge(run.figures)

    def save(self) -> None:
        """Write the record: a run at its end takes the place of the last."""
        run = self.run
        run.when = now()
        run.seconds = round(run.seconds, 1)
        if run.done == run.of:
            self.record.last, self.record.under_way = run, None
        else:
            self.record.under_way = run
        self.record.save()

    def _tell(self) -> None:
        run = self.run
        against = f", {len(run.against)} against it" if run.against else ""
        say(f"prove: {self.proof.name}: {run.done} of {run.of} slices{against}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a slice with all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def in_turn(only: str | None) -> list[Proof]:
    """Return the proofs in the order in which they are due."""
    if only is not None:
        return [BY_NAME[one_of("proof", only, BY_NAME)]]
    return sorted(PROOFS, key=lambda proof: load(proof.name, proof.claim).touched)


def prove(minutes: int | None, only: str | None, cores: int) -> tuple[list[str], list[str]]:
    """Run what is due; return the proofs that were run, and those of them that do not hold.

    With little time each proof gets a part of it, so that the long ones let the others come.
    """
    until = None if minutes is None else time.monotonic() + 60 * minutes
    part_s = 60 * max((minutes or 0) / PARTS, 1)
    ran: list[str] = []
    failed: list[str] = []
    try:
        for proof in in_turn(only):
            now_s = time.monotonic()
            if until is not None and now_s + LEAST_S > until:
                break
            going = Going(proof, cores)
            say(f"prove: {proof.name}: {proof.claim}")
            alone = until is None or only is not None
            going.go_on(until if until is None or alone else min(until, now_s + part_s))
            if going.worked:
                ran.append(proof.name)
            say(page.line(proof, going.record))
            if going.run.against:
                failed.append(proof.name)
                for line in going.run.against:
                    say(f"  against it: {line}")
    finally:
        page.write(FOLDER / "README.md")
    return ran, failed


def main(argv: Sequence[str] | None = None) -> int:
    """0 when nothing is against any proof that was run."""
    try:
        args = parser().parse_args(argv)
        if args.slice:
            name, slice_ = args.slice
            print(json.dumps(asdict(BY_NAME[one_of("proof", name, BY_NAME)].run(slice_))))
            return 0
        if args.list:
            for proof in PROOFS if args.only is None else in_turn(args.only):
                say(page.line(proof, load(proof.name, proof.claim)))
            return 0
        ran, failed = prove(args.minutes, args.only, args.cores or os.cpu_count() or 1)
        if not ran:
            say("prove: nothing was run: no slice goes into so little time")
            return 1
        say(f"prove: {len(ran)} proofs were run: {', '.join(ran)}")
        say(f"prove: not held: {', '.join(failed)}" if failed else "prove: nothing is against them")
        return 1 if failed else 0
    except BuildError as error:
        stop(error)
    except KeyboardInterrupt:
        print("stopped; what is done stands in docs/evidence", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
