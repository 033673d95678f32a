"""The table of long proofs: what each claims, of which code it speaks, and how it is cut in slices.

Most are tests that take a share of their cases in `make test`, and all of them here: a test says
`@pytest.mark.proof(name=...)`, and each of its cases is a slice. The others are commands.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from host_tools.build.tell import BUILD, ROOT, BuildError
from host_tools.evidence.drawn import ALL
from host_tools.evidence.imported import hashes
from host_tools.evidence.record import Figures
from host_tools.rules.explained import ALIVE, HARMLESS, TESTED

# Folders that a proof depends on as a whole, beside what its tests or its command import.
TABLE = ("firmware/dovetail/table", "firmware/dovetail/cards")
CHANCE = ("firmware/dovetail",)
FIRMWARE = ("firmware/boot", "firmware/dovetail", "firmware/main.py", "firmware/shim", "boards")
EVERYTHING = (*FIRMWARE, "firmware/tests", "sim", "host_tools", "hil_tests")
# What makes the image that a proof on the emulated board runs
IMAGE = "host_tools/build/image.py"

ROOMS = ("firmware/tests", "boards", "sim", "host_tools", "hil_tests")  # that have tests
NOT_THERE = "not there"
WHOLE = "all of it"
BY_HAND = "once, by hand"

FAULTS, FAULTS_SEED, FAULTS_SLICE = 100_000, 1, 250
BOARD_FAULTS, BOARD_FAULTS_SLICE = 60, 3
CAMPAIGN = "host_tools/campaign/command.py"
DECKS, ORDERS = 1_000_000, 100_000


@dataclass(frozen=True)
class Slice:
    """The figures of a slice, and what speaks against the proof."""

    figures: Figures
    against: list[str]


def holds(figures: Figures) -> list[str]:
    """Return nothing: what is against the proof stands in its slices alone."""
    del figures
    return []


@dataclass(frozen=True)
class Proof:
    """A proof that is cut in slices, each a process of its own.

    A stoppable one is a single slice: its command takes all cores, and can be stopped and go on.
    """

    name: str
    claim: str
    share: str  # what `make test` does of it
    folders: tuple[str, ...]  # that it depends on as a whole
    slices: Callable[[], list[str]] = field(repr=False)
    run: Callable[[str], Slice] = field(repr=False)
    judge: Callable[[Figures], list[str]] = field(default=holds, repr=False)
    stoppable: Callable[[float], Slice | None] | None = field(default=None, repr=False)
    words: str = ""  # the command that its slices are parts of
    before: str = NOT_THERE  # what `make test` did of it at the commit that the page names
    seed: int | None = 1  # of a whole run; None: nothing is drawn in it
    starts: Callable[[], list[str]] = field(default=list[str], repr=False)  # whose imports count

    def code(self) -> dict[str, str]:
        """Return the hashes of all code that it depends on, as it is now."""
        return hashes(self.folders, self.starts())

    @property
    def command(self) -> str:
        """Return what runs it."""
        by = f" ({self.words})" if self.words else ""
        return f"make prove ONLY={self.name}{by}"


# -- tests ----------------------------------------------------------------------------------


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


def of_tests(
    name: str,
    claim: str,
    share: str,
    folders: tuple[str, ...],
    before: str = NOT_THERE,
    seed: int | None = 1,
    image: bool = False,
) -> Proof:
    """Make a proof of the tests that are marked with its name, on the flashed image or not."""
    return Proof(
        *(name, claim, share, folders, lambda: collected(name), tested),
        before=before,
        seed=seed,
        starts=lambda: [*files_of(name), *([IMAGE] if image else [])],
    )


# -- commands -------------------------------------------------------------------------------


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


def campaign_holds(figures: Figures) -> list[str]:
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


def certificate(name: str, claim: str, share: str, folders: tuple[str, ...], *words: str) -> Proof:
    """Make a proof of a run of `dovetail certify`."""
    return Proof(
        name,
        claim,
        share,
        folders,
        lambda: ["all"],
        not_sliced,
        stoppable=lambda stop_s: certified(name, words, stop_s),
        words=f"dovetail certify {' '.join(words)} --seed 1",
        before=BY_HAND,
        seed=1,
        starts=lambda: ["host_tools/certify/command.py"],
    )


def _numbers(count: int, size: int) -> Callable[[], list[str]]:
    return lambda: [str(first) for first in range(0, count, size)]


PROOFS: tuple[Proof, ...] = (
    Proof(
        "faults",
        f"{FAULTS:,} faults drawn by chance in the in-process machine are found, named, and got "
        "over or handed over in time; none breaks an invariant",
        "the same 100 each time, each plant once as a scenario, and what campaigns have found",
        FIRMWARE,
        _numbers(FAULTS, FAULTS_SLICE),
        in_process_faults,
        campaign_holds,
        words=f"dovetail campaign --faults {FAULTS} --seed {FAULTS_SEED}",
        before=BY_HAND,
        seed=FAULTS_SEED,
        starts=lambda: [CAMPAIGN],
    ),
    Proof(
        "board_faults",
        f"{BOARD_FAULTS} faults drawn by chance at the pins of the emulated board",
        "the same 1 each time, and 4 chosen by hand",
        FIRMWARE,
        _numbers(BOARD_FAULTS, BOARD_FAULTS_SLICE),
        board_faults,
        campaign_holds,
        words=f"dovetail campaign --faults {BOARD_FAULTS} --seed {FAULTS_SEED} --depth emulated",
        seed=FAULTS_SEED,
        starts=lambda: [CAMPAIGN, IMAGE],
    ),
    of_tests(
        "board_scenarios",
        "every scenario that needs no quick machine, by the flashed image on the emulated board",
        "6 of them, drawn",
        FIRMWARE,
        before="all 60",
        seed=5,
        image=True,
    ),
    of_tests(
        "frames",
        "1,000,000 mutated frames at the link on CPython leave no trace",
        "45,000 frames, drawn",
        FIRMWARE,
        before=WHOLE,
    ),
    of_tests(
        "board_frames",
        "20,000 mutated frames at the flashed image's own link leave no trace",
        "2,000 frames, drawn",
        FIRMWARE,
        before=WHOLE,
        image=True,
    ),
    of_tests(
        "power_cuts",
        "the power goes at every operation on flash of a day, in four ways: no record is lost",
        "all of it",
        FIRMWARE,
        before="all 171 instants of that day",
        seed=5,
    ),
    of_tests(
        "board_power_cuts",
        "the same at every instant that the emulated board's flash has seen",
        "24 instants, drawn",
        FIRMWARE,
        before="all 304 instants of that day",
        seed=5,
        image=True,
    ),
    of_tests(
        "mutants",
        f"each change of a row of the rules' tables breaks a property, but for {len(ALIVE)}: a "
        f"test finds {len(TESTED)}, and {len(HARMLESS)} harm nothing",
        "60 mutants, drawn",
        TABLE,
        before="all 441 of that table",
    ),
    of_tests(
        "code_mutants",
        "each change of profiles, lanes, requests, start-up and life is found by a quick test, "
        "but for those that are listed with their reason",
        "4 mutants, drawn",
        EVERYTHING,
    ),
    of_tests(
        "exploration",
        "every state of the rules that can be reached keeps every rule",
        "4 of its 16 bounds, drawn",
        TABLE,
        before="all 15 bounds of that table",
        seed=None,
    ),
    of_tests(
        "replay",
        "every pair of rows that hands can bring about within 20,000 nodes is walked at simulated "
        "machines, and 16,000 steps by chance, in each game and delivery: an oracle of the texts "
        "objects to nothing, and finds 6 refusals that are taken out",
        "1 of 14 games and deliveries, drawn, 42 machines of it, and 1 of those refusals",
        FIRMWARE,
    ),
    of_tests(
        "liar",
        "controllers that lie, 320 sessions over all games and deliveries: no round is dealt that "
        "the texts forbid, and none that they permit is refused but by a house's choice",
        "4 sessions, drawn",
        FIRMWARE,
    ),
    of_tests(
        "board_story",
        "a round at the emulated board is told twice by the same seed, to the letter",
        "the first seconds of a board, twice, by its bytes and edges",
        FIRMWARE,
        before=WHOLE,
        seed=7,
        image=True,
    ),
    of_tests(
        "hung_board",
        "a processor that dies in play: every axis ends its move, the watchdog lets the drivers go",
        "2 of 6 moments, drawn",
        FIRMWARE,
        before="all 6",
        seed=4,
        image=True,
    ),
    of_tests(
        "lossy_line",
        "200 rounds on a line that spoils one byte in a hundred: every stack comes once",
        "the first 60 of the same rounds",
        FIRMWARE,
        before="all 200 rounds",
        seed=4,
    ),
    of_tests(
        "day",
        "24 hours of play with two decks, faults at nominal rates: no card and no count is lost",
        "the first 4 hours of the same day, in which no deck grows old",
        FIRMWARE,
        before="all 24 hours",
        seed=4,
    ),
    of_tests(
        "flood",
        "a day of flood by all keys takes at most 5 % of the ring: on a journal of 8 MB every "
        "record of play of that day is there, on a chip of 2 MB the last 10,000",
        "10 minutes of play on 1 chip of 2, 1 hour at rest, 1 state of 46",
        FIRMWARE,
        seed=3,
    ),
    of_tests(
        "same_bytes",
        "an image that is built in another folder has the same bytes",
        "no image names a folder or its day; bytes are compared only while sources and compiler "
        "are those of the record",
        FIRMWARE,
        before=WHOLE,
        seed=None,
        image=True,
    ),
    certificate(
        "decks",
        f"{DECKS:,} decks of the device's own code are uniform; four planted shuffles are found",
        "runs of 1,000 to 120,000 decks",
        CHANCE,
        *("--decks", str(DECKS)),
    ),
    certificate(
        "orders",
        f"{ORDERS:,} orders that the whole simulated machine delivered are uniform",
        "runs of 100 orders",
        FIRMWARE,
        *("--decks", "1000", "--delivered", str(ORDERS)),
    ),
)
BY_NAME = {proof.name: proof for proof in PROOFS}
