"""`dovetail noise --raw`: samples of a board's noise part into a file, for those who judge them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from host_tools.arguments import Parser, whole_number
from host_tools.build.tell import BuildError, UsageError, stop
from host_tools.prompt import Prompt, PromptError

PURPOSE = """\
Stream raw samples of the noise part, before any test or conditioning, from a bench image's prompt
into a file. What runs on the board is stopped for it. Samples are read as in play, at least 10 us
apart, without a pause within each block of 32,768."""

EXAMPLES = (
    "dovetail noise --raw --port /dev/ttyACM0 --out noise.bin",
    "ea_non_iid noise.bin 1                       NIST's assessment, one byte a sample",
    "dovetail noise --raw --port /dev/ttyACM0 --format packed --bits 80000000 --out noise.u32",
    "dieharder -g 201 -f noise.u32 -a             it takes 32 samples a number",
    "dovetail noise --raw --port /dev/ttyACM0 --bits 1000 --append --out restarts.bin",
    "ea_restart restarts.bin 1 <min-entropy>      after 1,000 power cycles, a call for each",
)

BLOCK = 32_768  # samples that are read in one go
BEFORE = 512  # samples before each block, that the part may have had ready since the last one
FORMATS = ("samples", "packed")

SETUP = f"""
import binascii, board, gc, micropython
raw = packed = before = None  # of a call before this one
gc.collect()
if board.CHIP == "rp2350":
    from dovetail.hal.rp2350_noise import bits
else:
    from dovetail.hal.rp2_noise import bits
raw = bytearray({BLOCK})
packed = bytearray({BLOCK // 8})
before = bytearray({BEFORE})
@micropython.viper
def pack(samples, out):
    s = ptr8(samples)
    o = ptr8(out)
    for i in range(int(len(out))):
        x = 0
        for j in range(8):
            x |= (s[8 * i + j] & 1) << j
        o[i] = x
"""
READ = """
bits(before)
bits(raw)
pack(raw, packed)
print(binascii.hexlify(packed).decode())
"""

Samples = NDArray[np.uint8]


def blocks(run: Callable[[str], str], count: int) -> Iterator[Samples]:
    """So many samples in the order in which they were read, a block at a time."""
    run(SETUP)
    while count:
        packed = np.frombuffer(bytes.fromhex(run(READ)), np.uint8)
        block = np.unpackbits(packed, bitorder="little")[:count]
        count -= len(block)
        yield block


def encoded(samples: Samples, form: str) -> bytes:
    """samples: 0 or 1 a byte. packed: 32-bit numbers, low byte first, the first sample lowest."""
    packed = np.packbits(samples, bitorder="little") if form == "packed" else samples
    return packed.tobytes()


def write(read: Iterator[Samples], out: Path, form: str, told: Callable[[int], None]) -> str:
    """All samples into the file; what a person would first ask about them."""
    count = ones = changes = 0
    last = -1
    with out.open("wb") as file:
        for block in read:
            file.write(encoded(block, form))
            count += len(block)
            ones += int(block.sum())
            changes += int(np.count_nonzero(block[1:] != block[:-1])) + (last == 1 - int(block[0]))
            last = int(block[-1])
            told(count)
    return (
        f"{count:,} samples, {ones / count:.1%} ones, {changes / count:.1%} unlike the one before"
    )


def collect(port: str, count: int, out: Path, form: str, append: bool) -> str:
    """The samples of a board into the file, or nothing."""
    partial = out.with_name(out.name + ".partial")
    prompt = Prompt(port)
    try:
        told = _progress(count)
        said = write(blocks(prompt.run, count), partial, form, told)
        if append and out.exists():
            with out.open("ab") as file:
                file.write(partial.read_bytes())
        else:
            partial.replace(out)
        return said
    finally:
        prompt.close()
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _progress(count: int) -> Callable[[int], None]:
    """A line that counts, where somebody looks at it."""
    if not sys.stderr.isatty():
        return lambda done: None

    def told(done: int) -> None:
        end = "\n" if done == count else ""
        print(f"\rnoise: {done:,} of {count:,} samples", end=end, file=sys.stderr, flush=True)

    return told


def main(argv: Sequence[str]) -> int:
    """One file of samples."""
    parser = Parser("noise", PURPOSE, EXAMPLES)
    parser.add_argument(
        "--raw", action="store_true", required=True, help="before any test or conditioning"
    )
    parser.add_argument("--port", required=True, help="where the prompt of a bench image answers")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to")
    parser.add_argument(
        "--bits", type=whole_number(1), default=1_000_000, metavar="N", help="how many samples"
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default=FORMATS[0],
        help="samples: 0 or 1, one a byte; packed: 32 a number, low byte and first sample first",
    )
    parser.add_argument("--append", action="store_true", help="to what the file has already")
    args = parser.parse_args(argv)
    out: Path = args.out
    if args.format == "packed" and args.bits % 32:
        parser.error(f"--bits {args.bits}: packed takes a multiple of 32")
    if not out.parent.is_dir() or out.is_dir():
        parser.error(f"--out {out}: no such folder, or a folder itself")
    try:
        said = collect(args.port, args.bits, out, args.format, args.append)
    except PromptError as error:
        stop(UsageError(f"noise: {error}"))
    except OSError as error:
        stop(BuildError(f"noise: {out}: {error.strerror}"))
    except KeyboardInterrupt:
        print("noise: stopped, nothing written", file=sys.stderr)
        return 1
    print(f"{out}: {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
