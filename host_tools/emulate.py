"""`dovetail emulate`: an emulated board in step with the wall clock, for others to talk to."""

from __future__ import annotations

import importlib
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn, cast

from host_tools import key_file
from host_tools.arguments import Parser, one_of, whole_number
from host_tools.build.board_files import VARIANTS, board_names
from host_tools.build.tell import BUILD, BuildError, UsageError, stop
from host_tools.link.client import bench_client
from host_tools.link.errors import LinkError, Refused
from host_tools.link.keys import of_seed
from sim.emulated import uf2
from sim.emulated.board import EmulatedBoard
from sim.emulated.live import Live
from sim.emulated.wiring import Board
from sim.hands import Hands
from sim.loop import run
from sim.machine import Machine

SECOND_NS = 1_000_000_000
LOOK_NS = SECOND_NS // 4  # how often the dealer looks at the machine
STOPPED_LOOKS = 8
PURPOSE = """Keep an emulated board running: its link on a pty, a bench image's prompt on another.
It has keys, and their file is named. Its dealer takes what has lain in the tray for a moment, and
lays the decks into the infeed in turn. When the red lamp has been lit for two seconds every card
is taken out: then tell the machine `cleared`."""
BACKS = ("red", "blue")


class Dealer:
    """Hands that need no orders: take what lies still in the tray, load the deck that is due.

    While the machine shows that it is stopped nothing is loaded, and every card is taken out of it.
    """

    def __init__(self, board: EmulatedBoard, machine: Machine, decks: int) -> None:
        self._board = board
        self._machine = machine
        self._hands = Hands(machine, BACKS[:decks])
        self._due = 0  # which deck is loaded next
        self._tray = 0
        self._red = 0  # looks in a row at which it was stopped
        self._look()

    def _look(self) -> None:
        cards = len(self._machine.deal.tray)
        if cards and cards == self._tray:
            self._hands.take()
        self._tray = len(self._machine.deal.tray)
        back = BACKS[self._due]
        on_table = len(self._hands.table[back]) == len(self._hands.decks[back])
        lamps, inside = self._machine.lamps, self._machine.cards()
        self._red = self._red + 1 if lamps["red"] and not lamps["amber"] else 0
        if self._red == STOPPED_LOOKS:
            self._hands.clear()
        elif lamps["red"]:
            pass
        elif on_table and not any(inside[place] for place in ("infeed", "path", "wheel")):
            self._hands.load(back)
            self._due = (self._due + 1) % len(self._hands.decks)
        self._board.at(self._board.now_ns() + LOOK_NS, self._look)


def load_board(name: str) -> Board:
    """The board module of that name."""
    one_of("board", name, board_names())
    return cast(Board, importlib.import_module(f"boards.{name}.board"))


def default_image(board: str, variant: str) -> Path:
    """Where `make image` puts it."""
    one_of("variant", variant, VARIANTS)
    return BUILD / f"{board}-{variant}" / "dovetail.uf2"


def _interrupt(signum: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def main(argv: Sequence[str]) -> int:
    """Run until Ctrl-C."""
    parser = Parser(
        "emulate",
        PURPOSE,
        [
            "dovetail emulate                                   prints link and prompt as paths",
            "dovetail emulate --variant production --decks 2    as at a table: no prompt anywhere",
            "mpremote connect <prompt> exec 'print(1)'          the link is silent until a reset",
        ],
    )
    parser.add_argument("--board", default="shuffler_rp2040", metavar="NAME", help="which board")
    parser.add_argument(
        "--variant", default="bench", metavar="NAME", help="of its image: bench or production"
    )
    parser.add_argument(
        "--image", type=Path, metavar="FILE", help="another image than the one make image built"
    )
    parser.add_argument(
        "--seed", type=whole_number(0), default=1, metavar="N", help="of machine and noise"
    )
    parser.add_argument(
        "--decks", type=whole_number(0, 2), default=1, metavar="N", help="on the table: 0, 1 or 2"
    )
    parser.add_argument(
        "--speed",
        type=whole_number(1, 100),
        default=1,
        metavar="N",
        help="of its clock: so many times the wall's, as far as this computer can follow",
    )
    parser.add_argument(
        "--drive",
        type=Path,
        metavar="DIR",
        help="where the bootloader's drive appears (beside the link)",
    )
    parser.add_argument("--quiet", action="store_true", help="print the paths and nothing else")
    args = parser.parse_args(argv)
    try:
        module = load_board(args.board)
        image = args.image or default_image(args.board, args.variant)
        board = EmulatedBoard(image, module, args.seed)
    except BuildError as error:
        stop(error)
    except uf2.ImageError as error:
        stop(UsageError(f"emulate: {error}"))
    machine = Machine(board, args.seed)
    board.wire(machine)
    if args.decks:
        Dealer(board, machine, args.decks)
    for signum in (signal.SIGINT, signal.SIGTERM):  # a shell may have had us ignore the first
        signal.signal(signum, _interrupt)
    with tempfile.TemporaryDirectory(prefix="dovetail-") as directory:
        board.power_on()
        keys = _give_keys(board, args.seed, Path(directory))
        live = Live(board, Path(directory), args.drive, args.speed)
        try:
            _serve(live, args.quiet, keys)
        except KeyboardInterrupt:
            return 0
        finally:
            live.close()


def _give_keys(board: EmulatedBoard, seed: int, directory: Path) -> Path | None:
    """Keys for the board, and their file; none if its image does not answer."""

    async def give() -> str:
        client = bench_client(board.line, keys=of_seed(seed), provision=True)
        try:
            identity = await client.hello()
            return identity.serial.hex()
        except (LinkError, Refused):
            return ""
        finally:
            await client.leave()

    serial = run(board, give())
    if not serial:
        return None
    file = directory / key_file.BESIDE
    key_file.write(file, {serial: of_seed(seed)})
    return file


def _serve(live: Live, quiet: bool, keys: Path | None) -> NoReturn:
    board = live.board
    _say(f"link: {live.link.name}")
    if keys is not None and not quiet:
        _say(f"keys: {keys}")
    told_prompt = told_drive = False
    if not quiet:
        _say(f"image: {board.image.path}")
        _say(f"sha256: {board.image.sha256}")
    while True:
        live.step()
        if board.prompt.connected and not told_prompt:
            told_prompt = True
            _say(f"prompt: {live.prompt.name}")
        if board.chip.bootsel != told_drive and not quiet:
            told_drive = board.chip.bootsel
            _say(f"drive: {live.drive.directory}" if told_drive else "drive: gone")


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
