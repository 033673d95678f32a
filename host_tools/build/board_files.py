"""What the image build reads of boards/: which boards there are, and that their files agree."""

import csv
import runpy
from typing import Any

from host_tools.build.tell import ROOT, BuildError, UsageError

BOARDS = ROOT / "boards"
VARIANTS = ("bench", "production")


def mark(board: str, variant: str) -> str:
    """What an image of ours carries, so that its file can be told from others."""
    return f"dovetail image {board} {variant}"


def board_names() -> list[str]:
    """Every folder of boards/ that describes a board."""
    return sorted(path.parent.name for path in BOARDS.glob("*/board.py"))


def check_names(board: str, variant: str) -> None:
    """Say which names there are when one of these is not among them."""
    if board not in board_names():
        raise UsageError(f"image: no board '{board}'; there are: {', '.join(board_names())}")
    if variant not in VARIANTS:
        raise UsageError(f"image: no variant '{variant}'; there are: {', '.join(VARIANTS)}")


def board_table(board: str) -> dict[str, Any]:
    """The names that board.py defines."""
    return runpy.run_path(str(BOARDS / board / "board.py"))


def csv_pins(board: str) -> dict[str, int]:
    """Pin name → GPIO number, as MicroPython reads them from pins.csv.

    The file has the names in capitals: MicroPython makes a C macro of each, and `pin_count`
    for one is a word of the chip's own headers.
    """
    with (BOARDS / board / "pins.csv").open(newline="", encoding="utf-8") as file:
        return {name.lower(): int(gpio.removeprefix("GPIO")) for name, gpio in csv.reader(file)}


def check_pins(board: str) -> None:
    """board.py and pins.csv must say the same of every pin."""
    table: dict[str, int] = board_table(board)["PINS"]
    listed = csv_pins(board)
    for name in sorted(table.keys() | listed.keys()):
        if table.get(name) != listed.get(name):
            raise BuildError(
                f"image: boards/{board}: pin '{name}' is {table.get(name, 'absent')} in board.py"
                f" and {listed.get(name, 'absent')} in pins.csv"
            )
