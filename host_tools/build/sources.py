"""Fetches MicroPython and what it is built with, checks it, unpacks it: `make sources`.

On Debian everything comes from the Debian release that has these versions, over the mirror that
this machine's own apt already uses, through an apt directory of our own: no root, and the system's
set-up is left alone. apt checks the archive's signature down to every file; the pinned sums below
check it again. Elsewhere, or when MICROPYTHON_GIT names a repository, MicroPython comes by git and
its commits are checked. A tree given in MICROPYTHON is used instead of either, as it is.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from host_tools.build.git_tree import Release
from host_tools.build.git_tree import fetch as fetch_by_git
from host_tools.build.tell import (
    BUILD,
    BuildError,
    UsageError,
    alone,
    new_folder,
    output_of,
    run,
    say,
    stop,
)

RELEASE = "trixie"
KEYRINGS = Path("/usr/share/keyrings")
TREE = BUILD / "micropython"
STAMP = "dovetail.stamp"
DOWNLOADS = BUILD / "downloads"
OS_RELEASE = Path("/etc/os-release")
WAY_OUT = (
    "set MICROPYTHON_GIT to a repository of MicroPython, "
    "or MICROPYTHON to a tree of MicroPython 1.25 with its submodules"
)

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
# MicroPython's own release, with the submodules that our builds read. It is another mixture than
# Debian's: mbedtls is 3.6.2 here and 3.6.6 there, tinyusb 0.17.0 here and 0.18.0 there; MicroPython
# and the SDK are the same. So an image of this tree has other bytes than one of Debian's.
#
# How the commits were confirmed, in November 2026: the first is where the tag v1.25.0 of a copy of
# MicroPython's public repository leads, and all files of that commit are byte for byte those of
# Debian's signed archive, as far as the archive has them. The others are what that commit names;
# copies of the four libraries' public repositories have them, under the tag at the end of the line.
RELEASE_BY_GIT = Release(
    name="MicroPython",
    variable="MICROPYTHON_GIT",
    address="https://github.com/micropython/micropython.git",
    tag="v1.25.0",
    commits={
        ".": "f498a16c7db6d4b2de200b3e0856528dfe0613c3",
        "lib/mbedtls": "107ea89daaefb9867ea9121002fbbdf926780e98",  # v3.6.2
        "lib/micropython-lib": "5b496e944ec045177afa1620920a168410b7f60b",  # v1.25.0
        "lib/pico-sdk": "bddd20f928ce76142793bef434d4f75f4af6e433",  # 2.1.1
        "lib/tinyusb": "5217cee5de4cd555018da90f9f1bcc87fb1c1d3a",  # 0.17.0
    },
)

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
    if not given:
        return buildable(TREE)
    try:
        return checked_tree(Path(given).expanduser().resolve())
    except (OSError, RuntimeError) as error:  # a folder of others, or ~ of nobody
        raise UsageError(f"MICROPYTHON={given}: cannot be read: {error}") from error


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


def _mirrors() -> list[str]:
    """Return the mirrors that this machine's apt names, in its own reading of its lists."""
    listed = output_of(["apt-get", "update", "--print-uris"])
    return list(dict.fromkeys(re.findall(r"'(\S+)/dists/[^/'-]+/InRelease'", listed)))


def debian_lacks() -> str:
    """Return why nothing can be fetched from Debian's archive here; empty when it can."""
    system = OS_RELEASE.read_text(encoding="utf-8") if OS_RELEASE.is_file() else ""
    if not re.search(r"^ID=\"?debian\"?$", system, re.MULTILINE):
        return "this is not Debian"
    if not shutil.which("apt-get"):
        return "no apt-get"
    if not _mirrors():
        return "apt names no mirror"
    return ""


def _keyring() -> Path:
    for name in ("debian-archive-keyring.gpg", "debian-archive-keyring.pgp"):
        if (KEYRINGS / name).is_file():
            return KEYRINGS / name
    raise BuildError(
        f"sources: the package debian-archive-keyring is missing; install it, or {WAY_OUT}"
    )


def apt_of_our_own(folder: Path) -> list[str]:
    """Return the options of an apt with its lists and state in `folder`, and RELEASE alone in them.

    Not every mirror that apt names is one of Debian: the first that has RELEASE is taken.
    """
    options = _apt_options(folder)
    update = ["apt-get", *options, "-q", "update", "--error-on=any"]
    *others, last = _mirrors()
    for mirror in others:
        _write_sources(folder, mirror)
        if output_of(update):
            return options
    _write_sources(folder, last)
    run("apt-lists", update, show=r"^Get:.*")
    return options


def _write_sources(folder: Path, mirror: str) -> None:
    (folder / "sources" / "release.sources").write_text(
        f"Types: deb deb-src\nURIs: {mirror}\nSuites: {RELEASE}\nComponents: main\n"
        f"Signed-By: {_keyring()}\n"
    )


def _apt_options(folder: Path) -> list[str]:
    for part in ("state/lists/partial", "cache/archives/partial", "sources"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "status").touch()
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


def _are_here() -> bool:
    return all((DOWNLOADS / name).is_file() for name in ARCHIVES)


def fetch() -> None:
    """Download the archives that are not here yet, and check every one."""
    if not _are_here():
        say(f"sources: fetching MicroPython 1.25.0 and its libraries from Debian {RELEASE}")
        with new_folder(DOWNLOADS) as partial:
            apt = ["apt-get", *apt_of_our_own(BUILD / "apt"), "-q"]
            show = r"^Get:.*\(tar\)|^Get:.*-source "
            run("apt-source", [*apt, "source", "--download-only", *SOURCES], cwd=partial, show=show)
            run("apt-binary", [*apt, "download", *BINARIES], cwd=partial, show=show)
            for name in ARCHIVES:
                if not (partial / name).is_file():
                    raise BuildError(f"sources: the mirror did not give {name}; {WAY_OUT}")
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


def unpack(partial: Path) -> None:
    """Write the tree that the archives make into an empty folder."""
    say("sources: unpacking")
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


def _pins() -> str:
    return "\n".join(f"{sum_}  {name}" for name, (sum_, _) in ARCHIVES.items())


def stamp_of(path: Path) -> str:
    """Return the text that tells what a tree of ours was made of; empty for any other tree."""
    stamp = path / STAMP
    return stamp.read_text(encoding="utf-8") if stamp.is_file() else ""


def origin() -> str:
    """Return where the tree came from: two images differ for that reason alone."""
    if tree() != TREE:
        return str(tree())
    return {
        RELEASE_BY_GIT.stamp: f"git {RELEASE_BY_GIT.tag}",
        _pins(): f"Debian {RELEASE}",
    }.get(stamp_of(TREE), "unknown")


def main() -> None:
    """See that the tree which everything is built from is there."""
    if tree() != TREE:
        say(f"sources: using {tree()}")
        return
    by_git = bool(os.environ.get(RELEASE_BY_GIT.variable))
    there = stamp_of(TREE)
    if there == RELEASE_BY_GIT.stamp or (there == _pins() and not by_git):
        return
    if not by_git and not _are_here() and (lacks := debian_lacks()):
        say(f"sources: nothing can come from Debian's archive ({lacks}), so git is used")
        by_git = True
    if not by_git:
        fetch()
    with new_folder(TREE) as partial:
        if by_git:
            fetch_by_git(RELEASE_BY_GIT, partial)
        else:
            unpack(partial)
        checked_tree(partial)
        (partial / STAMP).write_text(RELEASE_BY_GIT.stamp if by_git else _pins(), encoding="utf-8")
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
