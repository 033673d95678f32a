"""Load the rows of the texts and check each for mistakes; a mistake names its file and its row."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
NO_CHAPTER = ("scans.toml", "sentences.toml")
CODES = ("19:47", "13:69F", "13:69E")  # of the texts, in the order in which they are shown
STATUSES = {
    "implemented": "the machine does, checks, counts or refuses it",
    "by_hand": "the dealer, a player or the floor does it, and the machine hears nothing of it",
    "house": "the text leaves a choice, and `why` says what was chosen or where it is set",
    "not_ours": "no matter of a machine that moves cards",
    "later": "games of many rounds from one shuffle, which are not built yet",
    "open": "the machine should do it and does not; `why` says what is missing",
}
KEYS = {"at", "sentence", "says", "status", "rules", "why"}
WORDS = 30  # of one row, so that a cell of the page stays short
PARTS = re.compile(r"\d+[A-Z]?|\([a-z0-9]+\)|[ivx]+")
# So begins a row on a section of which the texts have no sentence.
UNPRINTED = re.compile(r"Titles? alone|Text cut|This section is reserved")


@dataclass(frozen=True)
class Row:
    """One duty of a text; without `sentences` it speaks of the whole paragraph."""

    file: str
    number: int  # of the row in its file, from 1
    code: str  # 19:47, 13:69E or 13:69F
    at: str
    sentences: tuple[int, ...]
    says: str
    status: str
    rules: tuple[str, ...]
    why: str

    @property
    def place(self) -> str:
        """Return the row's file, number and citation, for a message."""
        return f"{self.file}.toml, row {self.number} ({self.at})"


@dataclass(frozen=True)
class Chapter:
    """A file of rows: one game's chapter, or what several chapters share."""

    name: str
    code: str
    chapter: str
    title: str
    game: str  # the profile's name, or nothing
    rows: tuple[Row, ...]

    def counts(self) -> dict[str, int]:
        """Return how many rows have each status, in the order of STATUSES."""
        found = Counter(row.status for row in self.rows)
        return {status: found[status] for status in STATUSES if found[status]}


def parts(at: str) -> tuple[str, ...]:
    """Split a citation: 17.8(a)2i is 17, 8, (a), 2, i."""
    return tuple(PARTS.findall(at))


def load(folder: Path = FOLDER) -> list[Chapter]:
    """Load every chapter of a folder; a file that is not of the right form is a ValueError."""
    files = (one for one in sorted(folder.glob("*.toml")) if one.name not in NO_CHAPTER)
    return sorted((_chapter(path) for path in files), key=lambda one: _order(one.chapter))


def _order(chapter: str) -> tuple[int, int]:
    code, _, number = chapter.partition("-")
    return CODES.index(code), int(number or 0)


def _chapter(path: Path) -> Chapter:
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        code = str(data["chapter"]).split("-")[0]
        rows = tuple(_row(path.stem, i, code, one) for i, one in enumerate(data["row"], 1))
        title, game = str(data["title"]), str(data["game"])
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise ValueError(f"{path.name}: {error}") from error
    if code not in CODES:
        raise ValueError(f"{path.name}: chapter {code} is of no known code")
    return Chapter(path.stem, code, str(data["chapter"]), title, game, rows)


def _row(file: str, number: int, code: str, data: dict[str, Any]) -> Row:
    unknown = set(data) - KEYS
    if unknown:
        raise ValueError(f"{file}.toml, row {number}: no such key: {', '.join(sorted(unknown))}")
    lacking = KEYS - set(data) - {"sentence"}
    if lacking:
        raise ValueError(f"{file}.toml, row {number}: it lacks: {', '.join(sorted(lacking))}")
    return Row(
        file,
        number,
        code,
        str(data["at"]),
        tuple(int(one) for one in data.get("sentence", ())),
        str(data["says"]),
        str(data["status"]),
        tuple(str(one) for one in data["rules"]),
        str(data["why"]),
    )


def mistakes(chapters: list[Chapter], known: set[str], untested: set[str]) -> list[str]:
    """Return what is wrong with the rows.

    `known` are the rules that the machine has, `untested` those of them that lack a test.
    """
    found: list[str] = []
    seen: dict[tuple[str, str, str], Row] = {}
    for row in (row for chapter in chapters for row in chapter.rows):
        found += [f"{row.place}: {what}" for what in _mistakes_of(row, known, untested)]
        twin = seen.setdefault((row.code, row.at, row.says), row)
        if twin is not row:
            found.append(f"{row.place}: says the same as {twin.place}")
    return found


def _mistakes_of(row: Row, known: set[str], untested: set[str]) -> list[str]:
    found: list[str] = []
    if row.status not in STATUSES:
        found.append(f"no such status: {row.status}; there is: {', '.join(STATUSES)}")
    if not row.says or len(row.says.split()) > WORDS:
        found.append(f"says has {len(row.says.split())} words, not 1 to {WORDS}")
    coming = row.status == "later"  # its rules are registered when its games are built
    found += [f"no such rule: {rule}" for rule in row.rules if rule not in known and not coming]
    if row.status == "implemented":
        found += [f"rule without a test: {rule}" for rule in row.rules if rule in untested]
        if not row.rules:
            found.append("implemented, but it cites no rule")
    elif row.status in STATUSES and not coming and not row.why:
        found.append(f"{row.status}, but it does not say why")
    if row.rules and row.status == "not_ours":
        found.append("not ours, but it cites rules")
    return found
