"""The images that tests of the emulated board run."""

from __future__ import annotations

from pathlib import Path

from host_tools.tests.needs import built

BUILD = Path(__file__).resolve().parents[2] / "build"


def image(variant: str = "bench", board: str = "shuffler_rp2040") -> Path:
    """Return an image that `make test` has built; skip where there is no compiler for one."""
    path = BUILD / f"{board}-{variant}" / "dovetail.uf2"
    return built("image", path, f"make image BOARD={board} VARIANT={variant}")
