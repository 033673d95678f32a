"""Builds mpy-cross and MicroPython's unix port, the interpreter of the firmware's unit tests.

All that is built goes below build/; the tree that it is built from stays as it was.
"""

import os
from pathlib import Path

from host_tools.build import needed, sources
from host_tools.build.sources import stamp_of, tree
from host_tools.build.tell import (
    BUILD,
    REPRODUCIBLE,
    BuildError,
    alone,
    fresh_folder,
    run,
    say,
    stop,
)

MPY_CROSS = BUILD / "mpy-cross" / "mpy-cross"
MICROPYTHON = BUILD / "unix" / "micropython"
MANIFEST = Path(__file__).with_name("unix_manifest.py")
JOBS = f"-j{os.cpu_count() or 1}"


def _make(name: str, folder: str, program: Path, *settings: str) -> None:
    """Run a makefile of the tree with `program`'s folder as its build folder."""
    source = tree()
    fresh_folder(program.parent, f"{source} {stamp_of(source)}")
    if not program.is_file():
        say(f"unix: building {name}")
    make = ["make", JOBS, "-C", source / folder, f"BUILD={program.parent}", f"PROG={name}"]
    run(name, [*make, *settings], env=REPRODUCIBLE)


def build_mpy_cross() -> Path:
    """The compiler from .py to .mpy, which every other build needs."""
    needed.require("mpy-cross", "mpy-cross")
    _make("mpy-cross", "mpy-cross", MPY_CROSS)
    return MPY_CROSS


def build_unix() -> Path:
    """The interpreter, with what the device's image has of pure modules."""
    needed.require("unix", "unix")
    build_mpy_cross()
    _make(
        "micropython",
        "ports/unix",
        MICROPYTHON,
        f"MICROPY_MPYCROSS={MPY_CROSS}",
        f"FROZEN_MANIFEST={MANIFEST}",
        "MICROPY_PY_BTREE=0",
        "MICROPY_SSL_AXTLS=0",
        "MICROPY_SSL_MBEDTLS=1",
    )
    return MICROPYTHON


if __name__ == "__main__":
    try:
        needed.require("unix", "unix")  # before a tree is fetched for nothing
        with alone():
            sources.main()
            build_unix()
    except BuildError as error:
        stop(error)
