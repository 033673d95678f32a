"""Split the scanned texts of the rules into paragraphs and sentences.

A paragraph is cited as the rows cite it: `17.8(a)2i` is section 17.8, paragraph (a), 2., i. The
scans have broken lines, notes about amendments, and gaps where a section begins in its middle:
`scans.toml` names those gaps by the hash of the line that follows each.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SCANS = Path(__file__).parent / "scans.toml"
HEADING = re.compile(r"(?:^|\*\*|\|>)[#\s*-]*(\d+:\d+[A-Z]?)-(\d+\.\d+[A-Z]?)\s+(?=[A-Z(])")
LETTER = re.compile(r"\(([a-z])\)\s*(?:(\d+)\.(?=\s|$))?")
BROKEN = re.compile(r"\([a-z]\)\s+(?:and|or|through|above|below)\b")  # the end of a broken line
NUMBER = re.compile(r"(\d{1,2})\.(?=\s|$)")
ROMAN = re.compile(r"([ivx]{1,5})\.(?=\s|$)")
INNER = re.compile(r"\((\d+)\)(?=\s)")
# Notes about the history of a section stand behind its text and go on to the next heading.
HISTORY = re.compile(
    r"(?:As )?[Aa]mended[ ,]|Adopted, effective|New Rule, R\.|R\.\d{4} d\.|See: \d|Case Notes"
    r"|Law Review|Administrative [Cc]orrection|Petition for|Public Notice|(?:SUB)?CHAPTER "
)
END = re.compile(r"[.?!][\"”’)]*\s+(?=[\"“‘(\[]?[A-Z\\])")
ABBREVIATION = re.compile(r"(?:\b(?:[A-Z]|i\.e|e\.g|No|Inc|eff))\.$")
UNCHANGED = "No Change."


@dataclass
class Paragraph:
    """A paragraph of one scan; `again` marks an older print of a section that stands already."""

    code: str  # 19:47, 13:69E or 13:69F
    at: str
    again: bool = False
    blocks: list[str] = field(default_factory=list[str])

    def sentences(self) -> list[str]:
        """Return the sentences; each definition of an undivided section begins a new one."""
        found: list[str] = []
        joined = ""
        for block in self.blocks:
            if joined and "(" not in self.at and block[0] in '"“':
                found += _cut(joined)
                joined = ""
            joined = f"{joined} {block}".strip()
        return [*found, *_cut(joined)] if joined else found


def _cut(text: str) -> Iterator[str]:
    begin = 0
    for end in END.finditer(text):
        if not ABBREVIATION.search(text[begin : end.start() + 1]):
            yield text[begin : end.end()].strip()
            begin = end.end()
    if text[begin:].strip():
        yield text[begin:].strip()


def digest(words: str) -> str:
    """Return 8 hex digits of the SHA-256 of the words, in which each gap is one space."""
    return hashlib.sha256(" ".join(words.split()).encode()).hexdigest()[:8]


def paragraphs(folder: Path) -> list[Paragraph]:
    """Read all scans of a folder, in the order that `scans.toml` says."""
    scans = tomllib.loads(SCANS.read_text(encoding="utf-8"))
    joints = {str(one["line"]): (str(one["code"]), str(one["at"])) for one in scans["joint"]}
    found: list[Paragraph] = []
    sections: set[tuple[str, str]] = set()
    for begin in scans["order"]:
        names = sorted(folder.glob(f"{begin}*.txt"))
        if len(names) != 1:
            raise FileNotFoundError(f"{folder}: {len(names)} files {begin}*.txt, where one belongs")
        scan = _Scan(joints, sections)
        found += scan.read(names[0].read_text(encoding="utf-8"))
        sections |= {(one.code, one.at.split("(")[0]) for one in scan.found if one.blocks}
    return [one for one in found if one.blocks]


class _Scan:
    """Where the reading of one scan stands."""

    def __init__(self, joints: dict[str, tuple[str, str]], known: set[tuple[str, str]]) -> None:
        self.joints = joints
        self.known = known
        self.found: list[Paragraph] = []
        self.code = self.section = self.letter = self.number = self.roman = ""
        self.skipping = True
        self.again = False

    def read(self, text: str) -> list[Paragraph]:
        """Return the paragraphs of the scan, in its order."""
        for line in text.splitlines():
            words = " ".join(line.replace("*", " ").split())
            if joint := self.joints.get(digest(words)):
                self._begin(*joint, again=False)
            elif headings := list(HEADING.finditer(line)):
                code, section = headings[-1].groups()
                self._begin(code, section, again=(code, section) in self.known)
                continue
            elif HISTORY.match(words.lstrip("#- ")):
                self.skipping = True
            if words and not self.skipping and UNCHANGED not in words:
                self._take(re.sub(r"^- (?=[ivx(])", "", words))
        return self.found

    def _begin(self, code: str, section: str, again: bool) -> None:
        self.code, self.section, self.again = code, section, again
        self.letter = self.number = self.roman = ""
        self.skipping = False
        self.found.append(Paragraph(code, section, self.again))

    def _take(self, words: str) -> None:
        if (mark := LETTER.match(words)) and not BROKEN.match(words):
            self.letter, self.number, self.roman = f"({mark[1]})", mark[2] or "", ""
            at = self.letter + self.number
        elif mark := NUMBER.match(words):
            self.number, self.roman = mark[1], ""
            at = self.letter + self.number
        elif mark := ROMAN.match(words):
            self.roman = mark[1]
            at = self.letter + self.number + self.roman
        elif mark := INNER.match(words):
            at = self.letter + self.number + self.roman + mark[0]
        else:
            last = self.found[-1]
            if words[0].islower() and "(" not in last.at and not last.blocks:
                return  # the end of a long title
            last.blocks.append(words)
            return
        self.found.append(Paragraph(self.code, self.section + at, self.again))
        if rest := words[mark.end() :].strip():
            self.found[-1].blocks.append(rest)
