"""Where a journal is read from: a machine on its line, a copy of its flash, or an export."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from host_tools.build.tell import UsageError
from host_tools.journal.export import COLUMNS, record_line
from host_tools.journal.segments import (
    HEADER,
    MARK,
    RECORD,
    SECTOR,
    Journal,
    find,
    parse_record,
)
from host_tools.link import link_pb2
from host_tools.link.client import Client

FOLLOW_S = 0.5
PLACES = range(HEADER, SECTOR, RECORD)
NEWER = "kind "  # how a kind begins that one of two tools did not know


async def part(client: Client, segment: int, offset: int) -> link_pb2.JournalPart:
    """Some bytes of a segment, as the machine gives them."""
    request = link_pb2.ReadJournal(segment=segment, offset=offset)
    return (await client.request("read_journal", request)).journal


@dataclass
class Reader:
    """Reads all segments, and then what is written after them."""

    client: Client
    raw: dict[int, bytes]
    newest: int = 0

    @classmethod
    def of(cls, client: Client) -> Reader:
        """At a machine that has said hello."""
        return cls(client, {})

    async def all(self) -> Journal:
        """Everything that is kept; full segments without a pause between their parts."""
        now = await part(self.client, 0, 0)
        await self.whole(range(now.oldest, now.newest), len(now.data) or SECTOR)
        await self.fetch(now.newest)
        self.newest = now.newest
        return Journal.of(self.raw)

    async def whole(self, segments: range, step: int) -> None:
        """Segments that are full, in parts of so many bytes."""
        asked = [
            link_pb2.ReadJournal(segment=segment, offset=at)
            for segment in segments
            for at in range(0, SECTOR, step)
        ]
        for answer in await self.client.read_ahead("read_journal", asked):
            got = answer.journal
            self.raw[got.segment] = self.raw.get(got.segment, b"") + got.data

    async def fetch(self, segment: int) -> bytes:
        """What a segment has beyond what was read of it."""
        new = b""
        have = self.raw.get(segment, b"")
        while len(have) < SECTOR:
            got = await part(self.client, segment, len(have))
            if not got.data:
                break
            new += got.data
            have += got.data
        self.raw[segment] = have
        return new

    async def follow(self) -> AsyncIterator[Journal]:
        """The journal again, whenever something was added to it."""
        while True:
            new = await self.fetch(self.newest)
            if not new and len(self.raw[self.newest]) == SECTOR:
                now = await part(self.client, 0, 0)
                if now.newest > self.newest:
                    self.newest += 1
                    continue
            if new:
                yield Journal.of(self.raw)
            else:
                await asyncio.sleep(FOLLOW_S)


def from_flash(path: Path) -> Journal:
    """From a copy of a machine's flash, or of the journal's part of it."""
    journal = Journal.of(find(_read(path)))
    if not journal.segments:
        raise UsageError(f"{path}: no journal is in it")
    return journal


def from_export(path: Path) -> Journal:
    """From JSON lines that were exported before; every line carries the bytes that it tells of."""
    raw: dict[int, bytearray] = {}
    wrong: list[str] = []
    for n, line in enumerate(_read(path).splitlines(), 1):
        try:
            row = cast(dict[str, object], json.loads(line))
            segment, offset = int(str(row["segment"])), int(str(row["offset"]))
            data = bytes.fromhex(str(row["raw"]))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise UsageError(f"{path}: line {n} is none of an export: {error}") from error
        if (len(data) != RECORD or offset not in PLACES) and (len(data) != HEADER or offset):
            raise UsageError(f"{path}: line {n} is none of an export: no such place")
        place = raw.setdefault(segment, bytearray(b"\xff" * SECTOR))
        if place[offset : offset + len(data)].strip(b"\xff"):
            wrong.append(f"line {n}: there is another one of this place")
        elif not agrees(row, data):
            wrong.append(f"line {n}: its words are not those of its bytes")
        place[offset : offset + len(data)] = data
    if not raw:
        raise UsageError(f"{path}: no records are in it")
    return Journal(
        Journal.of({number: bytes(data) for number, data in raw.items()}).segments, wrong
    )


def agrees(row: dict[str, object], data: bytes) -> bool:
    """Whether what a line tells is what its bytes tell, as far as both know of it."""
    if len(data) == HEADER:
        return [row["segment"], row.get("first")] == list(struct.unpack_from("<II", data, MARK))
    record = parse_record(data)
    if record is None:
        return False
    told, known = row.get("fields"), cast(dict[str, object], json.loads(record_line(record)))
    fields = cast(dict[str, object], known.pop("fields"))
    kinds = (str(row.get("kind")), record.kind)
    if NEWER in (kind[: len(NEWER)] for kind in kinds):
        known["kind"] = row.get("kind")
    return isinstance(told, dict) and all(
        [row.get(name) == known[name] for name in COLUMNS]
        + [cast(Any, told).get(name, fields[name]) == fields[name] for name in fields]
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
