"""The `dovetail image` command: `make image` for a board and a variant."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from host_tools.arguments import Parser, one_of
from host_tools.build.board_files import VARIANTS, board_names
from host_tools.build.tell import ROOT, UsageError, stop

PURPOSE = "Build the image for a board from source: build/<board>-<variant>/dovetail.uf2 and .elf."
EXAMPLES = (
    "dovetail image                                    the bench image of the RP2040 board",
    "dovetail image --variant production               without a prompt, as it goes to a table",
    "dovetail image --board shuffler_rp2350            for the other board",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run make; its exit status."""
    boards = board_names()
    p = Parser("image", PURPOSE, EXAMPLES)
    p.add_argument("--board", default="shuffler_rp2040", help=f"one of: {', '.join(boards)}")
    p.add_argument("--variant", default="bench", help=f"one of: {', '.join(VARIANTS)}")
    args = p.parse_args(argv)
    try:
        one_of("board", args.board, boards)
        one_of("variant", args.variant, VARIANTS)
    except UsageError as error:
        stop(error)
    chosen = {"BOARD": args.board, "VARIANT": args.variant}
    return subprocess.run(
        ["make", "--no-print-directory", "image"],
        cwd=ROOT,
        env={**os.environ, **chosen},
        check=False,
    ).returncode
