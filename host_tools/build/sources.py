"""Fetches MicroPython and what it is built with, checks it, unpacks it: `make sources`.

Everything comes from the Debian release that has these versions, over the mirror that this
machine's own apt already uses, through an apt directory of our own: no root, and the system's
set-up is left alone. apt checks the archive's signature down to every file; the pinned sums below
check it again. A tree given in MICROPYTHON is used instead, as it is.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from host_tools.build.tell import BUILD, BuildError, UsageError, alone, output_of, run, say, stop

RELEASE = "trixie"
KEYRINGS = Path("/usr/share/keyrings")
TREE = BUILD / "micropython"
DOWNLOADS = BUILD / "downloads"
WAY_OUT = "set MICROPYTHON to a tree of MicroPython 1.25 with its submodules"

# What apt is asked for, at which version. A `source` comes in several files, a `binary` in one.
SOURCES = ("micropython=1.25.0+ds-1", "mbedtls=3.6.6-0.1~deb13u1")
BINARIES = ("pico-sdk-source=2.1.1-1", "tinyusb-source=0.18.0+dfsg-1")

# The files that are unpacked → their SHA-256 and their place in the tree.
ARCHIVES = {
    "micropython_1.25.0+ds.orig.tar.xz": (
        "7b25be99a502f070b2de81dafc08da7051d992325d6e67daa9045a918fffdbea",
        ".",
    ),
    "mbedtls_3.6.6.orig.tar.bz2": (
        "8fb65fae8dcae5840f793c0a334860a411f884cc537ea290ce1c52bb64ca007a",
        "lib/mbedtls",
    ),
    "pico-sdk-source_2.1.1-1_all.deb": (
        "507a3ca37636641bc90239d7c04dc9dc28c5008087a8162102ea94d2273153d3",
        "lib/pico-sdk",
    ),
    "tinyusb-source_0.18.0+dfsg-1_all.deb": (
        "01ce2c645df68f14a8a7dcfc8fb355713152543757955820479a87949a61154e",
        "lib/tinyusb",
    ),
}
# What a tree must have so that all of our builds work.
TREE_HAS = (
    "ports/rp2/main.c",
    "ports/unix/main.c",
    "mpy-cross/main.c",
    "lib/mbedtls/library/aes.c",
    "lib/pico-sdk/pico_sdk_init.cmake",
    "lib/tinyusb/src/tusb.c",
    "lib/micropython-lib/README.md",
)


def buildable(path: Path) -> Path:
    """The folder, if MicroPython's makefiles can work in it."""
    if odd := re.search(r"[^\w./+,@~-]", str(path)):
        raise UsageError(
            f"MicroPython's makefiles cannot build in a folder with {odd[0]!r} in its name: {path}"
        )
    return path


def sha256_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def tree() -> Path:
    """The MicroPython tree that everything is built from."""
    given = os.environ.get("MICROPYTHON")
    return checked_tree(Path(given).expanduser().resolve()) if given else buildable(TREE)


def checked_tree(path: Path) -> Path:
    """The given tree, if it is MicroPython 1.25 with the libraries that we need."""
    header = path / "py" / "mpconfig.h"
    if not header.is_file():
        raise UsageError(f"MICROPYTHON={path}: not a MicroPython tree (no py/mpconfig.h)")
    text = header.read_text(encoding="utf-8", errors="replace")
    numbers = re.findall(r"^#define MICROPY_VERSION_(?:MAJOR|MINOR) (\d+)", text, re.MULTILINE)
    if numbers != ["1", "25"]:
        raise UsageError(f"MICROPYTHON={path}: is {'.'.join(numbers) or 'unknown'}, 1.25 is needed")
    for name in TREE_HAS:
        if not (path / name).is_file():
            raise UsageError(f"MICROPYTHON={path}: lacks {name}; fetch its submodules")
    return buildable(path)


def _mirror() -> str:
    """The mirror of the system's own Debian release, in apt's own reading of its lists."""
    found = re.findall(
        r"'(\S+)/dists/([^/'-]+)/InRelease'", output_of(["apt-get", "update", "--print-uris"])
    )
    if not found:
        raise BuildError(f"sources: this machine's apt names no Debian mirror; {WAY_OUT}")
    return found[0][0]


def _keyring() -> Path:
    for name in ("debian-archive-keyring.gpg", "debian-archive-keyring.pgp"):
        if (KEYRINGS / name).is_file():
            return KEYRINGS / name
    raise BuildError(
        f"sources: the package debian-archive-keyring is missing; install it, or {WAY_OUT}"
    )


