"""Records as they lie in the segments of a machine's flash. docs/memory.md has the layout."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from zlib import crc32

from dovetail.journal.kinds import KINDS

SECTOR = 4096
MARK = 16
HEADER = 512
RECORD = 64
PLACES = (SECTOR - HEADER) // RECORD
BODY = 44
TAG = 16
ERASED = b"\xff"
CLOSED = bytes(RECORD)

Value = int | str

_TABLE: dict[int, tuple[str, str, tuple[str, ...]]] = {
    number: (name, form, names) for number, name, form, names, _ in KINDS
}
KIND_NAMES = tuple(row[1] for row in KINDS)


@dataclass(frozen=True)
class Record:
    """One thing that happened."""

    number: int
    boot: int
    uptime_ms: int
    time: int
    kind: str
    fields: dict[str, Value]
    raw: bytes = field(repr=False)
    segment: int = 0
    offset: int = 0

    @property
    def tag(self) -> bytes:
        """What chains it to the one before."""
        return self.raw[BODY : BODY + TAG]

    def get(self, name: str) -> int:
        """A field that is a number; 0 when this kind does not have it."""
        value = self.fields.get(name, 0)
        return value if isinstance(value, int) else 0


@dataclass
class Segment:
    """A sector: its header and what follows."""

    number: int
    raw: bytes = field(repr=False)
    whole: bool = True  # its header
    records: list[Record] = field(default_factory=list[Record], repr=False)
    damaged: list[int] = field(default_factory=list[int])  # offsets of what is no whole record
    mended: list[int] = field(default_factory=list[int])  # and of records with one flipped bit

    @property
    def first(self) -> int:
        """Number of its first record."""
        return int(struct.unpack_from("<I", self.raw, 20)[0])

    @property
    def erases(self) -> int:
        """How often this sector was erased."""
        return int(struct.unpack_from("<I", self.raw, 8)[0])

    @property
    def device(self) -> bytes:
        """The chip's unique id."""
        return self.raw[24:32]

    @property
    def key_name(self) -> bytes:
        """Of the chain key."""
        return self.raw[32:36]

    @property
    def anchor(self) -> bytes:
        """Tag of the last record before it."""
        return self.raw[36:52]

    @property
    def tag(self) -> bytes:
        """Of the header."""
        return self.raw[492:508]


def parse_record(raw: bytes, segment: int = 0, offset: int = 0) -> Record | None:
    """A record, or None when the bytes are not a whole one."""
    if raw[0] in (0, 255) or crc32(raw[:60]) != struct.unpack_from("<I", raw, 60)[0]:
        return None
    kind, length, number, boot, low, high, time = struct.unpack_from("<BBIIIHI", raw)
    fields: dict[str, Value] = {}
    name = f"kind {kind}"
    if kind in _TABLE:
        name, form, names = _TABLE[kind]
        for key, value in zip(names, struct.unpack_from(form, raw, 20), strict=True):
            fields[key] = text_of(value) if isinstance(value, bytes) else int(value)
    else:
        fields["payload"] = raw[20 : 20 + min(length, 24)].hex()
    return Record(number, boot, high << 32 | low, time, name, fields, raw, segment, offset)


def mended(raw: bytes, segment: int, offset: int) -> Record | None:
    """The record that it is when one bit is flipped back, or None."""
    whole = int.from_bytes(raw, "little")
    for bit in range(8 * RECORD):
        record = parse_record((whole ^ 1 << bit).to_bytes(RECORD, "little"), segment, offset)
        if record is not None:
            return record
    return None


def text_of(value: bytes) -> str:
    """Text that is filled up with zeros."""
    return value.rstrip(b"\0").decode("ascii", errors="replace")


def mark_of(raw: bytes) -> int:
    """The number that a sector's mark has; 0 when it is no segment."""
    magic, low, high = struct.unpack_from("<HHH", raw)
    whole = magic == 0x4A44 and crc32(raw[:12]) == struct.unpack_from("<I", raw, 12)[0]
    return low | high << 16 if whole else 0


def header_is_whole(raw: bytes) -> bool:
    """Whether the bytes 16 to 511 are a header."""
    return crc32(raw[MARK:508]) == struct.unpack_from("<I", raw, 508)[0]


def parse_segment(number: int, raw: bytes) -> Segment:
    """Everything that a segment holds; what is damaged is passed over and listed."""
    raw = raw.ljust(SECTOR, ERASED)
    segment = Segment(number, raw, header_is_whole(raw))
    for offset in range(HEADER, SECTOR, RECORD):
        piece = raw[offset : offset + RECORD]
        if piece in (ERASED * RECORD, CLOSED):
            continue
        record = parse_record(piece, number, offset)
        if record is None:
            record = mended(piece, number, offset)
            (segment.damaged if record is None else segment.mended).append(offset)
        if record is not None:
            segment.records.append(record)
    return segment


def find(flash: bytes) -> dict[int, bytes]:
    """The segments in a copy of flash, or of a part of it: number → bytes."""
    found: dict[int, bytes] = {}
    for at in range(0, len(flash) - SECTOR + 1, SECTOR):
        raw = flash[at : at + SECTOR]
        number = mark_of(raw)
        if number == 0 and header_is_whole(raw):  # its mark is damaged
            number = int(struct.unpack_from("<I", raw, MARK)[0])
        if number and raw[MARK:] != ERASED * (SECTOR - MARK):
            found[number] = raw
    return found


@dataclass
class Journal:
    """All segments of one machine, in their order."""

    segments: list[Segment]
    wrong: list[str] = field(default_factory=list[str])  # what an export says beside its bytes

    @classmethod
    def of(cls, raw: dict[int, bytes]) -> Journal:
        """From the bytes of segments."""
        return cls([parse_segment(number, raw[number]) for number in sorted(raw)])

    def records(self) -> Iterator[Record]:
        """Every record, the oldest first; one that was written twice comes once."""
        last = 0
        for segment in self.segments:
            for record in segment.records:
                if record.number > last:
                    last = record.number
                    yield record
