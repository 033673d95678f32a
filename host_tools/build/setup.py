"""Makes .venv and typings/, and sees that the machine has the compilers: `make setup`.

As root on a machine with apt it installs the packages that are missing. Elsewhere it names them,
with the command that installs them, and goes on: the firmware plays in process without a compiler.
Runs under the system's Python, before .venv exists: standard library only.
"""

import sys

if sys.version_info < (3, 11):  # which cannot even read the modules below
    sys.exit(
        f"setup: Python 3.11 or newer is needed, this is {sys.version.split()[0]}: "
        "install a newer one and put it first in PATH as python3"
    )

import hashlib
import os
import shutil
import tomllib
from pathlib import Path

from host_tools.build import needed
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


def apt_knows_packages() -> bool:
    """Tell whether this machine's apt has any list of packages to install from."""
    return bool(output_of(["apt-get", "update", "--print-uris"]))


def install_packages() -> str:
    """Install the packages that are missing, as root with apt; else return what to say of them."""
    missing = needed.missing_at_all()
    if not missing:
        return ""
    if os.geteuid() == 0 and shutil.which("apt-get") and apt_knows_packages():
        say(f"setup: installing packages: {' '.join(missing)}")
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        run("apt-update", ["apt-get", "update"], env=quiet)
        install = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
        run("apt-install", install, env=quiet, show=r"^Setting up")
        if still := needed.missing_at_all():
            raise BuildError(f"setup: installed, but still not found: {' '.join(still)}")
        return ""
    needed.require("environment", "setup")
    command = needed.how_to_install(missing)
    return f"images and some tests need packages that are not here: {command}"


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
    lack = install_packages()
    text = PYPROJECT.read_bytes()
    typings: list[str] = tomllib.loads(text.decode())["tool"]["dovetail"]["typings"]
    # An editable install knows the folder it was made in, so the folder is part of the key.
    key = hashlib.sha256(text + f"{ROOT} {sys.version}".encode()).hexdigest()
    make_venv(key)
    make_typings(PIP, typings)
    if lack:
        say(f"setup: {lack}")
    say("setup: ready for what Python alone can do" if lack else "setup: ready")


if __name__ == "__main__":
    try:
        refuse()
        with alone("setup"):
            main()
    except BuildError as error:
        stop(error)
