"""Tests in a process that is forked from this one, which has imported what takes long.

The child plants a mutant, runs the tests that it is given in their order, and ends with the first
that fails. A test that uses far more of the processor than it does unchanged is ended: it hangs.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

import coverage
import pytest

from host_tools.build.tell import BUILD, ROOT
from host_tools.evidence import hang
from host_tools.mutate import areas
from host_tools.mutate.planted import plant

WORK = BUILD / "mutate"
LOG = WORK / "tests.log"  # of the last process
# Others' modules that the tests need: none of them imports one of ours.
HEAVY = (
    "numpy",
    "google.protobuf.message",
    "serial",
    "psutil",
    "PIL.Image",
    "scipy.stats",
    "hypothesis",
)
OURS = ("dovetail", "sim", "hil_tests", "boards")  # no child takes these over from this process
STAYS = ("mutate", "build", "evidence")  # of host_tools: what knows nothing of the firmware
SPARE_S, TIMES = 5, 5  # of the processor: a test may use so much more than it does unchanged
QUIET_S = (
    30  # a test that waits in vain is ended before whoever watches the hunt as a whole ends that
)
MEMORY = 3 << 30
HANGS = "hangs"
NOTHING = 5  # the status of pytest where none of these tests is there any more: nothing is found
Took = Mapping[str, float]


@dataclass(frozen=True)
class Order:
    """What a child shall do."""

    tests: tuple[str, ...]
    took: Took
    file: str = ""  # the changed one; none: the code as it is
    code: CodeType | None = None
    cover: tuple[str, ...] = ()  # files whose lines are noted, test by test


@dataclass(frozen=True)
class Outcome:
    """What a child has found."""

    failed: str = ""  # the test, or HANGS and the test
    ran: int = 0
    took: Mapping[str, float] | None = None
    lines: Mapping[str, Mapping[str, Sequence[str]]] | None = None  # file, line, tests


def warm() -> None:
    """Import what every child needs and no mutant changes."""
    for name in HEAVY:
        with suppress(ImportError):
            importlib.import_module(name)


class _Watch:
    """A pytest plugin: takes the tests that are wanted, in their order, and notes what they do."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.place = {test: n for n, test in enumerate(order.tests)}
        self.failed = ""
        self.took: dict[str, float] = {}
        self.now = _now(os.getpid())
        self.cover: coverage.Coverage | None = None
        if order.cover:
            include = [str(ROOT / file) for file in order.cover]
            self.cover = coverage.Coverage(data_file=None, include=include)
            self.cover.start()

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave only what is wanted."""
        whole = {test for test in self.place if "::" not in test}
        kept = [i for i in items if i.nodeid in self.place or i.nodeid.split("::")[0] in whole]
        kept = [i for i in kept if areas.quick(i.nodeid) and not i.get_closest_marker("slow")]
        items[:] = sorted(kept, key=lambda item: self.place.get(item.nodeid, 0))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Give the test its time, and note what it has used."""
        began = time.process_time()
        limit = began + SPARE_S + TIMES * self.order.took.get(item.nodeid, 5.0)
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), resource.RLIM_INFINITY))
        self.now.write_text(item.nodeid, encoding="utf-8")
        if self.cover:
            self.cover.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self.took[item.nodeid] = round(time.process_time() - began, 3)
            if self.cover:
                self.cover.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the first that fails."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file of tests that cannot even be imported."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def lines(self) -> dict[str, dict[str, list[str]]]:
        """Return the tests of each line of the files that were watched."""
        found: dict[str, dict[str, list[str]]] = {}
        if self.cover:
            self.cover.stop()
            data = self.cover.get_data()
            for path in data.measured_files():
                by_line = data.contexts_by_lineno(path)
                found[os.path.relpath(path, ROOT)] = {
                    str(line): [test for test in tests if test] for line, tests in by_line.items()
                }
        return found


def forget() -> None:
    """Let this process import everything of ours anew that a mutant may reach."""
    for name in list(sys.modules):
        first, _, rest = name.partition(".")
        if first in OURS or (first == "host_tools" and rest and rest.split(".")[0] not in STAYS):
            del sys.modules[name]
            parent, _, last = name.rpartition(".")
            if parent in sys.modules and hasattr(sys.modules[parent], last):
                delattr(sys.modules[parent], last)


def _child(order: Order) -> None:
    os.chdir(ROOT)
    log = os.open(LOG, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    hang.QUIET_S = QUIET_S
    forget()
    watch = _Watch(order)
    if order.code is not None:
        plant(order.file, order.code)
    files = dict.fromkeys(test.split("::")[0] for test in order.tests)
    options = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
    if not order.cover:
        options.append("-x")
    status = int(pytest.main([*options, *files], plugins=[watch]))
    if status not in (0, 1, NOTHING) and not watch.failed:
        watch.failed = f"pytest ends with status {status}"
    found = {"failed": watch.failed, "ran": len(watch.took)}
    if order.cover:
        found |= {"took": watch.took, "lines": watch.lines()}
    _answer(os.getpid()).write_text(json.dumps(found), encoding="utf-8")


def _answer(pid: int) -> Path:
    return WORK / f"{pid}.json"


def _now(pid: int) -> Path:
    return WORK / f"{pid}.now"


def begin(order: Order) -> int:
    """Start a child; return its process."""
    WORK.mkdir(parents=True, exist_ok=True)
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    try:
        _child(order)
    finally:
        os._exit(0)


def end(pid: int) -> Outcome:
    """Return what a child has found that has ended."""
    answer, now = _answer(pid), _now(pid)
    try:
        return Outcome(**json.loads(answer.read_text(encoding="utf-8")))
    except FileNotFoundError:  # it was ended: by its limit, or by the watch of hang.py
        test = now.read_text(encoding="utf-8") if now.is_file() else "the import"
        return Outcome(f"{HANGS}: {test}")
    finally:
        answer.unlink(missing_ok=True)
        now.unlink(missing_ok=True)


def run(order: Order) -> Outcome:
    """Run the tests of one order, and wait for the end."""
    pid = begin(order)
    os.waitpid(pid, 0)
    return end(pid)
