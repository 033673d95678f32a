"""Builds an image: build/<board>-<variant>/dovetail.uf2, .bin and .elf, and size.json."""

import argparse
import hashlib
import json
import os
import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

from host_tools.build import needed, sources, uf2
from host_tools.build.board_files import (
    BOARDS,
    board_table,
    check_keys,
    check_names,
    check_pins,
    mark,
)
from host_tools.build.mechanics import check as check_mechanics
from host_tools.build.sources import stamp_of, tree
from host_tools.build.tell import (
    BUILD,
    REPRODUCIBLE,
    ROOT,
    BuildError,
    alone,
    fresh_folder,
    output_of,
    run,
    say,
    stop,
)
from host_tools.build.unix import JOBS, build_mpy_cross

FIRMWARE = ROOT / "firmware"
# Files of boards/ that shape an image besides those of the board itself.
SHARED = (
    *("image.c", "collect.c", "heap.c", "wire.c", "messages.c", "messages.h", "rings.h", "image.h"),
    *("image.cmake", "bench.cmake", "production.cmake"),
)
PROGRAM_BYTES = 0x100000  # flash before the storage area; from hal/rp2_store.py: PROGRAM


@dataclass(frozen=True)
class Order:
    """What is to be built, from which firmware, into which folder."""

    board: str
    variant: str
    firmware: Path = FIRMWARE
    folder: Path | None = None

    @property
    def out(self) -> Path:
        """Where the image goes."""
        return self.folder or BUILD / f"{self.board}-{self.variant}"


