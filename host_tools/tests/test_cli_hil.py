"""`dovetail hil` and `dovetail play` at the pty of an emulated board: the code that a port gets."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
import serial

from host_tools import hil
from host_tools.play import command as play
from sim.tests.images import image

QUIET = (
    "hello_tells_who_it_is",
    "status_tells_how_it_stands",
    "what_is_no_frame_is_counted_and_ignored",
)


@pytest.fixture(scope="module")
def port() -> Iterator[str]:
    """The link of an emulated board that runs beside the tests, with a dealer of its own."""
    words = [sys.executable, "-m", "host_tools.emulate", "--image", str(image())]
    words += ["--decks", "2", "--quiet"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as board:
        assert board.stdout is not None
        first = board.stdout.readline()
        assert first.startswith("link: ")
        yield first.removeprefix("link: ").strip()
        board.terminate()


def test_quiet_scenarios_pass_and_what_is_missing_is_said(
    port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [*QUIET, "the_lid_is_opened_while_dealing", "a_jam_on_the_path_means_shuffle_again"]
    words = [word for name in names for word in ("--only", name)]
    assert hil.main(["--port", port, "--dealer", "auto", *words]) == 0
    shown = capsys.readouterr().out
    for name in QUIET:
        assert f"passed   {name} in " in shown
    assert "skipped  the_lid_is_opened_while_dealing: needs somebody who opens doors" in shown
    assert "a simulated machine, to plant faults in" in shown
    assert shown.endswith("3 passed, 0 failed, 2 skipped\n")


def test_when_all_is_skipped_it_is_no_success(
    port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--port", port, "--dealer", "auto", "--only", "the_decks_alternate"]
    assert hil.main(words) == 1
    assert "nothing was run" in capsys.readouterr().err


def test_a_port_that_somebody_has_is_one_line(
    port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with serial.Serial(port, exclusive=True), pytest.raises(SystemExit) as leaving:
        hil.main(["--port", port, "--only", QUIET[0]])
    assert leaving.value.code == 2
    assert "in use by another program" in capsys.readouterr().err


@pytest.mark.slow
def test_a_round_is_played_at_the_port(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--depth", "real", "--port", port, "--dealer", "auto"]
    assert play.main([*words, "--rounds", "1"]) == 1  # its image shows its keys at a prompt
    assert "say that this is the bench (--bench" in capsys.readouterr().out
    words.append("--bench")
    assert play.main([*words, "--rounds", "1", "--players", "1"]) == 0
    shown = capsys.readouterr().out
    assert "machine    red is ready: 52 of 52" in shown
    assert "stub       round 1: 46 + 6 dealt = 52" in shown
    assert shown.endswith("every count adds up\n")
