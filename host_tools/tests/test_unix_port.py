"""The firmware's unit tests under MicroPython: the same files that pytest itself runs."""

import subprocess
from pathlib import Path

import pytest

from host_tools.build.tell import ROOT
from host_tools.tests.needs import unix_port

RUNNER = ROOT / "host_tools" / "build" / "unix_runner.py"
FILES = sorted((ROOT / "firmware" / "tests").glob("test_*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_on_micropython(file: Path) -> None:
    """Every test_ function of one file, called by MicroPython's unix port."""
    result = subprocess.run(
        [unix_port(), RUNNER, file],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    output = result.stdout + result.stderr
    assert result.returncode == 0, f"{file.name} under MicroPython:\n{output}"
    assert "passed test_" in output, f"{file.name}: no test ran under MicroPython:\n{output}"
