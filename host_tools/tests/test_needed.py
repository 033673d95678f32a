"""What a machine lacks is named in one line, with the command of its own package manager."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from host_tools.build import c_client, image, needed, setup, test, unix
from host_tools.build.tell import ROOT, BuildError
from host_tools.tests import needs as tests_need

IMAGE = ("cmake", "g++", "gcc", "libc6-dev", "make")
ARM = ("gcc-arm-none-eabi", "libnewlib-arm-none-eabi", "libstdc++-arm-none-eabi-newlib")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with no program at all, for a person who is not root; the folder of its PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    return folder


def add(programs: Path, *names: str, text: str = "") -> None:
    for name in names:
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)


def test_a_machine_without_programs_lacks_every_package_of_an_image(programs: Path) -> None:
    assert set(needed.missing_for("image")) == {*IMAGE, *ARM}
    assert set(needed.missing_for("c")) == {"gcc", "libc6-dev"}
    assert needed.missing_for("dieharder") == ["dieharder"]


def test_a_compiler_without_its_library_is_not_enough(programs: Path) -> None:
    """A stand-in prints the bare name back and finds no header, as a compiler alone does."""
    add(programs, "gcc", text="exit 1")
    add(programs, "arm-none-eabi-gcc", text='echo "${1#-print-file-name=}"')
    assert needed.missing_for("c") == ["libc6-dev"]
    lacks = needed.missing_for("image")
    assert "gcc-arm-none-eabi" not in lacks
    assert {"libnewlib-arm-none-eabi", "libstdc++-arm-none-eabi-newlib"} < set(lacks)


def test_nothing_is_said_where_nothing_is_lacking(programs: Path) -> None:
    add(programs, "gcc", text="echo int main")
    assert needed.lack_of("c") == ""
    needed.require("c", "who")


@pytest.mark.parametrize(
    ("manager", "wanted", "command"),
    [
        (
            "apt-get",
            ("gcc", "cmake"),
            "sudo sh -c 'apt-get update && apt-get install -y gcc cmake'",
        ),
        ("dnf", ("gcc", "g++", "libffi-dev"), "sudo dnf install gcc gcc-c++ libffi-devel"),
        (
            "dnf",
            (*ARM, "git"),
            "sudo dnf install arm-none-eabi-gcc-cs arm-none-eabi-newlib "
            "arm-none-eabi-gcc-cs-c++ git",
        ),
        (
            "brew",
            ("gcc", "make", "cmake", "libffi-dev", *ARM, "dieharder"),
            "xcode-select --install; brew install cmake libffi; "
            "brew install --cask gcc-arm-embedded; by hand: dieharder",
        ),
        ("", ("gcc", "cmake"), "gcc cmake (names in Debian)"),
    ],
)
def test_the_command_is_that_of_the_machines_own_manager(
    programs: Path, manager: str, wanted: tuple[str, ...], command: str
) -> None:
    if manager:
        add(programs, manager)
    assert needed.how_to_install(wanted) == command


def test_root_needs_no_sudo(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(programs, "dnf")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert needed.how_to_install(["gcc"]) == "dnf install gcc"


def test_sources_need_git_only_where_they_come_by_git(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = {"dpkg-dev", "xz-utils", "debian-archive-keyring"}
    monkeypatch.delenv("MICROPYTHON", raising=False)
    monkeypatch.delenv("MICROPYTHON_GIT", raising=False)
    monkeypatch.setattr(needed, "TREE", tmp_path)
    monkeypatch.setattr(needed, "debian_lacks", lambda: "")
    assert {"dpkg-dev", "xz-utils"} < set(needed.missing_at_all())
    monkeypatch.setattr(needed, "debian_lacks", lambda: "this is not Debian")
    assert not archive & set(needed.missing_at_all())
    assert "git" in needed.missing_at_all()


@pytest.mark.parametrize("work", ["unix", "image", "c"])
def test_a_build_names_what_is_lacking(
    programs: Path, work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(programs, "dnf")
    with pytest.raises(BuildError, match=r"that are not here: sudo dnf install .*gcc"):
        {
            "unix": unix.build_unix,
            "image": lambda: image.check(image.Order("shuffler_rp2040", "bench")),
            "c": c_client.build,
        }[work]()


def test_setup_goes_on_without_compilers(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who is not root is told the command; nothing is run for them."""
    add(programs, "apt-get", text="exit 7")
    line = setup.install_packages()
    assert "not here: sudo sh -c 'apt-get update && apt-get install -y " in line
    for name in (*IMAGE, *ARM, "dieharder"):
        assert f" {name}" in line
    assert "\n" not in line


