"""All checks that run nothing: style, types, shared numbers, and mpy-cross."""

import subprocess
import sys
from pathlib import Path

from host_tools.build import needed, shared_numbers, sources
from host_tools.build.tell import BUILD, ROOT, BuildError, alone, say, stop
from host_tools.build.unix import build_mpy_cross

PROGRAMS = Path(sys.executable).parent
# asm_thumb_add_reg_reg_offset() of MicroPython 1.25 adds a wrong register where the place of a name
# in its file's table, less 31, does not fit into eight bits: seen at 321 names as a loop that
# unpacked something else.
MOST_NAMES = 31 + 255
DEVICE_CODE = ("firmware/main.py", "firmware/boot", "firmware/dovetail", "boards")


def _check(label: str, *command: str | Path) -> None:
    """Run one check with its output kept back unless it fails."""
    say(f"lint: {label}")
    result = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if result.returncode:
        print(result.stdout + result.stderr, file=sys.stderr)
        raise BuildError(f"lint: {label}: failed, see above")


def device_files() -> list[Path]:
    """Every Python file that an image can carry."""
    found: list[Path] = []
    for name in DEVICE_CODE:
        path = ROOT / name
        found += [path] if path.is_file() else path.rglob("*.py")
    return sorted(
        path
        for path in found
        if path.name not in ("__init__.py", "manifest.py") or DEVICE_CODE[2] in path.as_posix()
    )


def names_in(mpy: bytes) -> int:
    """Return how many names a compiled file has: the number after its header of four bytes."""
    number = 0
    for byte in mpy[4:]:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number


def compile_all() -> None:
    """Compile the device's files as the RP2040 image does."""
    if lack := needed.lack_of("mpy-cross"):
        say(f"lint: mpy-cross is left out: {lack}")
        return
    with alone():
        sources.main()
        mpy_cross = build_mpy_cross()
    for path in device_files():
        name = path.relative_to(ROOT)
        out = BUILD / "mpy" / name.with_suffix(".mpy")
        out.parent.mkdir(parents=True, exist_ok=True)
        command = [mpy_cross, "-march=armv6m", "-s", name, "-o", out, path]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            print(result.stdout + result.stderr, file=sys.stderr)
            raise BuildError(f"lint: mpy-cross does not compile {name}, see above")
        if (number := names_in(out.read_bytes())) > MOST_NAMES:
            raise BuildError(
                f"lint: {name} has {number} names: from {MOST_NAMES + 1} on, machine code for the "
                "RP2040 takes another one; split the file"
            )


def style() -> None:
    """Check how every file is written."""
    _check("ruff check", PROGRAMS / "ruff", "check", "--quiet", ".")
    _check("ruff format", PROGRAMS / "ruff", "format", "--check", "--quiet", ".")
    say("lint: shared numbers")
    shared_numbers.check()


def types() -> None:
    """Check the types of host code, and of device code by its own rules."""
    _check("types, host code", PROGRAMS / "pyright", "--project", "pyproject.toml")
    _check("types, firmware", PROGRAMS / "pyright", "--project", "firmware")


def main() -> None:
    """Run every check; the first that fails ends it."""
    style()
    types()
    say("lint: mpy-cross")
    compile_all()


if __name__ == "__main__":
    try:
        main()
    except BuildError as error:
        stop(error)
