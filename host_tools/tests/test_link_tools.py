"""`dovetail link`: a line is told right, a bad one is as bad as it says, what comes is carried."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import tty
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import serial

from host_tools import cli, key_file
from host_tools.build.tell import ROOT, UsageError
from host_tools.link import frame, link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import LinkError
from host_tools.link.keys import of_seed
from host_tools.link_tools import capture, command, sniff
from host_tools.link_tools.capture import Piece
from host_tools.link_tools.disturb import KINDS, Disturber, Shares
from host_tools.link_tools.middle import Middle
from host_tools.link_tools.soak import Soaked, soak
from host_tools.tests.link_pair import Line, Machine, pair

BYTES = 100_000
TEXT = bytes(range(256)) * (BYTES // 256)


def carried(shares: Shares, seed: int = 1) -> tuple[Disturber, bytes]:
    """What becomes of the text on such a line."""
    line = Disturber(shares, seed)
    return line, b"".join(piece for _, piece in line.take(TEXT))


# ---- a bad line


def test_a_good_line_changes_nothing() -> None:
    line, came = carried(Shares())
    assert came == TEXT
    assert line.counts == {"bytes": len(TEXT), **dict.fromkeys(KINDS, 0)}


@pytest.mark.parametrize("kind", KINDS)
def test_a_bad_line_is_as_bad_as_it_says(kind: str) -> None:
    line, came = carried(Shares(**{kind: 0.02}))
    count = line.counts[kind]
    assert 0.017 < count / len(TEXT) < 0.023
    assert not [other for other in KINDS if other != kind and line.counts[other]]
    longer = {"drop": -count, "duplicate": count}.get(kind, 0)
    assert abs(len(came) - len(TEXT) - longer) <= 1  # the last one may wait to be overtaken
    if kind == "delay":
        assert came == TEXT
    elif kind == "flip":
        changed = [a ^ b for a, b in zip(came, TEXT, strict=True) if a != b]
        assert len(changed) == count
        assert all(bits.bit_count() == 1 for bits in changed)
    else:
        assert came != TEXT


def test_the_same_seed_is_the_same_line() -> None:
    shares = Shares(drop=0.01, flip=0.01, duplicate=0.01, reorder=0.01)
    assert carried(shares, 5)[1] == carried(shares, 5)[1] != carried(shares, 6)[1]


# ---- sniff


def wire(message: link_pb2.Request | link_pb2.Report, counter: int, key: bytes = b"") -> bytes:
    """A frame."""
    kind = frame.REQUEST if isinstance(message, link_pb2.Request) else frame.REPORT
    return frame.encode(kind, counter, message.SerializeToString(), key)


DEAL = link_pb2.Request(id=2, deal=link_pb2.Deal(round=7, position=1))
SECRET = link_pb2.Provision(
    table_key=b"t" * 32, service_key=b"s" * 32, audit_key=b"a" * 32, supervisor_key=b"v" * 32
)
NO = link_pb2.Answer(id=2, outcome=link_pb2.REFUSED, rule="DS-4", text="no more bets")


def written(path: Path, pieces: Iterable[Piece]) -> Path:
    """A capture."""
    with path.open("w", encoding="utf-8") as file:
        for piece in pieces:
            capture.write(file, piece)
    return path


def test_a_capture_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal = wire(DEAL, 5, b"k" * 32)
    path = written(
        tmp_path / "c.jsonl",
        (
            Piece(0.0, frame.REQUEST, wire(link_pb2.Request(id=1, provision=SECRET), 4)),
            Piece(0.5, frame.REQUEST, deal[:9]),
            Piece(0.6, frame.REQUEST, deal[9:]),
            Piece(0.7, frame.REPORT, wire(link_pb2.Report(answer=NO), 9)),
            Piece(0.8, frame.REPORT, b"\x03nonsense\0"),
        ),
    )
    assert cli.main(["link", "sniff", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    words = [" ".join(line.split()) for line in lines]
    assert words[0] == "0.0000 controller 4 - 1 provision keys, not shown"
    assert words[1] == "0.6000 controller 5 tagged 2 deal round=7 position=1"
    assert "REFUSED" in lines[2]
    assert "rule=DS-4" in lines[2]
    assert lines[3].split()[2] == "bad"
    assert lines[4:] == ["controller: 2 frames", "machine: 1 frames, 1 cut"]
    for letter in b"tsav":
        assert f"{letter:02x}" * 32 not in "".join(lines)


def test_every_report_and_request_can_be_told() -> None:
    vectors = json.loads((ROOT / "docs" / "vectors.json").read_text(encoding="utf-8"))
    told: list[str] = []
    one = sniff.Sniffer(told.append)
    for row in vectors["frames"]:
        one.hear(Piece(0.0, row["kind"], bytes.fromhex(row["frame"])))
    assert len(told) == len(vectors["frames"])
    assert not [line for line in told if " bad " in line or "no message" in line]


def test_a_capture_that_is_none_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"s": 0, "from": "dealer", "bytes": "00"}\n')
    with pytest.raises(UsageError, match=r"c\.jsonl, line 1: not as"):
        list(capture.read(path))
    with pytest.raises(UsageError, match="cannot be read"):
        list(capture.read(tmp_path / "nowhere"))


# ---- soak


def test_a_soak_counts_what_is_answered() -> None:
    soaked = Soaked()

    async def test(client: Client, machine: Machine, line: Line) -> None:
        await soak(client, 20.0, asyncio.get_running_loop().time, soaked)

    pair(test)
    assert soaked.answered == soaked.requests > 1000
    assert (soaked.unanswered, soaked.refused, soaked.bad_frames) == (0, 0, 0)
    row = soaked.row()
    assert 6.0 <= float(str(row["median_ms"])) <= float(str(row["worst_ms"])) < 100.0


def test_a_soak_counts_what_is_lost() -> None:
    soaked = Soaked()

    async def test(client: Client, machine: Machine, line: Line) -> None:
        lost = Disturber(Shares(flip=0.002), 3)
        line.to_machine = lambda data: [b"".join(piece for _, piece in lost.take(data))]
        await soak(client, 60.0, asyncio.get_running_loop().time, soaked)

    pair(test, tries=1)
    assert soaked.unanswered > 3
    assert soaked.bad_frames >= soaked.unanswered
    assert soaked.answered + soaked.unanswered == soaked.requests


def test_a_soak_ends_when_the_line_goes_away() -> None:
    soaked = Soaked()

    async def test(client: Client, machine: Machine, line: Line) -> None:
        now = asyncio.get_running_loop().time
        asyncio.get_running_loop().call_later(5.0, lambda: client_lost(line))
        with pytest.raises(LinkError, match="the line is gone: pulled"):
            await soak(client, 600.0, now, soaked)
        assert now() < 30.0

    def client_lost(line: Line) -> None:
        line.on_lost("pulled")

    pair(test)
    assert soaked.answered > 100
    assert soaked.unanswered == 1


def test_a_capture_that_was_cut_is_told_up_to_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(
        tmp_path / "c.jsonl", [Piece(0.1 * n, frame.REQUEST, wire(DEAL, n + 1)) for n in range(3)]
    )
    path.write_text(path.read_text()[:-20])
    with pytest.raises(SystemExit) as left:
        cli.main(["link", "sniff", str(path)])
    assert left.value.code == 2
    shown = capsys.readouterr()
    assert shown.out.splitlines()[-2:] == ["controller: 2 frames", "machine: 0 frames"]
    assert "line 3: not as" in shown.err


@pytest.mark.parametrize(
    "line",
    [
        '{"s": 1' + "0" * 400 + ', "from": "machine", "bytes": "00"}',
        "[" * 200_000,
        '{"s": 0, "from": [], "bytes": "00"}',
    ],
)
def test_numbers_and_brackets_without_end_are_no_capture(line: str, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(line)
    with pytest.raises(UsageError, match="line 1: not as"):
        list(capture.read(path))


def test_a_key_file_of_brackets_is_none(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text("[" * 200_000)
    path.chmod(0o600)
    with pytest.raises(UsageError, match="this is no key file"):
        key_file.read(path)


def test_a_capture_that_is_not_there_is_only_an_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["link", "sniff", "/nonexistent"])
    assert left.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    why = "/nonexistent: cannot be read: No such file or directory; name a file that"
    assert shown.err.startswith(f"link sniff: {why}")
    assert "Errno" not in shown.err
    assert len(shown.err.splitlines()) == 1


def test_a_capture_that_cannot_be_written_is_one_clear_line(
    ends: tuple[int, serial.Serial], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["link", "sniff", "--port", str(ends[1].name), "--to", str(tmp_path)])
    assert left.value.code == 2
    assert f"--to {tmp_path}: Is a directory" in capsys.readouterr().err


def test_the_keys_of_an_emulated_board_are_found_through_the_middle(tmp_path: Path) -> None:
    board, mine = tmp_path / "board", tmp_path / "mine"
    for one in (board, mine):
        one.mkdir()
    machine, port = pty.openpty()
    (board / "link").symlink_to(os.ttyname(port))
    (board / "keys.json").write_text("{}")
    (board / "keys.json").chmod(0o600)
    middle = Middle(serial.Serial(str(board / "link")), lambda kind, data: [], mine)
    assert key_file.place(None, str(middle.controller.name)) == mine / "keys.json"
    assert key_file.read(mine / "keys.json") == {}
    middle.close()
    for end in (machine, port):
        os.close(end)


# ---- in the middle


@pytest.fixture
def ends() -> Iterator[tuple[int, serial.Serial]]:
    """The machine, and the port that it is at."""
    machine, port = pty.openpty()
    tty.setraw(port)
    opened = serial.Serial(os.ttyname(port), timeout=0)
    yield machine, opened
    for end in (machine, port):
        os.close(end)


def test_all_is_carried_both_ways(ends: tuple[int, serial.Serial], tmp_path: Path) -> None:
    machine, port = ends
    heard: list[tuple[int, bytes]] = []

    def passed(kind: int, data: bytes) -> Iterable[tuple[float, bytes]]:
        heard.append((kind, data))
        return [(0.0, data[:1]), (0.01, data[1:])]

    middle = Middle(port, passed, tmp_path)
    controller = os.open(middle.controller.name, os.O_RDWR | os.O_NOCTTY)
    os.write(controller, b"to the machine")
    os.write(machine, b"to the controller")
    came = {machine: b"", controller: b""}
    for end in came:
        os.set_blocking(end, False)
    for _ in range(200):
        middle.step()
        for end in came:
            try:
                came[end] += os.read(end, 100)
            except BlockingIOError:
                continue
        if len(came[machine]) == 14 and len(came[controller]) == 17:
            break
    assert came == {machine: b"to the machine", controller: b"to the controller"}
    assert {kind for kind, _ in heard} == {frame.REQUEST, frame.REPORT}
    os.close(controller)
    middle.close()


def test_the_port_follows_the_rate_of_the_controller(
    ends: tuple[int, serial.Serial], tmp_path: Path
) -> None:
    machine, port = ends
    port.baudrate = 57_600
    middle = Middle(port, lambda kind, data: [(0.0, data)], tmp_path)

    def carried(word: bytes) -> int:
        """The rate of the machine's port when it is sent this."""
        controller.write(word)
        middle.step()
        assert os.read(machine, 100) == word
        return int(port.baudrate)

    middle.step()
    assert port.baudrate == 57_600  # as it was given, until somebody says another
    with serial.Serial(str(middle.controller.name), 115_200) as controller:
        for baud in (115_200, 921_600, 9600, 115_200):
            controller.baudrate = baud
            assert carried(b"set_baud") == baud
        controller.baudrate = 110  # no rate of this link
        assert carried(b"slow") == 115_200
    middle.close()


