"""What cannot be built is refused in one line, at once: nothing is installed or written before."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from host_tools.build.sources import buildable
from host_tools.build.tell import ROOT, UsageError


def copy_to(folder: Path) -> Path:
    """As much of the project as setup reads."""
    for name in ("boards", "host_tools/build"):
        shutil.copytree(
            ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "tests")
        )
    shutil.copy(ROOT / "host_tools" / "__init__.py", folder / "host_tools")
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def setup(folder: Path, **names: str) -> subprocess.CompletedProcess[str]:
    unset = {"BOARD": "", "VARIANT": "", "MICROPYTHON": "", "PYTHONPATH": "."}
    return subprocess.run(
        [sys.executable, "-B", "-m", "host_tools.build.setup"],
        cwd=folder,
        env={**os.environ, **unset, **names},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("place", "names", "told"),
    [
        ("a b", {}, "cannot build in a folder with ' ' in its name: "),
        ("ab", {"MICROPYTHON": "."}, "not a MicroPython tree"),
        ("ab", {"BOARD": "abacus"}, "there are: shuffler_rp2040, shuffler_rp2350"),
        ("ab", {"VARIANT": "gold"}, "there are: bench, production"),
    ],
)
def test_it_is_refused_before_anything_is_done(
    place: str, names: dict[str, str], told: str, tmp_path: Path
) -> None:
    folder = copy_to(tmp_path / place)
    before = sorted(folder.rglob("*"))
    done = setup(folder, **names)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("name", ["a b", "a:b", "a#b", "a$b", "a(b", "a'b", "a%b", "a\nb"])
def test_names_that_break_a_makefile(name: str) -> None:
    with pytest.raises(UsageError, match="in its name"):
        buildable(Path("/home") / name)


@pytest.mark.parametrize("name", ["dovetail-1.0_x", "füchse", "a@b", "a+b,c"])
def test_names_that_do_not(name: str) -> None:
    assert buildable(Path("/home") / name)


@pytest.mark.parametrize("target", ["flash", "hil"])
def test_make_asks_for_the_port_before_it_builds(target: str) -> None:
    # as from a shell: a make under another make tells which folder it works in
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(
        ["make", target, "PORT="],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("which port? ")
