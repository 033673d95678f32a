"""`dovetail certify` from its options to its files: verdicts, resuming, refusing, a cluster."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from host_tools import rigs
from host_tools.build.tell import ROOT
from host_tools.certify import command, delivered, run, speed, work
from host_tools.certify.bad_shufflers import PLANTS
from host_tools.certify.plan import COUNTS, DELIVERS, UNIT, Plan, Unit, code_hash, fingerprint
from host_tools.certify.state import State
from host_tools.certify.tally import Decks, Tally, broken, invert
from host_tools.certify.work import Done
from host_tools.play.table import profile

MOST = 24 * UNIT  # decks of the longest run here
ORDERS = 100  # that machines deliver in a run here


def certify(out: Path, *more: str) -> int:
    """The command, in this process."""
    return command.main(["--out", str(out), "--workers", "1", *more])


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pictures."""

    def nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(command.report, "write", nothing)


def read(path: Path) -> dict[str, Any]:
    return cast(dict[str, Any], json.loads(path.read_text(encoding="utf-8")))


def test_a_run_passes_and_writes_everything_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert certify(tmp_path, "--decks", "6000", "--cards", "53", "--seed", "5") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "PASS"
    found = read(tmp_path / "results.json")
    assert found["verdict"] == "PASS"
    assert found["confidence"] == 99
    assert set(found["at"]) == {"95", "99"}
    assert len(found["tests"]) == 16
    assert {test["n"] for test in found["tests"]} == {6000, 5998}  # pairs do not cross a power-on
    assert all(0 <= test["p"] <= test["holm"] <= 1 for test in found["tests"])
    assert set(found["beside"]) == set(PLANTS)
    assert all(beside["at"]["99"] == "FAIL" for beside in found["beside"].values())
    plan = read(tmp_path / "plan.json")
    assert plan["plan"] == found["plan"]
    assert len(plan["tests_of_each"]) == 16
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 4
    assert not re.search(r'<script|<link|(src|href)="(?!#|data:)', page)  # everything is in it
    assert all(name in page for name in PLANTS)
    assert {path.name for path in tmp_path.iterdir()} == {
        "lock", "plan.json", "results.json", "speed.json", "report.html",
    }  # fmt: skip


