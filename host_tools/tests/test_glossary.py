"""docs/glossary.md holds its form: whatever breaks it is named, and each breach is planted here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from host_tools.build.tell import ROOT

PAGE = ROOT / "docs" / "glossary.md"
ROOMS = ("firmware", "boards", "sim", "host_tools", "hil_tests", "docs")
SUFFIXES = (".py", ".c", ".h", ".md", ".proto", ".cmake")
COLUMNS = 120  # of a line of prose
WORDS = 25  # of a table's cell
SENTENCES = 2  # of a meaning
HEAD = ["term", "meaning", "where"]

QUOTED = re.compile(r"`([^`]+)`")
LINKED = re.compile(r"\]\(([^)#]+)")
A_PATH = re.compile(r"[\w.]+/[\w./]*|\w+\.(?:py|c|h|md|proto|cmake)")


@dataclass(frozen=True)
class Term:
    """One row of the page."""

    group: str
    name: str
    meaning: str
    where: str


@cache
def tree() -> str:
    """Return the text of the project, without the glossary and this file, on one line."""
    own = {PAGE, Path(__file__).resolve()}
    files = [ROOT / "README.md"]
    for room in ROOMS:
        files += sorted((ROOT / room).rglob("*"))
    texts = (
        path.read_text(encoding="utf-8")
        for path in files
        if path.suffix in SUFFIXES and not path.name.startswith("link_pb2") and path not in own
    )
    return " ".join(" ".join(texts).split())


def occurs(term: str) -> bool:
    """Return whether the project uses this term, as whole words."""
    return re.search(rf"(?<![\w-]){re.escape(term)}(?![\w-])", tree(), re.IGNORECASE) is not None


def cells(line: str) -> list[str]:
    """Return the cells of a table's line."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def read(page: str) -> tuple[list[Term], list[str]]:
    """Return the terms of a page, and a line for each row that is not one."""
    group, terms, wrong = "", list[Term](), list[str]()
    for line in page.splitlines():
        if line.startswith("## "):
            group = line[3:]
        elif line.startswith("|"):
            row = cells(line)
            if row == HEAD or set("".join(row)) <= set("-: "):
                continue
            if not group or len(row) != len(HEAD) or not all(row):
                wrong.append(f"not a term, a meaning and a place under a heading: {line}")
                continue
            terms.append(Term(group, *row))
    return terms, wrong


def of_form(page: str, terms: list[Term]) -> list[str]:
    """Return a line for each line, cell or meaning that is too long, or is no sentence."""
    wrong: list[str] = []
    for n, line in enumerate(page.splitlines(), 1):
        if not line.startswith("|") and len(line) > COLUMNS:
            wrong.append(f"line {n} has {len(line)} columns, {COLUMNS} are allowed")
        for cell in cells(line) if line.startswith("|") else ():
            if len(cell.split()) > WORDS:
                found = len(cell.split())
                wrong.append(f"line {n}: a cell has {found} words, {WORDS} are allowed: {cell}")
    for term in terms:
        sentences = re.split(r"(?<=[.!?]) ", term.meaning)
        if len(sentences) > SENTENCES or not all(re.match(r"[A-Z].*\.$", s) for s in sentences):
            wrong.append(f"{term.name}: its meaning is not one or two whole sentences")
    return wrong


def of_order(page: str, terms: list[Term]) -> list[str]:
    """Return a line for each term, or group, that stands twice or out of its place."""
    wrong: list[str] = []
    names = [term.name.casefold() for term in terms]
    wrong += [f"{name} stands twice" for name in sorted({n for n in names if names.count(n) > 1})]
    groups = re.findall(r"^## (.+)$", page, re.MULTILINE)
    for group in dict.fromkeys(groups):
        there = [term.name.casefold() for term in terms if term.group == group]
        if groups.count(group) > 1:
            wrong.append(f"the group {group} stands twice")
        if not there:
            wrong.append(f"the group {group} has no terms")
        wrong += [f"{b} stands behind {a} in {group}" for a, b in pairwise(there) if b < a]
    return wrong if groups else ["the page has no groups"]


def of_places(page: str, terms: list[Term]) -> list[str]:
    """Return a line for each file that is named and does not exist, or is not named at all."""
    wrong: list[str] = []
    for term in terms:
        if not QUOTED.fullmatch(term.where):
            wrong.append(f"{term.name}: {term.where} is not one path in back quotes")
    columns = {QUOTED.sub(r"\1", term.where) for term in terms}
    named = columns | {said for said in QUOTED.findall(page) if A_PATH.fullmatch(said)}
    wanted = {path: ROOT / path for path in named}
    wanted |= {path: PAGE.parent / path for path in LINKED.findall(page)}
    for path, there in sorted(wanted.items()):
        inside = there.resolve().is_relative_to(ROOT)
        if not inside or not (there.is_dir() if path.endswith("/") else there.is_file()):
            wrong.append(f"{path} does not exist in the project")
    return wrong


def breaches(page: str) -> list[str]:
    """Return a line for each way in which a page is no glossary of this project."""
    terms, wrong = read(page)
    wrong += of_form(page, terms) + of_order(page, terms) + of_places(page, terms)
    wrong += [f"{term.name} occurs nowhere else" for term in terms if not occurs(term.name)]
    return wrong


