"""`dovetail flash`: a bench image onto a board, checked before and after."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from host_tools.arguments import Parser, one_of
from host_tools.build.board_files import board_names, board_table, mark
from host_tools.build.tell import BUILD, BuildError, UsageError, say, stop
from host_tools.prompt import Prompt, PromptError, there
from sim.emulated import uf2

DRIVES = {"rp2040": "RPI-RP2", "rp2350": "RP2350"}  # name of the drive, and its Board-ID
INFO = "INFO_UF2.TXT"
WAIT_S = 15

IDENTIFY = """
import sys
try:
    import image
    board = image.BOARD
except ImportError:
    board = ''
print(sys.implementation._machine + '|' + board)
"""
HASH = """
import binascii, hashlib, uctypes
h = hashlib.sha256()
for at in range(0, {size}, 4096):
    h.update(uctypes.bytearray_at(0x10000000 + at, min(4096, {size} - at)))
print(binascii.hexlify(h.digest()).decode())
"""
SELF_TEST = """
from dovetail import selftest, start
print("self-test", "passed" if selftest.run(start.machine) else "failed")
"""

BOOT_S = 6.0  # a board that is stopped before its machine stands has nothing to test


@dataclass(frozen=True)
class Order:
    """What goes where."""

    port: str
    board: str
    chip: str
    image: uf2.Image
    drive: Path | None


def check_image(path: Path, board: str) -> uf2.Image:
    """The image, if it is whole and for this board."""
    image = uf2.read(path, board_table(board)["CHIP"])
    content = image.content()
    if mark(board, "bench").encode() in content:
        return image
    if mark(board, "production").encode() in content:
        raise uf2.ImageError(
            f"{path}: a production image has no prompt to check it at; a bench image goes on here"
        )
    raise uf2.ImageError(f"{path}: not an image of {board}")


def into_bootloader(order: Order) -> None:
    """Check that the board at the port is the right one, and send it into its bootloader."""
    prompt = Prompt(order.port)
    try:
        name, board = prompt.run(IDENTIFY).split("|")
        say(f"before: {name}, {f'image of {board}' if board else 'not an image of ours'}")
        if not name.lower().endswith(order.chip):
            raise UsageError(f"flash: {order.port}: {name} is no {order.chip}")
        if board and board != order.board:
            raise UsageError(f"flash: {order.port}: this is a {board}, not a {order.board}")
    except BaseException:
        prompt.restart()
        raise
    prompt.leave("import machine; machine.bootloader()")


def find_drive(order: Order) -> Path | None:
    """The bootloader's drive: where it was said to be, beside the port (emulated), or mounted."""
    name = DRIVES[order.chip]
    places = [order.drive] if order.drive else [Path(order.port).parent / name, *_mounted(name)]
    for place in places:
        try:
            info = (place / INFO).read_text()
        except OSError:
            continue
        if f"Board-ID: {name}" in info:
            return place
        raise UsageError(f"flash: {place}: not the bootloader of an {order.chip}")
    return None


def _mounted(name: str) -> list[Path]:
    places = [Path("/Volumes") / name]
    mounts = Path("/proc/mounts")
    if mounts.exists():
        points = (line.split()[1] for line in mounts.read_text().splitlines())
        places += [Path(point) for point in points if point.endswith("/" + name)]
    return places


def copy(order: Order, drive: Path) -> None:
    """Copy the image; the board restarts by itself when it has all of it."""
    data = order.image.path.read_bytes()
    try:
        with (drive / "dovetail.uf2").open("wb") as file:
            file.write(data)
    except OSError as error:
        # The drive goes away once the last block is there, sometimes before the file is closed.
        if (drive / INFO).exists():
            raise UsageError(f"flash: {drive}: {error.strerror}; the image is not on") from error


def check_after(order: Order) -> None:
    """Ask the board who it is, compare its flash with the image, let it test itself."""
    time.sleep(BOOT_S)
    prompt = Prompt(order.port)
    try:
        name, board = prompt.run(IDENTIFY).split("|")
        if board != order.board:
            raise UsageError(
                f"flash: {order.port}: {name} came back as {board or 'something else'}"
            )
        say(f"after: {name}, image of {board}")
        content = order.image.content()
        if prompt.run(HASH.format(size=len(content))) != order.image.content_sha256():
            raise UsageError(f"flash: {order.port}: its flash is not what was written")
        say(f"after: {len(content)} bytes of flash are those of the image")
        report = prompt.run(SELF_TEST)
        say(report)
        if not report.endswith("self-test passed"):
            raise BuildError("flash: the board has failed its self-test, see above")
    finally:
        prompt.restart()


def _wait(what: str, ready: Callable[[], object]) -> None:
    end = time.monotonic() + WAIT_S
    while not ready():
        if time.monotonic() > end:
            raise UsageError(f"flash: {what}")
        time.sleep(0.05)


def flash(order: Order) -> None:
    """Before, the copy, after."""
    say(f"image: {order.image.path}")
    say(f"sha256: {order.image.sha256}")
    if there(order.port):
        into_bootloader(order)
    elif find_drive(order) is None:
        raise UsageError(f"flash: {order.port}: there is no such port, and no bootloader's drive")
    hint = f"no drive {DRIVES[order.chip]} appeared; mount it and say where with --drive"
    _wait(hint, lambda: find_drive(order))
    drive = find_drive(order)
    assert drive is not None
    copy(order, drive)
    _wait(f"{drive}: the board did not take the image", lambda: not (drive / INFO).exists())
    _wait(f"{order.port}: the board did not come back", lambda: there(order.port))
    check_after(order)
    say(f"flash: done, the board at {order.port} runs the image")


def main(argv: Sequence[str]) -> int:
    """Flash, or say in one line why not."""
    parser = Parser(
        "flash",
        "Put a bench image on the board at a port; checked before and after.",
        [
            "dovetail flash --port /dev/ttyACM0                            what make image built",
            "dovetail flash --port /dev/ttyACM0 --board shuffler_rp2350    for the other board",
            "dovetail flash --port /dev/ttyACM0 --image old.uf2            another bench image",
        ],
    )
    parser.add_argument("--port", help="serial port of the board's prompt")
    parser.add_argument(
        "--board", default="shuffler_rp2040", metavar="NAME", help="which board it is"
    )
    parser.add_argument(
        "--image", type=Path, metavar="FILE", help="another image than the one make image built"
    )
    parser.add_argument(
        "--drive", type=Path, metavar="DIR", help="the bootloader's drive, if it is not found"
    )
    args = parser.parse_args(argv)
    try:
        one_of("board", args.board, board_names())
        if not args.port:
            raise UsageError("flash: which port? make flash PORT=/dev/ttyACM0")
        image = check_image(
            args.image or BUILD / f"{args.board}-bench" / "dovetail.uf2", args.board
        )
        flash(Order(args.port, args.board, image.chip, image, args.drive))
    except (uf2.ImageError, PromptError) as error:
        stop(UsageError(f"flash: {error}"))
    except BuildError as error:
        stop(error)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
