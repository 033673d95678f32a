"""Who may know whom: the contracts in pyproject.toml hold, and would be seen to break."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("firmware", "sim", "host_tools", "hil_tests", "boards")
BREACHES = {
    "firmware/dovetail/cards/ledger.py": "import sim.parts",
    "firmware/dovetail/stations/tray.py": "import dovetail.link.frame",
    "firmware/dovetail/link/frame.py": "from dovetail.stations.tray import Tray",
    "firmware/dovetail/table/system.py": "from dovetail import clock",
    "sim/hands.py": "import host_tools.rigs",
    "host_tools/rigs.py": "import dovetail.machine",
}


def _run(root: Path) -> subprocess.CompletedProcess[str]:
    code = "from importlinter.cli import lint_imports_command as c; c()"
    paths = [root, root / "firmware", root / "firmware" / "shim"]
    return subprocess.run(
        [sys.executable, "-c", code, "--no-cache"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_walls_stand() -> None:
    done = _run(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of the project, to be spoilt."""
    root = tmp_path_factory.mktemp("walls")
    for room in ROOMS:
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    return root


@pytest.mark.parametrize("breach", BREACHES.items(), ids=lambda breach: breach[0])
def test_a_breach_is_seen(copy: Path, breach: tuple[str, str]) -> None:
    name, line = breach
    path = copy / name
    sound = path.read_text()
    path.write_text(f"{sound}\n{line}\n")
    try:
        done = _run(copy)
    finally:
        path.write_text(sound)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 broken" in done.stdout
