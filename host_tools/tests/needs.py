"""The one way in which a test is left out: this machine lacks a package that the test needs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from host_tools.build.needed import reason_of
from host_tools.build.unix import MICROPYTHON

_reason_of = cache(reason_of)  # asked by many tests


def needs(work: str) -> None:
    """Skip the test that runs now if the machine cannot do this work; say what it lacks."""
    if lack := _reason_of(work):
        pytest.skip(lack)


def built(work: str, path: Path, command: str) -> Path:
    """Return a file that was built; skip without the compilers, fail if nobody ran them."""
    if not path.is_file():
        needs(work)
        pytest.fail(f"{path.name} is not built: {command}")
    return path


def unix_port() -> Path:
    """Return MicroPython's unix port."""
    return built("unix", MICROPYTHON, "make unix")