# ---- the command

BAD = {
    "link": "--help",
    "link dance": "sniff, soak, inject",
    "link soak": "--port PORT",
    "link inject": "--port PORT",
    "link sniff": "--port PORT",
    "link sniff nowhere.jsonl": "cannot be read",
    **{
        f"link {what} --port x --baud {baud}": "is no number of 9600 to 921600"
        for what in ("sniff", "soak", "inject")
        for baud in ("99999999999999999999", "4294967296", "0", "-1", "fast")
    },
    f"link soak --port x --seconds {'9' * 400}": "is no number of 1 to",
    "service jog wheel 4294967296 --depth in-process": "is no number of 1 to 4294967295",
    "service jog wheel 5 --slow 4294967296 --depth in-process": "is no number of 1 to 4294967295",
    "link sniff c.jsonl --port /dev/nowhere": "not both",
    "link soak c.jsonl": "takes no capture",
    "link inject --port /dev/nowhere": "/dev/nowhere",
    "link soak --port /dev/nowhere": "no such port",
    "link soak --port x --flip 0.1": "--flip is for inject alone",
    "link sniff c.jsonl --seconds 9": "--seconds is for soak alone",
    "link inject --port x --flip 2": "no share of 0 to 1",
    "link inject --port x --drop lots": "no share of 0 to 1",
}


@pytest.mark.parametrize("words", list(BAD))
def test_what_makes_no_sense_is_one_clear_line(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(words.split())
    assert left.value.code == 2
    shown = capsys.readouterr().err.replace("'", "")  # newer Pythons list choices without them
    assert BAD[words] in shown
    assert "Traceback" not in shown
    assert len(shown.splitlines()) <= 3


def test_help_says_what_each_is_for() -> None:
    text = command.parser().format_help()
    for word in ("sniff", "soak", "inject", *(f"--{kind}" for kind in KINDS)):
        assert word in text
    assert of_seed(1).table.hex() not in text
