"""A shared number stands once: wrong copies, and copies without a source, are found."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from dovetail.calibration import WORDS as QUALITIES
from dovetail.journal import state as journal_state
from dovetail.link import answers, roles
from dovetail.requests import status
from dovetail.table import decks, layout

from host_tools.build import shared_numbers
from host_tools.build.board_files import board_names, board_table
from host_tools.build.shared_numbers import Numbers
from host_tools.build.tell import ROOT, BuildError
from host_tools.link import link_pb2
from host_tools.link.transport import BAUD

DEVICE = Path("firmware/dovetail")
# One copy of each kind: its line up to the number, and the number
COPIES = {
    "an outcome": (DEVICE / "requests/asking.py", "NOT_NOW = const(", "3"),
    "an outcome under another name": (DEVICE / "link/answers.py", "_CROWDED = const(", "6"),
    "a role": (DEVICE / "link/roles.py", "AUDIT = const(", "3"),
    "a verdict": (DEVICE / "lanes/deal.py", "_HAND_VOID = const(", "3"),
    "a verdict in the journal": (DEVICE / "journal/state.py", "_HAND_VOID = const(", "3"),
    "a fault": (DEVICE / "journal/state.py", "_NOISE = const(", "801"),
    "a fault in a table": (DEVICE / "journal/meters.py", "    (", "401"),
    "a state": (DEVICE / "requests/status.py", '    "unavailable": ', "7"),
    "a place": (DEVICE / "requests/status.py", "_REMOVED = const(", "5"),
    "a phase": (DEVICE / "requests/status.py", "_PHASE = const(", "1"),
    "a quality": (DEVICE / "calibration.py", "FAILED = const(", "4"),
    "a back": (DEVICE / "table/layout.py", "BLUE = ", "2"),
    "a place of the ledger": (DEVICE / "requests/status.py", "_IN_SHOE = const(", "2"),
    "a place in a segment": (DEVICE / "journal/mount.py", "_METERS_AT = const(", "192"),
    "a place in a segment, for tools": (
        Path("host_tools/journal/segments.py"),
        "METERS_AT = ",
        "192",
    ),
    "a setting of a record": (DEVICE / "requests/service.py", '        "name": ', "5"),
    "a stage of a record, for tools": (Path("host_tools/journal/words.py"), "    ", "5"),
    "a kind of a field, in C": (Path("boards/messages.c"), "    MANY = ", "8"),
    "a kind of a field, of the generator": (Path("host_tools/build/schema.py"), "ONEOF = ", "16"),
    "a place of the receiver, in C": (Path("boards/wire.c"), "    OVER = ", "4"),
    "a length, in C": (Path("boards/wire.c"), "#define TAG (", "16"),
    "a length of the link": (Path("host_tools/link/frame.py"), "MAX_BODY = ", "512"),
    "a length that is a sum": (Path("host_tools/link/frame.py"), "MAX_WIRE = ", "543"),
    "a length of the C client": (
        Path("host_tools/c_client/frame.h"),
        "    DOVETAIL_PLAIN_BYTES = ",
        "538",
    ),
    "a version of the C client": (Path("host_tools/c_client/frame.c"), "#define VERSION ", "1"),
    "a place in flash": (Path("boards/image.h"), "#define DOVETAIL_PROGRAM_BYTES (", "0x100000"),
    "a limit of the mechanics": (
        Path("host_tools/build/mechanics_rules.py"),
        "SHORT_UM = ",
        "14000",
    ),
}
# What a program may have without a source, and what of it is said
SUSPECTS = {
    "_REFUSED = const(2)": "_REFUSED = 2 is REFUSED of link.proto",
    "ROLE_AUDIT = 3": "ROLE_AUDIT = 3 is ROLE_AUDIT of link.proto",
    "BAD: int = 4": "BAD = 4 is BAD of link.proto",
    "OK, UNHEARD = 0, 6": "UNHEARD = 6 is UNHEARD of link.proto",
    "AUDIT = 3": "AUDIT = 3 is ROLE_AUDIT of link.proto",
    "MAX_BODY = 512": "MAX_BODY = 512 is MAX_BODY of frame.py",
    'said = {"outcome": 2}': "outcome: 2 is a number of Outcome",
    "said = dict(verdict=3)": "verdict: 3 is a number of Verdict",
    "late = event.stack.verdict == 5": "verdict: 5 is a number of Verdict",
    'late = fields["phase"] in (7,) or fields["phase"] != 2': "phase: 2 is a number of Phase",
    "fault = 602": "602 is a number of faults.py",
}
INNOCENT = (
    "_REFUSED = const(5)  # another thing of the same name",
    "TAG = 16  # of another kind",
    'said = {"outcome": 0}',
    'said = {"outcome": REFUSED}',
    "fault = 600",
)


@pytest.fixture(scope="module")
def concerned() -> set[Path]:
    """Return every file that has a copy or a source."""
    copies = Numbers().copies
    return {copy.path for copy in copies} | {DEVICE / copy.file for copy in copies}


@pytest.fixture
def tree(concerned: set[Path], tmp_path: Path) -> Path:
    """Return a copy of these files, to be spoilt."""
    for path in concerned:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    return tmp_path


def change(path: Path, old: str, new: str) -> int:
    """Replace the only place of a text; return its line."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (path, old)
    path.write_text(text.replace(old, new), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def said_of(root: Path) -> list[str]:
    """Return what is wrong with a tree."""
    numbers = Numbers(root)
    numbers.check_copies()
    numbers.check_unnamed()
    return numbers.wrong


def test_every_number_of_the_project_stands_once() -> None:
    shared_numbers.check()


@pytest.mark.parametrize("kind", COPIES)
def test_a_wrong_copy_is_found_and_put_right(kind: str, tree: Path) -> None:
    path, before, number = COPIES[kind]
    sound = (tree / path).read_text()
    found = re.search(f"^{re.escape(before)}({number})(?![0-9x])", sound, re.MULTILINE)
    assert found, kind
    wrong = f"{int(number, 0) + 1:#x}" if number.startswith("0x") else str(int(number) + 1)
    (tree / path).write_text(sound[: found.start(1)] + wrong + sound[found.end(1) :])
    line = sound[: found.start()].count("\n") + 1
    with pytest.raises(BuildError, match=re.escape(f"{path}:{line}: {wrong}, but ")):
        shared_numbers.check(tree)
    assert shared_numbers.write(tree) == [path]
    assert (tree / path).read_text() == sound


def test_a_source_that_changes_leaves_no_copy_behind(tree: Path) -> None:
    change(tree / DEVICE / "link/link.proto", "  REFUSED = 2; ", "  REFUSED = 99; ")
    change(tree / DEVICE / "faults.py", "\nMISFEED = const(101)", "\nMISFEED = const(199)")
    change(tree / DEVICE / "link/frame.py", "\n_HEADER = const(6)", "\n_HEADER = const(7)")
    files = {
        *("keys.py", "link/answers.py", "link/sessions.py", "requests/asking.py"),  # the outcome
        "journal/meters.py",
    }
    others = {"host_tools/link/frame.py", "host_tools/c_client/frame.h"}  # sums too
    assert set(shared_numbers.write(tree)) == {
        *(DEVICE / name for name in files),
        *map(Path, others),
    }
    shared_numbers.check(tree)
    assert "\nREFUSED = const(99)" in (tree / DEVICE / "requests/asking.py").read_text()
    assert '    (199, "misfeeds"),' in (tree / DEVICE / "journal/meters.py").read_text()
    header = (tree / "host_tools/c_client/frame.h").read_text()
    assert "HEADER_BYTES = 7," in header
    assert "PLAIN_BYTES = 539," in header
    assert "WIRE_BYTES = 544 " in header


@pytest.mark.parametrize("line", SUSPECTS)
def test_a_copy_without_a_source_is_found(line: str, tree: Path) -> None:
    path = DEVICE / "gate.py"
    (tree / path).write_text(f"from micropython import const\n\n{line}\n")
    why = "import it, or end the line in '# from FILE: NAME'"
    assert said_of(tree) == [f"{path}:3: {SUSPECTS[line]}: {why}"]


@pytest.mark.parametrize("line", INNOCENT)
def test_what_only_looks_like_a_copy_is_left_alone(line: str, tree: Path) -> None:
    (tree / DEVICE / "gate.py").write_text(f"from micropython import const\n\n{line}\n")
    assert said_of(tree) == []


@pytest.mark.parametrize("room", ["host_tools/tests", "hil_tests", "firmware/tests"])
def test_a_test_may_write_a_number_as_a_witness(room: str, tree: Path) -> None:
    (tree / room).mkdir(parents=True, exist_ok=True)
    (tree / room / "witness.py").write_text("DONE = 1\nassert answer.outcome == 1\n")
    assert said_of(tree) == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("A = 2  # from link/link.proto: NEVER", "link.proto defines no number NEVER"),
        ("A = 2  # from link/lost.py: A", "there is no firmware/dovetail/link/lost.py"),
        ("A = 2  # from link/roles.py: NAMES", "roles.py defines no number NAMES"),
        ("A = 2  # from link/roles.py: SERVICE", "SERVICE is a copy too: of ROLE_SERVICE, link/"),
        ("A, B = 1, 2  # from link/link.proto: DONE", "2 numbers on a line that copies one"),
        ("A = B  # from link/link.proto: DONE", "0 numbers on a line that copies one"),
        ("A = 1.0  # from link/link.proto: DONE", "1.0 is not a whole number"),
        ("A = 1  # from link/link.proto, DONE", "a source is written 'from FILE: NAME'"),
        ("A = 1  # from link/link.proto: DONE, as said", "a source is written 'from FILE: NAME'"),
    ],
)
def test_a_source_that_is_none_is_told(line: str, why: str, tree: Path) -> None:
    path = Path("host_tools/odd.py")
    (tree / path).write_text(line + "\n")
    (said,) = said_of(tree)
    assert said.startswith(f"{path}:1: ")
    assert why in said


