"""The map of `make check`: which tests reach which function."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from host_tools.build.tell import ROOT
from host_tools.evidence import reach

COLLECT = """
import sys
from pathlib import Path
import pytest
from host_tools.evidence import reach
reach.PARTS = Path(sys.argv[1])
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""
ONE = "host_tools/tests/test_evidence_reach.py::test_functions_are_named_from_the_outside_in"
SOURCE = """class Deck:
    def cut(self):
        def at():
            return 1
        return at


if True:
    async def deal():
        pass
"""


def test_functions_are_named_from_the_outside_in() -> None:
    assert list(reach.functions(SOURCE)) == [
        ("Deck.cut", 2, 5),
        ("Deck.cut.at", 3, 4),
        ("deal", 9, 10),
    ]


def test_what_a_test_runs_is_noted_by_its_name(tmp_path: Path) -> None:
    """The test above reaches `functions`, and no other file of the room's work."""
    subprocess.run(
        [sys.executable, "-c", COLLECT, str(tmp_path), ONE],
        cwd=ROOT,
        env={**os.environ, "REACH": "1"},
        capture_output=True,
        check=True,
    )
    (part,) = tmp_path.glob("*.json")
    found = json.loads(part.read_text(encoding="utf-8"))
    assert list(found["took"]) == [ONE]
    assert found["seen"]["host_tools/evidence/reach.py"]["functions"] == [ONE]
    assert "gathered" not in found["seen"]["host_tools/evidence/reach.py"]


def test_parts_are_put_together_quick_tests_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach, "PARTS", tmp_path)
    parts = (
        {"took": {"a.py::slow": 60.0, "a.py::quick": 0.1}, "of": ["a.py::slow", "a.py::quick"]},
        {"took": {"b.py::other": 0.2}, "of": ["b.py::other"]},
    )
    for n, part in enumerate(parts):
        seen = {"shoe.py": {"deal": part["of"]}}
        text = json.dumps({"took": part["took"], "seen": seen})
        (tmp_path / f"{n}.json").write_text(text, encoding="utf-8")
    found = json.loads(reach.text(reach.gathered()))
    assert found == {
        "files": {"a.py": 60.1, "b.py": 0.2},
        "tests": [["a.py::quick", 0.1], ["b.py::other", 0.2]],
        "reach": {"shoe.py": {"deal": [0, 1]}},
    }


def test_the_map_of_the_project_has_the_tests_of_its_rooms() -> None:
    """A map without tests would choose none."""
    found = json.loads(reach.MAP.read_text(encoding="utf-8"))
    tests = [test for test, _ in found["tests"]]
    assert len(tests) > 500
    assert {test.partition("::")[0] for test in tests} <= set(found["files"])
    assert not [test for test in tests if "[/" in test]  # a folder of whoever collected it
    assert all("::" in test and (ROOT / test.partition("::")[0]).is_file() for test in tests)
    covered = found["reach"]["firmware/dovetail/cards/ledger.py"]
    assert all(covered.values())


@pytest.fixture
def firmware(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a firmware of three functions."""
    monkeypatch.setattr(reach, "ROOT", tmp_path)
    monkeypatch.setattr(reach, "MAP", tmp_path / "reach.json")
    path = tmp_path / reach.FIRMWARE / "deck.py"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)
    return path


def test_a_map_that_is_older_than_the_firmware_says_so(firmware: Path) -> None:
    name = f"{reach.FIRMWARE}/deck.py"
    known: dict[str, dict[str, list[int]]] = {
        name: {"Deck.cut": [0], "Deck.cut.at": [], "gone": []}
    }
    told = "reach.json does not know 1 of 3 functions of the firmware; make reach"
    assert reach.age({"reach": known}) == told
    known[name]["deal"] = []
    assert reach.age({"reach": known}) == ""
    firmware.write_text(f"{SOURCE}def burn():\n    pass\n")
    assert "1 of 4" in reach.age({"reach": known})
    assert "4 of 4" in reach.age({"reach": {}})


def test_a_new_map_knows_functions_that_no_test_reaches(firmware: Path) -> None:
    name = f"{reach.FIRMWARE}/deck.py"
    found = reach.with_unreached({"tests": [], "reach": {name: {"deal": [0]}}})
    assert found["reach"][name] == {"deal": [0], "Deck.cut": [], "Deck.cut.at": []}
    assert reach.age(found) == ""
