"""Slices of a proof that are parts of a campaign: so many troubles, from one of them on."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, cast

from host_tools.build.tell import ROOT
from host_tools.evidence.slices import Figures, Slice

FAULTS, FAULTS_SEED, FAULTS_SLICE = 100_000, 1, 250
BOARD_FAULTS, BOARD_FAULTS_SLICE = 60, 3
COMMAND = "host_tools/campaign/command.py"


def _dovetail(*words: str) -> tuple[int, str]:
    """Run a command of ours; return its exit status and what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "host_tools.cli", *words],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout or done.stderr


def _campaign(depth: str, count: int, first: int, size: int) -> Slice:
    status, printed = _dovetail(
        *("campaign", "--faults", str(count), "--first", str(first), "--most", str(size)),
        *("--seed", str(FAULTS_SEED), "--cores", "1", "--depth", depth, "--json"),
    )
    try:
        said: dict[str, Any] = json.loads(printed)
    except ValueError:
        return Slice({}, [f"campaign from {first}: exit status {status}: {printed[-1500:]}"])
    names = ("met", "found", "named", "handed_over", "harmless", "dormant", "violations")
    figures: Figures = {name: said[name] for name in names}
    figures |= {"clearable": said["clearable"], "recovered_alone": said["recovered_alone"]}
    outcomes = cast(dict[str, int], said["outcomes"])
    figures["to_name"] = sum(outcomes.get(n, 0) for n in ("handed over", "recovered", "missed"))
    if said["worst_report_ms"] is not None:
        figures["worst_report_ms"] = said["worst_report_ms"]
    if said["misnamed"]:
        figures["misnamed"] = said["misnamed"]
    return Slice(figures, said["said"])


def in_process_faults(first: str) -> Slice:
    """Play a slice of the hundred thousand."""
    return _campaign("in-process", FAULTS, int(first), FAULTS_SLICE)


def board_faults(first: str) -> Slice:
    """Play a few on the emulated board."""
    return _campaign("emulated", BOARD_FAULTS, int(first), BOARD_FAULTS_SLICE)


def judge(figures: Figures) -> list[str]:
    """Return what a campaign must show, and this one did not."""
    from host_tools.campaign.command import NAMED, RECOVERED
    from host_tools.campaign.met import REPORT_MS

    lines: list[str] = []
    if figures["violations"]:
        lines.append(f"violations: {figures['violations']}, none is allowed")
    if figures["named"] < NAMED * figures["to_name"]:
        lines.append(
            f"named rightly: {figures['named']} of {figures['to_name']}, under {NAMED:.1%}"
        )
    if figures["recovered_alone"] < RECOVERED * figures["clearable"]:
        share = f"{figures['recovered_alone']} of {figures['clearable']}"
        lines.append(f"recovered alone: {share}, under {RECOVERED:.0%}")
    if figures.get("worst_report_ms", 0) >= REPORT_MS:
        lines.append(f"worst time to tell: {figures['worst_report_ms']} ms, not under {REPORT_MS}")
    return lines
