"""Fetches the C runtime of nanopb, which the C client is compiled with.

It is of the same version as the generator among the Python packages, which brings no C. It comes
from Debian's archive, or elsewhere by git. NANOPB, a tree of that version, is used instead, as it
is.
"""

import importlib.metadata
import os
import shutil
import subprocess
from pathlib import Path

from host_tools.build.git_tree import Release
from host_tools.build.git_tree import fetch as fetch_by_git
from host_tools.build.sources import apt_of_our_own, debian_lacks, sha256_of
from host_tools.build.tell import BUILD, BuildError, UsageError, new_folder, run, say

VERSION = "0.4.9.1"
ARCHIVE = f"nanopb_{VERSION}.orig.tar.gz"
SHA256 = "4575944a468718ef25f05eb01d994364650b581563089a9841986bb1e460eac3"
TREE = BUILD / "nanopb"
SOURCES = ("pb_common.c", "pb_decode.c", "pb_encode.c")
# Where the tag of a copy of nanopb's public repository leads; the three C files and pb.h of that
# commit are byte for byte those of Debian's archive.
RELEASE_BY_GIT = Release(
    name="nanopb",
    variable="NANOPB_GIT",
    address="https://github.com/nanopb/nanopb.git",
    tag=f"nanopb-{VERSION}",
    commits={".": "cad3c18ef15a663e30e3e43e3a752b66378adec1"},
)


def tree() -> Path:
    """The folder with pb.h; fetched when it is not there."""
    found = importlib.metadata.version("nanopb")
    if found != VERSION:
        raise BuildError(
            f"nanopb: the generator is {found}, the runtime {VERSION}; run: make setup"
        )
    if given := os.environ.get("NANOPB"):
        place = Path(given).expanduser().resolve()
        if not (place / "pb.h").is_file():
            raise UsageError(f"NANOPB={place}: not a tree of nanopb (no pb.h)")
        return place
    if not (TREE / "pb.h").is_file():
        fetch()
    return TREE


def fetch() -> None:
    """Make build/nanopb, in one move at the end."""
    if os.environ.get(RELEASE_BY_GIT.variable) or debian_lacks():
        with new_folder(TREE) as partial:
            fetch_by_git(RELEASE_BY_GIT, partial)
        return
    say(f"nanopb: fetching {VERSION}")
    downloads = BUILD / "nanopb.downloads"
    with new_folder(TREE) as partial, new_folder(downloads) as folder:
        apt = ["apt-get", *apt_of_our_own(folder / "apt"), "-q"]
        source = ["source", "--download-only", "--tar-only", f"nanopb={VERSION}-1"]
        run("nanopb-source", [*apt, *source], cwd=folder)
        found = sha256_of(folder / ARCHIVE)
        if found != SHA256:
            raise BuildError(f"nanopb: {ARCHIVE}: SHA-256 {found}, pinned {SHA256}")
        unpack = ["tar", "-x", "--no-same-owner", "--strip-components=1", "-C", partial, "-f"]
        subprocess.run([*unpack, folder / ARCHIVE], check=True)
    shutil.rmtree(downloads)
