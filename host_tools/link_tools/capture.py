"""A capture of a line: a text file, one JSON line for bytes that came together from one side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from host_tools.build.tell import UsageError
from host_tools.link import frame

KINDS = {"controller": frame.REQUEST, "machine": frame.REPORT}
NAMES = {kind: name for name, kind in KINDS.items()}


@dataclass(frozen=True)
class Piece:
    """Bytes from one side, and when: seconds since the capture began."""

    time_s: float
    kind: int
    data: bytes


def write(to: IO[str], piece: Piece) -> None:
    """Add a piece at the end."""
    row = {"s": round(piece.time_s, 6), "from": NAMES[piece.kind], "bytes": piece.data.hex()}
    to.write(json.dumps(row) + "\n")
    to.flush()


def read(path: Path) -> Iterator[Piece]:
    """Every piece of a file, in its order; a file that can't be read is told at once."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        way = "name a file that `dovetail link sniff --to FILE` has made"
        raise UsageError(f"link sniff: {path}: cannot be read: {why}; {way}") from None
    return _pieces(path, lines)


def _pieces(path: Path, lines: list[str]) -> Iterator[Piece]:
    for number, line in enumerate(lines, 1):
        try:
            row: Any = json.loads(line)
            yield Piece(float(row["s"]), KINDS[row["from"]], bytes.fromhex(row["bytes"]))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            way = '{"s": 0.1, "from": "controller" or "machine", "bytes": hexadecimal}'
            raise UsageError(f"link sniff: {path}, line {number}: not as {way}") from None
