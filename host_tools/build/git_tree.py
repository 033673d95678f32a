"""Fetches a source tree by git and checks every commit: for machines without Debian's archive.

A release is a tag of a repository and the commits that this project knows: one for the repository
("."), one for each submodule that a build needs. Each is fetched by itself and without history.
A commit's name is a hash of all that it holds, so it does not matter where the commit came from.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from host_tools.build.tell import NO_NETWORK, BuildError, say

# A person's own settings and hooks must not change what is written; credentials and proxies stay.
SETTINGS = {
    "advice.detachedHead": "false",
    "core.autocrlf": "false",
    "core.eol": "lf",
    "core.hooksPath": os.devnull,
    "gc.auto": "0",
    "http.lowSpeedLimit": "1000",  # bytes a second, below which for so many seconds git gives up
    "http.lowSpeedTime": "60",
    "init.defaultBranch": "main",
    "init.templateDir": "",
    "maintenance.auto": "false",
    "protocol.version": "2",  # a commit can be asked for by its name
}
# Inside a git hook these name our own repository.
LOCATIONS = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"),
    *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX"),
)


@dataclass(frozen=True)
class Release:
    """A tag of a public repository, with the commits that it must lead to."""

    name: str
    variable: str  # names another address of the repository
    address: str
    tag: str
    commits: Mapping[str, str]  # folder in the tree → commit

    @property
    def way_out(self) -> str:
        """What a person can do when the repository is of no use."""
        return f"set {self.variable} to a repository of {self.name} that has {self.tag}"

    @property
    def stamp(self) -> str:
        """The text that tells a tree of this release from others."""
        return "\n".join(f"git {commit}  {path}" for path, commit in self.commits.items())


def _git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run git in a folder, without a question to the person and without a word of its own."""
    settings = [word for key, value in SETTINGS.items() for word in ("-c", f"{key}={value}")]
    kept = {key: value for key, value in os.environ.items() if key not in LOCATIONS}
    return subprocess.run(
        ["git", *settings, *words],
        cwd=folder,
        env={**kept, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    """Return the line in which git says what is wrong."""
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    marked = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (marked or lines or ["git ended without a word"])[0]


def _read(folder: Path, *words: str) -> str:
    """Return what git prints, or stop with its reason."""
    done = _git(folder, *words)
    if done.returncode:
        raise BuildError(f"sources: git {words[0]}: {_reason(done)}")
    return done.stdout.strip()


def _fetch(release: Release, folder: Path, address: str, wanted: str) -> None:
    """Fetch one tag or commit into a new repository in `folder`, or say why it cannot be had."""
    folder.mkdir(parents=True, exist_ok=True)
    _read(folder, "init", "--quiet")
    words = ("--quiet", "--depth=1", "--no-tags", "--", address, wanted)
    done = _git(folder, "fetch", *words)
    if done.returncode == 0:
        return
    what = wanted.removeprefix("refs/tags/")
    if NO_NETWORK.search(done.stderr):
        raise BuildError(
            f"sources: no network: git cannot reach {address}; connect and run it again, "
            f"or {release.way_out}"
        )
    if re.search(r"couldn't find remote ref|not our ref|unadvertised object", done.stderr):
        raise BuildError(f"sources: {address} does not have {what}; {release.way_out}")
    raise BuildError(
        f"sources: git cannot fetch {what} from {address}: {_reason(done)}; {release.way_out}"
    )


def _check_out(folder: Path) -> None:
    """Write the fetched files and forget the repository."""
    _read(folder, "checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
    shutil.rmtree(folder / ".git")


def _submodules(folder: Path) -> dict[str, str]:
    """Return folder → address, of every submodule that the fetched commit names."""
    if not (folder / ".gitmodules").is_file():
        return {}
    listed = _read(folder, "config", "--file", ".gitmodules", "--list")
    values = dict(line.split("=", 1) for line in listed.splitlines())
    found: dict[str, str] = {}
    for key, path in values.items():
        if key.startswith("submodule.") and key.endswith(".path"):
            found[path] = values.get(f"{key.removesuffix('.path')}.url", "")
    return found


def _address_of(path: str, commit: str, public: str, local: Path | None) -> str:
    """Return where to fetch a submodule from: a local repository's own copy goes first."""
    copy = local / path if local else None
    if copy and (copy / ".git").exists():
        known = _git(copy, "cat-file", "-e", f"{commit}^{{commit}}")
        if known.returncode == 0:
            return str(copy)
    return public


def _local(address: str) -> Path | None:
    """Return the folder that an address names, if it is one; git finds no relative path."""
    try:
        folder = Path(address).expanduser().resolve()
        return folder if folder.exists() else None
    except (OSError, RuntimeError):  # not for this user's eyes, or ~ of nobody: git says so
        return None


def fetch(release: Release, folder: Path) -> None:
    """Write the files of a release into an empty folder; raise BuildError at the first doubt."""
    if not shutil.which("git"):
        raise BuildError(f"sources: no git to fetch {release.name} with; install git")
    address = os.environ.get(release.variable) or release.address
    local = _local(address)
    address = str(local or address)
    say(f"sources: fetching {release.name} {release.tag} from {address}")
    _fetch(release, folder, address, f"refs/tags/{release.tag}")
    found = _read(folder, "rev-parse", "FETCH_HEAD^{commit}")
    if found != release.commits["."]:
        raise BuildError(
            f"sources: {release.tag} at {address} is commit {found}, but {release.commits['.']} "
            f"is known: the tag was moved; {release.way_out}"
        )
    held = {path: _read(folder, "ls-tree", "FETCH_HEAD", "--", path) for path in release.commits}
    _check_out(folder)
    public = _submodules(folder)
    for path, commit in release.commits.items():
        if path == ".":
            continue
        link = re.match(r"160000 commit (\w+)\t", held[path])
        if not link or not public.get(path):
            raise BuildError(
                f"sources: {release.tag} at {address} has no submodule {path}; {release.way_out}"
            )
        if link[1] != commit:
            raise BuildError(
                f"sources: {path} in {release.tag} at {address} is commit {link[1]}, "
                f"but {commit} is known; {release.way_out}"
            )
        source = _address_of(path, commit, public[path], local)
        say(f"  {path} from {source}")
        _fetch(release, folder / path, source, commit)
        _check_out(folder / path)
