"""Knows which packages each piece of work needs, which this machine lacks, and how to install them.

Everything that asks for a compiler asks here: `make setup`, the builds, `make run`, the tests.
Runs before the environment exists: standard library only. A package goes by its name in Debian.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from host_tools.build.sources import TREE, debian_lacks, stamp_of
from host_tools.build.tell import BuildError, UsageError, output_of, stop


def _has_program(name: str) -> Callable[[], bool]:
    return lambda: shutil.which(name) is not None


def _has_library(compiler: str, file: str) -> Callable[[], bool]:
    """A compiler prints the bare name back when it does not have the file."""
    return lambda: output_of([compiler, f"-print-file-name={file}"]) not in ("", file)


def _has_headers() -> bool:
    return bool(output_of(["gcc", "-E", "-x", "c", "-include", "stdio.h", os.devnull]))


def _has_venv() -> bool:
    return bool(output_of([sys.executable, "-c", "import ensurepip, venv; print(1)"]))


def _has_release_keys() -> bool:
    return bool(list(Path("/usr/share/keyrings").glob("debian-archive-trixie-stable.*")))


@dataclass(frozen=True)
class Package:
    """How to see that what a package brings is there, and its name elsewhere, where it is known."""

    is_there: Callable[[], bool]
    fedora: str = ""
    homebrew: str = ""  # CASK before a cask; XCODE for what comes with Apple's own tools


CASK, XCODE = "--cask ", "xcode"
# The two files of the chip's libraries are those that the linker is asked for by name.
# Tried on Debian 12 and 13. The names for Fedora and macOS are those that other projects of this
# chip give in their instructions; nobody has tried them with this one.
PACKAGES = {
    "python3-venv": Package(_has_venv, "python3", "python"),
    "make": Package(_has_program("make"), "make", XCODE),
    "cmake": Package(_has_program("cmake"), "cmake", "cmake"),
    "gcc": Package(_has_program("gcc"), "gcc", XCODE),
    "g++": Package(_has_program("g++"), "gcc-c++", XCODE),
    "libc6-dev": Package(_has_headers, "glibc-devel", XCODE),
    "gcc-arm-none-eabi": Package(
        _has_program("arm-none-eabi-gcc"), "arm-none-eabi-gcc-cs", f"{CASK}gcc-arm-embedded"
    ),
    "libnewlib-arm-none-eabi": Package(
        _has_library("arm-none-eabi-gcc", "nosys.specs"),
        "arm-none-eabi-newlib",
        f"{CASK}gcc-arm-embedded",
    ),
    "libstdc++-arm-none-eabi-newlib": Package(
        _has_library("arm-none-eabi-gcc", "libstdc++.a"),
        "arm-none-eabi-gcc-cs-c++",
        f"{CASK}gcc-arm-embedded",
    ),
    "pkg-config": Package(_has_program("pkg-config"), "pkgconf-pkg-config", "pkgconf"),
    "libffi-dev": Package(
        lambda: bool(output_of(["pkg-config", "--modversion", "libffi"])), "libffi-devel", "libffi"
    ),
    "git": Package(_has_program("git"), "git", XCODE),
    "dpkg-dev": Package(_has_program("dpkg-source")),
    "xz-utils": Package(_has_program("xz")),
    "debian-archive-keyring": Package(_has_release_keys),
    "dieharder": Package(_has_program("dieharder"), "dieharder"),
}

HOST = ("gcc", "libc6-dev")
# Piece of work → how a person calls it, and the packages that it needs.
WORK = {
    "environment": ("the Python environment", ("python3-venv",)),
    "mpy-cross": ("mpy-cross", ("make", *HOST)),
    "unix": ("MicroPython's unix port", ("make", *HOST, "pkg-config", "libffi-dev")),
    "image": (
        "an image for the emulated board",
        (
            *("make", "cmake", "g++", *HOST, "gcc-arm-none-eabi"),
            *("libnewlib-arm-none-eabi", "libstdc++-arm-none-eabi-newlib"),
        ),
    ),
    "c": ("a C program", HOST),
    "git": ("fetching by git", ("git",)),
    "dieharder": ("dieharder", ("dieharder",)),
}


def _for_sources() -> tuple[str, ...]:
    """Return what fetching MicroPython needs; nothing when it is here."""
    if os.environ.get("MICROPYTHON") or stamp_of(TREE):
        return ()
    if os.environ.get("MICROPYTHON_GIT") or debian_lacks():
        return ("git",)
    return ("dpkg-dev", "xz-utils", "debian-archive-keyring")


def missing(packages: Iterable[str]) -> list[str]:
    """Return those packages that this machine lacks, each once."""
    return [name for name in dict.fromkeys(packages) if not PACKAGES[name].is_there()]


def missing_for(work: str) -> list[str]:
    """Return the packages that this machine lacks for a piece of work."""
    return missing(WORK[work][1])


def missing_at_all() -> list[str]:
    """Return the packages that this machine lacks for any work."""
    every = [name for _, packages in WORK.values() for name in packages]
    return missing([*every, *_for_sources()])


def how_to_install(packages: Iterable[str]) -> str:
    """Return the command that installs packages here, or their names where none is known."""
    wanted = list(packages)
    root = "" if os.geteuid() == 0 else "sudo "
    if shutil.which("apt-get"):
        return f"{root}sh -c 'apt-get update && apt-get install -y {' '.join(wanted)}'"
    for manager, names in (
        ("dnf", {name: PACKAGES[name].fedora for name in wanted}),
        ("brew", {name: PACKAGES[name].homebrew for name in wanted}),
    ):
        if not shutil.which(manager):
            continue
        known = list(dict.fromkeys(name for name in names.values() if name))
        commands = _dnf(root, known) if manager == "dnf" else _brew(known)
        unknown = [name for name in wanted if not names[name]]
        rest = [f"by hand: {' '.join(unknown)}"] if unknown else []
        return "; ".join([*commands, *rest])
    return f"{' '.join(wanted)} (names in Debian)"


def _dnf(root: str, names: list[str]) -> list[str]:
    return [f"{root}dnf install {' '.join(names)}"] if names else []


def _brew(names: list[str]) -> list[str]:
    plain = [name for name in names if name != XCODE and not name.startswith(CASK)]
    commands = ["xcode-select --install"] if XCODE in names else []
    commands += [f"brew install {' '.join(plain)}"] if plain else []
    return commands + [f"brew install {name}" for name in names if name.startswith(CASK)]


def reason_of(work: str) -> str:
    """Return which packages a piece of work needs that are not here; empty when it lacks none."""
    names = missing_for(work)
    return f"{WORK[work][0]} needs {', '.join(names)}" if names else ""


def lack_of(work: str) -> str:
    """Return one line about what this machine lacks for a piece of work; empty when nothing."""
    names = missing_for(work)
    if not names:
        return ""
    return f"{WORK[work][0]} needs packages that are not here: {how_to_install(names)}"


def require(work: str, who: str) -> None:
    """Refuse a piece of work that this machine has not the packages for."""
    if lack := lack_of(work):
        raise BuildError(f"{who}: {lack}")


def main(names: list[str]) -> None:
    """Print a line for each named piece of work, or for every one, that cannot be done here."""
    for name in names:
        if name not in WORK:
            raise UsageError(f"needed: no work '{name}'; there is: {', '.join(WORK)}")
    for name in names or WORK:
        if lack := lack_of(name):
            print(lack)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BuildError as error:
        stop(error)
