"""The images that tests of the emulated board run."""

from __future__ import annotations

from pathlib import Path

import pytest

BUILD = Path(__file__).resolve().parents[2] / "build"


def image(variant: str = "bench", board: str = "shuffler_rp2040") -> Path:
    """One that is there: `make test` builds all. A bare pytest skips what it has no image for."""
    path = BUILD / f"{board}-{variant}" / "dovetail.uf2"
    if not path.exists():
        pytest.skip(f"{path.parent.name} is not built; make image BOARD={board} VARIANT={variant}")
    return path
