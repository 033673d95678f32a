"""Long proofs: slices in their order, runs that are stopped and go on, records that grow old."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from host_tools.build.tell import ROOT, BuildError
from host_tools.evidence import by_certificate, by_tests, imported, page, prove, record
from host_tools.evidence.proofs import PROOFS, Proof
from host_tools.evidence.slices import Figures, Slice

CODE = "code.py"
GOOD: dict[str, object] = {"figures": {"tried": 2, "worst_ms": 7, "least_free": 3}, "against": []}


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for records, and a project of one file that proofs speak of."""
    (tmp_path / CODE).write_text("one = 1\n")
    monkeypatch.setattr(imported, "ROOT", tmp_path)
    monkeypatch.setattr(record, "commit", lambda: "c0ffee")
    monkeypatch.setattr(record, "images", lambda: {"production": "1", "bench": "2"})
    subprocess.run(["git", "init", "-q", tmp_path], check=True)

    def load(name: str, claim: str) -> record.Record:
        return record.load(name, claim, tmp_path / "evidence")

    for module in (prove, page):
        monkeypatch.setattr(module, "load", load)
    monkeypatch.setattr(prove, "FOLDER", tmp_path / "evidence")
    monkeypatch.setattr(prove, "BUILD", tmp_path / "build")
    saved = record.Record.save

    def save(self: record.Record) -> None:
        saved(self, tmp_path / "evidence")

    monkeypatch.setattr(record.Record, "save", save)
    return tmp_path


Started = list[str]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """The slices that were started; each prints the text that it is called."""
    names: Started = []

    def command(self: prove.Going, name: str) -> list[str]:
        del self
        names.append(name)
        text = name.partition("|")[2] or json.dumps(GOOD)
        return [sys.executable, "-c", f"import sys; print({text!r}); sys.exit({'!' in name})"]

    monkeypatch.setattr(prove.Going, "_command", command)
    return names


def proof(name: str, *slices: str, least: int = 0) -> Proof:
    """A proof of these slices, which must have tried so much in the end."""

    def judge(figures: Figures) -> list[str]:
        return [] if figures["tried"] >= least else ["too little was tried"]

    return Proof(
        name, "a claim", "a share", (CODE,), lambda: list(slices), lambda _: Slice({}, []), judge
    )


def test_a_run_to_its_end(room: Path, started: Started) -> None:
    going = prove.Going(proof("p", *"abcde"), 2)
    going.go_on(None)
    run = record.load("p", "", room / "evidence").last
    assert run is not None
    assert (run.verdict, run.done, run.of) == ("held", 5, 5)
    assert run.figures == {"tried": 10, "worst_ms": 7, "least_free": 3}
    assert started == list("abcde")


