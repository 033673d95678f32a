"""Ends a test that hangs: a pytest plugin in place of a limit on wall-clock time.

A busy machine makes a test slow, and a slow test is no failure. A test hangs when neither it nor
a process that it started has used the processor for QUIET_S, or when the test's own process has
spent more than SPENT_S of processor time on it. `@pytest.mark.spends(900)` allows more.
"""

from __future__ import annotations

import faulthandler
import os
import threading
import time
from collections.abc import Generator
from dataclasses import dataclass, field

import psutil
import pytest

QUIET_S = 120
SPENT_S = 300
STARTED_S = 1800  # what all processes that a test has started may use
LOOK_S = 2.0
IDLE_S = 0.02  # less than this in one look is housekeeping, not work
HUNG = 3  # the exit status of a process whose test hangs
SAY = os.dup(2)  # stderr as it was before pytest began to capture it


def used_s(ended_by_look_s: float) -> tuple[float, float]:
    """Return the processor time of this process, and of all that it has started."""
    own = time.process_time() - ended_by_look_s
    below = os.times()
    started = below.children_user + below.children_system
    for child in psutil.Process().children(recursive=True):
        try:
            spent = child.cpu_times()
        except psutil.Error:  # it has ended since the list was made
            continue
        started += spent.user + spent.system
    return own, started


@dataclass
class Watch:
    """Looks every LOOK_S at what the present test has used."""

    test: str = ""
    limit_s: float = SPENT_S
    began_s: float = 0.0
    started_s: float = 0.0
    quiet_s: float = 0.0
    last: tuple[float, float] = (0.0, 0.0)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, test: str, limit_s: float) -> None:
        """Watch this test from now on."""
        with self.lock:
            self.test, self.limit_s = test, limit_s
            self.began_s, self.quiet_s = time.process_time(), 0.0
            self.started_s = used_s(0.0)[1]

    def end(self) -> None:
        """Watch nothing until the next test begins."""
        with self.lock:
            self.test = ""

    def hung(self, now: tuple[float, float], passed_s: float) -> str:
        """Return why the present test hangs, or nothing."""
        idle = all(after - before < IDLE_S for after, before in zip(now, self.last, strict=True))
        self.quiet_s = self.quiet_s + passed_s if idle else 0.0
        self.last = now
        spent_s = now[0] - self.began_s
        if self.quiet_s >= QUIET_S:
            return f"nothing has used the processor for {self.quiet_s:.0f} s: it waits in vain"
        if spent_s > self.limit_s:
            used = f"it has used {spent_s:.0f} s of the processor"
            return f"{used}, {self.limit_s:.0f} s are allowed"
        started_s = now[1] - self.started_s
        if started_s > STARTED_S:
            used = f"what it has started has used {started_s:.0f} s of the processor"
            return f"{used}, {STARTED_S} s are allowed"
        return ""

    def run(self) -> None:
        """Look until the process ends."""
        while True:
            time.sleep(LOOK_S)
            now = used_s(time.thread_time())
            with self.lock:
                why = self.hung(now, LOOK_S) if self.test else ""
            if why:
                os.write(SAY, f"\n{self.test} hangs: {why}\n".encode())
                faulthandler.dump_traceback(file=SAY)
                for child in psutil.Process().children(recursive=True):
                    child.kill()
                os._exit(HUNG)


_watch = Watch()


def pytest_configure(config: pytest.Config) -> None:
    """Start to look; a process that only hands tests out has none, and is never ended."""
    config.addinivalue_line("markers", "spends(seconds): the processor time that a test may use")
    threading.Thread(target=_watch.run, name="hang", daemon=True).start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Watch a test with its set-up and its tear-down."""
    mark = item.get_closest_marker("spends")
    _watch.begin(item.nodeid, float(mark.args[0]) if mark else SPENT_S)
    try:
        return (yield)
    finally:
        _watch.end()
