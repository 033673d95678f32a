"""The journal as JSON lines, which can be verified again, and as CSV for a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime

from host_tools.journal.segments import HEADER, Journal, Record, Segment

COLUMNS = ("number", "boot", "uptime_ms", "time", "kind")


def iso(time: int) -> str:
    """A time of the controller; empty when it was not known."""
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if time else ""


def header_line(segment: Segment) -> str:
    """The line of a segment's header."""
    row = {"segment": segment.number, "offset": 0, "first": segment.first}
    return json.dumps({**row, "raw": segment.raw[:HEADER].hex()})


def record_line(record: Record) -> str:
    """The line of a record."""
    head = (record.number, record.boot, record.uptime_ms, iso(record.time), record.kind)
    row = dict(zip(COLUMNS, head, strict=True))
    place = {"segment": record.segment, "offset": record.offset, "raw": record.raw.hex()}
    return json.dumps({**row, "fields": record.fields, **place})


def json_lines(journal: Journal) -> Iterator[str]:
    """All of it, header by header and record by record."""
    for segment in journal.segments:
        yield header_line(segment)
        for record in segment.records:
            yield record_line(record)


def csv_lines(journal: Journal) -> Iterator[str]:
    """One row a record; what it says in one column, `name=value` by `name=value`."""
    yield _row([*COLUMNS, "fields"])
    for record in journal.records():
        says = "; ".join(f"{name}={value}" for name, value in record.fields.items())
        yield _row(
            [record.number, record.boot, record.uptime_ms, iso(record.time), record.kind, says]
        )


def _row(cells: list[int | str] | list[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(cells)
    return out.getvalue()


FORMATS = {"jsonl": json_lines, "csv": csv_lines}
