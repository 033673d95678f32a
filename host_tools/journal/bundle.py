"""One file for whoever helps: journal, meters, what the machine is. Nothing secret is in it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

from host_tools.journal import meters
from host_tools.journal.export import csv_lines, json_lines
from host_tools.journal.segments import Journal
from host_tools.journal.verify import verify
from host_tools.journal.whole_file import save
from host_tools.journal.words import line

ABOUT = """Made by `dovetail journal --bundle`. Keys, calibration and other settings are not in it.

about.json     board, image, serial number, as the machine says, and how many records there are
journal.jsonl  every record with its bytes, for `dovetail journal --export-file`
journal.csv    the same for a spreadsheet
journal.txt    the same in words
meters.json    the meters
check.txt      whether the journal is whole: numbers and checksums; the chain needs the audit key
"""


def files(journal: Journal, about: dict[str, object]) -> Iterator[tuple[str, str]]:
    """Name and content of each."""
    records = list(journal.records())
    devices = sorted({segment.device.hex() for segment in journal.segments if segment.whole})
    about = {"devices": devices, "records": len(records), **about}
    yield "README.txt", ABOUT
    yield "about.json", json.dumps(about, indent=2) + "\n"
    yield "journal.jsonl", "\n".join(json_lines(journal)) + "\n"
    yield "journal.csv", "\n".join(csv_lines(journal)) + "\n"
    yield "journal.txt", "\n".join(map(line, records)) + "\n"
    yield "meters.json", json.dumps(meters.after(journal), indent=2) + "\n"
    yield "check.txt", "\n".join(verify(journal).lines()) + "\n"


def write(path: Path, journal: Journal, about: dict[str, object]) -> None:
    """All or nothing, and the same bytes for the same journal."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in files(journal, about):
            bundle.writestr(zipfile.ZipInfo(name), content)
    save(path, packed.getvalue())
