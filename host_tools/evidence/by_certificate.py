"""A proof that is one run of `dovetail certify`, which can be stopped and goes on."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import Any

from host_tools.build.tell import BUILD, ROOT, BuildError
from host_tools.evidence.slices import Figures, Slice

COMMAND = "host_tools/certify/command.py"


def certified(name: str, words: tuple[str, ...], stop_s: float) -> Slice | None:
    """Run `dovetail certify` for so long, or go on with a run that was stopped; None: not done."""
    folder = BUILD / "prove" / name
    folder.mkdir(parents=True, exist_ok=True)
    resume = ["--resume"] if (folder / "state.json").is_file() else []
    command = [sys.executable, "-m", "host_tools.cli", "certify", *words, *resume]
    with subprocess.Popen(
        [*command, "--out", str(folder)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            printed, _ = process.communicate(timeout=stop_s)
        except subprocess.TimeoutExpired:
            process.terminate()  # what is done is in its state, twice a second
            process.communicate()
            return None
    if process.returncode == 2 and resume:  # the state of a run of other code: begin anew
        shutil.rmtree(folder)
        return certified(name, words, stop_s)
    results = folder / "results.json"
    if process.returncode not in (0, 1) or not results.is_file():
        return Slice({}, [f"certify: exit status {process.returncode}: {printed[-1500:]}"])
    found: dict[str, Any] = json.loads(results.read_text(encoding="utf-8"))
    figures: Figures = {"verdict": found["verdict"], "at": found["at"]}
    figures |= {name: found["plan"][name] for name in ("decks", "delivered")}
    figures["least_p"] = min(test["p"] for test in found["tests"])
    figures["least_corrected_p"] = min(test["holm"] for test in found["tests"])
    return Slice(figures, [] if process.returncode == 0 else [printed[-1500:]])


def not_sliced(slice_: str) -> Slice:
    """Refuse: this proof is run by its own command."""
    raise BuildError(f"prove: {slice_} is not a slice")