def apt_options(folder: Path) -> list[str]:
    """An apt of our own: its lists, cache and state are in `folder`, its one source is RELEASE."""
    for part in ("state/lists/partial", "cache/archives/partial", "sources"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "status").touch()
    (folder / "sources" / "release.sources").write_text(
        f"Types: deb deb-src\nURIs: {_mirror()}\nSuites: {RELEASE}\nComponents: main\n"
        f"Signed-By: {_keyring()}\n"
    )
    settings = {
        "Dir::State": folder / "state",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder / "cache",
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": folder / "sources",
        "Dir::Etc::preferences": "/dev/null",
        "Dir::Etc::preferencesparts": "/dev/null",
        "Acquire::AllowInsecureRepositories": "false",
        "Acquire::Languages": "none",
        "APT::Get::AllowUnauthenticated": "false",
        "APT::Sandbox::User": "root",  # the download account may not read a clone in a home folder
    }
    return [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]


def fetch() -> None:
    """Download the archives that are not here yet, and check every one."""
    missing = [name for name in ARCHIVES if not (DOWNLOADS / name).is_file()]
    if missing:
        if not shutil.which("apt-get"):
            raise BuildError(f"sources: no apt-get to fetch MicroPython with; {WAY_OUT}")
        say(f"sources: fetching MicroPython 1.25.0 and its libraries from Debian {RELEASE}")
        partial = BUILD / "downloads.partial"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        options = apt_options(BUILD / "apt")
        run("apt-lists", ["apt-get", *options, "-q", "update", "--error-on=any"], show=r"^Get:.*")
        apt = ["apt-get", *options, "-q"]
        show = r"^Get:.*\(tar\)|^Get:.*-source "
        run("apt-source", [*apt, "source", "--download-only", *SOURCES], cwd=partial, show=show)
        run("apt-binary", [*apt, "download", *BINARIES], cwd=partial, show=show)
        for name in ARCHIVES:
            if not (partial / name).is_file():
                raise BuildError(f"sources: the mirror did not give {name}; {WAY_OUT}")
        shutil.rmtree(DOWNLOADS, ignore_errors=True)
        partial.rename(DOWNLOADS)
        shutil.rmtree(BUILD / "apt", ignore_errors=True)
    for name, (pinned, _) in ARCHIVES.items():
        found = sha256_of(DOWNLOADS / name)
        if found != pinned:
            raise BuildError(
                f"sources: {name}: SHA-256 {found}, pinned {pinned}; remove build/downloads"
            )


def _unpack_deb(archive: Path, place: Path) -> None:
    """The tree is below usr/src/<name>, whatever else the package brings."""
    beside = place.with_name(f"{place.name}.deb")
    subprocess.run(["dpkg-deb", "-x", archive, beside], check=True)
    name = archive.name.split("-source_")[0]
    (beside / "usr" / "src" / name).rename(place)
    shutil.rmtree(beside)


def unpack() -> None:
    """Make build/micropython from the archives, in one move at the end."""
    say("sources: unpacking")
    partial = BUILD / "micropython.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for name, (_, where) in ARCHIVES.items():
        place = partial / where
        if place != partial and place.is_dir():
            place.rmdir()  # the archive keeps an empty folder for a library it left out
        if name.endswith(".deb"):
            _unpack_deb(DOWNLOADS / name, place)
        else:
            place.mkdir(exist_ok=True)
            command = ["tar", "-x", "--no-same-owner", "--strip-components=1", "-C", place, "-f"]
            subprocess.run([*command, DOWNLOADS / name], check=True)
    # Left out of the archive; the build only asks that they exist. Our manifests require nothing.
    library = partial / "lib" / "micropython-lib"
    (library / "micropython").mkdir(parents=True, exist_ok=True)
    (library / "README.md").touch()
    (partial / "dovetail.stamp").write_text(_pins())
    shutil.rmtree(TREE, ignore_errors=True)
    partial.rename(TREE)


def _pins() -> str:
    return "\n".join(f"{sum_}  {name}" for name, (sum_, _) in ARCHIVES.items())


def main() -> None:
    """Check the given tree, or see that ours is there."""
    if tree() != TREE:
        say(f"sources: using {tree()}")
        return
    stamp = TREE / "dovetail.stamp"
    if stamp.is_file() and stamp.read_text() == _pins():
        return
    fetch()
    unpack()
    checked_tree(TREE)
    say("sources: ready in build/micropython")


if __name__ == "__main__":
    try:
        with alone():
            main()
    except BuildError as error:
        stop(error)
    except subprocess.CalledProcessError as error:
        print(f"sources: {error}", file=sys.stderr)
        sys.exit(1)
