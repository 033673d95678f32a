"""What the image build reads of boards/: which boards there are, and that their files agree."""

import csv
import runpy
from typing import Any

from host_tools.build.tell import ROOT, BuildError, UsageError

BOARDS = ROOT / "boards"
# What firmware and build read of a board.py: not one key less, and not one that nobody reads.
KEYS = ("NAME", "CHIP", "PINS", "MUX", "UART_BAUD", "FLASH_BYTES", "JOURNAL_BYTES")
AXES = ("pick", "feed", "wheel", "eject", "deal")
PINS = (
    *("uart_tx", "uart_rx", "enable", "lamp_green", "lamp_amber", "lamp_red", "buzzer", "mux"),
    *(f"step_{axis}" for axis in AXES),
    *(f"dir_{axis}" for axis in AXES if axis != "eject"),  # a crank that turns one way
    *(f"mux_{bit}" for bit in range(4)),
    *("entry", "count", "home", "tick", "exit", "deal", "lid", "door", "mount"),
)
MUX = (
    *("thickness_in", "thickness_out", "back", "supply", "infeed", "shoe", "tray", "crank"),
    *(f"level_{beam}" for beam in ("entry", "count", "exit", "deal")),
)
GROUPS = (("PINS", PINS), ("MUX", MUX))
GPIOS, CHANNELS = 30, 16
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


def check_keys(board: str) -> None:
    """A key of board.py that nobody reads is an error, as is one that is missing."""
    table = {k: v for k, v in board_table(board).items() if not k.startswith("_")}
    groups = (("", table, KEYS), *(((f"{n}: "), table.get(n, {}), g) for n, g in GROUPS))
    for where, there, wanted in groups:
        for key in sorted(there.keys() ^ set(wanted)):
            text = f"= {there[key]!r}: nobody reads this key" if key in there else "is missing"
            raise BuildError(f"image: boards/{board}/board.py: {where}{key} {text}")
    for name, kind, most in (("PINS", "GPIO", GPIOS), ("MUX", "channel", CHANNELS)):
        taken: dict[int, str] = {}
        for key, number in table[name].items():
            if type(number) is not int or not 0 <= number < most:
                raise BuildError(
                    f"image: boards/{board}/board.py: {name}: {key} = {number!r}: "
                    f"a {kind} of 0 to {most - 1} is wanted"
                )
            if number in taken:
                raise BuildError(
                    f"image: boards/{board}/board.py: {name}: {key} = {number}: "
                    f"that is {taken[number]} already"
                )
            taken[number] = key


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