def test_a_run_that_is_stopped_goes_on_where_it_was(
    room: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = proof("p", *"abcdef")

    def interrupt(self: prove.Going) -> None:
        if self.run.done >= 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(prove.Going, "_tell", interrupt)
        with pytest.raises(KeyboardInterrupt):
            prove.Going(whole, 1).go_on(None)
    half = record.load("p", "", room / "evidence")
    assert half.last is None
    assert half.under_way is not None
    assert (half.under_way.done, half.under_way.verdict) == (3, "so far held")
    prove.Going(whole, 1).go_on(None)
    last = record.load("p", "", room / "evidence").last
    assert last is not None
    assert last.figures["tried"] == 12
    assert started == list("abcdef")  # each of them once


def test_another_code_begins_anew_and_the_last_whole_run_stays(
    room: Path, started: Started
) -> None:
    prove.Going(proof("p", "a"), 1).go_on(None)
    going = prove.Going(proof("p", "a", "b"), 1)
    going.run.done = 1
    going.save()
    (room / CODE).write_text("one = 2\n")
    again = prove.Going(proof("p", "a", "b"), 1)
    assert again.run.done == 0
    assert again.record.last is not None
    assert page.older(again.proof, again.record) == [CODE]


def test_what_is_against_a_proof_is_kept_and_told(
    room: Path,
    started: Started,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bad = json.dumps({"figures": {"tried": 1}, "against": ["seed 7: a card is lost"]})
    monkeypatch.setattr(prove, "PROOFS", (proof("p", "a", f"b|{bad}", "c"),))
    monkeypatch.setattr(page, "PROOFS", ())
    assert prove.prove(None, None, 1) == (["p"], ["p"])
    run = record.load("p", "", room / "evidence").last
    assert run is not None
    assert (run.verdict, run.against) == ("NOT HELD", ["seed 7: a card is lost"])
    assert "against it: seed 7: a card is lost" in capsys.readouterr().out


@pytest.mark.parametrize("printed", ["b!|Traceback: it broke", "b!|{}", 'b!|{"figures": 1}'])
def test_a_slice_that_dies_is_against_its_proof(room: Path, started: Started, printed: str) -> None:
    going = prove.Going(proof("p", "a", printed), 1)
    going.go_on(None)
    assert going.run.verdict == "NOT HELD"
    assert "exit status 1" in going.run.against[0]


def test_figures_that_do_not_suffice_are_against_it(room: Path, started: Started) -> None:
    going = prove.Going(proof("p", "a", "b", least=5), 1)
    going.go_on(None)
    assert going.run.against == ["too little was tried"]


def test_the_oldest_record_comes_first_and_time_is_kept(
    room: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, young, never = proof("old", "o"), proof("young", "y"), proof("never", "n")
    for one, when in ((old, "2026-01-01"), (young, "2026-02-01")):
        monkeypatch.setattr(prove, "now", lambda when=when: when)
        prove.Going(one, 1).go_on(None)
    started.clear()
    monkeypatch.setattr(prove, "PROOFS", (young, old, never))
    monkeypatch.setattr(page, "PROOFS", ())
    assert [one.name for one in prove.in_turn(None)] == ["never", "old", "young"]
    monkeypatch.setattr(prove, "LEAST_S", 60)
    assert prove.prove(1, None, 1) == ([], [])
    assert started == []  # a minute is not enough to begin
    assert prove.prove(2, None, 1) == (["never", "old", "young"], [])
    assert started == ["n", "o", "y"]


def test_a_stoppable_proof_is_stopped_and_counts_when_it_ends(room: Path) -> None:
    ends: list[Slice | None] = [None, Slice({"decks": 9}, [])]

    def stoppable(stop_s: float) -> Slice | None:
        assert stop_s > 0
        return ends.pop(0)

    whole = Proof(
        "p", "a", "b", (CODE,), lambda: ["all"], lambda _: Slice({}, []), stoppable=stoppable
    )
    state = room / "build" / "prove" / "p" / "state.json"
    prove.Going(whole, 2).go_on(None)
    state.parent.mkdir(parents=True)
    state.write_text("{}")
    half = record.load("p", "", room / "evidence").under_way
    assert half is not None
    assert half.verdict == "nothing done yet"
    prove.Going(whole, 2).go_on(None)
    last = record.load("p", "", room / "evidence").last
    assert last is not None
    assert (last.verdict, last.figures) == ("held", {"decks": 9})


def test_records_that_are_missing_or_old_are_said(
    room: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh, old = proof("fresh", "a"), proof("old", "a")
    monkeypatch.setattr(page, "PROOFS", (fresh, old, proof("never", "a")))
    prove.Going(old, 1).go_on(None)
    (room / CODE).write_text("one = 3\n")
    prove.Going(fresh, 1).go_on(None)
    first, second = page.stale()
    assert first.startswith("old: held on c0ffee")
    assert f"older than {CODE}" in first
    assert second == "never: was never run to its end"


def test_a_file_that_is_no_record_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text('{"last": 3}')
    with pytest.raises(BuildError, match=r"p\.json: not a record of a proof .*remove it"):
        record.load("p", "", tmp_path)


def test_a_list_of_proofs(capsys: pytest.CaptureFixture[str]) -> None:
    assert prove.main(["--list"]) == 0
    assert "faults: " in capsys.readouterr().out
    with pytest.raises(SystemExit) as leaving:
        prove.main(["--only", "nonsense"])
    assert leaving.value.code == 2
    assert "there is: faults" in capsys.readouterr().err


def test_the_page_is_fresh() -> None:
    """`make prove` writes it; without a run `python -m host_tools.evidence.page` does."""
    assert (record.FOLDER / "README.md").read_text(encoding="utf-8") == page.text()


def test_every_proof_of_tests_has_tests_and_every_mark_a_proof() -> None:
    marked = {
        name
        for room in by_tests.ROOMS
        for path in (ROOT / room).rglob("test_*.py")
        for name in re.findall(r"mark\.proof\(name=\"(\w+)\"\)", path.read_text(encoding="utf-8"))
    }
    of_tests = {one.name for one in PROOFS if one.run is by_tests.tested}
    assert marked == of_tests


def test_a_certificate_is_stopped_and_begins_anew_for_other_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real command: killed in its work, refused the state of another run, begun anew."""
    monkeypatch.setattr(by_certificate, "BUILD", tmp_path)
    words = ("--decks", "20000", "--beside", "1000")
    state = tmp_path / "prove" / "few" / "state.json"
    assert by_certificate.certified("few", words, 0.01) is None  # before it has begun
    state.write_text(json.dumps({"plan": {"decks": 3}, "done": {}, "totals": {}}))
    done = by_certificate.certified("few", words, 600)
    assert done is not None
    assert (done.against, done.figures["verdict"]) == ([], "PASS")
    assert (done.figures["decks"], done.figures["delivered"]) == (20000, 0)


def test_a_whole_run_takes_every_case_whatever_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cases of a proof are those of `DRAW=all`, and not the share of the run that asks."""
    monkeypatch.setenv("DRAW", "a share")
    assert len(by_tests.collected("exploration")) == 16


def test_slices_of_two_images_do_not_fold_into_one_run(
    room: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An image differs with its compiler, though no file of ours has changed."""
    going = prove.Going(proof("p", "a", "b"), 1)
    going.run.done = 1
    going.save()
    assert prove.Going(proof("p", "a", "b"), 1).run.done == 1
    monkeypatch.setattr(record, "images", lambda: {"production": "1", "bench": "3"})
    assert prove.Going(proof("p", "a", "b"), 1).run.done == 0


def test_a_run_of_another_seed_begins_anew(room: Path, started: Started) -> None:
    going = prove.Going(proof("p", "a", "b"), 1)
    going.run.done = 1
    going.save()
    assert going.run.seed == 1
    again = prove.Going(replace(proof("p", "a", "b"), seed=2), 1)
    assert (again.run.done, again.run.seed) == (0, 2)


def test_the_seed_is_told_and_an_old_record_without_one_is_read(
    room: Path, started: Started
) -> None:
    one = replace(proof("p", "a"), seed=12)
    prove.Going(one, 1).go_on(None)
    path = room / "evidence" / "p.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["last"]["seed"] == 12
    assert "seed 12" in page.line(one, record.load("p", "", room / "evidence"))
    del content["last"]["seed"]
    path.write_text(json.dumps(content), encoding="utf-8")
    old = record.load("p", "", room / "evidence")
    assert old.last is not None
    assert old.last.seed is None
    assert "seed" not in page.line(one, old)


def test_an_empty_run_does_not_hold_so_far(room: Path, started: Started) -> None:
    one = proof("p", "a", "b")
    going = prove.Going(one, 1)
    going.save()
    assert going.run.verdict == "nothing done yet"
    told = page.line(one, going.record)
    assert "0 of 2 slices, seed 1, nothing done yet" in told
    assert "so far held" not in told


def test_other_cases_begin_anew(room: Path, started: Started) -> None:
    going = prove.Going(proof("p", "a", "b"), 1)
    going.run.done = 1
    going.save()
    assert prove.Going(proof("p", "a", "b"), 1).run.done == 1
    assert prove.Going(proof("p", "a", "c"), 1).run.done == 0


def test_a_stoppable_proof_without_its_state_begins_anew(room: Path) -> None:
    whole = Proof(
        "p", "a", "b", (CODE,), lambda: ["all"], lambda _: Slice({}, []), stoppable=lambda _: None
    )
    going = prove.Going(whole, 1)
    going.go_on(None)
    assert going.run.seconds >= 0
    again = prove.Going(whole, 1)
    assert again.run.when == ""


def test_a_slice_that_prints_much_does_not_stop(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than a pipe holds."""
    code = f"print('x' * 300_000); print({json.dumps(GOOD)!r})"
    commanded(monkeypatch, [sys.executable, "-c", code])
    going = prove.Going(proof("p", "a"), 1)
    going.go_on(None)
    assert going.run.verdict == "held"


def commanded(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    """Let every slice be this command."""

    def command(self: prove.Going, name: str) -> list[str]:
        del self, name
        return words

    monkeypatch.setattr(prove.Going, "_command", command)


def test_a_slice_that_goes_on_when_time_is_up_is_ended_and_not_done(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prove, "OVER_S", 0)
    commanded(monkeypatch, [sys.executable, "-c", "import time; time.sleep(1000)"])
    going = prove.Going(proof("p", "a", "b"), 2)
    going.go_on(prove.time.monotonic() + 3)
    assert (going.run.done, going.worked) == (0, False)
    assert all(process.poll() is not None for process, _ in going.out.values())
    assert record.load("p", "", room / "evidence").touched == ""


def test_a_test_that_is_skipped_proves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = tmp_path / "test_none.py"
    case.write_text("import pytest\ndef test_it(): pytest.skip('no compiler')\n")
    monkeypatch.setattr(by_tests, "ROOT", tmp_path)

    def bare(*words: str | Path) -> subprocess.CompletedProcess[str]:
        """Run pytest in a folder that has nothing of the project."""
        command = [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", "--rootdir", tmp_path]
        return subprocess.run([*command, *words], capture_output=True, text=True, check=False)

    monkeypatch.setattr(by_tests, "_pytest", bare)
    found = by_tests.tested(f"{case}::test_it")
    assert found.figures["skipped"] == 1
    assert "nothing was proved" in found.against[0]


@pytest.mark.parametrize("name", ["wire.c", "pins.csv", "link.proto", "new.py"])
def test_any_file_of_the_code_makes_a_record_old(room: Path, name: str) -> None:
    """Also what is no Python: a record speaks of the whole machine."""
    (room / "boards").mkdir()
    (room / "boards" / "README.md").write_text("a page")
    before = imported.hashes(("boards",), ())
    (room / "boards" / name).write_text("one")
    one = imported.hashes(("boards",), ())
    (room / "boards" / name).write_text("two")
    assert len({*before.values(), *one.values(), *imported.hashes(("boards",), ()).values()}) == 3
    (room / "boards" / "README.md").write_text("another page")
    assert imported.hashes(("boards",), ()) != one


def test_a_failed_record_is_said(
    room: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = json.dumps({"figures": {"tried": 1}, "against": ["a card is lost"]})
    one = proof("p", f"b|{bad}")
    prove.Going(one, 1).go_on(None)
    monkeypatch.setattr(page, "PROOFS", (one,))
    assert "NOT HELD" in page.stale()[0]
