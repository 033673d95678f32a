"""Records of proofs: what was proved, of which code, with which figures, and how far a run is.

A record is one JSON file in docs/evidence/. It holds the last run that came to its end, and the run
that is under way. A run is of one state of the code: where the code changes, it begins anew.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from host_tools.build.board_files import VARIANTS
from host_tools.build.tell import BUILD, ROOT, BuildError, output_of
from host_tools.certify.plan import write
from host_tools.evidence.slices import Figures

FOLDER = ROOT / "docs" / "evidence"
BOARD = "shuffler_rp2040"


@dataclass
class Run:
    """A run of a proof, whole or in part."""

    commit: str
    command: str  # that runs it, with the seed where it has one
    code: dict[str, str]  # folder → SHA-256 of its files that the proof depends on
    image: dict[str, str]  # variant → SHA-256 of the image that lay in build/
    slices: str  # SHA-256 of their names
    of: int  # slices in all
    done: int = 0
    seconds: float = 0.0  # of the processor's cores, one after the other
    longest_s: float = 0.0  # of a slice
    when: str = ""  # of the last slice
    figures: Figures = field(default_factory=Figures)
    against: list[str] = field(default_factory=list[str])
    seed: int | None = None  # of whatever is drawn in it; old records do not say

    @property
    def verdict(self) -> str:
        """Say what has come of it."""
        if self.against:
            return "NOT HELD"
        if not self.done:
            return "nothing done yet"
        return "held" if self.done == self.of else "so far held"

    def goes_on(self, other: Run) -> bool:
        """Tell whether a run that would begin now is of this one's code, image, seed and cases."""
        return self._is_of() == other._is_of()

    def _is_of(self) -> tuple[object, ...]:
        return (self.code, self.image, self.seed, self.slices, self.of)


@dataclass
class Record:
    """The last whole run of a proof, and the run that is under way."""

    proof: str
    claim: str
    last: Run | None = None  # the last that came to its end
    under_way: Run | None = None

    @property
    def touched(self) -> str:
        """Return when a slice of it last ended; an empty string if never."""
        return max((run.when for run in (self.last, self.under_way) if run), default="")

    def save(self, folder: Path = FOLDER) -> None:
        """Write the record, whole or not at all."""
        folder.mkdir(parents=True, exist_ok=True)
        content: dict[str, Any] = {"proof": self.proof, "claim": self.claim}
        for name, run in (("last", self.last), ("under_way", self.under_way)):
            content[name] = None if run is None else {"verdict": run.verdict, **asdict(run)}
        write(folder / f"{self.proof}.json", content)


def load(proof: str, claim: str, folder: Path = FOLDER) -> Record:
    """Return the record of a proof; an empty one where there is none."""
    path = folder / f"{proof}.json"
    if not path.is_file():
        return Record(proof, claim)
    try:
        content = cast(dict[str, Any], json.loads(path.read_text(encoding="utf-8")))
        runs: list[Run | None] = []
        for name in ("last", "under_way"):
            found = content[name]
            runs.append(found and Run(**{k: v for k, v in found.items() if k != "verdict"}))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise BuildError(f"{path}: not a record of a proof ({error}); remove it") from None
    return Record(proof, claim, *runs)


def begin(command: str, code: dict[str, str], slices: list[str], seed: int | None) -> Run:
    """Begin a run on the code as it is now."""
    names = sha256("\n".join(slices).encode()).hexdigest()[:16]
    return Run(commit(), command, code, images(), names, len(slices), seed=seed)


def commit() -> str:
    """Return the commit that is checked out, and whether files differ from it."""
    head = output_of(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"]) or "unknown"
    dirty = output_of(["git", "-C", ROOT, "status", "--porcelain", "--", ":!docs/evidence"])
    return f"{head} and changes" if dirty else head


def images() -> dict[str, str]:
    """Return the hashes of the images that are built."""
    found: dict[str, str] = {}
    for variant in VARIANTS:
        path = BUILD / f"{BOARD}-{variant}" / "dovetail.uf2"
        if path.is_file():
            found[variant] = sha256(path.read_bytes()).hexdigest()[:16]
    return found


def now() -> str:
    """Return the present, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def changed(run: Run, code: dict[str, str]) -> list[str]:
    """Return which of the code that a run speaks of is other code now, or is no more."""
    return sorted(name for name in {*run.code, *code} if run.code.get(name) != code.get(name))