def test_setup_goes_on_as_root_where_apt_knows_no_packages(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    add(programs, "apt-get")  # an empty list prints nothing
    assert "apt-get install -y" in setup.install_packages()


def test_setup_does_not_go_on_as_root_when_apt_fails(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mirror that does not answer is an error, and no reason to leave tests out."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    add(programs, "apt-get", text="case $2 in --print-uris) echo a mirror;; *) exit 7;; esac")
    with pytest.raises(BuildError, match="apt-update: failed"):
        setup.install_packages()


def test_setup_refuses_without_the_means_for_an_environment(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it there is nothing that could go on."""
    monkeypatch.setattr(sys, "executable", str(programs / "python3"))  # not there
    with pytest.raises(BuildError, match=r"setup: the Python environment needs .*python3-venv"):
        setup.install_packages()


def test_a_test_is_left_out_only_for_what_is_lacking(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tests_need, "_reason_of", needed.reason_of)
    with pytest.raises(pytest.skip.Exception, match="a C program needs gcc, libc6-dev"):
        tests_need.needs("c")
    with pytest.raises(pytest.skip.Exception, match="unix port needs make, gcc"):
        tests_need.built("unix", tmp_path / "micropython", "make unix")
    there = tmp_path / "there"
    there.touch()
    assert tests_need.built("unix", there, "make unix") == there


def test_a_build_that_nobody_made_fails_where_there_is_a_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tests_need, "_reason_of", {"unix": ""}.get)
    with pytest.raises(pytest.fail.Exception, match="micropython is not built: make unix"):
        tests_need.built("unix", tmp_path / "micropython", "make unix")


def test_make_test_names_what_it_leaves_out_and_builds_nothing_of_it(
    programs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never() -> None:
        raise AssertionError

    monkeypatch.setattr(test.sources, "main", never)
    test.build()
    shown = capsys.readouterr().out
    for what in ("unix port", "an image", "a C program", "dieharder"):
        assert f"test: left out: {what}" in shown or f"{what} needs packages" in shown


def run_needed(*names: str, path: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-B", "-m", "host_tools.build.needed", *names],
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_make_run_and_the_build_machine_read_it(programs: Path) -> None:
    """A line means that something is lacking; an error is not taken for one."""
    lacking = run_needed("image", path=str(programs))
    assert (lacking.returncode, lacking.stderr) == (0, "")
    assert lacking.stdout.count("\n") == 1
    assert "cmake" in lacking.stdout
    every = run_needed(path=str(programs))
    assert every.stdout.count("\n") > 3
    wrong = run_needed("imag", path=str(programs))
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("needed: no work 'imag'; there is: ")


@pytest.mark.parametrize("version", [(3, 9, 6), (3, 10, 12)])
def test_an_older_python_is_told_so_before_it_stumbles(version: tuple[int, int, int]) -> None:
    code = (
        f"import sys; sys.version_info = {version}; sys.version = '3.x'\n"
        "sys.modules['tomllib'] = None\n"  # as there
        "import host_tools.build.setup"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("setup: Python 3.11 or newer is needed, this is 3.x: ")
    assert done.stderr.count("\n") == 1
