"""The story of a round or of an incident: which records belong to it, told in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from host_tools.build.tell import UsageError
from host_tools.journal.segments import Record
from host_tools.journal.words import line, told

# What matters to everybody, whatever round it is
ALWAYS = ("started", "fault", "cleared", "locked_out", "removed", "damage", "clock", "idle")
# What matters to a round when it is of its deck
OF_DECK = ("declared", "shuffle_begun", "shuffle_done", "ready", "whole_deck", "stub_counted")
BEFORE = 8  # records told before a fault


def of_round(records: Sequence[Record], number: int) -> list[Record]:
    """From the shuffle of its deck to its end; faults and starts in between."""
    mine = [i for i, one in enumerate(records) if one.fields.get("round") == number]
    if not mine:
        raise UsageError(f"--story round={number}: no record of this round is kept")
    begin, end = mine[0], mine[-1]
    opened = records[begin]
    back = opened.get("back") if opened.kind == "opened" else 0
    for i in range(begin, -1, -1):  # the shuffle that it was played from
        if records[i].kind == "shuffle_begun" and records[i].get("back") == back:
            begin = i
            break
    told_of: list[Record] = []
    for i in range(begin, end + 1):
        one = records[i]
        of_deck = one.kind in OF_DECK and one.get("back") == back
        if one.fields.get("round") == number or one.kind in ALWAYS or of_deck:
            told_of.append(one)
    return told_of


def of_fault(records: Sequence[Record], number: int) -> list[Record]:
    """An incident, by its record or 0 for the last: what led to it, until it was cleared."""
    faults = [i for i, one in enumerate(records) if one.kind == "fault"]
    if number:
        faults = [i for i in faults if records[i].number == number]
    if not faults:
        what = f"record {number} is no fault that is kept" if number else "no fault is kept"
        raise UsageError(f"--story fault: {what}")
    at = end = faults[-1]
    while end + 1 < len(records) and records[end].kind != "cleared":
        end += 1
    return list(records[max(at - BEFORE, 0) : end + 1])


def of_start(records: Sequence[Record], number: int) -> list[Record]:
    """Everything from a start of the machine to the next."""
    mine = [one for one in records if one.boot == number]
    if not mine:
        raise UsageError(f"--story start={number}: no record of this start is kept")
    return mine


STORIES: dict[str, Callable[[Sequence[Record], int], list[Record]]] = {
    "round": of_round,
    "fault": of_fault,
    "start": of_start,
}


def parse(text: str) -> tuple[str, int]:
    """`round=12`, `fault=last`, `fault=1234`, `start=3`."""
    kind, _, value = text.partition("=")
    if kind not in STORIES:
        raise UsageError(f"--story {text[:40]}: no such story; there is: {', '.join(STORIES)}")
    if kind == "fault" and value in ("", "last"):
        return kind, 0
    number = int(value) if re.fullmatch("[0-9]{1,10}", value) else 0
    if not number:
        raise UsageError(f"--story {text[:40]}: say which, as in {kind}=12")
    return kind, number


def tell(records: Sequence[Record], text: str) -> Iterator[str]:
    """The story, line by line, and how it ended."""
    kind, number = parse(text)
    mine = STORIES[kind](records, number)
    for record in mine:
        yield line(record)
    if kind == "round":
        yield ending(mine, number)


def ending(records: Sequence[Record], number: int) -> str:
    """One sentence on a round: what was delivered, and whether it stands."""
    stacks = [one for one in records if one.kind == "stack"]
    short = [
        one
        for one in stacks
        if one.get("verdict") or one.get("delivered") + one.get("from_table") != one.get("ordered")
    ]
    cards = sum(one.get("delivered") for one in stacks)
    text = f"round {number}: {len(stacks)} stacks, {cards} cards"
    if short:
        positions = ", ".join(str(one.get("position")) for one in short)
        text += f"; NOT WHAT WAS ORDERED at position {positions}"
    voids = [one for one in records if one.kind == "round_void" and one.get("round") == number]
    if voids:
        last = told(voids[-1])  # told again once its deck was counted
        return f"{text}; it is void: {last.partition(': ')[2]}"
    rest = [one for one in records if one.kind == "remainder"]
    if not rest:
        if any(one.kind == "closed" for one in records):  # from the hand, or in continuous play
            return f"{text}; it is closed"
        return f"{text}; its rest was not released"
    left, expected = rest[0].get("delivered"), rest[0].get("expected")
    total = left + rest[0].get("dealt")
    agrees = "every card is accounted for" if total == expected else "THE COUNT IS WRONG"
    return f"{text}; rest {left}, together {total} of {expected}: {agrees}"
