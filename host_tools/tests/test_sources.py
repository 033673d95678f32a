"""MicroPython by git: the commits that are known or one clear line, and nothing half left behind.

The repositories here are a few files each, on this machine; the list of commits comes from them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from host_tools.build import git_tree, sources
from host_tools.build.git_tree import Release
from host_tools.build.tell import BuildError, UsageError, new_folder
from host_tools.tests.needs import needs

TAG = "v1.25.0"
LIBRARIES = ("mbedtls", "micropython-lib", "pico-sdk", "tinyusb")
PUBLIC = "https://world.example/"
OTHER = "0123456789abcdef0123456789abcdef01234567"
UNREACHABLE = "http://127.0.0.1:1/nothing.git"
# What a tree of MicroPython 1.25 must have; a build reads nothing else of it here.
FILES = {
    "py/mpconfig.h": "#define MICROPY_VERSION_MAJOR 1\n#define MICROPY_VERSION_MINOR 25\n",
    **dict.fromkeys(("ports/rp2/main.c", "ports/unix/main.c", "mpy-cross/main.c"), "int main;\n"),
}
LIBRARY_FILES = {
    "mbedtls": "library/aes.c",
    "micropython-lib": "README.md",
    "pico-sdk": "pico_sdk_init.cmake",
    "tinyusb": "src/tusb.c",
}


WHO = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.templateDir=")


def git(folder: Path, *words: str) -> str:
    """Run git as nobody in particular, whatever this machine's person has set."""
    done = subprocess.run(
        ["git", *WHO, *words],
        cwd=folder,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def commit(folder: Path, files: dict[str, str]) -> str:
    """Write files and commit everything; return the commit."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git(folder, "add", "--", *files)
    git(folder, "commit", "-q", "-m", "files")
    return git(folder, "rev-parse", "HEAD")


def repository(folder: Path, files: dict[str, str]) -> str:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    return commit(folder, files)


@dataclass
class World:
    """A repository with four submodules, each with an older and a newer commit than the tag's."""

    folder: Path
    release: Release

    @property
    def address(self) -> Path:
        return self.folder / "micropython"

    def library(self, name: str) -> Path:
        return self.folder / name


def make_world(folder: Path) -> dict[str, str]:
    """Make the repositories in a folder; return what the tag leads to."""
    commits: dict[str, str] = {}
    modules = f'[submodule "spare"]\n\tpath = lib/spare\n\turl = {UNREACHABLE}\n'
    for name in LIBRARIES:
        place = folder / name
        repository(place, {"old": "old\n"})
        commits[f"lib/{name}"] = commit(place, {LIBRARY_FILES[name]: f"{name}\n"})
        commit(place, {"new": "new\n"})
        modules += f'[submodule "lib/{name}"]\n\tpath = lib/{name}\n\turl = {PUBLIC}{name}\n'
    place = folder / "micropython"
    repository(place, {"old": "old\n"})
    for path, linked in {**commits, "lib/spare": OTHER}.items():
        git(place, "update-index", "--add", "--cacheinfo", f"160000,{linked},{path}")
    commits["."] = commit(place, {**FILES, ".gitmodules": modules})
    git(place, "tag", "-a", "-m", "a release", TAG)
    commit(place, {"new": "new\n"})
    return commits


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    needs("git")
    folder = tmp_path_factory.mktemp("world")
    return folder, make_world(folder)


@pytest.fixture
def world(
    made: tuple[Path, dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> World:
    """Repositories of its own for each test; git finds them under their public addresses."""
    shutil.copytree(made[0], tmp_path, dirs_exist_ok=True)
    for name in ("MICROPYTHON", "MICROPYTHON_GIT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{tmp_path}/.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", PUBLIC)
    address = str(tmp_path / "micropython")
    return World(tmp_path, Release("MicroPython", "MICROPYTHON_GIT", address, TAG, made[1]))


def fetched(world: World) -> Path:
    folder = world.folder / "tree"
    folder.mkdir()
    git_tree.fetch(world.release, folder)
    return folder


def listed(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def wanted_files() -> set[str]:
    libraries = {
        f"lib/{name}/{file}" for name, own in LIBRARY_FILES.items() for file in ("old", own)
    }
    return {"old", ".gitmodules", *FILES} | libraries


def line_of(world: World) -> str:
    """Return the one line with which fetching stops."""
    with pytest.raises(BuildError) as caught:
        fetched(world)
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith("sources: ")
    return line


def test_the_files_of_the_tag_and_of_the_listed_commits_arrive_and_nothing_else(
    world: World,
) -> None:
    tree = fetched(world)
    assert listed(tree) == wanted_files()
    assert (tree / "lib/tinyusb/src/tusb.c").read_text() == "tinyusb\n"


def test_settings_and_hooks_of_a_person_change_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = world.folder / "template" / "hooks"
    template.mkdir(parents=True)
    hook = template / "post-checkout"
    hook.write_text("#!/bin/sh\ntouch hooked\n")
    hook.chmod(0o755)
    settings = world.folder / "gitconfig"
    settings.write_text(
        "[core]\n\tautocrlf = true\n\teol = crlf\n"
        f"\thooksPath = {template}\n[init]\n\ttemplateDir = {template.parent}\n"
        "[submodule]\n\trecurse = true\n[fetch]\n\trecurseSubmodules = true\n"
        "[protocol]\n\tversion = 0\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_DIR", str(world.library("tinyusb") / ".git"))  # as inside a hook
    monkeypatch.setenv("GIT_WORK_TREE", str(world.library("tinyusb")))
    tree = fetched(world)
    assert listed(tree) == wanted_files()
    assert (tree / "py/mpconfig.h").read_bytes() == FILES["py/mpconfig.h"].encode()


def test_a_moved_tag_is_refused(world: World) -> None:
    git(world.address, "tag", "-f", TAG)
    moved_to = git(world.address, "rev-parse", "HEAD")
    line = line_of(world)
    assert moved_to in line
    assert world.release.commits["."] in line
    assert "the tag was moved" in line
    assert "MICROPYTHON_GIT" in line


@pytest.mark.parametrize("name", LIBRARIES)
def test_another_commit_of_a_submodule_than_the_known_one_is_refused(
    world: World, name: str
) -> None:
    path = f"lib/{name}"
    right = world.release.commits[path]
    world.release = replace(world.release, commits={**world.release.commits, path: OTHER})
    line = line_of(world)
    assert f"{path} in {TAG}" in line
    assert right in line
    assert OTHER in line


def test_a_submodule_that_the_tag_does_not_have_is_named(world: World) -> None:
    commits = {**world.release.commits, "lib/axtls": OTHER}
    world.release = replace(world.release, commits=commits)
    assert "has no submodule lib/axtls" in line_of(world)


def test_a_submodule_without_an_address_is_named(world: World) -> None:
    listed_there = world.address / ".gitmodules"
    text = re.sub(r"\turl = \S+tinyusb\n", "", listed_there.read_text())
    found = commit(world.address, {".gitmodules": text})
    git(world.address, "tag", "-f", TAG)
    world.release = replace(world.release, commits={**world.release.commits, ".": found})
    assert "has no submodule lib/tinyusb" in line_of(world)


def test_a_folder_is_not_a_submodule(world: World) -> None:
    world.release = replace(world.release, commits={**world.release.commits, "py": OTHER})
    assert "has no submodule py" in line_of(world)


def test_a_submodule_repository_without_the_commit_is_named(world: World) -> None:
    place = world.library("tinyusb")
    shutil.rmtree(place)
    repository(place, {"src/tusb.c": "another project\n"})
    line = line_of(world)
    assert f"{PUBLIC}tinyusb does not have {world.release.commits['lib/tinyusb']}" in line


def test_a_submodule_repository_that_is_gone_is_named(world: World) -> None:
    shutil.rmtree(world.library("pico-sdk"))
    assert f"from {PUBLIC}pico-sdk: fatal: " in line_of(world)


def test_a_repository_without_the_tag_is_named(world: World) -> None:
    git(world.address, "tag", "-d", TAG)
    assert f"{world.address} does not have {TAG}; set MICROPYTHON_GIT" in line_of(world)


@pytest.mark.parametrize("file", ["", "objects"])
def test_a_broken_repository_is_named(world: World, file: str) -> None:
    shutil.rmtree(world.address / ".git" / file)
    assert f"cannot fetch {TAG} from {world.address}: " in line_of(world)


def test_a_lost_file_of_a_repository_is_noticed(world: World) -> None:
    place = world.library("mbedtls")
    blob = git(place, "rev-parse", f"{world.release.commits['lib/mbedtls']}:library/aes.c")
    (place / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert f"from {PUBLIC}mbedtls: " in line_of(world)


@pytest.mark.parametrize("address", ["~nobody-here/x", "/" + "x" * 300, "micropython", "-x", ""])
def test_a_path_to_nothing_is_one_line(
    world: World, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.release = replace(world.release, address="nowhere")  # an empty variable names nothing
    monkeypatch.setenv("MICROPYTHON_GIT", address)
    assert f"cannot fetch {TAG} from {address or 'nowhere'}: " in line_of(world)


@pytest.mark.parametrize("path", ["~nobody-here/x", "/" + "x" * 300])
def test_a_tree_that_cannot_be_read_is_one_line(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROPYTHON", path)
    with pytest.raises(UsageError, match=r"MICROPYTHON=.*: cannot be read") as caught:
        sources.tree()
    assert "\n" not in str(caught.value)


def test_an_address_that_nobody_answers_is_named(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MICROPYTHON_GIT", UNREACHABLE)
    line = line_of(world)
    assert f"no network: git cannot reach {UNREACHABLE}; connect and run it again" in line


def test_an_unknown_host_is_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for git says what git says when a name cannot be resolved."""
    programs = world.folder / "bin"
    programs.mkdir()
    fake = programs / "git"
    fake.write_text(
        '#!/bin/sh\ncase "$*" in *" fetch "*) echo "fatal: unable to access \'$a\': '
        'Could not resolve host: example.com" >&2; exit 128;; esac\n'
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    assert "no network: git cannot reach" in line_of(world)


def test_without_git_it_is_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(world.folder))
    assert line_of(world) == "sources: no git to fetch MicroPython with; install git"


def test_a_local_repository_gives_its_own_submodules(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clone with its submodules is enough, without any network."""
    clone = world.folder / "clone"
    git(
        world.folder, "clone", "-q", "--depth=1", f"--branch={TAG}", world.address.as_uri(), "clone"
    )
    for name in LIBRARIES:
        git(world.folder, "clone", "-q", str(world.library(name)), str(clone / "lib" / name))
        shutil.rmtree(world.library(name))
    monkeypatch.setenv("MICROPYTHON_GIT", str(clone))
    assert listed(fetched(world)) == wanted_files()


# -- make sources --------------------------------------------------------------------------


@pytest.fixture
def make_sources(world: World, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """`make sources` for the repositories of this test, on a machine that is not Debian."""
    system = world.folder / "os-release"
    system.write_text('NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n')
    place = world.folder / "build" / "micropython"
    monkeypatch.setattr(sources, "OS_RELEASE", system)
    monkeypatch.setattr(sources, "TREE", place)
    monkeypatch.setattr(sources, "DOWNLOADS", place.with_name("downloads"))
    monkeypatch.setattr(sources, "RELEASE_BY_GIT", world.release)

    def make() -> Path:
        sources.main()
        return place

    return make


def test_make_sources_takes_git_where_this_is_not_debian(
    make_sources: Callable[[], Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tree = make_sources()
    assert listed(tree) == wanted_files() | {"dovetail.stamp"}
    assert names(tree.parent) == ["micropython"]
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].endswith("(this is not Debian), so git is used")
    assert shown[-1] == "sources: ready in build/micropython"
    assert sources.origin() == f"git {TAG}"
    monkeypatch.setenv("PATH", "")  # the second time nothing is fetched, and git is not asked for
    assert make_sources() == tree
    assert capsys.readouterr().out == ""


def test_make_sources_leaves_nothing_half_done(
    world: World, make_sources: Callable[[], Path], tmp_path: Path
) -> None:
    shutil.move(world.library("tinyusb"), tmp_path / "away")  # the last of five
    with pytest.raises(BuildError, match="tinyusb"):
        make_sources()
    assert names(tmp_path / "build") == []
    shutil.move(tmp_path / "away", world.library("tinyusb"))
    partial = tmp_path / "build" / "micropython.partial"  # somebody pulled the plug
    partial.mkdir()
    (partial / "rubbish").touch()
    tree = make_sources()
    assert listed(tree) == wanted_files() | {"dovetail.stamp"}
    assert names(tmp_path / "build") == ["micropython"]


def test_a_tree_of_something_else_is_replaced_only_by_a_whole_one(
    world: World, make_sources: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = make_sources()
    (tree / "dovetail.stamp").write_text("another release")
    git(world.address, "tag", "-d", TAG)
    with pytest.raises(BuildError, match=f"does not have {TAG}"):
        make_sources()
    assert (tree / "dovetail.stamp").read_text() == "another release"
    git(world.address, "tag", TAG, world.release.commits["."])
    make_sources()
    assert (tree / "dovetail.stamp").read_text() != "another release"


def test_archives_that_are_here_need_no_mirror(
    make_sources: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Archives that somebody brought along are checked and unpacked, whatever the machine."""
    sources.DOWNLOADS.mkdir(parents=True)
    for name in sources.ARCHIVES:
        (sources.DOWNLOADS / name).write_bytes(b"not what is pinned")
    with pytest.raises(BuildError, match=r"pinned .*; remove build/downloads"):
        make_sources()


def test_a_named_repository_goes_before_the_archive(
    world: World, make_sources: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    sources.OS_RELEASE.write_text("ID=debian\n")
    monkeypatch.setenv("MICROPYTHON_GIT", str(world.address))
    assert listed(make_sources()) == wanted_files() | {"dovetail.stamp"}


def test_a_release_that_lacks_what_is_built_is_refused(
    world: World, make_sources: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    commits = {path: name for path, name in world.release.commits.items() if path != "lib/tinyusb"}
    monkeypatch.setattr(sources, "RELEASE_BY_GIT", replace(world.release, commits=commits))
    with pytest.raises(BuildError, match=r"lacks lib/tinyusb/src/tusb\.c"):
        make_sources()
    assert names(world.folder / "build") == []


def test_every_library_that_is_built_has_its_commit() -> None:
    needed = {"/".join(name.split("/")[:2]) for name in sources.TREE_HAS if name.startswith("lib/")}
    assert set(sources.RELEASE_BY_GIT.commits) == {".", *needed}
    for name in sources.RELEASE_BY_GIT.commits.values():
        assert re.fullmatch(r"[0-9a-f]{40}", name)


# -- Debian's archive ----------------------------------------------------------------------

APT = """#!/bin/sh
# Names two mirrors; only the second has Debian's release.
case "$*" in
*--print-uris*) echo "'https://one.example/linux/dists/bookworm/InRelease' one 0 "
                echo "'https://two.example/debian/dists/bookworm/InRelease' two 0 "
                echo "'https://two.example/debian/dists/bookworm-updates/InRelease' two 0 " ;;
*) grep -q two.example {folder}/sources/release.sources ;;
esac
"""


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with Debian's keys and an apt of which the first mirror is not Debian's."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "apt-get").write_text(APT.format(folder=tmp_path / "apt"))
    (programs / "apt-get").chmod(0o755)
    (tmp_path / "debian-archive-keyring.gpg").touch()
    (tmp_path / "os-release").write_text("ID=debian\n")
    monkeypatch.setattr(sources, "KEYRINGS", tmp_path)
    monkeypatch.setattr(sources, "OS_RELEASE", tmp_path / "os-release")
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    return tmp_path / "apt"


def test_a_mirror_of_others_is_passed_over(apt: Path) -> None:
    sources.apt_of_our_own(apt)
    text = (apt / "sources" / "release.sources").read_text()
    assert "URIs: https://two.example/debian\nSuites: trixie\n" in text


def test_what_the_archive_is_not_asked_for(apt: Path) -> None:
    assert sources.debian_lacks() == ""
    (apt.parent / "bin" / "apt-get").write_text("#!/bin/sh\n")
    assert sources.debian_lacks() == "apt names no mirror"
    (apt.parent / "bin" / "apt-get").unlink()
    if not Path("/usr/bin/apt-get").exists():
        assert sources.debian_lacks() == "no apt-get"
    for system in ("ID=ubuntu\nID_LIKE=debian\n", "ID=fedora\n", "ID=raspbian\n"):
        (apt.parent / "os-release").write_text(system)
        assert sources.debian_lacks() == "this is not Debian"
    (apt.parent / "os-release").unlink()
    assert sources.debian_lacks() == "this is not Debian"


def test_a_folder_takes_its_name_at_the_end(tmp_path: Path) -> None:
    place = tmp_path / "tree"
    with new_folder(place) as partial:
        (partial / "file").write_text("first")
        assert not place.exists()
    with pytest.raises(IsADirectoryError), new_folder(place) as partial:
        partial.write_text("a folder is no file")
    assert listed(tmp_path) == {"tree/file"}
    assert (place / "file").read_text() == "first"
