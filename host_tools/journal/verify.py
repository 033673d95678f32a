"""Proves a journal: every record whole, none missing, and the chain made with the machine's key."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from host_tools.build.tell import UsageError
from host_tools.journal.segments import BODY, MARK, TAG, TAG_AT, Journal, Record, Segment

NO_KEY = bytes(32)


def chain_key(audit_key: bytes, device: bytes) -> bytes:
    """The chain key of a device, from its audit key."""
    return hmac.digest(audit_key, b"dovetail journal" + device, hashlib.sha256)


def name_of(key: bytes) -> bytes:
    """What segments call a chain key."""
    return hashlib.sha256(key).digest()[:4]


def tag_of(key: bytes, data: bytes) -> bytes:
    """HMAC-SHA256, the first 128 bits."""
    return hmac.digest(key, data, hashlib.sha256)[:TAG]


def read_key(path: Path) -> bytes:
    """An audit key from a file: 64 hexadecimal digits."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError:
        text = ""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != 32:
        raise UsageError(f"{path}: an audit key is 64 hexadecimal digits")
    return key


@dataclass
class Findings:
    """What was looked at, and what was found."""

    records: int = 0
    first: int = 0
    last: int = 0
    proven: int = 0  # records whose tag is right
    unproven: int = 0  # made with another key: their numbers and checksums hold
    problems: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def lines(self) -> Iterator[str]:
        """For people."""
        if not self.records:
            yield "no records"
        else:
            yield f"records {self.first} to {self.last}: {self.records} read, {self.proven} proven"
        yield from self.notes
        yield from self.problems
        yield "the journal is whole" if self.good else "THE JOURNAL IS NOT WHOLE"


def verify(journal: Journal, audit_key: bytes | None = None) -> Findings:
    """Check all of it. Without a key the chain of a machine that has none yet is checked."""
    found = Findings(problems=list(journal.wrong))
    before: bytes | None = None  # tag of the record before, while it is known
    devices = {segment.device for segment in journal.segments if segment.whole}
    if len(devices) > 1:
        found.problems.append(f"segments of {len(devices)} devices are mixed")
    expected = 0
    last_segment = early = 0
    keyed = False
    for segment in journal.segments:
        key = _key(segment, audit_key)
        if key is not None and audit_key is not None:
            if key != _key(segment, None):
                keyed = True
            elif keyed:
                found.problems.append(
                    f"segment {segment.number}: without a key, after some with it"
                )
            else:
                early += 1
        if last_segment and segment.number != last_segment + 1:
            gap = f"segments {last_segment + 1} to {segment.number - 1} are missing"
            found.problems.append(gap)
            before = None
        last_segment = segment.number
        before = _header(segment, key, before, found)
        if segment.whole and segment.first > expected:
            if expected:
                found.problems.append(_missing(expected, segment.first))
            expected = segment.first
        for record in segment.records:
            if record.number < expected:
                continue  # was written again further on
            if expected and record.number > expected:
                found.problems.append(_missing(expected, record.number))
                before = None
            found.first = found.first or record.number
            _record(record, key, before, found)
            before = record.tag
            expected = record.number + 1
            found.records += 1
            found.last = record.number
        for offset in segment.mended:
            found.notes.append(f"segment {segment.number}, byte {offset}: a flipped bit, put right")
        for offset in segment.damaged:
            at = f"segment {segment.number}, byte {offset}"
            found.notes.append(f"{at}: no whole record: torn when the power went, or damaged")
    if found.unproven:
        what = f"{found.unproven} records were chained with another key: numbers and checksums only"
        (found.notes if audit_key is None else found.problems).append(what)
    if early:
        found.notes.append(f"{early} segments are from before the machine had a key")
    if audit_key is not None and not keyed:
        found.problems.append("nothing in it was chained with this key")
    return found


def _key(segment: Segment, audit_key: bytes | None) -> bytes | None:
    """The chain key of a segment: made from this audit key, or from none; None: from another."""
    for audit in (audit_key, NO_KEY):
        if segment.whole and audit is not None:
            key = chain_key(audit, segment.device)
            if name_of(key) == segment.key_name:
                return key
    return None


def _missing(expected: int, number: int) -> str:
    if number == expected + 1:
        return f"record {expected} is missing"
    return f"records {expected} to {number - 1} are missing"


def _header(
    segment: Segment, key: bytes | None, before: bytes | None, found: Findings
) -> bytes | None:
    """Its tag, when what follows can be chained to it."""
    if not segment.whole:
        found.problems.append(f"segment {segment.number}: its header is damaged")
        return None
    if before is not None and segment.anchor != before:
        found.problems.append(f"segment {segment.number} does not follow what lies before it")
    if key is not None and tag_of(key, segment.raw[MARK:TAG_AT]) != segment.tag:
        found.problems.append(f"segment {segment.number}: its header was altered")
    return segment.tag


def _record(record: Record, key: bytes | None, before: bytes | None, found: Findings) -> None:
    if key is None:
        found.unproven += 1
    elif before is not None:
        if tag_of(key, before + record.raw[:1] + record.raw[6:BODY]) == record.tag:
            found.proven += 1
        else:
            found.problems.append(f"record {record.number} was altered, or put here")
