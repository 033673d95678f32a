"""A run from its plan to its totals, with progress, stopped and resumed at will."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from host_tools.build.tell import UsageError
from host_tools.certify.judge import LEVELS
from host_tools.certify.nulls import NULLS
from host_tools.certify.plan import CONTINUOUS, DELIVERED, DEVICE, Plan, write
from host_tools.certify.state import NAME, State
from host_tools.certify.work import Done, Workers

SAVE_S = 0.5
LABELS = {DEVICE: "device's code", DELIVERED: "delivered", CONTINUOUS: "continuous"}
BESIDE = "beside"
RESULTS = ("results.json", "speed.json", "report.html")


def label(source: str) -> str:
    """What a source is called."""
    return LABELS.get(source, source)


@contextmanager
def only_one(folder: Path) -> Generator[None]:
    """One run at a time in a folder."""
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(f"another run is at work in {folder}") from None
        yield


def begin(folder: Path, plan: Plan, resume: bool) -> State:
    """The state to go on from; the plan is written before the first deck."""
    state = State(folder, plan)
    if resume:
        state.load()
        return state
    if state.path.exists():
        raise UsageError(
            f"{folder} holds a run that has not ended: go on with --resume, or remove {NAME}"
        )
    for name in RESULTS:  # of a run before this one: what they say is not of this plan
        (folder / name).unlink(missing_ok=True)
    write(
        folder / "plan.json",
        {"written": datetime.now(UTC).isoformat(timespec="seconds"), **as_told(plan)},
    )
    state.save()
    return state


def as_told(plan: Plan) -> dict[str, object]:
    """The plan, and which tests will be made."""
    names = [f"{name} {kind}" for name in NULLS for kind in ("mean", "shape")]
    return {
        "plan": plan.as_json(),
        "judged": plan.judged,
        "beside": plan.shown_beside,
        "tests_of_each": ["position_card table", *names, "serial_correlation mean"],
        "correction": "Holm, over all tests of all judged sources; p-values of both tails",
        "confidence_levels": list(LEVELS),
    }


class Watch:
    """The bars on the terminal."""

    def __init__(self, console: Console, state: State) -> None:
        self.plan = state.plan
        self.progress = Progress(
            TextColumn("{task.description:<14}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=console,
        )
        self._tasks: dict[str, TaskID] = {}
        for source, amount in self.plan.amounts.items():
            row = self._row(source)
            if row not in self._tasks:
                self._tasks[row] = self.progress.add_task(label(row), total=0)
            task = self.progress.tasks[self._tasks[row]]
            self.progress.update(
                task.id,
                total=(task.total or 0) + amount,
                completed=task.completed + state.decks(source),
            )

    def _row(self, source: str) -> str:
        return source if source in self.plan.judged else BESIDE

    def took(self, done: Done) -> None:
        """A piece more."""
        self.progress.update(self._tasks[self._row(done.unit.source)], advance=done.unit.count)


def work_off(state: State, workers: Workers, console: Console) -> None:
    """Do all that is not done; whatever happens, what is done is kept."""
    plan = state.plan
    watch = Watch(console, state)
    saved = time.monotonic()
    try:
        with watch.progress:
            for done in workers.each(unit for unit in plan.units() if not state.has(unit)):
                check_code(plan, done)
                state.take(done.unit, done.tally)
                watch.took(done)
                if time.monotonic() - saved >= SAVE_S:
                    state.save()
                    saved = time.monotonic()
    finally:
        state.save()


def check_code(plan: Plan, done: Done) -> None:
    """A worker elsewhere may have another version."""
    for name, digest in done.code.items():
        if plan.code.get(name) != digest:
            raise UsageError(f"a worker has another version of {name} than the plan")
