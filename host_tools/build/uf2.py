"""The UF2 file format: what a board's boot loader takes as a drive, a copy of flash in blocks."""

import struct
from pathlib import Path

FLASH_START = 0x10000000
PAYLOAD_BYTES = 256
BLOCK_BYTES = 512
MAGIC = (0x0A324655, 0x9E5D5157)
MAGIC_END = 0x0AB16F30
HAS_FAMILY = 0x2000
HAS_EXTENSION = 0x8000

# Chip → the family number that its boot loader accepts.
FAMILIES = {"rp2040": 0xE48BFF56, "rp2350": 0xE48BFF59}
ABSOLUTE = 0xE48BFF57
IGNORE_BLOCK = 0x9957E304

_HEAD = struct.Struct("<8I")


def _block(
    address: int, data: bytes, number: int, count: int, family: int, *, extension: bytes = b""
) -> bytes:
    flags = HAS_FAMILY | (HAS_EXTENSION if extension else 0)
    head = _HEAD.pack(*MAGIC, flags, address, PAYLOAD_BYTES, number, count, family)
    body = (data + extension).ljust(BLOCK_BYTES - _HEAD.size - 4, b"\0")
    return head + body + struct.pack("<I", MAGIC_END)


def encode(image: bytes, chip: str) -> bytes:
    """The UF2 file that puts `image` at the start of a chip's flash."""
    family = FAMILIES[chip]
    image = image.ljust(-(-len(image) // PAYLOAD_BYTES) * PAYLOAD_BYTES, b"\0")
    count = len(image) // PAYLOAD_BYTES
    blocks = [
        _block(
            FLASH_START + number * PAYLOAD_BYTES,
            image[number * PAYLOAD_BYTES : (number + 1) * PAYLOAD_BYTES],
            number,
            count,
            family,
        )
        for number in range(count)
    ]
    if chip == "rp2350":
        # Erratum E10: the boot loader may lose the first block of a file, so one to lose goes first.
        spare = FLASH_START + 0xFFFF00
        extension = struct.pack("<I", IGNORE_BLOCK)
        filler = b"\xef" * PAYLOAD_BYTES
        blocks.insert(0, _block(spare, filler, 0, 2, ABSOLUTE, extension=extension))
    return b"".join(blocks)


def decode(path: Path) -> tuple[str, bytes]:
    """The chip that a UF2 file is for, and its image from the start of flash.

    Raises ValueError with one line that names the file when it is anything else.
    """
    raw = path.read_bytes()
    if not raw or len(raw) % BLOCK_BYTES:
        raise ValueError(f"{path}: not a UF2 file")
    chips = {family: chip for chip, family in FAMILIES.items()}
    found: set[str] = set()
    image = bytearray()
    for start in range(0, len(raw), BLOCK_BYTES):
        head = _HEAD.unpack_from(raw, start)
        end = struct.unpack_from("<I", raw, start + BLOCK_BYTES - 4)[0]
        if head[:2] != MAGIC or end != MAGIC_END:
            raise ValueError(f"{path}: not a UF2 file (block {start // BLOCK_BYTES})")
        _, _, flags, address, size, _, _, family = head
        if family == ABSOLUTE and flags & HAS_EXTENSION:
            continue
        if family not in chips:
            raise ValueError(f"{path}: for a chip that no board of ours has (family {family:#x})")
        found.add(chips[family])
        if address != FLASH_START + len(image):
            raise ValueError(f"{path}: not one piece from the start of flash")
        image += raw[start + _HEAD.size : start + _HEAD.size + size]
    if len(found) != 1:
        raise ValueError(f"{path}: for {len(found)} chips, one is needed")
    return found.pop(), bytes(image)
