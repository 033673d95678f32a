"""Write docs/rules.md: what the texts ask, game by game, and how the machine keeps each rule.

`python -m host_tools.rules.page` writes the page. The rows of the texts come from `texts/`, the
traces of the rules from `traced.py`.
"""

from __future__ import annotations

import textwrap

from host_tools.build.tell import ROOT, say
from host_tools.rules.texts import rows
from host_tools.rules.traced import PLACES, rules_once, without_tests

PAGE = ROOT / "docs" / "rules.md"
COLUMNS = 110
WHO = {
    "implemented": "machine",
    "by_hand": "people",
    "house": "house",
    "later": "later",
    "open": "open",
}
TOLD_BELOW = ("house", "open")
HEAD = """# Rules

This page is made by `python -m host_tools.rules.page`. The first part says, game by game, what New
Jersey's rules ask and who does it. The second part says, rule by rule, where the machine keeps it.

## How to read the games

Places: 17.11 and the like are N.J.A.C. 19:47; 42 and the like are 13:69F; 1.13Y and 1.17 to 1.19
are 13:69E.
The words are ours, at most 30 in a row; the texts are not in this project.
`host_tools/rules/texts/` holds the rows, with a reason for each, and an index of the texts'
sentences. A test finds a sentence that no row speaks of.

| Who | Meaning |
| --- | --- |
| machine | The machine does, checks, counts or refuses it, by the rules that are named. |
| people | The dealer, a player or the floor does it. A rule that is named helps them. |
| house | The text leaves a choice, or two texts differ. The choice is told below the table. |
| later | It belongs to games of many rounds from one shuffle, which are not built yet. |
| open | The machine should do it and does not. What is missing is told below the table. |

Paragraphs on wagers, payouts, ranks of hands and other equipment are not this machine's; they are
listed below each table. A rule MR-n is registered when the games of many rounds are built.
"""
RULES_HEAD = """## Rule by rule

A rule without a test of its own at each of three depths fails `make test`: a property does not
count. I-1 to I-12, which stand at the end, have one at least.

*Refusals*: the rows of `firmware/dovetail/table/` that refuse by this rule, by event.
*Code*: the files under `firmware/dovetail/` that name it.
*Proved*: properties in `host_tools/rules/properties/`, held against every step of every state.
*Table*: tests of the pure table and of what it is made of; those in `firmware/tests` run on CPython
and on MicroPython. *In-process*: tests and scenarios of `hil_tests/`, the firmware on CPython in
the simulated machine. *Emulated*: those that run with the very image that is flashed, and on a
real board that has what they need. I-1, I-2, I-3 and I-6 are watched in all scenarios.
"""


def text() -> str:
    """Return the page."""
    chapters = rows.load()
    ours = [one for one in chapters if _is_ours(one)]
    lines = [HEAD, _counts(chapters)]
    for chapter in ours:
        lines += _chapter(chapter)
    lines += ["## Chapters of which nothing is this machine's", ""]
    lines += ["| Chapter | Title | Rows |", "| --- | --- | --- |"]
    lines += [
        f"| {one.chapter} | {one.title} | {len(one.rows)} |"
        for one in chapters
        if not _is_ours(one)
    ]
    lines += ["", RULES_HEAD]
    for rule, place, words in PLACES:
        lines += _rule(rule, place, words)
    return "\n".join(lines)


def _is_ours(chapter: rows.Chapter) -> bool:
    return set(chapter.counts()) != {"not_ours"}


def _counts(chapters: list[rows.Chapter]) -> str:
    every = [row.status for chapter in chapters for row in chapter.rows]
    told = ", ".join(
        f"{every.count(status)} {status.replace('_', ' ')}" for status in rows.STATUSES
    )
    return f"All chapters together have {len(every)} rows: {told}.\n"


def _chapter(chapter: rows.Chapter) -> list[str]:
    counts = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in chapter.counts().items())
    lines = [f"## {chapter.title}", "", f"N.J.A.C. {chapter.chapter}: {counts}.", ""]
    lines += ["| Where | What the text asks | Who | Rules |", "| --- | --- | --- | --- |"]
    for row in chapter.rows:
        if row.status in WHO:
            lines.append(f"| {row.at} | {row.says} | {WHO[row.status]} | {_links(row)} |")
    lines.append("")
    for row in chapter.rows:
        if row.status in TOLD_BELOW:
            lines += _wrap(f"- {row.at}, {WHO[row.status]}: {row.why}", "  ")
    others = dict.fromkeys(row.at for row in chapter.rows if row.status == "not_ours")
    if others:
        lines += ["", *_wrap(f"Not this machine's, at least in part: {', '.join(others)}.", "")]
    return [*lines, ""]


def _links(row: rows.Row) -> str:
    known = rules_once()
    return ", ".join(f"[{one}](#{one.lower()})" if one in known else one for one in row.rules)


def _wrap(words: str, indent: str) -> list[str]:
    return textwrap.wrap(
        words,
        COLUMNS,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _rule(rule: str, place: str, words: str) -> list[str]:
    trace = rules_once()[rule]
    lines = [f"### {rule}", "", *_wrap(f"{place}. Here: {words}.", ""), ""]
    for title, names in (
        ("Refusals", trace.events),
        ("Games", trace.games),
        ("Code", trace.files),
        ("Proved", trace.proved),
        *trace.tests.items(),
    ):
        if names:
            told = ", ".join(f"`{name}`" for name in dict.fromkeys(names))
            lines += _wrap(f"- *{title}*: {told}", "  ")
    return [*lines, ""]


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
    say(f"docs/rules.md: {len(PLACES)} rules, {len(without_tests())} without a test")