def row(name: str, meaning: str = "A word of the house.", where: str = "`sim/wheel.py`") -> str:
    """Return a line of a table."""
    return f"| {name} | {meaning} | {where} |"


def page(*rows: str, prose: str = "Words.", group: str = "The machine") -> str:
    """Return a small page of one group."""
    head = f"| {' | '.join(HEAD)} |\n| --- | --- | --- |"
    return "\n".join(("# Glossary", "", prose, "", f"## {group}", "", head, *rows, ""))


GOOD = (row("shoe", where="`sim/`"), row("slot"), row("wheel"))
EXACT = "The wheel has as many words as a cell may hold, and there are just " + "so " * 9 + "many."


def test_the_glossary_keeps_its_form() -> None:
    assert breaches(PAGE.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("room", ["README.md", "docs/README.md"])
def test_a_reader_is_led_to_it(room: str) -> None:
    links = LINKED.findall((ROOT / room).read_text(encoding="utf-8"))
    assert PAGE in [(ROOT / room).parent / link for link in links]


def test_a_good_page_has_no_breach() -> None:
    """Also where a cell and a line of prose are just as long as they may be."""
    assert len(EXACT.split()) == WORDS
    assert breaches(page(*GOOD[:2], row("wheel", EXACT), prose="x" * COLUMNS)) == []


PLANTED: dict[str, tuple[str, str]] = {
    "a term twice": (page(*GOOD, row("wheel")), "wheel stands twice"),
    "a term twice, in another group": (
        page(*GOOD) + page(row("Slot"), group="Memory"),
        "slot stands twice",
    ),
    "a group twice": (page(*GOOD) + page(row("tick")), "the group The machine stands twice"),
    "a term out of order": (
        page(row("wheel"), row("slot")),
        "slot stands behind wheel in The machine",
    ),
    "a capital letter hides no disorder": (
        page(row("slot"), row("Rod")),
        "rod stands behind slot in The machine",
    ),
    "a file that does not exist": (
        page(row("slot", where="`sim/wheels.py`")),
        "sim/wheels.py does not exist",
    ),
    "a folder that is a file": (page(row("slot", where="`sim/wheel.py/`")), "sim/wheel.py/ does"),
    "a file that is a folder": (page(row("slot", where="`sim`")), "sim does not exist"),
    "a file outside the project": (page(row("slot", where="`../`")), "../ does not exist"),
    "a file in a meaning": (page(row("slot", "See `sim/slot.py` for it.")), "sim/slot.py does not"),
    "a file in the prose": (page(*GOOD, prose="See `docs/words.md`."), "docs/words.md does not"),
    "a link in the prose": (page(*GOOD, prose="See [words](words.md)."), "words.md does not exist"),
    "no file": (page(row("slot", where="the wheel")), "slot: the wheel is not one path"),
    "two files": (
        page(row("slot", where="`sim/` `docs/`")),
        "slot: `sim/` `docs/` is not one path",
    ),
    "a long cell": (page(row("slot", EXACT[:-1] + " more.")), "line 9: a cell has 26 words"),
    "a long line of prose": (page(*GOOD, prose="x" * 121), "line 3 has 121 columns"),
    "a long heading": (page(*GOOD, group="x" * 118), "line 5 has 121 columns"),
    "a fragment": (page(row("slot", "where a card lies")), "slot: its meaning is not one or two"),
    "three sentences": (page(row("slot", "It is. It is. It is.")), "slot: its meaning is not one"),
    "a term that nobody uses": (page(row("sprocket")), "sprocket occurs nowhere else"),
    "a part of a word": (page(row("whee")), "whee occurs nowhere else"),
    "no meaning": (page("| slot |  | `sim/wheel.py` |"), "not a term, a meaning and a place"),
    "two cells": (page("| slot | A place. |"), "not a term, a meaning and a place"),
    "four cells": (page(row("slot") + " more |"), "not a term, a meaning and a place"),
    "no heading": (page(*GOOD).replace("## ", ""), "not a term, a meaning and a place"),
    "an empty group": (page(), "the group The machine has no terms"),
    "an empty page": ("", "the page has no groups"),
}


@pytest.mark.parametrize("breach", PLANTED)
def test_a_breach_is_named(breach: str) -> None:
    planted, said = PLANTED[breach]
    assert [line for line in breaches(planted) if line.startswith(said)], breaches(planted)


def in_the_page(was: str, now: str) -> str:
    """Return the glossary with one change."""
    text = PAGE.read_text(encoding="utf-8")
    assert text.count(was) == 1, was
    return text.replace(was, now)


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("| back |", "| bakc |", "bakc occurs nowhere else"),
        ("| nip |", "| tray |", "rod stands behind tray"),
        ("| record |", "| journal |", "journal stands twice"),
        ("`hil_tests/watch.py`", "`hil_tests/watches.py`", "hil_tests/watches.py does not exist"),
    ],
)
def test_a_breach_is_named_wherever_it_stands_in_the_page(was: str, now: str, said: str) -> None:
    found = breaches(in_the_page(was, now))
    assert [line for line in found if line.startswith(said)], found
