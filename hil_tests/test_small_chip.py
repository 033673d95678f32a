"""The image for 16 MB on a chip of 2 MB, whose beginning shows again behind its end."""

from __future__ import annotations

import pytest

from hil_tests.hal_bench import Bench
from host_tools.journal.wear import Life

MB = 1024 * 1024
PAGE = 256

ASK = "from dovetail.hal.rp2_store import *\nprint([chip_bytes(board), journal_bytes(board)])"


@pytest.mark.parametrize(
    ("megabytes", "journal"),
    [(16, 8 * MB), (8, 7 * MB - 256 * 1024), (4, 3 * MB - 256 * 1024), (2, MB - 256 * 1024)],
)
def test_the_journal_takes_what_is_there(megabytes: int, journal: int) -> None:
    """The size is found at power-on by looking, and nothing beyond it is used."""
    bench = Bench()
    flash = bench.board.chip.flash()
    if megabytes < 16:
        flash[megabytes * MB : megabytes * MB + PAGE] = bytes(flash[:PAGE])
    assert bench.ask(ASK) == [megabytes * MB, journal]
    assert Life(journal).kept > 10_000
