"""A record grows old when anything changes that a proof proves, that drives it, or judges it."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from host_tools.build.tell import ROOT
from host_tools.evidence import by_tests, imported, proofs
from host_tools.evidence.imported import PLACES
from host_tools.evidence.proofs import BY_NAME

# What drives or judges a proof, or is proved by it, and stands in none of its folders' names.
SPEAKS_OF = (
    ("orders", "host_tools/certify/judge.py"),
    ("power_cuts", "host_tools/journal/verify.py"),
    ("lossy_line", "host_tools/link_tools/disturb.py"),
    ("day", "host_tools/oracle/judge.py"),
    ("mutants", "host_tools/tests/test_rules_table.py"),
    ("exploration", "firmware/dovetail/journal/state.py"),
    ("board_story", "host_tools/build/image.py"),
    ("faults", "host_tools/hands.py"),
    # beside those: a test that is named in a string, a board's C, and what hunts mutants
    ("mutants", "firmware/tests/test_life.py"),
    ("board_frames", "boards/wire.c"),
    ("code_mutants", "host_tools/mutate/hunt.py"),
    # and what runs the slices, judges them and puts them together
    ("faults", "host_tools/evidence/by_campaign.py"),
    ("decks", "host_tools/evidence/by_certificate.py"),
    ("frames", "host_tools/evidence/by_tests.py"),
    ("frames", "host_tools/evidence/slices.py"),
    ("liar", "host_tools/evidence/drawn.py"),
)
FOREIGN = (
    ("frames", "host_tools/certify/judge.py"),
    ("decks", "hil_tests/day.py"),
    ("faults", "host_tools/evidence/page.py"),
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a copy of the project, to be changed."""
    root = tmp_path_factory.mktemp("evidence")
    for room in ("firmware", "sim", "host_tools", "hil_tests", "boards"):
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


def is_noticed(copy: Path, patch: pytest.MonkeyPatch, name: str, file: str) -> bool:
    """Tell whether the code of a proof is other code when a line is added to a file."""
    for module in (imported, by_tests):
        patch.setattr(module, "ROOT", copy)
    path = copy / file
    sound = path.read_bytes()
    before = BY_NAME[name].code()
    path.write_bytes(sound + b"\n")
    try:
        return BY_NAME[name].code() != before
    finally:
        path.write_bytes(sound)


@pytest.mark.parametrize(("name", "file"), SPEAKS_OF)
def test_a_change_of_what_a_proof_depends_on_is_noticed(
    copy: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str
) -> None:
    assert is_noticed(copy, monkeypatch, name, file)


@pytest.mark.parametrize(("name", "file"), FOREIGN)
def test_a_change_of_anything_else_is_none(
    copy: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str
) -> None:
    assert not is_noticed(copy, monkeypatch, name, file)


@pytest.mark.parametrize(
    ("old", "new", "noticed"),
    [
        ('"cobs==1.2.2"', '"cobs==1.2.3"', True),
        ("--import-mode=importlib", "--import-mode=prepend", True),
        ("line-length = 100", "line-length = 90", False),
    ],
)
def test_packages_and_the_way_tests_are_run_count_and_style_does_not(
    copy: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, noticed: bool
) -> None:
    monkeypatch.setattr(imported, "ROOT", copy)
    path = copy / "pyproject.toml"
    sound = path.read_text(encoding="utf-8")
    assert old in sound
    before = imported.hashes((), ())
    path.write_text(sound.replace(old, new), encoding="utf-8")
    try:
        assert (imported.hashes((), ()) != before) == noticed
    finally:
        path.write_text(sound, encoding="utf-8")


WAYS = {
    "plain": "import sim.leaf\n",
    "from": "from sim import leaf\n",
    "name": "from sim.leaf import NAME\n",
    "relative": "from .leaf import NAME\n",
    "beside": "from . import leaf\n",
    "in a function": "def late():\n    from sim import leaf\n",
    "for types alone": "if TYPE_CHECKING:\n    from sim import leaf\n",
    "as a process": 'WORDS = ["-m", "sim.leaf"]\n',
    "as a text": 'CODE = """\nfrom sim import leaf\n"""\n',
    "as a file": 'PATH = "sim/leaf.py"\n',
    "as a test": 'TEST = "sim/leaf.py::test_one"\n',
    "as a file beside": 'PATH = HERE / "leaf.py"\n',
    "far away": "from sim import middle\n",
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_import_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(imported, "ROOT", tmp_path)
    (tmp_path / "sim").mkdir()
    for name, text in {
        "__init__": "",
        "root": WAYS[way],
        "leaf": "NAME = 1\n",
        "middle": "from sim import leaf\nfrom sim import root\n",
        "stranger": "",
    }.items():
        (tmp_path / "sim" / f"{name}.py").write_text(text)
    found = imported.imported(["sim/root.py"])
    assert {"sim/root.py", "sim/leaf.py"} <= found
    assert "sim/stranger.py" not in found


def test_tests_are_set_up_by_their_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imported, "ROOT", tmp_path)
    (tmp_path / "sim" / "tests").mkdir(parents=True)
    for name in ("sim/conftest.py", "sim/tests/conftest.py", "sim/tests/test_it.py"):
        (tmp_path / name).write_text("")
    assert len(imported.imported(["sim/tests/test_it.py"])) == 3


def test_modules_are_looked_for_where_tests_look() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert list(PLACES) == project["tool"]["pytest"]["ini_options"]["pythonpath"]


def test_every_proof_has_code() -> None:
    """Of its own: its entry is there, and leads to more than itself."""
    for proof in proofs.PROOFS:
        starts = proof.starts()
        assert starts, proof.name
        assert all((ROOT / name).is_file() for name in starts), proof.name
        assert all(imported.below(folder) for folder in proof.folders), proof.name
        assert len(imported.imported(starts)) > 10, proof.name