# ---- what is tied to a number by its place, held by hand ---------------------------------------


def test_words_stand_at_the_places_of_their_numbers() -> None:
    assert roles.NAMES[link_pb2.ROLE_TABLE] == "table"
    assert roles.NAMES[link_pb2.ROLE_SERVICE] == "service"
    assert roles.NAMES[link_pb2.ROLE_AUDIT] == "audit"
    assert QUALITIES[link_pb2.MARGINAL] == "marginal"
    assert QUALITIES[link_pb2.QUALITY_FAILED] == "failed"
    causes: dict[str, int] = {
        name: vars(journal_state)[name] for name in ("_POWER_ON", "_WATCHDOG")
    }
    assert journal_state.CAUSES[causes["_POWER_ON"]] == "power"
    assert journal_state.CAUSES[causes["_WATCHDOG"]] == "watchdog"


def test_the_phases_follow_each_other_as_the_rounds_of_the_table_do() -> None:
    pairs = {
        layout.CLOSED: link_pb2.PHASE_CLOSED,
        layout.BETS: link_pb2.PHASE_BETS,
        layout.DEALT: link_pb2.PHASE_STACKS,
        layout.CALL2: link_pb2.PHASE_SECOND_CALL,
        layout.CALL3: link_pb2.PHASE_THIRD_CALL,
        layout.RELEASED: link_pb2.PHASE_RELEASED,
        layout.VOID: link_pb2.PHASE_VOID,
    }
    first: int = vars(status)["_PHASE"]
    assert {row: row + first for row in pairs} == pairs
    assert len(pairs) == len(layout.ROUNDS)


def test_each_state_of_a_deck_has_its_place() -> None:
    places = {
        link_pb2.TABLE: (decks.AWAY, decks.WHOLE, decks.HAND),
        link_pb2.INFEED: (decks.DECLARED,),
        link_pb2.WHEEL: (decks.SHUFFLING, decks.HELD, decks.MOVING, decks.MIXED, decks.TAKING),
        link_pb2.SHOE: (decks.READY, decks.DEALING),
        link_pb2.PLACE_NONE: (decks.BROKEN, decks.LOCKED),
        link_pb2.REMOVED: (decks.GONE,),
    }
    told: tuple[int, ...] = vars(status)["_PLACES"]
    assert len(told) == len(decks.NAMES)
    assert {state: told[state] for states in places.values() for state in states} == {
        state: place for place, states in places.items() for state in states
    }


def test_a_session_begins_at_the_rate_of_every_board() -> None:
    assert {board_table(name)["UART_BAUD"] for name in board_names()} == {BAUD}
    assert BAUD in answers.BAUDS


def test_a_refused_rate_is_told_the_rates_that_there_are() -> None:
    _, _, text = vars(answers)["_NO_BAUD"]
    assert [int(rate) for rate in re.findall(r"[0-9]+", text)] == list(answers.BAUDS)
