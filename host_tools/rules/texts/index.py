"""Keep the index of the texts' sentences, and find sentences that no row speaks of.

`sentences.toml` has a table for each code (19:47, 13:69E, 13:69F) and in it a line for each
paragraph: 8 hex digits for each of its sentences. The texts themselves are not in the project, so
whoever has them makes the index anew, or checks that they are still the texts of the index.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path

from host_tools.rules.texts.rows import FOLDER, UNPRINTED, Chapter, Row, parts
from host_tools.rules.texts.split import digest, paragraphs

INDEX = FOLDER / "sentences.toml"
HEAD = """\
# Made by `python -m host_tools.rules.texts --index FOLDER`: do not edit.
# Each paragraph of the texts, with 8 hex digits of the SHA-256 of each of its sentences.
"""
OLDER = " (older)"  # behind the citation of a sentence that only an older print has

Index = dict[str, dict[str, list[str]]]  # code, citation, sentences


def build(folder: Path) -> Index:
    """Make the index from the texts of a folder."""
    found: dict[str, dict[str, list[str]]] = defaultdict(dict)
    sections: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for one in sorted(paragraphs(folder), key=lambda one: one.again):
        hashes = [digest(sentence) for sentence in one.sentences()]
        section = sections[one.code, *parts(one.at)[:2]]
        at = one.at
        if one.again:
            hashes = [new for new in hashes if new not in section]
            at += OLDER
        else:
            section.update(hashes)
        if hashes:
            found[one.code].setdefault(at, []).extend(hashes)
    return dict(found)


def text(index: Index) -> str:
    """Return the file of an index."""
    lines = [HEAD]
    for code, rows in index.items():
        lines.append(f'["{code}"]')
        lines += [f'"{at}" = "{" ".join(hashes)}"' for at, hashes in rows.items()]
        lines.append("")
    return "\n".join(lines)


def read(path: Path = INDEX) -> Index:
    """Read the index that the project holds."""
    data: dict[str, dict[str, str]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        code: {at: hashes.split() for at, hashes in rows.items()} for code, rows in data.items()
    }


def changes(old: Index, new: Index) -> list[str]:
    """Return the paragraphs in which two indexes differ."""
    places = [(code, at) for index in (old, new) for code in index for at in index[code]]
    return [
        f"{code}-{at}"
        for code, at in dict.fromkeys(places)
        if old.get(code, {}).get(at) != new.get(code, {}).get(at)
    ]


def uncovered(index: Index, chapters: list[Chapter]) -> list[str]:
    """Return the sentences that no row speaks of.

    A row speaks of its own paragraph, all of it or the sentences that it names. A row that names
    no sentences speaks also of what lies below, unless something below has a row of its own.
    """
    rows = [row for chapter in chapters for row in chapter.rows]
    sweeping = [row for row in rows if not row.sentences and not _below(row, rows)]
    found: list[str] = []
    for code, texts in index.items():
        sweeps = {parts(row.at) for row in sweeping if row.code == code}
        own: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            if row.code == code:
                own[row.at].append(row)
        for at, hashes in texts.items():
            cited = parts(at)
            if any(cited[:depth] in sweeps for depth in range(1, len(cited) + 1)):
                continue
            if any(not row.sentences for row in own[at]):
                continue
            named = {number for row in own[at] for number in row.sentences}
            lacking = set(range(1, len(hashes) + 1)) - named
            found += [f"{code}-{at}, sentence {number}" for number in sorted(lacking)]
    return found


def _below(row: Row, rows: list[Row]) -> bool:
    here = parts(row.at)
    return any(
        other.code == row.code and parts(other.at)[: len(here)] == here and other.at != row.at
        for other in rows
    )


def strays(index: Index, chapters: list[Chapter]) -> list[str]:
    """Return the rows whose paragraph or sentence the texts do not have."""
    found: list[str] = []
    heads = {
        (code, *parts(at)[:depth])
        for code, texts in index.items()
        for at in texts
        for depth in range(1, len(parts(at)) + 1)
    }
    for row in (row for chapter in chapters for row in chapter.rows):
        sentences = index.get(row.code, {}).get(row.at, [])
        if (row.code, *parts(row.at)) not in heads:
            if not UNPRINTED.match(row.says):
                found.append(f"{row.place}: the texts have no such paragraph")
        elif row.sentences and max(row.sentences) > len(sentences):
            found.append(f"{row.place}: the paragraph has {len(sentences)} sentences")
    return found
