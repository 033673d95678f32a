"""Fetches the C runtime of nanopb, which the C client is compiled with.

It is of the same version as the generator among the Python packages, which brings no C. NANOPB, a
tree of that version, is used instead, as it is.
"""

import importlib.metadata
import os
import shutil
import subprocess
from pathlib import Path

from host_tools.build.sources import apt_options, sha256_of
from host_tools.build.tell import BUILD, BuildError, UsageError, run, say

VERSION = "0.4.9.1"
ARCHIVE = f"nanopb_{VERSION}.orig.tar.gz"
SHA256 = "4575944a468718ef25f05eb01d994364650b581563089a9841986bb1e460eac3"
TREE = BUILD / "nanopb"
SOURCES = ("pb_common.c", "pb_decode.c", "pb_encode.c")
OURS = "set NANOPB to a tree of nanopb " + VERSION


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
    """Download the archive, check it, unpack it, in one move at the end."""
    if not shutil.which("apt-get"):
        raise BuildError(f"nanopb: no apt-get to fetch it with; {OURS}")
    say(f"nanopb: fetching {VERSION}")
    partial = BUILD / "nanopb.partial"
    shutil.rmtree(partial, ignore_errors=True)
    (partial / "tree").mkdir(parents=True)
    apt = ["apt-get", *apt_options(partial / "apt"), "-q"]
    run("nanopb-lists", [*apt, "update", "--error-on=any"])
    source = ["source", "--download-only", "--tar-only", f"nanopb={VERSION}-1"]
    run("nanopb-source", [*apt, *source], cwd=partial)
    found = sha256_of(partial / ARCHIVE)
    if found != SHA256:
        raise BuildError(f"nanopb: {ARCHIVE}: SHA-256 {found}, pinned {SHA256}")
    unpack = ["tar", "-x", "--no-same-owner", "--strip-components=1", "-C", partial / "tree", "-f"]
    subprocess.run([*unpack, partial / ARCHIVE], check=True)
    shutil.rmtree(TREE, ignore_errors=True)
    (partial / "tree").rename(TREE)
    shutil.rmtree(partial)
