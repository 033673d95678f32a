"""atheris at the device's link: `python -m host_tools.tests.link_guided FOLDER --frames N`.

What it makes up is taken apart into up to 40 frames: as they are, with a right CRC, with a right
header too, or as bodies of the rightful controller. --plant puts a bug behind two branches.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

atheris: Any = import_module("atheris")  # it has no types
with atheris.instrument_imports(include=["dovetail"]):
    answers: Any = import_module("dovetail.link.answers")
    attacked: Any = import_module("host_tools.tests.link_fuzz")
    mutate: Any = import_module("host_tools.tests.link_mutate")

PIECES = 40
MAX_LEN = 1200
HEADER = bytes((0x11, 0, 1, 0, 0, 0))
SECRET = 0x1D


def plant() -> None:
    """A bug behind two branches of the codec, which no right request comes to."""
    codec: Any = answers.codec
    whole = codec.decode

    def decode(message: int, data: bytes) -> Any:
        if len(data) > 1 and data[0] == SECRET and data[1] > data[0]:
            raise IndexError("planted")
        return whole(message, data)

    codec.decode = atheris.instrument_func(decode)


def pieces(data: bytes) -> tuple[list[bytes], list[bytes]]:
    """Wires of a stranger, and bodies of the rightful controller."""
    wires: list[bytes] = []
    bodies: list[bytes] = []
    at = 0
    while at + 2 <= len(data) and len(wires) + len(bodies) < PIECES:
        way, n = data[at] & 7, data[at + 1]
        piece = data[at + 2 : at + 2 + n]
        at += 2 + n
        if way == 0:
            wires.append(piece + b"\0")
        elif way == 1:
            wires.append(attacked.with_crc(piece))
        elif way < 4:
            wires.append(attacked.with_crc(bytes((0x11, way & 1, way, 0, 0, 0)) + piece))
        else:
            bodies.append(piece)
    return wires, bodies


class Fuzz:
    """One target; a new one when its ids are used up, or every thousand inputs."""

    def __init__(self, frames: int) -> None:
        self.wanted = frames
        self.done = 0
        self.inputs = 0
        self.target = attacked.Target()

    def one(self, data: bytes) -> None:
        """What atheris calls."""
        wires, bodies = pieces(data)
        self.inputs += 1
        if self.inputs % 1000 == 0:
            self.done += self.target.frames
            self.target.close()
            self.target = attacked.Target()
        if wires:
            self.target.forge(wires)
        if bodies:
            self.target.inside(bodies)
        frames = self.done + self.target.frames
        if frames >= self.wanted:
            print(f"frames {frames}, inputs {self.inputs}", flush=True)
            os._exit(0)  # atheris knows no other end that is good


def corpus(folder: Path) -> None:
    """Every request, as each of the ways, to begin with."""
    for n, body in enumerate(mutate.REQUESTS):
        for way in (1, 2, 3, 4):
            piece = ((HEADER if way == 1 else b"") + body)[:255]
            (folder / f"{n}-{way}").write_bytes(bytes((way, len(piece))) + piece)


def main() -> None:
    """Set up, and never come back."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, help="for what it begins with and what it finds")
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plant", action="store_true")
    args = parser.parse_args()
    if args.plant:
        plant()
    folder: Path = args.folder
    folder.mkdir(parents=True, exist_ok=True)
    corpus(folder)
    options = [
        f"-seed={args.seed}",
        f"-max_len={MAX_LEN}",
        f"-artifact_prefix={folder}/",
        "-verbosity=0",
        "-use_value_profile=1",  # how near a comparison came counts too
    ]
    fuzz = Fuzz(args.frames)
    atheris.Setup([sys.argv[0], *options, str(folder)], fuzz.one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
