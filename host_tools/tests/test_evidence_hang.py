"""A test that hangs is ended; a test that is slow is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from host_tools.build.tell import ROOT
from host_tools.evidence.hang import HUNG, IDLE_S, QUIET_S, Watch

RUN = """
import sys, pytest
from host_tools.evidence import hang
hang.QUIET_S, hang.SPENT_S, hang.STARTED_S, hang.LOOK_S = 1.5, 1, 4, 0.25
sys.exit(pytest.main([sys.argv[1], "-q", "-p", "no:cacheprovider", "-p", "host_tools.evidence.hang",
                      "--rootdir", sys.argv[2], "-c", "/dev/null"]))
"""
WAITS = "import threading\ndef test_it():\n    threading.Event().wait()\n"
SPINS = "def test_it():\n    while True: pass\n"
CHILD_SPINS = (
    "import subprocess, sys\ndef test_it():\n"
    "    subprocess.run([sys.executable, '-c', 'while True: pass'], check=True)\n"
)
CHILD_SLEEPS = (
    "import subprocess, sys\nfrom host_tools.tests import patience\ndef test_it():\n"
    "    command = [sys.executable, '-c', 'import time; time.sleep(20)']\n"
    "    with subprocess.Popen(command, text=True) as process:\n"
    "        patience.wait(process, lambda: False, 'nothing')\n"
)
CHILD = (
    "import subprocess, sys\ndef test_it():\n"
    "    subprocess.run([sys.executable, '-c', '''import time\n"
    "until = time.process_time() + 2\nwhile time.process_time() < until: pass'''], check=True)\n"
)
ALLOWED = (
    "import time, pytest\n@pytest.mark.spends(60)\ndef test_it():\n"
    "    until = time.process_time() + 2\n    while time.process_time() < until: pass\n"
)


def run(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Run a test file of this text under the plugin, with limits of a few seconds."""
    path = folder / "test_planted.py"
    path.write_text(source)
    command = [sys.executable, "-c", RUN, str(path), str(folder)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_one_that_waits_for_what_never_comes_is_ended(tmp_path: Path) -> None:
    done = run(tmp_path, WAITS)
    assert done.returncode == HUNG
    assert "test_it hangs: nothing has used the processor" in done.stderr
    assert "in test_it" in done.stderr  # where it stands


def test_one_that_spins_is_ended(tmp_path: Path) -> None:
    done = run(tmp_path, SPINS)
    assert done.returncode == HUNG
    assert "of the processor, 1 s are allowed" in done.stderr


@pytest.mark.parametrize(
    ("source", "why"),
    [(CHILD_SPINS, "what it has started has used"), (CHILD_SLEEPS, "it waits in vain")],
    ids=["a child spins", "a child sleeps"],
)
def test_one_whose_child_hangs_is_ended(tmp_path: Path, source: str, why: str) -> None:
    done = run(tmp_path, source)
    assert done.returncode == HUNG
    assert why in done.stderr


@pytest.mark.parametrize("source", [CHILD, ALLOWED], ids=["a child works", "it may spend more"])
def test_one_that_works_is_left_alone(tmp_path: Path, source: str) -> None:
    assert run(tmp_path, source).returncode == 0


def test_a_busy_machine_is_no_hang() -> None:
    """A test that gets a hundredth of a core goes on, however long it takes."""
    watch = Watch()
    watch.begin("slow", 300)
    watch.began_s = 0.0
    used = 0.0
    for _ in range(1000):
        used += 2 * IDLE_S
        assert not watch.hung((used, 0.0), 2.0)
    for second in range(QUIET_S):
        why = watch.hung((used, 0.0), 1.0)
        assert bool(why) == (second + 1 >= QUIET_S)
