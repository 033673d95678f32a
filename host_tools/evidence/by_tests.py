"""Slices of a proof that are cases of tests: those that are marked with its name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

from host_tools.build.tell import ROOT, BuildError
from host_tools.evidence.drawn import ALL
from host_tools.evidence.slices import Figures, Slice

ROOMS = ("firmware/tests", "boards", "sim", "host_tools", "hil_tests")  # that have tests


def _pytest(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, *map(str, words)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DRAW": ALL},
    )


def collected(name: str) -> list[str]:
    """Return every case of the tests that are marked with this proof."""
    done = _pytest("--collect-only", "-m", f"proof(name='{name}')")
    found = [line for line in done.stdout.splitlines() if re.match(r"\S+\.py::", line)]
    if done.returncode or not found:
        raise BuildError(f"prove: {name}: no tests were collected\n{done.stdout}{done.stderr}")
    return found


def tested(case: str) -> Slice:
    """Run one case of a test, whole."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "junit.xml"
        done = _pytest(case, "--junitxml", path)
        if not path.is_file():
            return Slice({"broken": 1}, [f"{case}: {(done.stdout + done.stderr)[-1500:]}"])
        suites = ET.parse(path).getroot()
    figures: Figures = {"passed": 0, "skipped": 0}
    against: list[str] = []
    told: list[str] = []
    for one in suites.iter("testcase"):
        skipped = one.find("skipped")
        bad = [found for found in (one.find("failure"), one.find("error")) if found is not None]
        if bad:
            against.append(f"{case}: {bad[0].get('message', '')[:300]}")
        elif skipped is not None:
            figures["skipped"] += 1
            told.append(f"{case}: skipped: {skipped.get('message', '')}")
        else:
            figures["passed"] += 1
        told += [str(p.get("value")) for p in one.iter("property") if p.get("name") == "told"]
    if not figures["passed"] and not against:
        against.append(f"{case}: nothing was proved: {(done.stdout + done.stderr)[-1500:]}")
    if told:
        figures["told"] = told
    return Slice(figures, against)


def files_of(name: str) -> list[str]:
    """Return the files with tests that are marked with this proof."""
    mark = f'mark.proof(name="{name}")'
    found = [path for room in ROOMS for path in sorted((ROOT / room).rglob("test_*.py"))]
    return [
        path.relative_to(ROOT).as_posix()
        for path in found
        if mark in path.read_text(encoding="utf-8")
    ]
