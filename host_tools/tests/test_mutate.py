"""Mutants of the code: each kind of change, how one is planted, and what finds it; some of them."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from host_tools.build.tell import ROOT
from host_tools.build.told import Tell
from host_tools.evidence import hang
from host_tools.evidence.drawn import draw, whole
from host_tools.mutate import areas, change, command, hunt, tested
from host_tools.mutate.change import Mutant
from host_tools.mutate.explained import ALIVE

LIFE = "firmware/dovetail/cards/life.py"
LEVEL = "firmware/tests/test_life.py::test_hours_by_the_controllers_time"
YOUNG = "age >= hours * 3600 becomes age > hours * 3600"
DRAWN = 4
PARTS = 16  # of the mutants, where all are hunted


def made(source: str) -> dict[str, str]:
    """Return what each mutant of a source says, and its text."""
    found = change.mutants("x.py", source, 1)
    return {one.what: ast.unparse(change.planted(one, source, 1)) for one in found}


@pytest.mark.parametrize(
    ("source", "what", "after"),
    [
        ("def f(a):\n    return a < 9\n", "a < 9 becomes a <= 9", "return a <= 9"),
        ("def f(a):\n    return a == b\n", "a == b becomes a != b", "return a != b"),
        ("def f(a):\n    g(a and b)\n", "a and b becomes a or b", "g(a or b)"),
        ("def f(a):\n    g(not a)\n", "not a without not", "g(a)"),
        ("def f(a):\n    g(a + b)\n", "a + b becomes a - b", "g(a - b)"),
        ("def f(a):\n    if a:\n        g()\n", "if not a", "if not a:"),
        ("def f(a):\n    g(a)\n", "g(a) left out", "pass"),
        ("def f(a):\n    await g(a)\n", "await g(a) left out", "pass"),
        ("def f(a):\n    a.b = c\n", "a.b = c left out", "pass"),
        ("def f(a):\n    return a\n", "return a becomes return None", "return None"),
        ("def f(a):\n    a.b = True\n", "a.b = True: True becomes False", "a.b = False"),
        ("ROWS = (('shoe', 0, 'SH-2'),)\n", "shoe: 0 becomes 1", "ROWS = (('shoe', 1, 'SH-2'),)"),
    ],
)
def test_each_kind_of_change_is_made(source: str, what: str, after: str) -> None:
    source = source.replace("def", "async def", 1) if "await" in source else source
    assert after in made(source)[what]


def test_a_number_becomes_another_and_text_stays() -> None:
    found = made("LIFE = const(8)\nNAME = 'eight'\n\ndef f():\n    'Say 8.'\n    say('8')\n")
    assert len(found) == 2
    assert "LIFE = const(8)" not in found[next(what for what in found if "8 becomes" in what)]
    assert "say('8') left out" in found


def test_every_mutant_of_the_code_has_a_name_of_its_own() -> None:
    """And differs from the code as it is: what is compiled is never the same tree."""
    for file in areas.every_file():
        source = areas.source(file)
        whole = ast.dump(ast.parse(source))
        found = change.mutants(file, source, 1)
        assert len({one.name for one in found}) == len(found), file
        for one in found[::25]:
            assert ast.dump(change.planted(one, source, 1)) != whole, one.name


# A process that has imported nothing of the firmware plants one mutant, and runs tests
ONE = """
import json, sys
from host_tools.mutate import areas, change, hunt, tested
file, what, tests, spare_s = json.loads(sys.argv[1])
tested.SPARE_S, tested.QUIET_S = spare_s, 4
found = change.mutants(file, areas.source(file), 1)
one = next((one for one in found if one.what == what), None)
code = hunt.of_code(1)(one) if one else compile(what, file, "exec")
print(tested.run(tested.Order(tuple(tests), dict.fromkeys(tests, 0.0), file, code)).failed)
"""


def found_by(file: str, what: str, *tests: str, spare_s: int = 20) -> str:
    """Return which of these tests finds a mutant; nothing when all pass."""
    command = [sys.executable, "-c", ONE, json.dumps([file, what, tests, spare_s])]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_mutant_is_found_by_the_test_that_runs_it_and_by_no_other() -> None:
    """A deck that is over its time a second late; no file is changed."""
    before = areas.source(LIFE)
    assert found_by(LIFE, YOUNG, LEVEL) == LEVEL
    assert found_by(LIFE, YOUNG, "firmware/tests/test_garbage.py") == ""
    assert areas.source(LIFE) == before


def test_a_test_that_never_ends_is_ended() -> None:
    """Its processor time is limited: a loop without an end is a mutant that was found."""
    slots = "firmware/dovetail/continuous.py"
    test = "firmware/tests/test_continuous.py::test_every_card_inside_can_be_drawn"
    endless = found_by(slots, "at += 1 left out", test, spare_s=1)
    assert endless == f"{tested.HANGS}: {test}"


def test_a_test_that_waits_in_vain_is_ended() -> None:
    """And sooner than whoever watches the hunt, as a test of this project, would end the hunt."""
    assert tested.QUIET_S < hang.QUIET_S / 2
    waits = "import time\ndef level(*said):\n    time.sleep(1_000_000)"
    waiting = f"{areas.source(LIFE)}\n{waits}"
    assert found_by(LIFE, waiting, LEVEL) == f"{tested.HANGS}: {LEVEL}"


def test_a_file_that_cannot_be_imported_is_a_mutant_found() -> None:
    assert found_by(LIFE, "raise ImportError", LEVEL) == LEVEL.split("::")[0]


def test_a_hunt_that_is_stopped_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A verdict on the very same code is not asked for again, one on other code is."""
    state = tmp_path / "state.json"
    found = change.mutants(LIFE, areas.source(LIFE), 1)
    known, make = hunt.Reach({}, {}), hunt.of_code(1)
    hunt.keep(state, {"key": hunt.key(), "verdicts": {one.name: LEVEL for one in found}})
    assert command.hunt(found, known, make, tell=False, path=state).left == ()
    hunt.keep(state, {"key": "other", "verdicts": {one.name: LEVEL for one in found}})
    asked: list[list[Mutant]] = []

    def run(_: hunt.Hunt, mutants: list[Mutant]) -> list[object]:
        asked.append(mutants)
        return []

    monkeypatch.setattr(hunt.Hunt, "run", run)
    with pytest.raises(KeyError):
        command.hunt(found, known, make, tell=False, path=state)
    assert asked == [found]


def test_every_explanation_is_of_a_mutant_that_there_is() -> None:
    """And is one sentence or more."""
    names = {one.name for one in areas.drawn(1)}
    assert [name for name in ALIVE if name not in names] == []
    assert all(reason.endswith(".") and len(reason) > 20 for reason in ALIVE.values())


@pytest.mark.slow
@pytest.mark.spends(1200)
@pytest.mark.proof(name="code_mutants")
@pytest.mark.parametrize("part", range(PARTS if whole() else 1))
def test_mutants_of_the_code_are_found(part: int, tell: Tell) -> None:
    """Some are drawn for this commit, of which it is known how they are found; or all."""
    some = ["--part", str(DRAWN), "--draw", draw()]
    words = ["--slice", f"{part}/{PARTS}"] if whole() else some
    done = subprocess.run(
        [sys.executable, "-m", "host_tools.mutate", *words, "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    tell(f"rules: {found['total'] - len(found['left'])} of {found['total']} mutants of code found")
    assert found["total"] == DRAWN or whole()
    assert set(found["left"]) <= set(ALIVE), found["left"]
