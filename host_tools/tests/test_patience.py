"""Waiting for a process: it answers, it dies, or it works in vain."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from host_tools.tests import patience


def started(source: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", source], text=True)


def test_what_comes_late_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "done"
    with started(f"import time; time.sleep(0.5); open({str(file)!r}, 'w').close()") as process:
        patience.wait(process, file.exists, "the file")


def test_a_process_that_dies_ends_the_wait() -> None:
    with (
        started("raise SystemExit(5)") as process,
        pytest.raises(pytest.fail.Exception, match="the file: the process has ended with status 5"),
    ):
        patience.wait(process, lambda: False, "the file")


def test_what_was_done_before_the_end_counts(tmp_path: Path) -> None:
    file = tmp_path / "done"
    with started(f"open({str(file)!r}, 'w').close()") as process:
        process.wait()
        patience.wait(process, file.exists, "the file")


def test_a_process_that_works_in_vain_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "VAIN_S", 0.5)
    with started("while True: pass") as process:
        with pytest.raises(pytest.fail.Exception, match="the file: not after"):
            patience.wait(process, lambda: False, "the file")
        process.kill()