def test_the_plan_is_written_before_the_first_deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(unit: Unit) -> Done:
        assert read(tmp_path / "plan.json")["plan"]["decks"] == 1000
        raise KeyboardInterrupt

    monkeypatch.setattr(work, "do", fail)
    assert certify(tmp_path, "--decks", "1000") == command.STOPPED


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("plant", PLANTS)
def test_a_plant_fails(plant: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert certify(tmp_path, "--decks", "1000", "--beside", "1000", "--plant", plant) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "FAIL"
    found = read(tmp_path / "results.json")
    assert found["verdict"] == "FAIL"
    assert found["beside"]["device"]["at"]["99"] == "PASS"


@pytest.mark.usefixtures("quick")
def test_a_run_whose_tests_see_no_plant_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shuffled(random: Any, n: int) -> list[int]:
        deck = list(range(n))
        random.shuffle(deck)
        return deck

    monkeypatch.setitem(PLANTS, "rand52", shuffled)
    assert certify(tmp_path, "--decks", "1000", "--beside", "1000") == 1
    assert read(tmp_path / "results.json")["plants_not_seen"] == ["rand52"]
    assert "not seen       rand52" in capsys.readouterr().out


@pytest.mark.usefixtures("quick")
def test_resumed_after_a_stop_the_result_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--decks", "12000", "--beside", "1000")
    assert certify(tmp_path / "whole", *options) == 0
    real = work.do
    left = iter(range(5))

    def stop_at_last(unit: Unit) -> Done:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return real(unit)

    monkeypatch.setattr(work, "do", stop_at_last)
    assert certify(tmp_path / "parts", *options) == command.STOPPED
    assert "--resume" in capsys.readouterr().err
    assert sum(len(done) for done in read(tmp_path / "parts/state.json")["done"].values()) == 5
    monkeypatch.setattr(work, "do", real)
    assert certify(tmp_path / "parts", *options, "--resume") == 0
    same = [(tmp_path / name / "results.json").read_bytes() for name in ("whole", "parts")]
    assert same[0] == same[1]
    assert not (tmp_path / "parts/state.json").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_killed_and_resumed_the_result_is_the_same(tmp_path: Path) -> None:
    """By a real kill: nothing in the process can tidy up."""
    options = ["--decks", str(MOST), "--cards", "54", "--beside", "1000", "--seed", "3"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    line = [sys.executable, "-m", "host_tools.cli", "certify", "--out", str(parts), *options]
    process = subprocess.Popen([*line, "--workers", "2"], cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        state = parts / "state.json"
        while process.poll() is None and not (state.exists() and read(state)["done"].get("device")):
            time.sleep(0.02)
    finally:
        process.kill()
    assert process.wait() == -signal.SIGKILL, "it ended before it was killed"
    assert 0 < len(read(state)["done"]["device"]) < 24
    assert certify(parts, *options, "--resume") == certify(whole, *options)
    assert (parts / "results.json").read_bytes() == (whole / "results.json").read_bytes()


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """A folder with a run that was stopped at its beginning."""
    plan = Plan(2000, 52, 0, 1000, "", 1, 99, fingerprint(False))
    run.begin(tmp_path, plan, False)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], out: Path, *more: str) -> str:
    """The one line of a refusal with status 2; nothing is written."""
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    with pytest.raises(SystemExit) as left:
        certify(out, *more)
    assert left.value.code == 2
    told = capsys.readouterr()
    lines = [line for line in told.err.splitlines() if line]
    assert len(lines) == 1
    assert before == {
        path: path.read_bytes()
        for path in out.rglob("*")
        if path.is_file() and (path.name != "lock" or path in before)
    }
    return lines[0]


SAME = ("--decks", "2000", "--beside", "1000")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--decks", "3000", "--beside", "1000"), "decks 2000 there, 3000 here"),
        ((*SAME, "--cards", "53"), "cards 52 there, 53 here"),
        ((*SAME, "--seed", "2"), "seed 1 there, 2 here"),
        ((*SAME, "--plant", "rand52"), "plant '' there, 'rand52' here"),
        ((*SAME, "--confidence", "95"), "confidence 99 there, 95 here"),
    ],
)
def test_the_state_of_another_run_is_refused(
    options: tuple[str, ...], told: str, stopped: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(capsys, stopped, *options, "--resume")
    assert "state of another run" in line
    assert told in line


@pytest.mark.parametrize(
    "name", ["dovetail/chance/permutation.py", "host_tools/certify", "python", "numpy"]
)
def test_a_state_of_other_code_is_refused(
    name: str, stopped: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan_of_other_code(stopped, name)
    assert f"the code has changed: {name}" in refused(capsys, stopped, *SAME, "--resume")


@pytest.mark.parametrize("name", ["sim", "host_tools/play", "host_tools/rigs.py"])
def test_a_state_of_another_machine_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run.begin(tmp_path, Plan(2000, 52, 100, 1000, "", 1, 99, fingerprint(True)), False)
    plan_of_other_code(tmp_path, name)
    options = (*SAME, "--delivered", str(ORDERS), "--resume")
    assert f"the code has changed: {name}" in refused(capsys, tmp_path, *options)


def plan_of_other_code(folder: Path, name: str) -> None:
    """As if this part of it had been another when the run was begun."""
    state = read(folder / "state.json")
    assert name in state["plan"]["code"]
    state["plan"]["code"][name] = "0" * 64
    (folder / "state.json").write_text(json.dumps(state))


LOADED = """
import sys
from host_tools.certify import work
from host_tools.certify.plan import Unit
for cards in (52, 53, 54):
    for source in ("device", "continuous", "delivered"):
        work.do(Unit(source, 0, 2, cards, 1))
for module in list(sys.modules.values()):
    print(getattr(module, "__file__", None) or "")
"""


def test_all_code_that_draws_or_counts_is_in_the_fingerprint() -> None:
    """What a piece of each kind has loaded by its end."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = [Path(line) for line in done.stdout.splitlines() if line]
    ours = {file.relative_to(ROOT) for file in files if file.is_relative_to(ROOT)}
    code = {
        path
        for path in ours
        if path.parts[0] != ".venv" and len((ROOT / path).read_text().splitlines()) > 1
    }
    assert {Path("sim/machine.py"), Path("host_tools/certify/tally.py")} <= code
    known = [Path(name) for name in (COUNTS, *DELIVERS)]
    assert not [path for path in code if not any(path.is_relative_to(name) for name in known)]


def test_a_changed_line_is_other_code(tmp_path: Path) -> None:
    for name in (COUNTS, *DELIVERS):
        assert (ROOT / name).exists()
    (tmp_path / "play" / "tests").mkdir(parents=True)
    for name in ("rigs.py", "play/table.py", "play/tests/test_table.py"):
        (tmp_path / name).write_text("SEED = 1\n")

    def hashes() -> list[str]:
        return [code_hash(tmp_path / name, tmp_path) for name in ("rigs.py", "play")]

    before = hashes()
    (tmp_path / "play/tests/test_table.py").write_text("SEED = 2\n")
    assert hashes() == before
    (tmp_path / "rigs.py").write_text("SEED = 2\n")
    (tmp_path / "play/table.py").rename(tmp_path / "play/other.py")
    assert [a == b for a, b in zip(hashes(), before, strict=True)] == [False, False]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"plan": 3}', '{"plan": {}}'])
def test_a_damaged_state_is_refused(
    text: str, stopped: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (stopped / "state.json").write_text(text)
    assert "state" in refused(capsys, stopped, *SAME, "--resume")


@pytest.fixture
def begun(stopped: Path) -> Path:
    """A folder with a run of which one piece is done."""
    plan = Plan(2000, 52, 0, 1000, "", 1, 99, fingerprint(False))
    state = State(stopped, plan)
    unit = next(plan.units())
    state.take(unit, work.do(unit).tally)
    state.save()
    return stopped


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("totals",), {}),
        (("done",), {}),
        (("done", "shelf10"), ["0"]),
        (("done", "shelf10"), [0, 1]),
        (("done", "device"), [0]),
        (("totals", "shelf10", "cycles"), None),
        (("totals", "shelf10", "cycles"), [1000]),
        (("totals", "shelf10", "cycles"), [-1, 1001, *[0] * 51]),
        (("totals", "shelf10", "position_card"), [0] * 52 * 52),
        (("totals", "shelf10", "decks"), [999]),
        (("totals", "shelf10", "decks"), [10**30]),
    ],
)
def test_a_state_that_does_not_add_up_is_refused(
    where: tuple[str, ...], value: Any, begun: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = read(begun / "state.json")
    place = state
    for name in where[:-1]:
        place = place[name]
    place[where[-1]] = value
    if value is None:
        del place[where[-1]]
    (begun / "state.json").write_text(json.dumps(state))
    assert "cannot be read as a state" in refused(capsys, begun, *SAME, "--resume")


def test_a_folder_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lock").mkdir()
    assert "lock: Is a directory" in refused(capsys, tmp_path, "--decks", "1000")


@pytest.mark.usefixtures("quick")
def test_results_of_a_run_before_do_not_stand_beside_another_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in run.RESULTS:
        (tmp_path / name).write_text("PASS")

    def stop(unit: Unit) -> Done:
        raise KeyboardInterrupt

    monkeypatch.setattr(work, "do", stop)
    assert certify(tmp_path, "--decks", "1000") == command.STOPPED
    assert not any((tmp_path / name).exists() for name in run.RESULTS)


@pytest.mark.parametrize("cards", [[0, 0, *range(2, 52)], [*range(51), 60]])
def test_a_deck_that_is_not_whole_ends_the_run(
    cards: list[int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One in a thousand that no test of statistics would see."""
    real = Unit.decks

    def one_broken(unit: Unit) -> Decks:
        decks = real(unit).copy()
        if unit.source == "device":
            decks[700] = cards
        return decks

    monkeypatch.setattr(Unit, "decks", one_broken)
    with pytest.raises(SystemExit) as left:
        certify(tmp_path, "--decks", "1000", "--beside", "1000")
    assert left.value.code == 1
    assert "device, piece 0, deck 700: not 52 cards, each once" in capsys.readouterr().err


def test_a_plan_with_a_slot_twice_is_no_whole_deck() -> None:
    plans = np.array([[1, 0, 2], [1, 1, 2]], np.uint8)
    assert broken(invert(plans)) == 1


def test_a_run_that_was_stopped_is_not_begun_again_by_oversight(
    stopped: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--resume" in refused(capsys, stopped, *SAME)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--resume",), "no state.json"),
        (("--cards", "51"), "51"),
        (("--decks", "10"), "1000 to 1000000000"),
        (("--decks", "9" * 23), "1000 to 1000000000"),
        (("--decks", "1000000001"), "1000 to 1000000000"),
        (("--delivered", "9" * 23), "0 to 1000000000"),
        (("--continuous", "9" * 23), "0 to 1000000000"),
        (("--beside", "9" * 23), "1000 to 1000000000"),
        (("--workers", "9" * 23), "1 to 1024"),
        (("--delivered", "5"), "100 or more"),
        (("--delivered", "100", "--plant", "shelf10"), "leave one out"),
        (("--plant", "shelf9"), "there is: shelf10, rand52, stuck_slot"),
        (("--confidence", "90"), "95, 99"),
        (("--plant", ""), "there is: shelf10"),
        (("--scheduler", ""), "missing port number"),
        (("--scheduler", "foo"), "missing port number"),
        (("--scheduler", "tcp://127.0.0.1:x"), "'x'"),
        (("--scheduler", "http://127.0.0.1:1"), "unknown address scheme"),
        (("--scheduler", "tcp://127.0.0.1:1"), "no Dask scheduler at tcp://127.0.0.1:1"),
    ],
)
def test_what_makes_no_sense_is_refused(
    options: tuple[str, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(work, "CONNECT_S", 1)
    assert told in refused(capsys, tmp_path, *options)


def test_one_run_at_a_time_in_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with run.only_one(tmp_path):
        assert "another run is at work" in refused(capsys, tmp_path)


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A cluster of two processes with two threads each."""
    from distributed import LocalCluster

    local = cast(Any, LocalCluster)  # carries no types of its own
    with local(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_a_cluster_gives_the_same_result(scheduler: str, tmp_path: Path) -> None:
    options = ("--decks", str(4 * UNIT), "--delivered", str(ORDERS), "--beside", "1000")
    options = (*options, "--seed", "2")
    assert certify(tmp_path / "cluster", *options, "--scheduler", scheduler) == 0
    assert certify(tmp_path / "here", *options) == 0
    found = [(tmp_path / name / "results.json").read_bytes() for name in ("cluster", "here")]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (CancelledError(), 1, "has ended its work; go on with --resume"),
        (ModuleNotFoundError("No module named 'host_tools'"), 2, "has not this project installed"),
    ],
)
def test_a_cluster_that_fails_is_told(
    error: Exception,
    status: int,
    told: str,
    scheduler: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def gone(*_: object) -> None:
        raise error

    monkeypatch.setattr(command, "work_off", gone)
    with pytest.raises(SystemExit) as left:
        certify(tmp_path, "--decks", "1000", "--scheduler", scheduler)
    assert left.value.code == status
    assert told in capsys.readouterr().err
    assert (tmp_path / "state.json").exists()


def test_a_worker_with_other_code_is_refused(tmp_path: Path) -> None:
    plan = Plan(1000, 52, 0, 1000, "", 1, 99, fingerprint(False))
    done = work.do(Unit("device", 0, 10, 52, 1))
    run.check_code(plan, done)
    other = Done(done.unit, done.tally, {**done.code, "dovetail/chance/permutation.py": "0"})
    with pytest.raises(run.UsageError, match=r"permutation\.py"):
        run.check_code(plan, other)


@pytest.mark.parametrize("cards", delivered.GAMES)
def test_the_order_delivered_is_the_order_of_the_slots(
    cards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the hands in at the infeed and out at the tray, and from the wheel's own truth."""
    seated: list[int] = []
    real = rigs.in_process

    def spy(wanted: rigs.Wanted, body: rigs.Body[Any]) -> Any:
        async def watched(rig: rigs.Rig) -> Any:
            result = await body(rig)
            assert rig.machine is not None
            seated.extend(rig.machine.wheel.seated)
            return result

        return real(wanted, watched)

    monkeypatch.setattr(delivered.rigs, "in_process", spy)
    decks = delivered.decks(4, 0, 3, cards)
    assert decks.shape == (3, cards)
    slots = np.array(seated, np.uint8).reshape(3, cards)
    assert (invert(decks) == slots).all()
    assert (delivered.decks(4, 0, 3, cards) == decks).all()
    assert (delivered.decks(4, 1, 3, cards) != decks).any()


def test_the_pace_of_orders_is_by_the_clock_and_of_all_that_a_run_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept: list[int] = []
    real = State.take

    def slow(state: State, unit: Unit, tally: Tally) -> None:
        time.sleep(0.5)
        real(state, unit, tally)
        kept.append(state.decks("delivered"))

    monkeypatch.setattr(State, "take", slow)
    assert 0 < speed.orders_s(3, 2) < 3 / 0.5
    assert kept == [3]


def test_a_deck_of_each_size_has_a_game() -> None:
    there = {cards: profile(game, "cards") for cards, game in delivered.GAMES.items()}
    assert there == {52: 52, 53: 53, 54: 54}