def version() -> str:
    """The version that pyproject.toml names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: str = project["project"]["version"]
    return found


def frozen_files(order: Order) -> dict[str, Path]:
    """Name in the image → file here, of all that is frozen but asyncio and image.py."""
    files = {
        "_boot.py": FIRMWARE / "boot" / "_boot.py",
        "board.py": BOARDS / order.board / "board.py",
        "mechanics.py": BOARDS / "mechanics.py",
        "main.py": order.firmware / "main.py",
    }
    package = order.firmware / "dovetail"
    files |= {path.relative_to(order.firmware).as_posix(): path for path in package.rglob("*.py")}
    return {name: files[name] for name in sorted(files) if files[name].is_file()}


def settings_files(order: Order) -> dict[str, Path]:
    """Name → file, of what shapes MicroPython itself for this board."""
    files = [BOARDS / name for name in SHARED]
    files += [BOARDS / order.board / name for name in ("pins.csv", "manifest.py")]
    files += (BOARDS / order.board).glob("mpconfig*")
    return {path.relative_to(BOARDS).as_posix(): path for path in files}


def _hash(files: dict[str, Path]) -> str:
    total = hashlib.sha256()
    for name in sorted(files):
        total.update(f"{name}\0".encode() + hashlib.sha256(files[name].read_bytes()).digest())
    return total.hexdigest()[:12]


def sources_hash(order: Order) -> str:
    """A hash of all of ours that the image is made of: the same sources, the same name."""
    return _hash(frozen_files(order) | settings_files(order))


def _write_if_new(path: Path, text: str) -> bool:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True


def _generate(order: Order, work: Path) -> Path:
    """Write image.py, by which a running image knows itself, and the list of what is frozen."""
    folder = work / "generated"
    identity = (
        "# Made by `make image`. GIT is a hash of this image's sources, whatever git thinks.\n"
        f'BOARD = "{order.board}"\nVARIANT = "{order.variant}"\n'
        f'VERSION = "{version()}"\nGIT = "{sources_hash(order)}"\n'
        f'MARK = "{mark(order.board, order.variant)}"\n'
    )
    lines = ['module("image.py")']
    for name, path in frozen_files(order).items():
        base = path.parents[name.count("/")]
        lines.append(f'module("{name}", base_path="{base}")')
    changed = _write_if_new(folder / "image.py", identity)
    changed |= _write_if_new(folder / "frozen.py", "\n".join(lines) + "\n")
    if changed:  # what is compiled is compared by time only, and an older file may have come back
        shutil.rmtree(work / "frozen_mpy", ignore_errors=True)
    return folder


def _compile(order: Order, work: Path) -> None:
    """Configure once, then build what changed."""
    table = board_table(order.board)
    source = tree() / "ports" / "rp2"
    mpy_cross = build_mpy_cross()
    settings = {
        "MICROPY_BOARD": order.board,
        "MICROPY_BOARD_DIR": BOARDS / order.board,
        "MICROPY_BOARD_VARIANT": order.variant,
        "PICO_NO_PICOTOOL": "1",
        "DOVETAIL_ROOT": ROOT,
        "DOVETAIL_GENERATED": work / "generated",
        "DOVETAIL_FLASH_BYTES": table["FLASH_BYTES"],
    }
    arguments = [f"-D{key}={value}" for key, value in settings.items()]
    # MicroPython's rules do not see a changed header everywhere: other settings, another build.
    fresh_folder(work, f"{source} {stamp_of(tree())} {arguments} {_hash(settings_files(order))}")
    _generate(order, work)
    environment = {**REPRODUCIBLE, "MICROPY_MPYCROSS": str(mpy_cross)}
    name = f"{order.board}-{order.variant}"
    if not (work / "Makefile").is_file():
        say(f"image: configuring {name}")
        run(f"{name}-cmake", ["cmake", "-S", source, "-B", work, *arguments], env=environment)
    say(f"image: building {name}")
    run(name, ["make", JOBS, "-C", work], env=environment, show=r"^\[ *(\d*0%)\]")


def _symbol(listing: str, name: str) -> int:
    found = re.search(rf"^([0-9a-f]+) \w {name}$", listing, re.MULTILINE)
    if not found:
        raise BuildError(f"image: no symbol {name} in the image")
    return int(found[1], 16)


def _sizes(work: Path) -> dict[str, int]:
    """Bytes of flash, of static RAM, of heap, and of frozen code."""
    berkeley = output_of(["arm-none-eabi-size", work / "firmware.elf"]).splitlines()[-1].split()
    frozen = next(work.rglob("frozen_content.c.*"))
    names = output_of(["arm-none-eabi-nm", work / "firmware.elf"])
    return {
        "flash_bytes": (work / "firmware.bin").stat().st_size,
        "flash_limit_bytes": PROGRAM_BYTES,
        "static_ram_bytes": int(berkeley[1]) + int(berkeley[2]),
        "heap_bytes": _symbol(names, "__GcHeapEnd") - _symbol(names, "__GcHeapStart"),
        "frozen_bytes": int(output_of(["arm-none-eabi-size", frozen]).splitlines()[-1].split()[3]),
    }


def check(order: Order) -> None:
    """What can be refused before anything is built."""
    check_names(order.board, order.variant)
    check_keys(order.board)
    check_pins(order.board)
    check_mechanics()
    tree()
    needed.require("image", "image")


def build(order: Order) -> dict[str, object]:
    """Build an image and its report."""
    check(order)
    work = order.out / "work"
    _compile(order, work)
    chip: str = board_table(order.board)["CHIP"]
    image = (work / "firmware.bin").read_bytes()
    if len(image) > PROGRAM_BYTES:
        raise BuildError(f"image: {len(image)} bytes, but the journal starts at {PROGRAM_BYTES}")
    packed = uf2.encode(image, chip)
    report: dict[str, object] = {
        "board": order.board,
        "variant": order.variant,
        "chip": chip,
        "version": version(),
        "sources": sources_hash(order),
        "micropython": sources.origin(),
        **_sizes(work),
        "sha256": hashlib.sha256(packed).hexdigest(),
    }
    for name, content in (("dovetail.uf2", packed), ("dovetail.bin", image)):
        partial = order.out / f"{name}.partial"
        partial.write_bytes(content)
        partial.replace(order.out / name)
    shutil.copyfile(work / "firmware.elf", order.out / "dovetail.elf")
    (order.out / "size.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return report


def show(order: Order, report: dict[str, object]) -> None:
    """Print the report of an image."""
    where = order.out.relative_to(ROOT) if order.out.is_relative_to(ROOT) else order.out
    say(f"image: {where}/dovetail.uf2, version {report['version']}, sources {report['sources']}")
    for key, label in (
        ("flash_bytes", f"flash, of {PROGRAM_BYTES:,}"),
        ("static_ram_bytes", "static RAM"),
        ("heap_bytes", "heap"),
        ("frozen_bytes", "frozen code, part of flash"),
    ):
        say(f"  {report[key]:>9,} bytes {label}")
    say(f"  MicroPython from {report['micropython']}")
    say(f"  SHA-256 {report['sha256']}")


def main() -> None:
    """Build the image that the arguments, or BOARD and VARIANT, name."""
    parser = argparse.ArgumentParser(prog="python -m host_tools.build.image", description=__doc__)
    parser.add_argument("--board", default=os.environ.get("BOARD", "shuffler_rp2040"))
    parser.add_argument("--variant", default=os.environ.get("VARIANT", "bench"))
    parser.add_argument(
        "--firmware", type=Path, default=FIRMWARE, help="folder of main.py and dovetail/"
    )
    parser.add_argument("--out", type=Path, help="folder for the image")
    given = parser.parse_args()
    out: Path | None = given.out.resolve() if given.out else None
    order = Order(given.board, given.variant, given.firmware.resolve(), out)
    check(order)  # nobody waits for another build to hear that
    with alone():
        sources.main()
        show(order, build(order))


if __name__ == "__main__":
    try:
        main()
    except BuildError as error:
        stop(error)
