"""Makes .venv and typings/, and sees that the machine has the compilers: `make setup`.

Runs under the system's Python, before .venv exists: standard library only.
"""

import hashlib
import os
import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

from host_tools.build.board_files import check_names
from host_tools.build.sources import buildable, tree
from host_tools.build.tell import ROOT, BuildError, alone, output_of, run, say, stop
from host_tools.build.typings import make_typings

VENV = ROOT / ".venv"
PYPROJECT = ROOT / "pyproject.toml"
PIP = [
    *(VENV / "bin" / "python", "-m", "pip", "install"),
    *("--disable-pip-version-check", "--no-compile"),
]


def _has_program(name: str) -> Callable[[], bool]:
    return lambda: shutil.which(name) is not None


def _has_library(compiler: str, file: str) -> Callable[[], bool]:
    """A compiler prints the bare name back when it does not have the file."""
    return lambda: output_of([compiler, f"-print-file-name={file}"]) not in ("", file)


# Debian package → how to see that what it brings is there.
NEEDED: dict[str, Callable[[], bool]] = {
    "python3-venv": lambda: bool(
        output_of([sys.executable, "-c", "import ensurepip, venv; print(1)"])
    ),
    "make": _has_program("make"),
    "cmake": _has_program("cmake"),
    "gcc": _has_program("gcc"),
    "g++": _has_program("g++"),
    "libc6-dev": _has_library("gcc", "libc.so"),
    "gcc-arm-none-eabi": _has_program("arm-none-eabi-gcc"),
    "libnewlib-arm-none-eabi": _has_library("arm-none-eabi-gcc", "libc_nano.a"),
    "libstdc++-arm-none-eabi-newlib": _has_library("arm-none-eabi-gcc", "libstdc++_nano.a"),
    "pkg-config": _has_program("pkg-config"),
    "libffi-dev": lambda: bool(output_of(["pkg-config", "--modversion", "libffi"])),
    "dpkg-dev": _has_program("dpkg-source"),
    "xz-utils": _has_program("xz"),
    "dieharder": _has_program("dieharder"),
}
# For fetching MicroPython: the keys that its release is signed with.
KEYRING = "debian-archive-keyring"
KEYRINGS = Path("/usr/share/keyrings")
RELEASE_KEYS = "debian-archive-trixie-stable.*"


def _missing() -> list[str]:
    names = [name for name, is_there in NEEDED.items() if not is_there()]
    if not os.environ.get("MICROPYTHON") and not list(KEYRINGS.glob(RELEASE_KEYS)):
        names.append(KEYRING)
    return names


def install_packages() -> None:
    """Install the Debian packages that are missing, or say which command does it."""
    missing = _missing()
    if not missing:
        return
    command = f"apt-get update && apt-get install -y {' '.join(missing)}"
    if not shutil.which("apt-get"):
        raise BuildError(f"setup: missing (names of Debian packages): {' '.join(missing)}")
    if os.geteuid() != 0:
        raise BuildError(f"setup: not root, so run this first: sudo sh -c '{command}'")
    say(f"setup: installing Debian packages: {' '.join(missing)}")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    run("apt-update", ["apt-get", "update"], env=quiet)
    install = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    run("apt-install", install, env=quiet, show=r"^Setting up")
    if still := _missing():
        raise BuildError(f"setup: installed, but still not found: {' '.join(still)}")


def _is_current(stamp: Path, key: str) -> bool:
    return stamp.is_file() and stamp.read_text() == key


def make_venv(key: str) -> None:
    """Make .venv with every package of pyproject.toml, at its pinned version."""
    stamp = VENV / "dovetail.stamp"
    if _is_current(stamp, key):
        return
    stamp.unlink(missing_ok=True)
    say("setup: making .venv")
    run("venv", [sys.executable, "-m", "venv", VENV])
    say("setup: installing Python packages into .venv")
    shown = r"^(?:Collecting|Processing) (?:\S*/)?(\S+)|^(Installing collected packages)"
    run("pip", [*PIP, "-e", f"{ROOT}[dev,pinned]"], show=shown)
    stamp.write_text(key)


def refuse() -> None:
    """Say no to what cannot be built, before anything is installed or written."""
    check_names(os.environ.get("BOARD") or "shuffler_rp2040", os.environ.get("VARIANT") or "bench")
    buildable(ROOT)
    tree()


def main() -> None:
    """Do what is not done yet."""
    if sys.version_info < (3, 11):
        raise BuildError(f"setup: Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    install_packages()
    text = PYPROJECT.read_bytes()
    typings: list[str] = tomllib.loads(text.decode())["tool"]["dovetail"]["typings"]
    # An editable install knows the folder it was made in, so the folder is part of the key.
    key = hashlib.sha256(text + f"{ROOT} {sys.version}".encode()).hexdigest()
    make_venv(key)
    make_typings(PIP, typings)
    say("setup: ready")


if __name__ == "__main__":
    try:
        refuse()
        with alone("setup"):
            main()
    except BuildError as error:
        stop(error)
