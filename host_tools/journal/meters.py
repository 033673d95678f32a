"""The meters as they follow from a journal, and as a table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from dovetail.journal.kinds import KINDS
from dovetail.journal.meters import NAMES, Meters
from dovetail.journal.state import State

from host_tools.journal.segments import METERS_AT, STATE_AT, Journal


def after(journal: Journal) -> dict[str, int]:
    """By the newest whole header and the records after it, counted as the machine counts."""
    whole = [segment for segment in journal.segments if segment.whole]
    if not whole:
        return {}
    meters: Any = Meters()
    state: Any = State()
    state.unpack_from(whole[-1].raw, STATE_AT)
    for i in range(len(meters.at)):
        meters.at[i] = int.from_bytes(whole[-1].raw[METERS_AT + 4 * i :][:4], "little")
    rows = {row[1]: row for row in KINDS}
    number = whole[-1].first
    for segment in journal.segments:
        if segment.number < whole[-1].number:
            continue
        for record in segment.records:
            if record.number >= number:
                number = record.number + 1
                kind = rows.get(record.kind)
                if kind:  # not of a newer image
                    meters.apply(kind, record.fields, state)
                with suppress(IndexError, AttributeError):  # of a deck that there is not: forged
                    when = record.boot, record.uptime_ms, record.time
                    state.apply(record.kind, record.fields, *when)
    found: dict[str, int] = meters.named()
    found["seconds"] = state.seconds
    return found


def table(values: dict[str, int]) -> Iterator[str]:
    """One line a meter."""
    for name in NAMES:
        value = values.get(name, 0)
        shown = f"{value / 3600:,.1f}" if name == "seconds" else f"{value:,}"
        yield f"{'hours' if name == 'seconds' else name.replace('_', ' '):<28}{shown:>14}"
