"""What a run will do, fixed and written down before the first deck is drawn."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from host_tools.build.tell import ROOT, UsageError
from host_tools.certify import bad_shufflers, continuous, delivered, device
from host_tools.certify.tally import Decks

DEVICE = "device"
DELIVERED = "delivered"
CONTINUOUS = "continuous"
UNIT = 5000  # decks drawn in one piece of work
MACHINE_UNIT = 50  # orders delivered by one machine from its power-on
SIZES = {DELIVERED: MACHINE_UNIT, CONTINUOUS: 250}
COUNTS = "host_tools/certify"
SUMS = ("numpy", "scipy")
# what an order that was delivered depends on beside that: folders and files
DELIVERS = (
    *("firmware/dovetail", "firmware/shim", "boards", "sim"),
    *("host_tools/rigs.py", "host_tools/hands.py", "host_tools/heard.py"),
    *("host_tools/play", "host_tools/link", "host_tools/rules", "host_tools/build/tell.py"),
)


@dataclass(frozen=True)
class Unit:
    """One piece of work, the same wherever it is done."""

    source: str
    number: int
    count: int
    cards: int
    seed: int

    def decks(self) -> Decks:
        """Draw them."""
        if self.source == DEVICE:
            return device.decks(self.seed, self.number, self.count, self.cards)
        if self.source == CONTINUOUS:
            return continuous.decks(self.seed, self.number, self.count, self.cards)
        if self.source == DELIVERED:
            return delivered.decks(self.seed, self.number, self.count, self.cards)
        return bad_shufflers.decks(self.source, self.seed, self.number, self.count, self.cards)


@dataclass(frozen=True)
class Plan:
    """Whatever the numbers of a run depend on: the same plan, the same results, byte for byte."""

    decks: int
    cards: int
    delivered: int
    beside: int  # decks of each plant, shown beside
    plant: str  # in place of the device's code, or nothing
    seed: int
    confidence: int  # %, that decides
    code: dict[str, str]  # SHA-256 of what draws and counts, and the versions beneath it
    continuous: int = 0  # decks of continuous play

    def __post_init__(self) -> None:
        if self.delivered and self.plant:
            raise UsageError(
                "--delivered is the machine's own work, --plant takes its place: leave one out"
            )

    @property
    def main(self) -> str:
        """Where the decks come from that are to be certified."""
        return self.plant or DEVICE

    @property
    def judged(self) -> list[str]:
        """The sources that the verdict is about."""
        return list(self._judged)

    @property
    def _judged(self) -> dict[str, int]:
        also = {DELIVERED: self.delivered, CONTINUOUS: self.continuous}
        return {self.main: self.decks, **{name: n for name, n in also.items() if n}}

    @property
    def shown_beside(self) -> list[str]:
        """The plants, and the device where a plant has its place."""
        return [name for name in (DEVICE, *bad_shufflers.PLANTS) if name != self.main]

    @property
    def amounts(self) -> dict[str, int]:
        """Decks of each source."""
        beside = dict.fromkeys(self.shown_beside, self.beside)
        return {**beside, **self._judged}

    def units(self) -> Iterator[Unit]:
        """All the work, in the order in which it is handed out."""
        for source, amount in self.amounts.items():
            size = SIZES.get(source, UNIT)
            for number, first in enumerate(range(0, amount, size)):
                yield Unit(source, number, min(size, amount - first), self.cards, self.seed)

    def as_json(self) -> dict[str, Any]:
        """For a file."""
        return asdict(self)

    def differs(self, other: dict[str, Any]) -> list[str]:
        """In what another plan is not this one, in words."""
        mine = self.as_json()
        told: list[str] = []
        for field in fields(self):
            name = field.name
            if other.get(name) == mine[name]:
                continue
            if name == "code":
                told.append("the code has changed" + _changed(self.code, other.get(name)))
            else:
                told.append(f"{name} {other.get(name)!r} there, {mine[name]!r} here")
        return told


def _changed(mine: dict[str, str], theirs: object) -> str:
    there = cast(dict[str, str], theirs) if isinstance(theirs, dict) else {}
    names = sorted(name for name in {*mine, *there} if mine.get(name) != there.get(name))
    return f": {', '.join(names)}" if there else ""


@cache
def fingerprint(machine: bool) -> dict[str, str]:
    """SHA-256 of the files that draw and that count; with the machine also of all that delivers."""
    names = (COUNTS, *DELIVERS) if machine else (COUNTS,)
    hashes = {name: code_hash(ROOT / name, ROOT) for name in names}
    return {**device.hashes(), **continuous.hashes(), **hashes, **versions()}


def code_hash(where: Path, root: Path) -> str:
    """SHA-256 of a file, or of a folder's code with its names; not of its tests."""
    whole = sha256()
    for path in [where] if where.is_file() else sorted(where.rglob("*.py")):
        name = path.relative_to(root)
        if "tests" not in name.parts:
            whole.update(name.as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


def versions() -> dict[str, str]:
    """Of what draws chance for the simulated machine, and does the sums."""
    return {"python": platform.python_version(), **{name: version(name) for name in SUMS}}


def write(path: Path, content: object) -> None:
    """A JSON file, whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)
