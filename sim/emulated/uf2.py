"""UF2 images: read and checked before anything is written anywhere."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from pathlib import Path

BLOCK = 512
FLASH_START, FLASH_END = 0x10000000, 0x11000000
FAMILIES = {
    "rp2040": {0xE48BFF56},
    "rp2350": {0xE48BFF57, 0xE48BFF58, 0xE48BFF59, 0xE48BFF5A, 0xE48BFF5B},
}

_HEAD = struct.Struct("<8I")
_MAGIC = (0x0A324655, 0x9E5D5157)
_MAGIC_END = struct.pack("<I", 0x0AB16F30)
_NOT_MAIN_FLASH = 0x00000001
_FAMILY_PRESENT = 0x00002000
_ABSOLUTE = 0xE48BFF57


class ImageError(Exception):
    """The file is no image that this chip can run; the message is one line."""


@dataclass(frozen=True)
class Image:
    """A checked image: pieces of flash, by offset from the start of flash."""

    path: Path
    sha256: str
    chip: str
    pieces: dict[int, bytes]

    def content(self) -> bytes:
        """Flash from its start to the image's end."""
        size = max(offset + len(piece) for offset, piece in self.pieces.items())
        flash = bytearray(b"\xff" * size)
        for offset, piece in self.pieces.items():
            flash[offset : offset + len(piece)] = piece
        return bytes(flash)

    def content_sha256(self) -> str:
        """Of content(): what the board itself can compute."""
        return hashlib.sha256(self.content()).hexdigest()


def read(path: Path, chip: str) -> Image:
    """Read an image file for a chip; raises ImageError with one line for anything amiss."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ImageError(f"{path}: {error.strerror}; build it with: make image") from error
    return parse(data, chip, path)


def parse(data: bytes, chip: str, path: Path) -> Image:
    """Check the bytes of an image file."""
    if not data or _HEAD.unpack_from(data.ljust(BLOCK))[:2] != _MAGIC:
        raise ImageError(f"{path}: not a UF2 image")
    if len(data) % BLOCK:
        raise ImageError(f"{path}: truncated UF2: {len(data)} bytes is no whole number of blocks")
    pieces: dict[int, bytes] = {}
    seen: set[int] = set()
    count = 0
    for start in range(0, len(data), BLOCK):
        number = start // BLOCK
        magic0, magic1, flags, address, size, index, total, family = _HEAD.unpack_from(data, start)
        end = data[start + BLOCK - 4 : start + BLOCK]
        if (magic0, magic1) != _MAGIC or end != _MAGIC_END or size > BLOCK - 36:
            raise ImageError(f"{path}: block {number} is damaged")
        if flags & _NOT_MAIN_FLASH or (chip == "rp2350" and family == _ABSOLUTE):
            continue  # not for main flash; a first block that the bootloader may lose
        if not flags & _FAMILY_PRESENT or family not in FAMILIES[chip]:
            raise ImageError(f"{path}: made for {_chip(flags, family)}, and this is an {chip}")
        inside = FLASH_START <= address < FLASH_END
        if not inside or index in seen or total != (count := count or total):
            raise ImageError(f"{path}: block {number} is damaged")
        seen.add(index)
        pieces[address - FLASH_START] = data[start + 32 : start + 32 + size]
    if len(seen) != count or not pieces:
        raise ImageError(f"{path}: truncated UF2: {len(seen)} of {count} blocks")
    return Image(path, hashlib.sha256(data).hexdigest(), chip, pieces)


def _chip(flags: int, family: int) -> str:
    if not flags & _FAMILY_PRESENT:
        return "no chip in particular"
    for chip, families in FAMILIES.items():
        if family in families:
            return f"an {chip}"
    return f"family 0x{family:08x}"
