"""Print the rows of the texts, how many have each status, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from host_tools.arguments import one_of
from host_tools.build.tell import UsageError
from host_tools.rules import device
from host_tools.rules.texts import index
from host_tools.rules.texts.rows import STATUSES, Chapter, load, mistakes
from host_tools.rules.traced import PLACES, without_tests

INDENT = " " * 28
VALUE = re.compile(r"`(\w+)` = (\d+)")  # of a profile, in the reason of a row


def tell_texts(game: str) -> int:
    """Print all chapters, or one; 0 when every row is right and no sentence lacks a row."""
    try:
        chapters = load()
    except ValueError as error:
        raise UsageError(str(error)) from error
    if game:
        one_of("chapter", game, (chapter.name for chapter in chapters))
    for chapter in chapters:
        if game in ("", chapter.name):
            print("\n".join(_lines(chapter)))
    every = [row.status for chapter in chapters for row in chapter.rows]
    sentences = index.read()
    count = sum(len(hashes) for texts in sentences.values() for hashes in texts.values())
    print(f"{len(chapters)} chapters, {len(every)} rows, {count} sentences of the texts")
    for status, meaning in STATUSES.items():
        print(f"  {status:<12} {every.count(status):>4}  {meaning}")
    wrong = problems(chapters)
    lacking = index.uncovered(sentences, chapters)
    for what in wrong:
        print(f"wrong: {what}")
    for place in lacking:
        print(f"without a row: {place}")
    print(f"{len(lacking) or 'no'} sentence{'s are' if len(lacking) > 1 else ' is'} without a row")
    return 1 if wrong or lacking else 0


def problems(chapters: list[Chapter]) -> list[str]:
    """Return the mistakes of the rows by themselves, and against the index of sentences."""
    known = {rule for rule, _, _ in PLACES}
    return [
        *mistakes(chapters, known, set(without_tests())),
        *index.strays(index.read(), chapters),
        *untrue_values(chapters),
    ]


def untrue_values(chapters: list[Chapter]) -> list[str]:
    """Return the values of profiles that rows tell and that the machine does not have."""
    found: list[str] = []
    for chapter in (one for one in chapters if one.game):
        for row in chapter.rows:
            for key, told in VALUE.findall(row.why):
                has = device.value(chapter.game, key) if key in device.KEYS else "no such key"
                if told != str(has):
                    found.append(f"{row.place}: `{key}` = {told}, but the profile has {has}")
    return found


def _lines(chapter: Chapter) -> Iterator[str]:
    counts = ", ".join(f"{number} {status}" for status, number in chapter.counts().items())
    yield f"{chapter.chapter} {chapter.title} ({chapter.name}): {counts}"
    for row in chapter.rows:
        yield f"  {row.at:<14}{row.status:<12}{row.says}"
        if row.rules:
            yield f"{INDENT}{', '.join(row.rules)}"
        if row.why and row.status in ("open", "house"):
            yield f"{INDENT}{row.why}"
    yield ""
