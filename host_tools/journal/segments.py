"""Records as they lie in the segments of a machine's flash. docs/memory.md has the layout."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from zlib import crc32

from dovetail.journal.kinds import KINDS, PAYLOAD
from dovetail.journal.record import SIZE, TAG
from dovetail.journal.ring import HEADER, MARK, SECTOR

RECORD = SIZE
PLACES = (SECTOR - HEADER) // RECORD
# Of a record: where its parts begin
PAYLOAD_AT = 20  # from journal/kinds.py: _PAYLOAD_AT
BODY = 44  # from journal/record.py: _BODY
CRC_AT = 60  # from journal/record.py: _CRC
# Of a segment's header
FIRST_AT = 20  # from journal/journal.py: _FIRST_AT
DEVICE_AT = 24  # from journal/journal.py: _DEVICE_AT
KEY_AT = 32  # from journal/journal.py: _KEY_AT
BEFORE_AT = 36  # from journal/journal.py: _BEFORE_AT
STATE_AT = 52  # from journal/journal.py: _STATE_AT
METERS_AT = 192  # from journal/journal.py: _METERS_AT
TAG_AT = 492  # from journal/journal.py: _TAG_AT
HEADER_CRC_AT = 508  # from journal/journal.py: _CRC_AT
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
        return int(struct.unpack_from("<I", self.raw, FIRST_AT)[0])

    @property
    def erases(self) -> int:
        """How often this sector was erased."""
        return int(struct.unpack_from("<I", self.raw, 8)[0])

    @property
    def device(self) -> bytes:
        """The chip's unique id."""
        return self.raw[DEVICE_AT:KEY_AT]

    @property
    def key_name(self) -> bytes:
        """Of the chain key."""
        return self.raw[KEY_AT:BEFORE_AT]

    @property
    def anchor(self) -> bytes:
        """Tag of the last record before it."""
        return self.raw[BEFORE_AT:STATE_AT]

    @property
    def tag(self) -> bytes:
        """Of the header."""
        return self.raw[TAG_AT:HEADER_CRC_AT]


def parse_record(raw: bytes, segment: int = 0, offset: int = 0) -> Record | None:
    """A record, or None when the bytes are not a whole one."""
    if raw[0] in (0, 255) or crc32(raw[:CRC_AT]) != struct.unpack_from("<I", raw, CRC_AT)[0]:
        return None
    kind, length, number, boot, low, high, time = struct.unpack_from("<BBIIIHI", raw)
    fields: dict[str, Value] = {}
    name = f"kind {kind}"
    if kind in _TABLE:
        name, form, names = _TABLE[kind]
        for key, value in zip(names, struct.unpack_from(form, raw, PAYLOAD_AT), strict=True):
            fields[key] = text_of(value) if isinstance(value, bytes) else int(value)
    else:
        fields["payload"] = raw[PAYLOAD_AT:][: min(length, PAYLOAD)].hex()
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
    return crc32(raw[MARK:HEADER_CRC_AT]) == struct.unpack_from("<I", raw, HEADER_CRC_AT)[0]


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
