"""Waits for another process until it has done something, is dead, or has worked in vain.

A clock on the wall says nothing of a process that a busy machine does not let run; the processor
time that it has used does.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

import psutil
import pytest

VAIN_S = 60.0  # of the processor: ten times what any of these waits takes
LOOK_S = 0.1  # seldom enough to count as quiet (host_tools/evidence/hang.py)


def wait(process: subprocess.Popen[str], done: Callable[[], bool], what: str) -> None:
    """Return when it is done; fail when the process ends, or has used VAIN_S and it is not."""
    began = used_s(process.pid)
    while not done():
        if process.poll() is not None:
            if done():
                return
            pytest.fail(f"{what}: the process has ended with status {process.returncode}")
        if used_s(process.pid) - began > VAIN_S:
            pytest.fail(f"{what}: not after {VAIN_S:.0f} s of the process's work")
        time.sleep(LOOK_S)


def used_s(pid: int) -> float:
    """Return the processor time that a process has used; nothing of one that is gone."""
    try:
        spent = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return spent.user + spent.system
